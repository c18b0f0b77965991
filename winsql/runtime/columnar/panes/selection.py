"""What firings see of the rows that windows keep, and what is left of them: evictors, purges, results, row numbers.

A row is in its window from one firing on until it is dropped for good, so contents need not be read firing by firing.
A sum of integers is what has come less what has gone. For MIN and MAX each row goes to the firings that see it. Only
sums of floats, which must be added in order, are computed from the rows themselves.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from winsql.model.columnar import Longs
from winsql.model.columnar.evictors import EvictorForm, Visits
from winsql.runtime.columnar.panes.lifetimes import Lifetimes
from winsql.runtime.columnar.panes.totals import over_contents
from winsql.runtime.columnar.shared.limits import Unfit
from winsql.runtime.columnar.shared.parts import Part
from winsql.runtime.columnar.shared.runs import Fires, Runs

Column = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Selection:
    """What firings see.

    fired  per firing asked for: whether its window had contents
    left   per row of the runs: whether it is in its window after all firings
    """

    runs: Runs
    lifetimes: Lifetimes
    fired: Mask
    left: Mask

    def results(self, parts: Sequence[Part]) -> list[Column]:
        """The accumulators over the contents of each firing that fired, one column per part.

        Raises Unfit where a sum might leave 64 bits.
        """
        pairs = zip(parts, self.runs.inputs, strict=True)
        with np.errstate(all="ignore"):
            return [over_contents(part, self.lifetimes, values)[self.fired] for part, values in pairs]

    def rows(self) -> tuple[Longs, Longs]:
        """The row numbers of each firing that fired, and where they begin, with the end of the last."""
        places = np.concatenate([_NONE, *(places for _, _, places in self.lifetimes.pieces())])
        offsets = np.concatenate([[0], np.cumsum(self.lifetimes.sizes[self.fired])])
        return offsets, self.runs.number[places]

    def kept(self) -> Runs:
        """The rows that are left, in their windows."""
        return self.runs.where(self.left)


def select(runs: Runs, fires: Fires, evictor: EvictorForm | None, evict_after: bool) -> Selection:
    """The contents of firings of windows that begin with the rows of `runs`.

    Raises Unfit when the evictor's form cannot judge such rows; nothing is changed by any call here.
    """
    reason = None if evictor is None else runs.misfit(evictor)
    if reason is not None:
        raise Unfit(reason)
    ends = runs.begins[fires.pane] + fires.stop
    enter = np.cumsum(np.bincount(ends, minlength=len(runs) + 1))[: len(runs)]
    until = np.searchsorted(fires.pane, np.arange(len(runs.begins) - 1), side="right")[runs.owner]
    purged = np.zeros(len(runs), dtype=bool)
    if fires.purges.any():
        purges = np.append(np.flatnonzero(fires.purges), len(fires))
        purge = purges[np.searchsorted(purges, enter)]
        purged = purge < until
        until = np.where(purged, purge + 1, until)
    evicted = until if evictor is None else _evicted(runs, evictor, enter, until, ends)
    there = Lifetimes.of(enter, np.minimum(evicted + 1, until), len(fires))
    seen = there if evict_after else Lifetimes.of(enter, np.minimum(evicted, until), len(fires))
    return Selection(runs, seen, there.sizes > 0, (evicted >= until) & ~purged)


_NONE = np.zeros(0, dtype=np.int64)


def _evicted(runs: Runs, evictor: EvictorForm, enter: Longs, until: Longs, ends: Longs) -> Longs:
    newest, operand = np.maximum(ends - 1, 0), runs.operand
    visits = Visits(enter, until, newest, runs.time)
    if operand is not None:
        visits = Visits(enter, until, newest, runs.time, operand.values, operand.present, operand.unit)
    return evictor.evicted(visits)
