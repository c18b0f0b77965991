"""LATE INTO on a bounded table: an empty view with the source's columns, made anew by each run of the statement."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streaming import Source

import winsql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TEXT = """
SELECT k, sum(v) AS total FROM late_source WHERE v > 0
WINDOW ASSIGN TUMBLING(ts, '1 minute')
LATE INTO {name}
GROUP BY k
"""


@pytest.fixture
def source(spark: SparkSession) -> Iterator[SparkSession]:
    rows = "VALUES ('a', TIMESTAMP'2024-01-01 00:00:01', 1), ('b', TIMESTAMP'2024-01-01 00:00:02', 2)"
    spark.sql(f"CREATE OR REPLACE TEMPORARY VIEW late_source AS SELECT * FROM {rows} AS t(k, ts, v)")
    yield spark
    spark.catalog.dropTempView("late_source")


def test_the_view_is_empty_and_has_the_columns_of_the_source(source: SparkSession) -> None:
    for _ in range(2):
        frame = winsql.sql(source, TEXT.format(name="late_ones"))
        assert sorted(frame.collect()) == [("a", 1), ("b", 2)]
    late = source.table("late_ones")
    assert late.columns == ["k", "ts", "v"]
    assert late.collect() == []
    source.catalog.dropTempView("late_ones")


@pytest.mark.since("4.1")
def test_columns_that_spark_casts_nothing_to(source: SparkSession) -> None:
    rows = "SELECT TIMESTAMP'2024-01-01 00:00:01' AS ts, TIME'10:00:00' AS at"
    text = f"SELECT count(*) AS n FROM ({rows}) WINDOW ASSIGN TUMBLING(ts, '1 day') LATE INTO late_times"
    for _ in range(2):
        assert winsql.sql(source, text).collect() == [(1,)]
    source.catalog.dropTempView("late_times")


def test_a_view_of_the_user_is_never_replaced(source: SparkSession) -> None:
    with pytest.raises(winsql.WindowPlanError, match="late_source exists already"):
        winsql.sql(source, TEXT.format(name="late_source"))
    assert source.table("late_source").count() == 2


def test_a_name_that_has_become_the_users_is_not_replaced(source: SparkSession) -> None:
    text = TEXT.format(name="late_mine")
    winsql.sql(source, text)
    source.sql("CREATE OR REPLACE TEMPORARY VIEW late_mine AS SELECT 42 AS mine")
    with pytest.raises(winsql.WindowPlanError, match="late_mine exists already"):
        winsql.sql(source, text)
    assert source.table("late_mine").collect() == [(42,)]
    source.catalog.dropTempView("late_mine")
    winsql.sql(source, text)
    source.catalog.dropTempView("late_mine")
    source.sql("CREATE TABLE late_mine USING parquet AS SELECT 7 AS mine")
    try:
        with pytest.raises(winsql.WindowPlanError, match="late_mine exists already"):
            winsql.sql(source, text)
        assert source.table("late_mine").collect() == [(7,)]
    finally:
        source.sql("DROP TABLE late_mine")


def test_a_name_may_be_written_in_another_way(source: SparkSession) -> None:
    for name in ("late_again", "`late_again`", "LATE_again", "`late ``odd`", "`late ``odd`"):
        winsql.sql(source, TEXT.format(name=name))
    assert source.table("late_again").columns == ["k", "ts", "v"]
    assert source.table("`late ``odd`").columns == ["k", "ts", "v"]
    for view in ("late_again", "late `odd"):
        source.catalog.dropTempView(view)


def test_two_queries_do_not_share_a_name(source: SparkSession) -> None:
    text = f"{TEXT.format(name='late_twice')} UNION ALL {TEXT.format(name='`LATE_twice`')}"
    with pytest.raises(winsql.WindowPlanError, match="`LATE_twice` is named twice") as caught:
        winsql.sql(source, text)
    assert caught.value.span is not None
    assert caught.value.span[0] > len(TEXT)
    assert not source.catalog.tableExists("late_twice")


def test_a_name_of_two_parts_is_no_temporary_view(source: SparkSession) -> None:
    with pytest.raises(winsql.WindowPlanError, match=r"cannot be default\.late"):
        winsql.sql(source, TEXT.format(name="default.late"))


INNER = "SELECT k, window_time, count(*) AS n FROM late_stream WINDOW ASSIGN TUMBLING(ts, '1 minute'){late} GROUP BY k"
OUTER = "SELECT sum(n) AS n FROM ({inner}) WINDOW ASSIGN TUMBLING(window_time, '1 hour'){late}"


def test_late_rows_of_a_query_inside_are_not_lost_in_silence(spark: SparkSession, tmp_path: Path) -> None:
    Source(tmp_path / "in").stream(spark, "late_stream")
    late = " LATE INTO elsewhere"
    inside = OUTER.format(inner=INNER.format(late=late), late="")
    around = OUTER.format(inner=INNER.format(late=""), late=late)
    for text, problem in ((inside, "is in a query inside"), (around, "the late rows of this query would be lost")):
        with pytest.raises(winsql.WindowSpecError, match=problem) as caught:
            winsql.for_each_batch(spark, text, lambda rows, late_rows, number: None)
        start, end = caught.value.span
        assert text[start:].startswith("SELECT k, window_time")
        assert text[:end].endswith("GROUP BY k")
