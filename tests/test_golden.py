"""Golden files of the syntax layer: canonical text, rewritten statements, complete error messages."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, fields
from typing import Any

import pytest
from canonical import render_query
from golden_cases import GoldenCase, check_case, golden_cases
from on_streams import on_streams

import winsql
from winsql.errors import Span, WinsqlError
from winsql.model.policy import Kind, parameter
from winsql.model.query import WindowJoin, WindowQuery
from winsql.model.registry import AGGREGATES, APPLY_FUNCTIONS, CO_GROUP_FUNCTIONS, EVICTORS, TRIGGERS
from winsql.syntax import Statement, parse_statement
from winsql.syntax.mistakes import find_mistakes
from winsql.syntax.near_misses import near_misses


@dataclass(frozen=True, slots=True)
class Spike(winsql.Trigger):
    """A user's trigger with parameters of every plain kind."""

    expr: winsql.Operand = parameter(Kind.EXPRESSION)
    factor: float = parameter(Kind.NUMBER, 2)
    patience: int = parameter(Kind.DURATION, 60_000_000)

    def __post_init__(self) -> None:
        if self.factor <= 1:
            raise ValueError("the factor must be greater than 1")


@dataclass(frozen=True, slots=True)
class Halve(winsql.Evictor):
    """A user's evictor without parameters."""


class GeometricMean:
    def create_accumulator(self) -> Any: ...
    def add(self, accumulator: Any, *values: Any) -> Any: ...
    def get_result(self, accumulator: Any) -> Any: ...
    def merge(self, accumulator: Any, other: Any) -> Any: ...


@pytest.fixture(scope="module", autouse=True)
def _registered() -> Iterator[None]:
    """What the golden files use of the user's own."""
    winsql.register_trigger("spike", Spike)
    winsql.register_evictor("halve", Halve)
    winsql.register_aggregate("geometric_mean", GeometricMean(), "DOUBLE")
    winsql.register_apply_function("fit", lambda key, window, rows: rows, "slope DOUBLE, points STRUCT<x: INT, y: INT>")
    winsql.register_co_group_function("pair_up", lambda key, window, left, right: left, "n INT, `odd one` STRING")
    yield
    CO_GROUP_FUNCTIONS.remove("pair_up")
    TRIGGERS.remove("spike")
    EVICTORS.remove("halve")
    AGGREGATES.remove("geometric_mean")
    APPLY_FUNCTIONS.remove("fit")


def session_aggregate(name: str) -> bool:
    """Stands for the aggregates a session knows."""
    return name == "MY_UDAF"


@pytest.mark.parametrize("case", golden_cases("identity"), ids=lambda case: case.id)
def test_identity(case: GoldenCase, update_golden: bool) -> None:
    check_case(case, canonical, update_golden)
    for query in parse_statement(case.input, session_aggregate).queries:
        text = render_query(query)
        again = parse_statement(text, session_aggregate).queries[-1]
        assert without_places(again) == without_places(query)
        assert render_query(again) == text


@pytest.mark.parametrize("case", golden_cases("rewrite"), ids=lambda case: case.id)
def test_rewrite(case: GoldenCase, update_golden: bool) -> None:
    check_case(case, rewritten, update_golden)


@pytest.mark.parametrize("case", golden_cases("errors"), ids=lambda case: case.id)
def test_error(case: GoldenCase, update_golden: bool) -> None:
    check_case(case, message, update_golden)


@pytest.mark.parametrize("case", golden_cases("stream_errors"), ids=lambda case: case.id)
def test_error_on_streams(case: GoldenCase, update_golden: bool) -> None:
    check_case(case, message_on_streams, update_golden)


@pytest.mark.parametrize("case", golden_cases("near_misses"), ids=lambda case: case.id)
def test_what_check_says_of_misspelled_words(case: GoldenCase, update_golden: bool) -> None:
    check_case(case, lambda case: "\n".join(map(str, find_mistakes(case.input))), update_golden)


