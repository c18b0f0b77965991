"""A process with streaming tables that a test kills: `python killed_query.py FOLDER`.

Reads the files of FOLDER/in_<name>, and of FOLDER/in_<name>_others for the second side of a join, one micro-batch each,
into a table at FOLDER/<name>, which it knows again by its files.
Says `ready` when the streams run; ends when all files are done, and then writes the rows of the tables to
FOLDER/rows.json.
"""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from interpreted import INTERPRETED

_STATEMENTS = {
    "lateness": "SELECT k, window_start AS w, pane_index AS i, sum(v) AS s FROM events "
    "WINDOW ASSIGN TUMBLING(ts, '10 seconds') ALLOWED LATENESS '5 seconds' LATE INTO too_late GROUP BY k",
    "session": "SELECT k, window_start AS w, window_end AS e, collect_list(n) AS l FROM events "
    "WINDOW ASSIGN SESSION(ts, '3 seconds') GROUP BY k",
    "evicting": "SELECT k, collect_list(n) AS l FROM events WINDOW ASSIGN COUNT(5, 2) GROUP BY k",
    "joined": "SELECT x.k, x.n, y.n AS m, window_start AS w, pane_index AS i FROM events x "
    "LEFT WINDOW JOIN (SELECT k, ts, n FROM others WHERE n % 3 = 0) y ON x.k = y.k AND x.n <> y.n "
    "WINDOW ASSIGN TUMBLING((x.ts, y.ts), '5 seconds') ALLOWED LATENESS '3 seconds'",
}
STATEMENTS = {name: _STATEMENTS[name] for name in os.environ.get("WINSQL_KILLED", ",".join(_STATEMENTS)).split(",")}
"""Those that run; the first is always among them."""
TABLES = (*STATEMENTS, "too_late")
"""The last one has the late rows of the first."""
PROVIDER = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"


def main(folder: Path) -> None:
    """Run the streams to the end of the input."""
    from pyspark.sql import SparkSession

    import winsql

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    builder = builder.config("spark.ui.showConsoleProgress", "false")
    builder = builder.config("spark.sql.shuffle.partitions", "1").config("spark.log.level", "ERROR")
    builder = builder.config(map=INTERPRETED)
    builder = builder.config("spark.sql.warehouse.dir", str(folder / "warehouse"))
    spark = builder.config("spark.sql.streaming.stateStore.providerClass", PROVIDER).getOrCreate()
    for name, query in STATEMENTS.items():
        for view, files in {"events": f"in_{name}", "others": f"in_{name}_others"}.items():
            source = spark.readStream.schema("k STRING, ts TIMESTAMP, v DOUBLE, n INT").option("maxFilesPerTrigger", 1)
            source.parquet(str(folder / files)).withWatermark("ts", "1 second").createOrReplaceTempView(view)
        options = f"OPTIONS (path '{folder / name}', trigger 'available now')"
        winsql.sql(spark, f"CREATE STREAMING TABLE {name} {options} AS {query}")
    print("ready", flush=True)
    for name in STATEMENTS:
        winsql.sql(spark, f"AWAIT STREAM {name}")
    rows = {table: sorted(str(tuple(row)) for row in spark.table(table).collect()) for table in TABLES}
    (folder / "rows.json").write_text(json.dumps(rows), encoding="utf-8")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
