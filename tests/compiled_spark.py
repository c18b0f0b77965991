"""Spark's home with PySpark compiled: Spark starts thousands of Python processes in tests.

Each of them imports PySpark from `pyspark.zip`, which holds sources only, and compiling these takes most of its start.
"""

from __future__ import annotations

import compileall
import os
import shutil
import sys
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path
from py_compile import PycInvalidationMode
from tempfile import TemporaryDirectory
from zipfile import ZipFile


def use_compiled_spark() -> None:
    """For this process and those that it starts. A SPARK_HOME of yours counts."""
    found = find_spec("pyspark")
    if "SPARK_HOME" in os.environ or found is None or found.origin is None:
        return
    installed = Path(found.origin).parent
    if not (installed / "jars").exists():
        return  # Spark Connect's client alone
    home = Path(sys.prefix, "compiled-spark", version("pyspark"))
    if not home.exists():
        _make(home, installed)
    os.environ["SPARK_HOME"] = str(home)


def _make(home: Path, installed: Path) -> None:
    """Links to what is installed, beside a zip of our own; several processes may do it at once."""
    home.parent.mkdir(exist_ok=True)
    with TemporaryDirectory(dir=home.parent, ignore_cleanup_errors=True) as name:
        made = Path(name, home.name)
        libraries = made / "python" / "lib"
        libraries.mkdir(parents=True)
        for entry in installed.iterdir():
            if entry.name != "python":
                (made / entry.name).symlink_to(entry)
        for entry in (installed / "python" / "lib").glob("*.zip"):
            _compile(entry, libraries / entry.name, Path(name, entry.stem))
        if not home.exists():
            shutil.move(made, home)


def _compile(sources: Path, target: Path, folder: Path) -> None:
    """Compiled modules of a zip, whose tracebacks name its own files, and no tests."""
    with ZipFile(sources) as given:
        given.extractall(folder, [name for name in given.namelist() if "/tests/" not in name])
    compileall.compile_dir(
        folder, quiet=2, legacy=True, invalidation_mode=PycInvalidationMode.UNCHECKED_HASH,
        stripdir=str(folder), prependdir=str(sources),
    )  # fmt: skip
    with ZipFile(target, "w") as made:
        for path in sorted(folder.rglob("*")):
            if path.is_file() and path.suffix != ".py":
                made.write(path, path.relative_to(folder))
