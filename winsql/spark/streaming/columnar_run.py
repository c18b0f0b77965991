"""A micro-batch on the keys of one bucket, on the columnar engine: Arrow in, Arrow out, state as columns."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from winsql.model.base import ROW_ID
from winsql.runtime.arrays import to_arrow, to_numpy
from winsql.runtime.columnar import ColumnarPlan, Portion, Unfit, new_engine
from winsql.spark.streaming.bucket_run import BucketRun
from winsql.spark.workers.columnar_firings import BlockFirings, batches_of, settled
from winsql.spark.workers.payload import PayloadStore
from winsql.spark.workers.task import StreamTask

__all__ = ["ColumnarRun"]

Ids = npt.NDArray[np.int64]


class ColumnarRun:
    """As `BucketRun`. Where rows or state do not fit the columns, the per-row operator takes over the bucket."""

    def __init__(self, task: StreamTask, plan: ColumnarPlan, watermark: int, now: int) -> None:
        self.task = task
        self.plan = plan
        self.emitted = 0
        fields = [task.schema.field(0), *(task.schema.field(i) for i in task.key_columns())]
        self._engine = new_engine(plan, pa.schema(fields), watermark, now)
        self._store = PayloadStore(task.kept_schema()) if plan.keeps_rows else None
        self._per_row: BucketRun | None = None

    @property
    def keys(self) -> pa.RecordBatch:
        return self._per_row.keys if self._per_row else self._engine.keys.batch

    @property
    def dropped(self) -> int:
        return self._engine.dropped + (self._per_row.dropped if self._per_row else 0)

    @property
    def late_rows(self) -> list[int]:
        """The numbers of the late rows."""
        late = [int(number) for numbers in self._engine.late for number in numbers.tolist()]
        return late + (self._per_row.late_rows if self._per_row else [])

    def restore(self, data: bytes) -> None:
        """Take over the bucket's state, of whichever engine."""
        try:
            rows = self._engine.restore(data)
        except Unfit:
            self._per_row = BucketRun(self.task, self._engine.watermark, self._engine.now)
            self._per_row.restore(data)
            return
        if self._store is not None and rows is not None:
            sides = self.task.task.sides
            rows = rows if sides is None else sides.shared(rows)
            numbers = to_numpy(rows.column(0))
            self._store.add_rows(numbers, rows.select(list(range(1, rows.num_columns))))

    def advance(self, watermark: int, now: int | None) -> None:
        """Let time pass, before the rows of the micro-batch; None when the clock stands still."""
        if self._per_row is None:
            try:
                self._engine.advance(watermark, now)
                return
            except Unfit:
                self._per_row = self._taken_over()
        self._per_row.advance(watermark, now)

    def set_clock(self, now: int) -> None:
        """Put the clock where processing time assigns windows by it, without running timers."""
        if self._per_row is None:
            self._engine.now = now
        else:
            self._per_row.set_clock(now)

    def process(self, batch: pa.RecordBatch, ids: Ids) -> None:
        """Take rows in arrival order, numbered by `ids`."""
        if self._per_row is None:
            try:
                slots = [None, *(batch.column(i) for i in range(1, 2 + self.task.task.slots))]
                self._engine.process(batch.select([0, *self.task.key_columns()]), slots, ids)
                if self._store is not None:
                    self._store.add_rows(ids, batch.select(self.task.kept_columns()))
                return
            except Unfit:
                self._per_row = self._taken_over()
        self._per_row.process(batch, ids)

    def results(self) -> Iterator[pa.RecordBatch]:
        """The firings of the micro-batch."""
        keys = self._engine.keys.batch
        payload = None if self._store is None else self._store.columns(self._payload())
        named = keys.select(list(range(1, keys.num_columns)))
        for fired in self._engine.firings:
            block = settled(self.task.task, fired)
            yield from batches_of(BlockFirings(self.task.task, block, named, self.emitted), payload)
            self.emitted += len(block.key)
        if self._per_row:
            yield from self._per_row.results()
            self.emitted += self._per_row.emitted

    def late_batch(self, batch: pa.RecordBatch, ids: Ids) -> pa.RecordBatch:
        """The late rows of the batch, with all columns of the source."""
        places = np.searchsorted(ids, np.array(sorted(self.late_rows), dtype=np.int64))
        return batch.take(to_arrow(places)).select([batch.num_columns - 1])

    def hashes(self) -> Ids:
        """The hashes of the keys, in order of their ordinals."""
        return self._per_row.hashes() if self._per_row else self._engine.keys.hashes

    def portion(self, ordinals: Ids) -> Portion:
        """State of the keys that still have some."""
        if self._per_row:
            return self._per_row.portion(ordinals)
        portion = self._engine.portion(ordinals)
        return portion if self._store is None else _WithRows(portion, self._rows(portion.held()))

    def _payload(self) -> list[int]:
        first = 1 + self.task.task.slots
        return list(range(first, first + len(self.task.payload_columns())))

    def _rows(self, numbers: Ids) -> pa.RecordBatch:
        """Kept rows as a bucket has them."""
        if self._store is None:
            return pa.RecordBatch.from_arrays([to_arrow(numbers)], names=["row"])
        rows = self._store.take(numbers)
        return pa.RecordBatch.from_arrays([to_arrow(numbers), *rows.columns], names=["row", *rows.schema.names])

    def _taken_over(self) -> BucketRun:
        """The per-row operator with the state of the engine."""
        engine = self._engine
        run = BucketRun(self.task, engine.watermark, engine.now)
        rows = self._rows(engine.held())
        states = engine.states({row[ROW_ID]: row for row in run.rows_of(rows)} if self._store is not None else {})
        live = [number for number, state in enumerate(states) if state.panes]
        run.adopt(engine.keys.batch.take(pa.array(live, pa.int64())), [states[number] for number in live], rows)
        return run


@dataclass(frozen=True, slots=True)
class _WithRows:
    """A `Portion` that brings its rows along."""

    portion: Portion
    rows: pa.RecordBatch

    @property
    def panes(self) -> int:
        return self.portion.panes

    def earliest_event_timer(self) -> int | None:
        return self.portion.earliest_event_timer()

    def earliest_processing_timer(self) -> int | None:
        return self.portion.earliest_processing_timer()

    def oldest_write(self) -> int | None:
        return self.portion.oldest_write()

    def held(self) -> Ids:
        return self.portion.held()

    def encoded(self, rows: pa.RecordBatch | None = None) -> bytes:
        return self.portion.encoded(self.rows)
