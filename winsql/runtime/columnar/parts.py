"""Parts of accumulators: one typed column each, one value per pane, and how rows change them.

Additions of floats happen one by one in arrival order, as in the per-row operator: results are equal to the last bit.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

__all__ = ["COUNT", "GREATEST", "GREATEST_FLOAT", "LEAST", "LEAST_FLOAT", "SEEN", "TOTAL", "TOTAL_FLOAT", "Part"]

Column = npt.NDArray[Any]
Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Part:
    """One column of an accumulator: `ufunc` takes rows in, `identity` is its value for no rows."""

    ufunc: np.ufunc
    dtype: np.dtype[Any]
    identity: Any

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
        return _accumulated(self.ufunc, values, starts)

    def settled(self, state: Column, owners: Places, values: Column) -> Column:
        """The values as they count in the order of their owners' rows."""
        return values


@dataclass(frozen=True, slots=True)
class _Seen(Part):
    """Whether any value has come."""

    def fold(self, state: Column, panes: Places, values: Column) -> None:
        state[panes[values]] = True


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


_LONG, _DOUBLE, _BOOL = np.dtype(np.int64), np.dtype(np.float64), np.dtype(np.bool_)
_MAX, _MIN = np.iinfo(np.int64).max, np.iinfo(np.int64).min

COUNT = Part(np.add, _LONG, 0)
TOTAL = Part(np.add, _LONG, 0)
TOTAL_FLOAT = Part(np.add, _DOUBLE, 0.0)
SEEN = _Seen(np.logical_or, _BOOL, False)
LEAST = Part(np.minimum, _LONG, _MAX)
GREATEST = Part(np.maximum, _LONG, _MIN)
LEAST_FLOAT = _FloatExtreme(np.minimum, _LONG, _MAX)
GREATEST_FLOAT = _FloatExtreme(np.maximum, _LONG, _MIN)


def _accumulated(ufunc: np.ufunc, values: Column, starts: Places) -> Column:
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
