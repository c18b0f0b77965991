"""An operator's whole state as bytes, and an operator from such bytes."""

from __future__ import annotations

from typing import Any

from winsql.model.base import GLOBAL_WINDOW, Window
from winsql.runtime.codec import decode, encode
from winsql.runtime.operator import WindowOperator
from winsql.runtime.state import KeyState, Pane


def snapshot(operator: WindowOperator) -> bytes:
    """Clocks, late count and the state of every key; rows and keys must consist of values that `codec` knows."""
    keys = [(key, _panes(state)) for key, state in operator.keys.items()]
    return encode([operator.watermark, operator.context.now, operator.dropped, keys])


def restore(operator: WindowOperator, data: bytes) -> None:
    """Put the state into a new operator of the same spec."""
    watermark, now, operator.dropped, keys = decode(data)
    operator.set_time(watermark, now)
    for key, panes in keys:
        operator.adopt(key, _key_state(panes, operator.spec.assigner.is_merging))


def _panes(state: KeyState) -> list[Any]:
    return [
        [
            *window,
            pane.rows,
            pane.accumulators,
            pane.values,
            pane.firings,
            pane.arrival,
            pane.written,
            sorted(pane.event_timers),
            sorted(pane.processing_timers),
        ]
        for window, pane in state.panes.items()
    ]


def _key_state(panes: list[Any], merging: bool) -> KeyState:
    state = KeyState()
    for start, end, rows, accumulators, values, firings, arrival, written, event_timers, processing_timers in panes:
        pane = state.panes[_window(start, end)] = Pane(arrival)
        pane.rows, pane.accumulators, pane.values = rows, accumulators, values
        pane.firings, pane.written = firings, written
        pane.event_timers, pane.processing_timers = set(event_timers), set(processing_timers)
    if merging:
        state.sessions = sorted(state.panes)
    return state


def _window(start: int, end: int) -> Window:
    window = Window(start, end)
    return GLOBAL_WINDOW if window == GLOBAL_WINDOW else window
