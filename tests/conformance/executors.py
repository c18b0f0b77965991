"""Ways to run a case. Each executor takes a case and returns its outcome; all must agree."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from case import KEY, SIDE, VALUE, Case, Json
from joins import pair_rows, split_sides
from outcome import Outcome
from snapshots import restore, snapshot

from winsql.errors import WinsqlError
from winsql.model.base import GLOBAL_WINDOW, TIMESTAMP, Row, Window
from winsql.model.joins import JoinType
from winsql.runtime.contents import Contents
from winsql.runtime.operator import WindowOperator


@dataclass(frozen=True)
class CountSumMinMax:
    """The case function `sum`: `[count, sum, min, max]`, of nothing `[0, 0.0, null, null]`."""

    def create(self) -> Any:
        return [0, 0.0, None, None]

    def add(self, accumulator: Any, row: Row) -> Any:
        return self.merge(accumulator, [1, VALUE.of(row), VALUE.of(row), VALUE.of(row)])

    def merge(self, accumulator: Any, other: Any) -> Any:
        return [
            accumulator[0] + other[0],
            accumulator[1] + other[1],
            _choose(min, accumulator[2], other[2]),
            _choose(max, accumulator[3], other[3]),
        ]

    def result(self, accumulator: Any) -> Any:
        return list(accumulator)


class OperatorRun:
    """One case on the per-row operator; with `restarts`, on a new one from a snapshot after every step."""

    def __init__(self, case: Case, *, restarts: bool = False) -> None:
        self.case = case
        self.restarts = restarts
        self.outcome = Outcome()
        self.step = -1
        self.rows = 0

    def run(self) -> Outcome:
        try:
            operator = self._operator()
            for index, step in enumerate(self.case.steps):
                self.step = index
                operator = self._restarted(operator)
                self._apply(operator, step)
                self.outcome.dropped = operator.dropped
            if self.case.json["finish"]:
                self.step += 1
                self._restarted(operator).finish()
        except WinsqlError as error:
            self.outcome.error_step, self.outcome.error = self.step, error.problem
        return self.outcome

    def _operator(self) -> WindowOperator:
        aggregates = (CountSumMinMax(),) if self.case.json["function"] == "sum" else ()
        spec = self.case.spec()
        contents = Contents(aggregates, keep_rows=not aggregates or spec.evictor is not None)
        return WindowOperator(spec, contents, self._emit, self._late)

    def _restarted(self, operator: WindowOperator) -> WindowOperator:
        if not self.restarts:
            return operator
        fresh = self._operator()
        restore(fresh, snapshot(operator))
        return fresh

    def _apply(self, operator: WindowOperator, step: Json) -> None:
        if "wm" in step:
            operator.advance_watermark(step["wm"])
        elif "pt" in step:
            operator.advance_clock(step["pt"], inclusive=self.case.json.get("pt_inclusive", True))
        else:
            key, timestamp, value = step["e"]
            self.rows += 1
            row = (self.rows, timestamp, value, step.get("g"), step.get("side"), key)
            operator.process("all" if self.case.json.get("via") == "windowAll" else key, [row])

    def _emit(self, key: Any, window: Window, index: int, timing: Any, timer: int | None, result: Any) -> None:
        start, end = (None, None) if window == GLOBAL_WINDOW else window
        row: Json = {"step": self.step, "timer": timer, "key": key, "start": start, "end": end}
        self.outcome.main.append({**row, **self._out(result)})

    def _out(self, result: Any) -> Json:
        join = self.case.join
        if join is None:
            return {"out": result[0] if isinstance(result, tuple) else [VALUE.of(row) for row in result]}
        left, right = split_sides(result, SIDE)
        sides = {"left": [VALUE.of(row) for row in left], "right": [VALUE.of(row) for row in right]}
        if join == "cogroup":
            return sides
        pairs = pair_rows(left, right, JoinType[join.upper()])
        return {**sides, "pairs": [[_value(x), _value(y)] for x, y in pairs]}

    def _late(self, key: Any, row: Row) -> None:
        late = {"step": self.step, "key": KEY.of(row), "ts": row[TIMESTAMP], "value": VALUE.of(row)}
        self.outcome.late.append(late)


def run_operator(case: Case) -> Outcome:
    """The per-row operator."""
    return OperatorRun(case).run()


def run_restarting_operator(case: Case) -> Outcome:
    """The per-row operator, thrown away and restored from its snapshot before every step."""
    return OperatorRun(case, restarts=True).run()


EXECUTORS: dict[str, Callable[[Case], Outcome]] = {
    "operator": run_operator,
    "operator-restarts": run_restarting_operator,
}


def _choose(choose: Callable[..., Any], left: Any, right: Any) -> Any:
    return right if left is None else left if right is None else choose(left, right)


def _value(row: Row | None) -> Any:
    return None if row is None else VALUE.of(row)
