"""What a session's settings change in the reading of a text."""

from __future__ import annotations

import pytest
from golden_cases import golden_cases

from winsql.errors import WinsqlError
from winsql.model.settings import ParserSettings
from winsql.syntax import parse_statement
from winsql.syntax.text.literals import string_value
from winsql.syntax.text.source import Extent, Source

QUOTED = ParserSettings(double_quoted_identifiers=True)
ESCAPED = ParserSettings(escaped_string_literals=True)
STRINGS = {
    r"'a\tb\n'": ("a\tb\n", r"a\tb\n"),
    r"'it\'s'": ("it's", r"it\'s"),
    "'it''s'": ("it's", "it''s"),
    r"'\u0041\U00000042\103\%\_\q\\'": ("ABC\\%\\_q\\", r"\u0041\U00000042\103\%\_\q\\"),
    r"r'\t'": (r"\t", r"\t"),
    r'"a""b"': ('a"b', 'a""b'),
    "$x$a'b$x$": ("a'b", "a'b"),
}


def read(text: str, settings: ParserSettings) -> object:
    """What a statement is read as, or its error."""
    try:
        return parse_statement(text, None, lambda: settings).queries
    except WinsqlError as error:
        return str(error)


@pytest.mark.parametrize("text", STRINGS)
def test_string_values(text: str) -> None:
    plain, escaped = STRINGS[text]
    assert string_value(Source(text), 0) == plain
    assert string_value(Source(text, settings=ESCAPED), 0) == escaped


def test_names_in_double_quotes() -> None:
    text = 'SELECT "k" AS "a ""b", \'"\' AS s FROM "t" WINDOW ASSIGN TUMBLING("ts", r\'1 hour\') '
    text += 'LATE INTO "late" GROUP BY k'
    (query,) = parse_statement(text, None, lambda: QUOTED).queries
    assert [key.sql for key in query.keys] == ["k"]
    assert (query.head, query.late_into) == ('SELECT windowed__key_0 AS "a ""b", \'"\' AS s', "`late`")
    assert query.settings == QUOTED
    unnamed = parse_statement(text.replace(' AS "a ""b"', ""), None, lambda: QUOTED).queries[0]
    assert unnamed.head.startswith("SELECT windowed__key_0 AS `k`")


@pytest.mark.parametrize("kind", ["identity", "rewrite", "plans"])
def test_other_statements_read_the_same(kind: str) -> None:
    for case in golden_cases(kind):
        if '"' not in case.input and "\\" not in case.input and "''" not in case.input:
            settings = ParserSettings(True, True)
            plain = read(case.input, ParserSettings())
            assert str(read(case.input, settings)) == str(plain).replace(str(ParserSettings()), str(settings)), case.id


def test_settings_are_asked_for_windows_only() -> None:
    def refuse() -> ParserSettings:
        raise AssertionError("a statement of Spark's own needs no settings")

    assert parse_statement("SELECT 1", None, refuse).is_plain


def test_a_row_in_brackets_stays_one() -> None:
    for text, inside in {
        "((a))": "a",
        "((a, b))": "(a, b)",
        "(values)": "values",
        "((SELECT 1))": "(SELECT 1)",
    }.items():
        source = Source(text)
        assert source.verbatim(source.unwrapped(Extent(0, len(source)))) == inside
