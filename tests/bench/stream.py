"""Speed of windowed queries on streams: `python tests/bench/stream.py [ROWS_PER_BATCH [KEYS [BATCHES [NAME ...]]]]`.

Each workload is one query over a `rate-micro-batch` source, whose rows are computed from their number, on 2 cores. The
first two micro-batches are not counted. A row far in the future closes the windows in the end, so that the result rows
and checksums can be compared with another engine's. One JSON line each:

rows_per_s      rows over seconds of the counted micro-batches
batch_ms        each micro-batch from its trigger to its commit; `median_ms` where that time goes
results, sum, count   result rows and the sums of their columns
cpu_us_per_row  microseconds of one core that JVM and Python workers together used for a row, in the counted ones
peak_mb         their memory, at most; `jvm_mb` of it the JVM, `driver_mb` this process
state_bytes, open_windows   before the last row closes them
load            the machine's load when the workload ended: above 2, others took part of the cores

`floor` is the same rows, shuffled by key and dropped: no window at all.
"""

from __future__ import annotations

import json
import os
import shutil
import statistics
import sys
import tempfile
import threading
from pathlib import Path
from typing import Any, NamedTuple

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from pyspark.sql import DataFrame, SparkSession  # noqa: E402
from pyspark.sql import functions as F  # noqa: E402

import winsql  # noqa: E402

CORES = 2
WARM_UP = 2
SETTINGS = {
    "spark.driver.memory": "4g",
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": str(CORES),
    "spark.sql.streaming.stateStore.providerClass": "org.apache.spark.sql.execution.streaming.state."
    "RocksDBStateStoreProvider",
    "spark.sql.streaming.numRecentProgressUpdates": "100000",
    "spark.log.level": "ERROR",
}
EVENTS = """
SELECT ((value * 2654435761) >> 11) % {keys} AS k,
       timestamp_millis(if(value < {rows}, 1700000000000 + value DIV 10 - ((value * 40503) >> 5) % 2000,
                           4000000000000)) AS ts,
       value % 97 AS v
FROM numbers WHERE value <= {rows}
"""
CLAUSES = {
    "tumbling": "TUMBLING(ts, '10 seconds')",
    "sliding": "SLIDING(ts, '10 seconds', '1 second')",
    "continuous": "TUMBLING(ts, '60 seconds') TRIGGER CONTINUOUS_EVENT_TIME('5 seconds')",
    "lateness": "TUMBLING(ts, '1 second') ALLOWED LATENESS '10 seconds'",
    "session": "SESSION(ts, '800 milliseconds')",
    "count": "COUNT(10)",
}
FLOOR = "floor"


