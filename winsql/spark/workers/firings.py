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
from winsql.runtime.arrays import empty
from winsql.spark.workers.batch_size import BATCH_BYTES, BATCH_ROWS, portions, row_bytes
from winsql.spark.workers.columns import array_of
from winsql.spark.workers.payload import PayloadStore, PayloadView
from winsql.spark.workers.task import Handout, Task

Payload = PayloadStore | PayloadView

FIRING = INTERNAL_PREFIX + "firing"
HAS_ROWS = INTERNAL_PREFIX + "has_rows"


class Firings:
    """Collects firings key by key; `flush` turns them into batches of bounded size.

    Output columns: keys, the window columns of the task, then by kind of handout: results; or payload; or the number of
    the firing, whether it has rows, results and payload; or the rows of both inputs of a join; or the result of APPLY's
    function.
    """

    def __init__(self, task: Task, key_schema: pa.Schema) -> None:
        self.task = task
        self.waiting = 0
        self.emitted = 0
        self._build = _BUILDERS[task.handout]
        self._long = [n for n, aggregate in enumerate(task.aggregates) if _may_be_long(aggregate.result_type)]
        self._keys = empty(key_schema)
        self._first_key = 0
        self._key = -1 if key_schema.names else 0
        self._clear()

    def __bool__(self) -> bool:
        return bool(self.ordinals)

    @property
    def is_full(self) -> bool:
        return self.waiting >= BATCH_ROWS

    def add_keys(self, keys: pa.RecordBatch) -> None:
        """Add keys that will begin, in this order."""
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
            self.waiting += _weight(results[place])

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

    def header(self, chosen: slice) -> list[tuple[str, pa.Array]]:
        """Keys, window and pane columns, one row per chosen firing."""
        places = self._places(chosen)
        keys = [column.take(places) for column in self._keys.columns]
        windows = ((column, _WINDOWS[column](self, chosen)) for column in self.task.windows)
        return [*zip(self._keys.schema.names, keys, strict=True), *windows]

    def result_columns(self, chosen: slice) -> list[tuple[str, pa.Array]]:
        """The results of the aggregates, one row per chosen firing."""
        aggregates = self.task.aggregates
        columns = zip(*self.results[chosen], strict=True) if aggregates else ()
        return [
            (f"{INTERNAL_PREFIX}result{i}", array_of(column, aggregate.result_type))
            for i, (aggregate, column) in enumerate(zip(aggregates, columns, strict=True))
        ]

    def portions(self) -> Iterator[tuple[slice, Any]]:
        """The firings in portions, with the bytes of each firing's key and results. One row of every firing of a
        portion fits into a batch."""
        sizes = np.zeros(len(self.ordinals), dtype=np.int64)
        if self._keys.num_columns:
            sizes += row_bytes(self._keys)[self._places(slice(None)).to_numpy()]
        for place in self._long:
            sizes += np.fromiter((_bytes(results[place]) for results in self.results), np.int64, len(sizes))
        for chosen in portions(sizes, most=len(sizes)):
            yield chosen, sizes[chosen]

    def entries(self, chosen: slice, sizes: Any, at_least: int, store: Payload) -> Iterator[tuple[Any, Any]]:
        """Places of firings among the chosen ones, and the numbers of their rows, side by side, in portions that fit
        into a batch; a firing without rows has `at_least` entries of -1. `sizes` are what each firing adds to a row."""
        for owners, ids in self._counted(chosen, at_least):
            for portion in portions(sizes[owners] + store.bytes_of(ids)):
                yield owners[portion], ids[portion]

    def _counted(self, chosen: slice, at_least: int) -> Iterator[tuple[Any, Any]]:
        """As `entries`, in portions of at most BATCH_ROWS."""
        owners: list[Any] = []
        found: list[Any] = []
        size = 0
        for firing, ids in enumerate(self.ids[chosen]):
            rows = ids if len(ids) else np.full(at_least, -1, dtype=np.int64)
            for begin in range(0, len(rows), BATCH_ROWS):
                portion = rows[begin : begin + BATCH_ROWS]
                if size and size + len(portion) > BATCH_ROWS:
                    yield np.concatenate(owners), np.concatenate(found)
                    owners, found, size = [], [], 0
                owners.append(np.full(len(portion), firing, dtype=np.int64))
                found.append(portion)
                size += len(portion)
        if size:
            yield np.concatenate(owners), np.concatenate(found)

    def _places(self, chosen: slice) -> pa.Array:
        """Where the keys of firings are."""
        return pa.array(np.array(self.ordinals[chosen], dtype=np.int64) - self._first_key)

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


def _may_be_long(kind: pa.DataType) -> bool:
    """Whether values have no length of their own."""
    if pa.types.is_struct(kind):
        return any(_may_be_long(field.type) for field in kind)
    return any(is_long(kind) for is_long in _LONG)


_LONG = (
    pa.types.is_list,
    pa.types.is_large_list,
    pa.types.is_map,
    pa.types.is_string,
    pa.types.is_large_string,
    pa.types.is_binary,
    pa.types.is_large_binary,
)


def _weight(value: Any) -> int:
    """How many rows a result counts as."""
    return (len(value) if isinstance(value, list) else 0) + _bytes(value) // _ROW_BYTES


_ROW_BYTES = BATCH_BYTES // BATCH_ROWS


