"""A process that runs the statements that it reads, a line of JSON each: `python started_twice.py FOLDER`.

Answers each with what came of it. An empty one lets its streams read all that is there, and stops them.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

from interpreted import INTERPRETED


def main(folder: Path) -> None:
    """Answer until the input ends: what CREATE says, or the error."""
    spark = _session(folder)
    source = spark.readStream.schema("k STRING, ts TIMESTAMP, v DOUBLE, n INT").option("maxFilesPerTrigger", 1)
    source.parquet(str(folder / "in")).withWatermark("ts", "1 second").createOrReplaceTempView("events")
    print("ready", flush=True)
    for line in sys.stdin:
        print(json.dumps(_answer(spark, json.loads(line))), flush=True)


def _answer(spark: SparkSession, statement: str) -> str:
    import winsql
    from winsql.errors import WinsqlError

    try:
        if statement:
            return str(winsql.sql(spark, statement).collect()[0][1])
        for query in spark.streams.active:
            query.processAllAvailable()
            winsql.sql(spark, f"STOP STREAM {query.name}")
        return "stopped"
    except WinsqlError as error:
        return f"{type(error).__name__}: {error.problem}"
    except Exception as error:  # noqa: BLE001 - any other one is a mistake, and is shown
        return f"not winsql's: {type(error).__name__}: {str(error)[:2000]}"


def _session(folder: Path) -> SparkSession:
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "1").config("spark.log.level", "ERROR")
    builder = builder.config("spark.ui.showConsoleProgress", "false").config("spark.sql.session.timeZone", "UTC")
    builder = builder.config("spark.sql.warehouse.dir", str(folder / "warehouse"))
    builder = builder.config(map=INTERPRETED)
    provider = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
    return builder.config("spark.sql.streaming.stateStore.providerClass", provider).getOrCreate()


if __name__ == "__main__":
    main(Path(sys.argv[1]))
