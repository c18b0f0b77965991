"""What a client without a JVM does: one function per use. `python client_program.py URL FOLDER` runs all of them.

pyspark-client and winsql are in its environment; the server, in another process, has no winsql.
"""

from __future__ import annotations

import sqlite3
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

import pandas as pd
from pyspark.sql import SparkSession

import winsql

ROCKSDB = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
STREAM = "STREAM rows WATERMARK ts DELAY OF INTERVAL 0 SECONDS"
FIVES = f"SELECT k, sum(v) AS n FROM {STREAM} WINDOW ASSIGN COUNT(5) GROUP BY k"
SUMS = [(0, 20), (0, 70), (1, 25), (1, 75)]
USES: list[Callable[[SparkSession, Path], None]] = []


def use(function: Callable[[SparkSession, Path], None]) -> None:
    USES.append(function)


def rows(spark: SparkSession, text: str) -> list[tuple[object, ...]]:
    return sorted(tuple(row) for row in winsql.sql(spark, text).collect())


@use
def there_is_no_jvm(spark: SparkSession, folder: Path) -> None:
    assert find_spec("py4j") is None


@use
def sql_and_parameters(spark: SparkSession, folder: Path) -> None:
    assert rows(spark, "SELECT k, sum(v) AS n FROM rows WINDOW ASSIGN COUNT(5, time => ts) GROUP BY k") == SUMS
    text = "SELECT k, count(*) AS n FROM rows WINDOW ASSIGN TUMBLING(ts, :size) GROUP BY k"
    assert winsql.sql(spark, text, {"size": "1 day"}).count() == 2
    assert "COUNT" in winsql.explain(spark, "SELECT count(*) FROM rows WINDOW ASSIGN COUNT(5)")


@use
def register(spark: SparkSession, folder: Path) -> None:
    winsql.register(spark)
    spark.sql("SELECT k, count(*) AS n FROM rows WINDOW ASSIGN COUNT(5) GROUP BY k").createOrReplaceTempView("counted")
    assert spark.table("counted").count() == 4
    assert spark.sql("SELECT session_windows(ts, INTERVAL 1 MINUTE) AS s FROM rows").count() == 1
    winsql.unregister(spark)


@use
def functions_of_python(spark: SparkSession, folder: Path) -> None:
    def firsts(key, window, frame):
        return pd.DataFrame({"k": [key[0]], "v": [frame["v"].iloc[0]]})

    @dataclass(frozen=True, slots=True)
    class Rise(winsql.Trigger):
        expr: winsql.Operand = winsql.parameter(winsql.Kind.EXPRESSION)

        def on_element(self, row, timestamp, ctx):
            value, before = self.expr.of(row), ctx.get("before")
            ctx.put("before", value)
            return winsql.Decision.FIRE if before is not None and value > before else winsql.Decision.CONTINUE

        def clear(self, ctx):
            ctx.drop("before")

    winsql.register_apply_function("firsts", firsts, returns="k BIGINT, v BIGINT")
    winsql.register_trigger("rise", Rise)
    applied = [(0, 0), (0, 10), (1, 1), (1, 11)]
    assert rows(spark, "SELECT * FROM rows WINDOW ASSIGN COUNT(5, time => ts) PARTITION BY k APPLY firsts") == applied
    assert started(
        spark, folder / "a", f"SELECT * FROM {STREAM} WINDOW ASSIGN COUNT(5) PARTITION BY k APPLY firsts"
    ) == (applied)
    risen = "SELECT max(v) AS n FROM rows WINDOW ASSIGN GLOBAL(ts) TRIGGER RISE(v)"
    assert rows(spark, risen) == [(n,) for n in range(1, 20)]
    assert started(spark, folder / "r", risen.replace("rows", STREAM)) == [(n,) for n in range(1, 20)]


def started(spark: SparkSession, folder: Path, text: str) -> list[tuple[object, ...]]:
    """What a streaming query writes."""
    writer = winsql.sql(spark, text).writeStream.trigger(availableNow=True).format("parquet")
    query = writer.option("checkpointLocation", str(folder / "c")).option("path", str(folder / "o")).start()
    assert query.awaitTermination(240)
    return sorted(tuple(row) for row in spark.read.parquet(str(folder / "o")).collect())


@use
def streams_and_their_state(spark: SparkSession, folder: Path) -> None:
    threes = f"SELECT k, sum(v) AS n FROM {STREAM} WINDOW ASSIGN COUNT(3) GROUP BY k"
    assert len(started(spark, folder / "s", threes)) == 6
    assert [row.row_count for row in winsql.state(spark, str(folder / "s" / "c")).collect()] == [None, None]