def _bytes(value: Any) -> int:
    """The approximate bytes of a result; texts count as their greatest length."""
    if isinstance(value, str):
        return len(value) if value.isascii() else 4 * len(value)
    if isinstance(value, bytes):
        return len(value)
    if isinstance(value, dict):
        return sum(map(_bytes, value.values()))
    if isinstance(value, (list, tuple)):
        return sum(map(_bytes, value)) if value and not isinstance(value[0], _SHORT) else 8 * len(value)
    return 8


_SHORT = (int, float)
_Column = Callable[["Firings", slice], pa.Array]

_WINDOWS: dict[str, _Column] = {
    WINDOW_START: lambda firings, chosen: array_of(firings.starts[chosen], firings.task.window_type),
    WINDOW_END: lambda firings, chosen: array_of(firings.ends[chosen], firings.task.window_type),
    WINDOW_TIME: lambda firings, chosen: array_of(
        [None if end is None else end - 1 for end in firings.ends[chosen]], firings.task.window_type
    ),
    PANE_INDEX: lambda firings, chosen: pa.array(firings.indexes[chosen], pa.int64()),
    PANE_TIMING: lambda firings, chosen: pa.array(firings.timings[chosen], pa.string()),
    ROW_KIND: lambda firings, chosen: pa.array(firings.kinds[chosen], pa.string()),
}


def _results(firings: Firings, store: Payload | None) -> Iterator[pa.RecordBatch]:
    for chosen, _ in firings.portions():
        yield named_batch([*firings.header(chosen), *firings.result_columns(chosen)])


def _rows(firings: Firings, store: Payload) -> Iterator[pa.RecordBatch]:
    for chosen, sizes in firings.portions():
        header = named_batch(firings.header(chosen))
        for owners, ids in firings.entries(chosen, sizes, 0, store):
            yield _beside(header.take(pa.array(owners)), store.take(ids))


def _firing_rows(firings: Firings, store: Payload) -> Iterator[pa.RecordBatch]:
    for chosen, sizes in firings.portions():
        first = firings.emitted + chosen.start
        numbers = pa.array(range(first, first + len(sizes)), pa.int64())
        has_rows = pa.array([len(ids) > 0 for ids in firings.ids[chosen]], pa.bool_())
        marks = [(FIRING, numbers), (HAS_ROWS, has_rows)]
        header = named_batch([*firings.header(chosen), *marks, *firings.result_columns(chosen)])
        for owners, ids in firings.entries(chosen, sizes, 1, store):
            present = ids >= 0
            places = pa.array(np.cumsum(present) - 1, mask=~present)
            yield _beside(header.take(pa.array(owners)), store.take(ids[present]).take(places))


def _applied(firings: Firings, store: Payload) -> Iterator[pa.RecordBatch]:
    apply = firings.task.apply
    assert apply is not None
    for chosen, sizes in firings.portions():
        header = named_batch(firings.header(chosen))
        for place, size in enumerate(sizes):
            firing = chosen.start + place
            rows = apply(firings, firing, store.take(firings.ids[firing]))
            for portion in portions(row_bytes(rows) + size):
                part = rows[portion]
                yield _beside(header.take(pa.array([place] * part.num_rows, pa.int64())), part)


def _sides(firings: Firings, store: Payload) -> Iterator[pa.RecordBatch]:
    """The payload of a join: the input a row comes from, 0 or 1, and one struct per input, NULL for the other's."""
    for chosen, sizes in firings.portions():
        counts = np.array([len(ids) for ids in firings.ids[chosen]])
        of_rows = [int(store.bytes_of(ids).sum()) for ids in firings.ids[chosen]]
        for portion in portions(sizes + np.array(of_rows, dtype=np.int64), counts):
            part = slice(chosen.start + portion.start, chosen.start + portion.stop)
            yield named_batch([*firings.header(part), *_side_columns(firings.task, firings.ids[part], store)])


def _side_columns(task: Task, ids: list[Any], store: Payload) -> list[tuple[str, pa.Array]]:
    """The rows of firings, those of each input as a list."""
    rows = store.take(np.concatenate(ids))
    side = rows.column(0).to_numpy(zero_copy_only=False)
    owners = np.repeat(np.arange(len(ids)), [len(numbers) for numbers in ids])
    arrays = []
    for number, name in enumerate((JOIN_LEFT, JOIN_RIGHT)):
        of_side = side == number
        ends = np.cumsum(np.bincount(owners[of_side], minlength=len(ids)))
        values = side_rows(task, number, rows.filter(pa.array(of_side)).columns)
        arrays.append((name, pa.ListArray.from_arrays(pa.array([0, *ends.tolist()], pa.int32()), values)))
    return arrays


def side_rows(task: Task, side: int, columns: list[pa.Array]) -> pa.StructArray:
    """Rows of one input of a join as STRUCTs, from the columns of the payload."""
    if task.sides is None:
        return columns[1 + side]
    return task.sides.structs(side, [columns[place] for place in task.sides.columns(side)])


_BUILDERS: dict[Handout, Callable[[Firings, Any], Iterator[pa.RecordBatch]]] = {
    Handout.RESULTS: _results,
    Handout.ROWS: _rows,
    Handout.FIRING: _firing_rows,
    Handout.SIDES: _sides,
    Handout.APPLY: _applied,
}


def named_batch(columns: list[tuple[str, pa.Array]]) -> pa.RecordBatch:
    """A batch of columns with their names."""
    return pa.RecordBatch.from_arrays([array for _, array in columns], names=[name for name, _ in columns])


def _beside(left: pa.RecordBatch, right: pa.RecordBatch) -> pa.RecordBatch:
    return pa.RecordBatch.from_arrays([*left.columns, *right.columns], names=[*left.schema.names, *right.schema.names])
