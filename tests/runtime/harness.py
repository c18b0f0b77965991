"""A small way to run the operator in tests: rows, watermarks and clocks in, firings out."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from winsql.model.base import FIRST_OPERAND, Operand, PaneTiming, Row, TimeAttribute, TimeDomain, Window
from winsql.model.query import WindowSpec
from winsql.runtime.contents import Contents
from winsql.runtime.operator import WindowOperator

EVENT = TimeAttribute(TimeDomain.EVENT, ("ts",))
PROCESSING = TimeAttribute(TimeDomain.PROCESSING)
VALUE = Operand("value", FIRST_OPERAND)
GAP = Operand("gap", FIRST_OPERAND + 1)


class Firing(NamedTuple):
    """One call of the operator's `emit`."""

    key: Any
    window: Window
    pane_index: int
    pane_timing: PaneTiming | None
    timer: int | None
    result: Any

    @property
    def values(self) -> list[Any]:
        """The values of the rows a firing handed out."""
        return [VALUE.of(row) for row in self.result]


class Run:
    """An operator that keeps what it emits. Rows are added by key, event time and value."""

    def __init__(self, spec: WindowSpec, contents: Contents | None = None) -> None:
        self.firings: list[Firing] = []
        self.late: list[Row] = []
        self.operator = WindowOperator(
            spec,
            contents or Contents(),
            self._emit,
            lambda key, row: self.late.append(row),
        )
        self._rows = 0

    def _emit(self, *firing: Any) -> None:
        *head, result = firing
        self.firings.append(Firing(*head, list(result) if isinstance(result, list) else result))

    def add(self, timestamp: int | None, value: Any = None, *, key: Any = "k", gap: int | None = None) -> Run:
        self._rows += 1
        self.operator.process(key, [(self._rows, timestamp, value, gap)])
        return self

    def watermark(self, time: int) -> Run:
        self.operator.advance_watermark(time)
        return self

    def clock(self, time: int) -> Run:
        self.operator.advance_clock(time)
        return self

    def take(self) -> list[Firing]:
        """The firings since the last call."""
        firings, self.firings[:] = list(self.firings), []
        return firings


def bounded(spec: WindowSpec, rows: Sequence[Row], contents: Contents | None = None) -> list[Firing]:
    """The firings over bounded rows of one key, as the batch runtime gives them: by event time, then the end."""
    run = Run(spec, contents)
    run.operator.process("k", sorted(rows, key=lambda row: (row[1], row[0])))
    run.operator.end_input()
    return run.firings
