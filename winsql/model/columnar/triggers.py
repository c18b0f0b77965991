"""Triggers over a column of panes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from winsql.model.columnar.columns import NO_TIME, Longs

__all__ = ["TriggerForm"]


@dataclass(frozen=True, slots=True)
class TriggerForm:
    """A trigger that fires at a window's end and, with an `interval`, at its multiples before; `purges` after firing.

    A row that comes behind the watermark's passing of the end fires at once.
    """

    interval: int | None = None
    purges: bool = False

    def first_fire(self, times: Longs, last: Longs) -> Longs:
        """The first early firing of windows whose first row has this time; NO_TIME without early firings."""
        if self.interval is None:
            return np.full(len(times), NO_TIME)
        return np.minimum(times - np.fmod(times, self.interval) + self.interval, last)

    def early_fires(self, next_fire: Longs, last: Longs, watermark: int) -> Longs:
        """How many early firings, from `next_fire` on, are due at the watermark in windows whose end is not past."""
        if self.interval is None:
            return np.zeros(len(last), dtype=np.int64)
        until = np.minimum(last - 1, watermark)
        return np.where(next_fire <= until, (until - next_fire) // self.interval + 1, 0)

    def next_fire(self, next_fire: Longs, last: Longs, fires: Longs) -> Longs:
        """The next early firing after so many."""
        return next_fire if self.interval is None else np.minimum(next_fire + fires * self.interval, last)
