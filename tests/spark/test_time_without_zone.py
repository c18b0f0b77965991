"""TIMESTAMP_NTZ has no zone: its windows are the same in all sessions, also in hours that clocks skip or repeat."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from clocks import Bounds, counted, cumulating, sessions, sliding, tumbling
from planned import frame_of, rows_of
from streaming import run_sql

import winsql

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

ZONES = ["UTC", "America/New_York", "Australia/Lord_Howe"]
# the nights in which clocks change in New York, by an hour, and on Lord Howe Island, by half an hour
NIGHTS = [datetime(2024, 3, 10), datetime(2024, 11, 3), datetime(2024, 10, 6), datetime(2024, 4, 7)]
TIMES = [night + timedelta(minutes=60 + 6 * n) for night in NIGHTS for n in range(30)]
TIMES += [datetime(1, 1, 2), datetime(1850, 6, 1, 12, 0, 0, 1), datetime(9990, 12, 31, 23, 59, 59, 999_999)]
HOUR, HALF, GAP = timedelta(hours=1), timedelta(minutes=30), timedelta(minutes=6)

WINDOWS = {
    "TUMBLING({t}, '1 hour')": counted(tumbling(HOUR), TIMES),
    "TUMBLING({t}, '90 minutes', '20 minutes')": counted(tumbling(3 * HALF, timedelta(minutes=20)), TIMES),
    "SLIDING({t}, '1 hour', '30 minutes')": counted(sliding(HOUR, HALF), TIMES),
    "SLIDING({t}, '30 minutes', '2 hours')": counted(sliding(HALF, 4 * HALF), TIMES),
    "CUMULATING({t}, '1 hour', '30 minutes')": counted(cumulating(HOUR, HALF), TIMES),
    "SESSION({t}, '6 minutes')": sessions(GAP, TIMES),
}
FUNCTIONS = {
    "TUMBLE(TABLE night, DESCRIPTOR(ts), '90 minutes', '20 minutes')": "TUMBLING({t}, '90 minutes', '20 minutes')",
    "HOP(TABLE night, DESCRIPTOR(ts), '30 minutes', '1 hour')": "SLIDING({t}, '1 hour', '30 minutes')",
    "HOP(TABLE night, DESCRIPTOR(ts), '2 hours', '30 minutes')": "SLIDING({t}, '30 minutes', '2 hours')",
    "CUMULATE(TABLE night, DESCRIPTOR(ts), '30 minutes', '1 hour')": "CUMULATING({t}, '1 hour', '30 minutes')",
    "SESSION(TABLE night, DESCRIPTOR(ts), '6 minutes')": "SESSION({t}, '6 minutes')",
}
PER_ROW = ["CUMULATING({t}, '1 hour', '30 minutes')", "SESSION({t}, '6 minutes')"]
"""Some windows also run on the per-row operator, under an aggregate that no column holds, and as operator's joins."""
BOUNDS = "window_start, window_end, window_time"


@pytest.fixture
def night(spark: SparkSession) -> Iterator[SparkSession]:
    """A session with the times in a table."""
    values = ", ".join(f"(TIMESTAMP_NTZ'{time}', {n})" for n, time in enumerate(TIMES))
    spark.sql(f"CREATE OR REPLACE TEMP VIEW night AS SELECT * FROM VALUES {values}, (NULL, -1) AS x(ts, n)")
    yield spark
    spark.sql("DROP VIEW night")
    spark.conf.set("spark.sql.session.timeZone", "UTC")


def grouped(relation: str) -> str:
    return f"SELECT {BOUNDS}, count(*) AS c FROM ({relation}) GROUP BY {BOUNDS}"


def shown(windows: Counter[Bounds]) -> Counter[str]:
    """Rows as Spark casts them to text."""
    found: Counter[str] = Counter()
    for (start, end), count in windows.items():
        last = str(end - timedelta(microseconds=1))
        found[f"{{{start}, {end}, {last}, {count}}}"] += 1
    return found


def clauses(spark: SparkSession) -> Iterator[tuple[str, DataFrame]]:
    for window in WINDOWS:
        assigned = f"FROM night WINDOW ASSIGN {window.format(t='ts')}"
        for native in (True, False):
            yield window, frame_of(spark, f"SELECT {BOUNDS}, count(*) AS c {assigned}", native=native)
        if window in PER_ROW:
            yield window, frame_of(spark, f"SELECT {BOUNDS}, size(collect_list(n)) {assigned}", native=False)


def joins(spark: SparkSession) -> Iterator[tuple[str, DataFrame]]:
    for window in WINDOWS:
        text = f"SELECT {BOUNDS} FROM night a WINDOW JOIN night b ON a.n = b.n WINDOW ASSIGN {window}"
        if "SESSION" not in window:
            for native in (True, False) if window in PER_ROW else (True,):
                frame = frame_of(spark, text.format(t="(a.ts, b.ts)"), native=native)
                yield window, frame.groupBy("window_start", "window_end", "window_time").count()


def functions(spark: SparkSession) -> Iterator[tuple[str, DataFrame]]:
    for call, window in FUNCTIONS.items():
        yield window, winsql.sql(spark, grouped(f"SELECT * FROM TABLE({call})"))


@pytest.mark.slow
@pytest.mark.parametrize("zone", ZONES)
def test_windows_are_those_of_the_text(night: SparkSession, zone: str) -> None:
    night.conf.set("spark.sql.session.timeZone", zone)
    made = [*clauses(night), *joins(night), *functions(night)]
    for (window, _), rows in zip(made, rows_of([frame for _, frame in made]), strict=True):
        assert rows == shown(WINDOWS[window]), window


@pytest.mark.slow
def test_streams_take_no_zone_either(night: SparkSession, tmp_path: Path) -> None:
    night.conf.set("spark.sql.session.timeZone", "America/New_York")
    times = sorted(TIMES[:120])
    moments = [*times, datetime(2025, 1, 1)]  # Spark takes a watermark from a TIMESTAMP only
    columns = {"ts": pa.array(moments, pa.timestamp("us")), "at": pa.array(moments, pa.timestamp("us", "UTC"))}
    folder = tmp_path / "rows"
    folder.mkdir()
    for number, part in enumerate((slice(0, 50), slice(50, None))):
        path = folder / f"{number}.parquet"
        pq.write_table(pa.table({name: column[part] for name, column in columns.items()}), path)
        os.utime(path, (1_700_000_000 + number,) * 2)
    source = night.readStream.schema("ts TIMESTAMP_NTZ, at TIMESTAMP").option("maxFilesPerTrigger", 1)
    source.parquet(str(folder)).withWatermark("at", "0 seconds").createOrReplaceTempView("nights")
    function = "TABLE(CUMULATE(TABLE nights, DESCRIPTOR(ts), '30 minutes', '1 hour'))"
    texts = [
        f"SELECT {BOUNDS}, count(*) FROM nights WINDOW ASSIGN SLIDING(ts, '30 minutes', '2 hours')",
        f"SELECT {BOUNDS}, count(*) FROM {function} GROUP BY {BOUNDS}",
    ]
    expected = [counted(sliding(HALF, 4 * HALF), times), counted(cumulating(HOUR, HALF), times)]
    for windows, rows in zip(expected, run_sql(night, texts, tmp_path / "checkpoint"), strict=True):
        assert Counter(f"{{{', '.join(row)}}}" for row in rows) == shown(windows)
