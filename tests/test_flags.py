"""Settings that are on or off: Spark takes `TRUE` as it takes `true`, and gives it back as it was set."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from winsql.spark.flags import is_on

PACKAGE = Path(__file__).parents[1] / "winsql"


class Conf(dict[str, str]):
    """Settings of a session, where Spark knows `known` with a default."""

    known = "true"

    def get(self, key: str, *default: str) -> str:  # type: ignore[override]
        return super().get(key, *default) if default or key in self else self.known

    def isModifiable(self, key: str) -> bool:
        return key == "known"


def session(**given: str) -> Any:
    return SimpleNamespace(conf=Conf(given))


@pytest.mark.parametrize(("value", "expected"), [("true", True), ("TRUE", True), ("True ", True), ("FALSE", False)])
def test_letters_of_any_case(value: str, expected: bool) -> None:
    assert is_on(session(x=value), "x") is expected
    assert is_on(session(x=value), "x", not expected) is expected


@pytest.mark.parametrize("default", [True, False])
def test_a_setting_that_this_version_may_not_have(default: bool) -> None:
    assert is_on(session(), "x", default) is default


def test_a_setting_of_this_version_has_its_default() -> None:
    assert is_on(session(), "known", False)
    assert not is_on(session(known="false"), "known", True)


def test_nothing_else_compares_them() -> None:
    compared = re.compile(r"""conf\.get\(.*[=!]= "(?:true|false)\"""")
    found = [str(path) for path in PACKAGE.rglob("*.py") if compared.search(path.read_text(encoding="utf-8"))]
    assert [path for path in found if not path.endswith("flags.py")] == []
