"""Values without a type: NULL, array() and map() in windows."""

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

HOUR = "WINDOW ASSIGN TUMBLING(ts, '1 hour')"
BY_OPERATOR = f"{HOUR} TRIGGER PURGING(EVENT_TIME())"
STREAM = "STREAM void WATERMARK ts DELAY OF INTERVAL 0 SECONDS"
EMPTY = "(SELECT *, array() AS a FROM void)"


@pytest.fixture(autouse=True, scope="module")
def table(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    folder = tmp_path_factory.mktemp("void") / "void"
    rows = "(1, '00:00', 1), (1, '00:01', 2), (2, '00:02', 3), (9, '09:00', 4)"
    columns = "k, timestamp(concat('2024-01-01 ', t, ':00')) AS ts, i"
    spark.sql(
        f"CREATE TABLE void USING parquet LOCATION '{folder}' AS SELECT {columns} FROM VALUES {rows} AS v(k, t, i)"
    )
    yield
    spark.sql("DROP TABLE void")


def collected(spark: SparkSession, text: str) -> list[tuple[str, ...]]:
    return sorted(tuple(map(str, row)) for row in winsql.sql(spark, text).collect())


@pytest.mark.parametrize("clauses", [HOUR, BY_OPERATOR, f"{HOUR} EVICT COUNT(5)", f"{HOUR} TRIGGER COUNT(1)"])
@pytest.mark.parametrize("call", ["collect_list(NULL)", "collect_set(NULL)", "first(array())"])
def test_arrays_of_void(spark: SparkSession, clauses: str, call: str) -> None:
    found = collected(spark, f"SELECT k, {call} AS l FROM void {clauses} GROUP BY k")
    assert set(found) == {("1", "[]"), ("2", "[]"), ("9", "[]")}


@pytest.mark.parametrize("clauses", [HOUR, BY_OPERATOR])
def test_arrays_of_void_as_keys(spark: SparkSession, clauses: str) -> None:
    found = collected(spark, f"SELECT array() AS a, count(*) AS n FROM void {clauses} GROUP BY array()")
    assert found == [("[]", "1"), ("[]", "3")]


def test_arrays_of_void_in_rows(spark: SparkSession, tmp_path: Path) -> None:
    rows = f"SELECT i, a FROM {EMPTY} {HOUR} PARTITION BY k, a EVICT COUNT(5)"
    assert collected(spark, rows) == [("1", "[]"), ("2", "[]"), ("3", "[]"), ("4", "[]")]
    streamed = run_sql(spark, [rows.replace("FROM void", f"FROM {STREAM}")], tmp_path / "checkpoints")[0]
    assert sorted(streamed) == [("1", "[]"), ("2", "[]"), ("3", "[]")]
    join = f"SELECT x.i, y.a FROM {EMPTY} x WINDOW JOIN {EMPTY} y ON x.i = y.i"
    pairs = f"{join} {BY_OPERATOR.replace('(ts,', '((x.ts, y.ts),')}"
    assert collected(spark, pairs) == collected(spark, rows)


def test_a_map_without_types_is_refused(spark: SparkSession) -> None:
    with pytest.raises(WindowPlanError, match=r"is of type MAP<VOID,VOID>, which cannot pass through a window"):
        winsql.sql(spark, f"SELECT k, first(map()) AS m FROM void {BY_OPERATOR} GROUP BY k")
