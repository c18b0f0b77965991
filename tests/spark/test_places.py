"""Windowed SELECTs wherever a query may stand, by both kinds of plan: TUMBLING is Spark's own, COUNT the operator's."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING, Any

import pytest
from java_objects import java_object
from pyspark.errors import AnalysisException

import winsql
from winsql.errors import WindowPlanError
from winsql.spark.versions import classic

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# ten events, one per second, of two keys; a row without time belongs to no event-time window
EVENTS = """
SELECT timestamp_micros(id * 1000000) AS ts, id % 2 AS k, id AS v FROM range(10)
UNION ALL SELECT NULL, 0, 100
"""
NATIVE = "SELECT k, sum(v) AS total FROM events WINDOW ASSIGN TUMBLING(ts, '5 seconds') GROUP BY k"
OPERATOR = "SELECT k, sum(v) AS total FROM events WINDOW ASSIGN COUNT(2) WHERE ts IS NOT NULL GROUP BY k"
NATIVE_ROWS = [(0, 6), (0, 14), (1, 4), (1, 21)]
OPERATOR_ROWS = [(0, 2), (0, 10), (1, 4), (1, 12)]
BOTH = [(NATIVE, NATIVE_ROWS), (OPERATOR, OPERATOR_ROWS)]


@pytest.fixture(scope="module", autouse=True)
def _events(spark: SparkSession) -> Iterator[None]:
    spark.sql(EVENTS).createOrReplaceTempView("events")
    yield
    spark.catalog.dropTempView("events")


def run(spark: SparkSession, text: str, args: Any = None) -> list[tuple[Any, ...]]:
    return sorted(map(tuple, winsql.sql(spark, text, args).collect()))


@pytest.mark.parametrize(("query", "rows"), BOTH)
def test_alone_and_nested(spark: SparkSession, query: str, rows: list[Any]) -> None:
    assert run(spark, query) == rows
    assert run(spark, f"WITH w AS ({query}) SELECT * FROM w") == rows
    assert run(spark, f"SELECT * FROM ({query}) AS x WHERE x.total > 0") == rows
    assert run(spark, f"{query} UNION ALL SELECT 7, 7") == sorted([*rows, (7, 7)])
    assert run(spark, f"SELECT 1 WHERE 21 IN (SELECT total FROM ({query}))") == ([(1,)] if (1, 21) in rows else [])
    text = f"SELECT a.k, count(*) FROM ({query}) a JOIN ({query}) b USING (k) GROUP BY a.k"
    assert run(spark, text) == [(0, 4), (1, 4)]


def test_both_kinds_in_one_statement(spark: SparkSession) -> None:
    text = f"WITH a AS ({NATIVE}), b AS ({OPERATOR}) SELECT a.total, b.total FROM a JOIN b USING (k) WHERE k = 1"
    assert run(spark, text) == [(4, 4), (4, 12), (21, 4), (21, 12)]


def test_windows_of_windows(spark: SparkSession) -> None:
    first = "SELECT k, window_time AS at, sum(v) AS total FROM events WINDOW ASSIGN {} GROUP BY k"
    for inner in ("TUMBLING(ts, '2 seconds')", "TUMBLING(ts, '2 seconds') TRIGGER COUNT(1)"):
        for outer in ("TUMBLING(at, '4 seconds')", "COUNT(2, time => at)"):
            text = f"SELECT k, sum(total) FROM ({first.format(inner)}) WINDOW ASSIGN {outer} GROUP BY k"
            assert (1, 4) in run(spark, text)


def test_cte_that_a_window_reads(spark: SparkSession) -> None:
    for window, rows in (("TUMBLING(ts, '1 hour')", [(20, 5)]), ("COUNT(3)", [(6, 3)])):
        text = f"""WITH low AS (SELECT * FROM events WHERE v < 50), even AS (SELECT * FROM low WHERE k = 0)
                   SELECT sum(v), count(*) FROM even WINDOW ASSIGN {window}"""
        assert run(spark, text) == rows


@pytest.mark.parametrize(("query", "rows"), BOTH)
def test_tables(spark: SparkSession, query: str, rows: list[Any]) -> None:
    try:
        winsql.sql(spark, f"CREATE TABLE kept USING parquet AS {query}")
        assert sorted(map(tuple, spark.table("kept").collect())) == rows
        winsql.sql(spark, f"INSERT INTO kept {query}")
        assert spark.table("kept").count() == 2 * len(rows)
        winsql.sql(spark, f"INSERT OVERWRITE kept SELECT k + 10, total FROM ({query})")
        assert sorted(map(tuple, spark.table("kept").collect())) == [(k + 10, total) for k, total in rows]
    finally:
        spark.sql("DROP TABLE IF EXISTS kept")


@pytest.mark.parametrize(("query", "rows"), BOTH)
def test_temporary_view(spark: SparkSession, query: str, rows: list[Any]) -> None:
    try:
        winsql.sql(spark, f"CREATE TEMPORARY VIEW seen (a COMMENT 'the key', b) COMMENT 'kept' AS {query}")
        assert sorted(map(tuple, spark.sql("SELECT a, b FROM seen").collect())) == rows
        assert spark.table("seen").schema["a"].metadata["comment"] == "the key"
        with pytest.raises(Exception, match="TEMP_TABLE_OR_VIEW_ALREADY_EXISTS"):
            winsql.sql(spark, f"CREATE TEMPORARY VIEW seen AS {query}")
        assert sorted(map(tuple, spark.table("seen").collect())) == rows
        winsql.sql(spark, f"CREATE OR REPLACE TEMPORARY VIEW seen AS {query} LIMIT 1")
        assert spark.table("seen").count() == 1
    finally:
        spark.catalog.dropTempView("seen")


def test_global_temporary_view(spark: SparkSession) -> None:
    """Other sessions read it; the text of the view names relations that only this one would have."""
    create = f"CREATE GLOBAL TEMPORARY VIEW seen AS {OPERATOR}"
    try:
        winsql.sql(spark, create)
        views = spark.sql("SHOW VIEWS IN global_temp").count()
        with pytest.raises(AnalysisException, match="TEMP_TABLE_OR_VIEW_ALREADY_EXISTS"):
            winsql.sql(spark, create)
        assert spark.sql("SHOW VIEWS IN global_temp").count() == views
        for session in (spark, spark.newSession()):
            assert sorted(map(tuple, session.table("global_temp.seen").collect())) == OPERATOR_ROWS
    finally:
        spark.catalog.dropGlobalTempView("seen")


def test_failed_replacement_leaves_the_view_alone(spark: SparkSession) -> None:
    """As in Spark's own SQL, a view may not be replaced by one that reads it; the old one still works."""
    try:
        winsql.sql(spark, f"CREATE TEMPORARY VIEW chain AS {OPERATOR}")
        views = len(spark.sql("SHOW TABLES").collect())
        again = "SELECT sum(total) AS total FROM chain WINDOW ASSIGN COUNT(4)"
        with pytest.raises(AnalysisException, match="RECURSIVE_VIEW"):
            winsql.sql(spark, f"CREATE OR REPLACE TEMPORARY VIEW chain AS {again}")
        assert sorted(map(tuple, spark.table("chain").collect())) == OPERATOR_ROWS
        assert len(spark.sql("SHOW TABLES").collect()) == views
    finally:
        spark.catalog.dropTempView("chain")


