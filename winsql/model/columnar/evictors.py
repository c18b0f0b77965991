"""Evictors over the rows of many windows and all their firings at once.

A row enters its window before some firing and, once dropped, never comes back. So an evictor decides one thing per
row: the firing that drops it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from winsql.model.columnar.columns import NO_TIME, Longs
from winsql.model.columnar.delta import dropped_one_by_one, first_far
from winsql.model.distance import exact

Column = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Visits:
    """Rows and firings, each numbered through, window after window in order of arrival and of time.

    enter    per row: the first firing that finds it in its window
    until    per row: the first firing that would not find it even without the evictor; `enter` when none finds it
    newest   per firing: the last row that has come into the window by then
    time     per row: the event time, NO_TIME when it has none
    value    per row: the evictor's expression, in whole `unit`s of it where they are integers; None without one
    present  per row: whether the expression is not NULL
    """

    enter: Longs
    until: Longs
    newest: Longs
    time: Longs
    value: Column | None = None
    present: Mask | None = None
    unit: int = 1

    @property
    def firings(self) -> int:
        return len(self.newest)

    @property
    def stretch(self) -> Longs:
        """Numbers the stretches of rows between purges of one window; rows that no firing finds belong to any."""
        ends = np.diff(self.until, prepend=self.until[:1])
        return np.cumsum(ends != 0)


class EvictorForm(Protocol):
    """An evictor; `slot` is that of the expression it reads, None without one."""

    @property
    def slot(self) -> int | None: ...

    def misfit(self, times: Longs, values: Column | None) -> str | None:
        """Why the per-row operator must judge windows that have such rows; None when `evicted` can."""

    def evicted(self, visits: Visits) -> Longs:
        """The firing that drops each row, `until` or any later number when none does."""


@dataclass(frozen=True, slots=True)
class Newest:
    """All but the last `n` rows go."""

    n: int

    @property
    def slot(self) -> None:
        return None

    def misfit(self, times: Longs, values: Column | None) -> None:
        return None

    def evicted(self, visits: Visits) -> Longs:
        """A row goes when the n-th row after it is there."""
        rows = len(visits.enter)
        gone = np.full(rows, visits.firings)
        gone[: max(rows - self.n, 0)] = visits.enter[self.n :]
        return gone


@dataclass(frozen=True, slots=True)
class Recent:
    """Rows as old as the newest event time less `interval`, or older, go; none when the first row has no event time."""

    interval: int

    @property
    def slot(self) -> None:
        return None

    def misfit(self, times: Longs, values: Column | None) -> str | None:
        missing = times == NO_TIME
        if missing.all():
            return None
        if missing.any():
            return "rows with and without event time"
        return "an event time near the end of 64 bits" if _greatest(times) + self.interval >= _SAFE else None

    def evicted(self, visits: Visits) -> Longs:
        """The newest row stays, so the time before which rows go never turns back until the window is purged.

        A row goes at the first firing after the first row that is newer by the interval, be it older or younger.
        With an interval of 0 all rows go at once, which is the same rule.
        """
        if not len(visits.time) or visits.time[0] == NO_TIME:
            return visits.until
        since, due = _in_order(visits.time, visits.stretch, self.interval)
        newer = np.searchsorted(np.maximum.accumulate(since), due)
        return np.append(visits.enter, visits.firings)[np.maximum(newer, np.arange(len(since)))]


@dataclass(frozen=True, slots=True)
class Near:
    """Rows whose expression is `threshold` or more away from the last row's go; `signed`: or more below it."""

    slot: int
    threshold: float
    signed: bool

    def misfit(self, times: Longs, values: Column | None) -> str | None:
        if values is not None and values.dtype == np.float64:
            is_exact = self.threshold != self.threshold or float(self.threshold) == self.threshold
            return None if is_exact else "a threshold that is no float"
        return "a value near the end of 64 bits" if values is not None and _greatest(values) >= _SAFE else None

    def evicted(self, visits: Visits) -> Longs:
        value, present = visits.value, visits.present
        if value is None or present is None:
            raise ValueError("an evictor by distance needs the values of its expression")
        if self.threshold != self.threshold:
            return visits.until
        limit = self._limit(value, visits.unit)
        if limit <= 0:
            return dropped_one_by_one(visits.enter, visits.until, value, present, limit, signed=self.signed)
        return first_far(visits.enter, visits.until, visits.newest, value, present, limit, signed=self.signed)

    def _limit(self, value: Column, unit: int) -> Any:
        """The threshold for values as the column has them; no distance of fit integers is as great as the greatest."""
        if value.dtype == np.float64:
            return float(self.threshold)
        if math.isinf(self.threshold):
            return 2 * _SAFE if self.threshold > 0 else -2 * _SAFE
        return max(min(math.ceil(exact(self.threshold) * unit), 2 * _SAFE), -2 * _SAFE)


_SAFE = 1 << 60
"""Values, times and durations up to this can be added and told apart in 64 bits."""


def _greatest(values: Longs) -> int:
    """The greatest distance from 0."""
    return max(int(values.max(initial=0)), -int(values.min(initial=0)))


def _in_order(times: Longs, stretch: Longs, interval: int) -> tuple[Longs, Longs]:
    """Numbers that ascend from stretch to stretch and with time in it: one per time, one per time plus interval."""
    first = np.flatnonzero(np.diff(stretch, prepend=-1))
    since = times - np.minimum.reduceat(times, first)[stretch]
    due = since + interval
    span = int(due.max()) + 1
    if span * len(first) >= 1 << 62:
        ranks = np.unique(np.concatenate([since, due]), return_inverse=True)[1]
        since, due = np.split(ranks, 2)
        span = len(ranks)
    return since + stretch * span, due + stretch * span
