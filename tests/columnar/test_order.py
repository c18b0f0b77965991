"""The order in which timers run: by time and rank, stable, few times or many."""

from __future__ import annotations

import numpy as np
import pytest

from winsql.runtime.columnar.panes.engine import _by_time


@pytest.mark.parametrize("distinct", [1, 40, 90_000], ids=["one time", "few", "more than 16 bits tell"])
def test_timers_in_order(distinct: int) -> None:
    rng = np.random.default_rng(3)
    times = rng.integers(0, distinct, 200_000) * 1_000_003 - 10**15
    rank = rng.integers(0, 7, 200_000)
    assert np.array_equal(_by_time(times, rank), np.lexsort((rank, times)))


def test_no_timers() -> None:
    assert len(_by_time(np.zeros(0, dtype=np.int64), np.zeros(0, dtype=np.int64))) == 0
