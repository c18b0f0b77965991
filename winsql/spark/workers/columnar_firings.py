"""Firings of the columnar engine as the Arrow batches that leave a worker: those of `Firings`, with no loop per row.

A block's keys are numbers of rows in a batch of key columns; its row numbers are found in a store of payload.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pyarrow as pa

from winsql.model.columnar import NO_TIME, Longs
from winsql.model.query import (
    INTERNAL_PREFIX,
    JOIN_LEFT,
    JOIN_RIGHT,
    PANE_INDEX,
    PANE_TIMING,
    WINDOW_END,
    WINDOW_START,
    WINDOW_TIME,
)
from winsql.runtime.arrays import binaries, to_arrow, to_numpy
from winsql.runtime.columnar.panes.kept_rows import reordered
from winsql.runtime.columnar.shared.protocol import TIMINGS, FiringBlock
from winsql.spark.workers.batch_size import BATCH_ROWS, portions, row_bytes
from winsql.spark.workers.firings import FIRING, HAS_ROWS, Payload, named_batch
from winsql.spark.workers.task import Handout, Task

RESULT_ROWS = 1 << 15
"""Firings in an output batch at most, if it has no rows of the source: with these batches are smaller."""


@dataclass(frozen=True, slots=True)
class BlockFirings:
    """The firings of one block: `keys` has the key columns by number of the key, `first` is the number of firings that
    the task has had before."""

    task: Task
    block: FiringBlock
    keys: pa.RecordBatch
    first: int = 0

    def __len__(self) -> int:
        return len(self.block.key)

    def key_values(self, firing: int | None = None) -> list[pa.Scalar]:
        """The key of a firing."""
        number = int(self.block.key[firing or 0])
        return [column[number] for column in self.keys.columns]

    def bounds(self, firing: int) -> tuple[int | None, int | None]:
        """Start and end of a firing's window, None for the one window of GLOBAL."""
        start, end = int(self.block.start[firing]), int(self.block.end[firing])
        return (None if start == NO_TIME else start), (None if end == NO_TIME else end)

    def header(self, chosen: Longs | slice) -> list[tuple[str, pa.Array]]:
        """Keys, window and pane columns of some firings."""
        places = to_arrow(self.block.key[chosen])
        keys = [column.take(places) for column in self.keys.columns]
        windows = ((column, _WINDOWS[column](self, chosen)) for column in self.task.windows)
        return [*zip(self.keys.schema.names, keys, strict=True), *windows]

    def results(self, chosen: Longs | slice) -> list[tuple[str, pa.Array]]:
        """The results of the aggregates of some firings."""
        return [(f"{INTERNAL_PREFIX}result{i}", _chosen(column, chosen)) for i, column in enumerate(self.block.results)]

    def sizes(self) -> Longs:
        """How many rows each firing hands out."""
        assert self.block.offsets is not None
        return np.diff(self.block.offsets)

    def row_bytes(self) -> Longs:
        """The bytes of the key and the results of each firing."""
        sizes = np.zeros(len(self), dtype=np.int64)
        if self.keys.num_columns:
            sizes += row_bytes(self.keys)[self.block.key]
        if self.block.results:
            sizes += row_bytes(pa.RecordBatch.from_arrays(self.block.results, [""] * len(self.block.results)))
        return sizes


def joined(blocks: Sequence[FiringBlock]) -> FiringBlock | None:
    """The firings of several blocks, one after the other, as one block in order of keys; None without any."""
    if not blocks:
        return None
    block = blocks[0] if len(blocks) == 1 else _concatenated(blocks)
    if not len(block.key) or (np.diff(block.key) >= 0).all():
        return block
    return _taken(block, np.argsort(block.key, kind="stable"))


def settled(task: Task, block: FiringBlock) -> FiringBlock:
    """The firings with instants as bounds where windows follow the clocks of a zone; of windows that have the same
    bounds then, one stays. Firings of other windows stay as they are."""
    if task.local is None:
        return block
    kept = np.flatnonzero(~task.local.repeated(block.start, block.end))
    start, end = task.local.instants(block.start, block.end)
    block = replace(block, start=start, end=end)
    return block if len(kept) == len(start) else _taken(block, kept)


