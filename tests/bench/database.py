"""Upserts of narrow rows into PostgreSQL: `python tests/bench/database.py`.

Prints, for micro-batches of ROWS rows whose keys are half new and half there: rows a second, and rows a second of a
core of the server and of the driver, whose CPU seconds are counted apart. The server is one of its own in a temporary
folder, with PostgreSQL's settings but for fsync, so that the disk is no part of the number.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "spark"))
sys.path.insert(0, str(Path(__file__).parents[2]))

from postgres_server import server

from winsql.errors import Span
from winsql.spark.tables.sinks.protocol import Request
from winsql.spark.tables.sinks.registry import sink_of
from winsql.syntax import SinkClause

ROWS = 200_000
BATCHES = 6


def main() -> None:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    spark = SparkSession.builder.master("local[1]").config("spark.ui.enabled", "false").getOrCreate()
    spark.sparkContext.setLogLevel("ERROR")
    for postgres in server():
        _measure(spark, postgres)
    spark.stop()


def _measure(spark, postgres) -> None:  # type: ignore[no-untyped-def]
    rows = "SELECT id AS k, TIMESTAMP '2024-01-01 00:00:00' AS w, rand(1) AS s FROM range({}, {})"
    schema = spark.sql(rows.format(0, 1)).schema
    options = {"url": postgres.url, "table": "sums", "mode": "upsert", "create": "true"}
    clause = SinkClause("postgres", Span(0, 1), options)
    sink = sink_of(Request(spark, "default.bench", clause, schema, "the result", ("k", "w"), ""))
    sink.prepare("default.bench", "1", anew=False)
    for number in range(BATCHES):
        first = number * ROWS // 2
        batch = spark.sql(rows.format(first, first + ROWS)).persist()
        batch.count()
        started, driver, database = time.perf_counter(), _driver(), _server(postgres)
        sink.write(batch, number)
        seconds = time.perf_counter() - started
        driver, database = _driver() - driver, _server(postgres) - database
        print(
            f"batch {number}: {ROWS / seconds:,.0f} rows/s; of a core of the server {ROWS / database:,.0f}, "
            f"of Python's {ROWS / max(driver, 0.01):,.0f}"
        )
        batch.unpersist()


def _driver() -> float:
    used = resource.getrusage(resource.RUSAGE_SELF)
    return used.ru_utime + used.ru_stime


def _server(postgres) -> float:  # type: ignore[no-untyped-def]
    """CPU seconds of the server's processes, those that have ended among them."""
    first = int((postgres.folder / "data" / "postmaster.pid").read_text().split("\n")[0])
    ticks = os.sysconf("SC_CLK_TCK")
    total = 0
    for place in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = place.read_text().rpartition(")")[2].split()
        except OSError:
            continue
        if int(place.parent.name) == first:
            total += sum(map(int, fields[11:15]))
        elif int(fields[1]) == first:
            total += sum(map(int, fields[11:13]))
    return total / ticks


if __name__ == "__main__":
    main()
