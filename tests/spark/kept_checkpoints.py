"""Streams whose checkpoints are kept, one archive per version of winsql: later versions must go on from them.

Before a release, `python tests/spark/kept_checkpoints.py` writes that of the version at hand, which is never written
again.
"""

from __future__ import annotations

import json
import re
import shutil
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession
    from streaming import Event

ARCHIVES = Path(__file__).resolve().parent / "checkpoints"
VIEW, GIVEN = "kept", "given.json"
BEFORE: list[list[Event]] = [
    [("a", 1, 1.0, 1), ("a", 2, 2.5, 2), ("b", 3, 4.0, 3), (None, 4, 8.0, 4)],
    [("a", 12, 16.0, 5), ("b", 14, 32.0, 6), ("a", 15, 64.0, 7)],
]
"""What has arrived when the checkpoint is kept: windows are open, keys wait for more rows, one window has fired."""
AFTER: list[Event] = [("a", 16, 0.5, 8), ("b", 17, 0.25, 9), ("end", 1_000, 0.0, 10)]
DELAY = "5 seconds"
STATEMENTS = {
    "tumbling": "SELECT k, sum(v), count(*) FROM {v} WINDOW ASSIGN TUMBLING(ts, '20 seconds') GROUP BY k",
    "sliding": "SELECT k, max(n), avg(v) FROM {v} WINDOW ASSIGN SLIDING(ts, '20 seconds', '5 seconds') GROUP BY k",
    "session": "SELECT k, sum(n), window_start FROM {v} WINDOW ASSIGN SESSION(ts, '5 seconds') GROUP BY k",
    "count": "SELECT k, collect_list(n) FROM {v} WINDOW ASSIGN COUNT(3, time => ts) GROUP BY k",
    "early": (
        "SELECT k, sum(n), pane_index FROM {v} WINDOW ASSIGN TUMBLING(ts, '20 seconds') "
        "TRIGGER ANY(COUNT(2), EVENT_TIME()) EVICT COUNT(2) GROUP BY k"
    ),
    "lasting": (
        "SELECT k, sum(v), pane_timing FROM {v} WINDOW ASSIGN TUMBLING(ts, '10 seconds') "
        "ALLOWED LATENESS '1 minute' GROUP BY k"
    ),
    "rows": "SELECT k, n FROM {v} WINDOW ASSIGN SESSION(ts, '5 seconds') PARTITION BY k",
    "global": "SELECT k, sum(n) FROM {v} WINDOW ASSIGN GLOBAL(ts) TRIGGER PURGING(COUNT(3)) GROUP BY k",
    "join": (
        "SELECT l.k, l.n, r.n AS m FROM {v} l WINDOW JOIN {v} r ON l.k = r.k "
        "WINDOW ASSIGN TUMBLING((l.ts, r.ts), '20 seconds')"
    ),
    "function": (
        "SELECT k, window_end, count(*) FROM TABLE(HOP(TABLE {v}, DESCRIPTOR(ts), INTERVAL 5 SECONDS, "
        "INTERVAL 20 SECONDS)) GROUP BY k, window_start, window_end"
    ),
}


def unpack(archive: Path, folder: Path) -> None:
    """Spark notes where the schemas of its state are: here now."""
    shutil.unpack_archive(archive, folder)
    for path in folder.glob("*/*/state/*/_metadata/v2/[0-9]*"):
        path.write_text(re.sub(r'file:[^"]*?/kept/', f"file:{folder}/", path.read_text()))
        path.with_name(f".{path.name}.crc").unlink()


def write(spark: SparkSession, folder: Path, archive: Path) -> None:
    """Run the streams over what has arrived; keep their checkpoints and the rows that they have given."""
    from streaming import Source, run_sql

    source = Source(folder / "in")
    source.put(*BEFORE)
    source.stream(spark, VIEW, DELAY)
    given = {}
    for name, statement in STATEMENTS.items():
        (given[name],) = run_sql(spark, [statement.format(v=VIEW)], folder / "kept" / name)
    (folder / "kept" / GIVEN).write_text(json.dumps(given))
    shutil.make_archive(str(archive), "zip", folder / "kept")


def main() -> None:
    sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
    from conftest import SETTINGS
    from pyspark.sql import SparkSession

    import winsql

    version = winsql.__version__.partition(".dev")[0]
    archive = ARCHIVES / f"{version}.zip"
    if archive.exists():
        sys.exit(f"{archive.name} is there already")
    builder = SparkSession.builder.master("local[1]")
    for name, value in {**SETTINGS, "spark.sql.shuffle.partitions": "1"}.items():
        builder = builder.config(name, value)
    with tempfile.TemporaryDirectory(prefix="kept-") as folder:
        write(builder.getOrCreate(), Path(folder), archive.with_suffix("").with_name(version))


if __name__ == "__main__":
    main()
