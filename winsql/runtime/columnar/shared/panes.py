"""The state of all panes of some keys as columns."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from winsql.model.columnar import Longs, TriggerValue
from winsql.runtime.columnar.shared.parts import Part

Column = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Layout:
    """Which columns panes have beside the common ones: the trigger's value, and parts of accumulators."""

    value: TriggerValue | None
    parts: tuple[Part, ...]


@dataclass(slots=True)
class Panes:
    """One entry per (key, window), those of a key in the order in which they began.

    key         number of the key
    start, end  the window; NO_TIME for the one that never ends
    arrival     number of the first row that came into it
    firings     how often it has fired
    written     processing time at which contents or trigger values last changed
    filled      whether it has contents
    values      columns of the trigger's value
    parts       columns of the accumulators; those of a pane without contents have their identities
    """

    key: Longs
    start: Longs
    end: Longs
    arrival: Longs
    firings: Longs
    written: Longs
    filled: npt.NDArray[np.bool_]
    values: list[Longs]
    parts: list[Column]

    @classmethod
    def empty(cls, layout: Layout) -> Panes:
        none = np.zeros(0, dtype=np.int64)
        return cls.begun(none, none, none, none, layout)

    @classmethod
    def of(cls, longs: Sequence[Longs], filled: Column, values: list[Longs], parts: list[Column]) -> Panes:
        """From the columns of integers in order, and the others."""
        key, start, end, arrival, firings, written = longs
        return cls(key, start, end, arrival, firings, written, filled, values, parts)

    @classmethod
    def begun(cls, key: Longs, start: Longs, end: Longs, arrival: Longs, layout: Layout) -> Panes:
        """New panes without contents."""
        firings, written = np.zeros((2, len(key)), dtype=np.int64)
        absent = layout.value.absent if layout.value else ()
        values = [np.full(len(key), value, dtype=np.int64) for value in absent]
        filled = np.zeros(len(key), dtype=bool)
        return cls(
            key, start, end, arrival, firings, written, filled, values, [part.empty(len(key)) for part in layout.parts]
        )

    def __len__(self) -> int:
        return len(self.key)

    @property
    def longs(self) -> list[Longs]:
        """The columns of integers, in order."""
        return [self.key, self.start, self.end, self.arrival, self.firings, self.written]

    @property
    def last(self) -> Longs:
        """The last instant of each window: of the one that never ends MAX_TIME, which is NO_TIME - 1 in 64 bits."""
        return self.end - 1

    def take(self, places: Column) -> Panes:
        """Some panes, by place or by mask."""
        longs = [column[places] for column in self.longs]
        values = [column[places] for column in self.values]
        return Panes.of(longs, self.filled[places], values, [part[places] for part in self.parts])

    def with_keys(self, key: Longs) -> Panes:
        """These panes with other numbers for their keys."""
        return Panes.of([key, *self.longs[1:]], self.filled, self.values, self.parts)

    def extended(self, other: Panes) -> Panes:
        """These panes, then others."""
        if not len(other):
            return self
        longs = [np.concatenate(pair) for pair in zip(self.longs, other.longs, strict=True)]
        filled = np.concatenate([self.filled, other.filled])
        values = [np.concatenate(pair) for pair in zip(self.values, other.values, strict=True)]
        parts = [np.concatenate(pair) for pair in zip(self.parts, other.parts, strict=True)]
        return Panes.of(longs, filled, values, parts)
