"""What Spark does not take for the same where a query has two copies of it: native plans compute it once."""

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
    "variable": "t.ts + once_delay",
    "qualified variable": "ts + 2 * session.once_delay",
}
WINDOWS = [
    "TUMBLING({}, '1 hour')",
    "SLIDING({}, '2 hours', '1 hour')",
    "SLIDING({}, '10 minutes', '1 hour')",
    "SLIDING({}, '1 hour', '5 minutes')",
    "CUMULATING({}, '2 hours', '1 hour')",
    "SESSION({}, '1 minute')",
]
GAPS = {
    "subquery": "INTERVAL '1' SECOND * (t.v + (SELECT 4))",
    "random": "make_dt_interval(0, 0, 0, 5 + 0 * rand())",
    "Python": "make_dt_interval(0, 0, 0, 4 + one(v))",
    "variable": "once_delay",
}
LARGEST = "(SELECT max(x.v) FROM timed x WHERE x.k = t.k)"


@pytest.fixture
def session(spark: SparkSession) -> Iterator[SparkSession]:
    spark.sql(ROWS).createOrReplaceTempView("timed")
    spark.udf.register("as_it_is", udf(lambda time: time, "timestamp"))
    spark.udf.register("one", udf(lambda v: 1, "int"))
    spark.sql("DECLARE OR REPLACE VARIABLE once_delay = INTERVAL '5' SECOND")
    yield spark
    spark.sql("DROP TEMPORARY VARIABLE once_delay")
    spark.sql("DROP TEMPORARY FUNCTION as_it_is")
    spark.sql("DROP TEMPORARY FUNCTION one")


def text(window: str) -> str:
    return (
        f"SELECT upper(t.k) AS u, 1 AS one, window_start, count(*) AS n, sum(t.v) FILTER (WHERE v > 1) AS s, "
        f"max(struct(v, k)) AS m FROM timed t WHERE v < 9 WINDOW ASSIGN {window} GROUP BY upper(t.k), 1"
    )


def check(session: SparkSession, texts: list[str]) -> None:
    for one, native, operator in both_ways(session, texts):
        assert native == operator, one
        assert native, one


@pytest.mark.parametrize("time", TIMES.values(), ids=TIMES)
def test_times(session: SparkSession, time: str) -> None:
    check(session, [text(window.format(time)) for window in WINDOWS])


def test_gaps(session: SparkSession) -> None:
    check(session, [text(f"SESSION(ts, {gap})") for gap in GAPS.values()])


def test_each_row_has_one_random_time(session: SparkSession) -> None:
    import winsql

    later = "CUMULATING(ts + make_dt_interval(0, 0, 0, 20 * rand()), '10 seconds', '5 seconds')"
    whole = "window_end = window_start + INTERVAL '10' SECOND"
    session.range(500).selectExpr("timestamp_seconds(id) AS ts").createOrReplaceTempView("many")
    windows = f"SELECT count(*) AS n, window_start, window_end FROM many WINDOW ASSIGN {later}"
    assert winsql.sql(session, f"SELECT sum(n) FROM ({windows}) WHERE {whole}").collect()[0][0] == 500


def test_keys_with_correlated_subqueries(session: SparkSession) -> None:
    texts = [
        f"SELECT {LARGEST} AS m, k, window_start, count(*) AS n FROM timed t "
        f"WINDOW ASSIGN {window.format('ts')} GROUP BY {LARGEST}, k"
        for window in WINDOWS
    ]
    check(session, texts)


def test_sessions_of_aggregates_and_keys_with_subqueries(session: SparkSession) -> None:
    windows = ["SESSION(ts, '1 minute')", "SESSION(ts, INTERVAL '1' SECOND * v)"]
    keys = ["k, (SELECT max(v) FROM timed)", "v + length(k)"]
    select = "SELECT {key}, window_start, sum((SELECT min(v) FROM timed)) AS s FROM timed WINDOW ASSIGN {window} "
    texts = [f"{select}GROUP BY {{key}}".format(key=key, window=window) for key in keys for window in windows]
    check(session, [*texts, *(one.replace("sum((SELECT min(v) FROM timed))", "count(*)") for one in texts)])
