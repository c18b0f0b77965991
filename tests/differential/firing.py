"""What Flink's window operator does with the rows of one key, one row after the other.

Written from the rules alone, for rows of any number that a test can have.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from differential.aggregates import aggregate
from differential.expressions import Aggregate, Expression, Known, calls_of, value
from differential.windows import (
    AnyOf,
    Assigner,
    Continuous,
    Count,
    CountTrigger,
    Delta,
    EndOfStream,
    EventTime,
    Evictor,
    Global,
    KeepLast,
    KeepNear,
    KeepNewest,
    Purging,
    Session,
    Sliding,
    Trigger,
    Tumbling,
    When,
    Window,
    Windowing,
)

INFINITY = 1 << 62
"""The watermark after the last row of a table."""

GLOBAL: Window = (-INFINITY, INFINITY)


class Arrived(NamedTuple):
    """A row at the operator: its event time, None without one, and its columns."""

    time: int | None
    known: Known


class Firing(NamedTuple):
    window: Window
    index: int
    timing: str | None
    rows: list[Arrived]


class Watermark(NamedTuple):
    """No row at or before it comes any more; `is_end`: nothing comes any more."""

    at: int
    is_end: bool = False


@dataclass
class Pane:
    """What is kept of a window: rows by number of arrival, timers, and progress of its triggers by their place."""

    rows: list[tuple[int, Arrived]] = field(default_factory=list)
    timers: set[int] = field(default_factory=set)
    progress: dict[Any, Any] = field(default_factory=dict)
    firings: int = 0
    written: bool = False


def windows_of(assigner: Assigner, row: Arrived) -> Iterator[Window]:
    """Newest first."""
    if isinstance(assigner, (Count, Global)):
        yield GLOBAL
        return
    time = row.time
    assert time is not None
    if isinstance(assigner, Session):
        gap = assigner.gap if isinstance(assigner.gap, int) else value(assigner.gap, row.known)
        yield (time, time + gap)
        return
    if isinstance(assigner, Sliding):
        start = time - (time - assigner.offset) % assigner.slide
        while start > time - assigner.size:
            yield (start, start + assigner.size)
            start -= assigner.slide
        return
    start = time - (time - assigner.offset) % assigner.size
    if isinstance(assigner, Tumbling):
        yield (start, start + assigner.size)
        return
    for end in range(start + assigner.step, start + assigner.size + 1, assigner.step):
        if end > time:
            yield (start, end)


def effective(windowing: Windowing) -> tuple[Trigger, Evictor | None]:
    """With what COUNT stands for, and the default trigger."""
    assigner = windowing.assigner
    if isinstance(assigner, Count):
        if assigner.slide is None:
            return windowing.trigger or Purging(CountTrigger(assigner.n)), windowing.evictor
        return windowing.trigger or CountTrigger(assigner.slide), windowing.evictor or KeepLast(assigner.n)
    return windowing.trigger or EventTime(), windowing.evictor


def firings(windowing: Windowing, steps: Iterable[Arrived | Watermark]) -> list[Firing]:
    """What the rows of one key give, in order."""
    operator = _Operator(windowing)
    for step in steps:
        if isinstance(step, Watermark):
            operator.advance(step)
        else:
            operator.take(step)
    return operator.fired


class _Operator:
    def __init__(self, windowing: Windowing) -> None:
        self.windowing = windowing
        self.trigger, self.evictor = effective(windowing)
        self.has_time = windowing.has_time
        self.panes: dict[Window, Pane] = {}
        self.watermark = -INFINITY
        self.arrivals = 0
        self.fired: list[Firing] = []

    def take(self, row: Arrived) -> None:
        if row.time is None and self.has_time:
            return
        self.arrivals += 1
        for window in windows_of(self.windowing.assigner, row):
            if isinstance(self.windowing.assigner, Session):
                window = self._merged(window)
            if self.has_time and self._cleanup(window) <= self.watermark:
                self.panes.pop(window, None)
                continue
            pane = self.panes.setdefault(window, Pane())
            pane.rows.append((self.arrivals, row))
            pane.written = True
            self._act(window, pane, self._on_row(self.trigger, (), window, pane, row), None)
            if self.has_time:
                pane.timers.add(self._cleanup(window))

    def advance(self, watermark: Watermark) -> None:
        if watermark.at <= self.watermark:
            return
        self.watermark = watermark.at
        while due := sorted((t, w) for w, p in self.panes.items() for t in p.timers if t <= watermark.at):
            if watermark.is_end:  # timers that are set meanwhile are ignored, as in Flink's batch runtime
                for time, window in due:
                    self._on_timer(time, window)
                return
            self._on_timer(*due[0])

    def _cleanup(self, window: Window) -> int:
        return window[1] - 1 + (self.windowing.lateness or 0)

    def _merged(self, window: Window) -> Window:
        """Sessions that meet are one; the oldest one's pane lives on."""
        met = [other for other in self.panes if other[0] <= window[1] and window[0] <= other[1]]
        whole = (min([window[0], *(w[0] for w in met)]), max([window[1], *(w[1] for w in met)]))
        if not met or met == [whole]:
            return whole
        panes = [self.panes.pop(other) for other in met]
        pane = Pane(rows=sorted((r for p in panes for r in p.rows), key=lambda held: held[0]))
        pane.firings = max(p.firings for p in panes)
        pane.written = any(p.written for p in panes)
        for p in panes:
            for place, held in p.progress.items():
                pane.progress[place] = pane.progress.get(place, 0) + held
        self.panes[whole] = pane
        if whole[1] - 1 > self.watermark:
            pane.timers.add(whole[1] - 1)
        return whole

    def _on_timer(self, time: int, window: Window) -> None:
        pane = self.panes.get(window)
        if pane is None or time not in pane.timers:
            return
        pane.timers.discard(time)
        self._act(window, pane, self._on_time(self.trigger, (), window, pane, time), time)
        if self.has_time and time == self._cleanup(window):
            self.panes.pop(window, None)

    def _act(self, window: Window, pane: Pane, decision: tuple[bool, bool], timer: int | None) -> None:
        fires, purges = decision
        if fires and pane.rows:
            self._fire(window, pane, timer)
        if purges:
            pane.rows = []

    def _fire(self, window: Window, pane: Pane, timer: int | None) -> None:
        index, pane.firings = pane.firings, pane.firings + 1
        kept = pane.rows if self.evictor is None else _KEPT[type(self.evictor)](self.evictor, pane.rows)
        shown = pane.rows if self.windowing.after else kept
        self.fired.append(Firing(window, index, self._timing(window, timer), [row for _, row in shown]))
        pane.rows = kept

    def _timing(self, window: Window, timer: int | None) -> str | None:
        if not self.has_time:
            return None
        at = self.watermark if timer is None else timer
        if at < window[1] - 1:
            return "EARLY"
        return "LATE" if timer is None or at > window[1] - 1 else "ON_TIME"

    def _on_row(
        self, trigger: Trigger, place: tuple[int, ...], window: Window, pane: Pane, row: Arrived
    ) -> tuple[bool, bool]:
        """Whether to fire, and to purge; a trigger keeps its progress under its place among the triggers."""
        if isinstance(trigger, Purging):
            fires, purges = self._on_row(trigger.trigger, place, window, pane, row)
            return fires, purges or fires
        if isinstance(trigger, AnyOf):
            return _both(self._on_row(t, (*place, n), window, pane, row) for n, t in enumerate(trigger.triggers))
        return _ON_ROW[type(trigger)](self, trigger, place, window, pane, row), False

    def _on_time(
        self, trigger: Trigger, place: tuple[int, ...], window: Window, pane: Pane, time: int
    ) -> tuple[bool, bool]:
        if isinstance(trigger, Purging):
            fires, purges = self._on_time(trigger.trigger, place, window, pane, time)
            return fires, purges or fires
        if isinstance(trigger, AnyOf):
            return _both(self._on_time(t, (*place, n), window, pane, time) for n, t in enumerate(trigger.triggers))
        if isinstance(trigger, EventTime):
            return time == window[1] - 1, False
        if isinstance(trigger, EndOfStream):
            return time == INFINITY - 1, False
        if isinstance(trigger, Continuous):
            return _continuous_on_time(trigger, place, window, pane, time), False
        return False, False


