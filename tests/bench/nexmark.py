"""Nexmark's windows beside Flink SQL: `make bench ARGS="--nexmark"`.

Each query runs as winsql over a table and over a stream with a checkpoint, as Flink SQL with checkpoints each second,
and as Spark's own SQL where it can say the query. All of them read the same events (`nexmark_events.py`), on two cores,
each after a quarter of them; their result rows and a number made of them must be the same.
"""

from __future__ import annotations

import os
import re
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path
from typing import Any

import pyarrow as pa
import pyarrow.parquet as pq
from bench.nexmark_events import EPOCH, KINDS, events_sql
from bench.peer import FlinkPeer
from bench.session import CORES, open_session
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

import winsql

__all__ = ["KINDS", "QUERIES", "Measured", "measure", "on_table", "problems", "table", "text_of"]

EXAMPLES = Path(__file__).resolve().parents[2] / "examples" / "nexmark"
EVENTS, BATCHES, RUNS = 10_000_000, 5, 3
"""Micro-batches have two million events, as those of the other benchmarks."""
RANGE = 10_000
"""Numbers that a row of the source stands for."""
_WINDOW = "window(`dateTime`, '10 seconds')"


@dataclass(frozen=True, slots=True)
class Query:
    """A query of the benchmark.

    file       its text in examples/nexmark, which all engines that know the language get
    own        the text that winsql has for it besides, on a row of its own
    spark, spark_stream   in Spark's own SQL, and whether that runs on streams
    compared   the columns that all engines must give alike
    by_clock   its windows are those of the machine's clock, so rows differ from run to run
    flink      whether Flink SQL can say it
    """

    file: str
    compared: tuple[str, ...]
    own: str | None = None
    spark: str | None = None
    spark_stream: bool = False
    by_clock: bool = False
    flink: bool = True


QUERIES = {
    "q5": Query(
        "q5_join", ("auction", "num", "starttime", "endtime"), own="q5",
        spark="SELECT auction, num, w.start AS starttime, w.end AS endtime FROM (SELECT *, rank() OVER (PARTITION BY w"
        " ORDER BY num DESC) AS place FROM (SELECT auction, window(`dateTime`, '10 seconds', '2 seconds') AS w,"
        " count(*) AS num FROM bid GROUP BY ALL)) WHERE place = 1",
    ),
    "q6": Query(
        "q6", ("seller",), flink=False,  # averages depend on the order of auctions that close at the same time
        spark="SELECT seller, avg(price) OVER (PARTITION BY seller ORDER BY expires ROWS 9 PRECEDING) AS average FROM"
        " (SELECT a.id, a.seller, a.expires, max(b.price) AS price FROM auction AS a JOIN bid AS b ON a.id = b.auction"
        " AND b.`dateTime` BETWEEN a.`dateTime` AND a.expires GROUP BY ALL)",
    ),
    "q7": Query(
        "q7", ("auction", "bidder", "price", "dateTime", "endtime"),
        spark=f"SELECT auction, bidder, price, `dateTime`, w.end AS endtime FROM (SELECT *, row_number() OVER"
        f" (PARTITION BY w ORDER BY price DESC) AS place FROM (SELECT *, {_WINDOW} AS w FROM bid)) WHERE place = 1",
    ),
    "q8": Query(
        "q8_join", ("id", "name", "starttime", "endtime"), own="q8", spark_stream=True,
        spark=f"SELECT id, name, w.start AS starttime, w.end AS endtime FROM (SELECT id, name, {_WINDOW} AS w FROM"
        f" person GROUP BY ALL) JOIN (SELECT seller, {_WINDOW} AS v FROM auction GROUP BY ALL)"
        " ON id = seller AND w = v",
    ),
    "q11": Query(
        "q11", ("bidder", "bid_count", "starttime", "endtime"), spark_stream=True,
        spark="SELECT bidder, bid_count, w.start AS starttime, w.end AS endtime FROM (SELECT bidder,"
        " session_window(`dateTime`, '10 seconds') AS w, count(*) AS bid_count FROM bid GROUP BY ALL)",
    ),
    "q12": Query("q12", ("bidder", "bid_count"), by_clock=True),
}  # fmt: skip


@dataclass(slots=True)
class Measured:
    """One query in one way; seconds of each run. `results` and `sum` are of the last run."""

    query: str
    engine: str
    mode: str
    seconds: list[float] = field(default_factory=list)
    results: int = 0
    sum: int = 0

    def speed(self, events: int) -> float:
        """Thousand events per second and core: the middle of the runs."""
        return events / statistics.median(self.seconds) / CORES / 1000


