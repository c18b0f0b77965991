"""State of the operator: one `Pane` per (key, window), grouped by key."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from winsql.model.base import Row, Window


class Pane:
    """Everything remembered of one key and window.

    rows            contents in arrival order, None when the window holds none or rows are not kept
    accumulators    one per incremental aggregate; None exactly when the window is empty
    values          what the trigger has put
    firings         how often the window has fired
    arrival         number of the first row that came into it
    written         processing time at which contents or trigger values last changed
    event_timers, processing_timers   times of pending timers
    """

    __slots__ = ("accumulators", "arrival", "event_timers", "firings", "processing_timers", "rows", "values", "written")

    def __init__(self, arrival: int) -> None:
        self.rows: list[Row] | None = None
        self.accumulators: list[Any] | None = None
        self.values: dict[str, Any] = {}
        self.firings = 0
        self.arrival = arrival
        self.written = 0
        self.event_timers: set[int] = set()
        self.processing_timers: set[int] = set()

    def purge(self) -> None:
        """Drop the contents; trigger values and timers stay."""
        self.rows = None
        self.accumulators = None

    @property
    def has_timers(self) -> bool:
        return bool(self.event_timers or self.processing_timers)


class KeyState:
    """The panes of one key; `sessions` lists the in-flight windows of a merging assigner in order of time."""

    __slots__ = ("panes", "sessions")

    def __init__(self) -> None:
        self.panes: dict[Window, Pane] = {}
        self.sessions: list[Window] = []


def is_event_timer(keys: Mapping[Any, KeyState], time: int, key: Any, window: Window) -> bool:
    """Whether the pane of the window has a pending event timer of this time."""
    pane = _pane(keys, key, window)
    return pane is not None and time in pane.event_timers


def is_processing_timer(keys: Mapping[Any, KeyState], time: int, key: Any, window: Window) -> bool:
    """Whether the pane of the window has a pending processing timer of this time."""
    pane = _pane(keys, key, window)
    return pane is not None and time in pane.processing_timers


def _pane(keys: Mapping[Any, KeyState], key: Any, window: Window) -> Pane | None:
    state = keys.get(key)
    return state.panes.get(window) if state is not None else None
