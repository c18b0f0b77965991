"""Contents of windows that keep accumulators only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from winsql.model.columnar import Longs
from winsql.runtime.columnar.panes.arrivals import Arrivals, Entries, grouping
from winsql.runtime.columnar.shared.panes import Layout, Panes

Column = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Handed:
    """What firings hand out.

    fired          per firing asked for: whether it came about; a window without contents does not fire
    parts          the accumulators of those that did, one column per part
    offsets, rows  where rows are handed out: their numbers, firing by firing, and where those of each firing begin
    """

    fired: Mask
    parts: list[Column]
    offsets: Longs | None = None
    rows: Longs | None = None


class Accumulated:
    """The accumulators of the panes, kept in the panes themselves; with `purges`, a firing drops them."""

    def __init__(self, layout: Layout, purges: bool) -> None:
        self.parts = layout.parts
        self.purges = purges

    def add(self, arrivals: Arrivals, rows: Longs, places: Longs, panes: Panes) -> None:
        """Rows come into panes, and none fires."""
        for part, state, values in zip(self.parts, panes.parts, arrivals.inputs, strict=True):
            part.fold(state, places, values[rows])

    def fire_rows(self, arrivals: Arrivals, entries: Entries, panes: Panes, fires: Mask) -> Handed:
        """Rows come into panes, and some of them fire."""
        if self.purges:
            return self._fire_and_purge(arrivals, entries, panes, fires)
        runs, at = entries.runs, np.flatnonzero(fires)
        ends = runs.begins + runs.counts - 1
        segments = np.repeat(np.arange(len(runs.begins)), runs.counts)
        handed = []
        for part, state, values in zip(self.parts, panes.parts, arrivals.inputs, strict=True):
            column = part.running(state[runs.pane], segments, runs.begins, values[entries.rows])
            handed.append(column[at])
            state[runs.pane] = column[ends]
        return Handed(np.ones(len(at), dtype=bool), handed)

    def fire_timers(self, places: Longs, panes: Panes) -> Handed:
        """Timers fire panes, in this order."""
        fired = panes.filled[places]
        if self.purges and len(places):
            first = np.zeros(len(places), dtype=bool)
            order = grouping(places, len(panes))
            first[order[np.flatnonzero(np.diff(places[order], prepend=-1))]] = True
            fired &= first
        handed = [part[places[fired]] for part in panes.parts]
        if self.purges:
            self.purge(places, panes)
        return Handed(fired, handed)

    def keep(self, chosen: Mask) -> None:
        """Forget the panes that are not chosen; nothing to do, as all is in the panes."""

    def purge(self, places: Column, panes: Panes) -> None:
        """Drop the contents of some panes."""
        panes.filled[places] = False
        for column, part in zip(panes.parts, self.parts, strict=True):
            column[places] = part.identity

    def _fire_and_purge(self, arrivals: Arrivals, entries: Entries, panes: Panes, fires: Mask) -> Handed:
        """Accumulators start anew after each firing: one per stretch of rows up to a firing, or up to the last row."""
        runs, at = entries.runs, np.flatnonzero(fires)
        starts = np.zeros(len(fires), dtype=bool)
        starts[1:] = fires[:-1]
        restarts = starts.copy()
        starts[runs.begins], restarts[runs.begins] = True, False
        stretch = np.cumsum(starts) - 1
        last = np.append(stretch[runs.begins[1:]] - 1, stretch[-1])
        fresh = restarts[starts]
        handed = []
        for part, state, values in zip(self.parts, panes.parts, arrivals.inputs, strict=True):
            accumulators = np.where(fresh, part.identity, state[entries.panes[starts]]).astype(part.dtype)
            part.fold(accumulators, stretch, values[entries.rows])
            handed.append(accumulators[stretch[at]])
            state[runs.pane] = accumulators[last]
        self.purge(runs.pane[fires[runs.begins + runs.counts - 1]], panes)
        return Handed(np.ones(len(at), dtype=bool), handed)
