"""The tables of a stream in Spark's catalog: finds, makes and drops them, and keeps records in their properties."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

from winsql.errors import Span, WindowPlanError
from winsql.spark.tables.column_ddl import column_ddl
from winsql.spark.tables.folders import (
    NOTE,
    beside_checkpoint,
    delete,
    empty_folder,
    has_files,
    is_missing,
    is_unused,
    require_free,
    same_place,
    write_line,
)
from winsql.spark.tables.formats import Format
from winsql.spark.tables.notes import (
    FilesNote,
    Record,
    note_of,
    note_text,
    properties_of,
    record_in,
)
from winsql.spark.versions.property_lists import option_value, property_value
from winsql.syntax import Name


@dataclass(frozen=True, slots=True)
class Table:
    """A table or view of the catalog. `record` is None for one that winsql has not made.

    is_known   False for one whose files are there, with a note, while the catalog has forgotten it
    """

    name: str
    location: str
    format: str
    is_managed: bool
    record: Record | None
    schema: StructType = field(default_factory=StructType)
    is_known: bool = True

    @property
    def checkpoint(self) -> str:
        """Where the stream keeps its checkpoint: with the table, under a name that is not read as data."""
        chosen = self.record.checkpoint if self.record is not None else None
        return chosen or f"{self.location}/_checkpoint"


def find_table(spark: SparkSession, name: str) -> Table | None:
    """The table of that quoted name; None when there is none."""
    if not spark.catalog.tableExists(name):
        return None
    try:
        row = spark.sql(f"DESCRIBE TABLE EXTENDED {name} AS JSON").collect()[0]
    except AnalysisException:  # a table of another kind than files: not ours, whatever it is
        return Table(name, "", "", False, None)
    found = json.loads(row[0])
    record = record_in(found.get("table_properties") or {})
    return Table(
        name,
        str(found.get("location", "")),
        str(found.get("provider", "")).lower(),
        found.get("type") == "MANAGED",
        record,
        spark.table(name).schema if record is not None else StructType(),
    )


def create_table(
    spark: SparkSession,
    name: str,
    schema: StructType,
    kept_as: Format,
    *,
    options: Mapping[str, str],
    path: str | None,
    record: Record,
) -> Table:
    """Make an empty table; `path` makes it an external one.

    Raises WindowPlanError where the session hides what a stream must find in its table again.
    """
    wanted = {**options, "recursiveFileLookup": "true"}
    text, arguments = table_statement(
        spark, name, schema, kept_as.name, options=wanted, path=path, properties=properties_of(record)
    )
    spark.sql(text, args=arguments or None)
    table = find_table(spark, name)
    if table is None or table.record != record:
        spark.sql(f"DROP TABLE IF EXISTS {name}")
        raise WindowPlanError(
            "the catalog does not give back what winsql has noted in the table's properties",
            rule="a stream goes on by its note in the property winsql.stream, which is in hexadecimal digits",
            hint="RESET spark.sql.redaction.options.regex and spark.redaction.regex, or let them match words alone",
        )
    return table


def table_statement(
    spark: SparkSession,
    name: str,
    schema: StructType,
    kind: str,
    *,
    options: Mapping[str, str],
    path: str | None,
    properties: Mapping[str, str] | None = None,
) -> tuple[str, dict[str, Any]]:
    """CREATE TABLE and its parameters; `kind` is the format as SQL has it, '' for that of the catalog."""
    arguments: dict[str, Any] = {}
    text = [f"CREATE TABLE {name} ({column_ddl(schema)})"]
    if kind:
        text.append(f"USING {kind}")
    if options:
        text.append(f"OPTIONS ({_pairs(spark, options, 'option', arguments, option_value)})")
    if path is not None:
        text.append(f"LOCATION {property_value(spark, 'path', path, arguments)}")
    if properties:
        text.append(f"TBLPROPERTIES ({_pairs(spark, properties, 'property', arguments, property_value)})")
    return "\n".join(text), arguments


def drop_table(spark: SparkSession, table: Table, *, owned: str | None, checkpoint: str | None) -> None:
    """Drop a table of winsql's with its files, and its checkpoint. The caller has stopped the stream.

    owned        the folder of an external table that is known to be its own: no other folder is emptied
    checkpoint   the one that the running statement names: no other is emptied, whatever the record says
    """
    record = table.record
    assert record is not None
    if table.is_known:
        spark.sql(f"DROP TABLE {table.name}")
    if checkpoint is not None and record.checkpoint is not None and same_place(checkpoint, record.checkpoint):
        is_alone = not is_unused(spark, checkpoint) and beside_checkpoint(spark, checkpoint) is None
        if is_alone:
            empty_checkpoint(spark, checkpoint)
    if owned is not None and not table.is_managed and same_place(owned, table.location):
        empty_checkpoint(spark, f"{table.location}/_checkpoint")
        empty_folder(spark, table.location)


def empty_checkpoint(spark: SparkSession, checkpoint: str) -> None:
    """Delete first what has been read: a process that is killed then leaves no checkpoint that a stream could go on
    with, without the rows that are gone."""
    delete(spark, f"{checkpoint}/offsets")
    empty_folder(spark, checkpoint)


def update_record(spark: SparkSession, table: Table, late: Table | None, record: Record) -> None:
    """Replace the record of a table, first beside its files, then in its properties."""
    if not table.is_managed:
        note_files(spark, replace(table, record=record), late)
    arguments: dict[str, Any] = {}
    pairs = _pairs(spark, properties_of(record), "property", arguments, property_value)
    spark.sql(f"ALTER TABLE {table.name} SET TBLPROPERTIES ({pairs})", args=arguments or None)


def note_files(spark: SparkSession, table: Table, late: Table | None) -> None:
    """Leave a note with the files of external tables, by which they are recognized when the catalog has lost them."""
    assert table.record is not None
    note = FilesNote(table.format, table.schema, None if late is None else late.schema, table.record)
    write_line(spark, f"{table.location}/{NOTE}", note_text(note))


def find_files(spark: SparkSession, path: str) -> FilesNote | None:
    """The note of a streaming table whose files are there; None when there is none.

    Raises WindowPlanError for one that cannot be read.
    """
    place = f"{path}/{NOTE}"
    if is_missing(spark, place):
        return None
    rows = spark.read.text(place).head(2)
    if not rows and not has_files(spark, path):
        return None  # the process ended before anything was written
    try:
        return note_of(rows[0][0] if len(rows) == 1 else "")
    except ValueError as error:
        raise WindowPlanError(
            f"the note {place} cannot be read: {error}",
            rule="it says which stream the rows in this folder are of, and their columns; the rows are not touched",
            hint="put the file back from a copy, or choose another path and begin anew",
        ) from None


def absolute_path(spark: SparkSession, name: Name, path: str) -> str:
    """A path as LOCATION means it: a relative one begins at the folder of the table's database."""
    if path.startswith("/") or ":" in path.split("/")[0]:
        return path
    database = Name(name.parts[:-1], name.span)
    described = spark.sql(f"DESCRIBE DATABASE {database}").collect()
    location = next(row[1] for row in described if row[0] == "Location")
    return f"{location.rstrip('/')}/{path}"


