"""Which in-flight windows of a key a new window merges with (Flink's MergingWindowSet, by binary search)."""

from __future__ import annotations

from bisect import bisect_right, insort

from winsql.model.base import MAX_TIME, Window


def covering(sessions: list[Window], window: Window) -> tuple[Window, list[Window]]:
    """The window that covers `window` and all in-flight windows it intersects or touches, and those windows.

    `sessions` are in order of time and never touch each other, so their neighbours in the list are the only candidates.
    """
    stop = bisect_right(sessions, (window.end, MAX_TIME + 1))
    start = stop
    while start > 0 and sessions[start - 1].end >= window.start:
        start -= 1
    touched = sessions[start:stop]
    if not touched:
        return window, []
    return Window(min(window.start, touched[0].start), max(window.end, touched[-1].end)), touched


def absorb(sessions: list[Window], merged: Window, touched: list[Window]) -> None:
    """Put the merged window in the place of those it covers."""
    for window in touched:
        retire(sessions, window)
    insort(sessions, merged)


def retire(sessions: list[Window], window: Window) -> None:
    """Take a window out of flight."""
    index = bisect_right(sessions, window) - 1
    if index >= 0 and sessions[index] == window:
        del sessions[index]
