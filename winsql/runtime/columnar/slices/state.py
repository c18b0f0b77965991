"""What overlapping windows share: accumulators per key and slice, and windows combined from them.

Each row is added once, to its slice, and a window is a range of slices of its key. Its sums are differences of running
sums; its extremes come from ranges of 1, 2, 4, ... slices. Both need parts that are `exact`.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from winsql.model.columnar import Longs, spread
from winsql.model.columnar.assigners import SliceForm
from winsql.runtime.columnar.shared.cells import cells_of, distinct
from winsql.runtime.columnar.shared.panes import Layout, Panes
from winsql.runtime.columnar.shared.parts import GREATEST, LEAST, Part

Column = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class SliceRows:
    """Rows in arrival order: numbers of key, slice and row, and what each part of accumulators gets."""

    key: Longs
    index: Longs
    number: Longs
    inputs: list[Column]

    def where(self, chosen: Column) -> SliceRows:
        """Only these rows."""
        inputs = [column[chosen] for column in self.inputs]
        return SliceRows(self.key[chosen], self.index[chosen], self.number[chosen], inputs)


@dataclass(slots=True)
class Slices:
    """One entry per key and slice that has rows, in order of key, then slice.

    key, index   numbers of the key and of the slice
    arrival      number of the first row that came into it
    written      processing time of the last one
    parts        columns of the accumulators, then one per part that has `signs`
    """

    key: Longs
    index: Longs
    arrival: Longs
    written: Longs
    parts: list[Column]

    @classmethod
    def empty(cls, parts: Sequence[Part]) -> Slices:
        none = np.zeros(0, dtype=np.int64)
        return cls(none, none, none, none, [part.empty(0) for part in _all(parts)])

    def __len__(self) -> int:
        return len(self.key)

    @property
    def columns(self) -> list[Longs]:
        """The columns of integers, in order."""
        return [self.key, self.index, self.arrival, self.written]

    def take(self, places: Column | slice) -> Slices:
        """Some slices, by place or by mask."""
        key, slices, arrival, written = (column[places] for column in self.columns)
        return Slices(key, slices, arrival, written, [part[places] for part in self.parts])

    def with_keys(self, key: Longs) -> Slices:
        """These slices with other numbers for their keys, in the same order."""
        return Slices(key, self.index, self.arrival, self.written, self.parts)

    def added(self, rows: SliceRows, now: int, parts: Sequence[Part]) -> Slices:
        """These slices with more rows."""
        before = self._before(rows)
        if before > len(self) // 2:
            return self.take(slice(before))._followed(self.take(slice(before, None)).added(rows, now, parts))
        held = len(self)
        key, slices = np.concatenate([self.key, rows.key]), np.concatenate([self.index, rows.index])
        first, places = distinct(*cells_of(key, slices))
        # where they are in order, rows that came before are first
        arrival = np.concatenate([self.arrival, rows.number])[first]
        old, new = places[:held], places[held:]
        written = np.empty(len(first), dtype=np.int64)
        written[old] = self.written
        written[new] = now
        tied = [(part, values) for part, values in zip(parts, rows.inputs, strict=True) if part.has_signs]
        inputs = rows.inputs + [part.signs(values, rows.number) for part, values in tied]
        columns = []
        for part, column, values in zip(_all(parts), self.parts, inputs, strict=True):
            state = part.empty(len(first))
            state[old] = column
            part.fold(state, new, values)
            columns.append(state)
        return Slices(key[first], slices[first], arrival, written, columns)

    def _before(self, rows: SliceRows) -> int:
        """How many slices come before those of the rows: on a table, whose rows are sorted, almost all."""
        if not len(rows.key):
            return len(self)
        key = rows.key.min()
        begin, end = np.searchsorted(self.key, key), np.searchsorted(self.key, key, side="right")
        return int(begin + np.searchsorted(self.index[begin:end], rows.index[rows.key == key].min()))

    def _followed(self, other: Slices) -> Slices:
        """These slices, then others."""
        pairs = zip(self.columns, other.columns, strict=True)
        key, slices, arrival, written = (np.concatenate(pair) for pair in pairs)
        parts = [np.concatenate(pair) for pair in zip(self.parts, other.parts, strict=True)]
        return Slices(key, slices, arrival, written, parts)

    def windows(self, form: SliceForm, begin: int, stop: int) -> tuple[Longs, Longs, Longs]:
        """The windows from `begin` to before `stop` that have rows, each with the places where its slices begin and
        end; in order of key, then window.

        Each window is found at the first of its slices: a later slice of the key adds only the windows that the slice
        before it is not in. Likewise, its last slice is the one whose successor is not in it.
        """
        oldest, newest = form.oldest(self.index), form.newest(self.index)
        follows = self.key[1:] == self.key[:-1]
        if (oldest == newest).all() and not (follows & (oldest[1:] == oldest[:-1])).any():
            places = np.flatnonzero((oldest >= begin) & (oldest < stop))  # each slice is a window of its own
            return oldest[places], places, places + 1
        low, high = np.maximum(oldest, begin), np.minimum(newest, stop - 1)
        first, last = low.copy(), high.copy()
        np.maximum(low[1:], newest[:-1] + 1, out=first[1:], where=follows)
        np.minimum(high[:-1], oldest[1:] - 1, out=last[:-1], where=follows)
        begins, rank = spread(np.maximum(high - first + 1, 0))
        ends = np.repeat(np.arange(1, len(self) + 1), np.maximum(last - low + 1, 0))
        return first[begins] + rank, begins, ends

    def count(self, form: SliceForm, begin: int) -> int:
        """How many windows from `begin` on have rows."""
        return int(begun(form, self.index, self.key[1:] == self.key[:-1], begin).sum())

    def accumulators(self, begins: Longs, ends: Longs, parts: Sequence[Part]) -> list[Column]:
        """Of ranges of slices, each of one key."""
        if (ends - begins == 1).all():
            columns = [column[begins] for column in self.parts]
        else:
            pairs = zip(_all(parts), self.parts, strict=True)
            columns = [part.ranges(column, begins, ends) for part, column in pairs]
        signs = iter(columns[len(parts) :])
        return [
            part.signed(column, next(signs)) if part.has_signs else column
            for part, column in zip(parts, columns, strict=False)
        ]


@dataclass(slots=True)
class SlicedState:
    """State of windows that share slices: the slices, and panes of windows that another engine has begun.

    The panes' rows came before those of the slices; a window's contents are those of its pane and of its slices.
    """

    slices: Slices
    base: Panes

    def __len__(self) -> int:
        return len(self.slices) + len(self.base)

    def panes(self, form: SliceForm, layout: Layout, begin: int, stop: int) -> Panes:
        """The windows from `begin` to before `stop` that have rows, in order of key, then window; without the columns
        that only state needs, arrival and time of writing."""
        return self._united(
            form, layout, begin, stop, self._sliced(form, layout, *self.slices.windows(form, begin, stop))
        )

    def whole_panes(self, form: SliceForm, layout: Layout, begin: int) -> Panes:
        """The windows from `begin` on, with all their columns, those of a key in the order in which they began."""
        slices = self.slices
        windows, begins, ends = slices.windows(form, begin, LIMIT)
        sliced = self._sliced(form, layout, windows, begins, ends)
        sliced.arrival = LEAST.ranges(slices.arrival, begins, ends)
        sliced.written = GREATEST.ranges(slices.written, begins, ends)
        panes = self._united(form, layout, begin, LIMIT, sliced)
        within = -panes.end if form.newest_first else panes.end
        return panes.take(np.lexsort((within, panes.arrival, panes.key)))

    def _sliced(self, form: SliceForm, layout: Layout, windows: Longs, begins: Longs, ends: Longs) -> Panes:
        """Windows by their ranges of slices."""
        key = self.slices.key[begins]
        panes = Panes.begun(key, form.start(windows), form.end(windows), key, Layout(layout.value, ()))
        panes.filled[:] = True
        panes.parts = self.slices.accumulators(begins, ends, layout.parts)
        return panes

    def _united(self, form: SliceForm, layout: Layout, begin: int, stop: int, sliced: Panes) -> Panes:
        """With the panes of these windows that another engine has begun; the rows of those came first."""
        if not len(self.base):
            return sliced
        window = form.ending_at(self.base.end)
        both = self.base.take((window >= begin) & (window < stop)).extended(sliced)
        first, places = distinct(*cells_of(both.key, both.end))
        united = both.take(first)
        again = np.ones(len(both), dtype=bool)
        again[first] = False
        owners = places[again]
        united.written[owners] = both.written[again]
        for part, column, values in zip(layout.parts, united.parts, both.parts, strict=True):
            part.fold(column, owners, values[again])
        return united


LIMIT = 1 << 62
"""Above the number of every window, as its negative is below."""


def begun(form: SliceForm, index: Longs, follows: npt.NDArray[np.bool_], begin: int = -LIMIT) -> Longs:
    """For each slice, how many windows from `begin` on hold it and not the one before it. The slices of a key are in
    order; `follows` says of all but the first whether they are of the key before them."""
    first, newest = np.maximum(form.oldest(index), begin), form.newest(index)
    np.maximum(first[1:], newest[:-1] + 1, out=first[1:], where=follows)
    return np.maximum(newest - first + 1, 0)


def _all(parts: Sequence[Part]) -> list[Part]:
    """The parts of slices: one more for each that has signs."""
    return [*parts, *(LEAST for part in parts if part.has_signs)]
