"""Tasks that fail and are tried again: the micro-batch gives the same rows in the same order as without a failure."""

from __future__ import annotations

import os
import random
import subprocess
import sys
from pathlib import Path

import pytest
from streaming import Event, Source

HERE = Path(__file__).resolve().parent

PROGRAM = """
import os
import sys
from pyspark.sql import SparkSession
import winsql

folder = sys.argv[1]
builder = SparkSession.builder.master("local[2,3]").config("spark.ui.enabled", "false")
settings = {
    "spark.driver.host": "127.0.0.1",
    "spark.log.level": "OFF",
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.streaming.stateStore.providerClass":
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
}
for name, value in settings.items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()

STATEMENT = '''
SELECT 'per row' AS q, k, i, l FROM (
  SELECT k, pane_index AS i, CAST(collect_list(n) AS STRING) AS l, max(n) AS m
  FROM (SELECT * FROM t WHERE {fails}('source', n))
  WINDOW ASSIGN TUMBLING(ts, '10 seconds') TRIGGER ANY(COUNT(3), EVENT_TIME()) ALLOWED LATENESS '5 seconds'
  GROUP BY k
) WHERE {fails}('per row', m)
UNION ALL
SELECT 'columnar', k, i, l FROM (
  SELECT k, pane_index AS i, CAST(count(*) AS STRING) AS l, max(n) AS m FROM t
  WINDOW ASSIGN SLIDING(ts, '20 seconds', '10 seconds')
  GROUP BY k
) WHERE {fails}('columnar', m)
'''
FROM = {"source": 25, "per row": 30, "columnar": 35}
# the first row of this number or a later one fails, once; numbers are file * 20 + place in it


def fails(place, n):
    if n >= FROM[place] and not os.path.exists(f"{folder}/{place}.failed"):
        open(f"{folder}/{place}.failed", "w").close()
        raise RuntimeError(f"{place} stumbles over {n}")
    return True


spark.udf.register("fails", fails, "BOOLEAN")
spark.udf.register("calm", lambda place, n: True, "BOOLEAN")
source = spark.readStream.schema("k STRING, ts TIMESTAMP, v DOUBLE, n INT").option("maxFilesPerTrigger", 1)
source.parquet(folder + "/in").withWatermark("ts", "1 second").createOrReplaceTempView("t")


def rows_of(name):
    rows = []
    frame = winsql.sql(spark, STATEMENT.format(fails=name))
    sink = lambda batch, number: rows.extend((number, *row) for row in batch.collect())
    writer = frame.writeStream.foreachBatch(sink).trigger(availableNow=True)
    writer.option("checkpointLocation", f"{folder}/{name}").start().awaitTermination()
    return rows


expected = rows_of("calm")
assert {q for _, q, *_ in expected} == {"per row", "columnar"}, expected
found = rows_of("fails")
assert found == expected, (found, expected)
print("rows", len(found))
"""


@pytest.mark.slow
@pytest.mark.spark
def test_a_failed_task_leaves_no_trace(tmp_path: Path) -> None:
    Source(tmp_path / "in").put(*_events())
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    environment["PYTHONPATH"] = os.pathsep.join([str(HERE.parents[1]), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, str(program), str(tmp_path)]
    run = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=550, check=False
    )
    assert run.returncode == 0, run.stderr[-3000:]
    assert int(run.stdout.split()[1]) > 15
    assert sorted(path.stem for path in tmp_path.glob("*.failed")) == ["columnar", "per row", "source"]


def _events() -> list[list[Event]]:
    """Files of twenty rows of four keys, out of order and some of them late."""
    rng = random.Random(11)
    return [
        [("abcd"[i % 4], round(file * 8 + rng.uniform(-6, 8), 3), 1.0, file * 20 + i) for i in range(20)]
        for file in range(3)
    ]
