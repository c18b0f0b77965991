"""`${name}` gets its value, and errors still point at what was written."""

from __future__ import annotations

import pytest

from winsql.errors import Span, WindowSyntaxError
from winsql.shell.script import split
from winsql.shell.variables import substitute

SCRIPT = "SELECT 1;\nSELECT ${long_name}, '${hivevar:x}${x}', ${unknown}, ${system:user} FROM t WHERE y"


def test_values_replace_names_everywhere_and_unknown_names_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINSQL_TEST_HOME", "there")
    values = {"long_name": "5", "x": "${long_name}"}
    _, second = split(SCRIPT)
    assert substitute(second, values.get).text == (
        "SELECT 5, '${long_name}${long_name}', ${unknown}, ${system:user} FROM t WHERE y"
    )
    (env,) = split("SELECT '${env:WINSQL_TEST_HOME}', '${env:WINSQL_NO_SUCH}'")
    assert substitute(env, values.get).text == "SELECT 'there', '${env:WINSQL_NO_SUCH}'"


def test_places_are_those_of_the_script() -> None:
    _, second = split(SCRIPT)
    changed = substitute(second, {"long_name": "5", "x": "abc"}.get)
    for word, written in (("y", "y"), ("5", "${long_name}"), ("abc'", "${x}'"), ("SELECT 5", "SELECT ${long_name}")):
        start = changed.text.rindex(word)
        place = changed.place(Span(start, start + len(word)))
        assert SCRIPT[place.start : place.end] == written
    assert SCRIPT[: changed.end] == SCRIPT


def test_a_variable_without_value_is_a_mistake_but_not_in_a_comment() -> None:
    (statement,) = split("SELECT '${known}', ${system:user} -- ${missing}\n")
    assert substitute(statement, {"known": "1"}.get, is_complete=True).text.startswith("SELECT '1', ${system:user}")
    for text in ("SELECT '${hivevar:missing}'", "SELECT ${missing}", "SELECT `a${env:WINSQL_NO_SUCH}`"):
        (statement,) = split(text)
        with pytest.raises(WindowSyntaxError, match="has no value") as caught:
            substitute(statement, {}.get, is_complete=True)
        assert caught.value.span is not None
        assert text[caught.value.span.start] == "$"
