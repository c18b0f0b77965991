"""The Spark session that is measured, and one task for it."""

from __future__ import annotations

import os
import sys
from dataclasses import dataclass

from bench.pass_through import pass_through
from bench.workloads import FLOOR, KEYS, PASS_THROUGH, WORKLOADS, Engine, Mode, floor_sql, spark_sql, winsql_sql
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

import winsql
from winsql.model import key_groups

CORES = 2
_KEY_GROUPS = key_groups.FEWEST
SETTINGS = {
    "spark.driver.memory": "4g",
    "spark.driver.host": "127.0.0.1",
    "spark.ui.enabled": "false",
    "spark.ui.showConsoleProgress": "false",
    "spark.sql.session.timeZone": "UTC",
    "spark.sql.shuffle.partitions": str(CORES),
    "spark.sql.streaming.stateStore.providerClass": "org.apache.spark.sql.execution.streaming.state."
    "RocksDBStateStoreProvider",
    # as in the sessions of the winsql command
    "spark.sql.execution.arrow.maxBytesPerBatch": str(2**31 - 1),
    "spark.sql.adaptive.maxShuffledHashJoinLocalMapThreshold": "64MB",
    "spark.sql.streaming.numRecentProgressUpdates": "100000",
    "spark.log.level": "ERROR",
}


@dataclass(frozen=True, slots=True)
class Task:
    """What to measure in one go.

    rows      of the table, or of each micro-batch
    runs      how often; on a stream each run is a query of its own with `batches` micro-batches
    interval  seconds between the starts of two micro-batches; 0: one after the other
    skewed    half of the rows have one key
    steady    on a stream: micro-batches run until they take the same time, before any is counted
    key_groups  of the whole query, at least two in each partition; 0: as winsql has it
    in_order  a single source partition, so that the rows of a key come in one order, and one run without warm-up
    """

    engine: Engine
    mode: Mode
    workload: str
    rows: int
    keys: int = KEYS
    pace: int = 1
    runs: int = 1
    batches: int = 6
    interval: float = 0
    skewed: bool = False
    key_groups: int = 0
    in_order: bool = False
    with_state: bool = False
    steady: bool = False


def open_session(cores: int = CORES) -> SparkSession:
    """A local session; what it starts must not look into other folders for Python."""
    os.environ["PYSPARK_PYTHON"] = sys.executable
    os.environ.setdefault("SPARK_LOCAL_IP", "127.0.0.1")
    builder = SparkSession.builder.master(f"local[{cores}]").appName("winsql-bench")
    for key, value in SETTINGS.items():
        builder = builder.config(key, value)
    return builder.getOrCreate()


def query(spark: SparkSession, task: Task) -> DataFrame:
    """The task's query over the view `events`."""
    if task.workload == FLOOR:
        return spark.sql(floor_sql())
    if task.workload == PASS_THROUGH:
        return pass_through(spark)
    workload = WORKLOADS[task.workload]
    key_groups.FEWEST = task.key_groups or _KEY_GROUPS
    if task.engine is Engine.SPARK:
        return spark.sql(spark_sql(workload))
    return winsql.sql(spark, winsql_sql(workload))


def checksums(whole_rows: bool) -> list[Column]:
    """Result rows and the sums of their columns, without those of the rows that close a stream (their key is -1).

    `latest` reads the last column, so that no engine may leave it out. `whole_rows` adds a number that depends on all
    columns of a row together, the same as FlinkBench.java has.
    """
    mine = F.col("k") >= 0
    sums = [
        F.count_if(mine).alias("results"),
        F.sum(F.when(mine, F.col("total"))).alias("sum"),
        F.sum(F.when(mine, F.col("n"))).alias("count"),
        F.max(F.unix_micros(F.when(mine, F.col("window_end")))).alias("latest"),
    ]
    if whole_rows:
        row = "((k + 1) * (total + 1) * (n + 3) + coalesce(unix_millis(window_end), 0) % 1000003 * 7919) % 1000003"
        sums.append(F.sum(F.when(mine, F.expr(row))).alias("rows_checksum"))
    return sums
