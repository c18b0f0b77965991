"""A fortieth of the hostile tables, full disks and mutated statements of `make chaos`."""

from __future__ import annotations

from pathlib import Path

import pytest
from chaos_campaign import run_campaign


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.timeout(1800)
def test_a_fortieth_of_the_hostile_tables(tmp_path: Path) -> None:
    said = run_campaign(tmp_path, disks=1, hostile=25, large=1, streams=1, mutated=250)
    assert "25 hostile tables in" in said
    assert "250 mutated statements in" in said
