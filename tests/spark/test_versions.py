"""What winsql says in its own way to versions of Spark whose parser lacks a clause: the same rows as the clause."""

from __future__ import annotations

from typing import TYPE_CHECKING

from winsql.spark.aggregate_functions import AggregateNames
from winsql.syntax.source import Source
from winsql.syntax.without_qualify import without_qualify

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROWS = "(SELECT * FROM VALUES ('a', 1), ('a', 2), ('b', 3), ('b', 5), ('c', 4) AS t(k, v))"
# statement over u, and its rows on a Spark that has the clause
QUALIFIED = {
    "SELECT k, -v AS v FROM u QUALIFY row_number() OVER (ORDER BY v) = 1": [("a", -1)],
    "SELECT k, -v AS w FROM u QUALIFY row_number() OVER (ORDER BY w) = 1": [("b", -5)],
    "SELECT k, v, row_number() OVER (ORDER BY v) AS rn FROM u QUALIFY rn = 2": [("a", 2, 2)],
    "SELECT k, sum(v) AS total FROM u GROUP BY k QUALIFY row_number() OVER (ORDER BY total DESC) = 1": [("b", 8)],
    "SELECT k, sum(v) t FROM u GROUP BY k QUALIFY row_number() OVER (ORDER BY t) <= 2 ORDER BY u.k DESC": [
        ("c", 4),
        ("a", 3),
    ],
    "SELECT u.k, sum(v) t FROM u GROUP BY u.k QUALIFY row_number() OVER (PARTITION BY u.k ORDER BY t) < 2 ORDER BY k": [
        ("a", 3),
        ("b", 8),
        ("c", 4),
    ],
    "SELECT sum(v) t FROM u GROUP BY k QUALIFY row_number() OVER (ORDER BY k) <= 2 ORDER BY t": [(3,), (8,)],
    "SELECT k, count(*) AS n FROM u GROUP BY ALL QUALIFY row_number() OVER (ORDER BY k) = 1": [("a", 2)],
    "SELECT k, sum(v) AS s FROM u GROUP BY k HAVING s > 3 QUALIFY row_number() OVER (ORDER BY s DESC) = 1": [("b", 8)],
    "SELECT DISTINCT k FROM u QUALIFY row_number() OVER (ORDER BY v) > 1 ORDER BY k": [("a",), ("b",), ("c",)],
    "SELECT DISTINCT k, v FROM u QUALIFY rank() OVER (ORDER BY v) < 4 ORDER BY u.v DESC": [
        ("b", 3),
        ("a", 2),
        ("a", 1),
    ],
    "SELECT k, v FROM u QUALIFY rank() OVER w < 2 WINDOW w AS (PARTITION BY k ORDER BY v) ORDER BY k LIMIT 2": None,
    "SELECT k, v FROM u WINDOW w AS (PARTITION BY k ORDER BY v) QUALIFY rank() OVER w < 2 ORDER BY k LIMIT 2": [
        ("a", 1),
        ("b", 3),
    ],
    "SELECT * FROM u QUALIFY row_number() OVER (PARTITION BY k ORDER BY v) = 1 ORDER BY v DESC LIMIT 2": [
        ("c", 4),
        ("b", 3),
    ],
    "SELECT u.k FROM u QUALIFY row_number() OVER (PARTITION BY u.k ORDER BY u.v) = 1 ORDER BY u.v DESC": [
        ("c",),
        ("b",),
        ("a",),
    ],
    "SELECT k, v + 1 AS a, a * 2 AS b FROM u QUALIFY row_number() OVER (ORDER BY b) = 1": [("a", 2, 4)],
    "SELECT k, explode(array(1, 2)) AS e FROM u QUALIFY row_number() OVER (ORDER BY e, k DESC) = 1": [("c", 1)],
    "SELECT sum(v) OVER (PARTITION BY k) AS s, k FROM u "
    "QUALIFY s > 4 AND row_number() OVER (PARTITION BY k ORDER BY v) = 1": [(8, "b")],
    "SELECT k, row_number() OVER (ORDER BY v) AS rn FROM u QUALIFY max(rn) OVER () = rn": [("b", 5)],
    "SELECT k FROM u QUALIFY max(v) OVER () = v": [("b",)],
    "SELECT * FROM (SELECT * FROM u QUALIFY row_number() OVER (PARTITION BY k ORDER BY v) = 1) "
    "QUALIFY row_number() OVER (ORDER BY v DESC) = 1": [("c", 4)],
    "SELECT k, v FROM u QUALIFY row_number() OVER (PARTITION BY k ORDER BY v) = 1 UNION ALL SELECT 'z', 0 ORDER BY v": [
        ("z", 0),
        ("a", 1),
        ("b", 3),
        ("c", 4),
    ],
    "WITH w AS (SELECT k, v FROM u QUALIFY row_number() OVER (PARTITION BY k ORDER BY v) = 1) "
    "SELECT k, -v AS v FROM w QUALIFY row_number() OVER (ORDER BY v) = 1": [("a", -1)],
    "SELECT k FROM u WHERE EXISTS (SELECT 1 FROM u y WHERE y.k = u.k AND y.v > 2 "
    "QUALIFY row_number() OVER (ORDER BY y.v) = 1) ORDER BY v": [("b",), ("c",), ("b",)],
}


def test_subqueries_say_what_qualify_does(spark: SparkSession) -> None:
    spark.sql(f"SELECT * FROM {ROWS}").createOrReplaceTempView("u")
    for text, expected in QUALIFIED.items():
        said = without_qualify(Source(text), lambda query: frozenset(spark.sql(query).columns), AggregateNames(spark))
        assert "QUALIFY" not in said
        if expected is not None:
            assert [tuple(row) for row in spark.sql(said).collect()] == expected, said
    assert spark.sql(said).columns == ["k"]
    spark.catalog.dropTempView("u")
