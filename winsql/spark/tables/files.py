"""The sink of a streaming table: each micro-batch is a directory of files that a repeated one replaces."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass

from pyspark.errors import AnalysisException, PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import StructType

from winsql.errors import WindowDataError
from winsql.spark.local_places import local_place, place_of
from winsql.spark.runner import is_connect
from winsql.spark.tables.claims import this_process, written_elsewhere
from winsql.spark.tables.folders import LOCK, batch_folder, delete, has_files, same_place
from winsql.spark.tables.names import shown_name
from winsql.spark.tables.newest import note_newest
from winsql.spark.tables.same_rows import has_rows, rows_beside
from winsql.spark.versions.classic import default_file_system, table_location
from winsql.spark.versions.java_errors import Py4JJavaError

try:
    import fcntl
except ImportError:  # a system without these locks
    fcntl = None  # type: ignore[assignment]

ROWS_PER_FILE = 200_000
"""A micro-batch of fewer rows is one file, which readers see whole or not at all; of more rows they see some files
before the others."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a table keeps its files, and how they are written."""

    path: str
    format: str
    schema: StructType
    options: Mapping[str, str]


@dataclass(slots=True)
class BatchFiles:
    """Writes late rows, then rows; a `CountedFunction`, which on Spark Connect a process of the server calls.

    `begun` is called before each micro-batch, `written` after each one that has changed the tables.
    """

    rows: Place
    late_rows: Place | None
    written: Callable[[], None] | None = None
    begun: Callable[[], None] | None = None
    may_repeat: bool = True
    """Whether this micro-batch may have been written before: only the first one of a run."""
    first: int = 0
    """Number of the folder of micro-batch 0: after those of an earlier checkpoint."""
    checkpoint: str | None = None
    """Where the newest micro-batches with rows are noted; None: nowhere."""

    def __call__(self, rows: DataFrame, late_rows: DataFrame | None, number: int, count: int | None = None) -> None:
        self.write(rows, late_rows, number, count)

    def write(self, rows: DataFrame, late_rows: DataFrame | None, number: int, count: int | None = None) -> list[str]:
        """Returns which of them, 'rows' and 'late rows', have rows of the micro-batch."""
        if self.begun is not None:
            self.begun()
        place = _local(rows.sparkSession, self.rows.path)
        if place is not None and not self.may_repeat and not os.path.isdir(place):
            if self.written is not None:
                self.written()  # tells where the table has gone with it
            raise _gone(place)
        with alone(place):
            written = self._write_both(rows, late_rows, number, count)
        self.may_repeat = False
        if self.written is not None and any(has_rows is not None for has_rows in written.values()):
            self.written()
        return [name for name, has_rows in written.items() if has_rows]

    def _write_both(
        self, rows: DataFrame, late_rows: DataFrame | None, number: int, count: int | None
    ) -> dict[str, bool | None]:
        written: dict[str, bool | None] = {}
        if self.late_rows is not None and late_rows is not None:
            written["late rows"] = self._write(self.late_rows, late_rows, number, None)
        written["rows"] = self._write(self.rows, rows, number, count)
        with_rows = [name for name, has_rows in written.items() if has_rows]
        checkpoint = None if self.checkpoint is None else _local(rows.sparkSession, self.checkpoint)
        if with_rows and checkpoint is not None:
            note_newest(checkpoint, self.first + number, with_rows)
        return written

    def _write(self, place: Place, rows: DataFrame, number: int, count: int | None) -> bool | None:
        """Returns whether the micro-batch has rows; None where nothing is written, and none was before."""
        folder = batch_folder(place.path, self.first + number)
        kept = _read(place, folder, rows) if self.may_repeat else None
        if kept is not None and _is_part(kept, rows, place.schema, folder):
            return self._complete(place, rows, kept, folder)
        count = rows.count() if count is None else count
        if not count and kept is None:
            return None
        if self.may_repeat:
            _save(place, rows, count, folder, "overwrite")
        else:
            _save_new(place, rows, count, folder)
        return count > 0

    def _complete(self, place: Place, rows: DataFrame, kept: DataFrame, folder: str) -> bool:
        """Write what is missing of a micro-batch; streams that read the table would take new files for new rows.

        Returns whether it has rows: its writer may have been killed before it was noted."""
        delete(rows.sparkSession, f"{folder}/_temporary")  # of a killed writer: the next one would take it for its own
        if has_rows(kept, rows, place.schema):
            return not kept.isEmpty()
        missing, mode = rows_beside(rows, kept, place.schema), "append"
        if missing is None or kept.isEmpty():
            missing, mode = rows, "overwrite"
        _save(place, missing, missing.count(), folder, mode)
        return True


