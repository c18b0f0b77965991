"""STATE TTL: state of keys that never come back goes, and its size stays flat however many keys there were."""

from __future__ import annotations

import os

import numpy as np
import pyarrow as pa
import pytest
from stream import MemoryStore

from winsql.errors import Span
from winsql.model.assigners import GlobalWindows
from winsql.model.base import MIN_TIME
from winsql.model.query import WindowSpec
from winsql.model.triggers import CountTrigger
from winsql.runtime.aggregates import bind_aggregate
from winsql.spark.streaming.key_group import KeyGroup
from winsql.spark.workers.task import (
    Handout,
    Place,
    StreamTask,
    Task,
)

KEYS = int(os.environ.get("WINSQL_TTL_KEYS", "100000"))
"""New keys in one run; ten million take minutes."""
BATCH, TTL = 5_000, 1
"""New keys per micro-batch, and after how many micro-batches a key is forgotten."""
SECOND = 1_000_000
LONG, TIME = pa.int64(), pa.timestamp("us", "UTC")
SCHEMA = pa.schema([("hash", LONG), ("ts", TIME), ("key", LONG)])


@pytest.mark.slow
def test_ever_new_keys_do_not_pile_up() -> None:
    sizes, firings = run(KEYS // BATCH)
    assert firings == KEYS // BATCH * 10  # of the keys that come twice
    settled = sizes[TTL + 1]
    assert min(sizes[TTL + 1 :]) > 0.5 * settled
    assert max(sizes[TTL + 1 :]) < 1.1 * settled


def run(batches: int) -> tuple[list[int], int]:
    """Bytes of state after each micro-batch, and how often windows fired: ten keys of each batch come twice."""
    count = bind_aggregate("COUNT", distinct=False, slots=(), filter_slot=None, types=(), result_type=LONG, ansi=True)
    assert count is not None
    spec = WindowSpec.of(GlobalWindows(None), CountTrigger(2), state_ttl=TTL * SECOND)
    inner = Task(spec, Handout.RESULTS, (count,), (), 0, 1, TIME, 0, Place("q", Span(0, 1), ("key",)))
    task = StreamTask(inner, SCHEMA, event_time_mode=False)
    store, sizes, firings = MemoryStore(), [], 0
    for number in range(batches):
        group = KeyGroup(task, store)
        for _ in group.run(_batch(number), MIN_TIME, number * SECOND):
            pass
        firings = group.meta.firings
        sizes.append(len(store.meta or b"") + sum(map(len, store.buckets.values())))
    return sizes, firings


def _batch(number: int) -> pa.RecordBatch:
    keys = np.arange(number * BATCH, (number + 1) * BATCH)
    keys = np.concatenate([keys, keys[:10]])
    hashes = (keys * np.int64(-7046029254386353131)).view(np.int64) >> np.int64(7)
    return pa.RecordBatch.from_arrays([pa.array(hashes), pa.nulls(len(keys), TIME), pa.array(keys)], schema=SCHEMA)