@use
def for_each_batch(spark: SparkSession, folder: Path) -> None:
    path = str(folder / "batches")

    def keep(rows, late_rows, batch_id):
        rows.write.mode("append").parquet(path)

    writer = winsql.for_each_batch(spark, FIVES, keep).trigger(availableNow=True)
    assert writer.option("checkpointLocation", str(folder / "b")).start().awaitTermination(240)
    assert sorted(tuple(row) for row in spark.read.parquet(path).collect()) == SUMS


@use
def streaming_tables(spark: SparkSession, folder: Path) -> None:
    winsql.sql(spark, f"CREATE STREAMING TABLE fives OPTIONS (trigger 'available now') AS {FIVES}")
    winsql.sql(spark, "AWAIT STREAM fives")
    assert rows(spark, "SELECT * FROM fives") == SUMS
    assert winsql.sql(spark, "SHOW STREAMS").first()[0].endswith("fives")
    assert winsql.sql(spark, "SHOW WINDOW STATE OF fives").columns
    winsql.sql(spark, "DROP TABLE fives")


@use
def views_and_sinks(spark: SparkSession, folder: Path) -> None:
    spark.table("rows").coalesce(1).write.json(str(folder / "json"))
    winsql.sql(
        spark,
        f"CREATE STREAMING VIEW declared (k BIGINT, ts TIMESTAMP, v BIGINT) USING json OPTIONS (path '{folder}/json') "
        "WATERMARK ts DELAY OF INTERVAL 0 SECONDS",
    )
    database = folder / "fives.db"
    winsql.sql(
        spark,
        f"CREATE STREAM kept INTO sqlite OPTIONS (path '{database}', table 'fives', create 'true', "
        "trigger 'available now') AS SELECT k, sum(v) AS n FROM declared WINDOW ASSIGN COUNT(5) GROUP BY k",
    )
    winsql.sql(spark, "AWAIT STREAM kept")
    with sqlite3.connect(database) as connection:
        assert connection.execute("SELECT k, n FROM fives ORDER BY k, n").fetchall() == SUMS
    winsql.sql(spark, "DROP STREAMING VIEW declared")


@use
def timeline(spark: SparkSession, folder: Path) -> None:
    text = "SELECT k, count(*) FROM rows WINDOW ASSIGN TUMBLING(ts, '5 minutes') GROUP BY k"
    assert "<svg" in winsql.timeline(spark, text)._repr_html_()


@use
def notebook(spark: SparkSession, folder: Path) -> None:
    from IPython.core.interactiveshell import InteractiveShell

    shell = InteractiveShell.instance()
    shell.user_ns["spark"] = spark
    shell.run_line_magic("load_ext", "winsql")
    shell.run_cell("kept = %winsql SELECT k, sum(v) AS n FROM rows WINDOW ASSIGN COUNT(5, time => ts) GROUP BY k")
    assert sorted(tuple(row) for row in shell.user_ns["kept"].collect()) == SUMS


@use
def what_needs_a_jvm_says_so(spark: SparkSession, folder: Path) -> None:
    from winsql.shell.cli import main

    assert main(["serve", "--port", "0"]) == 1


@use
def the_command(spark: SparkSession, folder: Path) -> None:
    from winsql.shell.cli import main

    winsql.sql(spark, "CREATE TABLE for_command USING parquet AS SELECT * FROM rows")
    text = "SELECT k, sum(v) AS n FROM for_command WINDOW ASSIGN COUNT(5, time => ts) GROUP BY k ORDER BY k, n"
    assert main(["--remote", sys.argv[1], "-S", "-e", text]) == 0


def run(url: str, folder: Path) -> None:
    builder = SparkSession.builder.remote(url).config("spark.sql.streaming.stateStore.providerClass", ROCKSDB)
    spark = (
        builder.config("spark.sql.shuffle.partitions", "2").config("spark.sql.session.timeZone", "UTC").getOrCreate()
    )
    spark.sql(
        "CREATE TABLE rows USING parquet AS SELECT id % 2 AS k, timestamp_micros(id * 60000000) AS ts, id AS v "
        "FROM range(0, 20, 1, 1)"
    )
    for function in USES:
        function(spark, folder)
        print("done:", function.__name__, flush=True)
    assert "py4j" not in sys.modules
    print("all done")


if __name__ == "__main__":
    run(sys.argv[1], Path(sys.argv[2]))
