"""The tables of a stream in Spark's catalog: found, made and dropped, and what their properties remember."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any

from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession
from pyspark.sql.types import StructField, StructType

from winsql.errors import Span, WindowPlanError
from winsql.spark.tables.formats import Format
from winsql.syntax import Name, Statement

__all__ = [
    "FilesNote",
    "Record",
    "Table",
    "absolute_path",
    "create_table",
    "drop_table",
    "find_files",
    "find_table",
    "full_name",
    "late_path",
    "note_files",
    "require_empty",
]

SESSION_CATALOG = "spark_catalog"


@dataclass(frozen=True, slots=True)
class Record:
    """What winsql notes in the properties of a table that it makes.

    stream       the streaming table this one belongs to: itself, or the one whose late rows it has
    checkpoint   of the stream where the user chose its place
    late_into    the table of late rows
    identities   of the windowed queries, see `Planned.identity`
    """

    stream: str
    checkpoint: str | None = None
    late_into: str | None = None
    identities: tuple[dict[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Table:
    """A table or view of the catalog. `record` is None for one that winsql has not made."""

    name: str
    location: str
    format: str
    is_managed: bool
    record: Record | None
    schema: StructType = field(default_factory=StructType)

    @property
    def checkpoint(self) -> str:
        """Where the stream keeps its checkpoint: with the table, under a name that is not read as data."""
        chosen = self.record.checkpoint if self.record is not None else None
        return chosen or f"{self.location}/_checkpoint"


def full_name(spark: SparkSession, name: Name, statement: Statement) -> Name:
    """The name with catalog and database; raises WindowPlanError for another catalog than the session's own."""
    catalog = name.parts[0] if len(name.parts) == _FULL else spark.catalog.currentCatalog()
    if catalog.lower() != SESSION_CATALOG:
        raise WindowPlanError(
            f"a streaming table cannot be in the catalog {catalog}",
            rule=f"it is a table of files, of the session's own catalog {SESSION_CATALOG}",
            hint=f"write {SESSION_CATALOG}.database.{name.parts[-1]}",
            source=statement.text,
            span=name.span,
        )
    database = name.parts[-2] if len(name.parts) > 1 else spark.catalog.currentDatabase()
    return Name((SESSION_CATALOG, database, name.parts[-1]), name.span)


_FULL = 3


@dataclass(frozen=True, slots=True)
class FilesNote:
    """What `note_files` has noted: format, columns of the rows and of the late rows, record."""

    format: str
    schema: StructType
    late_schema: StructType | None
    record: Record


def find_table(spark: SparkSession, name: str) -> Table | None:
    """The table of that quoted name; None when there is none."""
    if not spark.catalog.tableExists(name):
        return None
    try:
        row = spark.sql(f"DESCRIBE TABLE EXTENDED {name} AS JSON").collect()[0]
    except AnalysisException:  # a table of another kind than files: not ours, whatever it is
        return Table(name, "", "", False, None)
    found = json.loads(row[0])
    record = _record(found.get("table_properties") or {})
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
    """Make an empty table; `path` makes it an external one."""
    columns = StructType([StructField(column.name, column.dataType) for column in schema])
    arguments: dict[str, Any] = {}
    properties = _properties(record)
    wanted = {**options, "recursiveFileLookup": "true"}
    text = [f"CREATE TABLE {name} ({columns.toDDL()}) USING {kept_as.name}"]
    text.append(f"OPTIONS ({_pairs(wanted, 'option', arguments)})")
    if path is not None:
        arguments["path"] = path
        text.append("LOCATION :path")
    text.append(f"TBLPROPERTIES ({_pairs(properties, 'property', arguments)})")
    spark.sql("\n".join(text), args=arguments)
    table = find_table(spark, name)
    assert table is not None
    return table


def drop_table(spark: SparkSession, table: Table) -> None:
    """Drop a table of winsql's with its files, and its checkpoint. The caller has stopped the stream."""
    record = table.record
    assert record is not None
    spark.sql(f"DROP TABLE {table.name}")
    if not table.is_managed:
        _empty(spark, table.location)
    if record.checkpoint is not None and not is_unused(spark, record.checkpoint):
        _empty(spark, record.checkpoint)


