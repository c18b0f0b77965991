"""Nexmark's windows beside Flink SQL: `make bench ARGS="--nexmark"`.

Each query runs as winsql over a table and over a stream with a checkpoint, as Flink SQL with checkpoints each second,
and as Spark's own SQL where it can say the query. All of them read the same events (`nexmark_events.py`), on two cores,
each after a quarter of them; their result rows and a number made of them must be the same. Streams run over LONGER
times the events as well: what the further ones take is their speed in the steady state, without start and end. They do
it in micro-batches of two sizes, as Spark's fixed costs are those of a micro-batch.
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
ANY_SIZE = ""
"""Of Flink, which has no micro-batches."""
LONGER, SIZES = 4, {"2 M": BATCHES, "10 M": 1}
"""How many times the events longer runs have; sizes of their micro-batches, and how many of these make the events."""
RANGE = 200
"""Epochs that a row of the source stands for."""
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
    """One query in one way.

    seconds   of each run
    further   of what LONGER times the events take more than the events, of a stream, by SIZES; of Flink it is one
    results   rows of the last run over the events, and `sum` a number made of them
    """

    query: str
    engine: str
    mode: str
    seconds: list[float] = field(default_factory=list)
    results: int = 0
    sum: int = 0
    further: dict[str, float] = field(default_factory=dict)

    def steady(self, events: int, size: str) -> float | None:
        """Thousand events per second and core in the steady state."""
        seconds = self.further.get(size, self.further.get(ANY_SIZE))
        return None if seconds is None else (LONGER - 1) * events / seconds / CORES / 1000

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
                sql = f"{folder} SELECT {columns} FROM ({text}) AS found"
                for _ in range(RUNS):
                    answer = runs.ask(f"{name} {events} {sql}")
                    measured.seconds.append(answer["seconds"])
                    measured.results, measured.sum = answer["results"], answer["sum"]
                longer = runs.ask(f"{name} {events * LONGER} {sql}")["seconds"]
                measured.further[ANY_SIZE] = longer - statistics.median(measured.seconds)
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
    if measured.mode == "stream":
        measured.further = _further(spark, partial(plan, spark, text), events, compared)
    return measured


def _further(
    spark: SparkSession, frame: Callable[[], DataFrame], events: int, compared: tuple[str, ...]
) -> dict[str, float]:
    """What the further events of a longer run take, by the size of micro-batches."""
    found = {}
    for size, batches in SIZES.items():
        short, long = (_on_stream(spark, frame, n * events, compared, n * batches)[0] for n in (1, LONGER))
        found[size] = long - short
    return found


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
    spark: SparkSession,
    frame: Callable[[], DataFrame],
    events: int,
    compared: tuple[str, ...],
    batches: int = BATCHES,
) -> tuple[float, dict[str, int]]:
    found: dict[int, dict[str, int]] = {}

    def add(batch: DataFrame, number: int) -> None:
        found[number] = _sums(batch, compared)

    with _folder() as folder:
        epochs = _epochs(spark, events, batches, Path(folder) / "epochs")
        for kind, ((first, last), _) in KINDS.items():
            places = epochs.selectExpr("epoch", f"explode(sequence({first}L, {last}L)) AS place")
            places.createOrReplaceTempView("places")
            rows = spark.sql(events_sql(kind, events, f"(SELECT epoch * {EPOCH} + place AS n FROM places)"))
            rows.withWatermark("dateTime", "4 seconds").createOrReplaceTempView(kind)
        writer = frame().writeStream.foreachBatch(add).option("checkpointLocation", f"{folder}/checkpoint")
        started = time.perf_counter()
        running = writer.trigger(availableNow=True).start()
        try:
            while not running.awaitTermination(0.02) and not _is_read(running.lastProgress, batches):
                pass
            seconds = time.perf_counter() - started
        finally:
            running.stop()
    return seconds, {name: sum(sums[name] for sums in found.values()) for name in ("results", "sum")}


def _is_read(report: Any, batches: int) -> bool:
    """Whether a micro-batch has found nothing more; where windows go by the clock, Spark runs further ones forever."""
    return report is not None and report.batchId > batches and report.numInputRows == 0


def _epochs(spark: SparkSession, events: int, batches: int, folder: Path) -> DataFrame:
    """A stream of the numbers of epochs that ends, as Flink's: so many micro-batches, then the epoch that closes.

    Its files hold where ranges of numbers begin and stop, one file for each core and micro-batch.
    """
    folder.mkdir()
    count = events // EPOCH
    share = -(-count // (batches * CORES))
    parts = [(first, min(first + share, count)) for first in range(0, count, share)]
    for number, (first, stop) in enumerate([*parts, (count, count + 1)]):
        starts = [*range(first, stop, RANGE)]
        ranges = pa.table({"first": starts, "last": [min(start + RANGE, stop) - 1 for start in starts]})
        path = folder / f"{number}.parquet"
        pq.write_table(ranges, path)
        os.utime(path, (number, number))  # streams take files by time of modification
    files = spark.readStream.schema("first BIGINT, last BIGINT").option("maxFilesPerTrigger", CORES)
    return files.parquet(str(folder)).selectExpr("explode(sequence(first, last)) AS epoch")


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
    """A Markdown table: thousand events per second and core, in all and steady, each with its ratio to Flink SQL's."""
    heads = ["thousand events/s per core", *(f"steady, {size} a micro-batch" for size in SIZES)]
    lines = [f"| query | engine | over | {' | to Flink SQL | '.join(heads)} | to Flink SQL | rows |"]
    lines.append("|---" * (4 + 2 * len(heads)) + "|")
    flink = {run.query: _speeds(run, events) for run in found if run.engine == "Flink SQL"}
    for run in sorted(found, key=lambda run: list(QUERIES).index(run.query)):
        peers = flink.get(run.query, [None] * len(heads))
        cells = (_cells(speed, peer) for speed, peer in zip(_speeds(run, events), peers, strict=True))
        lines.append(f"| {run.query} | {run.engine} | {run.mode} | {' | '.join(cells)} | {run.results:,} |")
    return "\n".join(lines)


def _speeds(run: Measured, events: int) -> list[float | None]:
    return [run.speed(events), *(run.steady(events, size) for size in SIZES)]


def _cells(speed: float | None, peer: float | None) -> str:
    """A speed, and its ratio to the peer's."""
    if speed is None:
        return " | "
    return f"{speed:,.0f} | " + (f"{speed / peer:.2f}x" if peer is not None else "")
