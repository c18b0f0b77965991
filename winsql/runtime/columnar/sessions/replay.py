"""Rows of sessions that depend on the order in which they come, through the per-row operator.

It sees accumulators as the columns' values: what a row brings to each part takes the place of the row's slots, and
adding and merging are those of the parts.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from winsql.model.assigners import SessionWindows
from winsql.model.base import FIRST_OPERAND, Operand, PaneTiming, Row, TimeAttribute, TimeDomain, Window
from winsql.model.columnar import Longs
from winsql.model.nested_triggers import PurgingTrigger
from winsql.model.query import WindowSpec
from winsql.model.triggers import EventTimeTrigger
from winsql.runtime.columnar.shared.panes import Layout, Panes
from winsql.runtime.columnar.shared.parts import Part
from winsql.runtime.columnar.shared.plan import ColumnarPlan
from winsql.runtime.columnar.shared.protocol import TIMINGS
from winsql.runtime.contents import Contents
from winsql.runtime.operator import WindowOperator
from winsql.runtime.state import KeyState, Pane

Column = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class SessionRows:
    """Rows in arrival order: number of the key, own window, row number, and what each part of accumulators gets."""

    key: Longs
    start: Longs
    end: Longs
    number: Longs
    inputs: list[Column]

    def __len__(self) -> int:
        return len(self.key)

    def of(self, key: Longs, chosen: Column) -> SessionRows:
        """Some of these rows, with other numbers for the keys of all."""
        columns = (column[chosen] for column in (key, self.start, self.end, self.number))
        key, start, end, number = columns
        return SessionRows(key, start, end, number, [column[chosen] for column in self.inputs])


@dataclass(frozen=True, slots=True)
class _Joined:
    """A part of an accumulator as an aggregate of its own; `slot` has what each row brings."""

    part: Part
    slot: int
    result_type: pa.DataType

    def create(self) -> Any:
        return self.part.identity

    def add(self, accumulator: Any, row: Row) -> Any:
        return self.part.joined(accumulator, row[self.slot])

    def merge(self, accumulator: Any, other: Any) -> Any:
        return self.part.joined(accumulator, other)

    def result(self, accumulator: Any) -> Any:
        return accumulator


class Replay:
    """Event-time sessions of many keys, at a watermark and clock that stand still.

    `fired` has (key, start, end, pane index, place in TIMINGS, parts) per firing, in the order of the rows; `late` the
    numbers of late rows.
    """

    def __init__(self, plan: ColumnarPlan, layout: Layout, watermark: int, now: int) -> None:
        self.layout = layout
        self.fired: list[tuple[Any, ...]] = []
        self.late: list[int] = []
        kind = pa.int64()
        parts = [_Joined(part, FIRST_OPERAND + 1 + place, kind) for place, part in enumerate(layout.parts)]
        # the gap of each row is its first operand
        sessions = SessionWindows(TimeAttribute(TimeDomain.EVENT), Operand("gap", FIRST_OPERAND))
        trigger = PurgingTrigger(EventTimeTrigger()) if plan.trigger.purges else EventTimeTrigger()
        spec = WindowSpec(sessions, trigger, allowed_lateness=plan.lateness, late_output=True)
        contents = Contents(tuple(parts), keep_rows=False)
        self._operator = WindowOperator(spec, contents, self._emit, lambda _, row: self.late.append(row[0]))
        self._operator.set_time(watermark, now)

    def adopt(self, panes: Panes) -> None:
        """Take over panes; what timers they have does not matter, for none runs."""
        states: dict[int, KeyState] = {}
        parts = zip(*(column.tolist() for column in panes.parts), strict=True) if panes.parts else [()] * len(panes)
        longs = zip(*(column.tolist() for column in panes.longs), strict=True)
        for (key, start, end, arrival, firings, written), filled, held in zip(
            longs, panes.filled.tolist(), parts, strict=True
        ):
            state = states.setdefault(key, KeyState())
            pane = state.panes[Window(start, end)] = Pane(arrival)
            pane.firings, pane.written = firings, written
            pane.accumulators = list(held) if filled else None
        for key, state in states.items():
            state.sessions = sorted(state.panes)
            self._operator.adopt(key, state)

    def process(self, rows: SessionRows) -> None:
        """Take rows in arrival order."""
        columns = (rows.key, rows.number, rows.start, rows.end - rows.start, *rows.inputs)
        for owner, *row in zip(*(column.tolist() for column in columns), strict=True):
            self._operator.process(owner, [tuple(row)])

    def panes(self) -> Panes:
        """What is left."""
        items = [(key, *item) for key, state in self._operator.keys.items() for item in state.panes.items()]
        held = [pane for _, _, pane in items]
        records = [(key, *window, pane.arrival, pane.firings, pane.written) for key, window, pane in items]
        key, start, end, arrival, firings, written = np.array(records, dtype=np.int64).reshape(-1, 6).T.copy()
        panes = Panes.begun(key, start, end, arrival, self.layout)
        panes.firings, panes.written = firings, written
        panes.filled[:] = [pane.accumulators is not None for pane in held]
        identities = [part.identity for part in self.layout.parts]
        for place, column in enumerate(panes.parts):
            column[:] = [(pane.accumulators or identities)[place] for pane in held]
        return panes

    def _emit(
        self, key: Any, window: Window, index: int, timing: PaneTiming | None, timer: int | None, result: Any
    ) -> None:
        place = TIMINGS.index(timing or PaneTiming.LATE)
        self.fired.append((key, *window, index, place, result))
