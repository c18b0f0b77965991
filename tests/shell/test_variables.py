"""`${name}` gets its value, and errors still point at what was written."""

from __future__ import annotations

import pytest

from winsql.errors import Span, WindowSyntaxError
from winsql.shell.check import check_script
from winsql.shell.script import split
from winsql.shell.variables import substitute

SCRIPT = "SELECT 1;\nSELECT ${long_name}, '${hivevar:x}${x}', ${unknown}, ${system:user} FROM t WHERE y"


def test_values_replace_names_everywhere_and_unknown_names_stay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINSQL_TEST_HOME", "there")
    values = {"long_name": "5", "x": "${long_name}"}
    _, second = split(SCRIPT)
    assert substitute(second, values.get).text == ("SELECT 5, '55', ${unknown}, ${system:user} FROM t WHERE y")
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


def test_names_in_values_have_a_value_too() -> None:
    text = "SELECT '${a}', '${c}'"
    (statement,) = split(text)
    values = {"a": "${hivevar:b}", "b": "<${d}>", "c": "x${nope}y", "d": "5"}
    assert substitute(statement, values.get).text == "SELECT '<5>', 'x${nope}y'"
    with pytest.raises(WindowSyntaxError, match=r"the variable \$\{nope\} in the value of \$\{c\} has no") as caught:
        substitute(statement, values.get, is_complete=True)
    assert caught.value.span == Span(*(text.index("${c}") + n for n in (0, 4)))
    assert "-d nope=VALUE" in str(caught.value)


@pytest.mark.parametrize("is_complete", [False, True])
def test_a_value_that_leads_back_to_its_name_is_a_mistake(is_complete: bool) -> None:
    (statement,) = split("SELECT 1, '${first}'")
    with pytest.raises(WindowSyntaxError, match=r"value of the variable \$\{a\} leads back to") as caught:
        substitute(statement, {"first": "${a}", "a": "${b}", "b": "${a}"}.get, is_complete=is_complete)
    assert caught.value.span == Span(11, 19)


def test_check_tells_a_value_that_leads_back_to_its_name() -> None:
    text = "SET b = ${a};\nSELECT 1, '${a}';\nSELECT 2"
    found = check_script(text, {"a": "${b}"})
    places = [text[error.span.start : error.span.end] for error in found if error.span is not None]
    assert places == ["${a}"]
