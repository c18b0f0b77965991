"""Conditions of WHEN above aggregates: which types go together, and Spark's own values for them."""

from __future__ import annotations

import math
from decimal import Decimal
from typing import Any

import pytest

from winsql.errors import WindowDataError, WindowSpecError
from winsql.model.query import WindowQuery
from winsql.planner.condition_types import check_conditions
from winsql.planner.facts import AggregateFact, ColumnFact, Facts
from winsql.planner.null_division import with_null_division
from winsql.syntax import parse_statement

COLUMNS = {
    "i": "int",
    "n": "bigint",
    "d": "double",
    "dec": "decimal(10,2)",
    "name": "string",
    "ok": "boolean",
    "day": "date",
    "ts": "timestamp",
    "ntz": "timestamp_ntz",
    "gap": "interval day to second",
    "months": "interval year to month",
    "pair": "struct<a:int>",
}
"""Columns, which are the arguments of aggregates too, and their types."""
TYPES = {
    **COLUMNS,
    "DATE'2030-01-01'": "date",
    "TIMESTAMP'2030-01-01'": "timestamp",
    "CAST('2030-01-01' AS TIMESTAMP)": "timestamp",
    "INTERVAL 1 MONTH": "interval month",
    "INTERVAL 1 DAY": "interval day",
    "INTERVAL '1:30' MINUTE TO SECOND": "interval minute to second",
}


def query_of(condition: str) -> WindowQuery:
    text = f"SELECT count(*) FROM t WINDOW ASSIGN GLOBAL() TRIGGER ANY(COUNT(9), PURGING(WHEN({condition})))"
    return parse_statement(text).query(0, {})


def checked(condition: str) -> None:
    query = query_of(condition)
    operands = tuple(ColumnFact(TYPES[operand.sql], None) for operand in query.operands)
    results = [TYPES[call.arguments[0]] if call.arguments else "bigint" for call in query.trigger_aggregates]
    aggregates = tuple(AggregateFact(ColumnFact(result, None), has_accumulator=True) for result in results)
    check_conditions(query, Facts(None, None, (), operands, (), aggregates))


@pytest.mark.parametrize(
    "condition",
    [
        "max(ok)",
        "max(i) > 3 AND (max(dec) < 2.5 OR NOT max(d) <=> NULL)",
        "max(ok) IS TRUE",
        "max(ok) = (max(i) > 3)",
        "max(name) IN ('a', min(name))",
        "max(ts) > ts",
        "max(ts) >= TIMESTAMP'2030-01-01'",
        "max(ts) >= CAST('2030-01-01' AS TIMESTAMP)",
        "max(ts) - min(ts) > INTERVAL 1 DAY",
        "max(ts) BETWEEN min(ts) + INTERVAL 1 DAY AND INTERVAL '1:30' MINUTE TO SECOND + max(ts)",
        "max(ntz) - INTERVAL 1 DAY > min(ntz)",
        "abs(max(gap)) * 2 < max(gap) - -min(gap)",
        "max(day) > min(day) + 3 OR max(day) = DATE'2030-01-01'",
        "max(months) > INTERVAL 1 MONTH",
        "count(*) / 2 % 3 > max(d)",
        "coalesce(max(name), 'x') = 'x' AND nullif(max(i), 3) IS NULL",
        "CASE WHEN max(ok) THEN max(i) ELSE NULL END > 1",
        "if(max(i) > 3, max(d), 1) > 0",
        "greatest(max(ts), ts) = ts AND max(pair) IS NOT NULL",
        "CASE max(i) WHEN 1 THEN TRUE END",
        "max(i) > NULL / max(i)",
    ],
)
def test_types_that_go_together(condition: str) -> None:
    checked(condition)


@pytest.mark.parametrize("column", ["d", "by", "escape", "`by`"])
def test_a_column_may_be_called_like_a_word_of_the_grammar(column: str) -> None:
    assert [operand.sql for operand in query_of(f"sum(i) - {column} - 1 > 3").operands] == [column]


