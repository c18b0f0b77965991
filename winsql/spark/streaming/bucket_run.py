"""A micro-batch on the keys of one bucket: their state becomes an operator's, and what is left becomes state again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from winsql.errors import WindowDataError
from winsql.model.base import GLOBAL_WINDOW, ROW_ID, PaneTiming, Row, Window
from winsql.model.emitting import RowKind
from winsql.runtime.aggregates.registered import name_of
from winsql.runtime.arrays import empty, to_arrow, to_numpy
from winsql.runtime.bucket import encode_bucket
from winsql.runtime.codec import encode
from winsql.runtime.columnar import read_states
from winsql.runtime.columnar.shared.differing import differs
from winsql.runtime.contents import accumulate
from winsql.runtime.operator import WindowOperator
from winsql.runtime.state import KeyState, Pane
from winsql.spark.workers.columns import frozen, values_of
from winsql.spark.workers.errors import explained
from winsql.spark.workers.firings import Firings
from winsql.spark.workers.payload import PayloadStore, PayloadView
from winsql.spark.workers.task import Handout, StreamTask

Ids = npt.NDArray[np.int64]
Key = tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class Portion:
    """What to write for some keys of a run: hashes and key columns, and states."""

    keys: pa.RecordBatch
    states: list[KeyState]
    run: BucketRun

    @property
    def panes(self) -> int:
        return sum(len(state.panes) for state in self.states)

    def encoded(self, rows: pa.RecordBatch | None = None) -> bytes:
        assert rows is not None
        try:
            return encode_bucket(self.keys, self.states, rows)
        except WindowDataError:
            self.run.name_unkept()
            raise

    def held(self) -> Ids:
        return np.array(sorted({row[ROW_ID] for pane in self._panes() for row in pane.rows or ()}), dtype=np.int64)

    def earliest_event_timer(self) -> int | None:
        return min((time for pane in self._panes() for time in pane.event_timers), default=None)

    def earliest_processing_timer(self) -> int | None:
        return min((time for pane in self._panes() for time in pane.processing_timers), default=None)

    def oldest_write(self) -> int | None:
        return min((pane.written for pane in self._panes()), default=None)

    def _panes(self) -> Iterator[Pane]:
        return (pane for state in self.states for pane in state.panes.values())


class KeptRows:
    """The rows of a bucket's open windows, by their numbers; none where windows keep accumulators only."""

    def __init__(self, task: StreamTask, *, keeps: bool) -> None:
        self._task = task
        self._store = PayloadStore(task.kept_schema())
        self._keeps = keeps

    def add(self, ids: Ids, batch: pa.RecordBatch) -> None:
        """Take rows of a micro-batch."""
        if self._keeps:
            self._store.add_rows(ids, batch.select(self._task.kept_columns()))

    def restore(self, rows: pa.RecordBatch | None) -> None:
        """Take the rows of a state; their numbers are the first column."""
        if self._keeps and rows is not None and rows.num_rows:
            sides = self._task.task.sides
            rows = rows if sides is None else sides.shared(rows)
            self._store.add_rows(to_numpy(rows.column(0)), rows.select(list(range(1, rows.num_columns))))

    def of(self, numbers: Ids) -> pa.RecordBatch:
        """The rows of these numbers as a state has them."""
        rows = self._store.take(numbers)
        return pa.RecordBatch.from_arrays([to_arrow(numbers), *rows.columns], names=["row", *rows.schema.names])

    def payload(self) -> PayloadView | None:
        """What firings hand out of them."""
        places = range(1 + self._task.task.slots, len(self._store.schema))
        return self._store.columns(list(places)) if self._keeps else None


