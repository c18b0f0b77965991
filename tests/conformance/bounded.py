"""Batch cases (`batch_cases/README.md`) on the operator, as a bounded table runs: key by key, in order of time."""

from __future__ import annotations

import dataclasses
from collections import defaultdict
from dataclasses import dataclass
from typing import Any

from case import Case, Json
from executors import OperatorRun
from outcome import Outcome

from winsql.errors import WinsqlError
from winsql.model.base import GLOBAL_WINDOW, MIN_TIME, TIMESTAMP, Decision, MergeContext, Row, TriggerContext, Window
from winsql.model.triggers import Trigger
from winsql.runtime.operator import WindowOperator

NOW = 1_750_000_000_000
"""An instant at which the processing-time windows of the cases take all rows."""


@dataclass(frozen=True)
class Witness(Trigger):
    """The case's trigger, noting what called it last: expected rows say what fired them."""

    trigger: Trigger
    calls: list[str]

    @property
    def can_merge(self) -> bool:
        return self.trigger.can_merge

    def on_element(self, row: Row, timestamp: int, ctx: TriggerContext) -> Decision:
        self.calls.append("element")
        return self.trigger.on_element(row, timestamp, ctx)

    def on_event_time(self, time: int, ctx: TriggerContext) -> Decision:
        self.calls.append("event")
        return self.trigger.on_event_time(time, ctx)

    def on_processing_time(self, time: int, ctx: TriggerContext) -> Decision:
        self.calls.append("processing")
        return self.trigger.on_processing_time(time, ctx)

    def on_merge(self, ctx: MergeContext) -> None:
        self.trigger.on_merge(ctx)

    def clear(self, ctx: TriggerContext) -> None:
        self.trigger.clear(ctx)


class BoundedRun(OperatorRun):
    """One batch case."""

    def __init__(self, case: Case) -> None:
        super().__init__(case)
        self.calls: list[str] = []

    def run(self) -> Outcome:
        try:
            operator = self._operator()
        except WinsqlError as error:
            self.outcome.error_step, self.outcome.error = -1, error.problem
            return self.outcome
        try:
            for key, rows in self._keys():
                operator.set_time(MIN_TIME, NOW)
                operator.process(key, rows)
                operator.end_input()
        except WinsqlError as error:
            self.outcome.error_step, self.outcome.error = 0, error.problem
        self.outcome.dropped = operator.dropped
        return self.outcome

    def _operator(self) -> WindowOperator:
        operator = super()._operator()
        spec = dataclasses.replace(operator.spec, trigger=Witness(operator.spec.trigger, self.calls))
        return WindowOperator(spec, operator.contents, self._emit, self._late)

    def _keys(self) -> list[tuple[str, list[Row]]]:
        """Rows by key, in (event time, arrival) order; keys as Flink sorts them, which matters when one fails."""
        keys: dict[str, list[Row]] = defaultdict(list)
        for number, step in enumerate(self.case.steps):
            key, timestamp, value = step["e"]
            own = "all" if self.case.json.get("via") == "windowAll" else key
            keys[own].append((number, timestamp, value, step.get("g"), step.get("side"), key))
        for rows in keys.values():
            rows.sort(key=lambda row: (MIN_TIME if row[TIMESTAMP] is None else row[TIMESTAMP], row[0]))
        return sorted(keys.items(), key=lambda item: (len(item[0]), item[0]))

    def _emit(self, key: Any, window: Window, index: int, timing: Any, timer: int | None, result: Any) -> None:
        fired_by = self.calls[-1]
        timer = timer if fired_by == "event" else None
        start, end = (None, None) if window == GLOBAL_WINDOW else window
        if self.case.json.get("clock_bounds"):
            start = end = timer = None
        row: Json = {"fired_by": fired_by, "timer": timer, "key": key, "start": start, "end": end}
        self.outcome.main.append({**row, **self._out(result)})


def run_bounded(case: Case) -> Outcome:
    """The per-row operator over bounded input."""
    return BoundedRun(case).run()
