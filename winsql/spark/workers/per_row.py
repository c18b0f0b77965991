"""The per-row operator over the sorted rows of one partition of a bounded table, in a Spark Python worker."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from winsql.model.base import GLOBAL_WINDOW, MIN_TIME, ROW_ID, PaneTiming, Window
from winsql.model.emitting import RowKind
from winsql.runtime.arrays import to_arrow, to_numpy
from winsql.runtime.contents import accumulate
from winsql.runtime.operator import WindowOperator
from winsql.runtime.state import KeyState
from winsql.spark.workers.columns import frozen, values_of
from winsql.spark.workers.errors import explained
from winsql.spark.workers.firings import Firings
from winsql.spark.workers.payload import PayloadStore
from winsql.spark.workers.task import Handout, Task

MAX_STEP = 4096
"""Rows given to the operator at once at most; fewer when they fire much, so that the output stays small."""


class PartitionRun:
    """The per-row operator over a partition: keys begin and end one after the other."""

    def __init__(self, task: Task, schema: pa.Schema) -> None:
        self.task = task
        key_start = 2 + task.slots
        self.key_columns = list(range(key_start, key_start + task.keys))
        self.payload_columns = list(range(key_start + task.keys, len(schema)))
        by_results = task.handout is Handout.RESULTS
        self.emit_result = self._emit_result if by_results else self._emit_rows
        self.operator = WindowOperator(task.spec, task.contents(), self._emit)
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
        """Run the rows of a batch; yields the output that is ready."""
        yield from self._make_room()
        first, self.next_id = self.next_id, self.next_id + batch.num_rows
        if self.store is not None:
            self.store.add(first, batch.select(self.payload_columns))
        columns = [values_of(batch.column(i)) for i in range(1, 2 + self.task.slots)]
        rows = list(zip(range(first, self.next_id), *columns, strict=True))
        starts = np.flatnonzero(to_numpy(batch.column(0)))
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
        keys = batch.select(self.key_columns).take(to_arrow(starts))
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
                self.operator.process(self.key, rows[begin:end])
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
        self,
        key: Any,
        window: Window,
        index: int,
        timing: PaneTiming | None,
        timer: int | None,
        result: Any,
        kind: RowKind | None = None,
    ) -> None:
        bounds = (None, None) if window == GLOBAL_WINDOW else window
        self.firings.add(bounds, index, timing, *self.emit_result(result), kind)

    def _emit_result(self, result: Any) -> tuple[Any, Any]:
        return result, None

    def _emit_rows(self, rows: Any) -> tuple[Any, Any]:
        """Note results and row numbers; a window that fires again unchanged shares the numbers of its last firing."""
        source, count, shared = self.last_rows
        if source is rows and count == len(rows):
            return shared  # type: ignore[no-any-return]
        ids = np.fromiter((row[ROW_ID] for row in rows), dtype=np.int64, count=len(rows))
        aggregates = self.task.aggregates
        results = tuple(a.result(acc) for a, acc in zip(aggregates, accumulate(aggregates, rows), strict=True))
        self.last_rows = (rows, len(rows), (results, ids))
        return results, ids
