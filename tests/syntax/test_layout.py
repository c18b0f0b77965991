"""Window clauses are laid out, and nothing else: same meaning, same text around them, no change the second time."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from golden_cases import GoldenCase, golden_cases
from hypothesis import given, settings
from hypothesis import strategies as st
from test_golden import Halve, Spike, session_aggregate, without_places

import winsql
from winsql.errors import WinsqlError
from winsql.model.registry import EVICTORS, TRIGGERS
from winsql.shell.fmt import format_script
from winsql.shell.script import split
from winsql.syntax import parse_statement
from winsql.syntax.layout import lay_out
from winsql.syntax.selects.scanner import find_selects
from winsql.syntax.text.source import Source

CASES = [*golden_cases("identity"), *golden_cases("rewrite"), *golden_cases("errors"), *golden_cases("plans")]
ROOT = Path(__file__).resolve().parents[2]
COMMENT = re.compile(r"--[^\n]*|/\*.*?\*/", re.DOTALL)


@pytest.fixture(scope="module", autouse=True)
def _registered() -> Iterator[None]:
    winsql.register_trigger("spike", Spike)
    winsql.register_evictor("halve", Halve)
    yield
    TRIGGERS.remove("spike")
    EVICTORS.remove("halve")


def test_a_clause_has_its_line_and_its_place() -> None:
    assert lay_out(
        "SELECT k, sum( v )  FROM t late into  x window  assign sliding( ts,interval 1 hour , slide=>'5 minutes' )"
        " PARTITION BY  k window trigger any( count(3),event_time( ) ) evict count(10) after where v > 0   group  by k"
    ) == (
        "SELECT k, sum( v )  FROM t\n"
        "WINDOW ASSIGN SLIDING(ts, INTERVAL 1 HOUR, slide => '5 minutes') PARTITION BY k\n"
        "TRIGGER ANY(COUNT(3), EVENT_TIME())\n"
        "EVICT COUNT(10) AFTER\n"
        "LATE INTO x\n"
        "where v > 0   group  by k"
    )


def test_the_words_of_emit() -> None:
    text = "SELECT k FROM t WINDOW ASSIGN TUMBLING(ts, '1 h') emit early  every {} late on row as upsert GROUP BY k"
    for written, said in (("5 rows", "5 ROWS"), ("interval '5' second", "INTERVAL '5' SECOND"), (":n ROWS", None)):
        emit = f"EMIT EARLY EVERY {said} LATE ON ROW AS UPSERT"
        laid_out = lay_out(text.format(written)).split("\n")[2]
        assert laid_out == emit if said else "early  every :n ROWS" in laid_out


def test_clauses_stand_under_their_select() -> None:
    assert lay_out("CREATE VIEW v AS\n  SELECT * FROM (SELECT k FROM t WINDOW ASSIGN COUNT(3) GROUP BY k) JOIN u") == (
        "CREATE VIEW v AS\n"
        "  SELECT * FROM (SELECT k FROM t\n"
        "                 WINDOW ASSIGN COUNT(3)\n"
        "                 GROUP BY k) JOIN u"
    )


@pytest.mark.parametrize(
    "text",
    [
        "SELECT k FROM t\nWINDOW ASSIGN count( 3 /* three */ )\nGROUP BY k",
        "SELECT k FROM t -- the readings  \nTRIGGER COUNT(1) -- each row\n/* all */\nWINDOW ASSIGN GLOBAL(ts)",
        "SELECT k FROM t /* a */ WINDOW ASSIGN COUNT(3) /* b */ GROUP BY k",
    ],
)
def test_comments_stay_where_they_are(text: str) -> None:
    assert lay_out(text) == text


def test_a_script_keeps_its_line_ends_and_what_is_sparks_own() -> None:
    script = "select  1 ;\r\n SELECT k FROM t WINDOW ASSIGN COUNT(3); -- end\r\nSELECT window assign FROM t"
    expected = "select  1 ;\r\n SELECT k FROM t\r\n WINDOW ASSIGN COUNT(3); -- end\r\nSELECT window assign FROM t"
    assert format_script(script) == expected


def read(text: str) -> object:
    """What the statement means; its mistake when it has one."""
    try:
        statement = parse_statement(text, session_aggregate)
    except WinsqlError as error:
        return error.problem.upper()
    return [unspaced(without_places(query)) for query in statement.queries]


def unspaced(value: Any) -> Any:
    """With the window clauses of queries inside queries on one line."""
    if isinstance(value, str):
        return " ".join(lay_out(value).split()) if "WINDOW" in value.upper() else value
    if isinstance(value, dict):
        return {name: unspaced(item) for name, item in value.items()}
    return tuple(map(unspaced, value)) if isinstance(value, tuple) else value


def around(text: str) -> list[object]:
    """What a statement says outside of its window clauses: the parts verbatim, then the comments."""
    source = Source(text)
    parts = [
        (part.words, source.verbatim(section.body))
        for select in find_selects(source)
        for part, section in sorted(select.sections.items(), key=lambda item: item[0].words)
        if not part.is_window_clause and "WINDOW" not in source.verbatim(section.body).upper()
    ]
    return [*parts, *COMMENT.findall(text)]


def check_layout(text: str) -> None:
    try:
        laid_out = lay_out(text)
    except WinsqlError:
        return
    assert lay_out(laid_out) == laid_out
    assert read(laid_out) == read(text)
    assert around(laid_out) == around(text)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case.path.parent.name}: {case.id}")
def test_the_meaning_stays(case: GoldenCase) -> None:
    check_layout(case.input)


@pytest.mark.parametrize("path", sorted(ROOT.glob("examples/**/*.sql")), ids=lambda path: path.stem)
def test_the_meaning_of_the_examples_stays(path: Path) -> None:
    for statement in split(path.read_text(encoding="utf-8")):
        check_layout(statement.text)


BLANKS = st.sampled_from([" ", "\n", "\n\t ", " -- c;\n", " /* c */ ", "\n-- c\n  "])
PIECES = [
    ["window", "assign", "sliding(", "ts", ",", "interval", "1", "hour", ",", "slide", "=>", "'5 minutes'", ")"],
    ["TRIGGER", "any(", "count(", "3", ")", ",", "delta(", "v + 1", ",", "2.50", ")", ")"],
    ["WINDOW", "evict", "time(", "'1 hour'", ")", "before"],
    ["allowed", "lateness", "INTERVAL", "'01:30'", "hour", "to", "minute"],
    ["WHERE", "v > 1"],
    ["GROUP BY", "k"],
]


@settings(max_examples=150)
@given(st.data(), st.permutations(PIECES))
def test_any_order_and_any_blanks(data: st.DataObject, clauses: list[list[str]]) -> None:
    where, group = (next(c for c in clauses if c[0] == word) for word in ("WHERE", "GROUP BY"))
    if clauses.index(where) > clauses.index(group):
        clauses.remove(where)
    words = ["SELECT k, (SELECT 1) AS x, count(*) FROM", "t", *(word for clause in clauses for word in clause)]
    check_layout("".join(word + data.draw(BLANKS) for word in words))
