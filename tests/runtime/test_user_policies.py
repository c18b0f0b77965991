"""Evictors and triggers of users, which may be any code."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from decimal import Decimal
from typing import Any, ClassVar

import numpy as np
import pyarrow as pa
import pytest
from harness import EVENT, VALUE, Run

from winsql.errors import WindowDataError, WindowSpecError
from winsql.model.assigners import GlobalWindows, SlidingWindows
from winsql.model.base import Decision, Row
from winsql.model.evictors import CountEvictor, Evictor
from winsql.model.expressions import AggregateRef, Constant, Operation, Predicate
from winsql.model.functions import AggregateFunction
from winsql.model.nested_triggers import AllTrigger, AnyTrigger, ProcessingTimeoutTrigger, PurgingTrigger
from winsql.model.policy import Kind, parameter
from winsql.model.query import WindowSpec
from winsql.model.registry import TRIGGERS, register_trigger
from winsql.model.triggers import CountTrigger, NeverTrigger, Trigger, WhenTrigger
from winsql.runtime.aggregates import bind_registered
from winsql.runtime.contents import Contents


@dataclass(frozen=True, slots=True)
class Own(Evictor):
    """An evictor of a user: a function of the rows."""

    choose: Callable[[list[Row]], Any]

    def keep(self, rows: list[Row], window: Any) -> Any:
        return self.choose(rows)


@dataclass(frozen=True, slots=True)
class Answering(Trigger):
    """A trigger of a user that always gives one answer."""

    answer: Any

    def on_element(self, row: Row, timestamp: int, ctx: Any) -> Any:
        return self.answer


class Rows:
    """An aggregate that counts the rows."""

    def create(self) -> int:
        return 0

    def add(self, accumulator: int, row: Row) -> int:
        return accumulator + 1

    def merge(self, accumulator: int, other: int) -> int:
        return accumulator + other

    def result(self, accumulator: int) -> int:
        return accumulator


def without_first(rows: list[Row]) -> list[Row]:
    """As evictors of Flink do it, which remove rows from what they are given."""
    del rows[0]
    return rows


def lazily(rows: list[Row]) -> Iterable[Row]:
    return (row for row in rows[1:])


THIRD_ROW = WhenTrigger(Predicate("COUNT(*) = 3", Operation("=", (AggregateRef(0), Constant(3))), uses_aggregates=True))


@pytest.mark.parametrize("choose", [without_first, lazily, lambda rows: tuple(rows[1:])])
@pytest.mark.parametrize(
    ("after", "values"), [(False, [[2, 3], [3, 4], [4, 5]]), (True, [[1, 2, 3], [2, 3, 4], [3, 4, 5]])]
)
def test_an_evictor_may_change_its_rows(choose: Any, after: bool, values: list[list[int]]) -> None:
    spec = WindowSpec(GlobalWindows(EVENT), THIRD_ROW, evictor=Own(choose), evict_after=after)
    run = Run(spec, Contents(trigger_aggregates=(Rows(),)))
    for time in range(1, 6):
        run.add(time, time)
    assert [firing.values for firing in run.firings] == values


OTHERS = [
    None,
    3,
    [1, 2],
    {"a": 1},
    [()],
    [(9, 9, 9, None)],
    lambda rows: [(*row[:2], 7, None) for row in rows],
    lambda rows: [(12345, *row[1:]) for row in rows],
]


@pytest.mark.parametrize("answer", OTHERS)
def test_an_evictor_returns_rows(answer: Any) -> None:
    choose = answer if callable(answer) else lambda rows: answer
    run = Run(WindowSpec(GlobalWindows(EVENT), CountTrigger(2), evictor=Own(choose)))
    with pytest.raises(WindowDataError, match=r"^Own: keep returned something else than rows"):
        run.add(1, 1).add(2, 2)


@pytest.mark.parametrize("choose", [lambda rows: rows + rows[:1], lambda rows: rows[1:] + rows[1:]])
def test_an_evictor_returns_a_row_once(choose: Any) -> None:
    run = Run(WindowSpec(GlobalWindows(EVENT), CountTrigger(2), evictor=Own(choose)))
    with pytest.raises(WindowDataError, match=r"^Own: keep returned a row twice"):
        run.add(1, 1).add(2, 2)


def test_rows_keep_their_order() -> None:
    """The three largest, which are easiest found by sorting."""
    largest = Own(lambda rows: sorted(rows, key=VALUE.of, reverse=True)[:3])
    run = Run(WindowSpec(GlobalWindows(EVENT), CountTrigger(2), evictor=largest))
    for time, value in enumerate([5, 9, 1, 7, 8, 2]):
        run.add(time, value)
    assert [firing.values for firing in run.firings] == [[5, 9], [5, 9, 7], [9, 7, 8]]


class NoNumber:
    """What numpy and pandas have for a missing value, or for several: it is neither true nor false."""

    def __bool__(self) -> bool:
        raise TypeError("ambiguous")


@dataclass(frozen=True, slots=True)
class Around(Trigger):
    """A trigger of a user around another one."""

    trigger: Trigger = parameter(Kind.TRIGGER)

    def on_element(self, row: Row, timestamp: int, ctx: Any) -> Any:
        return self.trigger.on_element(row, timestamp, ctx)


TRIGGERS_AROUND = [
    lambda own: Around(AnyTrigger((own,))),
    lambda own: own,
    PurgingTrigger,
    lambda own: AnyTrigger((NeverTrigger(), own)),
    lambda own: PurgingTrigger(AllTrigger((own, AnyTrigger((own,))))),
    lambda own: ProcessingTimeoutTrigger(own, 1),
]


@pytest.mark.parametrize("around", TRIGGERS_AROUND)
@pytest.mark.parametrize("answer", ["fire", "", 4, 0.5, (1,), [1], math.nan, NoNumber()])
def test_a_trigger_returns_a_decision(answer: Any, around: Any) -> None:
    run = Run(WindowSpec(GlobalWindows(EVENT), around(Answering(answer))))
    with pytest.raises(WindowDataError, match=r"^Answering: it returned "):
        run.add(1, 1)


@pytest.mark.parametrize("around", TRIGGERS_AROUND)
@pytest.mark.parametrize("answer", [Decision.FIRE, True, 1.0, Decimal(1), np.True_, np.float64(1)])
def test_decisions_are_numbers(answer: Any, around: Any) -> None:
    run = Run(WindowSpec(GlobalWindows(EVENT), around(Answering(answer)))).add(1, 1).add(2, 2)
    values = [[VALUE.of(row) for row in firing.result] for firing in run.firings]
    assert values == [[1], [2] if isinstance(around(NeverTrigger()), PurgingTrigger) else [1, 2]]


@pytest.mark.parametrize("around", TRIGGERS_AROUND)
def test_no_answer_is_to_go_on(around: Any) -> None:
    run = Run(WindowSpec(GlobalWindows(EVENT), around(Answering(None)))).add(1, 1).add(2, 2)
    assert run.firings == []


@dataclass(frozen=True, slots=True)
class Wrong(Trigger):
    """A trigger whose method has another signature than Flink's, and none that it calls `self`."""

    def on_element(this, row: Row, ctx: Any) -> Any:  # type: ignore[override]
        return Decision.FIRE


