"""The streams of the campaign: every kind of state, and every sink whose rows are there once."""

from __future__ import annotations

import os
import shlex
import sys
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from compiled_spark import use_compiled_spark
from java_options import set_java_options

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

PROVIDER = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"


@dataclass(frozen=True, slots=True)
class Query:
    """A stream: `into` has {place} for the folder of its rows; late rows go to a table or folder `late` beside them."""

    into: str
    text: str

    def create(self, name: str, place: Path) -> str:
        """The CREATE statement."""
        head = self.into.format(name=name, place=place, now="trigger 'available now'")
        return f"CREATE {head} AS {self.text}"


_TABLE = "STREAMING TABLE {name} USING parquet OPTIONS (path '{place}/rows', {now})"
_KEPT = "checkpointLocation '{place}/rows/_checkpoint', {now}"
_FILES = "STREAM {{name}} INTO {} OPTIONS (path '{{place}}/rows', {{now}})"
_SQLITE = f"STREAM {{name}} INTO sqlite OPTIONS (path '{{place}}/db', table 'rows', create 'true', {_KEPT}"
_TUMBLING = (
    "SELECT k, window_start AS w, pane_index AS i, sum(v) AS s FROM events WINDOW ASSIGN TUMBLING(ts, '10 seconds')"
)

QUERIES = {
    "lateness": Query(f"{_TABLE} LATE INTO {{name}}_late", f"{_TUMBLING} ALLOWED LATENESS '5 seconds' GROUP BY k"),
    "session": Query(
        f"{_SQLITE}) LATE INTO sqlite OPTIONS (table 'late')",
        "SELECT k, window_start AS w, window_end AS e, count(*) AS c, sum(v) AS s FROM events "
        "WINDOW ASSIGN SESSION(ts, '3 seconds') GROUP BY k",
    ),
    "evicting": Query(
        _FILES.format("json"), "SELECT k, collect_list(n) AS l FROM events WINDOW ASSIGN COUNT(5, 2) GROUP BY k"
    ),
    "joined": Query(
        _TABLE.replace("parquet", "orc"),
        "SELECT x.k, x.n, y.n AS m, window_start AS w, pane_index AS i FROM events x "
        "LEFT WINDOW JOIN (SELECT k, ts, n FROM others WHERE n % 3 = 0) y ON x.k = y.k AND x.n <> y.n "
        "WINDOW ASSIGN TUMBLING((x.ts, y.ts), '5 seconds') ALLOWED LATENESS '3 seconds'",
    ),
    "upserts": Query(
        f"{_SQLITE}, mode 'upsert')",
        "SELECT k, window_start AS w, window_end AS e, sum(v) AS s FROM events "
        "WINDOW ASSIGN SESSION(ts, '4 seconds') EMIT EARLY EVERY 2 ROWS LATE ON ROW AS UPSERT "
        "ALLOWED LATENESS '5 seconds' GROUP BY k",
    ),
    "sliding": Query(
        f"{_FILES.format('parquet')} LATE INTO parquet OPTIONS (path '{{place}}/late')",
        "SELECT k, window_start AS w, collect_list(n) AS l, avg(v) AS a FROM events "
        "WINDOW ASSIGN SLIDING(ts, '9 seconds', '3 seconds') EVICT COUNT(4) GROUP BY k",
    ),
    "cumulating": Query(
        _FILES.format("csv"),
        "SELECT k, window_start, window_end, count(*) AS c, max(v) AS m "
        "FROM CUMULATE(TABLE events, DESCRIPTOR(ts), INTERVAL 4 SECONDS, INTERVAL 12 SECONDS) "
        "GROUP BY k, window_start, window_end",
    ),
    "ranked": Query(
        _FILES.format("orc"),
        "SELECT * FROM (SELECT k, n, v, window_start, window_end, ROW_NUMBER() OVER (PARTITION BY window_start, "
        "window_end ORDER BY v DESC, n) AS p FROM TUMBLE(TABLE events, DESCRIPTOR(ts), INTERVAL 10 SECONDS)) "
        "WHERE p <= 3",
    ),
    "dynamic": Query(
        _TABLE,
        "SELECT k, window_start AS w, count(*) AS c, min(n) AS m FROM events "
        "WINDOW ASSIGN SESSION(ts, make_dt_interval(0, 0, 0, 1 + v % 4)) TRIGGER COUNT(3) GROUP BY k",
    ),
    "cascade": Query(
        _FILES.format("json"),
        "SELECT window_start AS w, sum(s) AS s, count(*) AS c FROM "
        "(SELECT k, window_time AS t, sum(v) AS s FROM events "
        "WINDOW ASSIGN TUMBLING(ts, '5 seconds') GROUP BY k) WINDOW ASSIGN TUMBLING(t, '10 seconds')",
    ),
    "retracting": Query(
        f"{_SQLITE}, mode 'upsert', key 'k, w')",
        "SELECT k, window_start AS w, count(*) AS c, max(n) AS m FROM events WINDOW ASSIGN TUMBLING(ts, '10 seconds') "
        "EMIT EARLY EVERY 1 ROWS AS RETRACTIONS ALLOWED LATENESS '5 seconds' GROUP BY k",
    ),
    "co_grouped": Query(
        _FILES.format("csv"),
        "SELECT k, window_start AS w, size(left) AS l, size(right) AS r FROM co_group(TABLE(events) PARTITION BY k, "
        "TABLE(others) PARTITION BY k, DESCRIPTOR(ts, ts), TUMBLING(INTERVAL 10 SECONDS))",
    ),
    "expiring": Query(
        f"{_TABLE} LATE INTO {{name}}_late".replace("{now}", "compression 'gzip', {now}"),
        "SELECT k, window_start AS w, collect_list(n) AS l FROM events WINDOW ASSIGN SESSION(ts, '3 seconds') "
        "STATE TTL '1 day' GROUP BY k",
    ),
}


