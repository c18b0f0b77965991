"""Where things are in the picture: the axis of time, and the lanes of keys with their windows on levels."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

from winsql.model.base import MAX_TIME, MIN_TIME, Window
from winsql.picture.trace import Firing, Key, Trace, TracedRow

MAX_TICKS = 8
_SECOND = 1_000_000
_STEPS = tuple(
    step
    for unit, counts in (
        (1, (1, 10, 100)),
        (1_000, (1, 10, 100)),
        (_SECOND, (1, 2, 5, 10, 15, 30)),
        (60 * _SECOND, (1, 2, 5, 10, 15, 30)),
        (3_600 * _SECOND, (1, 2, 3, 6, 12)),
        (86_400 * _SECOND, (1, 2, 7, 30, 90, 365, 3650, 36500)),
    )
    for step in (unit * count for count in counts)
)


@dataclass(frozen=True, slots=True)
class Axis:
    """The instants from `start` to `end`, microseconds; without a time, the numbers of the rows.

    zone   the time zone for labels; None for times without one
    """

    start: int
    end: int
    is_time: bool
    zone: str | None

    def place(self, instant: int) -> float:
        """Where an instant is between 0 and 1; one outside is at the end it lies beyond."""
        return min(max((instant - self.start) / (self.end - self.start), 0.0), 1.0)

    def ticks(self) -> list[tuple[float, str]]:
        """Places and labels of round instants."""
        span = self.end - self.start
        steps = _STEPS if self.is_time else tuple(10**n * k for n in range(7) for k in (1, 2, 5))
        step = next((step for step in steps if span / step <= MAX_TICKS), steps[-1])
        instants = range(-(-self.start // step) * step, self.end + 1, step)
        return [(self.place(instant), self.label(instant, step)) for instant in instants[: 2 * MAX_TICKS]]

    def label(self, instant: int, step: int = 1) -> str:
        """An instant for people, as exact as the step between labels needs it."""
        if not self.is_time:
            return f"#{instant + 1}"
        try:
            moment = datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=instant)
            moment = moment.astimezone(ZoneInfo(self.zone)) if self.zone else moment
        except (OverflowError, ValueError):
            return str(instant)
        if step % (86_400 * _SECOND) == 0:
            return moment.strftime("%Y-%m-%d")
        if step % (60 * _SECOND) == 0:
            return moment.strftime("%H:%M")
        text = moment.strftime("%H:%M:%S.%f") if instant % _SECOND else moment.strftime("%H:%M:%S")
        return text.rstrip("0") if "." in text else text


@dataclass(frozen=True, slots=True)
class Bar:
    """A window on a level of its lane: no two bars of a level overlap."""

    window: Window
    level: int
    rows: tuple[TracedRow, ...]
    firings: tuple[Firing, ...]

    @property
    def is_endless(self) -> bool:
        return self.window.start == MIN_TIME and self.window.end > MAX_TIME


@dataclass(frozen=True, slots=True)
class Lane:
    """A key: its rows, and its windows in order of their starts."""

    key: Key
    rows: tuple[TracedRow, ...]
    bars: tuple[Bar, ...]

    @property
    def levels(self) -> int:
        return max((bar.level for bar in self.bars), default=-1) + 1


def axis_of(trace: Trace, has_time: bool, zone: str | None) -> Axis:
    """The axis that holds all rows and all windows that end."""
    if not has_time:
        return Axis(-1, len(trace.rows), False, None)
    instants = [row.time for row in trace.rows if row.time is not None]
    for _, window in trace.windows:
        instants += [edge for edge in window if MIN_TIME < edge <= MAX_TIME]
    start, end = min(instants, default=0), max(instants, default=_SECOND)
    margin = max((end - start) // 50, 1)
    return Axis(start - margin, end + margin, True, zone)


def lanes_of(trace: Trace, keys: Sequence[Key]) -> list[Lane]:
    """The lanes of these keys."""
    return [_lane(trace, key) for key in keys]


def _lane(trace: Trace, key: Key) -> Lane:
    rows = {row.number: row for row in trace.rows if row.key == key}
    firings: dict[Window, list[Firing]] = {}
    for firing in trace.firings:
        if firing.key == key:
            firings.setdefault(firing.window, []).append(firing)
    windows = sorted({window for owner, window in trace.windows if owner == key} | firings.keys())
    free: list[int] = []  # where the last bar of each level ends
    bars = []
    for window in windows:
        level = next((n for n, end in enumerate(free) if end <= window.start), len(free))
        free[level : level + 1] = [window.end]
        held = tuple(rows[number] for number in sorted(trace.windows.get((key, window), ())))
        bars.append(Bar(window, level, held, tuple(firings.get(window, ()))))
    return Lane(key, tuple(rows.values()), tuple(bars))
