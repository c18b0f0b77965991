"""Speed of windowed queries on bounded tables: `python tests/bench/batch.py [ROWS [KEYS [WORKLOAD ...]]]`.

The input is generated inside Spark, the same rows on every run. Native plans are measured beside the same query in
Spark's own SQL, plans of the operator alone. Each line is the best of five runs, on 2 cores.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT))

from pyspark.sql import DataFrame, SparkSession  # noqa: E402

import winsql  # noqa: E402

CORES = 2
RUNS = 5
SETTINGS = {
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": str(CORES),
    "spark.log.level": "ERROR",
}
EVENTS = """
SELECT ((id * 2654435761) >> 11) % {keys} AS k,
       timestamp_millis(1700000000000 + id DIV 10 - ((id * 40503) >> 5) % 2000) AS ts, id % 97 AS v,
       id % 2 AS side
FROM range({rows})
"""
CLAUSES = {
    "tumbling": "TUMBLING(ts, '10 seconds')",
    "sliding": "SLIDING(ts, '10 seconds', '1 second')",
    "session": "SESSION(ts, '800 milliseconds')",
    "count": "COUNT(10)",
    "sliding_count": "GLOBAL(ts) TRIGGER COUNT(1) EVICT COUNT(100)",
    "time_evictor": "TUMBLING(ts, '60 seconds') TRIGGER COUNT(10) EVICT TIME('10 seconds')",
    "continuous": "TUMBLING(ts, '60 seconds') TRIGGER CONTINUOUS_EVENT_TIME('5 seconds')",
    "delta": "GLOBAL(ts) TRIGGER DELTA(v, 50) EVICT DELTA(v, 50)",
}
JOIN = "join"
SIDES = ("(SELECT * FROM events WHERE side = 0) AS x", "(SELECT * FROM events WHERE side = 1) AS y")
SPARK = {
    "tumbling": "window(ts, '10 seconds')",
    "sliding": "window(ts, '10 seconds', '1 second')",
    "session": "session_window(ts, '800 milliseconds')",
}


def main(rows: int, keys: int, workloads: list[str]) -> None:
    """Measure everything and print it."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master(f"local[{CORES}]").appName("winsql-bench")
    for key, value in SETTINGS.items():
        builder = builder.config(key, value)
    spark = builder.getOrCreate()
    spark.sql(EVENTS.format(rows=rows, keys=keys)).createOrReplaceTempView("events")
    print(f"{rows:,} rows, {keys:,} keys, {CORES} cores")
    print(f"{'workload':16} {'seconds':>8} {'rows/s':>12} {'rows/s/core':>12} {'Spark SQL':>10}")
    for name in workloads:
        queries = [partial(winsql.sql, spark, _windowed(name))]
        if name in SPARK or name == JOIN:
            queries.append(partial(spark.sql, _plain(name)))
        ours, *plain = best(queries)
        beside = f"{ours / plain[0]:>9.2f}x" if plain else f"{'':>10}"
        print(f"{name:16} {ours:8.2f} {rows / ours:12,.0f} {rows / ours / CORES:12,.0f} {beside}", flush=True)
    spark.stop()


def best(queries: list[Callable[[], DataFrame]]) -> list[float]:
    """Seconds of the fastest run of each query, planning included; they take turns. The results go nowhere."""
    seconds = [float("inf")] * len(queries)
    for _ in range(RUNS):
        for number, query in enumerate(queries):
            started = time.perf_counter()
            query().write.format("noop").mode("overwrite").save()
            seconds[number] = min(seconds[number], time.perf_counter() - started)
    return seconds


def _windowed(name: str) -> str:
    if name == JOIN:
        left, right = SIDES
        windows = "TUMBLING((x.ts, y.ts), '10 seconds')"
        return f"SELECT x.k, window_end, x.v + y.v FROM {left} WINDOW JOIN {right} ON x.k = y.k WINDOW ASSIGN {windows}"
    clauses = CLAUSES[name]
    return f"SELECT k, window_start, sum(v) AS total, count(*) AS n FROM events WINDOW ASSIGN {clauses} GROUP BY k"


def _plain(name: str) -> str:
    if name == JOIN:
        left, right = (f"(SELECT *, window(ts, '10 seconds') AS w FROM {side[:-5]}) {side[-4:]}" for side in SIDES)
        return f"SELECT x.k, x.w.end, x.v + y.v FROM {left} JOIN {right} ON x.k = y.k AND x.w = y.w"
    window = SPARK[name]
    windows = f"SELECT k, {window} AS w, sum(v) AS total, count(*) AS n FROM events GROUP BY k, {window}"
    return f"SELECT k, w.start, total, n FROM ({windows})"


if __name__ == "__main__":
    rows, keys = [*map(int, sys.argv[1:3]), *(1_000_000, 10_000)[len(sys.argv[1:3]) :]]
    main(rows, keys, sys.argv[3:] or [*CLAUSES, JOIN])
