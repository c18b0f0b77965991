"""A hundredth of the hostile tables, full disks and mutated statements of `make chaos`."""

from __future__ import annotations

from pathlib import Path

import pytest
from chaos_campaign import run_campaign
from sampling import share


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.timeout(1800)
def test_a_hundredth_of_the_hostile_tables(tmp_path: Path) -> None:
    tables = share(10)
    said = run_campaign(tmp_path, disks=1, hostile=tables, large=1, streams=1, mutated=100)
    assert f"{tables} hostile table" in said
    assert "100 mutated statements in" in said
