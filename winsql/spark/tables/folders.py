"""The folders of streaming tables and checkpoints: looks into them and empties them, on Spark Connect too."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from contextlib import suppress

from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import SparkSession

from winsql.errors import WindowPlanError
from winsql.spark.local_places import local_place, place_of
from winsql.spark.local_rows import local_rows
from winsql.spark.runner import is_connect
from winsql.spark.versions.classic import default_file_system
from winsql.spark.versions.java_errors import Py4JError

__all__ = [
    "NOTE",
    "batch_folder",
    "drop_unrecorded",
    "empty_folder",
    "files_in",
    "found_in",
    "has_files",
    "is_missing",
    "is_unused",
    "numbers_in",
    "require_plain",
    "same_place",
    "stream_around",
    "write_line",
]


NOTE = "_winsql"
"""The file in the folder of a streaming table that tells what is in it."""


def same_place(one: str, other: str) -> bool:
    """Whether two paths name one folder."""
    return place_of(one) == place_of(other)


def require_plain(path: str, what: str) -> None:
    """Raises WindowPlanError for a path that Spark would take for a pattern, or cannot take at all."""
    odd = next((letter for letter in path if letter in _PATTERN or not letter.isprintable()), None)
    if odd is not None or not path.strip():
        raise WindowPlanError(
            f"{what} {path!r} {'is empty' if odd is None else f'has the character {odd!r}'}",
            rule="Spark reads a path with * ? { } [ ] or a backslash as a pattern of many; others are printable",
            hint="choose another folder",
        )


_PATTERN = frozenset("*?{}[]\\")


def batch_folder(path: str, number: int) -> str:
    """The folder with the rows of a micro-batch."""
    return f"{path}/batch={number}"


def has_files(spark: SparkSession, path: str) -> bool:
    """Whether rows may be there: files with bytes, but not under names that are not read as data."""
    place = _local(spark, path)
    if place is not None:
        return any(os.path.isfile(file) and os.path.getsize(file) for file in _read_as_data(place))
    return bool(_files(spark, path, "length > 0", limit=1))


def is_unused(spark: SparkSession, checkpoint: str) -> bool:
    """Whether no streaming query has begun with this checkpoint."""
    return is_missing(spark, f"{checkpoint}/metadata")


def stream_around(spark: SparkSession, path: str) -> str | None:
    """The folder of a streaming table that a path is inside of; None where there is none, or none to look into."""
    root = re.match(r"(\w+:)?/*[^/]*", path)
    folder = path.rstrip("/")
    while root is not None and len(folder := folder.rpartition("/")[0]) >= root.end():
        with suppress(PySparkException, Py4JError):  # a folder that this user may not look into
            if not (is_missing(spark, f"{folder}/{NOTE}") and is_unused(spark, f"{folder}/_checkpoint")):
                return folder
    return None


def found_in(spark: SparkSession, folder: str, name: str) -> str:
    """The path of a checkpoint in a folder of them: in lower case, or as an earlier version has made it.

    That one may be in any case on a local file system; elsewhere it is found in the case of the name alone.
    """
    place = _local(spark, folder)
    if place is None:
        names = [] if is_unused(spark, f"{folder}/{name}") else [name]
    else:
        names = os.listdir(place) if os.path.isdir(place) else []
    made = [found for found in names if found.lower() == name.lower()]
    return f"{folder}/{min(made, key=lambda found: (found != name, found), default=name.lower())}"


def numbers_in(spark: SparkSession, path: str, pattern: str) -> set[int]:
    """The numbers in the paths of files below a folder: the first group of the pattern."""
    found = (re.search(pattern, place) for place in _files(spark, path, "true"))
    return {int(match[1]) for match in found if match is not None}


def files_in(spark: SparkSession, path: str) -> list[str]:
    """The paths of the files below a folder, but for names that are not read as data."""
    return _files(spark, path, "true")


def is_missing(spark: SparkSession, path: str) -> bool:
    """Whether nothing is at a path."""
    place = _local(spark, path)
    if place is not None:
        return not os.path.exists(place)
    try:
        _ = spark.read.format("text").load(path).schema  # Connect looks only now
    except AnalysisException as error:
        if error.getCondition() == "PATH_NOT_FOUND":
            return True
        raise
    return False


def empty_folder(spark: SparkSession, path: str) -> None:
    """Delete everything in a folder, by an overwriting write, which leaves an empty file that nothing reads.

    A link in it is deleted, its target stays. Where no folder is, none is made.
    """
    if is_missing(spark, path):
        return
    spark.sql("SELECT '' AS value WHERE false").write.mode("overwrite").text(path)


def drop_unrecorded(spark: SparkSession, checkpoint: str) -> None:
    """Delete what a process has left that was killed while it recorded the first micro-batch.

    Such a file has a name for the time of writing, and Spark begins in an empty folder alone. Only a local file system
    is looked at; elsewhere the stream's error says what to do.
    """
    place = _local(spark, f"{checkpoint}/offsets")
    names = [] if place is None or not os.path.isdir(place) else os.listdir(place)
    if all(_UNRECORDED.fullmatch(name) for name in names):
        for name in names:
            os.unlink(f"{place}/{name}")


_UNRECORDED = re.compile(r"\.{1,2}0\.[0-9a-f-]{36}\.tmp(\.crc)?")


def write_line(spark: SparkSession, folder: str, line: str) -> None:
    """Make a line of text all that `spark.read.text(folder)` reads; what is there before goes.

    On a local file system this process writes it: for Spark it would be a job, the first one of many a session.
    """
    place = _local(spark, folder)
    if place is None:
        local_rows(spark, [(line,)], "value STRING").coalesce(1).write.mode("overwrite").text(folder)
        return
    os.makedirs(place, exist_ok=True)
    with open(f"{place}/.line", "w", encoding="utf-8") as file:
        file.write(f"{line}\n")
        file.flush()
        os.fsync(file.fileno())
    for other in {*os.listdir(place)} - {_LINE, ".line"}:  # files of a job of Spark's, as earlier versions have them
        if os.path.isfile(f"{place}/{other}"):
            os.unlink(f"{place}/{other}")
    os.replace(f"{place}/.line", f"{place}/{_LINE}")


_LINE = "part-00000.txt"


def _local(spark: SparkSession, path: str) -> str | None:
    """The path where this process can look by itself: Spark would tell of a missing file by an error."""
    return None if is_connect(spark) else local_place(path, default_file_system(spark))


def _read_as_data(place: str) -> Iterator[str]:
    """The files below a folder, or the file at this path, without those that Spark takes for hidden."""
    if os.path.isfile(place):
        yield place
    for folder, folders, files in os.walk(place):
        folders[:] = [name for name in folders if not _HIDDEN.match(name)]
        yield from (f"{folder}/{name}" for name in files if not _HIDDEN.match(name))


_HIDDEN = re.compile(r"\.|_(?!.*=)")


def _files(spark: SparkSession, path: str, condition: str, limit: int | None = None) -> list[str]:
    reader = spark.read.format("binaryFile").option("recursiveFileLookup", "true")
    try:
        files = reader.load(path).where(condition).select("path")
        return [row[0] for row in (files if limit is None else files.limit(limit)).collect()]
    except AnalysisException as error:
        if error.getCondition() == "PATH_NOT_FOUND":
            return []
        raise
