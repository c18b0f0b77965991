"""The page about pipelines shows the files of the tests."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]


def test_every_block_is_of_a_file_that_runs() -> None:
    page = (ROOT / "docs" / "pipelines.md").read_text(encoding="utf-8")
    files = [path.read_text(encoding="utf-8") for path in Path(__file__).parent.glob("*_project/**/*.*")]
    blocks = re.findall(r"^```\S+\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(blocks) == 9
    assert [block for block in blocks if not any(block in text for text in files)] == []