@dataclass(frozen=True, slots=True)
class Lazy(Evictor):
    """As `Wrong`."""

    def keep(this, rows: list[Row]) -> Any:  # type: ignore[override]
        return rows


@pytest.mark.parametrize("around", TRIGGERS_AROUND)
def test_what_a_trigger_raises_is_told(around: Any) -> None:
    run = Run(WindowSpec(GlobalWindows(EVENT), around(Wrong())))
    with pytest.raises(WindowDataError, match=r"^Wrong failed: TypeError: .*3 positional arguments"):
        run.add(1, 1)


@pytest.mark.parametrize("evictor", [Lazy(), Own(lambda rows: (1 / 0 for row in rows))])
def test_what_an_evictor_raises_is_told(evictor: Evictor) -> None:
    run = Run(WindowSpec(GlobalWindows(EVENT), CountTrigger(1), evictor=evictor))
    with pytest.raises(WindowDataError, match=r"^(Lazy|Own) failed: (TypeError|ZeroDivisionError)"):
        run.add(1, 1)


@dataclass(frozen=True, slots=True)
class Later(Trigger):
    """Fires at a time that is computed from that of the row."""

    time: Callable[[int], Any]

    def on_element(self, row: Row, timestamp: int, ctx: Any) -> Decision:
        ctx.register_event_timer(self.time(timestamp))
        return Decision.CONTINUE

    def on_event_time(self, time: int, ctx: Any) -> Decision:
        return Decision.FIRE