def main(rows: int, keys: int, batches: int, workloads: list[str]) -> None:
    """Measure everything and print it."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.master(f"local[{CORES}]").appName("winsql-bench")
    for key, value in SETTINGS.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    source = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", rows).option("numPartitions", CORES)
    source.load().createOrReplaceTempView("numbers")
    events = spark.sql(EVENTS.format(keys=keys, rows=rows * batches))
    events.withWatermark("ts", "5 seconds").createOrReplaceTempView("events")
    for name in workloads:
        with Memory() as memory:
            measured = run(spark, _query(spark, name), batches, name != FLOOR)
        shown = {"workload": name, "rows_per_batch": rows, "keys": keys, **measured, **memory.peaks}
        print(json.dumps({**shown, "load": round(os.getloadavg()[0], 1)}), flush=True)
    spark.stop()


def run(spark: SparkSession, frame: DataFrame, batches: int, has_state: bool) -> dict[str, Any]:
    """One query to the end of its input, and what its progress tells."""
    folder = tempfile.mkdtemp(prefix="winsql-bench-")
    try:
        progress, cpu = _progress(frame, folder, batches)
        counted = progress[WARM_UP:batches]
        state = winsql.stream_metrics(spark, folder) if has_state else {}
        state = {name: state[name] for name in ("state_bytes", "open_windows") if name in state}
        progress = progress[:batches] + _progress(frame, folder, batches + 2, len(progress))[0]
        seconds = sum(batch.durationMs["triggerExecution"] for batch in counted) / 1000
        rows = sum(batch.numInputRows for batch in counted)
        speed = {"rows_per_s": round(rows / seconds), "cpu_us_per_row": round(cpu / rows * 1e6, 2)}
        return {**speed, **_results(progress), **state, **_times(progress[:batches])}
    finally:
        shutil.rmtree(folder)


def _query(spark: SparkSession, name: str) -> DataFrame:
    if name == FLOOR:
        frame = spark.sql("SELECT /*+ REPARTITION(2, k) */ k, v AS total, 1 AS n, ts FROM events")
    else:
        clauses = CLAUSES[name]
        frame = winsql.sql(
            spark,
            f"SELECT k, window_start, sum(v) AS total, count(*) AS n FROM events WINDOW ASSIGN {clauses} GROUP BY k",
        )
    sums = [F.count("*").alias("results"), F.sum("total").alias("sum"), F.sum("n").alias("count")]
    return frame.observe("results", *sums)


def _progress(frame: DataFrame, folder: str, batches: int, known: int = 0) -> tuple[list[Any], float]:
    """Run the query until so many micro-batches are done: the progress of those beyond the known ones, and the seconds
    of CPU behind the warm-up."""
    query = frame.writeStream.format("noop").option("checkpointLocation", folder).start()
    try:
        _await(query, WARM_UP)
        before = _cpu_seconds()
        _await(query, batches)
        cpu = _cpu_seconds() - before
        return [batch for batch in query.recentProgress if batch.batchId >= known and batch.durationMs], cpu
    finally:
        query.stop()


def _await(query: Any, batches: int) -> None:
    while query.lastProgress is None or query.lastProgress.batchId < batches - 1:
        query.awaitTermination(0.05)


def _results(progress: list[Any]) -> dict[str, int]:
    rows = [batch.observedMetrics["results"] for batch in progress]
    return {name: sum(row[name] or 0 for row in rows) for name in ("results", "sum", "count")}


def _times(progress: list[Any]) -> dict[str, Any]:
    durations = [batch.durationMs for batch in progress]
    names = sorted({name for duration in durations[WARM_UP:] for name in duration})
    medians = {name: statistics.median(duration.get(name, 0) for duration in durations[WARM_UP:]) for name in names}
    return {"median_ms": medians, "batch_ms": [duration["triggerExecution"] for duration in durations]}


class Memory:
    """Samples the memory of this process, of the JVM and of Spark's Python workers."""

    def __init__(self) -> None:
        self.peaks = {"peak_mb": 0, "jvm_mb": 0, "driver_mb": 0}
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)

    def __enter__(self) -> Memory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._done.wait(0.5):
            below = _descendants()
            jvm = max((_size(process.pid) for process in below if process.name == "java"), default=0)  # not its forks
            workers = sum(_size(process.pid) for process in below if process.name.startswith("python"))
            found = {
                "peak_mb": jvm + workers >> 20,
                "jvm_mb": jvm >> 20,
                "driver_mb": _size(os.getpid()) >> 20,
            }
            self.peaks = {name: max(peak, found[name]) for name, peak in self.peaks.items()}


class Process(NamedTuple):
    """A process, and the seconds of CPU that it and its ended children have used."""

    pid: int
    name: str
    cpu: float


def _descendants() -> list[Process]:
    """The processes below this one."""
    children: dict[int, list[Process]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            head, _, tail = path.read_text().rpartition(")")
        except OSError:
            continue  # it has ended meanwhile
        pid, _, name = head.partition(" (")
        fields = tail.split()
        cpu = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        children.setdefault(int(fields[1]), []).append(Process(int(pid), name, cpu))
    found, waiting = [], [os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += [process.pid for process in below]
    return found


def _cpu_seconds() -> float:
    return sum(process.cpu for process in _descendants())


def _size(pid: int) -> int:
    """Bytes of a process, with its share of what it shares with others; 0 when it has ended meanwhile."""
    try:
        lines = Path(f"/proc/{pid}/smaps_rollup").read_text().splitlines()
    except OSError:
        return 0
    return next((int(line.split()[1]) << 10 for line in lines if line.startswith("Pss:")), 0)


if __name__ == "__main__":
    numbers = [*map(int, sys.argv[1:4]), *(1_000_000, 10_000, 12)[len(sys.argv[1:4]) :]]
    main(*numbers, sys.argv[4:] or [FLOOR, *CLAUSES])
