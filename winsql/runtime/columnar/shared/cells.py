"""Sorting by cells: one number per pair of key and something else; the denser these are, the smaller the numbers."""

from __future__ import annotations

import numpy as np

from winsql.model.columnar import Longs


def cells_of(keys: Longs, values: Longs) -> tuple[Longs, int]:
    """A cell for each pair, in order of key, then value; with a number that is greater than all of them."""
    if not len(keys):
        return keys, 0
    least, count = int(values.min()), int(keys.max()) + 1
    span = int(values.max()) - least + 1
    if span * count < _ALL:
        return keys * span + (values - least), span * count
    ranked, places = np.unique(values, return_inverse=True)
    return keys * len(ranked) + places, count * len(ranked)


_ALL = 1 << 62


def distinct(cells: Longs, size: int) -> tuple[Longs, Longs]:
    """Where each cell appears first, cells in order; and the place of each cell in that order. All are below `size`."""
    if size <= _DENSE * len(cells) + _SMALL:
        return _by_table(cells, size)
    order = ascending(cells, size)
    ordered = cells[order]
    begins = np.ones(len(cells), dtype=bool)
    np.not_equal(ordered[1:], ordered[:-1], out=begins[1:])
    places = np.empty(len(cells), dtype=np.int64)
    places[order] = np.cumsum(begins) - 1
    return order[begins], places


_DENSE, _SMALL = 8, 1 << 12


def _by_table(cells: Longs, size: int) -> tuple[Longs, Longs]:
    first = np.full(size, -1, dtype=np.int32 if len(cells) < 1 << 31 else np.int64)
    first[cells[::-1]] = np.arange(len(cells) - 1, -1, -1)
    found = np.flatnonzero(np.greater_equal(first, 0))
    firsts = first[found].astype(np.int64)
    first[found] = np.arange(len(found))
    return firsts, first[cells].astype(np.int64)


def ascending(cells: Longs, size: int) -> Longs:
    """A stable order by cell. Where cell and place fit 64 bits together, numpy sorts them faster, as one number."""
    if (cells[1:] >= cells[:-1]).all():
        return np.arange(len(cells))
    bits = len(cells).bit_length()
    if size >= 1 << (63 - bits):
        return np.argsort(cells, kind="stable")
    packed = (cells << bits) | np.arange(len(cells))
    packed.sort()
    packed &= (1 << bits) - 1
    return packed