@pytest.mark.parametrize(
    ("condition", "place", "problem", "hint"),
    [
        ("max(i)", "max(i)", "WHEN: max(i) is of type INT", "compare it"),
        ("ok AND max(i)", "max(i)", "WHEN: AND of a value of type INT", "compare it"),
        ("NOT max(name)", "max(name)", "WHEN: NOT of a value of type STRING", "compare it"),
        ("CASE WHEN max(i) THEN ok END", "max(i)", "WHEN: CASE of a value of type INT", "compare it"),
        ("coalesce(max(i), 1)", "max(i)", "coalesce(max(i), 1) is of type INT", "compare it"),
        ("max(ts) >= DATE'2030-01-01'", "max(ts) >= DATE'2030-01-01'", "WHEN: >= over TIMESTAMP and DATE", "TIMESTAMP"),
        ("ok OR max(ts) < max(day)", "max(ts) < max(day)", "WHEN: < over TIMESTAMP and DATE", "AS TIMESTAMP)"),
        ("max(ts) > min(ntz)", "max(ts) > min(ntz)", "WHEN: > over TIMESTAMP and TIMESTAMP_NTZ", "AS TIMESTAMP)"),
        ("max(ts) > '2024-01-01'", "max(ts)", "WHEN: > over TIMESTAMP and STRING", "AS TIMESTAMP)"),
        ("max(day) IN ('2024-01-01')", "max(day)", "WHEN: IN over DATE and STRING", "AS DATE)"),
        ("count(*) > '5'", "count(*)", "WHEN: > over BIGINT and STRING", "AS DOUBLE)"),
        ("max(ok) = 1", "max(ok)", "WHEN: = over BOOLEAN and INT", "AS DOUBLE)"),
        ("max(ts) BETWEEN 1 AND 2", "max(ts)", "WHEN: BETWEEN over TIMESTAMP and INT", "AS TIMESTAMP)"),
        ("coalesce(max(ts), day) = ts", "max(ts), day", "WHEN: COALESCE over TIMESTAMP and DATE", "AS TIMESTAMP)"),
        ("if(ok, max(i), '0') > 1", "ok, max(i)", "WHEN: CASE over INT and STRING", "AS DOUBLE)"),
        ("nullif(max(i), 'x') > 1", "max(i)", "WHEN: NULLIF over INT and STRING", "AS DOUBLE)"),
        ("greatest(max(i), name) > 1", "max(i), name", "WHEN: GREATEST over INT and STRING", "AS DOUBLE)"),
        ("max(pair) = pair", "max(pair) = pair", "WHEN: = over STRUCT<A:INT>", "max(v.n)"),
        (
            "max(ts) > min(ts) + INTERVAL 1 MONTH",
            "min(ts) + INTERVAL 1 MONTH",
            "WHEN: + over TIMESTAMP and INTERVAL MONTH",
            "unix_micros",
        ),
        (
            "max(day) - INTERVAL 1 DAY > day",
            "max(day) - INTERVAL 1 DAY",
            "WHEN: - over DATE and INTERVAL DAY",
            "unix_date",
        ),
        ("max(day) - min(day) > 3", "max(day) - min(day)", "WHEN: - over DATE and DATE", "unix_date"),
        ("max(day) + max(n) > day", "max(day) + max(n)", "WHEN: + over DATE and BIGINT", "unix_date"),
        ("max(ts) - max(ntz) > gap", "max(ts) - max(ntz)", "WHEN: - over TIMESTAMP and TIMESTAMP_NTZ", "unix_micros"),
        ("max(gap) / 2 > gap", "max(gap)", "WHEN: / over INTERVAL DAY TO SECOND and INT", "in the aggregate"),
        ("max(name) + 1 > 2", "max(name)", "WHEN: + over STRING and INT", "in the aggregate"),
        ("-max(ts) < 0", "max(ts)", "WHEN: NEG over TIMESTAMP", "in the aggregate"),
        ("max(months) * 2 > months", "max(months)", "WHEN: * over INTERVAL YEAR TO MONTH and INT", "in the aggregate"),
    ],
)
def test_types_that_do_not(condition: str, place: str, problem: str, hint: str) -> None:
    with pytest.raises(WindowSpecError) as caught:
        checked(condition)
    error = caught.value
    assert problem in error.problem
    assert error.rule is not None
    assert hint in str(error.hint)
    assert error.span is not None
    assert error.span.text(str(error.source)) == place


