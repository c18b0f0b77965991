"""Strings that are not UTF-8, which Spark has and Python has not."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streaming import run_sql

import winsql
from winsql.errors import WindowDataError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HOUR = "WINDOW ASSIGN TUMBLING(ts, '1 hour')"
BY_OPERATOR = f"{HOUR} TRIGGER PURGING(EVENT_TIME())"
STREAM = "STREAM odd WATERMARK ts DELAY OF INTERVAL 0 SECONDS"
TEXT = "CAST(bn AS STRING)"


@pytest.fixture(autouse=True, scope="module")
def table(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    rows = "(1, X'61ff', '00:00', 1), (1, X'61f09f9880', '00:01', 2), (2, X'6162', '00:02', 3), (9, X'61', '09:00', 4)"
    columns = "k, bn, timestamp(concat('2024-01-01 ', t, ':00')) AS ts, i"
    folder = tmp_path_factory.mktemp("odd") / "odd"
    spark.sql(
        f"CREATE TABLE odd USING parquet LOCATION '{folder}' AS SELECT /*+ COALESCE(1) */ {columns} "
        f"FROM VALUES {rows} AS v(k, bn, t, i)"
    )
    yield
    spark.sql("DROP TABLE odd")


def collected(spark: SparkSession, text: str) -> list[tuple[str, ...]]:
    return sorted(tuple(map(str, row)) for row in winsql.sql(spark, text).collect())


@pytest.mark.parametrize(
    ("select", "clauses", "first", "second"),
    [
        (f"hex(max({TEXT})) AS m", f"{HOUR} TRIGGER COUNT(2) GROUP BY k", ("61FF",), ()),
        (f"hex(min({TEXT})) AS m", f"{HOUR} TRIGGER COUNT(2) GROUP BY k", ("61F09F9880",), ()),
        (
            f"transform(collect_list({TEXT}), x -> hex(x)) AS m",
            f"{HOUR} TRIGGER COUNT(2) GROUP BY k",
            ("['61FF', '61F09F9880']",),
            (),
        ),
        (
            f"hex({TEXT}) AS m, count(*) AS n",
            f"{HOUR} TRIGGER WHEN(i > 0) GROUP BY {TEXT}",
            ("61", "1"),
            ("6162", "1"),
        ),
    ],
)
def test_strings_that_are_not_utf_8(
    spark: SparkSession, select: str, clauses: str, first: tuple[str, ...], second: tuple[str, ...]
) -> None:
    found = collected(spark, f"SELECT {select} FROM odd {clauses}")
    assert first in found
    assert not second or second in found


def test_strings_that_are_not_utf_8_on_a_stream(spark: SparkSession, tmp_path: Path) -> None:
    texts = [
        f"SELECT hex(max({TEXT})) AS m FROM {STREAM} {HOUR} TRIGGER COUNT(2) GROUP BY k",
        f"SELECT hex(first(struct({TEXT} AS t)).t) AS m FROM {STREAM} {BY_OPERATOR} GROUP BY k",
        f"SELECT hex({TEXT}) AS m, count(*) AS n FROM {STREAM} {HOUR} TRIGGER WHEN(i > 0) GROUP BY {TEXT}",
        f"SELECT hex(listagg({TEXT}, ',')) AS m FROM {STREAM} {HOUR} EMIT EARLY EVERY 1 ROWS AS UPSERT GROUP BY k",
    ]
    most, structs, keys, updates = map(sorted, run_sql(spark, texts, tmp_path / "checkpoints"))
    assert most == [("61FF",)]
    assert structs == [("6162",), ("61FF",)]
    assert keys == [("61", "1"), ("6162", "1"), ("61F09F9880", "1"), ("61FF", "1")]
    assert ("61FF2C61F09F9880",) in [row[:1] for row in updates]


def test_state_with_strings_that_are_not_utf_8_is_listed(spark: SparkSession, tmp_path: Path) -> None:
    text = f"SELECT {TEXT} AS t, max({TEXT}) AS m FROM {STREAM} {HOUR} TRIGGER COUNT(9) GROUP BY {TEXT}"
    source = f"(SELECT * FROM {STREAM} WHERE i < 4)"
    run_sql(spark, [text.replace(STREAM, source)], tmp_path / "checkpoints")
    keys = [row.key for row in winsql.state(spark, str(tmp_path / "checkpoints" / "0")).collect()]
    assert sum(r"a\udcff" in key for key in keys) == 1


def test_an_error_shows_a_key_that_is_not_utf_8(spark: SparkSession) -> None:
    from winsql.spark.messages.failure import translate

    text = f"SELECT sum(CAST(i AS BIGINT) + 9223372036854775800 - 10) AS s, k FROM odd {HOUR} TRIGGER COUNT(2)"
    frame = winsql.sql(spark, f"{text} GROUP BY k, CAST(substr(bn, 1, 1) || X'ff' AS STRING)")
    with pytest.raises(Exception, match="ARITHMETIC_OVERFLOW") as caught:
        frame.collect()
    error = translate(caught.value)
    assert isinstance(error, WindowDataError)
    assert r"= 'a\udcff'" in str(error)


def test_apply_says_that_pandas_has_no_such_strings(spark: SparkSession) -> None:
    from winsql.spark.messages.failure import translate

    winsql.register_apply_function("count_raw", lambda key, window, rows: rows[["i"]], returns="n INT")
    source = f"(SELECT *, {TEXT} AS t FROM odd)"
    frame = winsql.sql(spark, f"SELECT * FROM {source} {HOUR} PARTITION BY k APPLY count_raw")
    with pytest.raises(Exception, match="pandas cannot have the rows") as caught:
        frame.collect()
    error = translate(caught.value)
    assert isinstance(error, WindowDataError)
    assert "key: k = 1" in str(error)
