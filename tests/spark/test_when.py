"""Conditions of WHEN above aggregates fire on the rows on which Spark's own value of them is true."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

import winsql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROWS = """
SELECT n, n % 2 AS v, timestamp_seconds(90 * n) AS ts, CAST(timestamp_seconds(90 * n) AS TIMESTAMP_NTZ) AS ntz,
  date_add(DATE'2024-01-01', n) AS day, make_dt_interval(0, 0, n) AS gap, CAST(n / 10 AS DECIMAL(10, 2)) AS dec,
  if(n = 3, double('NaN'), n) AS d
FROM (SELECT CAST(id AS INT) AS n FROM range(1, 7))"""
CONDITIONS = [
    "max(ts) - min(ts) > INTERVAL 3 MINUTES",
    "max(ntz) > min(ntz) + INTERVAL '4:30' MINUTE TO SECOND",
    "max(ts) >= TIMESTAMP'1970-01-01 00:06:00'",
    "max(gap) - min(gap) >= gap / 2",
    "max(day) > DATE'2024-01-04'",
    "max(day) > min(day) + 2",
    "max(dec) - min(dec) >= 0.3",
    "max(d) > 100",
    "max(v) <> 0 AND 6 / sum(v) > 2",
    "sum(n) / 4 > 2 AND max(n) IN (4, 6)",
]


@pytest.fixture
def rows(spark: SparkSession) -> Iterator[str]:
    """Six rows, one after the other."""
    spark.sql(ROWS).createOrReplaceTempView("when_rows")
    yield "when_rows"
    spark.catalog.dropTempView("when_rows")


def fired(spark: SparkSession, condition: str) -> list[int]:
    """The rows on which it fires, by their numbers."""
    text = f"SELECT count(*) AS c FROM when_rows WINDOW ASSIGN GLOBAL(ts) TRIGGER WHEN({condition})"
    return sorted(row.c for row in winsql.sql(spark, text).collect())


@pytest.mark.parametrize("condition", CONDITIONS)
def test_it_fires_where_spark_says_so(spark: SparkSession, rows: str, condition: str) -> None:
    firings = fired(spark, condition)
    expected = []
    for n in range(1, 7):
        over = condition.replace("gap / 2", f"make_dt_interval(0, 0, {n}) / 2")
        if spark.sql(f"SELECT {over} AS c FROM {rows} WHERE n <= {n}").collect()[0].c:
            expected.append(n)
    assert firings == expected
    assert 0 < len(firings) < 6


def test_a_division_by_zero_is_null_without_ansi(spark: SparkSession, rows: str) -> None:
    had = spark.conf.get("spark.sql.ansi.enabled")
    spark.conf.set("spark.sql.ansi.enabled", "false")
    try:
        assert fired(spark, "6 / (sum(n) - 3) > 0") == [3, 4, 5, 6]
        assert fired(spark, "(6 % (sum(n) - 3)) IS NULL") == [2]
    finally:
        spark.conf.set("spark.sql.ansi.enabled", had)