def late_path(path: str | None) -> str | None:
    """Where the late rows of an external table go: beside its rows, under a name that is not read as data."""
    return None if path is None else f"{path}/_late"


def require_empty(spark: SparkSession, path: str | None, checkpoint: str | None, text: str, span: Span) -> None:
    """Raises WindowPlanError when there are files in the place of a new table or of its checkpoint, or around it."""
    if path is not None:
        try:
            require_free(spark, path, "streaming table")
        except WindowPlanError as error:
            raise error.located(text, span) from None
    if checkpoint is not None and not is_unused(spark, checkpoint):
        raise WindowPlanError(
            f"the checkpoint {checkpoint} belongs to a stream already",
            rule="a new table has its own: rows that another stream has read before would be missing",
            hint="choose another checkpointLocation, or empty this one",
            source=text,
            span=span,
        )
    other = None if checkpoint is None else beside_checkpoint(spark, checkpoint)
    if other is not None:
        raise WindowPlanError(
            f"the checkpoint {checkpoint} has a file that is not of a stream: {other}",
            rule="the folder of a checkpoint belongs to its stream alone: what begins anew deletes it",
            hint="choose another checkpointLocation, or move the file away",
            source=text,
            span=span,
        )


_KEY = re.compile(r"[\w.-]+")


def _pairs(
    spark: SparkSession, pairs: Mapping[str, str], prefix: str, arguments: dict[str, Any], say: Callable[..., str]
) -> str:
    """`'key' = value, ...`; a value is a parameter, or a literal where Spark takes none."""
    parts = []
    for number, (key, value) in enumerate(pairs.items()):
        if not _KEY.fullmatch(key):
            raise WindowPlanError(
                f"{key} cannot be the name of an option", rule="names have letters, digits, _ . and -"
            )
        parts.append(f"'{key}' = {say(spark, f'{prefix}{number}', value, arguments)}")
    return ", ".join(parts)
