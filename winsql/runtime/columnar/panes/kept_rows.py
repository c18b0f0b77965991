"""Contents of windows that keep their rows: for an evictor, or because the rows leave with the firings."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from winsql.model.columnar import Longs
from winsql.runtime.columnar.panes.accumulators import Handed
from winsql.runtime.columnar.panes.arrivals import Arrivals, Entries, entries_of, grouping
from winsql.runtime.columnar.panes.selection import Selection, select
from winsql.runtime.columnar.shared.codec import Held
from winsql.runtime.columnar.shared.panes import Panes
from winsql.runtime.columnar.shared.plan import ColumnarPlan
from winsql.runtime.columnar.shared.runs import SPARSE, Fires, Operand, Runs

Column = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]


class Kept:
    """The rows of the panes, as runs side by side with them; results are computed from them at each firing.

    Methods may raise Unfit after they have changed something: the caller must undo that.
    """

    def __init__(self, plan: ColumnarPlan) -> None:
        self.plan = plan
        self.parts = plan.parts()
        none = np.zeros(0, dtype=np.int64)
        self.runs = Runs(np.zeros(1, dtype=np.int64), none, none, [part.empty(0) for part in self.parts])

    def restore(self, held: Held, arrivals: Arrivals) -> None:
        """The rows of panes as state has them; `arrivals` are `held.rows` in columns."""
        self.runs = _runs(arrivals, _places(arrivals.number, held.numbers), held.counts)

    def fitted(self, panes: int) -> Runs:
        """The rows of this many panes; the last ones may be new, without rows."""
        return _fitted(self.runs, panes)

    def add(self, arrivals: Arrivals, rows: Longs, places: Longs, panes: Panes) -> None:
        """Rows come into panes, and none fires."""
        self.runs = self._with(arrivals, entries_of(arrivals, rows, places, len(panes)), panes)

    def fire_rows(self, arrivals: Arrivals, entries: Entries, panes: Panes, fires: Mask) -> Handed:
        """Rows come into panes, and some of them fire."""
        before = np.diff(_begins(self.runs, len(panes)))
        self.runs = self._with(arrivals, entries, panes)
        at = np.flatnonzero(fires)
        pane = entries.panes[at]
        return self._handed(self._fire(panes, pane, before[pane] + entries.runs.rank[at] + 1))

    def fire_timers(self, places: Longs, panes: Panes) -> Handed:
        """Timers fire panes, in this order."""
        self.runs = _fitted(self.runs, len(panes))
        if self.plan.timed is not None and self.plan.timed.sorts and not self.plan.timed.purges:
            self.runs = _in_order_of_time(self.runs)
        order = grouping(places, len(panes))
        pane = places[order]
        selection = self._fire(panes, pane, np.diff(self.runs.begins)[pane])
        handed = self._handed(selection)
        fired = np.empty_like(handed.fired)
        fired[order] = handed.fired
        in_time = np.argsort(order[handed.fired], kind="stable")
        offsets, rows = reordered(handed.offsets, handed.rows, in_time)
        return Handed(fired, [part[in_time] for part in handed.parts], offsets, rows)

    def keep(self, chosen: Mask) -> None:
        """Forget the panes that are not chosen."""
        self.runs = _fitted(self.runs, len(chosen)).of_windows(chosen)

    def purge(self, places: Column, panes: Panes) -> None:
        """Drop the contents of some panes."""
        self.runs = _fitted(self.runs, len(panes))
        left = np.ones(len(panes), dtype=bool)
        left[places] = False
        self.runs = self.runs.where(np.repeat(left, np.diff(self.runs.begins)))
        panes.filled[places] = False

    def _with(self, arrivals: Arrivals, entries: Entries, panes: Panes) -> Runs:
        sizes = np.bincount(entries.panes, minlength=len(panes))
        return _merged(_fitted(self.runs, len(panes)), _runs(arrivals, entries.rows, sizes))

    def _fire(self, panes: Panes, pane: Longs, stop: Longs) -> Selection:
        """Fire panes, in ascending order, each with its first rows up to a number; evicts and purges."""
        fires = Fires(pane, stop, np.full(len(pane), self.plan.trigger.purges))
        touched = np.zeros(len(panes), dtype=bool)
        touched[pane] = True
        chosen = np.repeat(touched, np.diff(self.runs.begins))
        runs = self.runs if chosen.all() else self.runs.where(chosen)
        selection = select(runs, fires, self.plan.evictor, self.plan.evict_after)
        if not selection.left.all():
            chosen[chosen] = selection.left
            chosen[~np.repeat(touched, np.diff(self.runs.begins))] = True
            self.runs = self.runs.where(chosen)
            panes.filled[:] = np.diff(self.runs.begins) > 0
        return selection

    def _handed(self, selection: Selection) -> Handed:
        offsets, rows = selection.rows() if self.plan.hands_rows else (None, None)
        return Handed(selection.fired, selection.results(self.parts), offsets, rows)


def _places(numbers: Longs, wanted: Longs) -> Longs:
    """The places of some row numbers among ascending ones."""
    if not len(numbers) or int(numbers[-1] - numbers[0]) > SPARSE * len(wanted):
        return np.searchsorted(numbers, wanted)
    places: Longs = np.empty(int(numbers[-1] - numbers[0]) + 1, dtype=np.int64)
    places[numbers - numbers[0]] = np.arange(len(numbers))
    found: Longs = places[wanted - numbers[0]]
    return found


def reordered(offsets: Longs | None, rows: Longs | None, order: Longs) -> tuple[Longs | None, Longs | None]:
    """The rows that firings hand out, for some or all of these in another order."""
    if offsets is None or rows is None:
        return None, None
    if len(order) == len(offsets) - 1 and (order == np.arange(len(order))).all():
        return offsets, rows
    sizes = np.diff(offsets)[order]
    ends = np.cumsum(sizes)
    places = np.repeat(offsets[order] - (ends - sizes), sizes) + np.arange(sizes.sum())
    return np.concatenate([[0], ends]), rows[places]


def _runs(arrivals: Arrivals, rows: Longs, sizes: Longs) -> Runs:
    """Some rows, pane after pane; `sizes` tells how many each has."""
    return Runs(
        np.concatenate([[0], np.cumsum(sizes)]),
        arrivals.number[rows],
        arrivals.time[rows],
        [column[rows] for column in arrivals.inputs],
        arrivals.evicted and arrivals.evicted.take(rows),
    )


def _in_order_of_time(runs: Runs) -> Runs:
    """The rows of each pane by event time; of equal times in arrival order."""
    order = np.lexsort((runs.time, runs.owner))
    inputs = [column[order] for column in runs.inputs]
    return Runs(runs.begins, runs.number[order], runs.time[order], inputs, runs.operand and runs.operand.take(order))


def _begins(runs: Runs, panes: int) -> Longs:
    """Where runs begin when new panes have come after them."""
    return np.concatenate([runs.begins, np.full(panes + 1 - len(runs.begins), len(runs))])


def _fitted(runs: Runs, panes: int) -> Runs:
    return Runs(_begins(runs, panes), runs.number, runs.time, runs.inputs, runs.operand)


def _merged(old: Runs, new: Runs) -> Runs:
    """The rows of both, pane by pane the old ones first."""
    if not len(old) or not len(new):
        return new if len(new) else old
    at_old = np.arange(len(old)) + np.repeat(new.begins[:-1], np.diff(old.begins))
    at_new = np.arange(len(new)) + np.repeat(old.begins[1:], np.diff(new.begins))

    def both(left: Column, right: Column) -> Column:
        column = np.empty(len(old) + len(new), dtype=right.dtype)
        column[at_old], column[at_new] = left, right
        return column

    operand = None
    if old.operand is not None and new.operand is not None:
        values = both(old.operand.values, new.operand.values)
        operand = Operand(values, both(old.operand.present, new.operand.present), new.operand.unit)
    inputs = [both(*columns) for columns in zip(old.inputs, new.inputs, strict=True)]
    return Runs(old.begins + new.begins, both(old.number, new.number), both(old.time, new.time), inputs, operand)
