"""Options of the JVMs that tests start, also those of other processes: each lives for seconds or a few minutes.

`python tests/java_options.py` runs a stream, and keeps the classes that its JVM has read and checked, in a file of the
environment. With it a JVM of the tests starts in half the time.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path
from tempfile import TemporaryDirectory

_OPTIONS = "-XX:TieredStopAtLevel=1 -XX:+UseSerialGC -XX:ReservedCodeCacheSize=240m"
"""The optimizing compiler and a parallel garbage collector cost more than they give, together a third of all CPU time.
Without that compiler Java makes room for 48 MB of compiled code only, and spends a sixth of the time on sweeping it."""
_CLASSES = Path(sys.prefix, "java-classes.jsa")
_QUIET = "-Xlog:cds*=off -Xlog:class+path=off"
"""A JVM with another class path than that of the file does not read it, and would say so."""


def set_java_options() -> None:
    """For this process and those that it starts. A value of yours counts."""
    shared = f' {_QUIET} "-XX:SharedArchiveFile={_CLASSES}"' if _CLASSES.exists() else ""
    os.environ.setdefault("SPARK_SUBMIT_OPTS", _OPTIONS + shared)
    os.environ.setdefault("SPARK_LAUNCHER_OPTS", _OPTIONS)


def _keep_classes() -> None:
    """The JVM writes the file when it ends, which it does when nobody is left to speak to it."""
    from chaos.queries import QUERIES, declare, new_session

    os.environ["SPARK_SUBMIT_OPTS"] = f'{_OPTIONS} {_QUIET} "-XX:ArchiveClassesAtExit={_CLASSES}"'
    with TemporaryDirectory() as name:
        folder = Path(name)
        spark = new_session(folder)
        for rows in ("in", "in_others"):
            spark.sql(f"INSERT OVERWRITE DIRECTORY '{folder / rows}' USING parquet {_ROWS}")
        declare(spark, folder)
        import winsql

        winsql.sql(spark, QUERIES["cascade"].create("classes", folder / "classes"))
        winsql.sql(spark, "AWAIT STREAM classes")
        java = spark.sparkContext._gateway.proc
        spark.stop()
        java.stdin.close()
        java.wait(_LONGEST)


_LONGEST = 120.0
_ROWS = "SELECT 'a' AS k, timestamp_seconds(id) AS ts, CAST(id AS DOUBLE) AS v, CAST(id AS INT) AS n FROM range(100)"


if __name__ == "__main__":
    _keep_classes()
