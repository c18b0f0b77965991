"""Windows of Spark's own plans that a query around them groups again, or reads as LATERAL: the rows stay the same."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest

import winsql
from winsql import WindowPlanError

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

SESSION = "WINDOW ASSIGN SESSION(ts, INTERVAL 15 SECONDS)"
WINDOWS = (
    SESSION,
    "WINDOW ASSIGN CUMULATING(ts, INTERVAL 100 SECONDS, INTERVAL 10 SECONDS)",
    "WINDOW ASSIGN SLIDING(ts, INTERVAL 60 SECONDS, INTERVAL 5 SECONDS)",
)
INNER = (
    f"SELECT k, window_start AS s, percentile_approx(n, 0.5) AS c FROM again {SESSION} GROUP BY k",
    f"SELECT k, window_start AS s, count(DISTINCT n) AS c FROM again {SESSION} GROUP BY k",
)
OUTER = (
    "SELECT k, s, sum(c) AS c FROM ({}) GROUP BY k, s",
    "SELECT DISTINCT k, s FROM ({})",
    "SELECT DISTINCT k, date_trunc('minute', s) AS m FROM ({})",
    "SELECT s, max(c) AS c FROM ({}) GROUP BY s HAVING max(c) > 0",
)


@pytest.fixture(autouse=True)
def rows(spark: SparkSession) -> None:
    spark.sql(
        "SELECT concat('k', id % 2) AS k, timestamp_seconds(1704067200 + id * 37 % 600) AS ts, id AS n, id % 3 AS i "
        "FROM range(0, 40, 1, 3)"
    ).createOrReplaceTempView("again")


def counted(frame: DataFrame) -> Counter[tuple[object, ...]]:
    """The rows of a frame with their numbers."""
    return Counter(map(tuple, frame.collect()))


@pytest.mark.parametrize("outer", OUTER)
@pytest.mark.parametrize("inner", INNER)
def test_sessions_grouped_again(spark: SparkSession, inner: str, outer: str) -> None:
    known = spark.createDataFrame(winsql.sql(spark, inner).collect())
    expected = counted(spark.sql(outer.format("SELECT * FROM {known}"), known=known))
    assert counted(winsql.sql(spark, outer.format(inner))) == expected
    assert expected.total() > 5


def test_sessions_of_a_view_grouped_again(spark: SparkSession) -> None:
    spark.table("again").write.saveAsTable("again_kept")
    text = f"SELECT k, window_start AS s, count(*) AS c FROM again_kept {SESSION} GROUP BY k"
    try:
        winsql.sql(spark, f"CREATE VIEW again_view AS {text}")
        known = counted(winsql.sql(spark, text))
        assert counted(spark.sql("SELECT k, s, sum(c) FROM again_view GROUP BY k, s")) == known
        assert counted(spark.sql("SELECT DISTINCT * FROM again_view")) == known
    finally:
        spark.sql("DROP VIEW IF EXISTS again_view")
        spark.sql("DROP TABLE again_kept")


INSIDE = {
    "windows": "SELECT k, ts, n FROM again WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 MINUTE) PARTITION BY k",
    "groups": f"SELECT k, window_time AS ts, sum(n) AS n FROM again {SESSION} GROUP BY k",
    "a function": "SELECT k, ts, n FROM TUMBLE(TABLE again, DESCRIPTOR(ts), INTERVAL 1 MINUTE)",
    "a join": "SELECT k, ts, n FROM window_join(TABLE(again) PARTITION BY k, TABLE(SELECT k, ts AS at FROM again) "
    "PARTITION BY k, DESCRIPTOR(ts, at), TUMBLING('1 minute'))",
}


@pytest.mark.parametrize("function", ["SESSION", "HOP"])
@pytest.mark.parametrize("inside", INSIDE)
def test_an_item_named_as_a_column_of_windows_inside(spark: SparkSession, inside: str, function: str) -> None:
    keys, sizes = {"SESSION": ("PARTITION BY k", "{}"), "HOP": ("", "INTERVAL 5 SECONDS, {}")}[function]
    over = f"{keys}, DESCRIPTOR(ts), {sizes.format('INTERVAL 1 MINUTE')}"
    text = "SELECT k, sum(n) AS n FROM {}(TABLE({}) {}) GROUP BY window_start, window_end, k"
    known = spark.createDataFrame(winsql.sql(spark, INSIDE[inside]).collect())
    known.createOrReplaceTempView("again_known")
    expected = counted(winsql.sql(spark, text.format(function, "SELECT * FROM again_known", over)))
    assert counted(winsql.sql(spark, text.format(function, INSIDE[inside], over))) == expected
    assert expected.total() > 5


@pytest.mark.parametrize("window", WINDOWS)
def test_windows_in_lateral_subqueries(spark: SparkSession, window: str) -> None:
    keys = "(SELECT DISTINCT k FROM again) AS x"
    of_key = f"SELECT k, window_end AS e, count(*) AS c FROM again {window} GROUP BY k"
    expected = counted(winsql.sql(spark, of_key))
    for text in (
        f"SELECT x.k, y.e, y.c FROM {keys}, LATERAL (SELECT e, c FROM ({of_key}) z WHERE z.k = x.k) AS y",
        f"SELECT x.k, y.e, y.c FROM {keys} JOIN LATERAL (SELECT z.* FROM ({of_key}) AS z) AS y ON y.k = x.k",
        f"WITH z AS ({of_key}) SELECT x.k, y.e, y.c FROM {keys}, lateral (SELECT e, c FROM z WHERE z.k = x.k) AS y",
    ):
        assert counted(winsql.sql(spark, text)) == expected
    beside = f"SELECT x.k, y.c FROM {keys}, LATERAL (SELECT count(*) AS c FROM again {window} GROUP BY i) AS y"
    alone = counted(winsql.sql(spark, f"SELECT count(*) AS c FROM again {window} GROUP BY i"))
    assert counted(winsql.sql(spark, beside)) == Counter({(k, c): n for k in ("k0", "k1") for (c,), n in alone.items()})
    assert expected.total() > 10


@pytest.mark.parametrize(
    "function",
    [
        "SESSION(TABLE again PARTITION BY k, DESCRIPTOR(ts), INTERVAL '15' SECOND)",
        "HOP(TABLE again, DESCRIPTOR(ts), INTERVAL '5' SECOND, INTERVAL '60' SECOND)",
    ],
)
def test_groups_over_functions_in_lateral_subqueries(spark: SparkSession, function: str) -> None:
    of_key = f"SELECT k, window_end AS e, count(*) AS c FROM TABLE({function}) GROUP BY k, window_start, window_end"
    text = f"""SELECT x.k, y.e, y.c FROM (SELECT DISTINCT k FROM again) AS x,
        LATERAL (SELECT e, c FROM ({of_key}) AS z WHERE z.k = x.k) AS y"""
    assert counted(winsql.sql(spark, text)) == counted(winsql.sql(spark, of_key))


def test_a_column_that_arrow_has_no_type_for_is_told_with_its_name(spark: SparkSession) -> None:
    text = """SELECT window_end, sum(n) FROM TABLE(SESSION(
        TABLE (SELECT *, INTERVAL 1 YEAR AS ym, make_interval(0, 0, 0, 0, 0, 1) AS gap FROM again) PARTITION BY k,
        DESCRIPTOR(ts), '9 seconds'
    )) GROUP BY window_end"""
    with pytest.raises(WindowPlanError, match="the value of gap is of type INTERVAL") as caught:
        winsql.sql(spark, text)
    assert caught.value.span is not None
