"""Rows of many windows side by side, and the firings that look at them: what evictors and handouts of rows work on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from winsql.model.columnar import Longs
from winsql.model.columnar.evictors import EvictorForm
from winsql.runtime.arrays import is_whole, longs_of, present_in, to_numpy
from winsql.runtime.columnar.shared.cells import ascending
from winsql.runtime.columnar.shared.limits import Unfit

SPARSE = 64
"""Row numbers that lie further apart than this on the average are sorted or searched, not looked up in a table."""

Column = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Operand:
    """The values of an evictor's expression, integers in whole `unit`s of it; `present` where it is not NULL."""

    values: Column
    present: Mask
    unit: int = 1

    def take(self, places: Column) -> Operand:
        """Some of them, by place or by mask."""
        return Operand(self.values[places], self.present[places], self.unit)


@dataclass(frozen=True, slots=True)
class Runs:
    """The rows of windows, window after window, those of one in arrival order.

    begins   where the rows of each window begin, with the end of the last
    number   row numbers
    time     event times, NO_TIME for a row without one
    inputs   what each part of accumulators gets
    operand  what the evictor reads, if it has an expression
    """

    begins: Longs
    number: Longs
    time: Longs
    inputs: Sequence[Column]
    operand: Operand | None = None

    @classmethod
    def of(
        cls, windows: int, owner: Longs, number: Longs, time: Longs, inputs: Sequence[Column], operand: Operand | None
    ) -> Runs:
        """From rows in arrival order; `owner` is the place of each row's window, from 0 to `windows` - 1."""
        order = ascending(owner, windows)
        begins = np.concatenate([[0], np.cumsum(np.bincount(owner, minlength=windows))])
        ordered = None if operand is None else operand.take(order)
        return cls(begins, number[order], time[order], [column[order] for column in inputs], ordered)

    def __len__(self) -> int:
        return len(self.number)

    @property
    def owner(self) -> Longs:
        """The place of each row's window."""
        return np.repeat(np.arange(len(self.begins) - 1), np.diff(self.begins))

    def misfit(self, evictor: EvictorForm) -> str | None:
        """Why the per-row operator must judge these rows; None when the evictor's form can."""
        return evictor.misfit(self.time, None if self.operand is None else self.operand.values)

    def where(self, chosen: Mask) -> Runs:
        """Only these rows, in the same windows."""
        before = np.concatenate([[0], np.cumsum(chosen)])
        operand = None if self.operand is None else self.operand.take(chosen)
        inputs = [column[chosen] for column in self.inputs]
        return Runs(before[self.begins], self.number[chosen], self.time[chosen], inputs, operand)

    def of_windows(self, chosen: Mask) -> Runs:
        """The rows of the windows chosen, and no other windows."""
        sizes = np.diff(self.begins)
        left = self.where(np.repeat(chosen, sizes))
        begins = np.concatenate([[0], np.cumsum(sizes[chosen])])
        return Runs(begins, left.number, left.time, left.inputs, left.operand)

    def held(self) -> Longs:
        """Row numbers, ascending, each once: those that windows still hold are mostly close together."""
        numbers = self.number
        if not len(numbers):
            return numbers
        least = int(numbers.min())
        span = int(numbers.max()) - least + 1
        if span > SPARSE * len(numbers):
            ordered = np.sort(numbers)
            return ordered[np.diff(ordered, prepend=least - 1) > 0]
        found = np.zeros(span, dtype=bool)
        found[numbers - least] = True
        return np.flatnonzero(found) + least


@dataclass(frozen=True, slots=True)
class Fires:
    """Firings asked for, those of a window side by side and in order; an empty window does not fire.

    pane    the place of the window in `Runs`, ascending
    stop    how many of the window's rows are there by then, never fewer than at the firing before
    purges  whether it drops the contents
    """

    pane: Longs
    stop: Longs
    purges: Mask

    def __len__(self) -> int:
        return len(self.pane)


def operand_of(column: pa.Array) -> Operand:
    """The operand in a column of numbers, instants or durations; raises Unfit for any other type."""
    kind = column.type
    present = present_in(column)
    if pa.types.is_decimal128(kind) and kind.precision <= _SHORT:
        words = np.frombuffer(column.buffers()[1], np.int64)[::2]
        return Operand(np.where(present, words[column.offset :][: len(column)], 0), present, 10 ** max(kind.scale, 0))
    if pa.types.is_floating(kind):
        return Operand(to_numpy(column).astype(np.float64, copy=False), present)
    if not is_whole(kind):
        raise Unfit(f"an evictor by distance over {kind}")
    return Operand(longs_of(column), present)


_SHORT = 18
"""Digits that surely fit 64 bits."""
