"""docs/reference.md is what the code says of itself."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

from winsql.model.query import WINDOW_COLUMNS
from winsql.model.registry import ASSIGNERS, EVICTORS, TRIGGERS

POLICIES = [name for registry in (ASSIGNERS, TRIGGERS, EVICTORS) for name in registry]
PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference.md"


def test_the_page_is_what_the_code_gives(update_golden: bool) -> None:
    page = printed()
    if update_golden:
        PAGE.write_text(page, encoding="utf-8")
    assert PAGE.read_text(encoding="utf-8") == page, "run pytest --update-golden tests/test_reference.py"


def test_it_has_every_policy_and_window_column() -> None:
    page = printed()
    assert [name for name in POLICIES if f"\n### {name}(" not in page] == []
    assert [name for name in WINDOW_COLUMNS if f"\n| `{name}` |" not in page] == []


def printed() -> str:
    """The page, from a process of its own: other tests register policies in this one."""
    command = [sys.executable, "-m", "winsql.shell.reference"]
    return subprocess.run(command, capture_output=True, text=True, check=True, timeout=120, cwd=PAGE.parents[1]).stdout
