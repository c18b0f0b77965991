"""A micro-batch on the keys of one bucket, on the columnar engine: Arrow in, Arrow out, state as columns."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from winsql.model.base import ROW_ID
from winsql.runtime.columnar import ColumnarPlan, Portion, Unfit, new_engine
from winsql.spark.streaming.bucket_run import BucketRun, KeptRows
from winsql.spark.workers.columnar_firings import BlockFirings, batches_of, settled
from winsql.spark.workers.task import StreamTask

Ids = npt.NDArray[np.int64]


class ColumnarRun:
    """As `BucketRun`. Where rows or state do not fit the columns, the per-row operator takes over the bucket."""

    def __init__(self, task: StreamTask, plan: ColumnarPlan, watermark: int, now: int) -> None:
        self.task = task
        self.plan = plan
        self.emitted = 0
        self._engine = new_engine(plan, task.key_schema(), watermark, now)
        self._kept = KeptRows(task, keeps=plan.keeps_rows)
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
        self._kept.restore(rows)

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
                self._kept.add(ids, batch)
                return
            except Unfit:
                self._per_row = self._taken_over()
        self._per_row.process(batch, ids)

    def results(self) -> Iterator[pa.RecordBatch]:
        """The firings of the micro-batch."""
        keys = self._engine.keys.batch
        named = keys.select(list(range(1, keys.num_columns)))
        for fired in self._engine.firings:
            block = settled(self.task.task, fired)
            yield from batches_of(BlockFirings(self.task.task, block, named, self.emitted), self._kept.payload())
            self.emitted += len(block.key)
        if self._per_row:
            yield from self._per_row.results()
            self.emitted += self._per_row.emitted

    def hashes(self) -> Ids:
        """The hashes of the keys, in order of their ordinals."""
        return self._per_row.hashes() if self._per_row else self._engine.keys.hashes

    def portion(self, ordinals: Ids) -> Portion:
        """State of the keys that still have some."""
        return (self._per_row or self._engine).portion(ordinals)

    @property
    def kept(self) -> KeptRows:
        """The rows of open windows."""
        return self._per_row.kept if self._per_row else self._kept

    def _taken_over(self) -> BucketRun:
        """The per-row operator with the state of the engine."""
        engine = self._engine
        run = BucketRun(self.task, engine.watermark, engine.now)
        rows = self._kept.of(engine.held())
        states = engine.states({row[ROW_ID]: row for row in run.rows_of(rows)})
        live = [number for number, state in enumerate(states) if state.panes]
        run.adopt(engine.keys.batch.take(pa.array(live, pa.int64())), [states[number] for number in live], rows)
        return run
