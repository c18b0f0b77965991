"""CHAR(n) columns: Spark compares them with padding, also after winsql's operator has had them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streaming import run_sql

import winsql
from winsql.errors import WindowPlanError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HOUR = "TUMBLING(ts, '1 hour')"
STREAM = "STREAM ch WATERMARK ts DELAY OF INTERVAL 0 SECONDS"
STREAM6 = "STREAM ch6 WATERMARK ts DELAY OF INTERVAL 0 SECONDS"
BY_OPERATOR = f"FROM ch WINDOW ASSIGN {HOUR} TRIGGER PURGING(EVENT_TIME())"
PAIRS = "WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')"
PAIRS_BY_OPERATOR = f"{PAIRS} TRIGGER PURGING(EVENT_TIME())"
CO_GROUP = "TABLE(ch) PARTITION BY c, TABLE(ch6) PARTITION BY c, DESCRIPTOR(ts, ts), TUMBLING('1 hour')"


@pytest.fixture(autouse=True, scope="module")
def tables(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder: Path = tmp_path_factory.mktemp("char")
    tables = {
        "ch": ("c CHAR(4), i INT", "('a', 1, '00:00'), ('a', 2, '00:01'), ('b', 3, '00:02'), ('zz', 9, '09:00')"),
        "ch6": ("c CHAR(6), j INT", "('a', 10, '00:00'), ('b', 30, '00:02'), ('zz', 9, '09:00')"),
    }
    for name, (columns, values) in tables.items():
        spark.sql(f"CREATE TABLE {name} ({columns}, ts TIMESTAMP) USING parquet LOCATION '{folder / name}'")
        rows = f"SELECT c, n, timestamp(concat('2024-01-01 ', t, ':00')) FROM VALUES {values} AS v(c, n, t)"
        spark.sql(f"INSERT INTO {name} {rows}")
    yield
    for name in tables:
        spark.sql(f"DROP TABLE {name}")


def collected(spark: SparkSession, text: str) -> list[tuple[str, ...]]:
    return sorted(tuple(map(str, row)) for row in winsql.sql(spark, text).collect())


@pytest.mark.parametrize(
    "query",
    [
        f"SELECT c, count(*) AS n FROM ch WINDOW ASSIGN {HOUR} GROUP BY c HAVING c = 'a'",
        f"SELECT c, count(*) AS n {BY_OPERATOR} GROUP BY c HAVING c = 'a'",
        f"SELECT c, count(*) AS n FROM ch WINDOW ASSIGN {HOUR} EVICT COUNT(5) GROUP BY c HAVING c IN ('a', 'x')",
        "SELECT c, count(*) AS n FROM ch WINDOW ASSIGN SESSION(ts, '1 hour') GROUP BY c HAVING c = 'a'",
        f"SELECT c, size(collect_set(i)) AS n {BY_OPERATOR} GROUP BY c HAVING c = 'a'",
        f"SELECT c, hll_sketch_estimate(hll_sketch_agg(i)) AS n {BY_OPERATOR} GROUP BY c HAVING c = 'a'",
        "SELECT DISTINCT c, count(*) AS n FROM ch WINDOW ASSIGN SLIDING(ts, '8 hours', '1 hour') GROUP BY c "
        "HAVING CASE c WHEN 'a' THEN count(*) > 1 END",
    ],
)
def test_aggregates(spark: SparkSession, query: str) -> None:
    assert collected(spark, query) == [("a   ", "2")]


def test_result_is_declared_as_spark_alone_declares_it(spark: SparkSession) -> None:
    select = "SELECT c, max(c) AS m, c AS d, concat(c, '') AS t"
    alone = winsql.sql(spark, f"{select} FROM ch WINDOW ASSIGN {HOUR} GROUP BY c").schema
    operator = winsql.sql(spark, f"{select} {BY_OPERATOR} GROUP BY c").schema
    assert [field.metadata for field in alone] == [field.metadata for field in operator]
    assert [bool(field.metadata) for field in operator] == [True, False, True, False]


@pytest.mark.parametrize("policies", ["PARTITION BY c", "PARTITION BY c EVICT COUNT(5)"])
def test_rows(spark: SparkSession, policies: str) -> None:
    select = "SELECT i, c = 'a' AS e, c = 'a' AND window_start IS NOT NULL AS w"
    found = collected(spark, f"{select} FROM ch WINDOW ASSIGN {HOUR} {policies}")
    assert found == [(n, e, e) for n, e in [("1", "True"), ("2", "True"), ("3", "False"), ("9", "False")]]


def test_streams(spark: SparkSession, tmp_path: Path) -> None:
    texts = [
        f"SELECT c, count(*) AS n FROM {STREAM} WINDOW ASSIGN {HOUR} GROUP BY c HAVING c = 'a'",
        f"SELECT i, c = 'a' AND window_start IS NOT NULL AS w FROM {STREAM} WINDOW ASSIGN {HOUR} PARTITION BY c",
        f"SELECT x.i, y.j FROM {STREAM} AS x WINDOW JOIN {STREAM6} AS y ON x.c = y.c {PAIRS}",
    ]
    aggregates, rows, pairs = map(sorted, run_sql(spark, texts, tmp_path / "checkpoints"))
    assert aggregates == [("a   ", "2")]
    assert rows == [("1", "True"), ("2", "True"), ("3", "False")]
    assert pairs == [("1", "10"), ("2", "10"), ("3", "30")]


@pytest.mark.parametrize(
    ("how", "condition"),
    [
        *((how, "x.c = y.c") for how in ("", "LEFT", "FULL", "SEMI", "ANTI")),
        ("RIGHT", "x.i * 10 = y.j AND x.c = y.c"),
        ("", "upper(x.c) = y.c"),
    ],
)
def test_joins(spark: SparkSession, how: str, condition: str) -> None:
    columns = "x.c, x.i" if how in ("SEMI", "ANTI") else "x.c, x.i, y.j, x.c = y.c AS e, y.c = 'a' AS a"
    text = f"SELECT {columns} FROM ch x {how} WINDOW JOIN ch6 y ON {condition}"
    assert collected(spark, f"{text} {PAIRS_BY_OPERATOR}") == collected(spark, f"{text} {PAIRS}")


def test_join_on_more_than_keys_of_one_length(spark: SparkSession) -> None:
    text = "SELECT x.c, y.j FROM ch6 x WINDOW JOIN ch6 y ON x.c = y.c AND x.j <= y.j AND rpad(x.c, 1) != '='"
    found = collected(spark, f"{text} {PAIRS_BY_OPERATOR}")
    assert found == collected(spark, f"{text} {PAIRS}")
    assert len(found) == 3


@pytest.mark.parametrize("condition", ["x.c = y.c AND x.i < y.j", "x.i = y.j AND y.c IN ('a',\n'zz')"])
def test_a_join_that_pads_inside_on_is_refused(spark: SparkSession, condition: str) -> None:
    with_list = "WITH q AS (SELECT * FROM ch WHERE c != 'q')"
    text = f"{with_list} SELECT x.c FROM q x WINDOW JOIN ch6 y ON {condition} {PAIRS_BY_OPERATOR}"
    with pytest.raises(WindowPlanError, match="ON compares a CHAR column with padding"):
        winsql.sql(spark, text)


def test_padding_in_a_side_is_not_refused(spark: SparkSession) -> None:
    with_list = "WITH q AS (SELECT * FROM ch WHERE c != 'q')"
    text = f"{with_list} SELECT x.c FROM q x WINDOW JOIN ch6 y ON x.i = y.j AND x.i < y.j + 1 {PAIRS_BY_OPERATOR}"
    assert collected(spark, text) == [("zz  ",)]


def test_a_join_on_char_of_two_lengths_inside_a_type_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    for name, length in (("st4", 4), ("st6", 6)):
        columns = f"s STRUCT<c: CHAR({length})>, ts TIMESTAMP"
        spark.sql(f"CREATE TABLE {name} ({columns}) USING parquet LOCATION '{tmp_path / name}'")
        spark.sql(f"INSERT INTO {name} VALUES (struct('a'), TIMESTAMP'2024-01-01 00:00:00')")
    text = "SELECT x.s.c FROM st4 x WINDOW JOIN {} y ON x.s = y.s " + PAIRS_BY_OPERATOR
    try:
        with pytest.raises(WindowPlanError, match=r"keys hold CHAR of different lengths: STRUCT<C:CHAR\(4\)> and"):
            winsql.sql(spark, text.format("st6"))
        assert collected(spark, text.format("st4")) == [("a   ",)]
    finally:
        spark.sql("DROP TABLE st4")
        spark.sql("DROP TABLE st6")


def test_co_group(spark: SparkSession) -> None:
    select = "SELECT c, size(left), size(right), c = 'a' AS e"
    found = collected(spark, f"{select} FROM co_group({CO_GROUP})")
    assert found == [("a     ", "2", "1", "True"), ("b     ", "1", "1", "False"), ("zz    ", "1", "1", "False")]


def test_co_group_of_char_and_string_compares_as_string(spark: SparkSession) -> None:
    tables = CO_GROUP.replace("TABLE(ch6)", "TABLE(SELECT rtrim(c) AS c, ts FROM ch6)")
    found = collected(spark, f"SELECT c, size(left), size(right), c = 'a' AS e FROM co_group({tables})")
    assert [row for row in found if row[0].startswith("a")] == [("a", "0", "1", "True"), ("a   ", "2", "0", "False")]
