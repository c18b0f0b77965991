"""Streams over streams: windowed results that feed another query, and what Spark refuses around them."""

from __future__ import annotations

import gc
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyspark.errors import AnalysisException
from streaming import Rows, Source, run

import winsql
from winsql.errors import WindowPlanError, WinsqlError
from winsql.spark.runner import is_connect

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

TUMBLING = "SELECT k, window_time AS wt, count(*) AS c FROM placed WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k"
BY_THE_CLOCK = TUMBLING.replace("(ts,", "(PROCTIME(),")
BY_TEN = "SELECT window_time(window) AS wt, count(*) AS c FROM placed GROUP BY window(ts, '10 seconds')"


@pytest.fixture
def placed(spark: SparkSession, tmp_path: Path) -> SparkSession:
    """A stream `placed`, and the windows of ten seconds over it as `tens` and, by Spark, `spark_tens`."""
    source = Source(tmp_path / "in")
    source.put([("a", 1, 1.0, 0), ("b", 2, 1.0, 1), ("a", 13, 1.0, 2)], [("z", 1000, 1.0, 4)])
    source.stream(spark, "placed")
    winsql.sql(spark, TUMBLING).createOrReplaceTempView("tens")
    spark.sql(BY_TEN.replace("window_time(window)", "window.end")).createOrReplaceTempView("spark_tens")
    return spark


@pytest.mark.parametrize(
    ("relation", "window", "rule"),
    [
        ("tens", "GLOBAL() TRIGGER CONTINUOUS_EVENT_TIME('1 minute')", "takes its window_time"),
        ("tens", "TUMBLING(wt + INTERVAL 1 SECOND, '20 seconds')", "takes its window_time"),
        (f"({TUMBLING} ALLOWED LATENESS '1 hour')", "TUMBLING(wt, '20 seconds')", "alone"),
        (f"({TUMBLING} TRIGGER COUNT(1))", "TUMBLING(wt, '20 seconds')", "alone"),
        ("(TABLE tens UNION ALL SELECT k, ts, n FROM placed)", "TUMBLING(wt, '20 seconds')", "all other rows after"),
        (
            "STREAM tens WATERMARK wt DELAY OF INTERVAL 0 SECONDS",
            "TUMBLING(wt, '20 seconds')",
            "a second one would never move",
        ),
        ("STREAM tens WATERMARK wt DELAY OF INTERVAL 0 SECONDS", "COUNT(2)", "a second one would never move"),
        ("spark_tens", "TUMBLING(wt, '20 seconds')", "what Spark's aggregation gives out"),
    ],
)
def test_windows_over_windows_that_are_refused(placed: SparkSession, relation: str, window: str, rule: str) -> None:
    with pytest.raises(WindowPlanError) as caught:
        winsql.sql(placed, f"SELECT sum(c) AS c FROM {relation} WINDOW ASSIGN {window}")
    assert "in the same stream, and both wait for a watermark" in caught.value.problem
    assert rule in (caught.value.rule or "")
    assert "write the first result into a table" in (caught.value.hint or "")
    assert caught.value.span is not None


def test_windows_of_the_clock_are_told_to_be_of_event_time(placed: SparkSession) -> None:
    with pytest.raises(WindowPlanError) as caught:
        winsql.sql(placed, f"SELECT count(*) AS n FROM ({BY_THE_CLOCK}) WINDOW ASSIGN TUMBLING(wt, '20 seconds')")
    assert "windows of event time, without TRIGGER" in (caught.value.hint or "")


def test_rows_of_two_streams_are_no_windows(placed: SparkSession) -> None:
    join = "SELECT * FROM tens x WINDOW JOIN placed y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.wt, y.ts), '1 minute')"
    with pytest.raises(WindowPlanError) as caught:
        winsql.sql(placed, join)
    assert "without UNION or JOIN with another stream" in (caught.value.hint or "")


END = f"({TUMBLING.replace('window_time AS wt', 'window_end AS e')})"
OWN = """(SELECT own.window_end AS e, 1 AS c FROM (SELECT ts, struct(date(ts) AS window_end) AS own FROM placed)
    WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY own)"""


@pytest.mark.parametrize(
    ("query", "rule"),
    [
        (f"SELECT max(c) FROM {OWN} GROUP BY e", "by another column groups may be incomplete"),
        (f"SELECT a.c FROM {END} AS a JOIN {OWN} AS b ON a.e = b.e AND a.c = b.c", "by another column groups"),
        (f"SELECT b.c FROM {OWN} AS a LEFT JOIN {END} AS b ON a.e = b.e AND a.c = b.c", "by another column groups"),
        (f"SELECT max(c) FROM {END[:-1]} ALLOWED LATENESS '1 hour') GROUP BY e", "fires by the watermark alone"),
    ],
)
def test_windows_grouped_and_joined_by_other_columns(placed: SparkSession, query: str, rule: str) -> None:
    """Their text looks like windows over windows, and Spark's plan shows that they are none."""
    with pytest.raises(WindowPlanError) as caught:
        winsql.sql(placed, query)
    assert rule in (caught.value.rule or "")
    assert caught.value.span is not None
    assert caught.value.span.text(query).startswith("FROM (")


