"""Conditions of WHEN above aggregates: which types go together, and Spark's own values for them."""

from __future__ import annotations

import pytest

from winsql.errors import WindowSpecError
from winsql.model.query import WindowQuery
from winsql.planner.condition_types import check_conditions
from winsql.planner.facts import AggregateFact, ColumnFact, Facts
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
