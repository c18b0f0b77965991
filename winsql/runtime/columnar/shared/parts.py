"""Parts of accumulators: one typed column each, one value per pane, and how rows change them.

Additions of floats happen one by one in arrival order, as in the per-row operator: results are equal to the last bit.
Whatever is `exact` may be combined in any grouping instead.
"""

from __future__ import annotations

import operator
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

Column = npt.NDArray[Any]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Part:
    """One column of an accumulator: `ufunc` takes rows in, `identity` is its value for no rows.

    exact   whether accumulators of parts of the rows combine to that of all, bit by bit, however they are cut
    limit   of exact sums: what all rows of a key must stay below together; None where nothing can grow too large
    """

    ufunc: np.ufunc
    dtype: np.dtype[Any]
    identity: Any
    exact: bool = True
    limit: int | None = None

    def empty(self, size: int) -> Column:
        """The column of accumulators of no rows."""
        return np.full(size, self.identity, dtype=self.dtype)

    def fold(self, state: Column, panes: Places, values: Column) -> None:
        """Take values into the panes side by side with them, in order."""
        self.ufunc.at(state, panes, self.settled(state, panes, values))

    def running(self, initial: Column, segments: Places, starts: Places, values: Column) -> Column:
        """The accumulator after each value: `segments` ascend from 0, each begins with its `initial` at `starts`."""
        values = self.settled(initial, segments, values).astype(self.dtype)
        values[starts] = self.ufunc(initial, values[starts])
        return accumulated(self.ufunc, values, starts)

    def settled(self, state: Column, owners: Places, values: Column) -> Column:
        """The values, with those replaced that depend on the order of their owners' rows."""
        return values

    def joined(self, held: Any, more: Any) -> Any:
        """One accumulator with more, as Python values."""
        return _JOINS[self.ufunc](held, more)

    def of_order(self, values: Column) -> bool:
        """Whether accumulators of such values may depend on their order."""
        return not self.exact

    @property
    def has_signs(self) -> bool:
        """Whether 0.0 and -0.0 are equal, so that the first to come stays."""
        return False

    def signs(self, values: Column, order: Places) -> Column:
        """A column whose least value tells `signed` which zero came first; `order` is the order of the values."""
        raise NotImplementedError

    def signed(self, values: Column, signs: Column) -> Column:
        """Accumulators with the zeros that came first."""
        raise NotImplementedError

    def ranges(self, values: Column, begins: Places, ends: Places) -> Column:
        """The accumulators of `values[begin:end]` for each begin and end; none is empty, both columns ascend."""
        lengths = ends - begins
        result = np.empty(len(begins), dtype=self.dtype)
        reach, level = 1, values
        while True:
            chosen = np.flatnonzero((lengths >= reach) & (lengths < 2 * reach))
            result[chosen] = self.ufunc(level[begins[chosen]], level[ends[chosen] - reach])
            if not (lengths >= 2 * reach).any():
                return result
            level, reach = self.ufunc(level[:-reach], level[reach:]), 2 * reach


@dataclass(frozen=True, slots=True)
class _Sum(Part):
    """Integers that add up, kept as integers or as doubles; running sums over many keys may wrap around 64 bits."""

    def ranges(self, values: Column, begins: Places, ends: Places) -> Column:
        until = np.zeros(len(values) + 1, dtype=np.int64)
        np.cumsum(values.astype(np.int64, copy=False), out=until[1:])
        sums: Column = until[ends] - until[begins]
        return sums.astype(self.dtype, copy=False)


@dataclass(frozen=True, slots=True)
class _Seen(Part):
    """Whether any value has come."""

    def fold(self, state: Column, panes: Places, values: Column) -> None:
        state[panes[values]] = True

    def ranges(self, values: Column, begins: Places, ends: Places) -> Column:
        if values.all():
            return np.ones(len(begins), dtype=np.bool_)
        return COUNT.ranges(values, begins, ends) > 0


@dataclass(frozen=True, slots=True)
class _FloatExtreme(Part):
    """Floats as integers of the same order (`aggregates.ordered`), in which -0.0 is -1 and 0.0 is 0.

    The two are equal, so the first of them stays: all zeros of an owner become the first one.
    """

    def settled(self, state: Column, owners: Places, values: Column) -> Column:
        if not (values == -1).any() and not (state == -1).any():
            return values
        zeros = np.flatnonzero((values == -1) | (values == 0))
        first = np.zeros(len(state), dtype=np.int64)
        first[owners[zeros[::-1]]] = values[zeros[::-1]]
        settled = (state == -1) | (state == 0)
        first[settled] = state[settled]
        values = values.copy()
        values[zeros] = first[owners[zeros]]
        return values

    def joined(self, held: Any, more: Any) -> Any:
        return held if held in _ZEROS and more in _ZEROS else _JOINS[self.ufunc](held, more)

    def of_order(self, values: Column) -> bool:
        return bool((values == -1).any())

    @property
    def has_signs(self) -> bool:
        return True

    def signs(self, values: Column, order: Places) -> Column:
        return np.where((values == -1) | (values == 0), 2 * order + (values == -1), _MAX)

    def signed(self, values: Column, signs: Column) -> Column:
        return np.where((values == -1) | (values == 0), -(signs & 1), values)


_ZEROS = (-1, 0)
_JOINS: dict[np.ufunc, Callable[[Any, Any], Any]] = {
    np.add: operator.add,
    np.minimum: min,
    np.maximum: max,
    np.logical_or: operator.or_,
}
_LONG, _DOUBLE, _BOOL = np.dtype(np.int64), np.dtype(np.float64), np.dtype(np.bool_)
_MAX, _MIN = np.iinfo(np.int64).max, np.iinfo(np.int64).min

COUNT = _Sum(np.add, _LONG, 0)
TOTAL = _Sum(np.add, _LONG, 0, limit=1 << 62)
TOTAL_INTEGRAL = _Sum(np.add, _DOUBLE, 0.0, limit=1 << 53)
TOTAL_FLOAT = Part(np.add, _DOUBLE, 0.0, exact=False)
SEEN = _Seen(np.logical_or, _BOOL, False)
LEAST = Part(np.minimum, _LONG, _MAX)
GREATEST = Part(np.maximum, _LONG, _MIN)
LEAST_FLOAT = _FloatExtreme(np.minimum, _LONG, _MAX)
GREATEST_FLOAT = _FloatExtreme(np.maximum, _LONG, _MIN)


NAMES: dict[str, Part] = {
    "count": COUNT,
    "sum": TOTAL,
    "integral sum": TOTAL_INTEGRAL,
    "float sum": TOTAL_FLOAT,
    "seen": SEEN,
    "least": LEAST,
    "greatest": GREATEST,
    "least float": LEAST_FLOAT,
    "greatest float": GREATEST_FLOAT,
}
"""What state calls them, where that tells how to combine its columns."""


def accumulated(ufunc: np.ufunc, values: Column, starts: Places) -> Column:
    """`ufunc.accumulate` within each segment. Segments of similar length are rows of one matrix, so that there are as
    many steps as lengths have bits, and padding at most doubles the work."""
    lengths = np.diff(np.append(starts, len(values)))
    result = np.empty_like(values)
    bits = np.frexp(lengths.astype(np.float64))[1]
    for size in np.unique(bits):
        chosen = np.flatnonzero(bits == size)
        places = starts[chosen, None] + np.arange(lengths[chosen].max())
        inside = places < (starts[chosen] + lengths[chosen])[:, None]
        matrix = ufunc.accumulate(values[np.minimum(places, len(values) - 1)], axis=1)
        result[places[inside]] = matrix[inside]
    return result