@pytest.mark.slow
def test_windows_without_event_time_over_windows(placed: SparkSession, tmp_path: Path) -> None:
    text = "SELECT sum(c) AS c FROM {} WHERE k <> :skip WINDOW ASSIGN COUNT(2)"
    frames = [winsql.sql(placed, text.format(relation), args={"skip": "b"}) for relation in (f"({TUMBLING})", "tens")]
    assert run([frames[0].unionAll(frames[1])], tmp_path / "checkpoints") == [[("2",), ("2",)]]


def test_what_spark_refuses_is_told_in_its_words(placed: SparkSession, tmp_path: Path) -> None:
    """A stream joined where Spark joins none, an output mode without aggregation, an action on a stream."""
    placed.table("placed").createOrReplaceTempView("other")
    frame = winsql.sql(placed, TUMBLING)

    def start(frame: DataFrame, mode: str) -> None:
        writer = frame.writeStream.format("noop").outputMode(mode)
        writer.option("checkpointLocation", str(tmp_path / mode)).start()

    def joined(kind: str) -> DataFrame:
        join = f"placed {kind} JOIN other USING (k)"
        return winsql.sql(placed, f"SELECT k, count(*) AS c FROM {join} WINDOW ASSIGN COUNT(2) GROUP BY k")

    # what no output mode helps is told before the start, but on Spark Connect
    sorting = "Sorting is not supported on streaming" if is_connect(placed) else "ORDER BY cannot sort a stream"
    for words, act in {
        "FullOuter join between two streaming": lambda: start(joined("FULL"), "append"),
        "LeftAnti joins with a streaming DataFrame/Dataset on the right": lambda: start(joined("LEFT ANTI"), "append"),
        "Invalid streaming output mode: complete": lambda: start(frame, "complete"),
        "Queries with streaming sources must be executed with writeStream": frame.collect,
        sorting: lambda: start(winsql.sql(placed, f"{TUMBLING} ORDER BY k"), "append"),
    }.items():
        with pytest.raises((AnalysisException, WindowPlanError), match=re.escape(words)):
            act()


@pytest.mark.parametrize("command", ["CREATE TABLE never_whole USING parquet AS", "CACHE TABLE never_whole AS"])
def test_a_command_without_windows_takes_no_rows_of_a_stream(placed: SparkSession, command: str) -> None:
    text = f"\n{command} SELECT * FROM placed"
    with pytest.raises(WindowPlanError, match="this statement cannot take the rows of a stream") as caught:
        winsql.sql(placed, text)
    assert caught.value.span is not None
    assert caught.value.span.text(text) == text.strip()
    assert "CREATE STREAMING TABLE" in (caught.value.hint or "")
    assert not placed.catalog.tableExists("never_whole")


@pytest.mark.parametrize("relation", ["STREAM {}", "(SELECT * FROM STREAM({})) AS t"])
def test_a_view_over_a_table_is_no_stream(placed: SparkSession, relation: str) -> None:
    placed.sql("CREATE OR REPLACE TEMP VIEW still AS SELECT 'a' AS k, TIMESTAMP '2024-01-01' AS ts")
    text = f"SELECT k, count(*) AS c FROM {relation.format('Still')} WINDOW ASSIGN TUMBLING(ts, '1 second') GROUP BY k"
    with pytest.raises(WinsqlError, match="Still is a view over a table, not over a stream") as caught:
        winsql.sql(placed, text)
    assert caught.value.span is not None
    assert caught.value.span.text(text) == "Still"


@pytest.mark.slow
def test_update_mode_gives_the_rows_of_append_mode(placed: SparkSession, tmp_path: Path) -> None:
    rows = Rows(tmp_path / "rows")
    frame = winsql.sql(placed, TUMBLING.replace("window_time AS wt, ", ""))
    writer = frame.writeStream.outputMode("update").foreachBatch(rows.take).trigger(availableNow=True)
    writer.option("checkpointLocation", str(tmp_path / "update")).start().awaitTermination()
    assert sorted(rows.taken()) == [("a", "1"), ("a", "1"), ("b", "1")]


