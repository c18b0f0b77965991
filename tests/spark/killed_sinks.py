"""A process with streams into sinks that a test kills: `python killed_sinks.py FOLDER URL`.

As killed_query.py: reads the files of FOLDER/in_<name> into the sink <name>, its checkpoint in FOLDER/<name>; URL is
that of a PostgreSQL server. Says `ready` when the streams run; ends when all files are done.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

from interpreted import INTERPRETED

QUERY = (
    "SELECT k, window_start AS w, pane_index AS i, sum(v) AS s FROM events_{name} "
    "WINDOW ASSIGN TUMBLING(ts, '10 seconds') ALLOWED LATENESS '5 seconds' GROUP BY k"
)
NAMES = ("files", "sqlite", "postgres", "xml")
PROVIDER = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"


def sinks(folder: Path, url: str) -> dict[str, str]:
    """The INTO of each stream, and its LATE INTO."""
    tables = "table '{}', create 'true'"
    return {
        "files": f"parquet OPTIONS (path '{folder}/files/rows'{{}}) "
        f"LATE INTO parquet OPTIONS (path '{folder}/files/late')",
        "sqlite": f"sqlite OPTIONS (path '{folder}/sqlite.db', {tables.format('results')}{{}}) "
        "LATE INTO sqlite OPTIONS (table 'late')",
        "postgres": f"postgres OPTIONS (url '{url}', {tables.format('results')}{{}}) "
        "LATE INTO postgres OPTIONS (table 'late')",
        "xml": f"xml OPTIONS (path '{folder}/xml/rows', rowTag 'r'{{}}) "
        f"LATE INTO xml OPTIONS (path '{folder}/xml/late')",
    }


def main(folder: Path, url: str) -> None:
    """Run the streams to the end of the input."""
    from pyspark.sql import SparkSession

    import winsql

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "1").config("spark.log.level", "ERROR")
    builder = builder.config(map=INTERPRETED)
    builder = builder.config("spark.sql.warehouse.dir", str(folder / "warehouse"))
    spark = builder.config("spark.sql.streaming.stateStore.providerClass", PROVIDER).getOrCreate()
    for name, into in sinks(folder, url).items():
        source = spark.readStream.schema("k STRING, ts TIMESTAMP, v DOUBLE, n INT").option("maxFilesPerTrigger", 1)
        source = source.parquet(str(folder / f"in_{name}")).withWatermark("ts", "1 second")
        source.createOrReplaceTempView(f"events_{name}")
        options = f", checkpointLocation '{folder}/{name}/_checkpoint', trigger 'available now'"
        winsql.sql(spark, f"CREATE STREAM {name} INTO {into.format(options)} AS {QUERY.format(name=name)}")
    print("ready", flush=True)
    for name in NAMES:
        winsql.sql(spark, f"AWAIT STREAM {name}")


if __name__ == "__main__":
    main(Path(sys.argv[1]), sys.argv[2])
