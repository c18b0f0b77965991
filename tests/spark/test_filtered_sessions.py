"""WHERE beside the SESSION function: sessions are those of the rows that it keeps where they are grouped, and those of
all rows elsewhere. So Flink plans it: as `WindowAggregate` over a `Calc` that has the condition."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from streaming import Rows, Source

import winsql

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

ROWS = """
    SELECT k, timestamp_seconds(60 * minute) AS ts, v, ok
    FROM VALUES ('a', 0, 1, true), ('a', 2, 2, false), ('a', 4, 4, true), ('b', 1, 8, true) AS t(k, minute, v, ok)
"""
ALL = "TABLE(SESSION(TABLE filtered_rows, DESCRIPTOR(ts), INTERVAL 3 MINUTES))"
BOUNDS = "window_start, window_end"
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
        # an alias that is a column too, keys that are expressions, subqueries around stars
        (f"SELECT k AS g, count(*) AS v, sum(v) AS s FROM {PER_KEY} WHERE ok GROUP BY g, {BOUNDS}", ["a", "a", "b"]),
        (
            f"SELECT upper(k), sum(v) AS v FROM {PER_KEY.replace('BY k', 'BY upper(k)')} WHERE ok "
            f"GROUP BY upper(k), {BOUNDS}",
            ["A", "A", "B"],
        ),
        (
            f"SELECT approx_percentile(v, 0.5) FROM {PER_KEY.replace('BY k', 'BY upper(k)')} WHERE ok "
            f"GROUP BY upper(k), {BOUNDS}",
            [1, 4, 8],
        ),
        (
            f"SELECT sum(v) FROM (SELECT * FROM (SELECT * FROM {ALL} WHERE v <> 2)) WHERE k IN (SELECT k FROM a_rows) "
            f"GROUP BY {BOUNDS}",
            [1, 4],
        ),
        # a list of column names: the sessions of all rows
        (f"SELECT sum(v) FROM {PER_KEY} AS w(k, ts, v, ok, s, e, m) WHERE ok GROUP BY k, s, e", [5, 8]),
        # projected and filtered in subqueries and CTEs
        (f"SELECT sum(v) FROM (SELECT k, v, {BOUNDS} FROM {PER_KEY} WHERE ok) GROUP BY k, {BOUNDS}", [1, 4, 8]),
        (
            f"WITH s AS (SELECT k AS g, v, {BOUNDS} FROM {PER_KEY} WHERE ok) SELECT sum(v) FROM s GROUP BY g, {BOUNDS}",
            [1, 4, 8],
        ),
        (
            f"""WITH s AS (SELECT w.*, v * 10 + 1 AS ten FROM {PER_KEY} AS w), u AS (SELECT s.k AS `the key`, ten AS t,
                s.window_start AS a, window_end AS b FROM s WHERE s.ten <> 21)
                SELECT sum(x.t) FROM u AS x WHERE x.t < 81 OR x.`the key` = 'c' GROUP BY a, x.b, x.`the key`""",
            [11, 41],
        ),
        (
            f"SELECT sum(n) FROM (SELECT k, v, ok, {BOUNDS} FROM {PER_KEY}) AS z(g, n, good, a, b) WHERE good "
            "GROUP BY a, b, g",
            [1, 4, 8],
        ),
        (
            f"WITH z(g, n, good, a, b) AS (SELECT k, v, ok AND v < 5, {BOUNDS} FROM {PER_KEY}) "
            "SELECT DISTINCT g, a, b FROM (SELECT * FROM z) AS z WHERE z.good",
            ["a", "a"],
        ),
        (
            f"SELECT sum(v) FROM (SELECT ((k)) AS k, v, s.ok, {BOUNDS} FROM "
            f"(SELECT *, struct(ok) AS s FROM {PER_KEY})) WHERE ok GROUP BY ALL HAVING true",
            [13],
        ),
        (
            f"SELECT sum(v) FROM (SELECT k, v, s, {BOUNDS} FROM (SELECT *, struct(ok) AS s FROM {PER_KEY})) AS q "
            f"WHERE q.s.ok AND NOT s.ok <=> false GROUP BY k, {BOUNDS}",
            [1, 4, 8],
        ),
        # stars that leave out columns or say ALL, an order, brackets, FROM alone
        (f"SELECT sum(v) FROM (SELECT * EXCEPT (ok) FROM {PER_KEY} WHERE ok) GROUP BY k, {BOUNDS}", [1, 4, 8]),
        (f"SELECT sum(v) FROM (SELECT ALL * FROM {PER_KEY} WHERE ok) GROUP BY k, {BOUNDS}", [1, 4, 8]),
        (f"SELECT sum(v) FROM (SELECT * FROM {PER_KEY} WHERE ok ORDER BY ts) GROUP BY k, {BOUNDS}", [1, 4, 8]),
        (f"SELECT sum(v) FROM (SELECT x.* FROM ({PER_KEY}) AS x) AS y WHERE y.ok GROUP BY k, {BOUNDS}", [1, 4, 8]),
        (f"SELECT sum(v) FROM (FROM {PER_KEY}) WHERE ok GROUP BY k, {BOUNDS}", [1, 4, 8]),
        (f"SELECT sum(v) FROM (FROM {PER_KEY} SELECT * WHERE ok) GROUP BY k, {BOUNDS}", [1, 4, 8]),
        (
            f"SELECT sum(v) FROM (SELECT * EXCEPT (ok, v), v + 1 AS v FROM {PER_KEY} WHERE ok) WHERE v <> 5 "
            f"GROUP BY k, {BOUNDS}",
            [2, 9],
        ),
        # keys by position, by their aliases, beside literals
        (f"SELECT k, sum(v), {BOUNDS} FROM {PER_KEY} WHERE ok GROUP BY 1, 3, 4", ["a", "a", "b"]),
        (f"SELECT sum(v), k, {BOUNDS} FROM {PER_KEY} WHERE ok GROUP BY ALL", [1, 4, 8]),
        (f"SELECT sum(v), k AS g, window_start AS a, window_end b FROM {PER_KEY} WHERE ok GROUP BY g, a, b", [1, 4, 8]),
        (f"SELECT sum(v) FROM {PER_KEY} WHERE ok GROUP BY k, {BOUNDS}, 'x'", [1, 4, 8]),
        (
            f"WITH c AS (SELECT k AS kk, v, window_start AS s, window_end AS e FROM {PER_KEY} WHERE ok) "
            "SELECT sum(v), kk AS z, s, e FROM c GROUP BY z, s, e",
            [1, 4, 8],
        ),
        # cut by LIMIT, filtered by a pipe: the sessions of all rows
        (f"SELECT sum(v) FROM (SELECT * FROM {PER_KEY} WHERE ok LIMIT 9) GROUP BY k, {BOUNDS}", [5, 8]),
        (f"SELECT sum(v) FROM ((SELECT * FROM {PER_KEY} WHERE ok) LIMIT 9) GROUP BY k, {BOUNDS}", [5, 8]),
        (f"SELECT sum(v) FROM (FROM {PER_KEY} |> WHERE ok) GROUP BY k, {BOUNDS}", [5, 8]),
        # aliases beside stars, in brackets, and one that is a column of the table too
        (f"SELECT sum(v), k AS g FROM (SELECT *, 1 AS one FROM {PER_KEY}) WHERE ok GROUP BY g, {BOUNDS}", [1, 4, 8]),
        (f"SELECT sum(v), k AS g FROM {PER_KEY} WHERE ok GROUP BY (g), {BOUNDS}", [1, 4, 8]),
        (
            f"SELECT sum(v), k AS ok FROM (SELECT *, 1 AS one FROM {PER_KEY}) WHERE v <> 2 GROUP BY ok, k, {BOUNDS}",
            [5, 8],
        ),
        # aliases of other items of their SELECT, where they are no columns of the table
        (f"SELECT sum(v) FROM (SELECT *, v = 2 AS b, NOT b AS c FROM {PER_KEY}) WHERE c GROUP BY k, {BOUNDS}", [5, 8]),
        (
            f"SELECT sum(w) FROM (SELECT k, v AS w, v = 2 AS ok, ok AS c, {BOUNDS} FROM {PER_KEY}) WHERE c "
            f"GROUP BY k, {BOUNDS}",
            [1, 4, 8],
        ),
        # of rows that UNPIVOT turns, and by what has another value each time
        (
            f"SELECT sum(x) FROM {PER_KEY} UNPIVOT (x FOR c IN (v)) WHERE x <> 2 GROUP BY k, {BOUNDS}",
            [5, 8],
        ),
        (f"SELECT sum(v) FROM {PER_KEY} WHERE ok AND rand() >= 0 GROUP BY k, {BOUNDS}", [1, 4, 8]),
        (
            f"SELECT sum(v) FROM (SELECT *, uuid() AS u FROM {PER_KEY}) WHERE ok AND u > '' GROUP BY k, {BOUNDS}",
            [5, 8],
        ),
        (f"SELECT sum(v) FROM (SELECT *, ok AS uuid FROM {PER_KEY}) WHERE uuid GROUP BY k, {BOUNDS}", [1, 4, 8]),
        # not by the keys of the sessions, beside another reader, or of rows that have been ranked
        (
            f"SELECT sum(v) FROM (SELECT upper(k) AS k, v, {BOUNDS} FROM {PER_KEY} WHERE ok) GROUP BY k, {BOUNDS}",
            [5, 8],
        ),
        (
            f"WITH s AS (SELECT * FROM {PER_KEY}) SELECT sum(v) FROM s WHERE ok AND k IN (SELECT k FROM s) "
            f"GROUP BY k, {BOUNDS}",
            [5, 8],
        ),
        (
            f"SELECT sum(v) FROM (SELECT *, row_number() OVER (PARTITION BY k ORDER BY v) AS n FROM {PER_KEY}) "
            f"WHERE n <> 2 GROUP BY k, {BOUNDS}",
            [5, 8],
        ),
        (
            f"SELECT sum(v) FROM (SELECT *, unix_micros(window_end) AS e FROM {PER_KEY}) WHERE e > 0 AND ok "
            f"GROUP BY k, {BOUNDS}",
            [5, 8],
        ),
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


@pytest.mark.slow
@pytest.mark.parametrize(
    "text",
    [
        f"WITH s AS (SELECT k AS g, v AS n, {BOUNDS} FROM {PER_KEY} WHERE v < 8) "
        f"SELECT g, sum(n) FROM s WHERE n <> 2 GROUP BY g, {BOUNDS}",
        f"SELECT g, sum(v) FROM (SELECT k g, v, {BOUNDS} FROM {PER_KEY} AS w WHERE w.v NOT IN (2, 8)) x "
        f"GROUP BY g, {BOUNDS}",
        f"SELECT k, sum(v) FROM (SELECT ALL * EXCEPT (n) FROM (FROM {PER_KEY}) WHERE v NOT IN (2, 8)) "
        f"GROUP BY k, {BOUNDS}",
    ],
)
def test_on_streams(spark: SparkSession, tmp_path: Path, text: str) -> None:
    source, rows = Source(tmp_path / "in"), Rows(tmp_path / "out")
    source.stream(spark, "filtered_stream")
    source.put(
        [("a", 0, 1, 0), ("a", 120, 2, 0)],
        [("a", 240, 4, 0), ("b", 60, 8, 0)],
        [("c", 9000, 7, 0)],
        [("c", 9999, 8, 0)],
    )
    frame = winsql.sql(spark, text.replace("TABLE filtered_rows", "TABLE filtered_stream"))
    rows.start(frame, tmp_path / "checkpoint", availableNow=True).awaitTermination()
    assert sorted(rows.taken()) == [("a", "1.0"), ("a", "4.0")]
