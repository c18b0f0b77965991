"""The note beside the checkpoint of a stream into a sink, by which a restart knows that it is the same stream.

Whoever may write the folder may write the note: it is read as untrusted input, and only compared.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import asdict, dataclass, replace
from functools import partial
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

from winsql.errors import WindowPlanError
from winsql.spark.streaming.same_query import changed
from winsql.spark.tables.connectors import SPARK_ERRORS
from winsql.spark.tables.folders import OF_SINK, delete, qualified, read_line, write_line
from winsql.spark.tables.formats import FORMATS
from winsql.spark.tables.same_table import require_same_queries


@dataclass(frozen=True, slots=True)
class SinkNote:
    """A stream into a sink.

    stream      its name with catalog and database, in lower case
    identity    of this checkpoint: a number that no other has
    sink, late_sink         the options that a restart may not change, see `Sink.fixed`
    columns, late_columns   their names and types
    queries     identities of the windowed queries, see `Planned.identity`
    is_replaced whether CREATE OR REPLACE has begun to delete what the stream has
    """

    stream: str
    identity: str
    sink: Mapping[str, str]
    columns: tuple[str, ...]
    late_sink: Mapping[str, str] | None = None
    late_columns: tuple[str, ...] = ()
    queries: tuple[dict[str, str], ...] = ()
    is_replaced: bool = False


def columns_of(schema: StructType | None) -> tuple[str, ...]:
    """Names and types, as they are compared."""
    return tuple(f"{column.name} {column.dataType.simpleString()}" for column in schema or ())


def write_note(spark: SparkSession, checkpoint: str, note: SinkNote) -> None:
    """Leave the note beside a checkpoint."""
    write_line(spark, _place(checkpoint), json.dumps(asdict(note)))


def forget_note(spark: SparkSession, checkpoint: str) -> None:
    """Delete the note of a stream that has not started, if there is one."""
    with suppress(*SPARK_ERRORS, OSError):
        delete(spark, _place(checkpoint))


def read_note(spark: SparkSession, checkpoint: str) -> SinkNote | None:
    """The note beside a checkpoint; None where there is none. Raises WindowPlanError for one that cannot be read."""
    line = read_line(spark, _place(checkpoint))
    if line is None:
        return None
    try:
        note = _note(line)
    except ValueError:
        raise WindowPlanError(
            f"the note {_place(checkpoint)} cannot be read",
            rule="it says which stream the checkpoint is of",
            hint="put the file back from a copy, or choose another checkpointLocation",
        ) from None
    late = None if note.late_sink is None else _in_one_form(spark, note.late_sink)
    return replace(note, sink=_in_one_form(spark, note.sink), late_sink=late)


def _in_one_form(spark: SparkSession, sink: Mapping[str, str]) -> dict[str, str]:
    """The options of a sink, with the path of a folder in the form of `qualified`: once they were kept as written."""
    is_folder = sink.get("format") in FORMATS and "path" in sink
    return {**sink, **({"path": qualified(spark, sink["path"])} if is_folder else {})}


def require_same(shown: str, kept: SinkNote, asked: SinkNote) -> None:
    """Raises WindowPlanError when a checkpoint belongs to another statement."""
    if kept.stream != asked.stream:
        raise _another(shown, f"it is that of the stream {kept.stream}")
    if kept.is_replaced:
        raise WindowPlanError(
            f"the replacement of {shown} was interrupted: its rows may be gone, and its checkpoint",
            rule="CREATE OR REPLACE STREAM deletes what the stream has, and begins anew",
            hint="write CREATE OR REPLACE STREAM once more",
        )
    require_same_queries(kept.queries, asked.queries, partial(_another, shown), _HINT)
    for what, before, now in _compared(kept, asked):
        if before != now:
            raise _another(shown, changed(what, before, now))


_HINT = "run the statement as it was, or write CREATE OR REPLACE STREAM to begin anew"


def _compared(kept: SinkNote, asked: SinkNote) -> Iterator[tuple[str, str, str]]:
    for what, before, now in (("INTO", kept.sink, asked.sink), ("LATE INTO", kept.late_sink, asked.late_sink)):
        for key in sorted({*(before or ()), *(now or ())}, key=lambda key: (key != "format", key)):
            yield f"{what}: {key}", (before or {}).get(key, ""), (now or {}).get(key, "")
    yield "the columns", ", ".join(kept.columns), ", ".join(asked.columns)
    yield "the columns of late rows", ", ".join(kept.late_columns), ", ".join(asked.late_columns)


def _another(shown: str, what: str) -> WindowPlanError:
    return WindowPlanError(
        f"the checkpoint of {shown} is that of another statement: {what}",
        rule="a stream goes on with the statement that has started it",
        hint=_HINT,
    )


def _place(checkpoint: str) -> str:
    return f"{checkpoint.rstrip('/')}/{OF_SINK}"


def _note(text: str) -> SinkNote:
    try:
        found = json.loads(text)
    except RecursionError:
        raise ValueError("it is nested too deeply") from None
    if not isinstance(found, dict) or {"is_replaced", *found} != set(SinkNote.__slots__):
        raise ValueError("it has not the parts of a note")
    pairs = [found["sink"], *([] if found["late_sink"] is None else [found["late_sink"]]), *_list(found["queries"])]
    texts = [found["stream"], found["identity"], *_list(found["columns"]), *_list(found["late_columns"])]
    if not all(isinstance(pair, dict) for pair in pairs):
        raise ValueError("it has not the parts of a note")
    if not all(
        isinstance(text, str) for text in (*texts, *(part for pair in pairs for p in pair.items() for part in p))
    ):
        raise ValueError("it has not the parts of a note")
    lists = {name: tuple(found[name]) for name in ("columns", "late_columns", "queries")}
    return SinkNote(**{**found, **lists, "is_replaced": found.get("is_replaced") is True})


def _list(value: Any) -> list[Any]:
    if not isinstance(value, list):
        raise ValueError("it has not the parts of a note")
    return value