def note_files(spark: SparkSession, table: Table, late: Table | None) -> None:
    """Leave a note with the files of external tables, by which a catalog that forgot them knows them again."""
    assert table.record is not None
    columns = [None if found is None else found.schema.json() for found in (table, late)]
    note = json.dumps({"format": table.format, "columns": columns, "record": asdict(table.record)})
    frame = spark.createDataFrame([(note,)], "value STRING").coalesce(1)
    frame.write.mode("overwrite").text(f"{table.location}/{_NOTE}")


def find_files(spark: SparkSession, path: str) -> FilesNote | None:
    """The note of a streaming table whose files are there; None when there is none."""
    place = f"{path}/{_NOTE}"
    if _is_missing(spark, "text", place):
        return None
    rows = spark.read.text(place).collect()
    note = json.loads(rows[0][0]) if rows else {}
    if not note:
        return None
    schemas = [None if text is None else StructType.fromJson(json.loads(text)) for text in note["columns"]]
    return FilesNote(note["format"], schemas[0] or StructType(), schemas[1], _read_record(note["record"]))


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
    """Raises WindowPlanError when there are files where a new table, or its checkpoint, would be."""
    if path is not None and _has_files(spark, path):
        raise WindowPlanError(
            f"path {path} is not empty",
            rule="a new streaming table begins without rows, and its folder belongs to it alone",
            hint="choose another path, or empty this one",
            source=text,
            span=span,
        )
    if checkpoint is not None and not is_unused(spark, checkpoint):
        raise WindowPlanError(
            f"the checkpoint {checkpoint} belongs to a stream already",
            rule="a new table has its own: rows that another stream has read before would be missing",
            hint="choose another checkpointLocation, or empty this one",
            source=text,
            span=span,
        )


def is_unused(spark: SparkSession, checkpoint: str) -> bool:
    """Whether no streaming query has begun with this checkpoint."""
    return _is_missing(spark, "text", f"{checkpoint}/metadata")


def _has_files(spark: SparkSession, path: str) -> bool:
    reader = spark.read.format("binaryFile").option("recursiveFileLookup", "true")
    try:
        return not reader.load(path).where("length > 0").select("path").isEmpty()
    except AnalysisException as error:
        if error.getCondition() == "PATH_NOT_FOUND":
            return False
        raise


def _is_missing(spark: SparkSession, kind: str, path: str) -> bool:
    try:
        spark.read.format(kind).load(path).isEmpty()
    except AnalysisException as error:
        if error.getCondition() == "PATH_NOT_FOUND":
            return True
        raise
    return False


def _empty(spark: SparkSession, path: str) -> None:
    """Delete everything in a folder: an overwriting write does, and leaves a file of no bytes, which nothing reads."""
    spark.sql("SELECT '' AS value WHERE false").write.mode("overwrite").text(path)


_NOTE = "_winsql"
_MARK = "winsql.stream"
_CHUNK = 3_000
"""Characters of a property's value; Hive's catalog takes 4,000."""


def _properties(record: Record) -> dict[str, str]:
    text = json.dumps(asdict(record))
    chunks = [text[i : i + _CHUNK] for i in range(0, len(text), _CHUNK)]
    return {_MARK: str(len(chunks))} | {f"{_MARK}.{n}": chunk for n, chunk in enumerate(chunks)}


def _record(properties: Mapping[str, str]) -> Record | None:
    count = properties.get(_MARK, "")
    if not count.isdecimal():
        return None
    try:
        return _read_record(json.loads("".join(properties[f"{_MARK}.{n}"] for n in range(int(count)))))
    except (KeyError, TypeError, ValueError):
        return None  # not what winsql writes: somebody else's table


def _read_record(found: dict[str, Any]) -> Record:
    return Record(**{**found, "identities": tuple(found["identities"])})


_KEY = re.compile(r"[\w.-]+")


def _pairs(pairs: Mapping[str, str], prefix: str, arguments: dict[str, Any]) -> str:
    """`'key' = :parameter, ...`; the values go into `arguments`, so that no text of the user's is part of SQL."""
    parts = []
    for number, (key, value) in enumerate(pairs.items()):
        if not _KEY.fullmatch(key):
            raise WindowPlanError(
                f"{key} cannot be the name of an option", rule="names have letters, digits, _ . and -"
            )
        arguments[f"{prefix}{number}"] = value
        parts.append(f"'{key}' = :{prefix}{number}")
    return ", ".join(parts)
