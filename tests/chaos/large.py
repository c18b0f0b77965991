"""Two million rows of one key: all plans give the same rows, in time and in bounded memory.

The key is in one partition, whose worker holds no more of it than the open windows need.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from bench.memory import Memory
from chaos.hostile import Scene, problem_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_ROWS = "SELECT 'a' AS k, timestamp_millis(id * 7) AS ts, double(id % 1000) AS v, id AS n FROM range(2000000)"
_RANDOM = _ROWS.replace("id * 7", "id * 7919 % 2000000 * 7")
_AT_ONE_TIME = _ROWS.replace("timestamp_millis(id * 7)", "TIMESTAMP'2024-01-01'")
LARGE = [
    (_ROWS, "sum(v) AS a", "TUMBLING(ts, '10 seconds')"),
    (_ROWS, "count(*) AS a, min(v) AS b", "SLIDING(ts, '30 seconds', '10 seconds')"),
    (_ROWS, "sum(v) AS a", "SESSION(ts, '5 seconds')"),
    (_ROWS, "count(*) AS a, sum(n) AS b", "COUNT(100, 10, time => ts)"),
    (_ROWS, "count(*) AS a", "GLOBAL(time => ts) TRIGGER COUNT(3)"),
    (_ROWS, "sum(v) AS a, max(v) AS b", "TUMBLING(ts, '1 hour') EVICT COUNT(100000)"),
    (_ROWS, "count(*) AS a, sum(v) AS b", "SESSION(ts, '1 second') EVICT COUNT(2)"),
    (_ROWS, "size(collect_list(n)) AS a", "SESSION(ts, '1 second')"),
    (_RANDOM, "sum(v) AS a", "SESSION(ts, '5 seconds')"),
    (_RANDOM, "count(*) AS a, sum(n) AS b", "COUNT(100, 10, time => ts)"),
    (_AT_ONE_TIME, "sum(v) AS a, count(*) AS b", "TUMBLING(ts, '10 seconds')"),
    (_AT_ONE_TIME, "count(*) AS a", "COUNT(100000)"),
]
"""A table, aggregates and windows each."""
_MEGABYTES = 4096
"""What the JVM, whose heap has a limit of its own, and all workers may hold together."""


def check_large(spark: SparkSession, count: int, limit: float) -> list[str]:
    """What is wrong with the first so many statements; `limit` is in seconds for a plan of one of them."""
    wrong = []
    for table, results, windows in LARGE[:count]:
        statement = f"SELECT k, {results} FROM hostile WINDOW ASSIGN {windows} GROUP BY k"
        spark.sql(table).createOrReplaceTempView("hostile")
        scene = Scene("one time" if table == _AT_ONE_TIME else "one key", table, statement)
        with Memory() as memory:
            problem = problem_of(spark, scene, limit)
        if problem is None and memory.peaks["peak_mb"] > _MEGABYTES:
            problem = f"took {memory.peaks['peak_mb']} MB"
        if problem is not None:
            wrong.append(f"{problem}\n  {statement}\n  {table}")
    return wrong
