"""Rows of a partition that are sorted roughly, brought into the order the operator needs; in Python workers.

They come sorted by one number only, the place of a row: the low bits of its key's hash, then its time in steps of some
milliseconds. That needs no comparison of rows. Here keys that share a hash are separated, and rows within a step put in
order of time and arrival. Neither PySpark nor the SQL parser is imported.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from winsql.runtime.arrays import to_arrow, to_numpy
from winsql.runtime.columnar.shared.cells import ascending
from winsql.runtime.columnar.shared.differing import differs
from winsql.spark.workers.columns import frozen, values_of

HASH_BITS, TIME_BITS = 22, 41
"""Bits of a place, which is not negative."""

Longs = npt.NDArray[np.int64]


def by_place(places: Longs) -> Longs:
    """A stable order by place. In a batch times lie close together, so hash, time and index fit into one number."""
    if not len(places):
        return places
    hashes, steps = places >> TIME_BITS, places & ((1 << TIME_BITS) - 1)
    least = int(steps.min())
    span = int(steps.max()) - least + 1
    return ascending(hashes * span + (steps - least), (int(hashes.max()) + 1) * span)


def arranged(batches: Iterable[pa.RecordBatch], keys: list[int]) -> Iterator[pa.RecordBatch]:
    """Batches by key, time and arrival, with the flag of a key's first row as their first column; without keys of none.

    The first column of what comes in is the place, the second the time (NULL comes first), the last the number of the
    row by arrival, which is left out; `keys` are the columns of the key. Rows of one place stay in memory together.
    """
    arranger = _Arranger(keys)
    waiting: list[pa.RecordBatch] = []
    count = enough = 0
    for batch in batches:
        waiting.append(batch)
        count += batch.num_rows
        if count < enough:
            continue
        rows = pa.concat_batches(waiting)
        cut = _cut(_longs(rows.column(0)))
        if cut:
            yield from arranger.take(rows.slice(0, cut))
        waiting, count = [rows.slice(cut)], rows.num_rows - cut
        enough = 2 * count
    if count:
        yield from arranger.take(pa.concat_batches(waiting))
    yield from arranger.finish()


def _cut(places: Longs) -> int:
    """Where the last hash begins; among rows of one hash, where the last place begins."""
    hashes = places >> TIME_BITS
    if hashes[0] == hashes[-1]:
        return int(np.searchsorted(places, places[-1]))
    return int(np.searchsorted(hashes, hashes[-1]))


class _Arranger:
    """Emits the rows of a hash key by key. If a hash has more rows than a chunk, the rows of its first key are emitted
    at once; rows of other keys, few as a rule, wait for the end of the hash."""

    def __init__(self, keys: list[int]) -> None:
        self.keys = keys
        self.hash = -1
        self.key: pa.RecordBatch | None = None
        self.others: list[pa.RecordBatch] = []

    def take(self, rows: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
        """Rows in order of their places."""
        rows = _in_time(rows)
        hashes = _longs(rows.column(0)) >> TIME_BITS
        if hashes[0] == self.hash:
            size = int(np.searchsorted(hashes, self.hash, side="right"))
            yield from self._go_on(rows.slice(0, size))
            rows, hashes = rows.slice(size), hashes[size:]
        if not rows.num_rows:
            return
        yield from self.finish()
        if hashes[0] != hashes[-1]:
            yield self._complete(rows, hashes)
            self.hash = -1
            return
        self.hash, self.key = int(hashes[0]), rows.slice(0, 1).select(self.keys)
        yield from self._go_on(rows, begins=True)

    def finish(self) -> Iterator[pa.RecordBatch]:
        """The rows that wait for the end of their hash."""
        if self.others:
            rows, self.others = pa.concat_batches(self.others), []
            yield self._complete(rows, _longs(rows.column(0)) >> TIME_BITS)

    def _go_on(self, rows: pa.RecordBatch, *, begins: bool = False) -> Iterator[pa.RecordBatch]:
        """Rows of one hash, of which more may follow."""
        assert self.key is not None
        own = pa.concat_batches([self.key, rows.select(self.keys)]) if self.keys else self.key
        same = ~_differ(rows.num_rows, ((c.take(_zeros(rows)), c.slice(1)) for c in own.columns))
        if not same.all():
            self.others.append(rows.filter(to_arrow(~same)))
            rows = rows.filter(to_arrow(same))
        if rows.num_rows:
            flags = np.zeros(rows.num_rows, dtype=bool)
            flags[0] = begins and bool(self.keys)
            yield _flagged(rows, flags)

    def _complete(self, rows: pa.RecordBatch, hashes: Longs) -> pa.RecordBatch:
        """All rows of some hashes."""
        begins = np.diff(hashes, prepend=-1) != 0
        keys = (rows.column(i) for i in self.keys)
        changes = _differ(rows.num_rows - 1, ((c.slice(0, len(c) - 1), c.slice(1)) for c in keys))
        mixed = np.flatnonzero(changes & ~begins[1:]) + 1
        if not len(mixed):
            return _flagged(rows, begins)
        places = np.flatnonzero(np.isin(hashes, hashes[mixed]))
        numbers = self._numbered(rows, places)
        apart = np.lexsort((numbers, hashes[places]))
        order = np.arange(rows.num_rows)
        order[places] = places[apart]
        begins[places[1:]] |= np.diff(numbers[apart]) != 0
        return _flagged(rows.take(to_arrow(order)), begins)

    def _numbered(self, rows: pa.RecordBatch, places: Longs) -> Longs:
        """A number for each row at these places that tells its key from others."""
        columns = [values_of(rows.column(i).take(to_arrow(places))) for i in self.keys]
        known: dict[tuple[Any, ...], int] = {}
        keys = (tuple(map(frozen, key)) for key in zip(*columns, strict=True))
        return np.array([known.setdefault(key, len(known)) for key in keys], dtype=np.int64)


def _in_time(rows: pa.RecordBatch) -> pa.RecordBatch:
    """The rows of each place by time and arrival."""
    places, time, arrival = _longs(rows.column(0)), _longs(rows.column(1)), _longs(rows.column(rows.num_columns - 1))
    together = places[1:] == places[:-1]
    falls = (time[1:] < time[:-1]) | ((time[1:] == time[:-1]) & (arrival[1:] < arrival[:-1]))
    if not (together & falls).any():
        return rows
    return rows.take(to_arrow(np.lexsort((arrival, time, places))))


def _differ(count: int, pairs: Iterable[tuple[pa.Array, pa.Array]]) -> npt.NDArray[np.bool_]:
    """Where the values of any pair of columns of so many rows differ."""
    found = np.zeros(count, dtype=bool)
    for left, right in pairs:
        found |= differs(left, right)
    return found


def _flagged(rows: pa.RecordBatch, flags: npt.NDArray[np.bool_]) -> pa.RecordBatch:
    columns = [to_arrow(flags), *rows.columns[1:-1]]
    return pa.RecordBatch.from_arrays(columns, names=rows.schema.names[:-1])


def _zeros(rows: pa.RecordBatch) -> pa.Array:
    return to_arrow(np.zeros(rows.num_rows, dtype=np.int64))


def _longs(column: pa.Array) -> Longs:
    """Numbers or instants; NULL is less than all others."""
    return to_numpy(column.cast(pa.int64()), np.iinfo(np.int64).min)
