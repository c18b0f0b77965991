"""A twentieth of the hostile tables, full disks and mutated statements of `make chaos`."""

from __future__ import annotations

from pathlib import Path

import pytest
from chaos_campaign import run_campaign


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.timeout(1800)
def test_a_twentieth_of_the_hostile_tables(tmp_path: Path) -> None:
    said = run_campaign(tmp_path, disks=2, hostile=50, large=1, streams=1, mutated=500)
    assert "50 hostile tables in" in said
    assert "500 mutated statements in" in said
