"""A hundredth of the hostile tables, full disks and mutated statements of `make chaos`."""

from __future__ import annotations

from pathlib import Path

import pytest
from chaos_campaign import run_campaign


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.timeout(1800)
def test_a_hundredth_of_the_hostile_tables(tmp_path: Path) -> None:
    said = run_campaign(tmp_path, disks=1, hostile=10, large=1, streams=1, mutated=100)
    assert "10 hostile tables in" in said
    assert "100 mutated statements in" in said