def _taken(block: FiringBlock, order: Longs) -> FiringBlock:
    """The firings at these places."""
    places = to_arrow(order)
    results = [column.take(places) for column in block.results]
    return _block([column[order] for column in _longs(block)], results, *reordered(block.offsets, block.rows, order))


def _concatenated(blocks: Sequence[FiringBlock]) -> FiringBlock:
    longs = [np.concatenate(columns) for columns in zip(*map(_longs, blocks), strict=True)]
    results = [pa.concat_arrays(columns) for columns in zip(*(block.results for block in blocks), strict=True)]
    if blocks[0].rows is None:
        return _block(longs, results, None, None)
    sizes = np.concatenate([np.diff(block.offsets) for block in blocks if block.offsets is not None])
    rows = np.concatenate([block.rows for block in blocks if block.rows is not None])
    return _block(longs, results, np.concatenate([[0], np.cumsum(sizes)]), rows)


def _longs(block: FiringBlock) -> list[Longs]:
    return [block.key, block.start, block.end, block.index, block.timing]


def _block(longs: list[Longs], results: list[pa.Array], offsets: Longs | None, rows: Longs | None) -> FiringBlock:
    key, start, end, index, timing = longs
    return FiringBlock(key, start, end, index, timing, results, offsets, rows)


def batches_of(firings: BlockFirings, store: Payload | None) -> Iterator[pa.RecordBatch]:
    """The firings as batches of bounded size, in order, with the columns that `Firings.flush` gives them."""
    if len(firings):
        yield from _BUILDERS[firings.task.handout](firings, store)


def _results(firings: BlockFirings, store: Payload | None) -> Iterator[pa.RecordBatch]:
    for chosen in portions(firings.row_bytes(), most=RESULT_ROWS):
        yield named_batch([*firings.header(chosen), *firings.results(chosen)])


def _rows(firings: BlockFirings, store: Payload) -> Iterator[pa.RecordBatch]:
    for owners, numbers in _entries(firings, 0, store):
        yield named_batch([*firings.header(owners), *_payload(store, numbers)])


def _firing_rows(firings: BlockFirings, store: Payload) -> Iterator[pa.RecordBatch]:
    has_rows = firings.sizes() > 0
    for owners, numbers in _entries(firings, 1, store):
        marks = [(FIRING, to_arrow(firings.first + owners)), (HAS_ROWS, to_arrow(has_rows[owners]))]
        payload = _payload(store, numbers)
        yield named_batch([*firings.header(owners), *marks, *firings.results(owners), *payload])


def _sides(firings: BlockFirings, store: Payload) -> Iterator[pa.RecordBatch]:
    """The payload of a join: the input a row comes from, 0 or 1, and one struct per input, NULL for the other's."""
    offsets, rows = firings.block.offsets, firings.block.rows
    assert rows is not None
    assert offsets is not None
    is_right = to_numpy(store.columns([0]).take(rows).column(0)) != 0
    shared, sides = firings.task.sides, []
    for number, of_side in enumerate((~is_right, is_right)):
        before = np.concatenate([[0], np.cumsum(of_side)])[offsets]
        columns = [1 + number] if shared is None else shared.columns(number)
        sides.append((store.columns(columns), rows[of_side], before))
    sizes = firings.row_bytes()
    if store.has_long_rows:
        sizes += np.diff(np.concatenate([[0], np.cumsum(store.bytes_of(rows))])[offsets])
    for chosen in portions(sizes, np.diff(offsets)):
        begin, end = chosen.start, chosen.stop
        arrays = []
        for number, (name, (payload, numbers, ends)) in enumerate(zip((JOIN_LEFT, JOIN_RIGHT), sides, strict=True)):
            columns = payload.take(numbers[ends[begin] : ends[end]]).columns
            values = columns[0] if shared is None else shared.structs(number, columns)
            within = to_arrow((ends[begin : end + 1] - ends[begin]).astype(np.int32))
            arrays.append((name, pa.ListArray.from_arrays(within, values)))
        yield named_batch([*firings.header(chosen), *arrays])


