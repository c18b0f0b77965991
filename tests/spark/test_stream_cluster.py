"""A streaming query on executors of their own, which get winsql's code with the session."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from streaming import Source
from test_cluster import HIDING, ROOT

HERE = Path(__file__).resolve().parent

PROGRAM = """
import os
import signal
import sys
from pyspark.sql import SparkSession

root, hiding, folder = sys.argv[1:]
sys.path.insert(0, root)
settings = {
    "spark.ui.enabled": "false",
    "spark.driver.host": "127.0.0.1",
    "spark.executorEnv.PYTHONPATH": hiding,
    "spark.executor.extraJavaOptions": os.environ["SPARK_SUBMIT_OPTS"],
    "spark.sql.shuffle.partitions": "2",
    "spark.sql.streaming.stateStore.providerClass":
        "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider",
}
builder = SparkSession.builder.master("local-cluster[2,1,1024]")
for name, value in settings.items():
    builder = builder.config(name, value)
spark = builder.getOrCreate()
import winsql

source = spark.readStream.schema("k STRING, ts TIMESTAMP, v DOUBLE, n INT").option("maxFilesPerTrigger", 1)
source.parquet(folder + "/in").withWatermark("ts", "0 seconds").createOrReplaceTempView("t")


def parent(pid):
    return int(open(f"/proc/{pid}/stat").read().rpartition(")")[2].split()[1])


def deadly(total):  # ends the executor once, when the operator has fired: the parent of the daemon above this worker
    executor = parent(os.getppid())
    assert b"CoarseGrainedExecutorBackend" in open(f"/proc/{executor}/cmdline", "rb").read()
    if total == 4.0 and not os.path.exists(folder + "/killed"):
        open(folder + "/killed", "x").close()
        os.kill(executor, signal.SIGKILL)
    return True


def rows_of(name, where):
    statement = "SELECT k, sum(v) AS s FROM t WINDOW ASSIGN SESSION(ts, '10 seconds') GROUP BY k"
    frame = winsql.sql(spark, f"SELECT * FROM ({statement}) WHERE {where}")
    writer = frame.writeStream.format("json").option("path", folder + "/out/" + name).trigger(availableNow=True)
    writer.option("checkpointLocation", folder + "/checkpoint/" + name).start().awaitTermination()
    rows = spark.read.schema("k STRING, s DOUBLE").json(folder + "/out/" + name).collect()
    assert winsql.state(spark, folder + "/checkpoint/" + name).count() == 1
    return sorted((row.k, row.s) for row in rows)


spark.udf.register("deadly", deadly, "BOOLEAN")
assert rows_of("calm", "true") == [("a", 4.0), ("b", 2.0), ("c", 6.0)]
assert not os.path.exists(folder + "/killed")
assert rows_of("killed", "deadly(s)") == [("a", 4.0), ("b", 2.0), ("c", 6.0)]
assert os.path.exists(folder + "/killed")
print("done")
"""


@pytest.mark.slow
@pytest.mark.spark
def test_a_stream_on_executors_without_winsql_and_one_of_them_killed(tmp_path: Path) -> None:
    source = Source(tmp_path / "in")
    source.put([("a", 1, 1.0, 0), ("b", 2, 2.0, 1)], [("a", 8, 3.0, 2), ("c", 100, 6.0, 3)], [("z", 1000, 1.0, 4)])
    program = tmp_path / "program.py"
    program.write_text(PROGRAM)
    hiding = tmp_path / "hiding"
    hiding.mkdir()
    (hiding / "sitecustomize.py").write_text(HIDING)
    environment = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "SPARK_HOME")}
    environment |= {"PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    command = [sys.executable, str(program), str(ROOT), str(hiding), str(tmp_path)]
    run = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=550, check=False
    )
    assert run.returncode == 0, run.stderr[-3000:]
    assert "done" in run.stdout
