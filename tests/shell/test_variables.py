"""`${name}` gets its value, and errors still point at what was written."""

from __future__ import annotations

import pytest

from winsql.errors import Span
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
