"""One key group of a streaming query: what a micro-batch does to the state of its keys.

For each key a micro-batch is `advance_clock(now)`, `advance_watermark(W)`, then its rows in arrival order; rows that
another window has given when W passed come before W. State is read and written bucket by bucket, and only where there
are rows or due timers. Neither PySpark nor the SQL parser is imported.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Protocol, overload

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from winsql.model.base import MIN_TIME
from winsql.runtime.arrays import to_arrow, to_numpy
from winsql.spark.streaming.bucket_run import BucketRun
from winsql.spark.streaming.buckets import MAX_DEPTH, Bucket, GroupMeta
from winsql.spark.streaming.columnar_run import ColumnarRun
from winsql.spark.streaming.same_query import require_same_query
from winsql.spark.workers.batches import grouped
from winsql.spark.workers.engines import stream_plan
from winsql.spark.workers.task import StreamTask

MAX_BUCKET_BYTES = 1 << 20
"""A bucket that grows beyond this is split when it is next written."""

_MILLI = 1000
Ids = npt.NDArray[np.int64]


class GroupStore(Protocol):
    """Where a key group keeps its state: one value for itself, one per bucket."""

    def read_meta(self) -> bytes | None: ...

    def write_meta(self, data: bytes) -> None: ...

    def read(self, bucket: int) -> bytes | None: ...

    def write(self, bucket: int, data: bytes) -> None: ...

    def remove(self, bucket: int) -> None: ...


class KeyGroup:
    """The state of a key group in a store, and the effect of micro-batches on it.

    The columnar engine runs the queries that it can run, unless `columnar` is false; each engine continues the state of
    the other. Raises WindowDataError when the store holds the state of another query.
    """

    def __init__(self, task: StreamTask, store: GroupStore, *, columnar: bool = True) -> None:
        self.task = task
        self._columnar = stream_plan(task) if columnar else "the per-row operator is asked for"
        self.store = store
        self._clock = None if task.task.local is None else task.task.local.clock
        data = store.read_meta()
        self.meta = GroupMeta(MIN_TIME, 0, identity=dict(task.identity)) if data is None else GroupMeta.decoded(data)
        require_same_query(self.meta.identity, dict(task.identity))

    def run(
        self, batch: pa.RecordBatch, watermark: int, now: int | None
    ) -> Iterator[tuple[pa.RecordBatch | None, pa.RecordBatch | None]]:
        """Take the rows of a micro-batch, in arrival order; yields results and late rows, and writes the state.

        `watermark` is inclusive, both clocks are in microseconds, `now` is None when the clock stands still. An empty
        batch only lets time pass.
        """
        meta = self.meta
        ids = np.arange(meta.next_id, meta.next_id + batch.num_rows, dtype=np.int64)
        meta.next_id += batch.num_rows
        for bucket, places in self._due(batch, watermark, now):
            rows = batch if len(places) == batch.num_rows else batch.take(to_arrow(places))
            run = self._run_of(bucket)
            run.advance(self._passed(meta.watermark if self.task.rows_first else watermark), self._passed(now))
            if self._clock is not None and not self.task.task.spec.assigner.is_event_time:
                run.set_clock(int(self._clock.shown(np.array([meta.now if now is None else now]))[0]))
            run.process(rows, ids[places])
            if self.task.rows_first:
                run.advance(self._passed(watermark), None)
            yield from ((result, None) for result in run.results())
            late = _late(rows, ids[places], run.late_rows) if run.late_rows else None
            self._note(run, late)
            if late is not None and not self.task.is_reduced:
                yield None, late
            self._save(bucket, run)
        meta.watermark = max(meta.watermark, watermark)
        meta.now = meta.now if now is None else now
        meta.wake = self._wake()
        self.store.write_meta(meta.encoded())

    def _due(self, batch: pa.RecordBatch, watermark: int, now: int | None) -> list[tuple[Bucket, Ids]]:
        """The buckets that have rows or due timers, each with the places of its rows."""
        buckets = list(self.meta.buckets)
        owners = self.meta.bucket_of(to_numpy(batch.column(0)))
        order, bounds = grouped(owners, len(buckets))
        portions = [order[bounds[i] : bounds[i + 1]] for i in range(len(buckets))]
        return [
            (bucket, places)
            for bucket, places in zip(buckets, portions, strict=True)
            if len(places) or bucket.is_due(self._passed(watermark), self._passed(now))
        ]

    @overload
    def _passed(self, instant: int) -> int: ...

    @overload
    def _passed(self, instant: int | None) -> int | None: ...

    def _passed(self, instant: int | None) -> int | None:
        """An instant that a clock has reached, as the operator has it."""
        return instant if self._clock is None or instant is None else self._clock.passed(instant)

    def _instant(self, time: int) -> int:
        """When a clock has reached a time of the operator's."""
        return time if self._clock is None else int(self._clock.ends(np.array([time + 1]))[0]) - 1

    def _wake(self) -> int | None:
        """When Spark must call although no row comes, in milliseconds of the clock that its timers follow.

        It is the next millisecond at least: a timer of the past is due only when time moves on, and Spark would run it
        in the present micro-batch. In processing time, a group with pending event timers is called in every
        micro-batch, as it sees the watermark only then.
        """
        event_timer = self.meta.next_event_timer()
        if self.task.event_time_mode:
            next_milli = max(self.meta.watermark + 1, 0) // _MILLI + 1
            return None if event_timer is None else max(-(-(self._instant(event_timer) + 1) // _MILLI), next_milli)
        next_milli = self.meta.now // _MILLI + 1
        times = [-(-self._instant(time) // _MILLI) for time in (self.meta.next_wake(),) if time is not None]
        if event_timer is not None:
            times.append(next_milli)
        return max(min(times), next_milli) if times else None

    def _run_of(self, bucket: Bucket) -> BucketRun | ColumnarRun:
        watermark, now = self._passed(self.meta.watermark), self._passed(self.meta.now)
        run: BucketRun | ColumnarRun
        if isinstance(self._columnar, str):
            run = BucketRun(self.task, watermark, now)
        else:
            run = ColumnarRun(self.task, self._columnar, watermark, now)
        data = self.store.read(bucket.number) if bucket.panes else None
        if data is not None:
            run.restore(data)
        return run

    def _note(self, run: BucketRun | ColumnarRun, late: pa.RecordBatch | None) -> None:
        self.meta.dropped += run.dropped
        self.meta.firings += run.emitted
        if late is None:
            return
        if self.task.is_reduced:
            self.meta.dropped += pc.sum(late.column(0)).as_py()
        else:
            self.meta.late += late.num_rows

    def _save(self, bucket: Bucket, run: BucketRun | ColumnarRun) -> None:
        """Write a bucket, or its halves when it has grown too large."""
        self._write(bucket, run, np.arange(run.keys.num_rows))
        if bucket.size <= MAX_BUCKET_BYTES or bucket.depth >= MAX_DEPTH or run.keys.num_rows < 2:
            return
        halves = bucket.split()
        self.meta.replace(bucket, halves)
        self.store.remove(bucket.number)
        upper = run.hashes() >> bucket.depth & 1
        for half, side in zip(halves, (0, 1), strict=True):
            self._write(half, run, np.flatnonzero(upper == side))

    def _write(self, bucket: Bucket, run: BucketRun | ColumnarRun, keys: Ids) -> None:
        portion = run.portion(keys)
        bucket.panes = portion.panes
        bucket.event_timer = portion.earliest_event_timer()
        bucket.processing_timer = portion.earliest_processing_timer()
        written = portion.oldest_write()
        bucket.expiry = None if written is None else self.task.task.spec.expiry(written)
        if not bucket.panes:
            bucket.size = 0
            self.store.remove(bucket.number)
            return
        data = portion.encoded(run.kept.of(portion.held()))
        bucket.size = len(data)
        self.store.write(bucket.number, data)


def _late(batch: pa.RecordBatch, ids: Ids, numbers: list[int]) -> pa.RecordBatch:
    """The late rows of a batch, with all columns of the source."""
    places = np.searchsorted(ids, np.array(sorted(numbers), dtype=np.int64))
    return batch.take(to_arrow(places)).select([batch.num_columns - 1])
