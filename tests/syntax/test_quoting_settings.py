"""Which settings of a session decide what a text means."""

from __future__ import annotations

import pytest

from winsql.model.settings import BACKSLASHES, CONSECUTIVE_STRINGS, DOUBLE_QUOTES, ParserSettings
from winsql.syntax.text.quoting_settings import quoting_settings


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("SELECT k, '10 seconds' FROM t", set()),
        ('SELECT `"k"`, \' " \' FROM t -- "k" \'\\d\'', set()),
        ("SELECT r'\\d', R\"\\d\", '' FROM t", set()),
        ('SELECT "k" FROM t', {DOUBLE_QUOTES}),
        ("SELECT k RLIKE '\\\\d' FROM t", {BACKSLASHES}),
        ("SELECT 'it''s' FROM t", {CONSECUTIVE_STRINGS}),
        ("SELECT \"a\"\"b\", 'a' 'b', '\\n' FROM t", {DOUBLE_QUOTES, BACKSLASHES, CONSECUTIVE_STRINGS}),
    ],
)
def test_only_settings_that_matter_are_named(text: str, names: set[str]) -> None:
    assert quoting_settings(text, ParserSettings()) == dict.fromkeys(names, "false")
    others = ParserSettings(double_quoted_identifiers=True, escaped_string_literals=True, consecutive_strings=True)
    assert quoting_settings(text, others) == dict.fromkeys(names, "true")
