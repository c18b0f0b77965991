"""Which firing first finds a value too far from the last row's: what EVICT DELTA asks of every row.

With a threshold above 0 the last row never goes, so what a firing compares with is known before anything is dropped.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from winsql.model.columnar.columns import Longs

Column = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]


def first_far(
    enter: Longs, until: Longs, newest: Longs, value: Column, present: Mask, limit: Any, *, signed: bool
) -> Longs:
    """Per row the first firing from `enter` on whose `newest` row is `limit` (above 0) or more away; `until` or any
    later number when none is. What is NULL or NaN is away from nothing.

    Firings are the leaves of a tree whose nodes know the greatest and the least value below; each row walks it from
    its first firing on, over whole nodes that are near enough.
    """
    gone = np.full(len(enter), len(newest))
    known = present if value.dtype != np.float64 else present & ~np.isnan(value)
    asks = known & (enter < until)
    if signed and value.dtype == np.float64:
        asks &= value != np.inf
    rows = np.flatnonzero(asks)
    if not len(rows):
        return gone
    tree = _Tree.of(enter[rows], until[rows], np.where(known, value, 0)[newest], known[newest])
    node, own = tree.leaf_of(enter[rows]), value[rows]
    with np.errstate(invalid="ignore"):
        while len(rows):
            far = tree.greatest[node] - own >= limit
            if not signed:
                far |= own - tree.least[node] >= limit
            found = far & (node >= tree.leaves)
            gone[rows[found]] = tree.firing[node[found] - tree.leaves]
            beside = node + 1
            node = np.where(far, 2 * node, beside // (beside & -beside))
            rows, node, own = rows[~found], node[~found], own[~found]
    return gone


@dataclass(frozen=True, slots=True)
class _Tree:
    """A binary tree in arrays: the children of node i are 2i and 2i + 1, the leaves begin at `leaves`.

    One leaf per firing, and after the last one that finds a row of some stretch a leaf that is far from everything.
    """

    leaves: int
    greatest: Column
    least: Column
    firing: Longs
    ends: Longs

    @classmethod
    def of(cls, enter: Longs, until: Longs, value: Column, known: Mask) -> _Tree:
        ends = until[np.flatnonzero(np.diff(until, append=-1))]
        firings = np.arange(len(value))
        place = firings + np.searchsorted(ends, firings, side="right")
        stop = ends + np.arange(len(ends))
        leaves = 1 << (len(value) + len(ends) - 1).bit_length()
        extent = np.inf if value.dtype == np.float64 else 1 << 62
        greatest, least = np.full(2 * leaves, -extent, value.dtype), np.full(2 * leaves, extent, value.dtype)
        greatest[leaves + place[known]] = least[leaves + place[known]] = value[known]
        greatest[leaves + stop], least[leaves + stop] = extent, -extent
        _build(np.maximum, greatest)
        _build(np.minimum, least)
        firing = np.full(leaves, len(value))
        firing[place] = firings
        return cls(leaves, greatest, least, firing, ends)

    def leaf_of(self, firing: Longs) -> Longs:
        return self.leaves + firing + np.searchsorted(self.ends, firing, side="right")


def _build(ufunc: np.ufunc, nodes: Column) -> None:
    """Fill the inner nodes from the leaves."""
    size = len(nodes) // 4
    while size:
        ufunc(nodes[2 * size : 4 * size : 2], nodes[2 * size + 1 : 4 * size : 2], out=nodes[size : 2 * size])
        size //= 2


def dropped_one_by_one(enter: Longs, until: Longs, value: Column, present: Mask, limit: Any, *, signed: bool) -> Longs:
    """As `first_far` where the limit is 0 or less, so that the last row may go as well: firing after firing."""
    gone = until.copy()
    values = [own if known else None for own, known in zip(value.tolist(), present.tolist(), strict=True)]
    coming = [(number, int(enter[number])) for number in np.flatnonzero(enter < until)[::-1].tolist()]
    while coming:
        number, first = coming[-1]
        there: list[int] = []
        for firing in range(first, int(until[number])):
            while coming and coming[-1][1] == firing:
                there.append(coming.pop()[0])
            dropped = _far(values, there, limit, signed)
            gone[sorted(dropped)] = firing
            there = [number for number in there if number not in dropped]
    return gone


def _far(values: list[Any], there: list[int], limit: Any, signed: bool) -> set[int]:
    """The rows that are too far from the last one."""
    last = values[there[-1]] if there else None
    if last is None:
        return set()
    near = (number for number in there if values[number] is not None)
    return {n for n in near if (last - values[n] if signed else abs(last - values[n])) >= limit}