def holds(condition: str, *, ansi: bool = True, **values: Any) -> bool:
    """Whether the condition over aggregates of one row with these values is true."""
    query = query_of(condition)
    trigger: Any = (query if ansi else with_null_division(query)).spec.trigger
    predicate = trigger.triggers[1].trigger.predicate
    aggregates = [values[call.arguments[0]] for call in query.trigger_aggregates]
    found = predicate.expression.value((), aggregates)
    assert found in (True, False, None)
    return found is True


@pytest.mark.parametrize(
    "condition",
    [
        "max(n) <> 0 AND 10 / max(n) > 2",
        "NOT (max(n) = 0 OR 10 / max(n) > 2)",
        "CASE WHEN max(n) <> 0 THEN 10 / max(n) ELSE 0 END > 2",
        "if(max(n) <> 0, 10 % max(n), 0) > 2",
        "coalesce(max(n), 10 / max(n)) > 2",
        "NOT max(n) IN (0, 10 / max(n))",
        "max(d) / max(n) > 2",
    ],
)
def test_only_what_is_needed_is_computed(condition: str) -> None:
    assert not holds(condition, n=0, d=None)


def test_division_by_zero() -> None:
    for condition in ("10 / max(n) > 2", "10 % max(dec) > 2", "max(d) / max(dec) > 2"):
        with pytest.raises(WindowDataError, match="division by zero"):
            holds(condition, n=0, d=1.0, dec=Decimal(0))
        assert not holds(condition, ansi=False, n=0, d=1.0, dec=Decimal(0))
        assert holds(f"({condition}) IS NULL", ansi=False, n=0, d=1.0, dec=Decimal(0))
    assert holds("10 / max(n) > 2 AND 10 % max(n) = 2", ansi=False, n=4)


@pytest.mark.parametrize(
    ("condition", "expected"),
    [
        ("max(d) > 5", True),
        ("max(d) >= max(f)", True),
        ("max(d) = max(d)", True),
        ("max(d) <> max(d)", False),
        ("max(d) <=> max(d)", True),
        ("max(d) <= 1E308", False),
        ("max(n) < max(d)", True),
        ("max(dec) < max(d)", True),
        ("max(d) BETWEEN 1 AND 9", False),
        ("max(d) IN (1, max(f))", True),
        ("greatest(max(d), 1) = 1 OR greatest(1, max(d)) = 1", False),
        ("least(max(d), max(dec)) = 1 AND least(1.5, max(d)) = 1.5", True),
    ],
)
def test_nan_is_the_largest_number_and_equal_to_itself(condition: str, expected: bool) -> None:
    assert holds(condition, d=math.nan, f=math.nan, n=1, dec=Decimal("1.00")) is expected


@pytest.mark.parametrize(
    "condition",
    [
        "max(dec) + 0 = max(dec)",
        "-max(dec) < 0 AND -(-max(dec)) = max(dec)",
        "abs(max(dec)) = max(dec)",
        "max(dec) - 0.01 < max(dec)",
        "max(dec) * max(dec) > max(dec) * (max(dec) - 0.01)",
        "max(dec) % 7 = 4.12",
        "7 % max(dec) = 7",
    ],
)
def test_decimals_keep_their_digits(condition: str) -> None:
    assert holds(condition, dec=Decimal("123456789012345678901234567890123456.12"))


def test_numbers_beside_a_float_are_floats() -> None:
    assert holds("avg(d) <=> 0.1 AND max(d) = 0.1 AND max(d) IN (0.1)", d=0.1)
    assert holds("max(n) = max(d)", n=2**53 + 1, d=2.0**53)
    assert holds("max(n) / 1 = max(d)", n=2**53 + 1, d=2.0**53)
    assert holds("(max(d) % 3) IS NOT NULL", d=math.inf)
    assert not holds("NULL <=> max(n) OR max(n) <=> NULL", n=1)
    assert holds("NULL <=> max(n)", n=None)