def text_of(name: str) -> str:
    """An example as all engines take it: Flink knows ROW_NUMBER alone, and `dateTime` is a word of its own there."""
    text = (EXAMPLES / f"{name}.sql").read_text(encoding="utf-8")
    lines = [line for line in text.splitlines() if not line.startswith("--")]
    one_line = re.sub(r"\s+", " ", " ".join(lines)).strip()
    ranked = one_line.replace("RANK()", "ROW_NUMBER()") if name == "q7" else one_line
    return re.sub(r"\bdateTime\b", "`dateTime`", ranked)


def measure(names: list[str], peer: FlinkPeer | None, events: int = EVENTS) -> list[Measured]:
    """All queries in all ways; Flink last, so that no other JVM is there while it runs."""
    spark = open_session()
    try:
        found = [_told(run) for name in names for run in _of_spark(spark, name, events)]
    finally:
        spark.stop()
    return found if peer is None else [*found, *map(_told, _of_flink(peer, names, events))]


def _told(run: Measured) -> Measured:
    print(
        run.query, run.engine, run.mode, *(f"{seconds:.1f} s" for seconds in run.seconds), file=sys.stderr, flush=True
    )
    return run


def _of_flink(peer: FlinkPeer, names: list[str], events: int) -> Iterator[Measured]:
    runs = peer.nexmark()
    try:
        with tempfile.TemporaryDirectory(prefix="winsql-bench-", ignore_cleanup_errors=True) as folder:
            for name in (name for name in names if QUERIES[name].flink):
                text = text_of(QUERIES[name].file).replace("DESCRIPTOR(PROCTIME())", "DESCRIPTOR(clock)")
                columns = ", ".join(f"`{column}`" for column in QUERIES[name].compared)
                measured = Measured(name, "Flink SQL", "stream")
                for _ in range(RUNS):
                    answer = runs.ask(f"{name} {events} {folder} SELECT {columns} FROM ({text}) AS found")
                    measured.seconds.append(answer["seconds"])
                    measured.results, measured.sum = answer["results"], answer["sum"]
                yield measured
    finally:
        runs.stop()


def _of_spark(spark: SparkSession, name: str, events: int) -> Iterator[Measured]:
    query = QUERIES[name]
    texts = {"winsql": text_of(query.file)}
    if query.own is not None:
        texts["winsql, own text"] = text_of(query.own)
    for mode, measured_in in (("table", on_table), ("stream", _on_stream)):
        for engine, text in texts.items():
            yield _runs(Measured(name, engine, mode), measured_in, spark, text, events, winsql.sql)
        if query.spark is not None and (mode == "table" or query.spark_stream):
            yield _runs(Measured(name, "Spark SQL", mode), measured_in, spark, query.spark, events, SparkSession.sql)


Plan = Callable[[SparkSession, str], DataFrame]


