"""Windows that winsql finds faster on columns than Spark does row by row, with the rows of Spark's own plans."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from planned import frame_of, plan, rows_of

import winsql
from winsql import WindowSpecError
from winsql.planner.plan import Strategy

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SLIDING = "WINDOW ASSIGN SLIDING(ts, '1 minute', '5 seconds', '2 seconds')"
CUMULATING = "WINDOW ASSIGN CUMULATING(ts, '1 minute', '4 seconds')"
SESSION = "WINDOW ASSIGN SESSION(ts, '3 seconds')"
STATEMENTS = (
    f"SELECT k, window_start, window_end, sum(v), count(*), count(v), max(x) FROM overlapping {SLIDING} GROUP BY k",
    f"SELECT k, window_time, sum(v) FILTER (WHERE x > 1), bool_and(x > 1) FROM overlapping {CUMULATING} GROUP BY k",
    f"SELECT k, window_start, window_end, sum(v), count(*), count(v), max(x) FROM overlapping {SESSION} GROUP BY k",
    "SELECT k, window_end, min(v) FROM overlapping WINDOW ASSIGN SESSION(ts, make_dt_interval(0, 0, 0, 1 + k)) "
    "WHERE k > 0 GROUP BY k",
)
OTHERS = (
    f"SELECT k, sum(x) FROM overlapping {SLIDING} GROUP BY k",
    f"SELECT k, count(DISTINCT v) FROM overlapping {SLIDING} GROUP BY k",
    f"SELECT count(*) FROM overlapping {SLIDING}",
    "SELECT k, count(*) FROM overlapping WINDOW ASSIGN SLIDING(ts, '1 minute', '10 seconds') GROUP BY k",
    f"SELECT count(*) FROM overlapping {SESSION}",
    f"SELECT k, histogram_numeric(v, 5) FROM overlapping {SESSION} GROUP BY k",
)
"""The order of additions, values seen before, a single key, few windows, other aggregates: Spark's own plans."""
SPARKS = """
    SELECT k, w.start, w.end, sum(x), count(DISTINCT v)
    FROM (SELECT *, window(ts, '1 minute', '5 seconds', '2 seconds') AS w FROM overlapping) GROUP BY k, w
"""


@pytest.fixture(scope="module", autouse=True)
def overlapping(spark: SparkSession) -> None:
    spark.sql(
        "SELECT if(id % 11 = 0, NULL, id % 5) AS k, "
        "if(id % 13 = 0, NULL, timestamp_seconds(id * 7919 % 400 - 100)) AS ts, "
        "if(id % 7 = 0, NULL, id - 150) AS v, if(id % 17 = 0, 'NaN', id % 10 / 4)::DOUBLE AS x FROM range(300)"
    ).createOrReplaceTempView("overlapping")


def test_rows_are_those_of_spark(spark: SparkSession) -> None:
    frames = [winsql.sql(spark, text) for text in STATEMENTS]
    found = rows_of([*frames, *(frame_of(spark, text, native=True) for text in STATEMENTS)])
    assert found[:4] == found[4:]
    assert all(sum(rows.values()) > 100 for rows in found)


def test_which_plans(spark: SparkSession) -> None:
    assert [plan(spark, text, faster=True).plan.strategy for text in STATEMENTS] == [Strategy.ACCUMULATORS] * 4
    assert [plan(spark, text, faster=True).plan.strategy for text in OTHERS] == [
        *[Strategy.EXPLODE] * 3,
        Strategy.WINDOW,
        *[Strategy.SESSION_WINDOW] * 2,
    ]


@pytest.mark.parametrize(
    "function",
    [
        "SESSION(TABLE overlapping PARTITION BY k, DESCRIPTOR(ts), INTERVAL '3' SECOND)",
        "HOP(TABLE overlapping, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '1' MINUTE)",
    ],
)
def test_groups_over_window_table_functions_are_planned_as_windows(spark: SparkSession, function: str) -> None:
    columns = "k, window_start, window_end"
    windows = f"SELECT {columns}, sum(v), count(*) FROM TABLE({function}) GROUP BY {columns}"
    others = f"SELECT {columns}, sum(w), count(*) FROM (SELECT *, v AS w FROM TABLE({function})) GROUP BY {columns}"
    assert "columnar: many rows at once" in winsql.explain(spark, windows)
    assert "columnar: many rows at once" not in winsql.explain(spark, others)
    found, expected = rows_of([winsql.sql(spark, windows), winsql.sql(spark, others)])
    assert found == expected
    assert sum(found.values()) > 50


def test_a_plan_that_does_not_grow_gives_the_rows_of_sparks_window(spark: SparkSession) -> None:
    text = f"SELECT k, window_start, window_end, sum(x), count(DISTINCT v) FROM overlapping {SLIDING} GROUP BY k"
    found, expected = rows_of([winsql.sql(spark, text), spark.sql(SPARKS)])
    assert found == expected


def test_a_hundred_thousand_windows_of_a_row(spark: SparkSession) -> None:
    text = """
        SELECT count(*), min(s), max(s), min(window_start), max(window_end) FROM (
            SELECT k, sum(x) AS s, window_start, window_end FROM overlapping WHERE ts > TIMESTAMP'1970-01-01 00:04:57'
            WINDOW ASSIGN SLIDING(ts, INTERVAL 100000 SECONDS, INTERVAL 1 SECOND) GROUP BY k
        )"""
    (row,) = winsql.sql(spark, text).collect()
    assert row[0] >= 100_000
    assert (row[4] - row[3]).total_seconds() == pytest.approx(200_000, abs=10)


def test_more_windows_than_anybody_reads_are_refused(spark: SparkSession) -> None:
    sizes = "INTERVAL 2000000 SECONDS, INTERVAL 1 SECOND"
    for text in (
        f"SELECT k, count(*) FROM overlapping WINDOW ASSIGN SLIDING(ts, {sizes}) GROUP BY k",
        f"SELECT k, count(*) FROM overlapping WINDOW ASSIGN CUMULATING(ts, {sizes}) GROUP BY k",
        "SELECT * FROM TABLE(HOP(TABLE overlapping, DESCRIPTOR(ts), '1 second', '2000000 seconds'))",
    ):
        with pytest.raises(WindowSpecError, match="each row would be in 2,000,000 windows") as caught:
            winsql.sql(spark, text)
        assert caught.value.span is not None


def test_a_view_is_kept_as_text(spark: SparkSession) -> None:
    spark.range(20).selectExpr("id % 2 AS k", "timestamp_seconds(id) AS ts").write.saveAsTable("sliding_source")
    try:
        winsql.sql(
            spark, f"CREATE VIEW sliding_view AS SELECT k, count(*) AS n FROM sliding_source {SLIDING} GROUP BY k"
        )
        assert spark.sql("SELECT sum(n) FROM sliding_view").collect() == [(240,)]
    finally:
        spark.sql("DROP VIEW IF EXISTS sliding_view")
        spark.sql("DROP TABLE sliding_source")
