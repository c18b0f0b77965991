"""The folders of streaming tables and checkpoints: looks into them and empties them, on Spark Connect too."""

from __future__ import annotations

import os
import re
import shutil
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress

from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import SparkSession

from winsql.errors import WindowPlanError
from winsql.spark.local_places import place_of
from winsql.spark.local_rows import local_rows
from winsql.spark.reachable import reachable_place
from winsql.spark.runner import is_connect
from winsql.spark.tables.newest import NEWEST, UNFINISHED
from winsql.spark.versions.classic import default_file_system, qualified_path
from winsql.spark.versions.java_errors import Py4JError

NOTE = "_winsql"
"""The file in the folder of a streaming table that tells what is in it."""
OWNER = "_winsql_stream"
"""The file in a folder that a stream writes into that tells which one it is."""
OF_SINK = "_winsql_sink"
"""The file beside a checkpoint that tells of which stream into a sink it is."""
LOCK = "_winsql_lock"
"""The file in a folder that is locked while a micro-batch is written."""
BATCH = "batch"
"""What folders of micro-batches are called, with `=` and the number: Spark reads it as a column of that name."""
RUNS = ".winsql_runs_"
"""How the files begin by which a process claims a stream, which outlive what is deleted around them."""
TRIED = "_winsql_tried"
"""The folder in that of a stream where it is tried what can be written, which a killed process leaves."""


def same_place(one: str, other: str) -> bool:
    """Whether two paths name one folder."""
    return place_of(one) == place_of(other)


def real_place(spark: SparkSession, path: str) -> str:
    """The folder that a path leads to, also by links where this process can look."""
    place = reachable_place(spark, path)
    return place_of(path) if place is None else os.path.realpath(place)


def qualified(spark: SparkSession, path: str) -> str:
    """A path in one form that Spark takes too: absolute and with its file system, as far as this process can ask.

    No host is asked that the path names: it may be from a note.
    """
    if not is_connect(spark) and not re.match(r"[\w+.-]+://[^/]", path):
        with suppress(Py4JError):  # a scheme that Spark does not know, as its own error will say
            path = qualified_path(spark, path)
    is_default = not is_connect(spark) and default_file_system(spark).startswith("file:")
    return f"file:{place_of(path)}" if path.startswith("file:") and not is_default else place_of(path) or path


def is_inside(spark: SparkSession, path: str, folder: str) -> bool:
    """Whether a path leads to a folder, or to a place in it."""
    return f"{real_place(spark, path)}/".startswith(f"{real_place(spark, folder)}/")


def is_read(spark: SparkSession, path: str, folder: str) -> bool:
    """Whether who reads a folder would read the files at a path too: it is the folder, or in it and not hidden."""
    below = f"{real_place(spark, path)}/".removeprefix(f"{real_place(spark, folder)}/")
    return is_inside(spark, path, folder) and not any(map(is_hidden, below.split("/")))


def is_hidden(name: str) -> bool:
    """Whether a file or folder of this name is not read as data."""
    return _HIDDEN.match(name) is not None


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
    return f"{path}/{BATCH}={number}"


def has_files(spark: SparkSession, path: str) -> bool:
    """Whether rows may be there: files with bytes, but not under names that are not read as data."""
    place = reachable_place(spark, path)
    return bool(_files(spark, path, "length > 0", limit=1)) if place is None else _have_bytes(_read_as_data(place))


def is_free(spark: SparkSession, path: str) -> bool:
    """Whether a new stream may have a folder: no file there has bytes, winsql's own notes apart.

    Hidden files count where they can be seen, on a local file system.
    """
    place = reachable_place(spark, path)
    return not (has_files(spark, path) if place is None else _have_bytes(_not_notes(place)))


def _have_bytes(files: Iterable[str]) -> bool:
    return any(os.path.isfile(file) and os.path.getsize(file) for file in files)


def is_unused(spark: SparkSession, checkpoint: str) -> bool:
    """Whether no streaming query has begun with this checkpoint."""
    return is_missing(spark, f"{checkpoint}/metadata")


def stream_around(spark: SparkSession, path: str) -> str | None:
    """The folder of a stream that a path is inside of; None where there is none, or none to look into."""
    root = re.match(r"(\w+:)?/*[^/]*", path)
    folder = path.rstrip("/")
    while root is not None and len(folder := folder.rpartition("/")[0]) >= root.end():
        with suppress(PySparkException, Py4JError):  # a folder that this user may not look into
            if has_stream(spark, folder):
                return folder
    return None


def has_stream(spark: SparkSession, folder: str) -> bool:
    """Whether a folder is that of a stream: it has the note or the checkpoint of one."""
    has_note = any(read_line(spark, f"{folder}/{note}") is not None for note in (NOTE, OWNER))
    return has_note or not is_unused(spark, f"{folder}/_checkpoint")


