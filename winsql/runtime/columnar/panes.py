"""The state of all panes of some keys as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from winsql.model.columnar import NO_TIME, Longs
from winsql.runtime.columnar.parts import Part

__all__ = ["Panes"]

Column = npt.NDArray[Any]


@dataclass(slots=True)
class Panes:
    """One entry per (key, window), those of a key in the order in which they began.

    key         number of the key
    start, end  the window
    arrival     number of the first row that came into it
    firings     how often it has fired
    written     processing time at which contents or trigger values last changed
    next_fire   the trigger's next early firing; NO_TIME without one
    filled      whether it has contents
    parts       columns of the accumulators; those of a pane without contents have their identities
    """

    key: Longs
    start: Longs
    end: Longs
    arrival: Longs
    firings: Longs
    written: Longs
    next_fire: Longs
    filled: npt.NDArray[np.bool_]
    parts: list[Column]

    @classmethod
    def empty(cls, parts: Sequence[Part]) -> Panes:
        none = np.zeros(0, dtype=np.int64)
        return cls.begun(none, none, none, none, parts)

    @classmethod
    def of(cls, longs: Sequence[Longs], filled: npt.NDArray[np.bool_], parts: list[Column]) -> Panes:
        """From the columns of integers in order, and the others."""
        key, start, end, arrival, firings, written, next_fire = longs
        return cls(key, start, end, arrival, firings, written, next_fire, filled, parts)

    @classmethod
    def begun(cls, key: Longs, start: Longs, end: Longs, arrival: Longs, parts: Sequence[Part]) -> Panes:
        """New panes without contents."""
        firings, written = np.zeros((2, len(key)), dtype=np.int64)
        no_time = np.full(len(key), NO_TIME)
        filled = np.zeros(len(key), dtype=bool)
        empty = [part.empty(len(key)) for part in parts]
        return cls(key, start, end, arrival, firings, written, no_time, filled, empty)

    def __len__(self) -> int:
        return len(self.key)

    @property
    def longs(self) -> list[Longs]:
        """The columns of integers, in order."""
        return [self.key, self.start, self.end, self.arrival, self.firings, self.written, self.next_fire]

    @property
    def last(self) -> Longs:
        """The last instant of each window."""
        return self.end - 1

    def take(self, places: Column) -> Panes:
        """Some panes, by place or by mask."""
        longs = [column[places] for column in self.longs]
        return Panes.of(longs, self.filled[places], [part[places] for part in self.parts])

    def with_keys(self, key: Longs) -> Panes:
        """These panes with other numbers for their keys."""
        return Panes.of([key, *self.longs[1:]], self.filled, self.parts)

    def extended(self, other: Panes) -> Panes:
        """These panes, then the others."""
        if not len(other):
            return self
        longs = [np.concatenate(pair) for pair in zip(self.longs, other.longs, strict=True)]
        filled = np.concatenate([self.filled, other.filled])
        return Panes.of(longs, filled, [np.concatenate(pair) for pair in zip(self.parts, other.parts, strict=True)])

    def purge(self, places: Column, parts: Sequence[Part]) -> None:
        """Drop the contents of some panes."""
        self.filled[places] = False
        for column, part in zip(self.parts, parts, strict=True):
            column[places] = part.identity

    def next_timers(self, watermark: int, lateness: int) -> Longs:
        """The earliest pending timer of each pane: an early firing, the window's end, or its cleanup."""
        last = self.last
        first = np.where(self.next_fire == NO_TIME, last, self.next_fire)
        return np.where(last > watermark, first, last + lateness)