def _both(decisions: Iterable[tuple[bool, bool]]) -> tuple[bool, bool]:
    held = list(decisions)
    return any(fires for fires, _ in held), any(purges for _, purges in held)


def _event_time(operator: _Operator, trigger: EventTime, place: Any, window: Window, pane: Pane, row: Arrived) -> bool:
    if window[1] - 1 <= operator.watermark:
        return True
    pane.timers.add(window[1] - 1)
    return False


def _end(operator: _Operator, trigger: EndOfStream, place: Any, window: Window, pane: Pane, row: Arrived) -> bool:
    pane.timers.add(INFINITY - 1)
    return False


def _count(operator: _Operator, trigger: CountTrigger, place: Any, window: Window, pane: Pane, row: Arrived) -> bool:
    count = pane.progress.get(place, 0) + 1
    fires = count >= trigger.n
    pane.progress[place] = 0 if fires else count
    return fires


def _delta(operator: _Operator, trigger: Delta, place: Any, window: Window, pane: Pane, row: Arrived) -> bool:
    held = value(trigger.of, row.known)
    if held is None:
        return False
    fires = place in pane.progress and abs(held - pane.progress[place]) > trigger.threshold
    if fires or place not in pane.progress:
        pane.progress[place] = held
    return fires


def _when(operator: _Operator, trigger: When, place: Any, window: Window, pane: Pane, row: Arrived) -> bool:
    calls = calls_of(trigger.condition)
    return value(trigger.condition, {**row.known, **results(calls, [r for _, r in pane.rows])}) is True


