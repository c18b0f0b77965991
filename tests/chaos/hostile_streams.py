"""Hostile tables as streams: a statement over many of them gives the rows that it gives over the same tables.

The tables are told apart by a column, and come in one micro-batch; the watermark passes the year 9999 after it. Windows
that end later stay open on the stream and are not compared.
"""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
from chaos.hostile import TABLES, WINDOWS
from pyspark.errors import PySparkException
from streaming import rows_of, run

import winsql
from winsql.errors import WinsqlError
from winsql.spark.messages.failure import translate

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

STREAM_WINDOWS = (
    *(window.replace(", g)", ", make_dt_interval(0, 0, 0, 1 + t % 3))") for window in WINDOWS),
    "SESSION(ts, make_dt_interval(0, 0, 0, n % 7 - 3))",  # gaps that are not positive: one error
)
_KEYS = ("t, k", "t, k", "t, v", "t, s", "t")
_COLUMNS = (
    "unix_micros(window_end) AS e, count(*) AS a, count(v) AS b, min(v) AS c, max(v) AS d, count(DISTINCT v) AS f, "
    "length(max(s)) AS g, max(n) AS h, min(n) AS i, size(collect_list(n)) AS l, unix_micros(max(ts)) AS m"
)
_YEAR_9999 = 253_402_214_400_000_000


def check_hostile_streams(spark: SparkSession, folder: Path, windows: Iterable[str], seed: int) -> list[str]:
    """What is wrong, with the statement; streams are below `folder`."""
    _put(spark, folder, random.Random(seed))
    wrong = []
    for number, window in enumerate(windows):
        keys = random.Random(f"{seed} {window}").choice(_KEYS)
        text = f"SELECT {keys}, {_COLUMNS} FROM {{}} WINDOW ASSIGN {window} GROUP BY {keys}"
        problem = _problem(spark, text, folder / f"checkpoints_{number}")
        if problem is not None:
            wrong.append(f"hostile streams, seed {seed}: {problem}\n  {text.format('hostile')}")
    return wrong


def _problem(spark: SparkSession, text: str, checkpoints: Path) -> str | None:
    expected = _outcome(spark, text.format("hostile_table"), None)
    found = _outcome(spark, text.format("hostile_stream"), checkpoints)
    if found == expected:
        return None
    if isinstance(found, str) or isinstance(expected, str):
        return f"{str(found)[:600]}\n  not {str(expected)[:600]}"
    return f"{len(found)} and {len(expected)} rows, {_some(found - expected)}\n  not {_some(expected - found)}"


def _some(rows: Counter[tuple[str, ...]]) -> str:
    return str(rows.most_common(5))[:1_500]


def _outcome(spark: SparkSession, text: str, checkpoints: Path | None) -> Counter[tuple[str, ...]] | str:
    """The rows, or the name of winsql's error."""
    with _told() as errors:
        frame = winsql.sql(spark, text)
        kept = frame.where(f"e IS NULL OR e <= {_YEAR_9999}")
        return rows_of(kept) if checkpoints is None else Counter(run([kept], checkpoints)[0])
    return errors[0]


@contextmanager
def _told() -> Iterator[list[str]]:
    told: list[str] = []
    try:
        yield told
    except WinsqlError as error:
        told.append(type(error).__name__)
    except PySparkException as error:
        own = translate(error)
        told.append(str(error)[:1_500] if own is None else type(own).__name__)


def _put(spark: SparkSession, folder: Path, rng: random.Random) -> None:
    """The views `hostile_table` and `hostile_stream`, of one file in order of time."""
    texts = [f"SELECT {number} AS t, * FROM ({table(rng)})" for number, table in enumerate(TABLES.values())]
    frame = spark.sql(f"SELECT t, k, ts, v, n, s FROM ({' UNION ALL '.join(texts)}) ORDER BY ts")
    (folder / "in").mkdir(parents=True)
    pq.write_table(frame.toArrow(), folder / "in" / "0.parquet")
    source = str(folder / "in")
    spark.read.schema(frame.schema).parquet(source).createOrReplaceTempView("hostile_table")
    stream = spark.readStream.schema(frame.schema).parquet(source).withWatermark("ts", "0 seconds")
    stream.createOrReplaceTempView("hostile_stream")