def test_cached_table(spark: SparkSession) -> None:
    try:
        winsql.sql(spark, f"CACHE TABLE cached AS {OPERATOR}")
        assert sorted(map(tuple, spark.table("cached").collect())) == OPERATOR_ROWS
    finally:
        spark.sql("UNCACHE TABLE IF EXISTS cached")
        spark.catalog.dropTempView("cached")


@pytest.mark.parametrize("registered", [False, True])
def test_only_what_keeps_a_query_leaves_views(spark: SparkSession, registered: bool) -> None:
    def left(statement: str) -> int:
        before = spark.sql("SHOW VIEWS").count()
        done(statement)
        return spark.sql("SHOW VIEWS").count() - before

    spark.sql("DECLARE OR REPLACE VARIABLE most BIGINT")
    spark.sql("CREATE TEMPORARY VIEW altered AS SELECT 1 AS k")
    done: Any = partial(winsql.sql, spark)
    if registered:
        winsql.register(spark)
        done = spark._jsparkSession.sql
    try:
        assert left(f"SET VAR most = (SELECT max(total) FROM ({OPERATOR}))") == 0
        assert spark.sql("SELECT most").first()[0] == 12
        done(f"DESCRIBE QUERY {OPERATOR}")
        assert left(f"ALTER VIEW altered AS {OPERATOR}") == 1
        assert sorted(map(tuple, spark.table("altered").collect())) == OPERATOR_ROWS
    finally:
        winsql.unregister(spark)
        spark.sql("DROP TEMPORARY VARIABLE most")
        spark.catalog.dropTempView("altered")