def refreshing(spark: SparkSession, tables: Mapping[str, str]) -> Callable[[], None] | None:
    """Makes the session look for new files of tables, which have folders; on Spark Connect the sink runs where the
    session is not known. Raises WindowDataError where a table is gone, or has another folder."""
    if is_connect(spark):
        return None

    def refresh() -> None:
        for name, folder in tables.items():
            try:
                found = table_location(spark, name)
                spark.catalog.refreshTable(name)
            except AnalysisException as error:
                raise unknown_table(name) if error.getCondition() == "TABLE_OR_VIEW_NOT_FOUND" else error from None
            if not same_place(found, folder):
                raise _moved(name, found, folder)

    return refresh


def unknown_table(table: str) -> WindowDataError:
    """The error for a table that the catalog has no longer."""
    shown = shown_name(table)
    return WindowDataError(
        f"the table {shown} has been dropped or renamed while the stream ran",
        rule="a stream ends with its table; the files of one with a path stay, and its rows are whole",
        hint=f"where it was renamed, ALTER TABLE ... RENAME TO {shown}; then run the statement again: it goes on with "
        "the files that are there",
    )


def _moved(table: str, found: str, folder: str) -> WindowDataError:
    shown = shown_name(table)
    return WindowDataError(
        f"the table {shown} has been moved to {place_of(found)} while the stream ran",
        rule=f"a stream writes where it has begun: its rows, all of them, are in {place_of(folder)}",
        hint=f"ALTER TABLE {shown} SET LOCATION '{place_of(folder)}', and run the statement again: it goes on",
    )


def _gone(place: str) -> WindowDataError:
    return WindowDataError(
        f"the folder {place} has been deleted while the stream ran: it held the rows of its table",
        rule="what has been read is not computed again: the rows that were there would be missing",
        hint="put the folder back from a copy and run the statement again, or begin anew with CREATE OR REPLACE",
    )


def _save(place: Place, rows: DataFrame, count: int, folder: str, mode: str) -> None:
    files = rows.coalesce(max(1, -(-count // ROWS_PER_FILE)))
    files.write.mode(mode).format(place.format).options(**place.options).save(folder)


def _save_new(place: Place, rows: DataFrame, count: int, folder: str) -> None:
    """Raises WindowDataError where another process has written the micro-batch."""
    try:
        _save(place, rows, count, folder, "error")
    except AnalysisException as error:
        if error.getCondition() != "PATH_ALREADY_EXISTS":
            raise
        if has_files(rows.sparkSession, folder):
            raise written_elsewhere(folder) from None
        _save(place, rows, count, folder, "overwrite")


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


def _is_part(kept: DataFrame, rows: DataFrame, schema: StructType, folder: str) -> bool:
    """Whether a directory has rows of the micro-batch only: its writer has been killed between two files, or later."""
    try:
        return has_rows(rows, kept, schema)
    except (PySparkException, Py4JJavaError) as error:
        _, _, unread = str(error).partition("FAILED_READ_FILE")
        if f"/{folder.rpartition('/')[2]}/" in unread.partition("\n")[0]:
            return False  # the write was cut off in the middle of a file
        raise


@contextmanager
def alone(place: str | None) -> Iterator[None]:
    """Holds off other processes from writing the same table, on a local file system. Two that have started one stream
    then write the same micro-batch one after the other, and Spark's log ends one. The lock ends with the process."""
    if place is None or fcntl is None:
        yield
        return
    os.makedirs(place, exist_ok=True)
    with open(f"{place}/{LOCK}", "a+", encoding="utf-8") as file:
        fcntl.flock(file, fcntl.LOCK_EX)
        yield
        file.seek(0)
        file.truncate()
        file.write(this_process("which wrote at"))


def writer_of(path: str) -> str | None:
    """The process that has written a table last, by a path with its scheme; None where that is not known."""
    place = local_place(path, "")
    try:
        with open(f"{place}/{LOCK}", encoding="utf-8") as file:
            return file.read(300).partition("\n")[0] or None
    except (OSError, ValueError):
        return None


def _local(spark: SparkSession, path: str) -> str | None:
    """The path where this process can look by itself, which on Spark Connect is beside the server."""
    return local_place(path, "" if is_connect(spark) else default_file_system(spark))
