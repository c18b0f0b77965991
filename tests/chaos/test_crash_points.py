"""A hundredth of the crash points of `make chaos`; `test_hostile.py` beside it, in another process, takes as long."""

from __future__ import annotations

from pathlib import Path

import pytest
from chaos_campaign import run_campaign
from sampling import share


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.timeout(1800)
def test_a_hundredth_of_the_crash_points(tmp_path: Path) -> None:
    points = share(10)
    assert f"{points} crash points of " in run_campaign(tmp_path, points=points)
