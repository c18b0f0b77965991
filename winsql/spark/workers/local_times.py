"""Rows on their way into windows that follow the clocks of a zone; in Spark's Python workers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa

from winsql.runtime.arrays import present_in, to_arrow, to_numpy
from winsql.spark.workers.task import Task


def with_shown_times(task: Task, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Batches whose second column, the event time, is what clocks show then; unchanged for other windows."""
    if task.local is None or not task.spec.assigner.is_event_time:
        yield from batches
        return
    for batch in batches:
        times = batch.column(1)
        instants = to_numpy(times)
        shown = to_arrow(task.local.clock.shown(instants), ~present_in(times)).cast(times.type)
        columns = [*batch.columns[:1], shown, *batch.columns[2:]]
        yield pa.RecordBatch.from_arrays(columns, schema=batch.schema)
