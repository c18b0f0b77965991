"""Rows with two columns of one name, statements that meet twice in one query, and aggregates in every spelling."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streaming import Source, rows_of, run

import winsql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROWS = "(SELECT * FROM VALUES ('a', TIMESTAMP'2024-01-01 00:00:01', 1), ('a', TIMESTAMP'2024-01-01 00:00:02', NULL), "
ROWS += "('a', TIMESTAMP'2024-01-01 00:00:03', 3), ('b', TIMESTAMP'2024-01-01 00:00:04', NULL) AS r(k, ts, n))"
TWICE = f"TABLE(SELECT *, n AS n FROM {ROWS})"
WINDOW = "WINDOW ASSIGN TUMBLING(ts, '1 minute')"
TRIGGERED = f"{WINDOW} TRIGGER PURGING(COUNT(2))"


@pytest.mark.parametrize(
    ("statement", "same"),
    [
        (f"SELECT * FROM {ROWS} JOIN {ROWS} y USING (k, ts) {TRIGGERED}", [2, 3]),
        (f"SELECT *, window_end FROM (SELECT *, n AS n, n AS n FROM {ROWS}) {TRIGGERED}", [2, 3, 4]),
        (f"SELECT * FROM SESSION({TWICE} PARTITION BY k, DESCRIPTOR(ts), '5 seconds')", [2, 3]),
    ],
)
def test_two_columns_of_one_name(spark: SparkSession, statement: str, same: list[int]) -> None:
    rows = rows_of(winsql.sql(spark, statement))
    assert sum(rows.values()) >= 2
    assert all(len({row[n] for n in same}) == 1 for row in rows)


@pytest.mark.parametrize("window", [WINDOW, TRIGGERED])
@pytest.mark.parametrize(
    ("spellings", "values"),
    [
        (["first(n, true)", "FIRST(n IGNORE NULLS)", "first_value(n) IGNORE NULLS"], {("a", "1"), ("b", "None")}),
        (["last(n, true)", "LAST(n IGNORE NULLS)", "last_value(n) ignore nulls"], {("a", "3"), ("b", "None")}),
        (["any_value(n, true)", "ANY_VALUE(n IGNORE NULLS)"], {("a", "1"), ("b", "None")}),
        (["percentile(n, 0.5)", "percentile_cont(0.5) WITHIN GROUP (ORDER BY n)"], {("a", "2.0"), ("b", "None")}),
    ],
)
def test_spellings_of_one_aggregate(
    spark: SparkSession, window: str, spellings: list[str], values: set[tuple[str, str]]
) -> None:
    found = [
        set(rows_of(winsql.sql(spark, f"SELECT k, {call} AS f FROM {ROWS} {window} GROUP BY k"))) for call in spellings
    ]
    assert all(rows == found[0] for rows in found)
    assert window == TRIGGERED or found[0] == values


@pytest.mark.slow
def test_one_statement_planned_twice_in_one_query(spark: SparkSession, tmp_path: Path) -> None:
    source = Source(tmp_path / "in")
    source.put([("a", 1, 1.0, 0), ("b", 2, 2.0, 1)], [("z", 1000, 0.0, 2)])
    source.stream(spark, "twice_stream")
    text = "SELECT k, last(v) IGNORE NULLS AS l, first_value(n) RESPECT NULLS AS f, count(*) AS c, "
    text += "percentile_cont(0.5) WITHIN GROUP (ORDER BY v) FILTER (WHERE n >= 0) AS m FROM twice_stream"
    text += " WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k"
    one, other = (winsql.sql(spark, text).filter(f"k = '{key}'") for key in ("a", "b"))
    (found,) = run([one.unionAll(other)], tmp_path / "checkpoints")
    assert Counter(found) == Counter([("a", "1.0", "0", "1", "1.0"), ("b", "2.0", "1", "1", "2.0")])
