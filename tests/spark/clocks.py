"""A small model of windows over what a clock on the wall shows: naive datetimes, nothing of winsql's."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta

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