def _continuous(operator: _Operator, trigger: Continuous, place: Any, window: Window, pane: Pane, row: Arrived) -> bool:
    last = window[1] - 1
    if last <= operator.watermark:
        return True
    pane.timers.add(last)
    if place not in pane.progress:
        assert row.time is not None
        start = abs(row.time) // trigger.interval * trigger.interval * (-1 if row.time < 0 else 1)
        before = row.time - (row.time % trigger.interval if row.time >= 0 else row.time - start)
        _next_fire(before + trigger.interval, place, window, pane)
    return False


def _continuous_on_time(trigger: Continuous, place: Any, window: Window, pane: Pane, time: int) -> bool:
    if time == window[1] - 1:
        return True
    if pane.progress.get(place) != time:
        return False
    _next_fire(time + trigger.interval, place, window, pane)
    return True


def _next_fire(time: int, place: Any, window: Window, pane: Pane) -> None:
    pane.progress[place] = min(time, window[1] - 1)
    pane.timers.add(pane.progress[place])


_ON_ROW: dict[type, Callable[..., bool]] = {
    EventTime: _event_time,
    EndOfStream: _end,
    CountTrigger: _count,
    Delta: _delta,
    When: _when,
    Continuous: _continuous,
}

Rows = Sequence[tuple[int, Arrived]]


def _keep_newest(evictor: KeepNewest, rows: Rows) -> list[Any]:
    newest = max(held[1].time for held in rows if held[1].time is not None)
    return [held for held in rows if held[1].time is not None and held[1].time > newest - evictor.age]


def _keep_near(evictor: KeepNear, rows: Rows) -> list[Any]:
    last = value(evictor.of, rows[-1][1].known)

    def is_far(held: tuple[int, Arrived]) -> bool:
        own = value(evictor.of, held[1].known)
        return own is not None and last is not None and abs(last - own) >= evictor.threshold

    return [held for held in rows if not is_far(held)]


_KEPT: dict[type, Callable[[Any, Rows], list[Any]]] = {
    KeepLast: lambda evictor, rows: list(rows[len(rows) - min(evictor.n, len(rows)) :]),
    KeepNewest: _keep_newest,
    KeepNear: _keep_near,
}


def results(calls: Iterable[Aggregate], rows: Sequence[Arrived]) -> dict[Expression, Any]:
    return {call: aggregate(call, [row.known for row in rows]) for call in calls}
