"""Brings winsql's own code to Spark's executors, which need only pyspark, pandas and pyarrow.

Sources are shipped with their byte code: each worker would compile them anew, as Python caches nothing for an archive.
A worker with another version of Python takes the sources.
"""

from __future__ import annotations

import hashlib
import io
import marshal
import zipfile
from collections.abc import Iterator
from importlib.machinery import SourceFileLoader
from importlib.util import MAGIC_NUMBER, source_hash
from pathlib import Path
from threading import Lock
from typing import Any
from weakref import WeakKeyDictionary

from pyspark.sql import SparkSession

from winsql.errors import WindowPlanError
from winsql.spark.temporary_folder import temporary_folder
from winsql.spark.versions.java_errors import Py4JJavaError

_PARTS = ("__init__.py", "errors.py", "model", "runtime", "spark", "planner", "syntax")
"""What Python workers may import: the last two only in the process that runs foreachBatch on Spark Connect."""
_IN_EACH_WORKER = (
    *("winsql/__init__", "winsql/errors", "winsql/model/", "winsql/runtime/"),
    *("winsql/spark/__init__", "winsql/spark/workers/", "winsql/spark/streaming/"),
)
_SHIPPED = "spark.winsql.code"
"""Setting of a session of Spark Connect, with the digest of the code that it has been given."""
_GIVEN: WeakKeyDictionary[Any, str] = WeakKeyDictionary()
"""The same by SparkContext: all classic sessions of one share what any of them is given."""


def ship_code(spark: SparkSession) -> None:
    """Make winsql importable in the session's Python workers; once per version of the code."""
    with _ONE_AT_A_TIME:
        _ship(spark)


_ONE_AT_A_TIME = Lock()
"""Spark compares an archive with the one of its name that it has, also while another thread copies that one."""


def _ship(spark: SparkSession) -> None:
    files = code_files()
    digest = _digest(files)
    context = getattr(spark, "sparkContext", None)  # Spark Connect has none
    given = spark.conf.get(_SHIPPED, "") if context is None else _GIVEN.get(context)
    if given == digest:
        return
    if digest not in _ARCHIVES:
        _ARCHIVES[digest] = packed(files)
    archive = _written(digest)
    try:
        spark.addArtifacts(archive, pyfile=True)
    except Py4JJavaError as error:
        raise _not_given(str(error.java_exception.toString()).partition("\n")[0]) from None
    if context is None:
        spark.sql(f"SET {_SHIPPED}={digest}")  # in definitions of a pipeline, spark.conf takes nothing
    else:
        _GIVEN[context] = digest


def _written(digest: str) -> str:
    """The path of the archive."""
    try:
        folder = temporary_folder()  # executors may ask a classic session for what is in it
        archive = folder / f"{folder.name}-{digest}.zip"  # executors take no second one of a name from another path
        archive.write_bytes(_ARCHIVES[digest])
    except OSError as error:
        raise _not_given(error.strerror or str(error)) from None
    return str(archive)


def _not_given(said: str) -> WindowPlanError:
    return WindowPlanError(
        f"Spark's workers cannot be given winsql's code: {said}",
        rule="it passes through the folders for temporary files: that of Python (TMPDIR), then Spark's "
        "(spark.local.dir)",
        hint="make room there and run the statement again, or start with other folders",
    )


_ARCHIVES: dict[str, bytes] = {}
"""By the digest of their sources."""


def packed(files: dict[str, bytes]) -> bytes:
    """An archive of these sources and their byte code."""
    archive = io.BytesIO()
    with zipfile.ZipFile(archive, "w") as package:
        for name, content in (*files.items(), *_compiled(files)):
            package.writestr(zipfile.ZipInfo(name), content)
    return archive.getvalue()


def code_files() -> dict[str, bytes]:
    """Path inside the archive -> content, of the parts that run in workers."""
    root = Path(__file__).parents[1]
    paths = [path for part in _PARTS for path in _sources(root / part)]
    return {f"winsql/{path.relative_to(root).as_posix()}": path.read_bytes() for path in paths}


def _compiled(files: dict[str, bytes]) -> Iterator[tuple[str, bytes]]:
    """What each worker imports as byte code beside its source, which Python does not look at again (PEP 552)."""
    root = Path(__file__).parents[2]
    unchecked = (0b01).to_bytes(4, "little")
    for name, content in files.items():
        if name.startswith(_IN_EACH_WORKER):
            module = name.removesuffix(".py").replace("/", ".").removesuffix(".__init__")
            code = SourceFileLoader(module, str(root / name)).get_code(module)
            yield f"{name}c", b"".join((MAGIC_NUMBER, unchecked, source_hash(content), marshal.dumps(code)))


def _sources(path: Path) -> list[Path]:
    return sorted(path.rglob("*.py")) if path.is_dir() else [path]


def _digest(files: dict[str, bytes]) -> str:
    digest = hashlib.sha256()
    for name, content in files.items():
        digest.update(name.encode() + b"\0" + content)
    return digest.hexdigest()[:16]
