"""Whether a stream can write where it has to: tried on a local file system before anything is made or dropped.

Elsewhere, and where room runs out meanwhile, Spark's error tells it: see `damage`.
"""

from __future__ import annotations

import errno
import os
import tempfile
from collections.abc import Iterable

from pyspark.sql import SparkSession

from winsql.errors import WindowPlanError
from winsql.spark.reachable import reachable_place

_ROOM = 1 << 16
"""Bytes that there must be room for: the notes of a stream and of its first micro-batch."""


def require_writable(spark: SparkSession, folders: Iterable[str]) -> None:
    """Raises WindowPlanError for the first of some folders that cannot be made, or in which no file can be made.

    Checks nothing on Spark Connect, whose server has the files, nor on file systems other than the local one.
    """
    for path in folders:
        place = reachable_place(spark, path)
        if place is not None:
            require_writable_folder(place)


def require_writable_folder(place: str) -> None:
    """As `require_writable`, for one local path. Nothing is left there: the file that is tried has no name."""
    folder = place
    while not os.path.lexists(folder) and folder != os.path.dirname(folder):
        folder = os.path.dirname(folder)
    try:
        with tempfile.TemporaryFile(dir=folder, prefix=".winsql_") as file:
            file.write(bytes(_ROOM))
            file.flush()
    except OSError as error:
        what = "folder" if os.path.isdir(folder) else "file in place of a folder"
        raise WindowPlanError(
            f"the {what} {folder} cannot be written: {error.strerror}",
            rule="a stream keeps its rows and its checkpoint in files; nothing has been made or changed",
            hint=f"{_HINTS.get(error.errno or 0, 'let this process write there')}, or choose another folder, and run "
            "the statement again",
        ) from None


_HINTS = {
    errno.ENOSPC: "make room there",
    errno.EDQUOT: "make room there",
    errno.EFBIG: "let this process write larger files there (ulimit -f)",
    errno.ENOTDIR: "move the file away",
    errno.ENOENT: "make the folder that the link leads to",
}