def require_free(spark: SparkSession, path: str, kind: str) -> None:
    """Raises WindowPlanError where a new stream finds another one, or files, in its folder or around it; `kind` is what
    makes it, "stream" or "streaming table"."""
    alone = "the folder of a stream belongs to it alone: all rows in it are its rows"
    around = stream_around(spark, path)
    if around is not None:
        problem = f"path {path} is inside {around}, the folder of another stream"
        raise WindowPlanError(problem, rule=alone, hint="choose a path beside it")
    if has_stream(spark, path):
        hint = "choose another path, or empty this one when the other stream is gone"
        raise WindowPlanError(f"path {path} is the folder of another stream", rule=alone, hint=hint)
    if not is_free(spark, path):
        raise WindowPlanError(
            f"path {path} is not empty",
            rule=f"a new {kind} begins without rows, and its folder belongs to it alone",
            hint="choose another path, or empty this one",
        )


def found_in(spark: SparkSession, folder: str, name: str) -> str:
    """The path of a checkpoint in a folder of them: in lower case, or as an earlier version has made it.

    That one may be in any case on a local file system; elsewhere it is found in the case of the name alone.
    """
    place = reachable_place(spark, folder)
    if place is None:
        names = [] if is_unused(spark, f"{folder}/{name}") else [name]
    else:
        names = os.listdir(place) if os.path.isdir(place) else []
    made = [found for found in names if found.lower() == name.lower()]
    return f"{folder}/{min(made, key=lambda found: (found != name, found), default=name.lower())}"


def batches_in(spark: SparkSession, path: str) -> set[int]:
    """The numbers of the micro-batches that have files in a folder of rows."""
    return _numbers(spark, path, rf"/{BATCH}=(\d+)/[^/]+$")


def newest_begun(spark: SparkSession, checkpoint: str) -> int | None:
    """The number of the latest micro-batch that a checkpoint knows; None where it knows none."""
    return max(_numbers(spark, f"{checkpoint}/offsets", r"/offsets/(\d+)$"), default=None)


def _numbers(spark: SparkSession, path: str, pattern: str) -> set[int]:
    found = (re.search(pattern, place) for place in _files(spark, path, "true"))
    return {int(match[1]) for match in found if match is not None}


def is_missing(spark: SparkSession, path: str) -> bool:
    """Whether nothing is at a path."""
    place = reachable_place(spark, path)
    if place is not None:
        return not os.path.exists(place)
    try:
        _ = spark.read.format("text").load(path).schema  # Connect looks only now
    except AnalysisException as error:
        if error.getCondition() == "PATH_NOT_FOUND":
            return True
        raise
    return False


def empty_folder(spark: SparkSession, path: str, keep: Sequence[str] = ()) -> None:
    """Delete everything in a folder but for claims and, on a local file system, for some names.

    Elsewhere by an overwriting write, which leaves an empty file that nothing reads. A link in it is deleted, its
    target stays. Where no folder is, none is made.
    """
    place = reachable_place(spark, path)
    if place is not None and os.path.isdir(place):
        for entry in list(os.scandir(place)):
            if entry.name in keep or entry.name.startswith(RUNS):
                continue
            if entry.is_dir(follow_symlinks=False):
                shutil.rmtree(entry.path)
            else:
                os.unlink(entry.path)
    elif not is_missing(spark, path):
        spark.sql("SELECT '' AS value WHERE false").write.mode("overwrite").text(path)


def require_checkpoint_alone(spark: SparkSession, checkpoint: str, statement: str) -> None:
    """Raises WindowPlanError where the folder of a checkpoint, which a statement deletes, has other files too."""
    found = beside_checkpoint(spark, checkpoint)
    if found is not None:
        raise WindowPlanError(
            f"the checkpoint {checkpoint} has a file that is not of the stream: {found}",
            rule=f"{statement} deletes a folder that has a checkpoint and nothing else",
            hint="move the file away, or give the stream another checkpointLocation",
        )


def beside_checkpoint(spark: SparkSession, checkpoint: str) -> str | None:
    """The path of what is in the folder of a checkpoint and not of it; None where nothing is, as far as can be seen."""
    place = reachable_place(spark, checkpoint)
    if place is not None:
        found = os.listdir(place) if os.path.isdir(place) else ()
        names = [name for name in found if not _PASSING.fullmatch(name)]
    else:
        root = place_of(checkpoint)
        names = [place_of(file).removeprefix(root).lstrip("/") for file in _files(spark, checkpoint, "true")]
    return next((name for name in sorted(names) if name.partition("/")[0] not in _OF_CHECKPOINT), None)