def new_session(folder: Path) -> SparkSession:
    """A local session for these streams, with its warehouse in the folder."""
    from pyspark.sql import SparkSession

    set_java_options()
    use_compiled_spark()
    os.environ["PYSPARK_PYTHON"] = str(_python(folder))
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "1").config("spark.log.level", "ERROR")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    builder = builder.config("spark.sql.warehouse.dir", str(folder / "warehouse"))
    builder = builder.config("spark.sql.session.timeZone", "UTC")
    builder = builder.config("spark.sql.files.minPartitionNum", "1")  # files of a micro-batch are read in their order
    return builder.config("spark.sql.streaming.stateStore.providerClass", PROVIDER).getOrCreate()


def _python(folder: Path) -> Path:
    """This Python without Spark's archive of PySpark, which each start of a stream would compile for a second."""
    script = folder / "python"
    path = shlex.quote(os.environ.get("PYTHONPATH", ""))
    script.write_text(f'#!/bin/sh\nPYTHONPATH={path} exec {shlex.quote(sys.executable)} "$@"\n', encoding="utf-8")
    script.chmod(0o755)
    return script


def declare(spark: SparkSession, inputs: Path, files: int = 1) -> None:
    """The views `events` and `others`: the files of two folders, so many in a micro-batch."""
    for view, folder in {"events": "in", "others": "in_others"}.items():
        source = spark.readStream.schema("k STRING, ts TIMESTAMP, v DOUBLE, n INT").option("maxFilesPerTrigger", files)
        source.parquet(str(inputs / folder)).withWatermark("ts", "1 second").createOrReplaceTempView(view)


def rows_of(query: Query, place: Path) -> dict[str, list[str]]:
    """All rows and late rows that a stream has written, sorted."""
    return {name: sorted(map(str, rows)) for name, rows in _read(query, place)}


def _read(query: Query, place: Path) -> Iterator[tuple[str, Sequence[object]]]:
    if "INTO sqlite" in query.into:
        yield from ((table, _asked(place / "db", table)) for table in ("rows", "late"))
        return
    kind = next(kind for kind in ("parquet", "orc", "json", "csv") if kind in query.into)
    folders = {"rows": place / "rows", "late": place / ("rows/_late" if "TABLE" in query.into else "late")}
    for name, folder in folders.items():
        yield name, [row for file in folder.glob(f"batch=*/*.{kind}") for row in _LOADED[kind](file)]


def _asked(path: Path, table: str) -> Sequence[object]:
    import sqlite3

    connection = sqlite3.connect(path)
    try:
        known = connection.execute("SELECT count(*) FROM sqlite_master WHERE name = ?", [table]).fetchone()[0]
        return connection.execute(f"SELECT * FROM {table}").fetchall() if known else []
    finally:
        connection.close()


def _parquet(file: Path) -> Sequence[object]:
    import pyarrow.parquet as pq

    return pq.read_table(file, partitioning=None).to_pylist()


def _orc(file: Path) -> Sequence[object]:
    from pyarrow import orc

    return orc.read_table(file).to_pylist()


def _lines(file: Path) -> Sequence[object]:
    return file.read_text(encoding="utf-8").splitlines()


_LOADED: dict[str, Callable[[Path], Sequence[object]]] = {
    "parquet": _parquet,
    "orc": _orc,
    "json": _lines,
    "csv": _lines,
}
