"""Spark's Java classes as the JVM has read and checked them, in a file: the next start takes half the time.

Java calls it class data sharing. The file, about 150 MB, is in the folder `winsql` of `$XDG_CACHE_HOME`, or in that
which `$WINSQL_CACHE` names; an empty `$WINSQL_CACHE` is none. The JVM of an interactive shell writes it when the shell
has ended, and all commands read it. A JVM that finds other classes than those of the file reads none of it.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import time
from contextlib import suppress
from pathlib import Path

import pyspark

_MAGIC = (0xF00BABA8).to_bytes(4, "little")
"""How a file of shared classes begins; the JVM writes its beginning at last."""
_OURS = f"spark-{'[0-9a-f]' * 16}.jsa"
_HOUR = 3600.0
_QUIET = "-Xlog:cds*=off -Xlog:class+path=off"
_JAVAS_OWN = Path("lib", "server", "classes.jsa")
_OWN_CHOICE = ("SharedArchiveFile", "ArchiveClassesAtExit", "-Xshare")


def class_options(given: str, *, writes: bool) -> str:
    """Options of the JVM beside those given: to read the file if it is there, else to write it where that is wanted."""
    folder, java = _folder(), _java()
    if folder is None or java is None or any(choice in given for choice in _OWN_CHOICE):
        return ""
    path = folder / f"spark-{_key(java)}.jsa"
    try:
        if writes:
            folder.mkdir(parents=True, exist_ok=True)
        _adopt(folder, path)
    except OSError:  # a file system without room, or without permission: Spark starts all the same
        return ""
    if path.exists():
        return f'{_QUIET} "-XX:SharedArchiveFile={path}"'
    return f'{_QUIET} "-XX:ArchiveClassesAtExit={path.with_suffix(f".{os.getpid()}.new")}"' if writes else ""


def _folder() -> Path | None:
    """None where none is wanted, or an option could not name it."""
    given = os.environ.get("WINSQL_CACHE")
    if given == "":
        return None
    base = os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    try:
        folder = Path(given or Path(base, "winsql")).expanduser()
    except RuntimeError:  # no home
        return None
    return None if set('"\\') & set(str(folder)) else folder


def _java() -> Path | None:
    """The Java that Spark will start; None for one that has no such file of its own classes, to which ours adds."""
    home = os.environ.get("JAVA_HOME")
    found = str(Path(home, "bin", "java")) if home else shutil.which("java")
    java = None if found is None else Path(found).resolve()
    return java if java is not None and (java.parents[1] / _JAVAS_OWN).exists() else None


def _key(java: Path) -> str:
    """Another one for each Java and each Spark."""
    jars = Path(os.environ.get("SPARK_HOME") or Path(pyspark.__file__).parent, "jars")
    parts = [f"{path} {path.stat().st_mtime_ns}" for path in (java, jars) if path.exists()]
    return hashlib.sha256("\n".join([*parts, pyspark.__version__]).encode()).hexdigest()[:16]


def _adopt(folder: Path, path: Path) -> None:
    """Take what a JVM has written to its end; delete what was not, and the file of the Spark before it."""
    for new in folder.glob(f"{path.stem}.*.new"):
        with new.open("rb") as file:
            is_whole = file.read(len(_MAGIC)) == _MAGIC
        if not is_whole:  # somebody writes it, or was ended meanwhile
            if time.time() - new.stat().st_mtime > _HOUR:
                new.unlink()
            continue
        new.replace(path)
        for other in folder.glob(_OURS):
            if other != path:
                with suppress(OSError):
                    other.unlink()
