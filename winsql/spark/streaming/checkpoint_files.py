"""Checks that the files of a checkpoint can be read before a stream goes on; names one that cannot, and its contents.

Spark would show the words of its JSON parser, without the name of the file. State is not checked: see `damage`.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import Column, DataFrame, SparkSession
from pyspark.sql import functions as F

from winsql.errors import WindowPlanError
from winsql.spark.flags import is_on
from winsql.spark.reachable import reachable_place
from winsql.spark.runner import is_connect
from winsql.spark.versions.classic import source_numbers
from winsql.spark.versions.java_errors import Py4JError


def require_readable(spark: SparkSession, checkpoint: str) -> None:
    """Raises WindowPlanError that names the first file of a checkpoint that cannot be read."""
    _readable(spark, checkpoint)


def require_resumable(frame: DataFrame, checkpoint: str) -> None:
    """Raises WindowPlanError that names the first file that the stream of a DataFrame needs to go on and does not find.

    That is one of the checkpoint, or of a source, which the micro-batch that has begun and not ended is to read: Spark
    leaves out such a file where it is gone. Sources are looked into on a local file system.
    """
    spark = frame.sparkSession
    numbers = None if is_connect(spark) else source_numbers(frame)
    texts = _readable(spark, checkpoint, numbers)
    if "metadata" not in texts and len(texts) > 0 and is_on(spark, _NEEDS_METADATA, False):
        raise _damaged(checkpoint, "metadata")
    if numbers is None or is_on(spark, "spark.sql.files.ignoreMissingFiles"):
        return
    for path in planned_files(texts, numbers):
        place = reachable_place(spark, unquote(path))
        if place is not None and not Path(place).exists():
            raise WindowPlanError(
                f"the file {unquote(path)} is gone: it held rows for a micro-batch that has not ended",
                rule="a micro-batch that failed is done again, with the same rows",
                hint="put the file back, or SET spark.sql.files.ignoreMissingFiles = true to go on without its rows",
            )


_NEEDS_METADATA = "spark.sql.streaming.checkpoint.verifyMetadataExists.enabled"
"""Without the file newer versions of Spark do not begin; older ones give the query another name, and go on."""


def planned_files(texts: Mapping[str, str], numbers: Sequence[int]) -> list[str]:
    """The files of sources that a micro-batch which has begun and not ended reads; arguments as for `broken_file`."""
    found = (
        str(entry["path"])
        for number, planned in _planned(texts, numbers).items()
        for name in sorted(name for name in texts if name.startswith(f"sources/{number}/"))
        for entry in map(_json, texts[name].split("\n"))
        if entry is not None and entry.get("batchId", -1) in planned and "path" in entry
    )
    return list(dict.fromkeys(found))


def _planned(texts: Mapping[str, str], numbers: Sequence[int]) -> dict[int, range]:
    """What a micro-batch which has begun and not ended reads of the logs of sources, by their numbers."""
    begun, done = _newest(texts, "offsets"), _newest(texts, "commits")[:1]
    if not begun or (done and _number(done[0]) >= _number(begun[0])):
        return {}
    before = _log_offsets(texts[begun[1]], numbers) if len(begun) > 1 else {}
    ends = _log_offsets(texts[begun[0]], numbers)
    return {number: range(before.get(number, -1) + 1, last + 1) for number, last in ends.items()}


def _log_offsets(text: str, numbers: Sequence[int]) -> dict[int, int]:
    """How far sources of files have been read, by their numbers."""
    found = [(number, _json(line)) for number, line in zip(numbers, _offsets(text), strict=False)]
    return {
        n: offset["logOffset"] for n, offset in found if offset is not None and isinstance(offset.get("logOffset"), int)
    }


def _offsets(text: str, relations: int = 0) -> list[str]:
    """The offsets in a file, in the order of the relations; the version and a line of JSON come before them.

    In version 2 (`spark.sql.streaming.offsetLog.formatVersion`) a line begins with its place, and of relations that
    share a source only the last one has an offset: the others have ''. Names of sources are no places.
    """
    lines = text.split("\n")[2:]
    if not text.startswith("v2\n"):
        return lines
    placed = {int(place): line for place, _, line in (line.partition(":") for line in lines) if place.isdecimal()}
    return [placed.get(place, "") for place in range(max(relations, *(place + 1 for place in placed), 0))]


def _number(name: str) -> int:
    return int(name.rpartition("/")[2])


def _readable(spark: SparkSession, checkpoint: str, numbers: Sequence[int] | None = None) -> dict[str, str]:
    texts: dict[str, str] = {}
    for part in ("metadata", "commits", "offsets"):
        texts.update(_texts(spark, checkpoint, part, _newest_files))
    planned = {} if numbers is None else _planned(texts, numbers)
    texts.update(_texts(spark, checkpoint, "sources", partial(_lines, planned=planned)))
    found = broken_file(texts, numbers)
    if found is not None:
        raise _damaged(checkpoint, found)
    return texts


def broken_file(texts: Mapping[str, str], numbers: Sequence[int] | None = None) -> str | None:
    """The name of the first file that cannot be read, or of one that is missing; None where all is well.

    texts     what is in the files, by their names below the checkpoint: `metadata`, `offsets/7`, `sources/0/3.compact`
    numbers   which source each offset is of, see `source_numbers`; None where that is not known
    """
    if "metadata" in texts and "id" not in (_json(texts["metadata"]) or {}):
        return "metadata"
    for part in ("commits", "offsets"):
        for name in _newest(texts, part):
            if not _is_log(texts[name].split("\n")[:2]):
                return name
    newest = _newest(texts, "offsets")[:1]
    done = _newest(texts, "commits")[:1]
    if newest and done and _number(done[0]) > _number(newest[0]):
        return f"offsets/{_number(done[0])}"
    offsets = _offsets(texts[newest[0]], len(numbers or ())) if newest else []
    if numbers is None and "" in offsets:
        return None  # only the query tells which relations share a source
    is_guess = numbers is None or len(numbers) != len(offsets)
    if numbers is None or is_guess:
        numbers = _likely_numbers(texts, offsets)
    for number, offset in zip(numbers, offsets, strict=True):
        found = _json(offset)
        if offset.startswith("{") and found is None:
            return newest[0]
        if found is not None and found.keys() == {"logOffset"} and int(found["logOffset"]) >= 0:
            broken = next(_broken_sources(texts, number, -1 if is_guess else int(found["logOffset"])), None)
            if broken is not None:
                return broken
    return None


def _likely_numbers(texts: Mapping[str, str], offsets: Sequence[str]) -> list[int]:
    """The sources of offsets, where only the checkpoint tells: equal ones may be of one source if there are too few."""
    folders = {name.split("/")[1] for name in texts if name.startswith("sources/")}
    if len(folders) >= sum(offset.startswith('{"logOffset"') for offset in offsets):
        return list(range(len(offsets)))
    sources = list(dict.fromkeys(offsets))
    return [sources.index(offset) for offset in offsets]


_HOLDS = {
    "metadata": "the name of the query",
    "commits": "which micro-batches are done",
    "offsets": "what has been read",
    "sources": "which files have been read",
}


def _broken_sources(texts: Mapping[str, str], number: int, last: int) -> Iterator[str]:
    """Of a source of files, read up to its log `last`, -1 where that is not known: each log is a version and a line of
    JSON by file."""
    folder = f"sources/{number}/"
    names = sorted(name for name in texts if name.startswith(folder))
    if not names:
        yield folder.rstrip("/")
    elif (
        last >= 0
        and f"{folder}{last}" not in names
        and not any(name.endswith(".compact") and _number(name.removesuffix(".compact")) >= last for name in names)
    ):
        yield f"{folder}{last}"  # Spark would write it anew, and take new files for read ones
    yield from (name for name in names if not _is_log([line for line in texts[name].split("\n") if line]))


def _newest(texts: Mapping[str, str], part: str) -> list[str]:
    """The two files of a log that Spark reads when a stream goes on."""
    numbers = (re.fullmatch(rf"{part}/(\d+)", name) for name in texts)
    return [f"{part}/{number}" for number in sorted((int(found[1]) for found in numbers if found), reverse=True)[:2]]


def _is_log(lines: list[str]) -> bool:
    return (
        bool(lines) and _VERSION.fullmatch(lines[0]) is not None and all(_json(line) is not None for line in lines[1:])
    )


_VERSION = re.compile(r"v\d+")


def _json(text: str) -> dict[str, Any] | None:
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return found if isinstance(found, dict) else None


def _texts(spark: SparkSession, checkpoint: str, part: str, needed: Callable[[DataFrame], DataFrame]) -> dict[str, str]:
    """The files of a part of a checkpoint; `needed` leaves out what nobody looks at of their names and texts."""
    place = f"{checkpoint}/{part}"
    reader = spark.read.format("text").option("wholetext", True).option("recursiveFileLookup", True)
    reader = reader.option("ignoreCorruptFiles", False)  # a setting for the files of sources
    try:
        found = needed(reader.load(place).select(F.input_file_name().alias("file"), "value")).collect()
    except AnalysisException as error:
        if error.getCondition() == "PATH_NOT_FOUND":
            return {}
        raise
    except (PySparkException, Py4JError) as error:
        unread = re.search(rf"/({part}(?:/[\w.]+)*)\b", str(error).partition("FAILED_READ_FILE")[2])
        if unread is None:
            raise
        raise _damaged(checkpoint, unread[1]) from None
    return {_below(path, part): text for path, text in {**_without_bytes(spark, place), **dict(found)}.items()}


def _newest_files(files: DataFrame) -> DataFrame:
    """Those that Spark reads when a stream goes on; a file without a number is alone."""
    return files.orderBy(F.regexp_extract("file", r"/(\d+)$", 1).try_cast("bigint").desc()).limit(2)


def _lines(files: DataFrame, planned: Mapping[int, range]) -> DataFrame:
    """Logs of sources without the entries that are whole and not planned: they can be very long."""

    def needed(line: Column, number: Column) -> Column:
        entry = F.get_json_object(line, "$.batchId").try_cast("bigint")
        found = (number == 0) | entry.isNull()
        for source, those in planned.items():
            found |= F.col("file").contains(f"/sources/{source}/") & entry.between(those.start, those.stop - 1)
        return found

    return files.select("file", F.array_join(F.filter(F.split("value", "\n"), needed), "\n"))


def _without_bytes(spark: SparkSession, folder: str) -> dict[str, str]:
    """The files without bytes of a folder on a local file system, and the folders in the place of a file: Spark's
    readers leave them out."""
    place = reachable_place(spark, folder)
    found = () if place is None else (Path(place), *Path(place).rglob("[0-9]*"))
    is_flat = not folder.endswith("/sources")
    files = {str(file): "" for file in found if file.is_file() and not file.stat().st_size}
    return files | {str(file): "" for file in found[1:] if is_flat and file.is_dir()}


def _below(path: str, part: str) -> str:
    return part + path.rpartition(f"/{part}")[2]


def _damaged(checkpoint: str, name: str) -> WindowPlanError:
    return WindowPlanError(
        f"the checkpoint file {checkpoint}/{name} cannot be read: it held {_HOLDS[name.partition('/')[0]]}",
        rule="a stream goes on with a whole checkpoint only; the rows of its table are not touched",
        hint="put the file back from a copy, or write CREATE OR REPLACE STREAMING TABLE to begin anew without the rows",
    )