class BucketRun:
    """Starts empty: `restore` or `adopt` gives it the bucket's state, `advance` and `process` run the micro-batch."""

    def __init__(self, task: StreamTask, watermark: int, now: int) -> None:
        self.task = task
        self.late_rows: list[int] = []
        self.emitted = 0
        self.keys = empty(task.key_schema())
        inner = task.task
        self._by_results = inner.handout is Handout.RESULTS
        contents = inner.contents()
        self.operator = WindowOperator(inner.spec, contents, self._emit, self._late)
        self.operator.set_time(watermark, now)
        self.kept = KeptRows(task, keeps=contents.keep_rows)
        self._firings = Firings(inner, pa.schema(list(self.keys.schema)[1:]))
        self._ordinals: dict[Key, int] = {}

    @property
    def dropped(self) -> int:
        """How many late rows nobody asked for."""
        return self.operator.dropped

    def restore(self, data: bytes) -> None:
        """Take over the bucket's state, of whichever engine."""
        self.adopt(*read_states(data, self.task.task.spec.assigner.is_merging, self.rows_of))

    def adopt(self, keys: pa.RecordBatch, states: list[KeyState], rows: pa.RecordBatch) -> None:
        """Take over state as `decode_bucket` gives it; the first column of `rows` is the row number."""
        for key, state in zip(self._add_keys(keys), states, strict=True):
            self.operator.adopt(key, state)
        self.kept.restore(rows)

    def advance(self, watermark: int, now: int | None) -> None:
        """Let time pass, before the rows of the micro-batch; None when the clock stands still."""
        with explained(self.task.task, self):
            if now is not None:
                self.operator.expire(now)
                self.operator.advance_clock(now)
            self.operator.advance_watermark(watermark)

    def set_clock(self, now: int) -> None:
        """Put the clock where processing time assigns windows by it, without running timers."""
        self.operator.set_time(self.operator.watermark, now)

    def process(self, batch: pa.RecordBatch, ids: Ids) -> None:
        """Take rows in arrival order, numbered by `ids`."""
        if not batch.num_rows:
            return
        self.kept.add(ids, batch)
        order, starts = _runs(batch, [0, *self.task.key_columns()])
        columns = [values_of(batch.column(i).take(pa.array(order))) for i in range(1, 2 + self.task.task.slots)]
        rows = list(zip(ids[order].tolist(), *columns, strict=True))
        firsts = batch.take(pa.array(order[starts])).select([0, *self.task.key_columns()])
        bounds = [*starts.tolist(), len(rows)]
        with explained(self.task.task, self):
            for key, begin, end in zip(self._add_keys(firsts), bounds, bounds[1:], strict=False):
                self.operator.process(key, rows[begin:end])

    def results(self) -> Iterator[pa.RecordBatch]:
        """The firings of the micro-batch."""
        yield from self._firings.flush(self.kept.payload())
        self.emitted = self._firings.emitted

    def hashes(self) -> Ids:
        """The hashes of the keys, in order of their ordinals."""
        return np.asarray(self.keys.column(0).to_numpy(zero_copy_only=False), dtype=np.int64)

    def portion(self, ordinals: Ids) -> Portion:
        """State of the keys that still have some."""
        wanted = set(ordinals.tolist())
        live = [(o, k) for k, o in self._ordinals.items() if o in wanted and k in self.operator.keys]
        states = [self.operator.keys[key] for _, key in live]
        keys = self.keys.take(pa.array([ordinal for ordinal, _ in live], pa.int64()))
        return Portion(keys, states, self)

    def key_values(self, firing: int | None = None) -> list[pa.Scalar]:
        """The key that the operator works on, for errors."""
        ordinal = self._ordinals[self.operator.context.key]
        return [column[ordinal] for column in self.keys.columns[1:]]

    def bounds(self, firing: int) -> tuple[int | None, int | None]:
        """Start and end of the window of a waiting firing, for errors."""
        return self._firings.bounds(firing)

    def name_unkept(self) -> None:
        """Raise the error of a value that state cannot hold with its key, and the aggregate or trigger whose it is."""
        for key, state in self.operator.keys.items():
            self.operator.context.key = key
            with explained(self.task.task, self):
                for pane in state.panes.values():
                    self._require_kept(pane)

    def _require_kept(self, pane: Pane) -> None:
        trigger, aggregates = self.operator.spec.trigger, self.operator.contents.incremental()
        values = {trigger.NAME or type(trigger).__name__: pane.values}
        values |= {f"aggregate {name_of(a)}": one for a, one in zip(aggregates, pane.accumulators or (), strict=False)}
        for name, value in values.items():
            try:
                encode(value)
            except WindowDataError as error:
                raise WindowDataError(f"{name}: {error.problem}", rule=error.rule, hint=error.hint) from error

    def rows_of(self, kept: pa.RecordBatch) -> Iterable[Row]:
        """Kept rows as the operator's tuples; where there are none, their columns may be of an earlier version."""
        columns = [values_of(kept.column(i)) for i in range(2 + self.task.task.slots)] if kept.num_rows else []
        return zip(*columns, strict=True)

    def _add_keys(self, keys: pa.RecordBatch) -> list[Key]:
        """Give new keys their ordinals; returns all of them as the operator knows them."""
        columns = [values_of(column) for column in keys.columns[1:]]
        tuples: list[Key] = [tuple(map(frozen, key)) for key in zip(*columns, strict=True)] or [()] * keys.num_rows
        fresh = []
        for place, key in enumerate(tuples):
            if key not in self._ordinals:
                self._ordinals[key] = len(self._ordinals)
                fresh.append(place)
        if fresh:
            added = keys.take(pa.array(fresh))
            self.keys = pa.concat_batches([self.keys, added.cast(self.keys.schema)])
            self._firings.add_keys(added.select(list(range(1, keys.num_columns))))
        return tuples

    def _emit(
        self,
        key: Key,
        window: Window,
        index: int,
        timing: PaneTiming | None,
        timer: int | None,
        result: Any,
        kind: RowKind | None = None,
    ) -> None:
        bounds = (None, None) if window == GLOBAL_WINDOW else window
        self._firings.at_key(self._ordinals[key])
        if self._by_results:
            self._firings.add(bounds, index, timing, result, None, kind)
            return
        ids = np.fromiter((row[ROW_ID] for row in result), dtype=np.int64, count=len(result))
        aggregates = self.task.task.aggregates
        accumulators = accumulate(aggregates, result)
        results = tuple(a.result(acc) for a, acc in zip(aggregates, accumulators, strict=True))
        self._firings.add(bounds, index, timing, results, ids)

    def _late(self, key: Key, row: Row) -> None:
        self.late_rows.append(row[ROW_ID])


def _runs(batch: pa.RecordBatch, columns: list[int]) -> tuple[Ids, Ids]:
    """A stable order that brings the rows of a key together, and the places in it where each run of equal keys begins.

    The first column holds the hashes; the other columns tell keys apart that share a hash.
    """
    hashes = batch.column(columns[0]).to_numpy(zero_copy_only=False)
    order = np.argsort(hashes, kind="stable")
    if not len(columns[1:]):
        return order, np.zeros(1, dtype=np.int64)
    begins = np.ones(len(order), dtype=bool)
    begins[1:] = hashes[order][1:] != hashes[order][:-1]
    ordered = batch.select(columns[1:]).take(pa.array(order))
    for column in ordered.columns:
        begins[1:] |= differs(column.slice(0, len(order) - 1), column.slice(1))
    return order, np.flatnonzero(begins)
