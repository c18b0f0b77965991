"""What Python workers of Spark do with rows, for a process that looks at what it has imported."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
import pyarrow as pa

from winsql.errors import Span
from winsql.model.assigners import Assigner, CountWindows, SessionWindows, SlidingWindows, TumblingWindows
from winsql.model.base import TimeAttribute, TimeDomain
from winsql.model.query import WindowSpec
from winsql.runtime.aggregates import bind_aggregate
from winsql.runtime.arrays import binaries, to_arrow
from winsql.runtime.ipc import stream_of
from winsql.spark.streaming.packing import RESULT, Kind, Packing, unpack
from winsql.spark.streaming.reductions import reduction_of
from winsql.spark.workers.packs import packed
from winsql.spark.workers.partition import run_packs
from winsql.spark.workers.sorting import TIME_BITS
from winsql.spark.workers.task import Handout, Place, StreamTask, Task

_SECOND = 1_000_000
_TIME = TimeAttribute(TimeDomain.EVENT, ("ts",))
ASSIGNERS: tuple[Assigner, ...] = (
    TumblingWindows(_TIME, 10 * _SECOND),
    SlidingWindows(_TIME, 10 * _SECOND, _SECOND),
    SessionWindows(_TIME, _SECOND),
    CountWindows(10, None, _TIME),
)
COUNT = 20_000


def _task(assigner: Assigner) -> Task:
    calls = [
        bind_aggregate(
            name, distinct=False, slots=(2,), filter_slot=None, types=(pa.int64(),), result_type=pa.int64(), ansi=True
        )
        for name in ("SUM", "COUNT", "MAX")
    ]
    aggregates = tuple(call for call in calls if call is not None)
    place = Place("q", Span(0, 1), ("k",))
    return Task(WindowSpec.of(assigner), Handout.RESULTS, aggregates, (), 1, 1, pa.timestamp("us", "UTC"), 0, place)


def _columns() -> dict[str, pa.Array]:
    numbers = np.arange(COUNT, dtype=np.int64)
    keys = numbers * 2_654_435_761 % 97
    return {
        "ts": to_arrow(numbers * 10_000 - numbers * 40_503 % 70_000),
        "v": to_arrow(numbers % 31, numbers % 7 == 0),
        "k": to_arrow(keys),
        "hash": to_arrow(keys * 0x9E3779B97F4A7 & 0x7FFF_FFFF_FFFF_FFFF),
        "place": to_arrow((keys << TIME_BITS) | numbers),
        "arrival": to_arrow(numbers),
    }


def _batch(*names: str) -> pa.RecordBatch:
    columns = _columns()
    return pa.RecordBatch.from_arrays([columns[name] for name in names], names=list(names))


def _of_table() -> None:
    batch = _batch("place", "ts", "v", "k", "arrival")
    for assigner in ASSIGNERS:
        fired = run_packs(_task(assigner), packed(2, [batch.slice(0, COUNT // 2), batch.slice(COUNT // 2)]))
        assert sum(rows.num_rows for rows in fired) > COUNT / 100


def _of_stream() -> None:
    batch = _batch("hash", "ts", "v", "k")
    for assigner in ASSIGNERS:
        partials = reduction_of(StreamTask(_task(assigner), batch.schema))
        messages = list(Packing(16, partials, needs_time=True)([batch]))
        assert sum(rows.num_rows for rows in messages) > 10


def _unpacked() -> None:
    rows = _batch("k", "v")
    kinds = to_arrow(np.array([Kind.FIRINGS, Kind.LATE, Kind.FIRINGS], np.int32))
    columns = [kinds, to_arrow(np.array([1, 2, 3])), binaries([stream_of(rows), stream_of(rows), None])]
    (found,) = unpack(Kind.FIRINGS, [pa.RecordBatch.from_arrays(columns, schema=RESULT)])
    assert found.num_rows == COUNT


PARTS: dict[str, Callable[[], None]] = {
    "rows of a stream are packed": _of_stream,
    "rows of a table go through the operator": _of_table,
    "results are unpacked": _unpacked,
}
