"""In a window that holds all rows, a window join means what Spark's own join means, in every clause around it.

window_join returns what such a join returns, too, and co_group the rows that would have met.
"""

from __future__ import annotations

from collections.abc import Iterator
from itertools import cycle
from typing import TYPE_CHECKING

import pandas as pd
import pytest

import winsql
from winsql.model.registry import CO_GROUP_FUNCTIONS

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

SPARKS_JOIN = "WINDOW ASSIGN TUMBLING((t.ts, n.ts), '36500 days')"
OPERATOR = "WINDOW ASSIGN TUMBLING((t.ts, n.ts), '36500 days') EVICT COUNT(1000)"

JOINED = [
    "SELECT * FROM t {} n ON t.k = n.k {}",
    "SELECT t.*, name FROM t LEFT {} n ON t.k = n.k AND n.len < t.v {}",
    "SELECT n.*, v + len, t.v + 1 AS w, upper(name) FROM t RIGHT {} n ON n.k = t.k AND t.v > 1 {}",
    "SELECT t.k, n.k, coalesce(v, 0), len FROM t FULL OUTER {} n ON t.k <=> n.k {} ORDER BY 1, 2, 3",
    "SELECT * FROM t LEFT SEMI {} n ON t.k = n.k AND n.len > t.v {}",
    "SELECT k, -v, t.s.x FROM t ANTI {} n ON n.k = t.k {} ORDER BY v",
    "SELECT name, sum(v) AS s, count(*), max(t.v) FROM t {} n ON t.k = n.k WHERE v > 1 AND n.len > 1 {} "
    "GROUP BY name HAVING count(*) > 0 ORDER BY s DESC",
    "SELECT t.k, v, row_number() OVER (PARTITION BY t.k ORDER BY v) AS r FROM t LEFT {} n ON t.k = n.k {} "
    "QUALIFY r = 1 ORDER BY v DESC LIMIT 2",
    "SELECT t.v, n.v, avg(n.v) OVER w FROM t {} t AS n ON t.k = n.k AND t.v < n.v {} WINDOW w AS (PARTITION BY t.k)",
    "SELECT DISTINCT name FROM t {} n ON lower(t.k) = substr(n.k, 1, 1) {}",
    "SELECT s.x, struct(*) AS whole, count(*) OVER () FROM t {} n ON t.k = n.k {}",
    "SELECT (SELECT max(len) FROM n AS o WHERE o.k = t.k) AS m, v FROM t {} n ON t.k = n.k {}",
    "SELECT e, name FROM (SELECT k, ts, explode(xs) AS e FROM t) AS t {} n ON t.k = n.k {}",
    "SELECT t.k, name, sum(v) FROM t LEFT {} n ON t.k = n.k {} GROUP BY GROUPING SETS ((t.k), (name), ())",
    "SELECT k FROM (SELECT t.k, v AS x FROM t {} n ON t.k = n.k {}) WHERE x > 1 UNION ALL SELECT 'z'",
]


@pytest.fixture(scope="module", autouse=True)
def _views(spark: SparkSession) -> Iterator[None]:
    spark.sql(
        "SELECT * FROM VALUES"
        " (TIMESTAMP '2020-01-01 00:00:00', 'a', 1, ARRAY(1, 2), named_struct('x', 5)),"
        " (TIMESTAMP '2020-01-01 00:10:00', 'a', 3, ARRAY(3), named_struct('x', 6)),"
        " (TIMESTAMP '2020-01-01 01:10:00', 'b', 2, ARRAY(4, 5), named_struct('x', 5)),"
        " (TIMESTAMP '2020-01-02 00:00:00', NULL, 4, ARRAY(6), NULL) AS t(ts, k, v, xs, s)"
    ).createOrReplaceTempView("t")
    spark.sql(
        "SELECT * FROM VALUES (TIMESTAMP '2020-01-01', 'a', 'Alpha', 2), (TIMESTAMP '2020-01-01', 'c', 'Gamma', 5),"
        " (TIMESTAMP '2020-01-03', 'a', 'Aleph', 4), (TIMESTAMP '2020-01-01', NULL, NULL, 3) AS n(ts, k, name, len)"
    ).createOrReplaceTempView("n")
    yield
    spark.catalog.dropTempView("t")
    spark.catalog.dropTempView("n")


