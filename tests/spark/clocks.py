"""A small model of windows over what a clock on the wall shows: naive datetimes, nothing of winsql's.

Where the clocks of a zone are changed, bounds become instants by looking: at what they show minute after minute.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Iterable
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from zoneinfo import ZoneInfo

EPOCH = datetime(1970, 1, 1)
NONE = timedelta()
Bounds = tuple[datetime, datetime]
Assign = Callable[[datetime], list[Bounds]]


def tumbling(size: timedelta, offset: timedelta = NONE) -> Assign:
    return sliding(size, size, offset)


def sliding(size: timedelta, slide: timedelta, offset: timedelta = NONE) -> Assign:
    """Every start is tried that may hold the time."""

    def assign(time: datetime) -> list[Bounds]:
        newest = EPOCH + offset + (time - EPOCH - offset) // slide * slide
        starts = (newest - n * slide for n in range(size // slide + 2))
        return [(start, start + size) for start in starts if start <= time < start + size]

    return assign


def cumulating(size: timedelta, step: timedelta, offset: timedelta = NONE) -> Assign:
    def assign(time: datetime) -> list[Bounds]:
        start = EPOCH + offset + (time - EPOCH - offset) // size * size
        ends = (start + n * step for n in range(1, size // step + 1))
        return [(start, end) for end in ends if time < end]

    return assign


def sessions(gap: timedelta, times: Iterable[datetime]) -> Counter[Bounds]:
    """How many times are in each session of one key."""
    found: list[list[datetime]] = []
    for time in sorted(times):
        if found and time - found[-1][-1] <= gap:
            found[-1].append(time)
        else:
            found.append([time])
    return Counter({(session[0], session[-1] + gap): len(session) for session in found})


def counted(assign: Assign, times: Iterable[datetime]) -> Counter[Bounds]:
    """How many times are in each window."""
    return Counter(window for time in times for window in assign(time))


class Wall:
    """The clocks of a zone, watched around an instant; windows over what they show hold instants."""

    def __init__(self, zone: str, around: datetime, days: int = 3) -> None:
        self.zone = ZoneInfo(zone)
        minutes = days * 24 * 60
        self.watched = [around + timedelta(minutes=n) for n in range(-minutes, minutes)]
        self.shown = [self.show(instant) for instant in self.watched]
        self.latest = list(accumulate(self.shown, max))  # what has been shown so far
        self.earliest = list(accumulate(reversed(self.shown), min))[::-1]  # what is shown from there on

    def show(self, instant: datetime) -> datetime:
        """What the clocks show; both without a zone, the instant in UTC."""
        return instant.replace(tzinfo=UTC).astimezone(self.zone).replace(tzinfo=None)

    def instants(self, bounds: Bounds) -> Bounds:
        """When the start, or later, is shown first; and from when on nothing before the end is."""
        start, end = bounds
        return self.watched[bisect_left(self.latest, start)], self.watched[bisect_left(self.earliest, end)]

    def counted(self, assign: Assign, instants: Iterable[datetime]) -> Counter[Bounds]:
        """How many instants are in each window; windows with the same bounds are one."""
        windows = counted(assign, map(self.show, instants))
        return Counter({self.instants(window): count for window, count in windows.items()})

    def sessions(self, gap: timedelta, instants: Iterable[datetime]) -> Counter[Bounds]:
        windows = sessions(gap, map(self.show, instants))
        return Counter({self.instants(window): count for window, count in windows.items()})
