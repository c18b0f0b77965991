"""Notes of winsql about a streaming table, in the table's properties and beside its files: writes and reads them.

Whoever may write the table or its folder may write the note: it is read as untrusted input. Anything but a note of
winsql's is refused here; names and places in a genuine note are checked by the code that acts on them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from pyspark.errors import PySparkException
from pyspark.sql.types import StructType

SESSION_CATALOG = "spark_catalog"


@dataclass(frozen=True, slots=True)
class Record:
    """The note about a table that winsql makes.

    stream       the streaming table this one belongs to: itself, or the one whose late rows it has
    checkpoint   of the stream where the user chose its place
    late_into    the table of late rows
    identities   of the windowed queries, see `Planned.identity`
    first_batch  number of the folder that has the first micro-batch of the present checkpoint

    Names are quoted, with catalog and database, in lower case.
    """

    stream: str
    checkpoint: str | None = None
    late_into: str | None = None
    identities: tuple[dict[str, str], ...] = ()
    first_batch: int = 0

    def __post_init__(self) -> None:
        if not _is_name(self.stream):
            raise ValueError("the name of its stream is none")
        if self.late_into is not None and (not _is_name(self.late_into) or self.late_into == self.stream):
            raise ValueError("the name of its table of late rows is none")
        if self.checkpoint is not None and not (_is_text(self.checkpoint) and self.checkpoint):
            raise ValueError("the place of its checkpoint is none")
        if not isinstance(self.identities, tuple) or not all(map(_is_identity, self.identities)):
            raise ValueError("its queries are not described")
        if type(self.first_batch) is not int or self.first_batch < 0:
            raise ValueError("the number of its first micro-batch is none")


@dataclass(frozen=True, slots=True)
class FilesNote:
    """The note beside the files of a table: format, columns of the rows and of the late rows, record."""

    format: str
    schema: StructType
    late_schema: StructType | None
    record: Record


def note_text(note: FilesNote) -> str:
    """The note as one line of text."""
    schemas = [None if schema is None else schema.json() for schema in (note.schema, note.late_schema)]
    return json.dumps({"format": note.format, "columns": schemas, "record": asdict(note.record)})


def note_of(text: str) -> FilesNote:
    """The note in a text; raises ValueError, which says what is wrong, when it is none of winsql's."""
    try:
        found = json.loads(text)
    except (ValueError, RecursionError):
        raise ValueError("it is no JSON") from None
    if not isinstance(found, dict) or found.keys() != {"format", "columns", "record"}:
        raise ValueError("it has not the parts of a note")
    columns = found["columns"]
    if not isinstance(columns, list) or len(columns) != 2 or not _is_text(found["format"]):
        raise ValueError("it has not the parts of a note")
    schema = _schema(columns[0])
    return FilesNote(
        found["format"], schema, None if columns[1] is None else _schema(columns[1]), _record(found["record"])
    )


def properties_of(record: Record) -> dict[str, str]:
    """The record as properties of a table: in hexadecimal digits, as Spark hides values with words such as `url`."""
    text = json.dumps(asdict(record)).encode().hex()
    chunks = [text[i : i + _CHUNK] for i in range(0, len(text), _CHUNK)]
    return {_MARK: str(len(chunks))} | {f"{_MARK}.{n}": chunk for n, chunk in enumerate(chunks)}


def record_in(properties: Mapping[str, str]) -> Record | None:
    """The record in a table's properties; None when winsql has not written them: somebody else's table."""
    count = properties.get(_MARK, "")
    if not _COUNT.fullmatch(count):
        return None
    try:
        text = "".join(properties[f"{_MARK}.{n}"] for n in range(int(count)))
        return _record(json.loads(text if text.startswith("{") else bytes.fromhex(text)))
    except (KeyError, ValueError, RecursionError):
        return None


_MARK = "winsql.stream"
_CHUNK = 3_000
"""Characters of a property's value; Hive's catalog takes 4,000."""
_COUNT = re.compile(r"[1-9][0-9]{0,3}")
_PART = r"`(?:[^`\0]|``)+`"
_NAME = re.compile(rf"`{SESSION_CATALOG}`\.{_PART}\.{_PART}")


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and "\0" not in value


def _is_name(value: Any) -> bool:
    return isinstance(value, str) and _NAME.fullmatch(value) is not None


def _is_identity(value: Any) -> bool:
    return isinstance(value, dict) and all(isinstance(part, str) for pair in value.items() for part in pair)


def _record(found: Any) -> Record:
    if not isinstance(found, dict) or not found.keys() <= set(Record.__slots__):
        raise ValueError("it has not the parts of a record")
    identities = found.get("identities", [])
    if not isinstance(identities, list) or "stream" not in found:
        raise ValueError("it has not the parts of a record")
    return Record(**{**found, "identities": tuple(identities)})


def _schema(text: Any) -> StructType:
    try:
        found = json.loads(text)
        _require_plain(found)
        schema = StructType.fromJson(found)
    except (AttributeError, KeyError, TypeError, ValueError, RecursionError, PySparkException):
        raise ValueError("its columns are not described") from None
    return schema


def _require_plain(found: Any) -> None:
    """Raises ValueError for a type of the user's own: PySpark would import, or unpickle, the class that it names."""
    if isinstance(found, dict):
        if found.get("type") == "udt":
            raise ValueError("a type of the user's own")
        for value in found.values():
            _require_plain(value)
    elif isinstance(found, list):
        for value in found:
            _require_plain(value)
