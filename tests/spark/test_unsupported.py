"""What no stream can run is told at its start, in the user's words and without Spark's plan."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from streaming import Source

import winsql
from winsql import WindowPlanError, WindowSpecError
from winsql.errors import Span
from winsql.model.query import INTERNAL_PREFIX

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

COUNTS = "SELECT k, count(*) AS n FROM unsupported WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 SECONDS) GROUP BY k"


@pytest.mark.parametrize(
    ("query", "problem"),
    [
        (f"{COUNTS} ORDER BY n", "ORDER BY cannot sort a stream"),
        (f"SELECT DISTINCT n FROM ({COUNTS})", "groups that never end"),
        (COUNTS.replace("SELECT", "SELECT DISTINCT"), "SELECT DISTINCT over the results of windows"),
        (
            "SELECT /*+ COALESCE(1) */ distinct k FROM TABLE(HOP(TABLE unsupported, DESCRIPTOR(ts), '5 minutes', "
            "'1 hour')) GROUP BY k, window_start, window_end",
            "SELECT DISTINCT over the results of windows",
        ),
        (f"SELECT k, max(n) FROM ({COUNTS}) GROUP BY k", "groups that never end"),
        (f"{COUNTS} HAVING k IN (TABLE unsupported)", "a subquery over a stream"),
        (COUNTS.replace("WINDOW", "WHERE k IN (SELECT k FROM unsupported) WINDOW"), "a subquery over a stream"),
        (f"SELECT a.k, b.n FROM ({COUNTS}) a FULL JOIN ({COUNTS}) b ON a.k = b.k", "join"),
        (f"SELECT n, id FROM ({COUNTS}) RIGHT JOIN range(3) ON n = id", "RIGHT JOIN cannot keep rows of a table"),
        (f"SELECT n, id FROM range(3) LEFT JOIN ({COUNTS}) ON n = id", "LEFT JOIN cannot keep rows of a table"),
        (f"SELECT n, id FROM ({COUNTS}) FULL JOIN range(3) ON n = id", "FULL JOIN cannot keep rows of a table"),
        (f"SELECT n, x FROM ({COUNTS}) LEFT JOIN LATERAL explode(array(n)) AS e(x) ON x > 1", "this LATERAL join"),
        (f"SELECT n FROM ({COUNTS}), LATERAL (SELECT max(id) FROM range(9) WHERE id < n)", "this LATERAL join"),
        (f"SELECT k FROM ({COUNTS}) WHERE n > (SELECT max(id) FROM range(9) WHERE id < n)", "this correlated subquery"),
    ],
)
@pytest.mark.parametrize("create", ["STREAMING TABLE no_stream", "STREAM no_stream INTO noop"])
def test_told_at_the_start(spark: SparkSession, tmp_path: Path, create: str, query: str, problem: str) -> None:
    source = Source(tmp_path / "in")
    source.put([("a", 1, 1, 1)])
    source.stream(spark, "unsupported")
    text = f"CREATE {create} AS\n{query}"
    with pytest.raises(WindowPlanError, match=problem) as caught:
        winsql.sql(spark, text)
    assert INTERNAL_PREFIX not in str(caught.value)
    assert caught.value.span is not None
    assert query.endswith(text[caught.value.span.start :])
    assert caught.value.hint


@pytest.mark.parametrize("statement", ["CREATE TABLE no_table AS", "INSERT OVERWRITE DIRECTORY '/nowhere' USING csv"])
def test_told_of_statements_that_run_once(spark: SparkSession, tmp_path: Path, statement: str) -> None:
    Source(tmp_path / "in").stream(spark, "unsupported")
    with pytest.raises(WindowPlanError, match="cannot take the rows of a stream") as caught:
        winsql.sql(spark, f"{statement} {COUNTS}")
    assert caught.value.span == Span(len(statement) + 1, len(statement) + len(" SELECT"))


def test_told_of_a_negative_delay(spark: SparkSession, tmp_path: Path) -> None:
    Source(tmp_path / "in").stream(spark, "unsupported", delay=None)
    text = COUNTS.replace("WINDOW", "WATERMARK ts DELAY OF INTERVAL -1 SECOND WINDOW")
    with pytest.raises(WindowSpecError, match="must not be negative") as caught:
        winsql.sql(spark, text)
    assert caught.value.span is not None
    assert caught.value.span.text(text) == "DELAY OF"


@pytest.mark.parametrize(
    ("query", "hint"),
    [
        (f"SELECT * FROM ({COUNTS}) PIVOT (max(n) FOR k IN ('a', 'b'))", "write max(n) FILTER (WHERE k = ...) and"),
        (
            f"SELECT * FROM ({COUNTS}) x PIVOT (sum(n + (1)) AS `s`, max(n) FOR `k` IN ('a' AS a))",
            "write sum(n + (1)) FILTER (WHERE `k` = ...) and its like with GROUP BY window_end, in the place of PIVOT",
        ),
        (f"SELECT * FROM ({COUNTS}) PIVOT (max(1) FOR (k, n) IN (('a', 1)))", "write max(1) FILTER (WHERE ...) and"),
        (f"FROM ({COUNTS}) |> AGGREGATE max(n) AS m GROUP BY k", "select window_end of the windows, and add it"),
        (
            "FROM TABLE(TUMBLE(TABLE unsupported, DESCRIPTOR(ts), INTERVAL '1' MINUTE)) |> AGGREGATE max(n) GROUP BY k",
            "write |> AGGREGATE ... GROUP BY window_end, ...",
        ),
        (f"SELECT * FROM ({COUNTS}) UNION SELECT * FROM ({COUNTS})", "write UNION ALL in a subquery"),
        (
            "SELECT q.window_end, count(*) AS c FROM (SELECT * FROM TABLE(TUMBLE(TABLE unsupported, DESCRIPTOR(ts),"
            " INTERVAL '1' MINUTE))) TABLESAMPLE (50 PERCENT) AS q GROUP BY q.window_end",
            "write WHERE rand() < 0.1 in the place of TABLESAMPLE",
        ),
    ],
)
def test_what_to_write_for_other_groups(spark: SparkSession, tmp_path: Path, query: str, hint: str) -> None:
    source = Source(tmp_path / "in")
    source.put([("a", 1, 1, 1)])
    source.stream(spark, "unsupported")
    with pytest.raises(WindowPlanError, match="groups that never end") as caught:
        winsql.sql(spark, f"CREATE STREAM no_stream INTO noop AS\n{query}")
    assert hint in str(caught.value.hint)


@pytest.mark.parametrize(
    ("query", "place"),
    [
        (f"{COUNTS} ORDER BY n", "ORDER BY"),
        (f"SELECT * EXCEPT (n) FROM ({COUNTS}) EXCEPT SELECT k FROM counts", "EXCEPT"),
        (f"TABLE counts INTERSECT {COUNTS}", "INTERSECT"),
        (f"TABLE counts INTERSECT {COUNTS} INTERSECT TABLE counts", "TABLE"),
        (
            "SELECT k FROM TABLE(TUMBLE(TABLE unsupported, DESCRIPTOR(ts), '1 minute')) TABLESAMPLE (50 PERCENT)",
            "TABLESAMPLE",
        ),
    ],
)
def test_told_before_the_start_where_no_output_mode_helps(
    spark: SparkSession, tmp_path: Path, query: str, place: str
) -> None:
    source = Source(tmp_path / "in")
    source.put([("a", 1, 1, 1)])
    source.stream(spark, "unsupported")
    winsql.sql(spark, f"CREATE OR REPLACE TEMP VIEW counts AS {COUNTS}")
    with pytest.raises(WindowPlanError) as caught:
        winsql.sql(spark, query)
    assert INTERNAL_PREFIX not in str(caught.value)
    assert caught.value.span is not None
    assert caught.value.span.text(query).startswith(place)
    assert caught.value.span.start == query.rindex(place) or place == "TABLE"
    spark.conf.set("spark.sql.streaming.unsupportedOperationCheck", "false")
    try:
        assert winsql.sql(spark, query).isStreaming
    finally:
        spark.conf.unset("spark.sql.streaming.unsupportedOperationCheck")


def test_told_of_the_first_micro_batch(spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Spark makes an aggregation of a subquery when it plans the micro-batch; on Spark Connect nobody asks before."""
    monkeypatch.setattr("winsql.spark.correlated.refused_once_optimized", lambda frame: None)
    source = Source(tmp_path / "in")
    source.put([("a", 1, 1, 1)])
    source.stream(spark, "unsupported")
    windows = "TABLE(TUMBLE(TABLE unsupported, DESCRIPTOR(ts), INTERVAL '30' SECONDS))"
    query = f"SELECT a.k FROM {windows} a WHERE a.v > (SELECT max(id) FROM range(9) WHERE id < a.v)"
    options = f"OPTIONS (checkpointLocation '{tmp_path / 'c'}', trigger 'available now')"
    winsql.sql(spark, f"CREATE STREAM no_batch INTO noop {options} AS {query}")
    with pytest.raises(WindowPlanError, match="aggregations on streaming") as caught:
        winsql.sql(spark, "AWAIT STREAM no_batch")
    assert "Python Proxy" not in str(caught.value)
    assert caught.value.hint


@pytest.mark.parametrize("window", ["COUNT(2)", "TUMBLING(ts, '1 hour')"])
def test_told_of_a_table_of_no_format(spark: SparkSession, window: str) -> None:
    rows = "SELECT 1 AS k, TIMESTAMP'2024-05-01' AS ts"
    text = f"CREATE TABLE of_no_format USING parket AS SELECT count(*) AS n FROM ({rows}) WINDOW ASSIGN {window}"
    with pytest.raises(WindowPlanError, match="this session has no format parket") as caught:
        winsql.sql(spark, text)
    assert caught.value.hint == "did you mean parquet?"
    assert caught.value.span is not None
    assert caught.value.span.text(text) == "parket"
