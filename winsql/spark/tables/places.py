"""Where streams keep their rows and checkpoints: in one form, and apart."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import replace
from fnmatch import fnmatchcase

from pyspark.sql import DataFrame, SparkSession

from winsql.errors import WindowPlanError
from winsql.spark.runner import is_connect
from winsql.spark.tables.catalog import absolute_path, late_path
from winsql.spark.tables.folders import BATCH, is_hidden, is_inside, is_read, qualified, real_place, require_plain
from winsql.spark.versions.classic import picks_files_by_name
from winsql.spark.versions.plan_text import analyzed_text
from winsql.syntax import CreateStream, Name


def in_one_form(spark: SparkSession, stream: CreateStream, name: Name) -> CreateStream:
    """The statement with paths as `qualified` has them; raises WindowPlanError for one that Spark takes for a pattern.

    A checkpoint that is absolute stays as written: so it is in the records of tables.
    """
    path, checkpoint = stream.path, stream.checkpoint
    for what, place in {"path": path, "checkpointLocation": checkpoint}.items():
        if place is not None:
            require_plain(place, what)
    if path is not None:
        path = qualified(spark, absolute_path(spark, name, path))
    if checkpoint is not None and not checkpoint.startswith("/"):
        checkpoint = qualified(spark, checkpoint)
    return replace(stream, path=path, checkpoint=checkpoint)


def require_apart(spark: SparkSession, checkpoint: str, folders: Iterable[str]) -> None:
    """Raises WindowPlanError for a checkpoint among the rows in a folder, and for a folder in the checkpoint."""
    for folder in folders:
        if is_read(spark, checkpoint, folder):
            raise WindowPlanError(
                f"the checkpoint {checkpoint} would be among the rows in {folder}",
                rule="who reads a folder reads all files in it but those below a name that begins with _ or .",
                hint=f"choose a folder beside it, or one below it such as {folder}/_checkpoint",
            )
        if is_inside(spark, folder, checkpoint):
            raise WindowPlanError(
                f"the rows in {folder} would be in the checkpoint {checkpoint}",
                rule="the folder of a checkpoint has nothing else: it is deleted as a whole",
                hint="choose a checkpointLocation beside the rows",
            )


def require_tables_apart(spark: SparkSession, stream: CreateStream, name: Name, late: Name | None) -> None:
    """As `require_apart`, for the tables of a stream's rows and late rows."""
    if stream.checkpoint is None:
        return
    names = [name] if late is None else [name, late]
    folders = [absolute_path(spark, table, table.parts[-1].lower()) for table in names]
    if stream.path is not None:
        folders = [stream.path, late_path(stream.path) or ""][: len(names)]
    require_apart(spark, stream.checkpoint, folders)


def require_other_source(frame: DataFrame, name: str, folders: Iterable[str]) -> None:
    """Raises WindowPlanError for a query that reads as a stream what the stream `name` writes into these folders."""
    spark = frame.sparkSession
    sources = {qualified(spark, path) for path in _FILES.findall(analyzed_text(frame))}
    finds = is_inside if not is_connect(spark) and picks_files_by_name(frame) else _finds
    if any(finds(spark, source, folder) for folder in folders for source in sources):
        raise WindowPlanError(
            f"the stream {name} would read its own rows",
            rule="each row that it writes would come in again, without end, and OR REPLACE deletes them unread",
            hint="read another table or folder, or write the rows into another one",
        )


_FILES = re.compile(r"\bFileSource\[(.*?)\], \[")
"""Where a stream of files is in the text of a plan."""


def _finds(spark: SparkSession, source: str, folder: str) -> bool:
    """Whether a source, which may be a pattern, has the rows of a folder: the folder, what is in it or around it."""
    if is_inside(spark, source, folder):
        return True
    own = f"{real_place(spark, folder)}/{BATCH}=0".split("/")
    found = [pattern.split("/") for pattern in _alternatives(real_place(spark, source).replace("[^", "[!"))]
    return any(
        all(map(fnmatchcase, own, parts)) and not any(is_hidden(name) for name in own[len(parts) :]) for parts in found
    )


def _alternatives(pattern: str) -> list[str]:
    """The patterns for which one with `{a,b}` stands."""
    either = re.search(r"\{([^{}]*)\}", pattern)
    if either is None:
        return [pattern]
    before, after = pattern[: either.start()], pattern[either.end() :]
    return [found for part in either[1].split(",") for found in _alternatives(f"{before}{part}{after}")]
