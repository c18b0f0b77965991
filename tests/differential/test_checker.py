"""That the check can fail: wrong answers are found, and shrunk to what shows them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from differential.check import Failure, failure, report, smallest
from differential.compare import difference
from differential.evaluate import expected
from differential.expressions import Aggregate, Column, walk
from differential.generate import draw_query
from differential.record import Query, Result, Session, Source, Statement, Wrapper
from differential.scenes import draw_scene
from differential.shrink import Case
from differential.text import text_of
from differential.values import INT, NTZ, STRING, TIMESTAMP
from differential.windows import Purging, Tumbling
from differential.windows import Session as SessionWindows

RIGHT = Result(("k", "n"), (STRING, INT), [("a", "1"), ("a", "1"), (None, "2")], is_sorted=True)

WRONG = {
    "a row is lost": (replace(RIGHT, rows=RIGHT.rows[:2]), "rows"),
    "a duplicate is lost": (replace(RIGHT, rows=[("a", "1"), (None, "2")]), "rows"),
    "a row comes twice": (replace(RIGHT, rows=[*RIGHT.rows, (None, "2")]), "rows"),
    "NULL is a word": (replace(RIGHT, rows=[("a", "1"), ("a", "1"), ("null", "2")]), "rows"),
    "the order is another": (replace(RIGHT, rows=RIGHT.rows[::-1]), "order of rows"),
    "a type is another": (replace(RIGHT, types=(STRING, STRING)), "types string, string, not string, int"),
    "a column is missing": (Result(("k",), (STRING,), [("a",)]), "1 columns, not 2"),
    "a name is another": (replace(RIGHT, names=("k", "N")), "names k, N, not k, n"),
}


@pytest.mark.parametrize("name", WRONG)
def test_known_wrong_results_are_found(name: str) -> None:
    wrong, words = WRONG[name]
    assert difference(RIGHT, wrong) == words
    assert difference(wrong, wrong) is None


def test_an_internal_name_is_found_where_any_name_is_allowed() -> None:
    wanted = replace(RIGHT, names=(None, None))
    assert difference(wanted, RIGHT) is None
    assert "internal name" in (difference(wanted, replace(RIGHT, names=("k", "windowed__value0"))) or "")


def forgets_where(statement: Statement) -> Statement:
    return replace(statement, where=None)


def forgets_having(statement: Statement) -> Statement:
    return replace(statement, having=None)


def keeps_after_firing(statement: Statement) -> Statement:
    windowing = statement.windowing
    inner = windowing.trigger.trigger if isinstance(windowing.trigger, Purging) else windowing.trigger
    return replace(statement, windowing=replace(windowing, trigger=inner))


def shifts_windows(statement: Statement) -> Statement:
    assigner = statement.windowing.assigner
    if not isinstance(assigner, Tumbling):
        return statement
    return replace(
        statement, windowing=replace(statement.windowing, assigner=replace(assigner, offset=assigner.offset + 1))
    )


def shortens_sessions(statement: Statement) -> Statement:
    assigner = statement.windowing.assigner
    if not isinstance(assigner, SessionWindows) or not isinstance(assigner.gap, int):
        return statement
    return replace(statement, windowing=replace(statement.windowing, assigner=replace(assigner, gap=assigner.gap - 1)))


def reads_input_order(statement: Statement) -> Statement:
    """Order-dependent aggregates over rows as they are stored."""
    source, ordered = statement.source, {"first", "last", "collect_list", "array_agg", "listagg"}
    calls = [part for part in walk(statement.items) if isinstance(part, Aggregate)]
    if not isinstance(source, Source) or not any(call.function in ordered for call in calls):
        return statement
    return replace(statement, source=replace(source, table=replace(source.table, rows=source.table.rows[::-1])))


def counts_duplicates(statement: Statement) -> Statement:
    items = tuple(
        replace(i, expression=replace(i.expression, distinct=False)) if isinstance(i.expression, Aggregate) else i
        for i in statement.items
    )
    return replace(statement, items=items)


Mistake = Callable[[Statement], Statement]
MISTAKES: list[Mistake] = [
    forgets_where,
    forgets_having,
    keeps_after_firing,
    shifts_windows,
    shortens_sessions,
    reads_input_order,
    counts_duplicates,
]


def engine_with(mistake: Mistake) -> Any:
    def runs(query: Query, session: Session) -> Result:
        other = None if query.other is None else mistake(query.other)
        return expected(replace(query, statement=mistake(query.statement), other=other), session)

    return runs


def first_failure(runs: Any, seed: str = "mistakes", queries: int = 400) -> Failure | None:
    for number in range(queries):
        scene = draw_scene(f"{seed}/{number // 20}")
        case = Case(draw_query(scene, f"{seed}/{number}"), scene.session)
        if (found := failure(case, runs)) is not None:
            return found
    return None


@pytest.mark.parametrize("mistake", MISTAKES, ids=lambda mistake: mistake.__name__)
def test_an_engine_with_a_mistake_is_found_and_shrunk(mistake: Mistake) -> None:
    runs = engine_with(mistake)
    found = first_failure(runs)
    assert found is not None
    small = smallest(found, runs, seconds=20)
    query = small.case.query
    assert small.kind == found.kind
    assert (query.around, query.spelling, small.case.session) == (Wrapper.NOTHING, 0, Session())
    assert sum(len(table.rows) for table in query.tables) <= 4
    assert len(query.statement.items) <= 2
    assert not query.statement.order
    printed = report(small, "seed 1", "an engine")
    assert text_of(query, small.case.session)[0] in printed
    assert "VALUES" in printed


def test_an_engine_without_mistakes_passes() -> None:
    assert first_failure(expected, queries=100) is None


def test_an_engine_that_fails_is_found() -> None:
    def runs(query: Query, session: Session) -> Result:
        if query.statement.where is not None:
            raise ValueError("no WHERE")
        return expected(query, session)

    found = first_failure(runs)
    assert found is not None
    assert found.wrong == "ValueError no WHERE\nno WHERE"
    small = smallest(found, runs)
    assert small.case.query.statement.where is not None
    assert not any(table.rows for table in small.case.query.tables)


def test_a_seed_gives_the_same_query() -> None:
    texts = [text_of(draw_query(draw_scene("1"), "1/7"), Session()) for _ in range(2)]
    assert texts[0] == texts[1]


def test_the_generator_draws_what_it_is_there_for() -> None:
    """Each kind of clause, key, time and surrounding comes up among some hundred queries."""
    queries = [draw_query(draw_scene(f"wide/{n // 20}"), f"wide/{n}") for n in range(600)]
    statements = [statement for query in queries for statement in query.statements]
    parts = [part for statement in statements for part in walk(statement)]
    calls = {part.function for part in parts if isinstance(part, Aggregate)}
    assert {query.around for query in queries} == set(Wrapper)
    assert {"collect_list", "first", "last", "listagg", "max_by", "count", "sum", "median"} <= calls
    assert any(isinstance(statement.where, Column) for statement in statements)
    assert any(isinstance(statement.having, Aggregate) for statement in statements)
    assert {type(statement.windowing.assigner).__name__ for statement in statements} == {
        "Tumbling",
        "Sliding",
        "Cumulating",
        "Session",
        "Count",
        "Global",
    }
    triggers = {type(statement.windowing.trigger).__name__ for statement in statements}
    assert triggers >= {"NoneType", "Purging", "CountTrigger", "Delta", "When", "Continuous", "AnyOf", "EndOfStream"}
    times = {getattr(statement.windowing.assigner.time, "type", None) for statement in statements}
    assert {TIMESTAMP, NTZ} <= times
    keys = {str(key.type) for statement in statements for key in statement.keys}
    assert len(keys) >= 12
    assert {statement.function for statement in statements} == {True, False}
    assert len({getattr(statement.source, "type", None) for statement in statements}) == 7
