"""A process with three streaming queries that a test kills: `python killed_query.py FOLDER`.

Reads the files of FOLDER/in one micro-batch each and writes every micro-batch to a file of its own, which a repeated
one replaces. Says `ready` when the queries run; ends when all files are done.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from typing import Any

STATEMENTS = {
    "lateness": "SELECT k, window_start AS w, pane_index AS i, sum(v) AS s FROM events "
    "WINDOW ASSIGN TUMBLING(ts, '10 seconds') ALLOWED LATENESS '5 seconds' GROUP BY k",
    "session": "SELECT k, window_start AS w, window_end AS e, collect_list(n) AS l FROM events "
    "WINDOW ASSIGN SESSION(ts, '3 seconds') GROUP BY k",
    "evicting": "SELECT k, collect_list(n) AS l FROM events WINDOW ASSIGN COUNT(5, 2) GROUP BY k",
}
PROVIDER = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"


def main(folder: Path) -> None:
    """Run the queries to the end of the input."""
    from pyspark.sql import SparkSession

    import winsql

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "1").config("spark.log.level", "ERROR")
    spark = builder.config("spark.sql.streaming.stateStore.providerClass", PROVIDER).getOrCreate()
    source = spark.readStream.schema("k STRING, ts TIMESTAMP, v DOUBLE, n INT").option("maxFilesPerTrigger", 1)
    events = source.parquet(str(folder / "in")).withWatermark("ts", "1 second")
    events.createOrReplaceTempView("events")
    queries = []
    for name, text in STATEMENTS.items():
        (folder / name).mkdir(exist_ok=True)
        writer = winsql.sql(spark, text).writeStream.foreachBatch(_sink(folder / name)).trigger(availableNow=True)
        queries.append(writer.option("checkpointLocation", str(folder / "checkpoints" / name)).start())
    print("ready", flush=True)
    for query in queries:
        query.awaitTermination()


def _sink(folder: Path) -> Any:
    def write(batch: Any, number: int) -> None:
        rows = sorted(str(tuple(row)) for row in batch.collect())
        draft = folder / f".{number:05}"
        draft.write_text("\n".join(rows), encoding="utf-8")
        draft.replace(folder / f"{number:05}.txt")

    return write


if __name__ == "__main__":
    main(Path(sys.argv[1]))