@pytest.mark.parametrize("kind", ["identity", "plans", "rewrite"])
def test_what_can_be_read_has_no_misspelled_word(kind: str) -> None:
    assert [(case.id, near_misses(case.input)) for case in golden_cases(kind) if near_misses(case.input)] == []


def test_every_rule_has_a_case() -> None:
    problems = {case.expected.partition("\n")[0] for case in golden_cases("errors")}
    assert len(problems) >= 60


def test_every_error_says_what_to_write() -> None:
    by_users = "a user's trigger refuses its parameters"  # its text is the user's own
    cases = [*golden_cases("errors"), *golden_cases("stream_errors")]
    silent = [case.id for case in cases if "\n  hint: " not in case.expected]
    assert silent == [f"policies: {by_users}"]


def message_on_streams(case: GoldenCase) -> str:
    """What is said when all that the statement reads turns out to be streams."""
    statement = parse_statement(case.input, session_aggregate)
    try:
        on_streams(statement)
    except WinsqlError as error:
        return f"{type(error).__name__}: {error}"
    return "no error"


def canonical(case: GoldenCase) -> str:
    queries = parse_statement(case.input, session_aggregate).queries
    return "\n;\n".join(render_query(query) for query in queries)


def rewritten(case: GoldenCase) -> str:
    """Every query as the planner gets it, then the statement over relations r0, r1 ..."""
    statement = parse_statement(case.input, session_aggregate)
    relations: dict[int, str] = {}
    blocks = []
    for index in range(len(statement.queries)):
        blocks.append("\n".join(described(statement, index, relations)))
        relations[index] = f"r{index}"
    return "\n".join([*blocks, statement.replace(relations)])


def described(statement: Statement, index: int, relations: dict[int, str]) -> Iterator[str]:
    query = statement.query(index, relations)
    context = statement.context(index, relations)
    yield f"-- r{index}: {query.form.name}"
    if context:
        yield f"--   context  {context.rstrip()}"
    yield f"--   source   {query.source}"
    if query.where:
        yield f"--   where    {query.where}"
    for key in query.keys:
        yield f"--   {key.column} = {key.sql}"
    for n, operand in enumerate(query.operands):
        yield f"--   operand {n} = {operand.sql} ({operand.policy}, {operand.kind.name})"
    for call in (*query.aggregates, *query.trigger_aggregates):
        yield f"--   {call.column} = {call.sql} {_parts(call)}"
    for column in query.payload:
        yield f"--   {column.column} = {column.sql}"
    if query.join is not None:
        yield from described_join(query.join)


def described_join(join: WindowJoin) -> Iterator[str]:
    yield f"--   join {'co-group' if join.how is None else join.how.name}"
    for side in (join.left, join.right):
        yield f"--     {side.name} at {side.time}: {side.sql}"
    for left, right in join.keys:
        yield f"--     {left} = {right}"
    if join.condition is not None:
        yield f"--     on {join.condition}"


def _parts(call: Any) -> str:
    distinct = "distinct " if call.distinct else ""
    condition = f" filter {call.filter}" if call.filter else ""
    plain = "" if call.is_plain else ", not plain"
    return f"[{call.name}: {distinct}{' | '.join(call.arguments)}{condition}{plain}]"


def message(case: GoldenCase) -> str:
    with pytest.raises(WinsqlError) as caught:
        parse_statement(case.input, session_aggregate).check()
    return f"{type(caught.value).__name__}: {caught.value}"


def without_places(value: Any) -> Any:
    """A query record without its text and spans."""
    if isinstance(value, Span):
        return None
    if isinstance(value, tuple):
        return tuple(without_places(item) for item in value)
    if isinstance(value, WindowQuery) or hasattr(value, "span"):
        return {f.name: without_places(getattr(value, f.name)) for f in fields(value) if f.name != "text"}
    return value
