"""Windows by local time, in zones whose clocks change: `local_rows.jsonl` has the rows that Flink 2.3.0 gave."""

from __future__ import annotations

import datetime
import json
import re
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any
from zoneinfo import ZoneInfo

import pytest
from local_sql import CHANGES, rows, statements
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from sampling import some
from streaming import run

import winsql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

RECORDED = [json.loads(line) for line in (Path(__file__).parent / "local_rows.jsonl").read_text().splitlines()]
LAST = datetime.timedelta(days=10)
"""How long after the others a row comes that ends all windows of a stream, but for its own."""
_LAST_NUMBER = -1
_BOUND = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?")


@pytest.fixture(params=CHANGES)
def zone(request: pytest.FixtureRequest, spark: SparkSession, tmp_path: Path) -> Iterator[str]:
    """A time zone of the session, with the views e_table, e_stream, f_table and f_stream."""
    name = str(request.param)
    spark.conf.set("spark.sql.session.timeZone", name)
    spark.conf.set("spark.sql.shuffle.partitions", "1")
    for table in "ef":
        known = [(k, n, time.replace(tzinfo=datetime.UTC)) for k, n, time in rows(name, table)]
        folder = str(tmp_path / table)
        schema = "k STRING, n INT, ts TIMESTAMP"
        for part in (known, [("a", _LAST_NUMBER, known[-1][2] + LAST)]):
            spark.createDataFrame(part, schema).coalesce(1).write.mode("append").parquet(folder)
        spark.read.schema(schema).parquet(folder).where(f"n <> {_LAST_NUMBER}").createOrReplaceTempView(
            f"{table}_table"
        )
        stream = spark.readStream.schema(schema).parquet(folder).withWatermark("ts", "0 seconds")
        stream.createOrReplaceTempView(f"{table}_stream")
    yield name
    spark.conf.set("spark.sql.shuffle.partitions", "2")
    spark.conf.set("spark.sql.session.timeZone", "UTC")
    for view in ("e_table", "e_stream", "f_table", "f_stream"):
        spark.catalog.dropTempView(view)


def test_statements_are_those_that_are_asked() -> None:
    asked = [statement for zone in CHANGES for statement in statements(zone)]
    assert [{"title": case["title"], "sql": case["sql"]} for case in RECORDED] == asked
    assert all("rows" in case for case in RECORDED)


def test_table(spark: SparkSession, zone: str) -> None:
    for case in _cases(zone):
        found = _texts(winsql.sql(spark, _filled(case, "table")))
        assert Counter(map(tuple, found.collect())) == _expected(zone, case), case["title"]


@pytest.mark.slow
@pytest.mark.parametrize("zone", some(CHANGES), indirect=True)
def test_stream(spark: SparkSession, zone: str, tmp_path: Path) -> None:
    frames = [
        _texts(winsql.sql(spark, _filled(case, "stream"))).select(F.lit(case["title"]), F.array("*").cast("string"))
        for case in _cases(zone)
    ]
    (found,) = run([reduce(DataFrame.unionAll, frames)], tmp_path / "checkpoint")
    for case in _cases(zone):
        expected = Counter(f"[{', '.join(row)}]" for row in _expected(zone, case).elements())
        assert Counter(row for title, row in found if title == case["title"]) == expected, case["title"]


def _cases(zone: str) -> list[dict[str, Any]]:
    return [case for case in RECORDED if case["title"].startswith(f"{zone} ")]


def _filled(case: dict[str, Any], kind: str) -> str:
    return re.sub(r"TABLE ([ef])\b", rf"TABLE \1_{kind}", case["sql"])


def _texts(frame: DataFrame) -> DataFrame:
    return frame.select([F.col(name).cast("string") for name in frame.columns])


def _expected(zone: str, case: dict[str, Any]) -> Counter[tuple[str, ...]]:
    return Counter(tuple(_shown(zone, cell) for cell in row) for row in case["rows"])


def _shown(zone: str, cell: str) -> str:
    """A bound as winsql shows it: one that clocks skip is the moment of the change."""
    if not _BOUND.fullmatch(str(cell)):
        return str(cell)
    bound, clock = datetime.datetime.fromisoformat(cell), ZoneInfo(zone)
    for change in map(datetime.datetime.fromisoformat, CHANGES[zone]):
        before, after = (
            instant.replace(tzinfo=datetime.UTC).astimezone(clock).replace(tzinfo=None)
            for instant in (change - datetime.timedelta(microseconds=1), change)
        )
        bound = after if before < bound < after else bound
    return str(bound)