_OF_CHECKPOINT = frozenset({"metadata", "offsets", "commits", "sources", "state", OF_SINK, NEWEST, UNFINISHED})
_PASSING = re.compile(rf"\..*\.crc|\.metadata\.[0-9a-f-]{{36}}\.tmp|{re.escape(RUNS)}.*")
"""Checksums, the file of a process that was killed while it gave its query a name, and claims."""


def drop_unrecorded(spark: SparkSession, checkpoint: str) -> None:
    """Delete what a process has left that was killed while it recorded the first micro-batch, and checksums of records
    that are gone.

    Such a file has a name for the time of writing, and Spark begins in an empty folder alone. A checksum keeps it from
    writing the record again. Only a local file system is looked at; elsewhere the stream's error says what to do.
    """
    for part in ("offsets", "commits"):
        _drop_checksums(reachable_place(spark, f"{checkpoint}/{part}"))
    place = reachable_place(spark, f"{checkpoint}/offsets")
    names = [] if place is None or not os.path.isdir(place) else os.listdir(place)
    if all(_UNRECORDED.fullmatch(name) for name in names):
        for name in names:
            os.unlink(f"{place}/{name}")


def drop_unstarted(spark: SparkSession, checkpoint: str) -> None:
    """Delete the mark of a query that Spark has refused to start, by which the checkpoint is taken for a used one.

    Only a local file system is looked at.
    """
    place = reachable_place(spark, checkpoint)
    offsets = None if place is None else f"{place}/offsets"
    if offsets is None or (os.path.isdir(offsets) and os.listdir(offsets)):
        return
    for name in ("metadata", ".metadata.crc"):
        with suppress(FileNotFoundError):
            os.unlink(f"{place}/{name}")


def _drop_checksums(place: str | None) -> None:
    names = set() if place is None or not os.path.isdir(place) else {*os.listdir(place)}
    for name in names:
        of = _RECORD_CRC.fullmatch(name)
        if of is not None and of[1] not in names:
            os.unlink(f"{place}/{name}")


_RECORD_CRC = re.compile(r"\.(\d+)\.crc")
_UNRECORDED = re.compile(r"\.{1,2}0\.[0-9a-f-]{36}\.tmp(\.crc)?")


def delete(spark: SparkSession, folder: str) -> None:
    """Delete a folder with all that is in it; elsewhere than on a local file system it stays, without files."""
    place = reachable_place(spark, folder)
    if place is None:
        empty_folder(spark, folder)
    elif os.path.isdir(place):
        shutil.rmtree(place)


def read_line(spark: SparkSession, folder: str) -> str | None:
    """The line that `write_line` has left; None where there is none, '' where there are several."""
    if is_missing(spark, folder):
        return None
    rows = spark.read.text(folder).head(2)
    if not rows:
        return None  # the process ended before it was written
    return str(rows[0][0]) if len(rows) == 1 else ""


def write_line(spark: SparkSession, folder: str, line: str) -> None:
    """Make a line of text all that `spark.read.text(folder)` reads; what is there before goes.

    On a local file system this process writes it: for Spark it would be a job, the first one of many a session.
    """
    place = reachable_place(spark, folder)
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


def _read_as_data(place: str) -> Iterator[str]:
    """The files below a folder, or the file at this path, without those that Spark takes for hidden."""
    if os.path.isfile(place):
        yield place
    for folder, folders, files in os.walk(place):
        folders[:] = [name for name in folders if not is_hidden(name)]
        yield from (f"{folder}/{name}" for name in files if not is_hidden(name))


_HIDDEN = re.compile(r"\.|_(?!.*=)")


def _not_notes(place: str) -> Iterator[str]:
    """The files below a folder, or the file at this path, without those that winsql leaves beside its rows."""
    if os.path.isfile(place):
        yield place
    for folder, folders, files in os.walk(place):
        own = _OWN if folder == place else ()
        folders[:] = [name for name in folders if name not in own]
        yield from (f"{folder}/{name}" for name in files if name not in own and not _PASSING.fullmatch(name))


_OWN = frozenset({NOTE, OWNER, LOCK, TRIED, "_checkpoint", "_late"})


def _files(spark: SparkSession, path: str, condition: str, limit: int | None = None) -> list[str]:
    """The paths of the files below a folder, but for names that are not read as data."""
    reader = spark.read.format("binaryFile").option("recursiveFileLookup", "true")
    try:
        files = reader.load(path).where(condition).select("path")
        return [row[0] for row in (files if limit is None else files.limit(limit)).collect()]
    except AnalysisException as error:
        if error.getCondition() == "PATH_NOT_FOUND":
            return []
        raise
