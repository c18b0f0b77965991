"""Where the type of a cast with `::` ends."""

from __future__ import annotations

import pytest

from winsql.model.expressions import Operation
from winsql.model.triggers import WhenTrigger
from winsql.syntax import parse_statement

TYPES = (
    "int",
    "decimal(10, 2)",
    "varchar(3)",
    "array<int>",
    "map<string, array<decimal(10, 2)>>",
    "struct<a: int, b: map<int, array<int>>>",
    "struct<>",
    "interval",
    "interval day",
    "interval day to second",
    "timestamp",
    "timestamp without time zone",
    "timestamp with local time zone",
    "time(3) without time zone",
)
WINDOW = "FROM t WINDOW ASSIGN TUMBLING(ts, '1 hour')"


@pytest.mark.parametrize("written", TYPES)
@pytest.mark.parametrize("after", ["", " < 3", " <= k", " IS NULL", " = 1 AND 2 > 1"])
def test_what_follows_is_read(written: str, after: str) -> None:
    query = parse_statement(f"SELECT max(v)::{written}{after} AS a, k::{written} b {WINDOW} GROUP BY k").query(0, {})
    rest = after.replace("k", "windowed__key_0")
    assert query.head == f"SELECT windowed__aggregate_0::{written}{rest} AS a, windowed__key_0::{written} AS b"


@pytest.mark.parametrize("written", TYPES)
def test_it_is_no_alias(written: str) -> None:
    query = parse_statement(f"SELECT max(v)::{written} {WINDOW} GROUP BY k").query(0, {})
    assert query.unnamed is not None


def test_a_comparison_after_it_ends_where_it_should() -> None:
    text = f"SELECT k {WINDOW} TRIGGER WHEN(v::int < 3 OR v > 5 AND sum(v) > 2) GROUP BY k HAVING max(v)::int < 3"
    query = parse_statement(text).query(0, {})
    trigger = query.spec.trigger
    assert isinstance(trigger, WhenTrigger)
    assert isinstance(trigger.predicate.expression, Operation)
    assert trigger.predicate.expression.name == "OR"
    assert query.tail == "WHERE windowed__aggregate_0::int < 3"


def test_clauses_after_it_are_found() -> None:
    text = "SELECT k, count(*) AS n FROM t WHERE v::int < 3 WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k"
    assert parse_statement(text).query(0, {}).where == "v::int < 3"
