"""Accumulators over the contents of firings that share rows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import numpy.typing as npt

from winsql.model.columnar import Longs, spread
from winsql.runtime.columnar.panes.lifetimes import Lifetimes, bounded
from winsql.runtime.columnar.shared.limits import Unfit
from winsql.runtime.columnar.shared.parts import (
    COUNT,
    GREATEST,
    GREATEST_FLOAT,
    LEAST,
    LEAST_FLOAT,
    SEEN,
    TOTAL,
    TOTAL_FLOAT,
    TOTAL_INTEGRAL,
    Part,
)

Column = npt.NDArray[Any]


def over_contents(part: Part, lifetimes: Lifetimes, values: Column) -> Column:
    """The accumulator's column over what each firing sees. Raises Unfit where a sum might leave 64 bits."""
    return _FORMS.get(part, _in_order)(part, lifetimes, values)


def _total(part: Part, lifetimes: Lifetimes, values: Column) -> Column:
    """A sum of integers. Running sums may wrap around: the difference of two is exact as long as it fits itself."""
    sizes = np.abs(values.astype(np.float64))
    if sizes.sum() >= _SAFE and sizes.max() * float(lifetimes.sizes.max(initial=0)) >= _SAFE:
        raise Unfit("a sum near the end of 64 bits")
    return _difference(lifetimes, values)


_SAFE = 1 << 62


def _seen(part: Part, lifetimes: Lifetimes, values: Column) -> Column:
    return _difference(lifetimes, values.astype(np.int64)) > 0


def _difference(lifetimes: Lifetimes, values: Column) -> Column:
    """What has come less what has gone."""
    before = np.cumsum(np.concatenate([np.zeros(1, values.dtype), values]))
    if lifetimes.is_ordered:
        gone = before[lifetimes.gone]
    else:
        leaving = np.zeros(len(lifetimes.gone) + 1, values.dtype)
        np.add.at(leaving, lifetimes.leave, values)
        gone = np.cumsum(leaving)[:-1]
    difference: Column = before[lifetimes.come] - gone
    return difference


def _extreme(part: Part, lifetimes: Lifetimes, values: Column) -> Column:
    """Each row counts for a stretch of firings, covered by two stretches whose length is a power of 2.

    These are halved until they are single firings: a sparse table turned around. There are few levels, and each costs
    one pass over all firings.
    """
    length = lifetimes.leave - lifetimes.enter
    level = np.frexp(length.astype(np.float64))[1] - 1
    rows = np.argsort(level.astype(np.int8), kind="stable")
    steps = int(level.max(initial=0))
    bounds = np.searchsorted(level[rows], np.arange(steps + 2))
    table = part.empty(len(lifetimes.come))
    for step in range(steps, -1, -1):
        chosen = rows[bounds[step] : bounds[step + 1]]
        part.ufunc.at(table, lifetimes.enter[chosen], values[chosen])
        part.ufunc.at(table, lifetimes.leave[chosen] - (1 << step), values[chosen])
        if step:
            half = 1 << (step - 1)
            table = np.concatenate([table[:half], part.ufunc(table[half:], table[:-half])])
    return table


def _float_extreme(part: Part, lifetimes: Lifetimes, values: Column) -> Column:
    """-0.0 is -1 and 0.0 is 0, and where one of them is the extreme, the first zero of the contents is."""
    result = _extreme(part, lifetimes, values)
    among = np.flatnonzero((result == -1) | (result == 0))
    if len(among) and (values == -1).any():
        zeros = np.flatnonzero((values == -1) | (values == 0))
        only = Lifetimes.of(lifetimes.enter[zeros], lifetimes.leave[zeros], len(lifetimes.come))
        result[among] = values[_extreme(LEAST, only, zeros)[among]]
    return result


def _float_total(part: Part, lifetimes: Lifetimes, values: Column) -> Column:
    """Whole numbers are added up exactly in any order; others one by one in order of arrival."""
    if np.isfinite(values).all() and (values == np.rint(values)).all() and np.abs(values).sum() < _EXACT:
        return _difference(lifetimes, values)
    return _in_order(part, lifetimes, values)


_EXACT = 1 << 53


def _in_order(part: Part, lifetimes: Lifetimes, values: Column) -> Column:
    if lifetimes.is_ordered:
        return _along_ranges(part, lifetimes, values)
    result = part.empty(len(lifetimes.come))
    sizes = lifetimes.sizes
    for begin, end, places in lifetimes.pieces():
        filled = begin + np.flatnonzero(sizes[begin:end])
        result[filled] = _running(part, sizes[filled], values[places])[np.cumsum(sizes[filled]) - 1]
    return result


def _along_ranges(part: Part, lifetimes: Lifetimes, values: Column) -> Column:
    """Firings whose contents begin at the same row share one pass up to where the last of them ends."""
    result = part.empty(len(lifetimes.come))
    filled = np.flatnonzero(lifetimes.sizes)
    begins, ends = lifetimes.gone[filled], lifetimes.come[filled]
    heads = np.flatnonzero(np.diff(begins, prepend=-1))
    lengths = np.maximum.reduceat(ends, heads) - begins[heads] if len(heads) else begins
    group = np.repeat(np.arange(len(heads)), np.diff(np.append(heads, len(filled))))
    for head, stop in bounded(lengths):
        owner, rank = spread(lengths[head:stop])
        running = _running(part, lengths[head:stop], values[begins[heads[head:stop]][owner] + rank])
        chosen = slice(*np.searchsorted(group, [head, stop]))
        offsets = np.cumsum(lengths[head:stop]) - lengths[head:stop]
        result[filled[chosen]] = running[offsets[group[chosen] - head] + (ends - begins)[chosen] - 1]
    return result


def _running(part: Part, lengths: Longs, values: Column) -> Column:
    """The accumulator after each value, from none at the begin of each segment."""
    segments = np.repeat(np.arange(len(lengths)), lengths)
    return part.running(part.empty(len(lengths)), segments, np.cumsum(lengths) - lengths, values)


_FORMS: dict[Part, Callable[[Part, Lifetimes, Column], Column]] = {
    COUNT: _total,
    TOTAL: _total,
    SEEN: _seen,
    LEAST: _extreme,
    GREATEST: _extreme,
    LEAST_FLOAT: _float_extreme,
    GREATEST_FLOAT: _float_extreme,
    TOTAL_FLOAT: _float_total,
    TOTAL_INTEGRAL: _float_total,
}
"""Any other part takes the rows of each firing one by one."""
