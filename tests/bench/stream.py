"""Speed of windowed queries on streams: `python tests/bench/stream.py [ROWS_A_BATCH [KEYS [BATCHES [WORKLOAD ...]]]]`.

Each workload is one query over a `rate-micro-batch` source, whose rows are computed from their number, on 2 cores, in
steady state: after one whose micro-batches have come to take the same time. The first two micro-batches are not
counted. Two rows far in the future close the windows in the end, so that the result rows and checksums can be compared
with another engine's. One JSON line each:

rows_per_s      rows over seconds of the counted micro-batches, for each run; in steady state for each micro-batch
warm_s          seconds of micro-batches until five in a row took the same time, `warm_batches` their number;
                `is_steady` is false where none did
batch_ms        each micro-batch of the last run from its trigger to its commit; `median_ms` where that time goes
results, sum, count   result rows and the sums of their columns
cpu_us_per_row  microseconds of one core that JVM and Python workers together used for a row, in the counted ones
peak_mb         their memory, at most; `jvm_mb` of it the JVM, `driver_mb` this process
state_bytes, open_windows   before the last rows close them
load            the machine's load when the workload ended: above 2, others took part of the cores

`floor` is the same rows, shuffled by key and dropped: no window at all.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from bench.memory import Memory, cpu_seconds  # noqa: E402
from bench.session import CORES, Task, checksums, open_session, query  # noqa: E402
from bench.workloads import CLOSING_ROWS, FLOOR, WATERMARK_DELAY, WORKLOADS, Engine, Events, Mode  # noqa: E402
from pyspark.sql import DataFrame, SparkSession  # noqa: E402

import winsql  # noqa: E402

WARM_UP = 2
CLOSING = 1
"""Micro-batches after the last row, which closes the windows: what it closes comes then."""

SAME, NEAR = 5, 1.05
"""Micro-batches in a row that take the same time, the longest of them against the shortest."""
LONGEST, PATIENCE = 40, 45
"""Micro-batches, and seconds of them, after which nothing more is waited for."""


class Sums:
    """The sink: it adds up what comes out."""

    def __init__(self, whole_rows: bool) -> None:
        self._columns = checksums(whole_rows)
        self._found: dict[int, dict[str, Any]] = {}

    def add(self, frame: DataFrame, batch: int) -> None:
        """A micro-batch; one that is repeated counts once."""
        self._found[batch] = frame.agg(*self._columns).collect()[0].asDict()

    def total(self) -> dict[str, int]:
        """The checksums of all micro-batches."""
        columns = {name: [row[name] or 0 for row in self._found.values()] for name in next(iter(self._found.values()))}
        return {name: max(values) if name == "latest" else sum(values) for name, values in columns.items()}


def measure(spark: SparkSession, task: Task) -> dict[str, Any]:
    """The task's runs, each a query of its own, and what the last one's progress tells."""
    source = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", task.rows)
    source = source.option("numPartitions", 1 if task.in_order else CORES)
    source.load().createOrReplaceTempView("numbers")
    warm = _warm_up(spark, task) if task.steady else {}
    _see(spark, task, _rows(task))
    runs = [_run(spark, task) for _ in range(task.runs)]
    speeds = _of_batches(task, runs[-1]) if task.steady else [run["rows_per_s"] for run in runs]
    return {**runs[-1], **warm, "rows_per_s": speeds}


def is_steady(durations: Sequence[float]) -> bool:
    """Whether the last micro-batches took the same time."""
    last = durations[-SAME:]
    return len(last) == SAME and max(last) <= NEAR * min(last)


def _see(spark: SparkSession, task: Task, rows: int) -> None:
    """The view `events` of so many rows, which the closing ones follow."""
    events = spark.sql(Events(rows, task.keys, task.pace, task.skewed).stream_sql("numbers"))
    events.withWatermark("ts", WATERMARK_DELAY).createOrReplaceTempView("events")


def _warm_up(spark: SparkSession, task: Task) -> dict[str, Any]:
    """Run micro-batches of a query of their own until they take the same time."""
    _see(spark, task, task.rows * LONGEST)
    with tempfile.TemporaryDirectory(prefix="winsql-bench-", ignore_cleanup_errors=True) as folder:
        writer = query(spark, task).writeStream.foreachBatch(Sums(whole_rows=False).add)
        running = writer.option("checkpointLocation", folder).start()
        seconds: list[float] = []
        try:
            while not (is_steady(seconds) or len(seconds) >= LONGEST or sum(seconds) > PATIENCE):
                _await(running, len(seconds) + 1)  # asking for all progress all the time would take a core
                seconds = [batch.durationMs["triggerExecution"] / 1000 for batch in running.recentProgress]
        finally:
            running.stop()
    return {"warm_s": round(sum(seconds), 1), "warm_batches": len(seconds), "is_steady": is_steady(seconds)}


def _of_batches(task: Task, run: dict[str, Any]) -> list[float]:
    return [task.rows / ms * 1000 for ms in run["batch_ms"][WARM_UP:]]


def _run(spark: SparkSession, task: Task) -> dict[str, Any]:
    """One query to the end of its input, and what its progress tells."""
    frame, sums = query(spark, task), Sums(whole_rows=task.in_order)
    warm_up = 0 if task.in_order else WARM_UP
    # Spark may still be writing when the query has stopped
    with tempfile.TemporaryDirectory(prefix="winsql-bench-", ignore_cleanup_errors=True) as folder:
        if task.with_state:  # stopped before the last rows come
            progress, cpu = _progress(frame, sums, folder, task, warm_up, task.batches)
            state = winsql.stream_metrics(spark, folder)
            progress = progress[: task.batches]
            progress += _progress(frame, sums, folder, task, 0, task.batches + CLOSING, len(progress))[0]
        else:
            progress, cpu = _progress(frame, sums, folder, task, warm_up, task.batches + CLOSING)
            state = {}
    counted = progress[warm_up : task.batches]
    seconds = sum(batch.durationMs["triggerExecution"] for batch in counted) / 1000
    rows = task.rows * len(counted)
    return {
        "rows": _rows(task),
        "rows_per_s": rows / seconds,
        "cpu_us_per_row": round(cpu / rows * 1e6, 2),
        **sums.total(),
        **{name: state[name] for name in ("state_bytes", "open_windows") if name in state},
        **_times(progress[: task.batches], warm_up),
    }


def _rows(task: Task) -> int:
    """All but those that close the windows."""
    return task.rows * task.batches - CLOSING_ROWS


def _progress(
    frame: DataFrame, sums: Sums, folder: str, task: Task, warm_up: int, batches: int, known: int = 0
) -> tuple[list[Any], float]:
    """Run the query until so many micro-batches are done: the progress of those beyond the known ones, and the seconds
    of CPU between the warm-up and the closing rows."""
    writer = frame.writeStream.foreachBatch(sums.add).option("checkpointLocation", folder)
    if task.interval:
        writer = writer.trigger(processingTime=f"{task.interval} seconds")
    running = writer.start()
    try:
        _await(running, warm_up)
        before = cpu_seconds()
        _await(running, min(batches, task.batches))
        cpu = cpu_seconds() - before
        _await(running, batches)
        return [batch for batch in running.recentProgress if batch.batchId >= known and batch.durationMs], cpu
    finally:
        running.stop()


def _await(running: Any, batches: int) -> None:
    while batches and (running.lastProgress is None or running.lastProgress.batchId < batches - 1):
        running.awaitTermination(0.05)


def _times(progress: list[Any], warm_up: int) -> dict[str, Any]:
    durations = [batch.durationMs for batch in progress]
    names = sorted({name for duration in durations[warm_up:] for name in duration})
    medians = {name: statistics.median(duration.get(name, 0) for duration in durations[warm_up:]) for name in names}
    return {"median_ms": medians, "batch_ms": [duration["triggerExecution"] for duration in durations]}


def main(rows: int, keys: int, batches: int, names: list[str]) -> None:
    """Measure and print."""
    spark = open_session()
    for name in names:
        task = Task(
            Engine.WINSQL, Mode.STREAM, name, rows, keys, batches=batches, with_state=name != FLOOR, steady=True
        )
        with Memory() as memory:
            measured = measure(spark, task)
        shown = {"workload": name, "rows_per_batch": rows, "keys": keys, **measured, **memory.peaks}
        print(json.dumps({**shown, "load": round(os.getloadavg()[0], 1)}), flush=True)
    spark.stop()


if __name__ == "__main__":
    numbers = [*map(int, sys.argv[1:4]), *(1_000_000, 10_000, 12)[len(sys.argv[1:4]) :]]
    main(*numbers, sys.argv[4:] or [FLOOR, *WORKLOADS])
