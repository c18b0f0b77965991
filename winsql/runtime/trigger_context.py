"""The trigger's view of one key and window."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce
from typing import Any

from winsql.model.base import GLOBAL_WINDOW, MAX_TIME, MIN_TIME, Window
from winsql.runtime.contents import Contents
from winsql.runtime.state import Pane
from winsql.runtime.timers import TimerQueue


class PaneContext:
    """Implements TriggerContext and MergeContext; the operator points one instance at pane after pane.

    `merging` holds the panes whose values `merge` takes over, and is empty outside `on_merge`. While `closed`, new
    timers are ignored: that is how Flink's batch runtime ends a key.
    """

    __slots__ = (
        "_contents",
        "_event_queue",
        "_prefix",
        "_processing_queue",
        "closed",
        "key",
        "merging",
        "now",
        "pane",
        "watermark",
        "window",
    )

    def __init__(self, contents: Contents, event_queue: TimerQueue, processing_queue: TimerQueue) -> None:
        self._contents = contents
        self._event_queue = event_queue
        self._processing_queue = processing_queue
        self._prefix = ""
        self.closed = False
        self.merging: list[Pane] = []
        self.key: Any = None
        self.window: Window = GLOBAL_WINDOW
        self.pane = Pane(0)
        self.watermark = MIN_TIME
        self.now = 0

    def get(self, name: str) -> Any:
        return self.pane.values.get(self._prefix + name)

    def put(self, name: str, value: Any) -> None:
        self.pane.values[self._prefix + name] = value

    def drop(self, name: str) -> None:
        self.pane.values.pop(self._prefix + name, None)

    def merge(self, name: str, combine: Callable[[Any, Any], Any]) -> Any:
        path = self._prefix + name
        found = [pane.values.pop(path) for pane in (*self.merging, self.pane) if path in pane.values]
        if not found:
            return None
        result = reduce(combine, found)
        self.pane.values[path] = result
        return result

    def nested(self, name: str) -> PaneContext:
        inner = PaneContext(self._contents, self._event_queue, self._processing_queue)
        inner._prefix = f"{self._prefix}{name}/"
        inner.closed, inner.merging = self.closed, self.merging
        inner.key, inner.window, inner.pane = self.key, self.window, self.pane
        inner.watermark, inner.now = self.watermark, self.now
        return inner

    def aggregates(self) -> tuple[Any, ...]:
        return self._contents.trigger_results(self.pane)

    def register_event_timer(self, time: int) -> None:
        time = _instant(time)
        timers = self.pane.event_timers
        if time not in timers and not self.closed:
            timers.add(time)
            self._event_queue.push(time, self.key, self.window)

    def register_processing_timer(self, time: int) -> None:
        time = _instant(time)
        timers = self.pane.processing_timers
        if time not in timers and not self.closed:
            timers.add(time)
            self._processing_queue.push(time, self.key, self.window)

    def delete_event_timer(self, time: int) -> None:
        time = _instant(time)
        if time in self.pane.event_timers:
            self.pane.event_timers.remove(time)
            self._event_queue.withdraw()

    def delete_processing_timer(self, time: int) -> None:
        time = _instant(time)
        if time in self.pane.processing_timers:
            self.pane.processing_timers.remove(time)
            self._processing_queue.withdraw()


def _instant(time: Any) -> int:
    """The time of a timer within 64 bits, as state keeps it; raises ValueError or TypeError for no whole number."""
    whole = time if type(time) is int else int(time)
    if whole != time:
        raise ValueError(f"the time of a timer is a whole number of microseconds, not {time!r}")
    return min(max(whole, MIN_TIME), MAX_TIME)
