"""Brings winsql's own code to Spark's executors, which need only pyspark, pandas and pyarrow."""

from __future__ import annotations

import atexit
import hashlib
import shutil
import tempfile
import zipfile
from pathlib import Path
from threading import Lock

from pyspark.sql import SparkSession

__all__ = ["code_files", "ship_code"]

_PARTS = ("__init__.py", "errors.py", "model", "runtime", "spark", "planner", "syntax")
"""What Python workers may import: the last two only in the process that runs foreachBatch on Spark Connect."""
_SHIPPED = "spark.winsql.code"
"""Session setting that tells which code a session has been given."""


def ship_code(spark: SparkSession) -> None:
    """Make winsql importable in the session's Python workers; once per session and version of the code."""
    with _ONE_AT_A_TIME:
        _ship(spark)


_ONE_AT_A_TIME = Lock()
"""Spark compares an archive with the one of its name that it has, also while another thread copies that one."""


def _ship(spark: SparkSession) -> None:
    files = code_files()
    digest = _digest(files)
    if spark.conf.get(_SHIPPED, "") == digest:
        return
    folder = Path(tempfile.mkdtemp(prefix="winsql-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)  # executors may ask a classic session for it until then
    archive = folder / f"winsql-{digest}.zip"
    with zipfile.ZipFile(archive, "w") as package:
        for name, content in files.items():
            package.writestr(zipfile.ZipInfo(name), content)
    spark.addArtifacts(str(archive), pyfile=True)
    spark.sql(f"SET {_SHIPPED}={digest}")  # in definitions of a pipeline, spark.conf takes nothing


def code_files() -> dict[str, bytes]:
    """Path inside the archive -> content, of the parts that run in workers."""
    root = Path(__file__).parents[1]
    paths = [path for part in _PARTS for path in _sources(root / part)]
    return {f"winsql/{path.relative_to(root).as_posix()}": path.read_bytes() for path in paths}


def _sources(path: Path) -> list[Path]:
    return sorted(path.rglob("*.py")) if path.is_dir() else [path]


def _digest(files: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in files.items():
        digest.update(name.encode() + b"\0" + content)
    return digest.hexdigest()[:16]
