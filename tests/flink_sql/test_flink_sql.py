"""The same text in Flink SQL and in Spark SQL with winsql: files have the rows that Flink 2.3.0 gave, see README.md."""

from __future__ import annotations

import datetime
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from functools import reduce
from pathlib import Path
from random import Random
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from drawn_sql import START, TABLES, Draw, Event, drawn, events
from nested_sql import Nested
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from sampling import some
from streaming import run

import winsql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HERE = Path(__file__).resolve().parent
FILES: dict[str, tuple[type[Draw], int]] = {"rows": (Draw, 3), "nested_rows": (Nested, 2)}
"""The files of rows, and what drew their statements, with the seed."""
PARTS = 6
SCHEMA = "k STRING, s STRING, v DOUBLE, n INT, ts TIMESTAMP"
RECORDED: dict[str, list[dict[str, Any]]] = {
    file: [json.loads(line) for line in (HERE / f"{file}.jsonl").read_text().splitlines()] for file in FILES
}
CASES = [case for recorded in RECORDED.values() for case in recorded if "rows" in case]
FAILS_IN_FLINK = "This function does not support retraction, Please choose SumWithRetractAggFunction."
"""What Flink says of SUM beside SUM(DISTINCT) in hopping windows."""
LAST: Event = ("a", "x", 1.0, 31, START + datetime.timedelta(days=10))
"""A row that meets all conditions and ends all windows of a stream, but for its own."""
_ARROW = pa.schema(
    [("k", pa.string()), ("s", pa.string()), ("v", pa.float64()), ("n", pa.int32()), ("ts", pa.timestamp("us", "UTC"))]
)
_NUMBER = re.compile(r"-?\d+(\.\d+)?(E-?\d+)?")
_INSTANT = re.compile(r"\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?")

Rows = Counter[tuple[Any, ...]]


@pytest.fixture(scope="module")
def tables(spark: SparkSession, tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """Views e_table, e_stream, f_table and f_stream, and one shuffle partition, as there are many operators."""
    for table in TABLES:
        folder = tmp_path_factory.mktemp(table)
        rows = events(table)
        for number, part in enumerate((rows[:70], rows[70:150], rows[150:], [LAST])):
            columns = [pa.array(list(c), f.type) for c, f in zip(zip(*part, strict=True), _ARROW, strict=True)]
            path = folder / f"{number}.parquet"
            pq.write_table(pa.Table.from_arrays(columns, schema=_ARROW), path)
            os.utime(path, (1_700_000_000 + number,) * 2)  # the file source takes them by time of modification
        read = spark.read.schema(SCHEMA).parquet(str(folder))
        read.where(F.col("ts") < F.lit(LAST[4])).createOrReplaceTempView(f"{table}_table")
        stream = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 2).parquet(str(folder))
        stream.withWatermark("ts", "0 seconds").createOrReplaceTempView(f"{table}_stream")
    spark.conf.set("spark.sql.shuffle.partitions", "1")
    yield
    spark.conf.set("spark.sql.shuffle.partitions", "2")
    for table in TABLES:
        spark.catalog.dropTempView(f"{table}_table")
        spark.catalog.dropTempView(f"{table}_stream")


@pytest.mark.parametrize("file", FILES)
def test_statements_are_those_that_are_drawn(file: str) -> None:
    recorded, (draws, seed) = RECORDED[file], FILES[file]
    draw = draws(Random(seed))
    found = [{"title": case["title"], "sql": case["sql"]} for case in recorded]
    assert found == list(drawn(draw, len(recorded)))
    assert {case["error"] for case in recorded if "error" in case} <= {FAILS_IN_FLINK}
    kinds = Counter(case["title"].split()[0] for case in recorded)
    assert min(kinds[kind.__name__] for kind in draw.kinds) > 3


@pytest.mark.parametrize("case", CASES, ids=lambda case: case["title"])
def test_table(spark: SparkSession, tables: None, case: dict[str, Any]) -> None:
    found = winsql.sql(spark, _filled(case, "table"))
    assert Counter(_values(tuple(map(str, row))) for row in _texts(found).collect()) == _expected(case)


@pytest.mark.slow
@pytest.mark.parametrize("part", some(range(PARTS)))
def test_stream(spark: SparkSession, tables: None, tmp_path: Path, part: int) -> None:
    cases = CASES[part::PARTS]
    frames = [_titled(winsql.sql(spark, _filled(case, "stream")), case["title"]) for case in cases]
    (found,) = run([reduce(DataFrame.unionAll, frames)], tmp_path / "checkpoint")
    by_title: dict[str, Rows] = {case["title"]: Counter() for case in cases}
    for title, row in found:
        by_title[title][_values(tuple(json.loads(row)))] += 1
    assert {case["title"] for case in cases if by_title[case["title"]] != _expected(case)} == set()


def _filled(case: dict[str, Any], kind: str) -> str:
    return re.sub(r"TABLE ([ef])\b", rf"TABLE \1_{kind}", case["sql"])


def _texts(frame: DataFrame) -> DataFrame:
    names = [f"column_{number}" for number in range(len(frame.columns))]
    return frame.toDF(*names).select([F.coalesce(F.col(name).cast("string"), F.lit("NULL")) for name in names])


def _titled(frame: DataFrame, title: str) -> DataFrame:
    texts = _texts(frame)
    return texts.select(F.lit(title).alias("title"), F.to_json(F.array([texts[n] for n in texts.columns])).alias("row"))


def _expected(case: dict[str, Any]) -> Rows:
    return Counter(_values(tuple("NULL" if cell is None else cell for cell in row)) for row in case["rows"])


def _values(cells: tuple[str, ...]) -> tuple[Any, ...]:
    """Numbers and instants of texts, which Flink and Spark write in other ways."""
    return tuple(map(_value, cells))


def _value(cell: str) -> Any:
    if _NUMBER.fullmatch(cell):
        return round(float(cell), 9)
    return datetime.datetime.fromisoformat(cell) if _INSTANT.fullmatch(cell) else cell
