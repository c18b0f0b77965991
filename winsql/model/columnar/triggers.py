"""Triggers over a column of panes: what their timers do, or which of the rows that come fire."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from winsql.model.base import TimeDomain
from winsql.model.columnar.columns import NO_TIME, Longs
from winsql.model.columnar.values import LAST_FIRED, NEXT_FIRE, ROWS, TriggerValue, mark_columns, marks_of

Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class Values:
    """An operand of rows, INT64 or DOUBLE, and where it is not NULL."""

    values: npt.NDArray[Any]
    present: Mask

    def take(self, places: Any) -> Values:
        return Values(self.values[places], self.present[places])


@dataclass(frozen=True, slots=True)
class Runs:
    """Rows that come into panes, those of a pane together and in arrival order: a run.

    pane, begins, counts   per run: the place of its pane, where it begins, how many rows it has
    rank                   per row: its number within the run
    operand                per row: what the trigger reads of it
    """

    pane: Longs
    begins: Longs
    counts: Longs
    rank: Longs
    operand: Values | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class TriggerForm:
    """What all triggers have; `purges` says that each firing drops the contents.

    value   what the trigger remembers per pane, as columns of integers
    clock   the clock whose timers it sets
    slot    where rows have the operand it reads
    by_rows   whether rows fire, each by what came before it; otherwise time does, and rows after the window's end
    """

    value: ClassVar[TriggerValue | None] = None
    by_rows: ClassVar[bool] = False
    purges: bool = False

    @property
    def clock(self) -> TimeDomain | None:
        return None

    @property
    def slot(self) -> int | None:
        return None

    def on_rows(self, runs: Runs, values: Sequence[Longs]) -> Mask:
        """Which rows fire; `values` are the columns of the trigger's value over all panes, and are changed."""
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class TimeForm(TriggerForm):
    """A trigger that fires at a window's end and, with an `interval`, at its multiples before.

    fires_after_end   whether a row that comes after the end fires at once
    sorts          whether it puts the rows of a window in order of event time before it fires; within PURGING it does
                   not
    """

    value = NEXT_FIRE
    domain: TimeDomain = TimeDomain.EVENT
    interval: int | None = None
    fires_after_end: bool = True
    sorts: bool = False

    @property
    def clock(self) -> TimeDomain | None:
        return self.domain

    def first_fire(self, times: Longs, last: Longs) -> Longs:
        """The first early firing of windows whose first row has this time; NO_TIME without early firings."""
        if self.interval is None:
            return np.full(len(times), NO_TIME)
        return np.minimum(times - np.fmod(times, self.interval) + self.interval, last)

    def early_fires(self, next_fire: Longs, last: Longs, until: int) -> Longs:
        """How many early firings, from `next_fire` on, are due at an instant in windows whose end is not past."""
        if self.interval is None:
            return np.zeros(len(last), dtype=np.int64)
        latest = np.minimum(last - 1, until)
        is_due = (next_fire != NO_TIME) & (next_fire <= latest)
        return np.where(is_due, (latest - next_fire) // self.interval + 1, 0)

    def next_fire(self, next_fire: Longs, last: Longs, fires: Longs) -> Longs:
        """The next early firing after so many."""
        return next_fire if self.interval is None else np.minimum(next_fire + fires * self.interval, last)

    def on_rows(self, runs: Runs, values: Sequence[Longs]) -> Mask:
        """All of them: only rows after the end are asked about."""
        return np.ones(len(runs.rank), dtype=bool)


@dataclass(frozen=True, slots=True)
class NeverForm(TriggerForm):
    """Never fires."""

    def on_rows(self, runs: Runs, values: Sequence[Longs]) -> Mask:
        return np.zeros(len(runs.rank), dtype=bool)


@dataclass(frozen=True, slots=True)
class CountForm(TriggerForm):
    """Every n-th row of a pane fires."""

    value = ROWS
    by_rows = True
    n: int

    def on_rows(self, runs: Runs, values: Sequence[Longs]) -> Mask:
        rows = values[0]
        before = rows[runs.pane]
        # more than n may be left of sessions that merged: the next row fires, and counting begins anew
        first = np.maximum(self.n - before, 1) - 1
        rank = runs.rank - np.repeat(first, runs.counts)
        left = runs.counts - 1 - first
        rows[runs.pane] = np.where(left < 0, before + runs.counts, left % self.n)
        fires: Mask = (rank >= 0) & (rank % self.n == 0)
        return fires


@dataclass(frozen=True, slots=True)
class DeltaForm(TriggerForm):
    """A row fires when its operand moved by more than the threshold since the row that fired last."""

    value = LAST_FIRED
    by_rows = True
    operand: int
    threshold: Any
    signed: bool

    @property
    def slot(self) -> int | None:
        return self.operand

    def on_rows(self, runs: Runs, values: Sequence[Longs]) -> Mask:
        if runs.operand is None:
            raise ValueError("DELTA needs its operand")
        marks = marks_of([column[runs.pane] for column in values])
        column: list[Any] = runs.operand.values.tolist()
        for place in np.flatnonzero(~runs.operand.present).tolist():
            column[place] = None
        fired: list[int] = []
        for run, (begin, count) in enumerate(zip(runs.begins.tolist(), runs.counts.tolist(), strict=True)):
            marks[run] = self._run(marks[run], begin, column[begin : begin + count], fired)
        for held, changed in zip(values, mark_columns(marks), strict=True):
            held[runs.pane] = changed
        fires = np.zeros(len(column), dtype=bool)
        fires[fired] = True
        return fires

    def _run(self, mark: Any, begin: int, column: list[Any], fired: list[int]) -> Any:
        """The rows of one pane, the first at `begin`; returns the pane's mark, and adds which rows fire."""
        most = self.threshold
        least = -math.inf if self.signed else -most
        for place, value in enumerate(column, begin):
            if value is None:
                continue
            if mark is None:
                mark = value
                continue
            delta = value - mark
            if delta > most or delta < least:
                mark = value
                fired.append(place)
        return mark
