"""The firings of one partition of a bounded table, whose rows come sorted: what a Spark Python worker runs.

Batches come with the rows of a key together, in order of event time and arrival; the first row of each key is
flagged. As in Flink's batch runtime a key ends before the next one begins, so that the operator holds the open
windows of one key only. Neither PySpark nor the SQL parser is imported here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial
from itertools import chain

import pyarrow as pa

from winsql.spark.workers.batch_size import within_bytes
from winsql.spark.workers.columnar import ColumnarPartition
from winsql.spark.workers.engines import batch_plan
from winsql.spark.workers.garbage import spare_loaded
from winsql.spark.workers.local_times import with_shown_times
from winsql.spark.workers.packs import merged
from winsql.spark.workers.per_row import PartitionRun
from winsql.spark.workers.sorting import arranged
from winsql.spark.workers.task import Task


def run_partition(task: Task, batches: Iterable[pa.RecordBatch], *, columnar: bool = True) -> Iterator[pa.RecordBatch]:
    """The firings of all keys of the partition, on the columnar engine where it can run the query, unless `columnar`
    is false. Raises WindowDataError that names statement, policy and key."""
    return within_bytes(_fired(task, batches, columnar=columnar))


def _fired(task: Task, batches: Iterable[pa.RecordBatch], *, columnar: bool) -> Iterator[pa.RecordBatch]:
    spare_loaded()
    rows = with_shown_times(task, batches)
    first = next(rows, None)
    if first is None:
        return
    plan = batch_plan(task) if columnar else "the per-row operator is asked for"
    per_row = partial(PartitionRun, task, first.schema)
    if not isinstance(plan, str):
        yield from ColumnarPartition(task, plan, first.schema, per_row).run(chain([first], rows))
        return
    run = per_row()
    for batch in chain([first], rows):
        yield from run.take(batch)
    yield from run.finish()


def run_packs(task: Task, batches: Iterable[pa.RecordBatch], *, columnar: bool = True) -> Iterator[pa.RecordBatch]:
    """As `run_partition`, from the packs of a partition in order of their first places."""
    keys = list(range(2 + task.slots, 2 + task.slots + task.keys))
    yield from run_partition(task, arranged(merged(batches), keys), columnar=columnar)
