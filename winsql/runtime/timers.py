"""A queue of timers in time order. Which timers exist is said by the panes; the queue may hold withdrawn ones."""

from __future__ import annotations

import heapq
from collections.abc import Callable
from itertools import count
from typing import Any

from winsql.model.base import Window

_SLACK = 1024


class TimerQueue:
    """Timers of all keys of an operator, of one time domain.

    `is_pending(time, key, window)` tells whether an entry is still a timer: entries of withdrawn timers are
    skipped when their time comes, and swept out before that when they outnumber the live ones.
    """

    __slots__ = ("_heap", "_is_pending", "_order", "live")

    def __init__(self, is_pending: Callable[[int, Any, Window], bool]) -> None:
        self._heap: list[tuple[int, int, Any, Window]] = []
        self._order = count()
        self._is_pending = is_pending
        self.live = 0

    def push(self, time: int, key: Any, window: Window) -> None:
        """Add a timer that is new to its pane."""
        heapq.heappush(self._heap, (time, next(self._order), key, window))
        self.live += 1
        if len(self._heap) > 2 * self.live + _SLACK:
            self._sweep()

    def withdraw(self, timers: int = 1) -> None:
        """Note that timers were removed from their panes; their entries stay for now."""
        self.live -= timers

    def pop_due(self, until: int) -> tuple[int, Any, Window] | None:
        """The earliest pending timer at or before `until`, taken out; None when there is none."""
        heap = self._heap
        while heap and heap[0][0] <= until:
            time, _, key, window = heapq.heappop(heap)
            if self._is_pending(time, key, window):
                self.live -= 1
                return time, key, window
        return None

    def _sweep(self) -> None:
        self._heap = [entry for entry in self._heap if self._is_pending(entry[0], entry[2], entry[3])]
        heapq.heapify(self._heap)
