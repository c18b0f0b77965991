"""The sink of a streaming table: each micro-batch is a directory of files that a repeated one replaces."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame
from pyspark.sql.types import StructType

from winsql.spark.tables.folders import batch_folder
from winsql.spark.tables.formats import has_maps

__all__ = ["BatchFiles", "Place"]

ROWS_PER_FILE = 200_000
"""A micro-batch of fewer rows is one file, which readers see whole or not at all."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table keeps its files, and how they are written."""

    path: str
    format: str
    schema: StructType
    options: Mapping[str, str]


@dataclass(slots=True)
class BatchFiles:
    """Writes late rows, then rows; called by `for_each_batch`, on Spark Connect in a process of the server.

    `written` is called after each micro-batch that has changed the tables.
    """

    rows: Place
    late_rows: Place | None
    written: Callable[[], None] | None = None
    may_repeat: bool = True
    """Whether this micro-batch may have been written before: only the first one of a run."""
    first: int = 0
    """Number of the folder of micro-batch 0: after those of an earlier checkpoint."""

    def __call__(self, rows: DataFrame, late_rows: DataFrame | None, number: int) -> None:
        changed = False
        if self.late_rows is not None and late_rows is not None:
            changed |= self._write(self.late_rows, late_rows, number)
        changed |= self._write(self.rows, rows, number)
        self.may_repeat = False
        if changed and self.written is not None:
            self.written()

    def _write(self, place: Place, rows: DataFrame, number: int) -> bool:
        folder = batch_folder(place.path, self.first + number)
        kept = _read(place, folder, rows) if self.may_repeat else None
        if kept is not None and _same(kept, rows, place.schema):
            return False  # streams that read the table would take new files for new rows
        count = rows.count()
        if not count and kept is None:
            return False
        files = rows.coalesce(max(1, -(-count // ROWS_PER_FILE)))
        files.write.mode("overwrite").format(place.format).options(**place.options).save(folder)
        return True


def _read(place: Place, folder: str, rows: DataFrame) -> DataFrame | None:
    """What the directory holds; None when there is none."""
    reader = rows.sparkSession.read.format(place.format).options(**place.options).schema(place.schema)
    try:
        kept = reader.load(folder)
        _ = kept.schema  # Spark Connect looks for the directory here
    except AnalysisException as error:
        if error.getCondition() == "PATH_NOT_FOUND":
            return None
        raise
    return kept


def _same(kept: DataFrame, rows: DataFrame, schema: StructType) -> bool:
    if has_maps(schema):  # Spark cannot compare them
        return False
    return kept.exceptAll(rows).isEmpty() and rows.exceptAll(kept).isEmpty()