@pytest.mark.slow
def test_windows_that_are_read_twice_fire_for_each_reader(placed: SparkSession, tmp_path: Path) -> None:
    """By a view, by a CTE and by the same text; Spark would share the input and leave the others without watermark."""
    windows = "TUMBLE(TABLE placed, DESCRIPTOR(ts), '10 seconds')"
    on = "a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end"
    joined = " UNION ALL ".join(f"SELECT {n}, a.k, NULL, 1 FROM {windows} a JOIN {windows} b ON {on}" for n in (7, 8))
    by_cte = "SELECT 3 AS reader, * FROM w UNION ALL SELECT 4, * FROM w"
    written_out = " UNION ALL ".join(f"SELECT {reader}, * FROM ({TUMBLING})" for reader in (5, 6))
    by_view = "SELECT 1 AS reader, * FROM tens UNION ALL SELECT 2, * FROM tens"
    everything = " UNION ALL ".join((by_view, by_cte, written_out, joined))
    frame = winsql.sql(placed, f"WITH w AS ({TUMBLING}) SELECT reader, k, c FROM ({everything})")
    (found,) = run([frame], tmp_path / "checkpoints")
    assert sorted(found) == [(str(reader), k, "1") for reader in range(1, 9) for k in "aab"]


if "WINSQL_CONNECT" not in os.environ:  # Spark tells its own JVM how many classes it has generated

    @pytest.mark.slow
    def test_micro_batches_use_the_classes_of_the_first_ones(spark: SparkSession, tmp_path: Path) -> None:
        source = Source(tmp_path / "in")
        source.put(*([("a", 10 * second, 1.0, second)] for second in range(5)))
        source.stream(spark, "placed")
        assert spark._jvm is not None
        compiled = spark._jvm.org.apache.spark.metrics.source.CodegenMetrics.METRIC_COMPILATION_TIME()
        counts = []

        def count(batch: DataFrame, number: int) -> None:
            batch.collect()
            counts.append(compiled.getCount())

        writer = winsql.sql(spark, TUMBLING).writeStream.foreachBatch(count).trigger(availableNow=True)
        writer.option("checkpointLocation", str(tmp_path / "checkpoint")).start().awaitTermination()
        assert counts[4] == counts[2] > 0


if "WINSQL_CONNECT" in os.environ:  # elsewhere test_cascades and test_window_ranking do more of it

    def test_windows_are_ranked_and_grouped_on_connect(spark: SparkSession, tmp_path: Path) -> None:
        source = Source(tmp_path / "in")
        source.put([("a", 1, 1.0, 0), ("b", 2, 1.0, 1), ("b", 3, 1.0, 2), ("a", 13, 1.0, 3), ("z", 1000, 1.0, 4)])
        source.stream(spark, "placed")
        text = """
            SELECT k, c FROM (
              SELECT k, c, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY c DESC) AS place FROM (
                SELECT k, count(*) AS c, window_start, window_end
                FROM TABLE(TUMBLE(TABLE placed, DESCRIPTOR(ts), INTERVAL '10' SECONDS))
                GROUP BY k, window_start, window_end
              )
            ) WHERE place = 1
            UNION ALL
            SELECT 'all of it', sum(c) FROM (
              SELECT k, count(*) AS c, window_end AS e FROM placed WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k
            ) GROUP BY e"""
        spark.conf.set("spark.sql.shuffle.partitions", "1")
        try:
            (found,) = run([winsql.sql(spark, text)], tmp_path / "checkpoints")
        finally:
            spark.conf.set("spark.sql.shuffle.partitions", "2")
        assert sorted(found) == [("a", "1"), ("all of it", "1"), ("all of it", "3"), ("b", "2")]

    def test_many_operators_over_each_other_on_connect(spark: SparkSession, tmp_path: Path) -> None:
        """Protobuf takes a hundred levels of a plan; the relations in between are views as long as they are read."""
        source = Source(tmp_path / "in")
        source.put([("a", 1, 1.0, 0), ("b", 2, 1.0, 1), ("b", 3, 1.0, 2), ("z", 1000, 1.0, 4)])
        source.stream(spark, "placed")
        text = "SELECT k, count(*) AS c, window_end FROM placed WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k"
        for _ in range(5):
            text = f"SELECT k, max(c) + 1 AS c, window_end FROM ({text}) GROUP BY k, window_end"
        spark.conf.set("spark.sql.shuffle.partitions", "1")
        try:
            frame = winsql.sql(spark, text)
            gc.collect()
            winsql.sql(spark, text)  # drops what nothing reads
            (found,) = run([frame.select("k", "c")], tmp_path / "checkpoints")
        finally:
            spark.conf.set("spark.sql.shuffle.partitions", "2")
        assert sorted(found) == [("a", "6"), ("b", "7")]
        del frame
        gc.collect()
        kept = winsql.sql(spark, "SELECT k, c FROM (SELECT k, count(*) AS c, window_end FROM placed WINDOW ASSIGN "
                          "TUMBLING(ts, '10 seconds') GROUP BY k) WHERE c > 1")  # fmt: skip
        assert "c" in kept.columns
        assert len([view for view in spark.catalog.listTables() if view.name.startswith("windowed__")]) == 0
