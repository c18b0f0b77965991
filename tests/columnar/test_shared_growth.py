"""What windows per row and keys cost where windows share slices or merge."""

from __future__ import annotations

import time
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from engines import EVENT, call

from winsql.model.assigners import SessionWindows, SlidingWindows
from winsql.model.base import MIN_TIME
from winsql.model.query import WindowSpec
from winsql.runtime.columnar import ColumnarPlan, new_engine, plan_of

LONG = pa.int64()
KEYS = pa.schema([("hash", LONG), ("key", LONG)])
ROWS = 200_000
TOTALS = (call("SUM", "long"), call("COUNT", result=LONG), call("MAX", "long"))


def seconds(spec: WindowSpec, keys: int) -> float:
    """CPU time of two micro-batches and the watermarks after them, the best of five runs."""
    plan = plan_of(spec, TOTALS, [LONG])
    assert isinstance(plan, ColumnarPlan)
    number = np.arange(2 * ROWS)
    key, value = pa.array((number * 2654435761 >> 11) % keys), pa.array(number % 97)
    times = pa.array(number // 100 - (number * 40503 >> 5) % 20)

    def run() -> float:
        engine: Any = new_engine(plan, KEYS, MIN_TIME, 0)
        begun = time.process_time()
        for begin in range(0, 2 * ROWS, ROWS):
            part = slice(begin, begin + ROWS)
            rows = [column.slice(begin, ROWS) for column in (key, times, value)]
            engine.advance(int(times[begin].as_py()) - 50, None)
            engine.process(pa.RecordBatch.from_arrays([rows[0], rows[0]], schema=KEYS), [None, *rows[1:]], number[part])
        return time.process_time() - begun

    return min(run() for _ in range(5))


def test_windows_per_row_cost_nothing() -> None:
    """One window per row, and sixty; the step is the same, so that as many windows fire."""
    few, many = (seconds(WindowSpec.of(SlidingWindows(EVENT, size, 10)), 1000) for size in (10, 600))
    assert many < 3 * few


@pytest.mark.parametrize("assigner", [SlidingWindows(EVENT, 60, 10), SessionWindows(EVENT, 8)])
def test_keys_cost_little(assigner: Any) -> None:
    spec = WindowSpec.of(assigner)
    assert seconds(spec, 100_000) < 4 * seconds(spec, 1000)
