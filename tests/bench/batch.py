"""Speed of windowed queries on tables: `python tests/bench/batch.py [ROWS [KEYS [WORKLOAD ...]]]`.

Each is measured five times beside the same query in Spark's own SQL, where that exists; a quarter of the rows comes
first and is not counted, as in the Flink peer. `floor` is the same rows, shuffled by key and dropped: no window at all.
"""

from __future__ import annotations

import statistics
import sys
import time
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from bench.session import CORES, Task, checksums, open_session, query  # noqa: E402
from bench.workloads import FLOOR, WORKLOADS, Engine, Events, Mode  # noqa: E402
from pyspark.sql import SparkSession  # noqa: E402

RUNS = 5


def measure(spark: SparkSession, task: Task) -> dict[str, Any]:
    """Seconds of each run, planning included, and the checksums of the last, to which the results are added up."""
    if not task.in_order:
        _run(spark, task, task.rows // 4)
    timed = [_run(spark, task, task.rows) for _ in range(task.runs)]
    seconds = [run[0] for run in timed]
    return {"rows": task.rows, "seconds": seconds, "rows_per_s": [task.rows / s for s in seconds], **timed[-1][1]}


def _run(spark: SparkSession, task: Task, rows: int) -> tuple[float, dict[str, int]]:
    events = Events(rows, task.keys, task.pace, task.skewed).bounded_sql(1 if task.in_order else None)
    spark.sql(events).createOrReplaceTempView("events")
    started = time.perf_counter()
    found = query(spark, task).agg(*checksums(whole_rows=task.in_order)).collect()[0].asDict()
    return time.perf_counter() - started, found


def main(rows: int, keys: int, names: list[str]) -> None:
    """Measure and print."""
    spark = open_session()
    print(f"{rows:,} rows, {keys:,} keys, {CORES} cores, the middle of {RUNS} runs")
    print(f"{'workload':16} {'seconds':>8} {'rows/s':>12} {'fastest':>12} {'Spark SQL':>12}")
    for name in names:
        ours = measure(spark, Task(Engine.WINSQL, Mode.BATCH, name, rows, keys, runs=RUNS))["rows_per_s"]
        beside = f"{'':>12}"
        if name != FLOOR and WORKLOADS[name].has_plain(Mode.BATCH):
            plain = measure(spark, Task(Engine.SPARK, Mode.BATCH, name, rows, keys, runs=RUNS))["rows_per_s"]
            beside = f"{statistics.median(plain):12,.0f}"
        middle = statistics.median(ours)
        print(f"{name:16} {rows / middle:8.2f} {middle:12,.0f} {max(ours):12,.0f} {beside}", flush=True)
    spark.stop()


if __name__ == "__main__":
    numbers = [*map(int, sys.argv[1:3]), *(1_000_000, 10_000)[len(sys.argv[1:3]) :]]
    main(*numbers, sys.argv[3:] or [FLOOR, *WORKLOADS])
