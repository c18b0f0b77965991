"""Which windows of a key become one because they intersect or touch, for all keys at once."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from winsql.model.columnar import Longs
from winsql.runtime.columnar.shared.cells import ascending, cells_of
from winsql.runtime.columnar.shared.parts import accumulated

Mask = npt.NDArray[np.bool_]
SAFE = 1 << 62


@dataclass(frozen=True, slots=True)
class Merged:
    """Items, windows of keys, by the windows that they become.

    order     the items, those of one window together, windows in order of key, then time
    begins    where in it each window begins
    owners    for each item the number of its window
    """

    order: Longs
    begins: Longs
    owners: Longs

    def __len__(self) -> int:
        return len(self.begins)

    def where(self, chosen: Mask) -> Merged:
        """Only these windows, numbered anew; the other items have no owner to rely on."""
        lengths = np.diff(np.append(self.begins, len(self.order)))[chosen]
        number = np.cumsum(chosen) - 1
        kept = self.order[chosen[self.owners[self.order]]]
        return Merged(kept, np.cumsum(lengths) - lengths, number[self.owners])

    def over(self, ufunc: np.ufunc, values: npt.NDArray[Any]) -> npt.NDArray[Any]:
        """For each window the values of its items, combined."""
        if not len(self.begins):
            return values[:0]
        combined: npt.NDArray[Any] = ufunc.reduceat(values[self.order], self.begins)
        return combined

    def apart(self, start: Longs, end: Longs) -> Mask:
        """Windows with an item that met none of the earlier items when it came: for a while they were several."""
        order = ascending(self.owners, len(self.begins))
        owners, start, end = self.owners[order], start[order], end[order]
        begins = np.flatnonzero(np.diff(owners, prepend=-1))
        latest, earliest = accumulated(np.maximum, end, begins), accumulated(np.minimum, start, begins)
        meets = (start[1:] <= latest[:-1]) & (end[1:] >= earliest[:-1])
        several = np.zeros(len(self.begins), dtype=bool)
        several[owners[1:][(owners[1:] == owners[:-1]) & ~meets]] = True
        return several


def merged(key: Longs, start: Longs, end: Longs) -> Merged:
    """The windows that windows of keys become."""
    order = ascending(*cells_of(key, start))
    key, start, end = key[order], start[order], end[order]
    begins = np.ones(len(order), dtype=bool)
    same = key[1:] == key[:-1]
    begins[1:] = ~same | (start[1:] > _latest(key, end, ~same)[:-1])
    owners = np.empty(len(order), dtype=np.int64)
    owners[order] = np.cumsum(begins) - 1
    return Merged(order, np.flatnonzero(begins), owners)


def _latest(key: Longs, end: Longs, differs: Mask) -> Longs:
    """For each window the latest end of its key so far; keys ascend, and `differs` says where the next one begins."""
    if not len(key):
        return end
    least = int(end.min())
    span = int(end.max()) - least + 1
    if span * (int(key[-1]) + 1) < SAFE:
        # ends of a later key count more than all ends of the keys before
        base = key * span - least
        latest: Longs = np.maximum.accumulate(end + base)
        return latest - base
    return accumulated(np.maximum, end, np.flatnonzero(np.append(True, differs)))
