"""WHERE beside the SESSION function: sessions are those of the rows that it keeps where they are grouped, and those of
all rows elsewhere. So Flink plans it: as `WindowAggregate` over a `Calc` that has the condition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import winsql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROWS = """
    SELECT k, timestamp_seconds(60 * minute) AS ts, v, ok
    FROM VALUES ('a', 0, 1, true), ('a', 2, 2, false), ('a', 4, 4, true), ('b', 1, 8, true) AS t(k, minute, v, ok)
"""
ALL = "TABLE(SESSION(TABLE filtered_rows, DESCRIPTOR(ts), INTERVAL 3 MINUTES))"
PER_KEY = "TABLE(SESSION(TABLE filtered_rows PARTITION BY k, DESCRIPTOR(ts), INTERVAL 3 MINUTES))"


@pytest.fixture
def session(spark: SparkSession) -> SparkSession:
    spark.sql(ROWS).createOrReplaceTempView("filtered_rows")
    spark.sql("SELECT 'a' AS k").createOrReplaceTempView("a_rows")
    return spark


@pytest.mark.parametrize(
    ("text", "sums"),
    [
        (f"SELECT sum(v) FROM {PER_KEY} WHERE ok GROUP BY k, window_start, window_end", [1, 4, 8]),
        (f"SELECT sum(w.v) FROM {PER_KEY} AS w WHERE w.ok GROUP BY w.k, w.window_start, w.window_end", [1, 4, 8]),
        (
            f"SELECT sum(v) FROM {ALL} WHERE v <> 2 AND k IN (SELECT k FROM a_rows) GROUP BY window_start, window_end",
            [1, 4],
        ),
        (f"SELECT sum(v) FROM (SELECT * FROM {PER_KEY} y WHERE y.ok) GROUP BY k, window_start, window_end", [1, 4, 8]),
        (f"SELECT sum(v) FROM (SELECT k, v, window_start, window_end FROM {PER_KEY}) GROUP BY ALL", [15]),
        (f"WITH x AS (SELECT sum(v) AS s FROM {PER_KEY} WHERE ok GROUP BY ALL) SELECT s FROM x", [13]),
        (f"SELECT sum(v) FROM {ALL} GROUP BY window_start, window_end", [15]),
        # not the keys of the sessions, or columns of their windows: those of all rows
        (f"SELECT sum(v) FROM {ALL} WHERE ok GROUP BY k, window_start, window_end", [5, 8]),
        (
            f"SELECT sum(v) FROM {PER_KEY} WHERE ok AND window_end IS NOT NULL GROUP BY k, window_start, window_end",
            [5, 8],
        ),
        (f"SELECT v FROM {PER_KEY} WHERE ok", [1, 4, 8]),
        (f"SELECT count(DISTINCT window_start) FROM {PER_KEY} WHERE ok", [2]),
    ],
)
def test_sessions_of_the_rows_that_are_kept(session: SparkSession, text: str, sums: list[int]) -> None:
    assert sorted(row[0] for row in winsql.sql(session, text).collect()) == sums
