"""A micro-batch on the keys of one bucket, on the columnar engine: Arrow in, Arrow out, state as columns."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from winsql.model.query import INTERNAL_PREFIX, PANE_INDEX, PANE_TIMING, WINDOW_END, WINDOW_START, WINDOW_TIME
from winsql.runtime.columnar import TIMINGS, ColumnarPlan, FiringBlock, Portion, Unfit
from winsql.spark.streaming.bucket_run import BucketRun
from winsql.spark.streaming.engines import no_rows

if TYPE_CHECKING:
    from winsql.spark.streaming.group import StreamTask

__all__ = ["ColumnarRun"]

Ids = npt.NDArray[np.int64]


class ColumnarRun:
    """As `BucketRun`. When rows or state do not fit the columns, the per-row operator takes the bucket over."""

    def __init__(self, task: StreamTask, plan: ColumnarPlan, watermark: int, now: int) -> None:
        self.task = task
        self.plan = plan
        self.emitted = 0
        fields = [task.schema.field(0), *(task.schema.field(i) for i in task.key_columns())]
        self._engine = plan.engine(pa.schema(fields), watermark, now)
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
            self._engine.restore(data)
        except Unfit:
            self._per_row = BucketRun(self.task, self._engine.watermark, self._engine.now)
            self._per_row.restore(data)

    def advance(self, watermark: int, now: int | None) -> None:
        """Let time pass, before the rows of the micro-batch; None when the clock stands still."""
        if self._per_row:
            self._per_row.advance(watermark, now)
        else:
            self._engine.advance(watermark, now)

    def process(self, batch: pa.RecordBatch, ids: Ids) -> None:
        """Take rows in arrival order, numbered by `ids`."""
        if self._per_row is None:
            try:
                slots = [None, *(batch.column(i) for i in range(1, 2 + self.task.task.slots))]
                self._engine.process(batch.select([0, *self.task.key_columns()]), slots, ids)
                return
            except Unfit:
                self._per_row = self._taken_over()
        self._per_row.process(batch, ids)

    def results(self) -> Iterator[pa.RecordBatch]:
        """The firings of the micro-batch."""
        for block in self._engine.firings:
            self.emitted += len(block.key)
            yield self._batch(block)
        if self._per_row:
            yield from self._per_row.results()
            self.emitted += self._per_row.emitted

    def late_batch(self, batch: pa.RecordBatch, ids: Ids) -> pa.RecordBatch:
        """The late rows of the batch, with all columns of the source."""
        places = np.searchsorted(ids, np.array(sorted(self.late_rows), dtype=np.int64))
        return batch.take(pa.array(places)).select([batch.num_columns - 1])

    def hashes(self) -> Ids:
        """The hashes of the keys, in order of their ordinals."""
        return self._per_row.hashes() if self._per_row else self._engine.keys.hashes

    def portion(self, ordinals: Ids) -> Portion:
        """State of the keys that still have some."""
        return self._per_row.portion(ordinals) if self._per_row else self._engine.portion(ordinals)

    def _taken_over(self) -> BucketRun:
        """The per-row operator where the engine stands."""
        engine = self._engine
        run = BucketRun(self.task, engine.watermark, engine.now)
        states = engine.states({})
        live = [number for number, state in enumerate(states) if state.panes]
        run.adopt(engine.keys.batch.take(pa.array(live, pa.int64())), [states[number] for number in live], no_rows())
        return run

    def _batch(self, block: FiringBlock) -> pa.RecordBatch:
        """Firings with the columns of `Firings`."""
        kind = self.task.task.window_type
        keys = self._engine.keys.batch.select(list(range(1, self._engine.keys.batch.num_columns)))
        places = pa.array(block.key)
        columns = {
            **{name: keys.column(i).take(places) for i, name in enumerate(keys.schema.names)},
            WINDOW_START: pa.array(block.start).cast(kind),
            WINDOW_END: pa.array(block.end).cast(kind),
            WINDOW_TIME: pa.array(block.end - 1).cast(kind),
            PANE_INDEX: pa.array(block.index),
            PANE_TIMING: _TIMINGS.take(pa.array(block.timing)),
        }
        columns.update({f"{INTERNAL_PREFIX}result{i}": column for i, column in enumerate(block.results)})
        return pa.RecordBatch.from_arrays(list(columns.values()), names=list(columns))


_TIMINGS = pa.array([timing.value for timing in TIMINGS], pa.string())
