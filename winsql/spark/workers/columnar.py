"""The columnar engine over the sorted rows of one partition of a bounded table, in a Spark Python worker.

As in `winsql.spark.workers.partition`, rows of a key are together and the first of each is flagged. Rows go to the
engine in large steps that end where a key ends; a key with more rows than a step stays open in the engine. Where rows
do not fit the engine's columns, the per-row operator runs them until the key that is open then ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from winsql.model.base import MIN_TIME, Row, TimeDomain
from winsql.model.columnar import Longs
from winsql.runtime.arrays import empty, to_arrow, to_numpy
from winsql.runtime.columnar import ColumnarPlan, Unfit, new_engine
from winsql.runtime.columnar.shared.protocol import Engine
from winsql.runtime.columnar.slices.state import begun
from winsql.spark.workers.columnar_firings import BlockFirings, batches_of, joined, settled
from winsql.spark.workers.columns import values_of
from winsql.spark.workers.payload import PayloadStore
from winsql.spark.workers.per_row import PartitionRun
from winsql.spark.workers.task import Task

STEP_ROWS, STEP_BYTES = 1 << 17, 1 << 26
"""Rows and bytes of a step; fewer when they fire much, so that the output stays small."""
MAX_FIRED = 1 << 22
"""Rows that a step may hand out, as estimated from the steps before it."""
MAX_WINDOWS = 1 << 21
"""Windows that the rows of a step may begin: each has its results in memory when its key ends."""
_LEAST_SHARE = 1 / 1024


_HASH = pa.schema([("hash", pa.int64())])


class _Step(NamedTuple):
    """Rows one after the other, and whether the last key ends with them."""

    rows: pa.RecordBatch
    ends: bool


class ColumnarPartition:
    """Runs the rows of a partition; `per_row` makes the per-row operator, which takes over where rows do not fit."""

    def __init__(self, task: Task, plan: ColumnarPlan, schema: pa.Schema, per_row: Callable[[], PartitionRun]) -> None:
        self.task = task
        self.plan = plan
        first_key = 2 + task.slots
        self.key_columns = list(range(first_key, first_key + task.keys))
        self.kept_columns = [*range(1, first_key), *range(first_key + task.keys, len(schema))]
        self._payload = list(range(1 + task.slots, len(self.kept_columns)))
        self._engine = self._new_engine()
        self._keys = empty(pa.schema([schema.field(i) for i in self.key_columns]))
        kept = pa.schema([schema.field(i) for i in self.kept_columns])
        self._store = PayloadStore(kept) if plan.keeps_rows else None
        self._open = not task.keys
        self._share, self._most = 1.0, 0
        self._next_id = 0
        self._emitted = 0
        self._new_per_row = per_row
        self._per_row: PartitionRun | None = None

    def run(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        """The firings of all keys, key by key."""
        for step in self._steps(batches):
            if self._open and step.rows.column(0)[0].as_py():
                yield from self._end()
            yield from self._take(step.rows)
            if step.ends:
                yield from self._end()
            else:
                yield from self._fired()
        if self._open:
            yield from self._end()

    def _steps(self, batches: Iterable[pa.RecordBatch]) -> Iterator[_Step]:
        waiting: list[pa.RecordBatch] = []
        count = size = 0
        for batch in batches:
            waiting.append(batch)
            count, size = count + batch.num_rows, size + batch.nbytes
            if count > STEP_ROWS or size > STEP_BYTES:
                rows = pa.concat_batches(waiting)
                while _most_rows(rows) < rows.num_rows:
                    step = self._step(rows)
                    yield step
                    rows = rows.slice(step.rows.num_rows)
                waiting, count, size = [rows], rows.num_rows, rows.nbytes
        rows = pa.concat_batches(waiting) if count else None
        while rows is not None and rows.num_rows:
            step = self._step(rows)
            rows = rows.slice(step.rows.num_rows)
            yield step if rows.num_rows else _Step(step.rows, True)

    def _step(self, rows: pa.RecordBatch) -> _Step:
        """The first rows: as many as fit, whole keys if one ends among them."""
        size = _most_rows(rows)
        most = self._most_of(_flags(rows.slice(0, size)))
        windows = self._windows_of(rows.slice(0, size))
        if most is not None:
            size = max(1, int(np.searchsorted(most * self._share, MAX_FIRED)))
        if windows is not None:
            size = max(1, min(size, int(np.searchsorted(windows, MAX_WINDOWS, side="right"))))
        starts = np.flatnonzero(_flags(rows.slice(1, size)))
        step = _Step(rows.slice(0, int(starts[-1]) + 1), True) if len(starts) else _Step(rows.slice(0, size), False)
        self._most = 0 if most is None else int(most[step.rows.num_rows - 1])
        return step

    def _most_of(self, flags: npt.NDArray[np.bool_]) -> Longs | None:
        """Up to each row, how many rows are handed out if every row fires all rows of its key; None if none can be."""
        if not self.plan.hands_rows:
            return None
        begins = np.maximum.accumulate(np.where(flags, np.arange(len(flags)), 0))
        contents = np.arange(1, len(flags) + 1) - begins
        if self._open and not flags[0]:
            contents[begins == 0] += len(self._engine.held())
        return np.cumsum(contents)

    def _windows_of(self, rows: pa.RecordBatch) -> Longs | None:
        """Up to each row, how many windows begin with the rows, or, where windows keep their rows, how many pairs of
        row and window there are; None if they are few in any case."""
        assigner = self.plan.assigner
        if rows.num_rows * assigner.fanout <= MAX_WINDOWS:
            return None
        form = None if self.plan.keeps_rows or self.plan.clock is not TimeDomain.EVENT else assigner.slices()
        if form is None:
            return np.arange(1, rows.num_rows + 1) * assigner.fanout
        return np.cumsum(begun(form, form.slices_at(to_numpy(rows.column(1))), ~_flags(rows)[1:]))

    def _take(self, rows: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Give rows to the engine, which keeps its firings, or to the operator that has taken over."""
        self._make_room()
        first, self._next_id = self._next_id, self._next_id + rows.num_rows
        if self._per_row is None:
            known = 1 if self._open else 0
            slots = [None, *(rows.column(i) for i in range(1, 2 + self.task.slots))]
            try:
                self._engine.take(self._numbered(rows, known), slots, np.arange(first, self._next_id))
            except Unfit:
                yield from self._hand_over(first, known)
        if self._per_row is not None:
            yield from self._per_row.take(rows)
        elif self._store is not None:
            self._store.add(first, rows.select(self.kept_columns))
        self._open = True

    def _numbered(self, rows: pa.RecordBatch, known: int) -> Longs:
        """The number of each row's key: 0 for the open key, if there is one; new keys follow."""
        flags = _flags(rows)
        begun = rows.select(self.key_columns).take(to_arrow(np.flatnonzero(flags)))
        self._keys = pa.concat_batches([self._keys.slice(0, known), begun]) if self.key_columns else self._keys
        return np.cumsum(flags, dtype=np.int64) - 1 + known

    def _make_room(self) -> None:
        if self._store is not None and self._store.is_due:
            self._store.keep(self._engine.held())

    def _end(self) -> Iterator[pa.RecordBatch]:
        """All keys end; yields what they still have."""
        if self._per_row is None:
            try:
                self._engine.end_input()
            except Unfit:
                yield from self._hand_over(self._next_id, self._keys.num_rows if self.key_columns else 1)
        if self._per_row is None:
            yield from self._fired()
        else:
            yield from self._per_row.finish()
            self._emitted, self._per_row = self._per_row.firings.emitted, None
        self._open = False
        if self._store is not None:
            self._store.drop_before(self._next_id)

    def _fired(self) -> Iterator[pa.RecordBatch]:
        """What has fired in the engine, key by key."""
        block = joined(self._engine.firings)
        self._engine.firings.clear()
        self._note_share(0 if block is None or block.rows is None else len(block.rows))
        if block is None:
            return
        block = settled(self.task, block)
        store = None if self._store is None else self._store.columns(self._payload)
        yield from batches_of(BlockFirings(self.task, block, self._keys, self._emitted), store)
        self._emitted += len(block.key)

    def _note_share(self, handed_out: int) -> None:
        """Note which share of its greatest possible number of rows a step has handed out; a large one fades slowly."""
        if self._most:
            self._share = max(_LEAST_SHARE, self._share / 2, min(1.0, 4 * handed_out / self._most))

    def _hand_over(self, first: int, keys: int) -> Iterator[pa.RecordBatch]:
        """Let the per-row operator take over the engine's first `keys` keys, from the row numbered `first` on."""
        yield from self._fired()
        run = self._per_row = self._new_per_row()
        run.next_id, run.firings.emitted = first, self._emitted
        if keys:
            self._engine.keys.add(pa.RecordBatch.from_arrays([to_arrow(np.arange(keys))], schema=_HASH))
            for number, state in enumerate(self._engine.states(self._held(run))):
                yield from run.resume(self._keys.slice(number, 1), state)
        self._engine = self._new_engine()

    def _held(self, run: PartitionRun) -> dict[int, Row]:
        """The rows in the engine's windows as the operator has them; their payload goes to the run."""
        if self._store is None:
            return {}
        numbers = self._engine.held()
        rows = self._store.take(numbers)
        if run.store is not None:
            run.store.add_rows(numbers, rows.select(self._payload))
        columns = [values_of(rows.column(i)) for i in range(1 + self.task.slots)]
        return dict(zip(numbers.tolist(), zip(numbers.tolist(), *columns, strict=True), strict=True))

    def _new_engine(self) -> Engine:
        return new_engine(self.plan, _HASH, MIN_TIME, self.task.now)


def _most_rows(rows: pa.RecordBatch) -> int:
    """How many of the rows a step may have, as if all were equally long."""
    count: int = rows.num_rows
    size: int = rows.nbytes
    return min(STEP_ROWS, count, max(1, STEP_BYTES * count // max(size, 1)))


def _flags(rows: pa.RecordBatch) -> npt.NDArray[np.bool_]:
    return to_numpy(rows.column(0))
