"""Whether a table that is there comes of the statement that asks for it: the checks before a stream goes on."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

from winsql.errors import WindowDataError, WindowPlanError
from winsql.model.settings import SETTINGS_OF_TEXTS
from winsql.spark.local_places import place_of
from winsql.spark.streaming.same_query import changed, require_same_query
from winsql.spark.tables.catalog import Table, find_table
from winsql.spark.tables.folders import is_unused, qualified, same_place
from winsql.spark.tables.names import shown_name
from winsql.spark.tables.notes import Record
from winsql.syntax import CreateStream, Name

Identities = tuple[dict[str, str], ...]
RESTART_HINT = "run the statement as it was, or write CREATE OR REPLACE STREAMING TABLE to begin anew without its rows"


def require_same(
    spark: SparkSession,
    stream: CreateStream,
    shown: str,
    table: Table,
    kept_as: str,
    late_name: Name | None,
    identities: Identities,
) -> None:
    """Raises WindowPlanError when queries, format, late rows or places are not those of the table; `require_columns`
    checks the columns."""
    record = table.record
    assert record is not None
    require_same_queries(record.identities, identities, partial(_another, shown), RESTART_HINT)
    if stream.path is not None and qualified(spark, table.location) != qualified(spark, stream.path):
        raise _elsewhere(shown, table.location, stream.path)
    kept = {"USING": table.format, "LATE INTO": record.late_into}
    asked = {"USING": kept_as, "LATE INTO": None if late_name is None else str(late_name).lower()}
    # one that is not with the table must be named: a note alone cannot send a stream into a foreign folder
    kept["checkpointLocation"] = None if record.checkpoint is None else qualified(spark, record.checkpoint)
    asked["checkpointLocation"] = None if stream.checkpoint is None else qualified(spark, stream.checkpoint)
    if record.checkpoint is None and asked["checkpointLocation"] == qualified(spark, table.checkpoint):
        asked["checkpointLocation"] = None
    for what, before in kept.items():
        if before != asked[what]:
            raise _another(shown, changed(what, before, asked[what]))


def require_columns(shown: str, table: Table, schema: StructType, *, are_late: bool = False) -> None:
    """Raises WindowPlanError when the columns are not those of the table: of the result, or of the late rows."""
    kept = [f"{column.name} {column.dataType.simpleString()}" for column in table.schema]
    asked = [f"{column.name} {column.dataType.simpleString()}" for column in schema]
    if kept != asked:
        columns = "columns of the late rows" if are_late else "columns"
        has_more = are_late and set(kept) < set(asked)
        raise WindowPlanError(
            f"{shown} has other columns than the statement gives: "
            f"the {columns} were {', '.join(kept)} and are {', '.join(asked)}",
            rule="a stream goes on with the statement that has started it, and with its table as it was",
            hint=_FEWER.format(", ".join(column.name for column in table.schema)) if has_more else _COLUMNS_HINT,
        )


_FEWER = (
    "late rows have all columns of their relation, which has got more: read FROM (SELECT {} FROM ...), "
    "or write CREATE OR REPLACE STREAMING TABLE to begin anew without its rows"
)
_COLUMNS_HINT = (
    "run the statement as it was, or take back what ALTER TABLE has changed, or write CREATE OR REPLACE STREAMING "
    "TABLE to begin anew without its rows"
)


def require_in_place(spark: SparkSession, shown: str, table: Table, place: str) -> None:
    """Raises WindowPlanError where a table without a path is no longer in its `place`, but its checkpoint is."""
    is_moved = table.is_managed and not same_place(table.location, place)
    if is_moved and is_unused(spark, table.checkpoint) and not is_unused(spark, f"{place}/_checkpoint"):
        raise WindowPlanError(
            f"{shown} is in {place_of(table.location)} now, its rows and its checkpoint are in {place_of(place)}",
            rule="a stream goes on where it has begun",
            hint=f"ALTER TABLE {shown} SET LOCATION '{place_of(place)}', and run the statement again",
        )


def _elsewhere(shown: str, location: str, path: str) -> WindowPlanError:
    return WindowPlanError(
        f"{shown} has its rows in {place_of(location)}, and the statement says path {path}",
        rule="a stream goes on where it has begun",
        hint=f"write OPTIONS (path '{place_of(location)}'); or, where ALTER TABLE has moved the table, "
        f"ALTER TABLE {shown} SET LOCATION '{path}'",
    )


def _another(shown: str, what: str) -> WindowPlanError:
    """The error for a table that another statement has made."""
    return WindowPlanError(
        f"{shown} is the table of another query: {what}",
        rule="a stream goes on with the statement that has started it",
        hint=RESTART_HINT,
    )


def of_another(spark: SparkSession, shown: str, table: Table, record: Record) -> WindowPlanError:
    """The error for a table of another stream's: the one of its late rows, or one that has got another name since."""
    stream = shown_name(record.stream)
    owner = find_table(spark, record.stream)
    if owner is None:
        return WindowPlanError(
            f"{shown} is a table of the stream {stream}",
            rule="a streaming table keeps the name that it was made with: its stream is known by it",
            hint=f"if it was renamed, ALTER TABLE {shown} RENAME TO {stream} and go on with that name; "
            "or choose another name",
        )
    has_late_rows = owner.record is not None and owner.record.late_into == table.name.lower()
    return WindowPlanError(
        f"{shown} is {'the table of late rows' if has_late_rows else 'a table'} of the stream {stream}",
        rule="one stream writes a table",
        hint="choose another name",
    )


def require_same_queries(
    kept: Identities, asked: Identities, another: Callable[[str], WindowPlanError], hint: str
) -> None:
    """Raises WindowPlanError when the windowed queries are not those that the state of a stream is of.

    another  makes the error of what differs
    hint     what to do where a query is another one
    """
    before, now = (sum(not SETTINGS_OF_TEXTS.keys() >= one.keys() for one in queries) for queries in (kept, asked))
    if before != now:
        raise another(f"windowed queries over streams were {before} and are {now}")
    for kept_one, asked_one in zip(kept, asked, strict=False):  # how a text is read was not always noted
        try:
            require_same_query(kept_one, asked_one, hint)
        except WindowDataError as error:
            raise WindowPlanError(error.problem, rule=error.rule, hint=error.hint) from None
