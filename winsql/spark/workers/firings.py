"""Firings that wait to leave a worker, and the Arrow batches they become."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pyarrow as pa

from winsql.model.base import PaneTiming
from winsql.model.emitting import RowKind
from winsql.model.query import (
    INTERNAL_PREFIX,
    JOIN_LEFT,
    JOIN_RIGHT,
    PANE_INDEX,
    PANE_TIMING,
    ROW_KIND,
    WINDOW_END,
    WINDOW_START,
    WINDOW_TIME,
)
from winsql.spark.workers.batch_size import BATCH_ROWS
from winsql.spark.workers.columns import array_of
from winsql.spark.workers.payload import PayloadStore, PayloadView
from winsql.spark.workers.task import Task

__all__ = ["FIRING", "HAS_ROWS", "Firings"]

Payload = PayloadStore | PayloadView

FIRING = INTERNAL_PREFIX + "firing"
HAS_ROWS = INTERNAL_PREFIX + "has_rows"


class Firings:
    """Collects firings key by key; `flush` turns them into batches of bounded size.

    Output columns: keys, the window columns of the task, then by kind of handout: results; or payload; or number of the
    firing, whether it has rows, results and payload; or the rows of both inputs of a join; or what APPLY's function
    returned.
    """

    def __init__(self, task: Task, key_schema: pa.Schema) -> None:
        self.task = task
        self.waiting = 0
        self.emitted = 0
        self._build = _BUILDERS[task.handout.name]
        self._long = [n for n, aggregate in enumerate(task.aggregates) if pa.types.is_list(aggregate.result_type)]
        self._keys = pa.RecordBatch.from_arrays([pa.array([], f.type) for f in key_schema], schema=key_schema)
        self._first_key = 0
        self._key = -1 if key_schema.names else 0
        self._clear()

    def __bool__(self) -> bool:
        return bool(self.ordinals)

    @property
    def is_full(self) -> bool:
        return self.waiting >= BATCH_ROWS

    def add_keys(self, keys: pa.RecordBatch) -> None:
        """Keys that will begin, in order."""
        self._keys = pa.concat_batches([self._keys, keys]) if self._keys.num_rows else keys

    def next_key(self) -> None:
        """From here on firings are of the next key."""
        self._key += 1

    def at_key(self, ordinal: int) -> None:
        """From here on firings are of the key that was added as the `ordinal`-th."""
        self._key = ordinal

    def key_values(self, firing: int | None = None) -> list[pa.Scalar]:
        """The key of a waiting firing, or the key that is worked on."""
        ordinal = self._key if firing is None else self.ordinals[firing]
        return [column[ordinal - self._first_key] for column in self._keys.columns]

    def bounds(self, firing: int) -> tuple[int | None, int | None]:
        """Start and end of the window of a waiting firing, None for the one window of GLOBAL."""
        return self.starts[firing], self.ends[firing]

    def add(
        self,
        bounds: Any,
        index: int,
        timing: PaneTiming | None,
        results: Any,
        ids: Any,
        kind: RowKind | None = None,
    ) -> None:
        """One firing of the current key; `ids` are the numbers of its rows, None when only results leave; `kind` is
        that of a row of a changelog."""
        self.ordinals.append(self._key)
        self.starts.append(bounds[0])
        self.ends.append(bounds[1])
        self.indexes.append(index)
        self.timings.append(None if timing is None else timing.value)
        self.results.append(results)
        self.ids.append(ids)
        self.kinds.append(None if kind is None else kind.value)
        self.waiting += 1 if ids is None else max(1, len(ids))
        for place in self._long:
            value = results[place]
            self.waiting += 0 if value is None else len(value)

    def flush(self, store: Payload | None) -> Iterator[pa.RecordBatch]:
        """All waiting firings as batches, in order."""
        if self.ordinals:
            self._settle()
            yield from self._build(self, store)
            self.emitted += len(self.ordinals)
            self._clear()
        done = self._key - self._first_key
        if done > 0:
            self._keys, self._first_key = self._keys.slice(done), self._key

    def header(self) -> list[tuple[str, pa.Array]]:
        """Keys, window and pane columns, one row per firing."""
        places = pa.array(np.array(self.ordinals, dtype=np.int64) - self._first_key)
        keys = [column.take(places) for column in self._keys.columns]
        windows = ((column, _WINDOWS[column](self)) for column in self.task.windows)
        return [*zip(self._keys.schema.names, keys, strict=True), *windows]

    def result_columns(self) -> list[tuple[str, pa.Array]]:
        """The results of the aggregates, one row per firing."""
        aggregates = self.task.aggregates
        columns = zip(*self.results, strict=True) if aggregates else ()
        return [
            (f"{INTERNAL_PREFIX}result{i}", array_of(column, aggregate.result_type))
            for i, (aggregate, column) in enumerate(zip(aggregates, columns, strict=True))
        ]

    def slices(self, at_least: int, limit: int) -> Iterator[tuple[Any, Any]]:
        """Numbers of firings and of their rows, side by side, in portions of at most `limit` rows; a firing without
        rows has `at_least` entries of -1."""
        owners: list[Any] = []
        portions: list[Any] = []
        size = 0
        for firing, ids in enumerate(self.ids):
            rows = ids if len(ids) else np.full(at_least, -1, dtype=np.int64)
            for begin in range(0, len(rows), limit):
                portion = rows[begin : begin + limit]
                if size and size + len(portion) > limit:
                    yield np.concatenate(owners), np.concatenate(portions)
                    owners, portions, size = [], [], 0
                owners.append(np.full(len(portion), firing, dtype=np.int64))
                portions.append(portion)
                size += len(portion)
        if size:
            yield np.concatenate(owners), np.concatenate(portions)

    def _settle(self) -> None:
        """Windows that follow the clocks of a zone get instants as bounds; of equal ones, one stays."""
        local = self.task.local
        if local is None:
            return
        starts, ends = np.array(self.starts, dtype=np.int64), np.array(self.ends, dtype=np.int64)
        kept = np.flatnonzero(~local.repeated(starts, ends))
        begins, finishes = local.instants(starts[kept], ends[kept])
        self.starts[:], self.ends[:] = begins.tolist(), finishes.tolist()
        columns: list[list[Any]] = [self.ordinals, self.indexes, self.timings, self.results, self.ids, self.kinds]
        for column in columns:
            column[:] = [column[n] for n in kept.tolist()]

    def _clear(self) -> None:
        self.ordinals: list[int] = []
        self.starts: list[int | None] = []
        self.ends: list[int | None] = []
        self.indexes: list[int] = []
        self.timings: list[str | None] = []
        self.results: list[Any] = []
        self.ids: list[Any] = []
        self.kinds: list[str | None] = []
        self.waiting = 0


_WINDOWS: dict[str, Callable[[Firings], pa.Array]] = {
    WINDOW_START: lambda firings: array_of(firings.starts, firings.task.window_type),
    WINDOW_END: lambda firings: array_of(firings.ends, firings.task.window_type),
    WINDOW_TIME: lambda firings: array_of(
        [None if end is None else end - 1 for end in firings.ends], firings.task.window_type
    ),
    PANE_INDEX: lambda firings: pa.array(firings.indexes, pa.int64()),
    PANE_TIMING: lambda firings: pa.array(firings.timings, pa.string()),
    ROW_KIND: lambda firings: pa.array(firings.kinds, pa.string()),
}


def _results(firings: Firings, store: Payload | None) -> Iterator[pa.RecordBatch]:
    yield _batch([*firings.header(), *firings.result_columns()])


def _rows(firings: Firings, store: Payload | None) -> Iterator[pa.RecordBatch]:
    assert store is not None
    header = _batch(firings.header())
    for owners, ids in firings.slices(0, store.batch_rows):
        yield _beside(header.take(pa.array(owners)), store.take(ids))


def _firing_rows(firings: Firings, store: Payload | None) -> Iterator[pa.RecordBatch]:
    assert store is not None
    numbers = pa.array(range(firings.emitted, firings.emitted + len(firings.ordinals)), pa.int64())
    has_rows = pa.array([len(ids) > 0 for ids in firings.ids], pa.bool_())
    marks = [(FIRING, numbers), (HAS_ROWS, has_rows)]
    header = _batch([*firings.header(), *marks, *firings.result_columns()])
    for owners, ids in firings.slices(1, store.batch_rows):
        present = ids >= 0
        places = pa.array(np.cumsum(present) - 1, mask=~present)
        yield _beside(header.take(pa.array(owners)), store.take(ids[present]).take(places))


def _applied(firings: Firings, store: Payload | None) -> Iterator[pa.RecordBatch]:
    assert store is not None
    apply, header = firings.task.apply, _batch(firings.header())
    assert apply is not None
    for firing, ids in enumerate(firings.ids):
        rows = apply(firings, firing, store.take(ids))
        for begin in range(0, rows.num_rows, BATCH_ROWS):
            portion = rows.slice(begin, BATCH_ROWS)
            yield _beside(header.take(pa.array([firing] * portion.num_rows, pa.int64())), portion)


def _sides(firings: Firings, store: Payload | None) -> Iterator[pa.RecordBatch]:
    """The payload of a join: the input a row comes from, 0 or 1, and one struct per input, NULL for the other's."""
    assert store is not None
    rows = store.take(np.concatenate(firings.ids))
    side = rows.column(0).to_numpy(zero_copy_only=False)
    owners = np.repeat(np.arange(len(firings.ids)), [len(ids) for ids in firings.ids])
    arrays = []
    for number, name in enumerate((JOIN_LEFT, JOIN_RIGHT)):
        of_side = side == number
        ends = np.cumsum(np.bincount(owners[of_side], minlength=len(firings.ids)))
        values = side_rows(firings.task, number, rows.filter(pa.array(of_side)).columns)
        arrays.append((name, pa.ListArray.from_arrays(pa.array([0, *ends.tolist()], pa.int32()), values)))
    yield _batch([*firings.header(), *arrays])


def side_rows(task: Task, side: int, columns: list[pa.Array]) -> pa.StructArray:
    """Rows of one input of a join as STRUCTs, from the columns of the payload."""
    if task.sides is None:
        return columns[1 + side]
    return task.sides.structs(side, [columns[place] for place in task.sides.columns(side)])


_BUILDERS = {"RESULTS": _results, "ROWS": _rows, "FIRING": _firing_rows, "SIDES": _sides, "APPLY": _applied}


def _batch(columns: list[tuple[str, pa.Array]]) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([array for _, array in columns], names=[name for name, _ in columns])


def _beside(left: pa.RecordBatch, right: pa.RecordBatch) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([*left.columns, *right.columns], names=[*left.schema.names, *right.schema.names])
