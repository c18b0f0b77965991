"""Columnar forms of assigners and triggers: the rules of `winsql.model`, for all rows or panes at once.

`ASSIGNERS` and `TRIGGERS` say which policy classes have one; a class that is not listed runs on the per-row operator.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from winsql.model.assigners import Assigner, CumulatingWindows, SlidingWindows, TumblingWindows
from winsql.model.base import MIN_TIME
from winsql.model.nested_triggers import PurgingTrigger
from winsql.model.triggers import ContinuousEventTimeTrigger, EventTimeTrigger, Trigger

__all__ = [
    "ASSIGNERS",
    "NO_TIME",
    "TRIGGERS",
    "Assigned",
    "AssignerForm",
    "Longs",
    "TriggerForm",
    "spread",
    "trigger_form",
]

Longs = npt.NDArray[np.int64]

NO_TIME = MIN_TIME
"""In a column of times: none. No window of the engine ends there."""


@dataclass(frozen=True, slots=True)
class Assigned:
    """Pairs of row and window, row by row, each row's windows in the assigner's order."""

    rows: Longs
    start: Longs
    end: Longs

    def where(self, chosen: npt.NDArray[np.bool_]) -> Assigned:
        """Only these pairs."""
        return Assigned(self.rows[chosen], self.start[chosen], self.end[chosen])


class AssignerForm(Protocol):
    """An assigner over a column of times. Within it a window is told by its end.

    period   all window ends are a multiple of it apart
    fanout   windows of one row at most
    """

    @property
    def period(self) -> int: ...

    @property
    def fanout(self) -> int: ...

    def assign(self, times: Longs) -> Assigned:
        """The windows of each row."""


@dataclass(frozen=True, slots=True)
class _Tumbling:
    size: int
    offset: int

    @property
    def period(self) -> int:
        return self.size

    @property
    def fanout(self) -> int:
        return 1

    def assign(self, times: Longs) -> Assigned:
        start = _floor(times, self.size, self.offset)
        return Assigned(np.arange(len(times)), start, start + self.size)


@dataclass(frozen=True, slots=True)
class _Sliding:
    size: int
    slide: int
    offset: int

    @property
    def period(self) -> int:
        return self.slide

    @property
    def fanout(self) -> int:
        return -(-self.size // self.slide)

    def assign(self, times: Longs) -> Assigned:
        newest = _floor(times, self.slide, self.offset)
        rows, place = spread((newest - times + self.size + self.slide - 1) // self.slide)
        start = newest[rows] - place * self.slide
        return Assigned(rows, start, start + self.size)


@dataclass(frozen=True, slots=True)
class _Cumulating:
    size: int
    step: int
    offset: int

    @property
    def period(self) -> int:
        return self.step

    @property
    def fanout(self) -> int:
        return self.size // self.step

    def assign(self, times: Longs) -> Assigned:
        start = _floor(times, self.size, self.offset)
        first_end = _floor(times, self.step, self.offset) + self.step
        rows, place = spread((start + self.size - first_end) // self.step + 1)
        return Assigned(rows, start[rows], first_end[rows] + place * self.step)


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


def _purging(trigger: PurgingTrigger) -> TriggerForm | None:
    inner = trigger_form(trigger.trigger)
    return inner and replace(inner, purges=True)


ASSIGNERS: dict[type[Assigner], Callable[[Any], AssignerForm]] = {
    TumblingWindows: lambda a: _Tumbling(a.size, a.offset),
    SlidingWindows: lambda a: _Sliding(a.size, a.slide, a.offset),
    CumulatingWindows: lambda a: _Cumulating(a.size, a.step, a.offset),
}
TRIGGERS: dict[type[Trigger], Callable[[Any], TriggerForm | None]] = {
    EventTimeTrigger: lambda t: TriggerForm(),
    ContinuousEventTimeTrigger: lambda t: TriggerForm(t.interval),
    PurgingTrigger: _purging,
}


def trigger_form(trigger: Trigger) -> TriggerForm | None:
    """The columnar form of a trigger, None when it has none."""
    form = TRIGGERS.get(type(trigger))
    return form(trigger) if form else None


def _floor(times: Longs, size: int, offset: int) -> Longs:
    """The start of the period that holds each time."""
    return times - (times - offset) % size


def spread(counts: Longs) -> tuple[Longs, Longs]:
    """`counts[i]` entries for the i-th row: the row of each entry, and its number within the row."""
    rows = np.repeat(np.arange(len(counts)), counts)
    begins = np.cumsum(counts) - counts
    return rows, np.arange(len(rows)) - begins[rows]
