"""Times of which Spark takes two copies for two times: windows of one size compute them once."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from planned import both_ways
from pyspark.sql.functions import udf

if TYPE_CHECKING:
    from collections.abc import Iterator

    from pyspark.sql import SparkSession

ROWS = """
    SELECT k, timestamp_seconds(s) AS ts, v
    FROM VALUES ('a', 0, 1), ('a', 10, 2), ('a', 4000, 3), ('b', 5, 4), ('b', NULL, 5) AS t(k, s, v)
"""
TIMES = {
    "subquery": "t.ts + (SELECT INTERVAL '1' HOUR)",
    "random": "ts + make_dt_interval(0, 0, 0, 0 * rand())",
    "Python": "as_it_is(t.ts)",
    "date": "date(as_it_is(t.ts))",
}
WINDOWS = ["TUMBLING({}, '1 hour')", "SLIDING({}, '2 hours', '1 hour')", "SLIDING({}, '10 minutes', '1 hour')"]


@pytest.fixture
def session(spark: SparkSession) -> Iterator[SparkSession]:
    spark.sql(ROWS).createOrReplaceTempView("timed")
    spark.udf.register("as_it_is", udf(lambda time: time, "timestamp"))
    yield spark
    spark.sql("DROP TEMPORARY FUNCTION as_it_is")


@pytest.mark.parametrize("time", TIMES.values(), ids=TIMES)
def test_same_rows_as_the_operator(session: SparkSession, time: str) -> None:
    texts = [
        f"SELECT upper(t.k) AS u, 1 AS one, window_start, count(*) AS n, sum(t.v) FILTER (WHERE v > 1) AS s, "
        f"max(struct(v, k)) AS m FROM timed t WHERE v < 9 WINDOW ASSIGN {window.format(time)} GROUP BY upper(t.k), 1"
        for window in WINDOWS
    ]
    for text, native, operator in both_ways(session, texts):
        assert native == operator, text
        assert native, text
