"""State of the columnar engine as state of the per-row operator and back, so that each continues where the other was.

A pane's timers are not kept in columns: the end's is pending while the watermark has not passed it, an early firing's
likewise, the cleanup's always.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa

from winsql.model.base import Window
from winsql.model.columnar import NO_TIME
from winsql.runtime.columnar.aggregates import ACCUMULATORS
from winsql.runtime.columnar.codec import Header, decode_panes
from winsql.runtime.columnar.fit import MAX_INSTANT, Unfit
from winsql.runtime.columnar.panes import Panes
from winsql.runtime.state import KeyState, Pane

if TYPE_CHECKING:
    from winsql.runtime.columnar.plan import ColumnarPlan

__all__ = ["decode_states", "panes_from_states", "states_from_panes"]

_NEXT_FIRE = "next_fire"
"""What CONTINUOUS_EVENT_TIME calls its next early firing among a pane's values."""


def decode_states(data: bytes) -> tuple[pa.RecordBatch, list[KeyState]]:
    """Keys and states of a bucket that `encode_panes` wrote; the query that wrote it need not be known."""
    header, keys, panes = decode_panes(data)
    return keys, states_from_panes(header, panes, keys.num_rows)


def states_from_panes(header: Header, panes: Panes, keys: int) -> list[KeyState]:
    """The states of the keys 0 to `keys` - 1, as the per-row operator holds them at the header's watermark."""
    states = [KeyState() for _ in range(keys)]
    accumulators = _accumulators(header.kinds, panes)
    records = zip(*(column.tolist() for column in panes.longs), panes.filled.tolist(), strict=True)
    for place, (key, start, end, arrival, firings, written, next_fire, filled) in enumerate(records):
        pane = states[key].panes[Window(start, end)] = Pane(arrival)
        pane.firings, pane.written = firings, written
        pane.accumulators = [column[place] for column in accumulators] if filled else None
        pane.values = {} if next_fire == NO_TIME else {_NEXT_FIRE: next_fire}
        pane.event_timers = _timers(header.lateness, end - 1, next_fire, header.watermark)
    return states


def panes_from_states(plan: ColumnarPlan, states: Sequence[KeyState], watermark: int) -> Panes:
    """The panes of the per-row operator's states, keys numbered in order.

    Raises Unfit for state that the columns cannot hold, as large sums or timers left behind.
    """
    items = [(key, *item) for key, state in enumerate(states) for item in state.panes.items()]
    for _, window, pane in items:
        _check(plan, window, pane, watermark)
    records = [
        (key, *window, pane.arrival, pane.firings, pane.written, pane.values.get(_NEXT_FIRE, NO_TIME))
        for key, window, pane in items
    ]
    longs = list(np.array(records, dtype=np.int64).reshape(-1, 7).T.copy())
    filled = [pane.accumulators is not None for _, _, pane in items]
    parts = _parts(plan, [pane for _, _, pane in items])
    return Panes.of(longs, np.array(filled, dtype=bool), parts)


def _check(plan: ColumnarPlan, window: Window, pane: Pane, watermark: int) -> None:
    next_fire = pane.values.get(_NEXT_FIRE, NO_TIME)
    if max(abs(window.start), abs(window.end)) > 2 * MAX_INSTANT:
        raise Unfit("a window near the end of 64 bits")
    if pane.event_timers != _timers(plan.lateness, window.end - 1, next_fire, watermark) or pane.processing_timers:
        raise Unfit("timers that do not follow from the window and the trigger")
    early = plan.trigger.interval is not None and window.end - 1 > watermark
    if pane.rows is not None or pane.values.keys() - {_NEXT_FIRE} or (early and next_fire == NO_TIME):
        raise Unfit("a pane of another query")


def _timers(lateness: int, last: int, next_fire: int, watermark: int) -> set[int]:
    pending = {last + lateness}
    if last > watermark:
        pending |= {last} if next_fire == NO_TIME else {last, next_fire}
    return pending


def _accumulators(kinds: Sequence[str], panes: Panes) -> list[list[Any]]:
    columns, at = [], 0
    for kind in kinds:
        accumulators = ACCUMULATORS[kind]
        columns.append(accumulators.values(panes.parts[at : at + accumulators.width]))
        at += accumulators.width
    return columns


def _parts(plan: ColumnarPlan, panes: Sequence[Pane]) -> list[Any]:
    filled = np.array([pane.accumulators is not None for pane in panes], dtype=bool)
    held = [pane.accumulators for pane in panes if pane.accumulators is not None]
    parts = []
    for number, aggregate in enumerate(plan.aggregates):
        columns = aggregate.columns([accumulators[number] for accumulators in held])
        for part, column in zip(aggregate.parts, columns, strict=True):
            whole = part.empty(len(panes))
            whole[filled] = column
            parts.append(whole)
    return parts