def test_permanent_view_only_of_a_native_plan(spark: SparkSession) -> None:
    permanent = "CREATE VIEW stored AS SELECT window_start, count(*) AS n FROM range_of_times WINDOW ASSIGN {}"
    try:
        spark.sql("CREATE TABLE range_of_times AS SELECT timestamp_micros(id * 1000000) AS ts FROM range(10)")
        winsql.sql(spark, permanent.format("TUMBLING(ts, '5 seconds')"))
        assert [row.n for row in spark.table("stored").collect()] == [5, 5]
        with pytest.raises(WindowPlanError, match="permanent view") as caught:
            winsql.sql(spark, permanent.format("COUNT(2)").replace("stored", "other"))
        assert caught.value.hint is not None
        assert "TEMPORARY" in caught.value.hint
    finally:
        spark.sql("DROP VIEW IF EXISTS stored")
        spark.sql("DROP TABLE IF EXISTS range_of_times")


@pytest.mark.parametrize("registered", [False, True])
def test_altered_views(spark: SparkSession, registered: bool) -> None:
    """ALTER VIEW takes what CREATE takes for a view of its kind."""
    done: Any = partial(winsql.sql, spark)
    if registered:
        winsql.register(spark)
        done = spark._jsparkSession.sql
    sets = "SELECT collect_set(ts) AS s FROM range_of_times WINDOW ASSIGN TUMBLING(ts, '5 seconds')"
    try:
        spark.sql("CREATE TABLE range_of_times AS SELECT timestamp_micros(id * 1000000) AS ts FROM range(10)")
        spark.sql("CREATE VIEW stored AS SELECT 1 AS k")
        spark.sql("CREATE GLOBAL TEMPORARY VIEW seen AS SELECT 1 AS k")
        done(f"ALTER VIEW stored AS {sets}")
        assert [len(row.s) for row in spark.table("stored").collect()] == [5, 5]
        with pytest.raises((WindowPlanError, AnalysisException), match="cannot be kept in a permanent view"):
            done("ALTER VIEW stored AS SELECT count(*) FROM range_of_times WINDOW ASSIGN COUNT(2)")
        done("ALTER VIEW global_temp.seen AS SELECT count(*) AS n FROM range_of_times WINDOW ASSIGN COUNT(5)")
        for session in (spark, spark.newSession()):
            assert [row.n for row in session.table("global_temp.seen").collect()] == [5, 5]
        with pytest.raises(AnalysisException, match="TABLE_OR_VIEW_NOT_FOUND"):
            done(f"ALTER VIEW nowhere AS {OPERATOR}")
    finally:
        winsql.unregister(spark)
        spark.catalog.dropGlobalTempView("seen")
        spark.sql("DROP VIEW IF EXISTS stored")
        spark.sql("DROP TABLE IF EXISTS range_of_times")


@pytest.mark.since("4.1")
@pytest.mark.parametrize(
    "create",
    [
        "CREATE OR REPLACE TEMPORARY VIEW of_cases (c COMMENT 'how many') default collation UTF8_LCASE AS",
        "CREATE TABLE of_cases USING parquet COMMENT 'as it is' DEFAULT COLLATION UTF8_LCASE AS",
    ],
)
def test_a_default_collation(spark: SparkSession, create: str) -> None:
    """It holds for the strings of a window that Spark runs; winsql's operator would not know it."""
    kind = "VIEW" if "VIEW" in create else "TABLE"
    text = f"{create} SELECT count(*) AS c FROM (SELECT TIMESTAMP'2024-01-01 00:00:00' AS ts) WHERE 'a' = 'A'"
    try:
        winsql.sql(spark, f"{text} WINDOW ASSIGN TUMBLING(ts, '1 hour')")
        assert [row.c for row in spark.table("of_cases").collect()] == [1]
        with pytest.raises(WindowPlanError, match="does not reach the strings") as caught:
            winsql.sql(spark, f"{text} WINDOW ASSIGN COUNT(1)")
        assert caught.value.span is not None
        assert caught.value.span.text(text).upper() == "DEFAULT COLLATION"
    finally:
        spark.sql(f"DROP {kind} IF EXISTS of_cases")


