"""docs/reference.md is what the code says of itself."""

from __future__ import annotations

from pathlib import Path

from winsql.model.query import WINDOW_COLUMNS
from winsql.model.registry import ASSIGNERS, EVICTORS, TRIGGERS
from winsql.shell.reference import reference

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference.md"


def test_the_page_is_what_the_code_gives(update_golden: bool) -> None:
    page = reference()
    if update_golden:
        PAGE.write_text(page, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page, "run pytest --update-golden tests/test_reference.py"


def test_it_has_every_policy_and_window_column() -> None:
    page = reference()
    named = [*(f"\n### {name}(" for registry in (ASSIGNERS, TRIGGERS, EVICTORS) for name in registry)]
    assert [name for name in named if name not in page] == []
    assert [name for name in WINDOW_COLUMNS if f"\n| `{name}` |" not in page] == []