@pytest.mark.parametrize("time", [lambda t: t + 2.5, lambda t: None, str, lambda t: math.inf, lambda t: math.nan])
def test_timers_are_whole_numbers(time: Any) -> None:
    with pytest.raises(WindowDataError, match=r"^Later failed: "):
        Run(WindowSpec(GlobalWindows(EVENT), Later(time))).add(1, 1)


@pytest.mark.parametrize("time", [lambda t: t + 5.0, lambda t: np.int64(t + 5), lambda t: Decimal(t + 5)])
def test_timers_may_be_numbers_of_any_type(time: Any) -> None:
    run = Run(WindowSpec(GlobalWindows(EVENT), Later(time))).add(1, 1).watermark(6)
    assert [(type(firing.timer), firing.timer) for firing in run.firings] == [(int, 6)]


@pytest.mark.parametrize(("time", "timer"), [(2**70, 2**63 - 1), (-(2**70), -(2**63))])
def test_timers_beyond_all_time(time: int, timer: int) -> None:
    run = Run(WindowSpec(GlobalWindows(EVENT), Later(lambda _: time))).add(1, 1).watermark(2**63 - 1)
    assert [firing.timer for firing in run.firings] == [timer]


class Joined:
    """An aggregate that keeps the array of the first row, and adds those of later rows to it."""

    def create_accumulator(self) -> Any:
        return None

    def add(self, accumulator: Any, values: list[int]) -> Any:
        if accumulator is None:
            return values
        accumulator += values
        return accumulator

    def get_result(self, accumulator: Any) -> Any:
        accumulator.sort()
        return accumulator

    def merge(self, accumulator: Any, other: Any) -> Any:
        return self.add(accumulator, other)


class Shared(Joined):
    """An aggregate whose windows all begin with one list."""

    start: ClassVar[list[int]] = []

    def create_accumulator(self) -> Any:
        return self.start


@pytest.mark.parametrize("function", [Joined(), Shared()])
@pytest.mark.parametrize("evictor", [None, CountEvictor(9)])
def test_an_aggregate_may_keep_and_change_what_it_gets(function: Any, evictor: Evictor | None) -> None:
    aggregate = bind_registered(AggregateFunction(function, "ARRAY<INT>"), (2,), None, pa.list_(pa.int64()))
    spec = WindowSpec(SlidingWindows(EVENT, 4, 2), CountTrigger(1), evictor=evictor)
    run = Run(spec, Contents((aggregate,), keep_rows=evictor is not None))
    for time, values in enumerate([[5], [3, 4], [1]]):
        run.add(time, values)
    found = {(firing.window.start, firing.pane_index): firing.result for firing in run.firings}
    first, second = {0: [5], 1: [3, 4, 5], 2: [1, 3, 4, 5]}, {0: [5], 1: [3, 4, 5]}
    assert {index: found[0, index][0] for index in first} == first
    assert {index: found[-2, index][0] for index in second} == second
    assert found[2, 0] == ([1],)


def _made() -> type[Trigger]:
    class Counting(Trigger):
        def __init__(self) -> None:
            self.seen = 0

    return Counting


def _thawed() -> type[Trigger]:
    @dataclass
    class Counting(Trigger):
        seen: int = 0

    return Counting


def _inherited() -> type[Trigger]:
    class Counting(_made()):  # type: ignore[misc]
        pass

    return Counting


@pytest.mark.parametrize("made", [_made, _thawed, _inherited])
def test_a_trigger_that_may_keep_values_in_itself_is_refused(made: Callable[[], type[Trigger]]) -> None:
    with pytest.raises(WindowSpecError, match="counting is not a frozen dataclass") as caught:
        register_trigger("counting", made())
    assert caught.value.hint == "write @dataclass(frozen=True) above class Counting, and no __init__"
    assert "counting" not in TRIGGERS


def test_a_trigger_without_parameters_need_be_no_dataclass() -> None:
    class Third(Trigger):
        seen = 0

        def on_element(self, row: Row, timestamp: int, ctx: Any) -> Any:
            ctx.put("seen", (ctx.get("seen") or 0) + 1)
            return Decision.FIRE if ctx.get("seen") % 3 == 0 else Decision.CONTINUE

    register_trigger("third", Third)
    try:
        run = Run(WindowSpec(GlobalWindows(EVENT), Third()))
        assert [len(run.add(number, number).take()) for number in range(1, 7)] == [0, 0, 1, 0, 0, 1]
        with pytest.raises(WindowSpecError, match="Third keeps seen in itself") as caught:
            Third().seen = 1
        assert caught.value.hint == "keep it with ctx.put"
    finally:
        TRIGGERS.remove("third")