def test_parameters(spark: SparkSession) -> None:
    text = (
        "SELECT k, sum(v + {0}), '{{}} {{k}}' AS braces FROM events "
        "WINDOW ASSIGN {w} WHERE v < {1} GROUP BY k HAVING k < {2}"
    )
    for window in ("TUMBLING(ts, '1 hour')", "GLOBAL(ts) TRIGGER END_OF_STREAM()"):
        named = text.format(":a", ":b", ":c", w=window)
        assert run(spark, named, {"a": 10, "b": 4, "c": 1, "unused": 0}) == [(0, 22, "{} {k}")]
        assert run(spark, text.format("?", "?", "?", w=window), [10, 4, 1]) == [(0, 22, "{} {k}")]


def test_explain_and_plain_statements(spark: SparkSession) -> None:
    assert run(spark, "SELECT 1, '{x}'") == [(1, "{x}")]
    [(plan,)] = run(spark, f"EXPLAIN {OPERATOR}")
    assert "MapInArrow" in plan
    [(plan,)] = run(spark, f"EXPLAIN WINDOW {OPERATOR}")
    assert plan == winsql.explain(spark, OPERATOR).replace("line 1, column 1\n", "line 1, column 16\n")
    assert winsql.rewrite(spark, "SELECT 1 -- as it is") == "SELECT 1 -- as it is"


def test_rewritten_native_plan_is_plain_sql(spark: SparkSession) -> None:
    assert sorted(map(tuple, spark.sql(winsql.rewrite(spark, NATIVE)).collect())) == NATIVE_ROWS


def test_null_times_are_counted(spark: SparkSession) -> None:
    for query in (NATIVE, NATIVE.replace("GROUP BY", "TRIGGER COUNT(1) GROUP BY")):
        frame = winsql.sql(spark, query)
        assert winsql.metrics(frame) in ({}, {"null_event_time": 1})
        frame.collect()
        assert winsql.metrics(frame) == {"null_event_time": 1}
        inserted = winsql.sql(spark, f"SELECT count(*) FROM ({query})")
        inserted.toDF("n").collect()
        assert winsql.metrics(inserted) == {"null_event_time": 1}


@pytest.mark.parametrize("around", ["{} LIMIT 0", "SELECT * FROM ({}) WHERE k IN (SELECT v FROM events WHERE v > 999)"])
def test_null_times_that_spark_does_not_read_are_not_known(spark: SparkSession, around: str) -> None:
    """Spark runs no window where it finds that nothing reads its rows."""
    frame = winsql.sql(spark, around.format(NATIVE.replace("GROUP BY", "TRIGGER COUNT(1) GROUP BY")))
    assert frame.collect() == []
    assert winsql.metrics(frame) == {}


SLOW = """
package another;

import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

public class Slow extends org.apache.spark.scheduler.SparkListener {
  private final CountDownLatch latch = new CountDownLatch(1);

  public void onTaskEnd(org.apache.spark.scheduler.SparkListenerTaskEnd end) {
    try {
      latch.await(30, TimeUnit.SECONDS);
    } catch (InterruptedException error) {
      throw new RuntimeException(error);
    }
  }

  public void release() {
    latch.countDown();
  }
}
"""


def test_null_times_wait_no_longer_for_other_listeners(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    listener = java_object(spark, "another.Slow", SLOW)
    spark.sparkContext._jsc.sc().addSparkListener(listener)
    try:
        frame = winsql.sql(spark, NATIVE.replace("GROUP BY", "TRIGGER COUNT(1) GROUP BY"))
        assert len(frame.collect()) == 10
        assert winsql.metrics(frame) in ({}, {"null_event_time": 1})  # by version: some of Spark tell it at once
        assert winsql.metrics(winsql.sql(spark, NATIVE.replace("GROUP BY", "TRIGGER COUNT(1) GROUP BY"))) == {}
        listener.release()
        monkeypatch.setattr(classic, "PATIENCE", 60)
        assert winsql.metrics(frame) == {"null_event_time": 1}
    finally:
        listener.release()
        spark.sparkContext._jsc.sc().removeSparkListener(listener)


def test_metrics_of_others(spark: SparkSession) -> None:
    assert winsql.metrics(spark.range(1)) == {}
    counted = winsql.sql(spark, OPERATOR)
    counted.collect()
    assert winsql.metrics(counted) == {}
    waiting = winsql.sql(spark, NATIVE.replace("GROUP BY", "TRIGGER COUNT(1) GROUP BY"))
    assert winsql.metrics(waiting) == {}


def test_null_time_orders_first_where_time_only_orders(spark: SparkSession) -> None:
    text = "SELECT collect_list(v) FROM events WINDOW ASSIGN COUNT(3, time => ts) WHERE k = 0"
    assert run(spark, text) == [([4, 6, 8],), ([100, 0, 2],)]
