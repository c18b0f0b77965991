"""Evictors and triggers of users, which may be any code."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

import pytest
from harness import EVENT, VALUE, Run

from winsql.errors import WindowDataError
from winsql.model.assigners import GlobalWindows
from winsql.model.base import Decision, Row
from winsql.model.evictors import Evictor
from winsql.model.expressions import AggregateRef, Constant, Operation, Predicate
from winsql.model.query import WindowSpec
from winsql.model.triggers import CountTrigger, Trigger, WhenTrigger
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


@pytest.mark.parametrize("answer", [None, 3, [1, 2], {"a": 1}])
def test_an_evictor_returns_rows(answer: Any) -> None:
    run = Run(WindowSpec(GlobalWindows(EVENT), CountTrigger(2), evictor=Own(lambda rows: answer)))
    with pytest.raises(WindowDataError, match=r"^Own: keep returned something else than rows"):
        run.add(1, 1).add(2, 2)


@pytest.mark.parametrize("answer", ["fire", 4, (1,)])
def test_a_trigger_returns_a_decision(answer: Any) -> None:
    run = Run(WindowSpec(GlobalWindows(EVENT), Answering(answer)))
    with pytest.raises(WindowDataError, match=r"^Answering: it returned "):
        run.add(1, 1)


@pytest.mark.parametrize("answer", [Decision.FIRE, True])
def test_decisions_are_numbers(answer: Any) -> None:
    run = Run(WindowSpec(GlobalWindows(EVENT), Answering(answer))).add(1, 1).add(2, 2)
    assert [[VALUE.of(row) for row in firing.result] for firing in run.firings] == [[1], [1, 2]]
