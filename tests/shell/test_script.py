"""Where a script is cut into statements, and where each statement is."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from winsql.errors import WindowSyntaxError
from winsql.shell.script import split


def texts(script: str) -> list[str]:
    return [statement.text for statement in split(script)]


@pytest.mark.parametrize(
    ("script", "expected"),
    [
        ("", []),
        (" ;; \n ; ", []),
        ("-- nothing but; comments\n/* ; */", []),
        ("SELECT 1", ["SELECT 1"]),
        (" SELECT 1 ;\n\tSELECT 2;", ["SELECT 1", "SELECT 2"]),
        ("SELECT 'a;b'; SELECT 2", ["SELECT 'a;b'", "SELECT 2"]),
        ('SELECT "a;b"; SELECT 2', ['SELECT "a;b"', "SELECT 2"]),
        ("SELECT `a;b`; SELECT 2", ["SELECT `a;b`", "SELECT 2"]),
        ("SELECT `a``;b`; SELECT 2", ["SELECT `a``;b`", "SELECT 2"]),
        # a backslash escapes the quote, two quotes are one
        (r"SELECT 'it\'s; one'; SELECT 2", [r"SELECT 'it\'s; one'", "SELECT 2"]),
        ("SELECT 'it''s; one'; SELECT 2", ["SELECT 'it''s; one'", "SELECT 2"]),
        (r"SELECT '\\'; SELECT 2", [r"SELECT '\\'", "SELECT 2"]),
        # in a raw string it does not; the letter must stand alone
        (r"SELECT r'\'; SELECT 2", [r"SELECT r'\'", "SELECT 2"]),
        (r'SELECT R"\"; SELECT 2', [r'SELECT R"\"', "SELECT 2"]),
        (r"SELECT bar'\'; SELECT 2'", [r"SELECT bar'\'; SELECT 2'"]),
        ("SELECT 1 -- it's; fine\n; SELECT 2", ["SELECT 1 -- it's; fine", "SELECT 2"]),
        ("SELECT 1 -- goes on \\\n; here\n; SELECT 2", ["SELECT 1 -- goes on \\\n; here", "SELECT 2"]),
        ("SELECT '--'; SELECT 2", ["SELECT '--'", "SELECT 2"]),
        ("SELECT /* ; */ 1; SELECT 2", ["SELECT /* ; */ 1", "SELECT 2"]),
        ("SELECT /* /* ; */ ; */ 1; SELECT 2", ["SELECT /* /* ; */ ; */ 1", "SELECT 2"]),
        ("SELECT /* it's */ 1; SELECT 2", ["SELECT /* it's */ 1", "SELECT 2"]),
        ("SELECT /*+ BROADCAST(t) */ 1; SELECT 2", ["SELECT /*+ BROADCAST(t) */ 1", "SELECT 2"]),
        ("SELECT /* /*+ no nesting */ 1; SELECT 2", ["SELECT /* /*+ no nesting */ 1", "SELECT 2"]),
        # two dashes inside an address are part of it
        ("SELECT * FROM csv.hdfs://a/b--c; SELECT 2", ["SELECT * FROM csv.hdfs://a/b--c", "SELECT 2"]),
        (
            "CREATE VIEW v WITH METRICS LANGUAGE YAML AS $$ a; b $$; SELECT 2",
            ["CREATE VIEW v WITH METRICS LANGUAGE YAML AS $$ a; b $$", "SELECT 2"],
        ),
        # the semicolons of Spark's SQL scripts
        ("BEGIN SELECT 1; SELECT 2; END; SELECT 3", ["BEGIN SELECT 1; SELECT 2; END", "SELECT 3"]),
        ("a: BEGIN b: BEGIN SELECT 1; END b; END a; TABLE t", ["a: BEGIN b: BEGIN SELECT 1; END b; END a", "TABLE t"]),
        ("begin IF x THEN SELECT 1; END IF; END; SELECT 2", ["begin IF x THEN SELECT 1; END IF; END", "SELECT 2"]),
        (
            "BEGIN CASE x WHEN CASE y WHEN 1 THEN 2 END THEN SELECT 1; END CASE; END; SELECT 2",
            ["BEGIN CASE x WHEN CASE y WHEN 1 THEN 2 END THEN SELECT 1; END CASE; END", "SELECT 2"],
        ),
        (
            "BEGIN FOR w AS SELECT t.end, x AS end FROM t DO SELECT w.end; END FOR; END; SELECT 2",
            ["BEGIN FOR w AS SELECT t.end, x AS end FROM t DO SELECT w.end; END FOR; END", "SELECT 2"],
        ),
        # `end`, `begin` and `case` are names of columns too
        *(
            (f"{script}; TABLE t", [script, "TABLE t"])
            for script in (
                "BEGIN SELECT max(end) FROM t; SELECT 1; END",
                "BEGIN SELECT begin, end FROM t WHERE end > begin; SELECT max(case) FROM t; END",
                "BEGIN SELECT CASE WHEN end > 1 THEN end ELSE CASE x WHEN 1 THEN 2 END END end; SELECT 1; END",
                "BEGIN IF end > 1 THEN BEGIN SELECT 1; END; ELSE SELECT CASE WHEN a THEN b END; END IF; SELECT 2; END",
                "BEGIN DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN SELECT 1; END; SELECT end; END",
                "BEGIN REPEAT SET x = x + 1; UNTIL CASE WHEN x > 3 THEN true END END REPEAT; SELECT 1; END",
                "a: BEGIN l: LOOP LEAVE l; END LOOP l; b: BEGIN SELECT 1; END b; SELECT 2; END a",
            )
        ),
        ("BEGIN; SELECT 1; SELECT begin, end", ["BEGIN", "SELECT 1", "SELECT begin, end"]),
        ("SELECT 'é漢'; SELECT 2", ["SELECT 'é漢'", "SELECT 2"]),
        ("SELECT 1; -- the end", ["SELECT 1"]),
    ],
)
def test_cuts_at_the_semicolons_that_end_a_statement(script: str, expected: list[str]) -> None:
    assert texts(script) == expected


def test_a_statement_knows_where_it_stands() -> None:
    script = "SELECT 1;\n\n  -- about it\n  SELECT 2 ;"
    _, second = split(script)
    assert script[second.start :].startswith(second.text)
    assert second.text == "-- about it\n  SELECT 2"
    assert script[second.body :] == "SELECT 2 ;"


@pytest.mark.parametrize(
    ("script", "title"),
    [
        ("SELECT 1", None),
        ("-- one\nSELECT 1", "one"),
        ("-- one\n--   two\nSELECT 1", "one\ntwo"),
        ("-- header\n\n-- title\n  SELECT 1", "title"),
        ("-- header\n\nSELECT 1", None),
        ("-- one\n/* other */\nSELECT 1", None),
        ("/* other */ SELECT 1", None),
        ("--\nSELECT 1", None),
        ("SELECT 0; -- about the first\n-- about the second\nSELECT 1", "about the second"),
    ],
)
def test_the_comment_lines_right_above_a_statement_are_its_title(script: str, title: str | None) -> None:
    assert split(script)[-1].title == title


@pytest.mark.parametrize(
    ("script", "message"),
    [
        (
            "SELECT 1;\nSELECT 'open;",
            "this string is not closed before the end of the script\n"
            "  at line 2, column 8:\n    SELECT 'open;\n           ^\n  hint: close it with '",
        ),
        (
            'SELECT "open',
            "this string is not closed before the end of the script\n"
            '  at line 1, column 8:\n    SELECT "open\n           ^\n  hint: close it with "',
        ),
        (
            "SELECT `open",
            "this identifier is not closed before the end of the script\n"
            "  at line 1, column 8:\n    SELECT `open\n           ^\n  hint: close it with `",
        ),
        (
            "SELECT 1 /* a /* b */ ; SELECT 2",
            "this comment is not closed before the end of the script\n"
            "  at line 1, column 10:\n    SELECT 1 /* a /* b */ ; SELECT 2\n             ^^\n"
            "  hint: close it with */; comments nest, each /* needs its own */",
        ),
    ],
)
def test_what_is_not_closed_is_refused_at_its_first_character(script: str, message: str) -> None:
    with pytest.raises(WindowSyntaxError) as caught:
        split(script)
    assert str(caught.value) == message


PIECES = st.sampled_from(
    ["SELECT 1", "'a;\\';b'", '"x;""y"', "`p;``q`", "/* ; /* ; */ */", "-- c;\n", "r';'", " ", "\n", "/*+ h */"]
)


@given(st.lists(st.lists(PIECES, min_size=1, max_size=6).map(" ".join), max_size=5))
def test_joining_statements_and_splitting_them_gives_them_back(parts: list[str]) -> None:
    # a comment at the end of a part is closed by its own line end, so that `;` ends the part
    script = ";".join(parts)
    found = split(script)
    for statement in found:
        assert script[statement.start : statement.start + len(statement.text)] == statement.text
    assert [s.text for s in found] == [p.strip() for p in parts if split(p)]
