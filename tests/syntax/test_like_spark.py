"""Wrapper a window that holds all rows of a key, a windowed SELECT means what the SELECT without it means to Spark."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

import winsql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.spark

WINDOW = "WINDOW ASSIGN TUMBLING(ts, '36500 days')"

GROUPED = [
    "SELECT k, sum(v) AS n, n / 2 AS half, COUNT(*), max(t.v), count(DISTINCT j) FROM t {} GROUP BY k ORDER BY k",
    "SELECT K, SUM( V ), Count(1) FROM t {} GROUP BY k ORDER BY max(v)",
    "SELECT upper(k) AS k, sum(v) AS n FROM t {} GROUP BY k HAVING k = 'a' ORDER BY k",
    "SELECT upper(k) AS k, sum(v) AS n FROM t {} GROUP BY k HAVING k = 'A'",
    "SELECT k, sum(v) AS v FROM t {} GROUP BY k HAVING v > 3 ORDER BY v",
    "SELECT k, -sum(v) AS v FROM t {} GROUP BY k ORDER BY v",
    "SELECT k, -sum(v) AS v FROM t {} GROUP BY k ORDER BY v + 0 DESC LIMIT 1",
    "SELECT upper(k) AS k, sum(v) AS s FROM t {} GROUP BY k QUALIFY row_number() OVER (ORDER BY k) = 1 AND k = 'a'",
    "SELECT k, sum(v) AS n FROM t {} GROUP BY k QUALIFY rank() OVER w = 1 WINDOW w AS (ORDER BY n DESC)",
    "SELECT k, j, sum(sum(v)) OVER (PARTITION BY k ORDER BY j) AS r FROM t {} GROUP BY k, j ORDER BY 1, 2",
    "SELECT DISTINCT k, sum(v) AS n FROM t {} GROUP BY k, j ORDER BY n DESC, t.k",
    "SELECT v + j AS a, (v + j) * 2 AS b, v + j - 1 AS c, -(v + j) AS d FROM t {} GROUP BY v + j ORDER BY a",
    "SELECT upper(k) AS u, count(*) AS n FROM t {} GROUP BY u ORDER BY u",
    "SELECT upper(k) AS u, j, count(*) AS n FROM t {} GROUP BY 1, 2 ORDER BY 1, 2",
    "SELECT k, upper(k) AS u, s.x, sum(v) AS n FROM t {} GROUP BY ALL ORDER BY ALL",
    "SELECT s.x, s.x + 1 AS y, sum(s.x) AS n, max(s.x) FROM t {} GROUP BY s.x ORDER BY 1",
    "SELECT s.x, sum(v) AS n FROM t {} GROUP BY s ORDER BY n",
    "SELECT k, explode(sort_array(collect_list(v))) FROM t {} GROUP BY k ORDER BY k, col",
    "SELECT k, transform(sort_array(collect_list(v)), v -> v + length(k)) AS a FROM t {} GROUP BY k ORDER BY k",
    "SELECT (SELECT max(name) FROM names AS n WHERE n.k = t.k) AS name, sum(v) AS n FROM t {} GROUP BY 1 ORDER BY 1",
    "SELECT t.k, name, sum(v) AS s FROM t JOIN names ON t.k = names.k {} GROUP BY t.k, names.name ORDER BY k",
    "SELECT k, sum(v) FILTER (WHERE j > 1) AS f, percentile_cont(0.5) WITHIN GROUP (ORDER BY v) AS p FROM t {} "
    "GROUP BY k ORDER BY k",
    "SELECT k, sum(v) AS s FROM t {} GROUP BY k UNION ALL SELECT 'z', 0 ORDER BY s DESC LIMIT 3",
    "SELECT k, listagg(DISTINCT j, '') WITHIN GROUP (ORDER BY j) AS l FROM t {} GROUP BY k HAVING count(*) > 1",
    "SELECT k, CASE WHEN sum(v) > 3 THEN 'many' ELSE k END label, any(v > 2) AND k NOT IN ('x') AS b FROM t {} "
    "GROUP BY k ORDER BY label",
    "WITH a AS (SELECT k, ts, v FROM t), b AS (SELECT k, sum(v) AS s FROM a {} GROUP BY k) SELECT max(s) AS m FROM b",
    "SELECT sum(v) AS s, count(*) AS n FROM t WHERE k IS NOT DISTINCT FROM 'a' {}",
    "SELECT upper(k) AS u, transform(array('x'), k -> upper(k)) AS a FROM t {} GROUP BY upper(k) ORDER BY u",
    "SELECT k, transform(sort_array(collect_list(v)), k -> concat(k, t.k)) AS a FROM t {} GROUP BY k ORDER BY k",
    "SELECT k, k IN (k) AS i, j NOT IN (j) AS n FROM t {} GROUP BY k, j ORDER BY k, j",
    "SELECT date, date > DATE'2020-01-02' AS l, extract(year FROM date) AS y, year FROM "
    "(SELECT *, date(ts) AS date, year(ts) AS year FROM t) {} GROUP BY date, year",
    "SELECT k, sum(v) AS n FROM t {} GROUP BY k HAVING sum(v) > (SELECT max(v) FROM t y WHERE y.k = t.k)",
    "SELECT k, substring(k FROM j FOR j) AS a, trim(k FROM 'ab') AS b FROM t {} GROUP BY k, j ORDER BY k, j",
    # fields of items
    "SELECT struct(k, count(*) AS c) AS u, u.c + 1 AS d FROM t {} GROUP BY k HAVING u.c > 1 ORDER BY u.c, u.k",
    "SELECT struct(upper(k) AS x) AS r, r.x, r.x || 'y' AS y, count(*) FROM t {} GROUP BY k ORDER BY r.x",
    "SELECT struct(k, sum(v) AS s) AS t, t.k FROM t {} GROUP BY k ORDER BY t.k",
]
ROWS = [
    "SELECT * FROM t {} ORDER BY v",
    "SELECT t.*, upper(k) AS u FROM t {} ORDER BY -v",
    "SELECT * EXCEPT (s), s.x FROM t {} ORDER BY v LIMIT 2 OFFSET 1",
    "SELECT k AS key, v FROM t {} ORDER BY key, t.v DESC",
    "SELECT -v AS v FROM t {} ORDER BY v",
    "SELECT DISTINCT t.k FROM t {} ORDER BY t.k",
    "SELECT k, v, row_number() OVER (PARTITION BY k ORDER BY v DESC) AS r FROM t {} QUALIFY r = 1 ORDER BY s.x",
    "SELECT upper(k) AS k, v FROM t {} QUALIFY row_number() OVER (PARTITION BY k ORDER BY v) = 1 AND k = 'a'",
    "SELECT k AS v, v AS w FROM t {} QUALIFY row_number() OVER (PARTITION BY v ORDER BY w) = 1 ORDER BY v, w",
    "SELECT k, avg(v) OVER w AS a FROM t {} WINDOW w AS (PARTITION BY t.k) ORDER BY k, v",
    "SELECT k, explode(xs) AS x FROM t {} ORDER BY x",
    "SELECT k, posexplode(xs) AS (p, x) FROM t {} ORDER BY x",
    "SELECT t.k, names.k, name FROM t JOIN names USING (k) {} ORDER BY v",
    "SELECT struct(*) AS whole, (SELECT max(name) FROM names) AS m FROM t {} ORDER BY v",
    "SELECT e, v FROM t LATERAL VIEW explode(xs) x AS e {} ORDER BY e",
    "SELECT struct(v AS y) AS r, r.y + 1 AS z FROM t {} ORDER BY r.y",
    "SELECT v, substring(k FROM j FOR v - 1 + row_number() OVER (ORDER BY v)) AS a FROM t {} ORDER BY v",
    "SELECT struct(v AS x) AS s, s.x AS y, k FROM t {} ORDER BY k, y",
]


@pytest.fixture(scope="module", autouse=True)
def _views(spark: SparkSession) -> Iterator[None]:
    spark.sql(
        "SELECT * FROM VALUES"
        " (TIMESTAMP '2020-01-01 00:00:00', 'a', 1, 1, ARRAY(1, 2), named_struct('x', 5)),"
        " (TIMESTAMP '2020-01-01 00:10:00', 'a', 3, 2, ARRAY(3), named_struct('x', 6)),"
        " (TIMESTAMP '2020-01-01 01:10:00', 'b', 2, 2, ARRAY(4, 5), named_struct('x', 5)) AS t(ts, k, v, j, xs, s)"
    ).createOrReplaceTempView("t")
    spark.sql("SELECT * FROM VALUES ('a', 'Alpha'), ('b', 'Beta') AS n(k, name)").createOrReplaceTempView("names")
    yield
    spark.catalog.dropTempView("t")
    spark.catalog.dropTempView("names")


@pytest.mark.slow
@pytest.mark.parametrize("text", GROUPED + ROWS)
def test_same_rows_and_columns(spark: SparkSession, text: str) -> None:
    ours = winsql.sql(spark, text.format(WINDOW))
    sparks = spark.sql(text.format(""))
    assert ours.columns == sparks.columns
    assert [tuple(row) for row in ours.collect()] == [tuple(row) for row in sparks.collect()]