def _runs(
    measured: Measured,
    run: Callable[[SparkSession, Callable[[], DataFrame], int, tuple[str, ...]], tuple[float, dict[str, int]]],
    spark: SparkSession,
    text: str,
    events: int,
    plan: Plan,
) -> Measured:
    compared = QUERIES[measured.query].compared
    run(spark, partial(plan, spark, text), events // 4 // EPOCH * EPOCH, compared)
    for _ in range(RUNS if measured.mode == "table" else 1):
        seconds, sums = run(spark, partial(plan, spark, text), events, compared)
        measured.seconds.append(seconds)
        measured.results, measured.sum = sums["results"], sums["sum"]
    return measured


def on_table(
    spark: SparkSession, frame: Callable[[], DataFrame], events: int, compared: tuple[str, ...]
) -> tuple[float, dict[str, int]]:
    """Seconds and checksums of a query over the views `person`, `auction` and `bid` of so many events."""
    for kind in KINDS:
        numbers = f"(SELECT id AS n FROM range({events}))"
        spark.sql(events_sql(kind, events, numbers)).createOrReplaceTempView(kind)
    started = time.perf_counter()
    sums = _sums(frame(), compared)
    return time.perf_counter() - started, sums


def _on_stream(
    spark: SparkSession, frame: Callable[[], DataFrame], events: int, compared: tuple[str, ...]
) -> tuple[float, dict[str, int]]:
    found: dict[int, dict[str, int]] = {}

    def add(batch: DataFrame, number: int) -> None:
        found[number] = _sums(batch, compared)

    with _folder() as folder:
        _numbers(spark, events, Path(folder) / "numbers").createOrReplaceTempView("numbers")
        for kind in KINDS:
            rows = spark.sql(events_sql(kind, events, "numbers"))
            rows.withWatermark("dateTime", "4 seconds").createOrReplaceTempView(kind)
        writer = frame().writeStream.foreachBatch(add).option("checkpointLocation", f"{folder}/checkpoint")
        started = time.perf_counter()
        running = writer.trigger(availableNow=True).start()
        try:
            while not running.awaitTermination(0.02) and not _is_read(running.lastProgress):
                pass
            seconds = time.perf_counter() - started
        finally:
            running.stop()
    return seconds, {name: sum(sums[name] for sums in found.values()) for name in ("results", "sum")}


def _is_read(report: Any) -> bool:
    """Whether a micro-batch has found nothing more; where windows go by the clock, Spark runs further ones forever."""
    return report is not None and report.batchId > BATCHES and report.numInputRows == 0


def _numbers(spark: SparkSession, events: int, folder: Path) -> DataFrame:
    """A stream of the events' numbers `n` that ends, as Flink's: BATCHES micro-batches, then the epoch that closes.

    Its files hold where ranges of numbers begin and stop, one file for each core and micro-batch.
    """
    folder.mkdir()
    share = -(-events // (BATCHES * CORES))
    parts = [(first, min(first + share, events)) for first in range(0, events, share)]
    for number, (first, stop) in enumerate([*parts, (events, events + EPOCH)]):
        starts = [*range(first, stop, RANGE)]
        ranges = pa.table({"first": starts, "last": [min(start + RANGE, stop) - 1 for start in starts]})
        path = folder / f"{number}.parquet"
        pq.write_table(ranges, path)
        os.utime(path, (number, number))  # streams take files by time of modification
    files = spark.readStream.schema("first BIGINT, last BIGINT").option("maxFilesPerTrigger", CORES)
    return files.parquet(str(folder)).selectExpr("explode(sequence(first, last)) AS n")


@contextmanager
def _folder() -> Iterator[str]:
    with tempfile.TemporaryDirectory(prefix="winsql-bench-", ignore_cleanup_errors=True) as folder:
        yield folder


def _sums(frame: DataFrame, compared: tuple[str, ...]) -> dict[str, int]:
    """As `Checksum` of NexmarkBench.java: rows, and a number of all their columns; without the epoch that closes."""
    value = F.lit(0).cast("bigint")
    for column in compared:
        value = (value * 31 + _number(frame, column)) % 1000003
    mine = F.col(frame.columns[0]) >= 0
    rows = frame.where(mine).select(value.alias("value"))
    found = rows.agg(F.count("*").alias("results"), F.coalesce(F.sum("value"), F.lit(0)).alias("sum")).collect()[0]
    return {name: int(value) for name, value in found.asDict().items()}


def _number(frame: DataFrame, column: str) -> Any:
    kind, value = dict(frame.dtypes)[column], F.col(column)
    if kind.startswith("timestamp"):
        value = F.unix_millis(value.cast("timestamp"))
    return F.length(value) if kind == "string" else value % 1000003


def problems(found: list[Measured]) -> list[str]:
    """Queries whose engines give different rows."""
    wrong = []
    for name in (name for name, query in QUERIES.items() if not query.by_clock):
        runs = [run for run in found if run.query == name]
        if len({(run.results, run.sum) for run in runs}) > 1:
            said = "; ".join(f"{run.engine}, {run.mode}: {run.results} rows, {run.sum}" for run in runs)
            wrong.append(f"{name}: {said}")
    return wrong


def table(found: list[Measured], events: int) -> str:
    """A Markdown table: thousand events per second and core, and the ratio of winsql's stream to Flink's."""
    flink = {run.query: run.speed(events) for run in found if run.engine == "Flink SQL"}
    lines = ["| query | engine | over | thousand events/s per core | to Flink SQL | rows |"]
    lines.append("|---|---|---|---|---|---|")
    for run in sorted(found, key=lambda run: list(QUERIES).index(run.query)):
        speed = run.speed(events)
        ratio = f"{speed / flink[run.query]:.2f}x" if run.query in flink else ""
        lines.append(f"| {run.query} | {run.engine} | {run.mode} | {speed:,.0f} | {ratio} | {run.results:,} |")
    return "\n".join(lines)