def _applied(firings: BlockFirings, store: Payload) -> Iterator[pa.RecordBatch]:
    offsets, numbers = firings.block.offsets, firings.block.rows
    assert numbers is not None
    assert offsets is not None
    apply = firings.task.apply
    assert apply is not None
    sizes = firings.row_bytes()
    for firing in range(len(firings)):
        rows = apply(firings, firing, store.take(numbers[offsets[firing] : offsets[firing + 1]]))
        for chosen in portions(row_bytes(rows) + sizes[firing]):
            portion = rows[chosen]
            header = firings.header(np.full(portion.num_rows, firing))
            yield named_batch([*header, *zip(portion.schema.names, portion.columns, strict=True)])


_BUILDERS: dict[Handout, Callable[[BlockFirings, Any], Iterator[pa.RecordBatch]]] = {
    Handout.RESULTS: _results,
    Handout.ROWS: _rows,
    Handout.FIRING: _firing_rows,
    Handout.SIDES: _sides,
    Handout.APPLY: _applied,
}


_TIMINGS = binaries([timing.value.encode() for timing in TIMINGS]).cast(pa.string())


def _time(firings: BlockFirings, chosen: Longs | slice) -> pa.Array:
    end = firings.block.end[chosen]
    return _instants(np.where(end == NO_TIME, end, end - 1), firings.task.window_type)


def _timing(firings: BlockFirings, chosen: Longs | slice) -> pa.Array:
    timing = firings.block.timing[chosen]
    return _TIMINGS.take(to_arrow(timing, timing < 0))


_WINDOWS: dict[str, Callable[[BlockFirings, Longs | slice], pa.Array]] = {
    WINDOW_START: lambda firings, chosen: _instants(firings.block.start[chosen], firings.task.window_type),
    WINDOW_END: lambda firings, chosen: _instants(firings.block.end[chosen], firings.task.window_type),
    WINDOW_TIME: _time,
    PANE_INDEX: lambda firings, chosen: to_arrow(firings.block.index[chosen]),
    PANE_TIMING: _timing,
}


def _entries(firings: BlockFirings, at_least: int, store: Payload) -> Iterator[tuple[Longs, Longs]]:
    """Firings and row numbers side by side, in portions that fit into a batch; a firing without rows has `at_least`
    entries of -1."""
    offsets, rows = firings.block.offsets, firings.block.rows
    assert rows is not None
    assert offsets is not None
    sizes, row_bytes = firings.sizes(), firings.row_bytes()
    ends = np.cumsum(np.maximum(sizes, at_least))
    for begin in range(0, int(ends[-1]), BATCH_ROWS):
        entries = np.arange(begin, min(begin + BATCH_ROWS, int(ends[-1])))
        owners = np.searchsorted(ends, entries, side="right")
        places = offsets[owners] + entries - (ends[owners] - np.maximum(sizes[owners], at_least))
        is_row = sizes[owners] > 0
        numbers = np.full(len(entries), -1, dtype=np.int64)
        numbers[is_row] = rows[places[is_row]]
        for portion in portions(row_bytes[owners] + store.bytes_of(numbers)):
            yield owners[portion], numbers[portion]


def _payload(store: Payload, numbers: Longs) -> list[tuple[str, pa.Array]]:
    """The payload of the rows of these numbers; NULL for -1."""
    present = numbers >= 0
    rows = store.take(numbers[present])
    if not present.all():
        rows = rows.take(to_arrow(np.cumsum(present) - 1, ~present))
    return list(zip(rows.schema.names, rows.columns, strict=True))


def _instants(times: Longs, kind: pa.DataType) -> pa.Array:
    """A column of times, NULL for NO_TIME."""
    return to_arrow(times, times == NO_TIME).cast(kind)


def _chosen(column: pa.Array, chosen: Longs | slice) -> pa.Array:
    if isinstance(chosen, slice):
        return column[chosen]
    return column.take(to_arrow(chosen))
