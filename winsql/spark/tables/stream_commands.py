"""SHOW STREAM, DROP STREAM and ALTER STREAM: what becomes of a stream that the session has started."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import astuple, replace
from typing import Any

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from winsql.errors import WindowPlanError
from winsql.spark.local_rows import Rows
from winsql.spark.planned_statement import Arguments
from winsql.spark.tables.catalog import empty_checkpoint
from winsql.spark.tables.claims import claimed
from winsql.spark.tables.finding import find_stream, stream_named
from winsql.spark.tables.folders import require_checkpoint_alone
from winsql.spark.tables.formats import FORMATS
from winsql.spark.tables.names import shown_name
from winsql.spark.tables.registry import Origin, Stream, streams_of
from winsql.spark.tables.reports import batches
from winsql.spark.tables.running import located
from winsql.spark.tables.sinks.start import start_stream_into
from winsql.spark.tables.start import start_stream
from winsql.syntax import CreateStream, CreateStreamInto, Name, Statement
from winsql.syntax.stream_statements.commands import DropStream, PauseStream, ResumeStream, SetStreamOptions, ShowStream
from winsql.syntax.stream_statements.secrets import is_secret, starred


def note_origin(
    spark: SparkSession, statement: Statement, stream: CreateStream | CreateStreamInto, args: Arguments
) -> None:
    """Keep the statement that has started a stream, to start it again."""
    found = stream_named(spark, statement, stream.name)
    if found is not None and found.origin is None:
        kept = replace(stream, or_replace=False, if_not_exists=False)
        found.origin = Origin(
            replace(statement, stream=kept), kept, args, spark.catalog.currentCatalog(), spark.catalog.currentDatabase()
        )


# -- SHOW -------------------------------------------------------------------------------------------------------------


def _show(spark: SparkSession, statement: Statement, show: ShowStream, args: Arguments) -> Rows:
    stream = find_stream(spark, statement, show.name)
    return [astuple(batch) for batch in batches(stream)]


# -- DROP -------------------------------------------------------------------------------------------------------------


def _drop(spark: SparkSession, statement: Statement, drop: DropStream, args: Arguments) -> Rows:
    if drop.if_exists and stream_named(spark, statement, drop.name) is None:
        return [(drop.name.shown, "was not there")]
    stream = find_stream(spark, statement, drop.name)
    with located(statement.text, drop.name.span, stream.checkpoint):
        if drop.purges and stream.checkpoint:
            require_checkpoint_alone(spark, stream.checkpoint, "PURGE")
        stream.stop()
        if drop.purges and stream.checkpoint:
            with claimed(spark, stream.location or stream.checkpoint) as claim:
                empty_checkpoint(spark, stream.checkpoint)
                claim.release()
    del streams_of(spark)[stream.name.lower()]
    return [(shown_name(stream.name), "purged" if drop.purges else "dropped")]


# -- ALTER ------------------------------------------------------------------------------------------------------------


def _pause(spark: SparkSession, statement: Statement, pause: PauseStream, args: Arguments) -> Rows:
    stream = _altered(spark, statement, pause)
    if not stream.query.isActive and not stream.stopped:
        raise _refused(
            statement,
            pause.name,
            f"stream {shown_name(stream.name)} has {'failed' if stream.status == 'failed' else 'finished'}",
            "a stream that runs can be paused",
            f"ALTER STREAM {pause.name.shown} RESUME starts it again",
        )
    with located(statement.text, pause.name.span, stream.checkpoint):
        stream.stop()
    stream.is_paused = True
    return [_status(stream)]


def _resume(spark: SparkSession, statement: Statement, resume: ResumeStream, args: Arguments) -> Rows:
    stream = _altered(spark, statement, resume)
    if stream.query.isActive:
        return [_status(stream)]
    stream.hang_up()
    origin = _origin(statement, resume.name, stream)
    with _in_its_database(spark, statement, resume.name, origin):
        if isinstance(origin.stream, CreateStream):
            start_stream(spark, origin.statement, origin.stream, origin.args)
        else:
            start_stream_into(spark, origin.statement, origin.stream, origin.args)
        note_origin(spark, origin.statement, origin.stream, origin.args)
    return [_status(find_stream(spark, statement, resume.name))]


@contextmanager
def _in_its_database(spark: SparkSession, statement: Statement, name: Name, origin: Origin) -> Iterator[None]:
    """Short names in the statement of a stream mean what they meant when it ran; afterwards the session is as before.

    Raises WindowPlanError where the database is gone.
    """
    catalog, database = spark.catalog.currentCatalog(), spark.catalog.currentDatabase()
    try:
        if (catalog, database) != (origin.catalog, origin.database):
            _use(spark, origin.catalog, origin.database, statement, name)
        yield
    finally:
        if (spark.catalog.currentCatalog(), spark.catalog.currentDatabase()) != (catalog, database):
            spark.catalog.setCurrentCatalog(catalog)
            spark.catalog.setCurrentDatabase(database)


def _use(spark: SparkSession, catalog: str, database: str, statement: Statement, name: Name) -> None:
    try:
        spark.catalog.setCurrentCatalog(catalog)
        spark.catalog.setCurrentDatabase(database)
    except PySparkException:
        raise _refused(
            statement,
            name,
            f"the database {catalog}.{database} is gone, where the statement of {name.shown} was run",
            "a stream is started again with its statement, whose short names are those of that database",
            f"CREATE DATABASE {catalog}.{database}, or run a CREATE statement with full names",
        ) from None


def _set_options(spark: SparkSession, statement: Statement, change: SetStreamOptions, args: Arguments) -> Rows:
    stream = _altered(spark, statement, change)
    origin = _origin(statement, change.name, stream)
    changed: Any = origin.stream
    _require_changeable(statement, change, _fixed(changed))
    if isinstance(changed, CreateStream):
        changed = replace(changed, options=_merged(changed.options, change.options))
    else:
        sink = replace(changed.sink, options=_merged(changed.sink.options, change.options))
        changed = replace(changed, sink=sink)
    if change.trigger is not None:
        changed = replace(changed, trigger=change.trigger)
    stream.origin = replace(origin, statement=replace(origin.statement, stream=changed), stream=changed)
    what = "set, for the next start" if stream.query.isActive else "set"
    return [(shown_name(stream.name), what)]


def _merged(options: Mapping[str, str], changes: Mapping[str, str]) -> dict[str, str]:
    """The options with the changes; upper and lower case are the same."""
    given = {key.lower() for key in changes}
    return {**{key: value for key, value in options.items() if key.lower() not in given}, **changes}


_KEPT = "rows and checkpoint belong together, at the places where they are"
_PLACES = dict.fromkeys(
    ("path", "checkpointlocation", "url", "table", "dbtable", "topic", "key", "mode", "querytimestamp"), _KEPT
)
_NEVER = {**_PLACES, "resume": "it says how a stream begins where its checkpoint is gone"}
_OF_FILES = frozenset({"compression", "maxrecordsperfile"})
"""Options that may differ from file to file."""


def _fixed(stream: CreateStream | CreateStreamInto) -> Callable[[str], str | None]:
    """Says why an option may not change; None where it may."""
    is_files = isinstance(stream, CreateStream) or stream.sink.format.lower() in FORMATS

    def reason(key: str) -> str | None:
        if key in _NEVER:
            return _NEVER[key]
        return "rows that are there were written with it" if is_files and key not in _OF_FILES else None

    return reason


def _require_changeable(statement: Statement, change: SetStreamOptions, fixed: Callable[[str], str | None]) -> None:
    secrets = [change.places[key] for key, value in change.options.items() if is_secret(key, value)]
    for key in change.options:
        reason = fixed(key.lower())
        if reason is not None:
            raise WindowPlanError(
                f"option {key} of a stream cannot change",
                rule=reason,
                hint="create the stream anew with CREATE OR REPLACE, or another one beside it",
                source=starred(statement.text, secrets),
                span=change.places[key],
            )


def _altered(
    spark: SparkSession, statement: Statement, change: PauseStream | ResumeStream | SetStreamOptions
) -> Stream:
    stream = find_stream(spark, statement, change.name)
    if change.of_table and not stream.tables:
        raise _refused(
            statement,
            change.name,
            f"{change.name.shown} is no streaming table",
            "CREATE STREAM has made it, which writes no table of the session",
            f"write ALTER STREAM {change.name.shown}",
        )
    return stream


def _origin(statement: Statement, name: Name, stream: Stream) -> Origin:
    if stream.origin is None:
        raise _refused(
            statement,
            name,
            f"what has started {name.shown} is not known",
            "a stream is started again with its statement of this session",
            "run its CREATE statement",
        )
    return stream.origin


def _refused(statement: Statement, name: Name, problem: str, rule: str, hint: str) -> WindowPlanError:
    return WindowPlanError(problem, rule=rule, hint=hint, source=statement.text, span=name.span)


def _status(stream: Stream) -> tuple[str, str]:
    return shown_name(stream.name), stream.status


DONE = "name STRING, status STRING"
_BATCHES = (
    "batch BIGINT, time TIMESTAMP, rows BIGINT, rows_per_second DOUBLE, duration_ms BIGINT, watermark TIMESTAMP, "
    "late_rows BIGINT, state_rows BIGINT, state_bytes BIGINT"
)

COMMAND_STATEMENTS: dict[type, tuple[Callable[..., Rows], str]] = {
    ShowStream: (_show, _BATCHES),
    DropStream: (_drop, DONE),
    PauseStream: (_pause, DONE),
    ResumeStream: (_resume, DONE),
    SetStreamOptions: (_set_options, DONE),
}
"""What gives the rows of each, and their columns."""
