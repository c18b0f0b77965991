"""The window operator over the sorted rows of one partition of a bounded table, in a Spark Python worker.

Batches come with the rows of a key together, in order of event time and arrival; the first row of each key is
flagged. As in Flink's batch runtime a key ends before the next one begins, so that the operator holds the open
windows of one key only. Neither PySpark nor the SQL parser is imported here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from enum import Enum
from functools import partial
from itertools import chain
from typing import Any

import numpy as np
import pyarrow as pa

from winsql.model.base import GLOBAL_WINDOW, MIN_TIME, ROW_ID, PaneTiming, Window
from winsql.model.local_windows import LocalWindows
from winsql.model.query import WINDOW_COLUMNS, WindowSpec
from winsql.runtime.aggregates import Aggregate
from winsql.runtime.contents import Contents, accumulate
from winsql.runtime.operator import WindowOperator
from winsql.runtime.state import KeyState
from winsql.spark.arranging import arranged
from winsql.spark.blame import NamedFirings, Place, explained
from winsql.spark.collector import spare_loaded
from winsql.spark.columnar_batch import ColumnarPartition, batch_plan
from winsql.spark.columns import frozen, values_of
from winsql.spark.firings import Firings
from winsql.spark.local_rows import with_shown_times
from winsql.spark.payload import PayloadStore
from winsql.spark.side_columns import SideColumns

__all__ = ["Apply", "Handout", "PartitionRun", "Task", "run_arranged", "run_partition"]

MAX_STEP = 4096
"""Rows given to the operator at once at most; fewer when they fire much, so that the output stays small."""

Apply = Callable[[NamedFirings, int, pa.RecordBatch], pa.RecordBatch]


class Handout(Enum):
    """What leaves the operator at a firing."""

    RESULTS = "one row with the results of the aggregates"
    ROWS = "the rows of the window"
    FIRING = "the rows of the window, marked as one firing, for Spark's aggregates; one marked row when there are none"
    SIDES = "one row with the rows of the window, those of each input of a join as an array"
    APPLY = "the rows of the window go through a function"


@dataclass(frozen=True, slots=True)
class Task:
    """What a worker needs to know.

    Columns of a batch: the flag of a key's first row, the event time in microseconds (INT64, null: none), `slots`
    columns for the row's slots, `keys` key columns, and payload. `window_type` is the Arrow type of window bounds,
    `now` the fixed processing time in microseconds, `place` where the query stands, for errors; `windows` are the
    window columns to return; `sides` tells how the rows of a join's inputs share columns, None where the payload has a
    STRUCT for each. With `local` the operator runs on times as clocks show them, `now` among them, and the bounds of
    its windows become instants when they leave it.
    """

    spec: WindowSpec
    handout: Handout
    aggregates: tuple[Aggregate, ...]
    trigger_aggregates: tuple[Aggregate, ...]
    slots: int
    keys: int
    window_type: pa.DataType
    now: int
    place: Place
    windows: tuple[str, ...] = tuple(WINDOW_COLUMNS.values())
    apply: Apply | None = None
    sides: SideColumns | None = None
    local: LocalWindows | None = None


def run_partition(task: Task, batches: Iterable[pa.RecordBatch], *, columnar: bool = True) -> Iterator[pa.RecordBatch]:
    """The firings of all keys of the partition, on the columnar engine where it can run the query, unless `columnar`
    is false. Raises WindowDataError that names statement, policy and key."""
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


def run_arranged(task: Task, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """As `run_partition`, of rows that are sorted by their places only: what `arranged` takes."""
    first_key = 2 + task.slots
    yield from run_partition(task, arranged(batches, list(range(first_key, first_key + task.keys))))


class PartitionRun:
    """The per-row operator over a partition: keys begin and end one after the other."""

    def __init__(self, task: Task, schema: pa.Schema) -> None:
        self.task = task
        key_start = 2 + task.slots
        self.key_columns = list(range(key_start, key_start + task.keys))
        self.payload_columns = list(range(key_start + task.keys, len(schema)))
        by_results = task.handout is Handout.RESULTS
        # rows are kept for an evictor, and when they leave the operator themselves
        contents = Contents(
            task.aggregates if by_results else (),
            task.trigger_aggregates,
            keep_rows=not by_results or task.spec.evictor is not None,
        )
        self.emit_result = self._emit_result if by_results else self._emit_rows
        self.operator = WindowOperator(task.spec, contents, self._emit)
        self.operator.set_time(MIN_TIME, task.now)
        payload = pa.schema([schema.field(i) for i in self.payload_columns])
        self.store = None if by_results else PayloadStore(payload)
        self.firings = Firings(task, pa.schema([schema.field(i) for i in self.key_columns]))
        self.key: tuple[Any, ...] = ()
        self.next_id = 0
        self.key_id = 0
        self.step = MAX_STEP
        self.last_rows: tuple[Any, int, Any] = (None, 0, None)

    def take(self, batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Run the rows of a batch; yields what became ready."""
        yield from self._make_room()
        first, self.next_id = self.next_id, self.next_id + batch.num_rows
        if self.store is not None:
            self.store.add(first, batch.select(self.payload_columns))
        columns = [values_of(batch.column(i)) for i in range(1, 2 + self.task.slots)]
        rows = list(zip(range(first, self.next_id), *columns, strict=True))
        starts = np.flatnonzero(batch.column(0).to_numpy(zero_copy_only=False))
        keys = self._keys(batch, starts)
        position = 0
        for start, key in zip(starts.tolist(), keys, strict=True):
            if start > position:
                yield from self._process(rows[position:start])
            yield from self._begin(key, first + start)
            position = start
        yield from self._process(rows[position:] if position else rows)

    def resume(self, keys: pa.RecordBatch, state: KeyState) -> Iterator[pa.RecordBatch]:
        """Go on with a key that another engine has begun: its columns, and its state as the operator has it."""
        if self.key_columns:
            self.firings.add_keys(keys)
            yield from self._begin(tuple(frozen(values_of(column)[0]) for column in keys.columns), 0)
        if state.panes:
            self.operator.adopt(self.key, state)

    def finish(self) -> Iterator[pa.RecordBatch]:
        """End the last key; yields the rest."""
        self._end_key()
        yield from self.firings.flush(self.store)

    def _keys(self, batch: pa.RecordBatch, starts: Any) -> list[tuple[Any, ...]]:
        if not self.key_columns:
            return []
        keys = batch.select(self.key_columns).take(pa.array(starts))
        self.firings.add_keys(keys)
        return [tuple(map(frozen, key)) for key in zip(*(values_of(c) for c in keys.columns), strict=True)]

    def _begin(self, key: tuple[Any, ...], first: int) -> Iterator[pa.RecordBatch]:
        self._end_key()
        if self.firings.is_full:
            yield from self.firings.flush(self.store)
        if self.store is not None and not self.firings:
            self.store.drop_before(first)
        self.firings.next_key()
        self.key, self.key_id = key, first

    def _end_key(self) -> None:
        if self.operator.keys:
            with explained(self.task, self.firings):
                self.operator.end_input()
        self.last_rows = (None, 0, None)

    def _process(self, rows: list[Any]) -> Iterator[pa.RecordBatch]:
        begin = 0
        while begin < len(rows):
            end = begin + self.step
            with explained(self.task, self.firings):
                self.operator.process(self.key, rows if end - begin >= len(rows) else rows[begin:end])
            begin = end
            if self.firings.is_full:
                yield from self.firings.flush(self.store)
                self.step = max(1, self.step // 2)
            else:
                self.step = min(MAX_STEP, 2 * self.step)

    def _make_room(self) -> Iterator[pa.RecordBatch]:
        """Now and then, ask the operator which rows still live in a window."""
        if self.store is None or not self.store.is_due:
            return
        yield from self.firings.flush(self.store)
        panes = (pane for state in self.operator.keys.values() for pane in state.panes.values())
        self.store.keep(row[ROW_ID] for pane in panes for row in pane.rows or ())

    def _emit(
        self, key: Any, window: Window, index: int, timing: PaneTiming | None, timer: int | None, result: Any
    ) -> None:
        bounds = (None, None) if window == GLOBAL_WINDOW else window
        self.firings.add(bounds, index, timing, *self.emit_result(result))

    def _emit_result(self, result: Any) -> tuple[Any, Any]:
        return result, None

    def _emit_rows(self, rows: Any) -> tuple[Any, Any]:
        """Results and row numbers; a window that fires again unchanged shares those of its last firing."""
        source, count, shared = self.last_rows
        if source is rows and count == len(rows):
            return shared  # type: ignore[no-any-return]
        ids = np.fromiter((row[ROW_ID] for row in rows), dtype=np.int64, count=len(rows))
        aggregates = self.task.aggregates
        results = tuple(a.result(acc) for a, acc in zip(aggregates, accumulate(aggregates, rows), strict=True))
        self.last_rows = (rows, len(rows), (results, ids))
        return results, ids
