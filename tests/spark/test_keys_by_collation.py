"""Sessions of keys that are equal by their collation, whatever their bytes: the rows of the operator on every plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import winsql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.since("4.1")  # whose collations may trim

ROWS = (
    "SELECT CAST(id AS INT) AS n, timestamp_seconds(1704067200 + id * 5) AS ts, collate(CASE id % 4 WHEN 0 THEN 'é'"
    " WHEN 1 THEN 'e' WHEN 2 THEN 'E' ELSE 'z' END, 'UNICODE_CI_AI') AS k,"
    " collate(CASE id % 2 WHEN 0 THEN 'a ' ELSE 'a' END, 'UTF8_BINARY_RTRIM') AS r FROM range(0, 60, 1, 2)"
)
SESSION = "WINDOW ASSIGN SESSION(ts, '25 seconds')"


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (f"SELECT count(*) AS c, sum(n) AS s FROM collated {SESSION} GROUP BY k", [15, 45]),
        (f"SELECT count(*) AS c FROM collated {SESSION} TRIGGER PURGING(EVENT_TIME()) GROUP BY k", [15, 45]),
        (f"SELECT count(*) AS c, percentile(n, 0.5) FROM collated {SESSION} GROUP BY struct(k)", [15, 45]),
        (f"SELECT count(*) AS c, max(n) FROM collated {SESSION} GROUP BY r", [60]),
        (
            "SELECT count(*) AS c FROM TABLE(SESSION(TABLE collated PARTITION BY k, DESCRIPTOR(ts), INTERVAL '25' "
            "SECONDS)) GROUP BY k, window_start, window_end",
            [15, 45],
        ),
    ],
)
def test_sessions(spark: SparkSession, text: str, counts: list[int]) -> None:
    spark.sql(ROWS).createOrReplaceTempView("collated")
    assert sorted(row.c for row in winsql.sql(spark, text).collect()) == counts
    spark.catalog.dropTempView("collated")


def test_explain_says_why(spark: SparkSession) -> None:
    spark.sql(ROWS).createOrReplaceTempView("collated")
    said = winsql.explain(spark, f"SELECT count(*) FROM collated {SESSION} GROUP BY k")
    assert "not by Spark alone: session_window() takes strings that are equal by their collation" in said
    spark.catalog.dropTempView("collated")
