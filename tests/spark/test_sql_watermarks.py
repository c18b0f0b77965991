"""Streams that a statement reads by itself, `STREAM t WATERMARK ts DELAY OF ...`: under other names, and in CTEs."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streaming import run_sql

import winsql
from winsql.errors import WindowPlanError, WindowSpecError
from winsql.model.settings import ParserSettings
from winsql.shell.result import fetch
from winsql.syntax.selects.with_lists import without_unused

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.since("4.1")  # whose parser has WATERMARK in views

STREAM = "STREAM marked_rows WATERMARK at DELAY OF INTERVAL 10 SECONDS"
WINDOW = "WINDOW ASSIGN TUMBLING(at, INTERVAL 1 MINUTE)"
COUNTED = f"SELECT user, window_end AS e, count(*) AS c FROM {{}} {WINDOW} GROUP BY user"
FIRST = f"SELECT v, window_end AS e, count(*) AS c {WINDOW} GROUP BY v"
COUNTS = {("ann", "2024-05-01 10:01:00", "2")}
VALUES = {("1", "1"), ("2", "1")}
STATEMENTS = {
    f"WITH x AS (SELECT * FROM {STREAM}) {COUNTED.format('x')}": COUNTS,
    f"SELECT * FROM (WITH x AS (SELECT * FROM {STREAM}), y AS ({COUNTED.format('x')}) SELECT * FROM y)": COUNTS,
    f"WITH unused AS (SELECT * FROM marked_view) {COUNTED.format('marked_view')}": COUNTS,
    f"SELECT user, window_end AS e, count(*) AS c FROM {STREAM} AS x {WINDOW} GROUP BY x.user": COUNTS,
    f"SELECT x.v, count(*) AS c FROM {STREAM} x {WINDOW} GROUP BY v": VALUES,
    f"SELECT v, max(c) FROM (FROM {STREAM} {FIRST}) GROUP BY v, e": (VALUES),
}


@pytest.fixture
def marked(spark: SparkSession, tmp_path: Path) -> Iterator[SparkSession]:
    """A table with a column `user`, of two files, and a view of it as a stream with a watermark."""
    spark.sql(
        "CREATE TABLE marked_rows (user STRING, at TIMESTAMP, v INT) USING parquet "
        f"OPTIONS (path '{tmp_path}/rows', maxFilesPerTrigger '1')"
    )
    for rows in (
        "('ann', TIMESTAMP'2024-05-01 10:00:00', 1), ('ann', TIMESTAMP'2024-05-01 10:00:20', 2)",
        "('bob', TIMESTAMP'2024-05-01 10:05:00', 3)",
    ):
        spark.sql(f"INSERT INTO marked_rows SELECT /*+ COALESCE(1) */ * FROM VALUES {rows} AS x(u, t, v)")
    winsql.sql(spark, f"CREATE TEMP VIEW marked_view AS SELECT * FROM {STREAM}")
    yield spark
    spark.sql("DROP VIEW marked_view")
    spark.sql("DROP TABLE marked_rows")


@pytest.mark.slow
def test_the_watermark_moves(marked: SparkSession, tmp_path: Path) -> None:
    found = run_sql(marked, [*STATEMENTS], tmp_path / "checkpoints")
    assert dict(zip(STATEMENTS, map(set, found), strict=True)) == STATEMENTS


@pytest.mark.slow
@pytest.mark.since("4.2")
def test_sources_with_names(marked: SparkSession, tmp_path: Path) -> None:
    named = STREAM.replace("WATERMARK", "IDENTIFIED BY {} WATERMARK")
    join = f"SELECT a.user, a.v FROM {named} AS a WINDOW JOIN {named} AS b ON a.v = b.v".format("x", "`the y`")
    function = f"TABLE(TUMBLE(TABLE {named.format('x')}, DESCRIPTOR(at), INTERVAL '1' MINUTE))"
    counted = COUNTED.format(named.format("x"))
    statements = {
        f"{join} {WINDOW.replace('at', '(a.at, b.at)')}": {("ann", "1"), ("ann", "2")},
        f"SELECT user, window_end, count(*) AS c FROM {function} GROUP BY window_start, window_end, user": COUNTS,
        f"SELECT e, max(c) AS c FROM ({counted}) GROUP BY e": {("2024-05-01 10:01:00", "2")},
    }
    found = run_sql(marked, [*statements], tmp_path / "checkpoints")
    assert dict(zip(statements, map(set, found), strict=True)) == statements


@pytest.mark.parametrize("items", ["*", "window(t, '1 minute').start, sum(c)"])
def test_no_watermark_over_the_result_of_windows(marked: SparkSession, items: str) -> None:
    inner = f"SELECT window_time AS t, count(*) AS c FROM marked_view {WINDOW}"
    with pytest.raises(WindowPlanError, match="a watermark over the result of windows") as caught:
        winsql.sql(marked, f"SELECT {items} FROM ({inner}) WATERMARK t DELAY OF INTERVAL 0 SECONDS")
    assert caught.value.span is not None
    assert "a second one would never move" in (caught.value.rule or "")


AGAIN = "WATERMARK at DELAY OF INTERVAL 5 SECONDS"


@pytest.mark.parametrize(
    "text",
    [
        COUNTED.format(f"STREAM marked_view {AGAIN}"),
        COUNTED.format(f"(SELECT at, user FROM marked_view UNION ALL SELECT at, user FROM marked_view) {AGAIN} AS u"),
        COUNTED.format(f"marked_view {AGAIN}").replace(WINDOW, "WINDOW ASSIGN COUNT(2)"),
    ],
)
def test_no_second_watermark_over_rows(marked: SparkSession, text: str) -> None:
    with pytest.raises(WindowPlanError, match="these rows have a watermark already") as caught:
        winsql.sql(marked, text)
    assert caught.value.span is not None
    assert caught.value.span.text(text) == "WATERMARK"
    with pytest.raises(WindowPlanError, match="these rows have a watermark already"):  # in a CTE
        winsql.sql(marked, f"WITH x AS (SELECT * FROM {STREAM}) {COUNTED.format(f'x {AGAIN}')}")


def test_a_second_watermark_that_spark_refuses_later(marked: SparkSession) -> None:
    for kind in ("STREAMING TABLE twice", "STREAM twice_shown INTO memory"):
        winsql.sql(marked, f"CREATE {kind} AS SELECT user FROM STREAM marked_view {AGAIN}")
        name = kind.removeprefix("STREAMING TABLE ").removeprefix("STREAM ").split()[0]
        with pytest.raises(WindowPlanError, match="these rows have a watermark already"):
            winsql.sql(marked, f"AWAIT STREAM {name}")
        winsql.sql(marked, f"DROP STREAM {name}")
    marked.sql("DROP TABLE twice")


@pytest.mark.parametrize("item", ["user, count(*)", "v, upper(USER), count(*)", "v, count(*) HAVING user = 'x'"])
def test_a_column_comes_before_a_function_without_brackets(marked: SparkSession, item: str) -> None:
    items, _, having = item.partition(" HAVING ")
    text = f"SELECT {items} FROM marked_rows {WINDOW} GROUP BY v {'HAVING ' + having if having else ''}"
    with pytest.raises(WindowSpecError, match=r"(?i)user is neither a key nor inside an aggregate"):
        winsql.sql(marked, text)
    text = text.replace("marked_rows", "(SELECT at, v FROM marked_rows)")
    assert len(winsql.sql(marked, text).collect()) == (0 if having else 3)


def test_the_shell_knows_the_session_when_it_shows_rows(marked: SparkSession) -> None:
    winsql.sql(marked, "DECLARE OR REPLACE VARIABLE few = 100")
    text = f"SELECT user, count(*) + few AS c FROM marked_rows {WINDOW} GROUP BY user ORDER BY user"
    assert fetch(marked, text).rows == [["ann", "102"], ["bob", "101"]]
    marked.sql("DROP TEMPORARY VARIABLE few")


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("WITH x AS (SELECT 1), z AS (SELECT * FROM x) SELECT * FROM y", " SELECT * FROM y"),
        ("WITH x AS (SELECT 1), z AS (SELECT * FROM x) SELECT * FROM z", None),
        ("WITH x AS (SELECT 1), z AS (SELECT 2) SELECT * FROM t JOIN X", "WITH x AS (SELECT 1) SELECT * FROM t JOIN X"),
        ("WITH RECURSIVE x AS (TABLE x), z(a) AS (SELECT 2) TABLE z", "WITH RECURSIVE z(a) AS (SELECT 2) TABLE z"),
        ("SELECT * FROM (WITH x AS (SELECT 1) SELECT 2), x", "SELECT * FROM ( SELECT 2), x"),
        ("WITH a AS (WITH b AS (SELECT 1), c AS (SELECT 2) SELECT * FROM b) SELECT * FROM `a`",
         "WITH a AS (WITH b AS (SELECT 1) SELECT * FROM b) SELECT * FROM `a`"),
        ("SELECT * FROM t WITH (a = 1)", None),
        ("WITH x AS (SELECT 1) SELECT * FROM IDENTIFIER('x')", None),
        ("MERGE INTO t USING x ON a = b WHEN MATCHED THEN DELETE", None),
    ],
)  # fmt: skip
def test_ctes_that_nothing_reads(text: str, left: str | None) -> None:
    assert without_unused(text, ParserSettings()) == (text if left is None else left)


@pytest.mark.parametrize(
    ("item", "place", "hint"),
    [
        ("(SELECT max(a) FROM VALUES (1) AS t(a) WHERE a = v)", "v", "write marked_rows.v"),
        (
            "(SELECT max(a) FROM VALUES (1) AS t(a) WHERE at < window_start)",
            "at",
            "add at to GROUP BY, and write marked",
        ),
        ("(SELECT max(a) FROM VALUES (now()) AS t(a) WHERE a < window_start)", "window_start", "in a SELECT around it"),
    ],
)
def test_columns_of_the_query_around(marked: SparkSession, item: str, place: str, hint: str) -> None:
    with pytest.raises(WindowSpecError, match=f"{place} is not known here") as caught:
        winsql.sql(marked, f"SELECT v, {item} AS x FROM marked_rows {WINDOW} GROUP BY v").collect()
    assert hint in (caught.value.hint or "")
    text = f"SELECT v, (SELECT max(a) FROM VALUES (1) AS t(a) WHERE a = marked_rows.v) AS x FROM marked_rows {WINDOW}"
    assert len(winsql.sql(marked, f"{text} GROUP BY v").collect()) == 3


def test_a_table_function_reads_a_dataframe_of_the_caller(marked: SparkSession) -> None:
    winsql.register(marked)
    text = "SELECT user, count(*) AS c FROM TUMBLE(TABLE {rows}, DESCRIPTOR(at), '1 minute') GROUP BY user, window_end"
    rows = marked.sql(text, rows=marked.table("marked_rows")).collect()
    winsql.unregister(marked)
    assert sorted(map(tuple, rows)) == [("ann", 2), ("bob", 1)]
