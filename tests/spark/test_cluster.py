"""Executors of their own: winsql's code reaches them with the session, nothing is installed there."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]

# The package is on the path of the driver only; the first query proves that executors do not see it by themselves.
PROGRAM = """
import os
import sys
from pyspark.sql import SparkSession

spark = (SparkSession.builder.master("local-cluster[2,1,1024]").config("spark.ui.enabled", "false")
         .config("spark.driver.host", "127.0.0.1")
         .config("spark.executor.extraJavaOptions", os.environ["SPARK_SUBMIT_OPTS"])
         .config("spark.executorEnv.PYTHONPATH", sys.argv[2]).config("spark.sql.shuffle.partitions", "2").getOrCreate())

def sees_winsql(batches):
    import importlib.util
    import pyarrow as pa
    for batch in batches:
        yield pa.RecordBatch.from_pydict({"seen": [importlib.util.find_spec("winsql") is not None]})

def seen():
    return {row.seen for row in spark.range(0, 4, 1, 2).mapInArrow(sees_winsql, "seen BOOLEAN").collect()}

assert seen() == {False}, "winsql is installed where the executors run"
sys.path.insert(0, sys.argv[1])
import winsql

spark.sql("SELECT timestamp_micros(id) AS ts, id % 3 AS k, id AS v FROM range(90)").createOrReplaceTempView("t")
rows = winsql.sql(spark, "SELECT k, sum(v) FROM t WINDOW ASSIGN COUNT(10) GROUP BY k").collect()
assert len(rows) == 9, rows
rows = winsql.sql(spark, "SELECT k, histogram_numeric(v, 9) FROM t WINDOW ASSIGN COUNT(10, 5) GROUP BY k").collect()
assert len(rows) == 18, rows

winsql.register(spark)
found = spark._jsparkSession.sql("SELECT k, sum(v) FROM t WINDOW ASSIGN COUNT(10) GROUP BY k").collectAsList()
assert len(found) == 9, found
(merged,) = spark.sql("SELECT session_windows(ts, INTERVAL 1 SECOND) FROM t").first()
assert len(merged) == 1, merged

spark.sql("CREATE GLOBAL TEMPORARY VIEW g AS SELECT k, sum(v) FROM t WINDOW ASSIGN COUNT(10) GROUP BY k")
other = spark.newSession()
assert other.table("global_temp.g").count() == 9
winsql.register(other)
other.sql("SELECT timestamp_micros(id) AS ts FROM range(20)").createOrReplaceTempView("t")
assert other.sql("SELECT count(*) FROM t WINDOW ASSIGN COUNT(10)").count() == 2
print("done", len(seen()))
"""

# found by the executors' Python when it starts: takes away the path of a source tree that is installed as editable
HIDING = """
import os, sys
sys.path[:] = [path for path in sys.path if not os.path.isdir(os.path.join(path, "winsql"))]
"""


@pytest.mark.slow
@pytest.mark.spark
def test_executors_without_winsql(tmp_path: Path) -> None:
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    hiding = tmp_path / "hiding"
    hiding.mkdir()
    (hiding / "sitecustomize.py").write_text(HIDING)
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "SPARK_HOME")}
    environment |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [sys.executable, str(program), str(ROOT), str(hiding)]
    run = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=550, check=False
    )
    assert run.returncode == 0, run.stderr[-3000:]
    assert "done" in run.stdout
