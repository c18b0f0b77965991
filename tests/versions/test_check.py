"""The check of the page about versions finds what it says wrongly."""

from __future__ import annotations

import importlib.util
import sys
from pathlib import Path
from types import ModuleType

import pytest

FOLDER = Path(__file__).parent


@pytest.fixture(scope="module")
def versions() -> ModuleType:
    sys.path.insert(0, str(FOLDER))
    try:
        spec = importlib.util.spec_from_file_location("versions_of_spark", FOLDER / "__main__.py")
        assert spec is not None
        assert spec.loader is not None
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(FOLDER))
    return module


def page(versions: ModuleType, **columns: str) -> str:
    """A table in which each version has one cell in all rows."""
    header = f"| | {' | '.join(columns)} |\n|---|{'---|' * len(columns)}\n"
    return header + "".join(f"| {feature} | {' | '.join(columns.values())} |\n" for feature in versions.FEATURES)


def test_the_newest_version_may_be_left_out(versions: ModuleType) -> None:
    assert versions.check(page(versions, old="yes"), page(versions, old="yes", new="yes")) == []
    assert len(versions.check(page(versions, old="yes"), page(versions, old="yes", new="no"))) == len(versions.FEATURES)


def test_what_is_said_wrongly(versions: ModuleType) -> None:
    wrong = versions.check(page(versions, old="FAILED"), page(versions, old="yes"))
    assert len(wrong) == len(versions.FEATURES)
    assert wrong[0].endswith(": FAILED, not yes")
    assert versions.check(page(versions, other="yes"), page(versions, old="yes")) == ["other: not in the page"]


def test_every_feature_of_the_page_is_tested(versions: ModuleType) -> None:
    text = versions.PAGE.read_text(encoding="utf-8").split(versions.BEGIN)[1].split(versions.END)[0]
    assert [line.split("|")[1].strip() for line in text.splitlines()[2:]] == list(versions.FEATURES)
