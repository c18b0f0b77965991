"""State of the columnar engine as state of the per-row operator and back: each continues where the other was."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from winsql.model.base import GLOBAL_WINDOW, ROW_ID, Row, Window
from winsql.model.columnar import NO_TIME, VALUES, Longs
from winsql.runtime.columnar.shared.aggregates import ACCUMULATORS
from winsql.runtime.columnar.shared.codec import Header, Held
from winsql.runtime.columnar.shared.limits import MAX_INSTANT, Unfit
from winsql.runtime.columnar.shared.panes import Panes
from winsql.runtime.columnar.shared.plan import ColumnarPlan
from winsql.runtime.state import KeyState, Pane


def states_from_panes(header: Header, panes: Panes, keys: int) -> list[KeyState]:
    """The states of the keys 0 to `keys` - 1, as the per-row operator holds them at the header's watermark."""
    states = [KeyState() for _ in range(keys)]
    accumulators = _accumulators(header.kinds, panes)
    value = VALUES[header.value] if header.value else None
    values = value.read(panes.values) if value else [None] * len(panes)
    event_timers, processing_timers = _timers(header, panes)
    records = zip(*(column.tolist() for column in panes.longs), panes.filled.tolist(), values, strict=True)
    for place, (key, start, end, arrival, firings, written, filled, held) in enumerate(records):
        window = GLOBAL_WINDOW if end == NO_TIME else Window(start, end)
        pane = states[key].panes[window] = Pane(arrival)
        pane.firings, pane.written = firings, written
        pane.accumulators = [column[place] for column in accumulators] if filled else None
        pane.values = {value.name: held} if value and held is not None else {}
        pane.event_timers, pane.processing_timers = event_timers[place], processing_timers[place]
    return states


def panes_from_states(plan: ColumnarPlan, states: Sequence[KeyState], watermark: int) -> Panes:
    """The panes of the per-row operator's states, keys numbered in order.

    Raises Unfit for state that the columns cannot hold, as large sums or timers of the past.
    """
    items = [(key, *item) for key, state in enumerate(states) for item in state.panes.items()]
    held = [pane for _, _, pane in items]
    records = [(key, *_bounds(window), pane.arrival, pane.firings, pane.written) for key, window, pane in items]
    longs = list(np.array(records, dtype=np.int64).reshape(-1, 6).T.copy())
    filled = np.array([pane.accumulators is not None for pane in held], dtype=bool)
    panes = Panes.of(longs, filled, _values(plan, held), _parts(plan, held))
    timers = [(pane.event_timers, pane.processing_timers) for pane in held]
    if timers != list(zip(*_timers(plan.header(watermark), panes), strict=True)):
        raise Unfit("timers that do not follow from the window and the trigger")
    if any((pane.rows is None) != (not plan.keeps_rows or pane.accumulators is None) for pane in held):
        raise Unfit("a pane of another query")
    return panes


def row_numbers(rows: pa.RecordBatch) -> list[Row]:
    """Kept rows as nothing but their numbers."""
    return [(number,) for number in rows.column(0).to_pylist()]


def held_from_states(states: Sequence[KeyState], rows: pa.RecordBatch) -> Held:
    """What the panes of `panes_from_states` hold of the kept rows."""
    held = [[row[ROW_ID] for row in pane.rows or ()] for state in states for pane in state.panes.values()]
    numbers = [number for pane in held for number in pane]
    return Held(np.array([len(pane) for pane in held], dtype=np.int64), np.array(numbers, dtype=np.int64), rows)


def give_rows(states: Sequence[KeyState], panes: Panes, counts: Longs, numbers: Longs, rows: Mapping[int, Row]) -> None:
    """Put the rows that panes hold into the states of `states_from_panes`; `counts` are those of each pane."""
    begins = (np.cumsum(counts) - counts).tolist()
    windows = [iter(state.panes.values()) for state in states]
    all_numbers = numbers.tolist()
    for key, begin, count in zip(panes.key.tolist(), begins, counts.tolist(), strict=True):
        pane = next(windows[key])
        pane.rows = [rows[number] for number in all_numbers[begin : begin + count]] or None


def _bounds(window: Window) -> tuple[int, int]:
    if window == GLOBAL_WINDOW:
        return NO_TIME, NO_TIME
    if max(abs(window.start), abs(window.end)) > 2 * MAX_INSTANT:
        raise Unfit("a window near the end of 64 bits")
    return window


def _values(plan: ColumnarPlan, panes: Sequence[Pane]) -> list[Longs]:
    value = plan.trigger.value
    if any(pane.values.keys() - ({value.name} if value else set()) for pane in panes):
        raise Unfit("a pane of another query")
    try:
        return value.written([pane.values.get(value.name) for pane in panes]) if value else []
    except ValueError as error:
        raise Unfit(str(error)) from error


def _timers(header: Header, panes: Panes) -> tuple[list[set[int]], list[set[int]]]:
    """Of each pane the pending timers of both clocks."""
    columns = header.timers.event_timers(panes, header.watermark), header.timers.processing_timers(panes)
    event, processing = (_sets(times, len(panes)) for times in columns)
    return event, processing


def _sets(columns: Sequence[Longs], size: int) -> list[set[int]]:
    if not columns:
        return [set() for _ in range(size)]
    return [{*times} - {NO_TIME} for times in zip(*(column.tolist() for column in columns), strict=True)]


def _accumulators(kinds: Sequence[str], panes: Panes) -> list[list[Any]]:
    columns, at = [], 0
    for kind in kinds:
        accumulators = ACCUMULATORS[kind]
        columns.append(accumulators.values(panes.parts[at : at + accumulators.width]))
        at += accumulators.width
    return columns


def _parts(plan: ColumnarPlan, panes: Sequence[Pane]) -> list[Any]:
    if plan.keeps_rows:
        return []
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