@pytest.mark.slow
@pytest.mark.parametrize(("text", "window"), list(zip(JOINED, cycle((OPERATOR, SPARKS_JOIN)), strict=False)))
def test_same_rows_and_columns(spark: SparkSession, text: str, window: str) -> None:
    """The rows are paired by winsql's operator and by a join of Spark's in turn."""
    ours = winsql.sql(spark, text.format("WINDOW JOIN", window))
    sparks = spark.sql(text.format("JOIN", ""))
    assert ours.columns == sparks.columns
    assert sorted(map(str, ours.collect())) == sorted(map(str, sparks.collect()))


TABLES = "TABLE(t) PARTITION BY k, TABLE(SELECT * FROM n) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING('36500 days')"
COLUMNS = ["k", "ts", "v", "xs", "s", "ts_right", "name", "len"]


@pytest.mark.parametrize("options", ["", ", evictor => COUNT(1000)"])
def test_window_join_has_the_columns_of_both_tables_once(spark: SparkSession, options: str) -> None:
    call = f"TABLE(window_join({TABLES}, join_type => 'FULL'{options}))"
    ours = winsql.sql(spark, f"SELECT * EXCEPT (window_start, window_end, window_time) FROM {call} AS w")
    sparks = spark.sql("SELECT coalesce(t.k, n.k) AS k, t.* EXCEPT (k), n.* EXCEPT (k) FROM t FULL JOIN n ON t.k = n.k")
    assert ours.columns == COLUMNS
    assert sorted(str(tuple(row)) for row in ours.collect()) == sorted(str(tuple(row)) for row in sparks.collect())


def test_a_view_of_a_window_join(spark: SparkSession) -> None:
    winsql.sql(spark, f"CREATE TEMPORARY VIEW pairs AS SELECT * FROM window_join({TABLES}, trigger => COUNT(100))")
    try:
        assert spark.table("pairs").columns == ["k", "window_start", "window_end", "window_time", *COLUMNS[1:]]
    finally:
        spark.catalog.dropTempView("pairs")


def test_co_group_returns_both_sides(spark: SparkSession) -> None:
    frame = winsql.sql(
        spark,
        "SELECT k, window_start IS NOT NULL, sort_array(left.v), sort_array(g.right.len), label "
        f"FROM co_group({TABLES}) AS g LEFT JOIN VALUES ('b', 'B') AS l(id, label) ON g.k = id ORDER BY k",
    )
    assert [tuple(row) for row in frame.collect()] == [
        (None, True, [4], [3], None),
        ("a", True, [1, 3], [2, 4], None),
        ("b", True, [2], [], "B"),
        ("c", True, [], [5], None),
    ]


def test_co_group_returns_what_a_function_makes_of_both_sides(spark: SparkSession) -> None:
    winsql.register_co_group_function("sizes", _sizes, "k STRING, `left rows` INT, right_rows INT")
    try:
        frame = winsql.sql(spark, f"SELECT * FROM co_group({TABLES}, apply => 'sizes') ORDER BY k")
        assert frame.columns == ["k", "left rows", "right_rows"]
        assert [tuple(row) for row in frame.collect()] == [(None, 1, 1), ("a", 2, 2), ("b", 1, 0), ("c", 0, 1)]
    finally:
        CO_GROUP_FUNCTIONS.remove("sizes")


def _sizes(
    key: tuple[str | None], window: tuple[object, object], left: pd.DataFrame, right: pd.DataFrame
) -> pd.DataFrame:
    return pd.DataFrame({"k": [key[0]], "left rows": [len(left)], "right_rows": [len(right)]})
