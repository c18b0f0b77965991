"""Streams by SQL alone: CREATE STREAMING TABLE, SHOW STREAMS, STOP STREAM, AWAIT STREAM, SHOW WINDOW STATE OF."""

from __future__ import annotations

import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import astuple

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from winsql.errors import WindowPlanError
from winsql.spark.local_rows import Rows, local_rows
from winsql.spark.planned_statement import Arguments
from winsql.spark.runner import is_connect
from winsql.spark.streaming.checkpoint import state
from winsql.spark.tables.catalog import find_table
from winsql.spark.tables.finding import find_stream, stream_named, unknown_stream
from winsql.spark.tables.names import full_name, shown_name
from winsql.spark.tables.registry import Stream, streams_of
from winsql.spark.tables.reports import own_error, reports_of
from winsql.spark.tables.running import located
from winsql.spark.tables.sinks.catalog_table import as_stream_into
from winsql.spark.tables.sinks.start import start_stream_into
from winsql.spark.tables.start import start_stream
from winsql.spark.tables.stream_commands import COMMAND_STATEMENTS, DONE, note_origin
from winsql.spark.tables.stream_views import VIEW_STATEMENTS
from winsql.syntax import (
    AwaitStream,
    CreateStream,
    CreateStreamInto,
    ShowStreams,
    ShowWindowState,
    Statement,
    StopStream,
)


def run_stream_statement(spark: SparkSession, statement: Statement, args: Arguments) -> DataFrame:
    """Run one of winsql's statements about streams, at once; its rows are known when this returns.

    Raises WinsqlErrors, and Spark's errors.
    """
    stream = statement.stream
    assert stream is not None
    if isinstance(stream, ShowWindowState):
        return _state(spark, statement, stream)
    rows, columns = COMMANDS[type(stream)]
    return local_rows(spark, rows(spark, statement, stream, args), columns)


def stop_streams(spark: SparkSession) -> list[str]:
    """Stop the streams that still run; returns their names. One that takes longer than the session waits ends later."""
    running = [stream for stream in streams_of(spark).values() if stream.query.isActive]
    for stream in running:
        with suppress(WindowPlanError):
            stream.stop()
    return [shown_name(stream.name) for stream in running]


def refresh_tables(spark: SparkSession) -> None:
    """Let the session's next statement see what its streams have written: Spark remembers the files of a table.

    On a classic session the streams do that themselves after each micro-batch.
    """
    if is_connect(spark):
        for table in {table for stream in streams_of(spark).values() for table in stream.tables}:
            if spark.catalog.tableExists(table):
                spark.catalog.refreshTable(table)


def _create(spark: SparkSession, statement: Statement, stream: CreateStream, args: Arguments) -> Rows:
    statement = as_stream_into(spark, statement)
    if isinstance(statement.stream, CreateStreamInto):
        return _create_into(spark, statement, statement.stream, args)
    started = start_stream(spark, statement, stream, args)
    note_origin(spark, statement, stream, args)
    return [started]


def _create_into(spark: SparkSession, statement: Statement, stream: CreateStreamInto, args: Arguments) -> Rows:
    started = start_stream_into(spark, statement, stream, args)
    note_origin(spark, statement, stream, args)
    return [started]


_LISTED = (
    "name STRING, status STRING, batch BIGINT, rows_per_second DOUBLE, watermark TIMESTAMP, late_rows BIGINT, "
    "open_windows BIGINT, state_bytes BIGINT, guarantee STRING, error STRING"
)


def _show(spark: SparkSession, statement: Statement, stream: ShowStreams, args: Arguments) -> Rows:
    return [astuple(report) for report in reports_of(spark)]


def _stop(spark: SparkSession, statement: Statement, stop: StopStream, args: Arguments) -> Rows:
    if stop.if_exists and stream_named(spark, statement, stop.name) is None:
        return [(stop.name.shown, "was not there", None)]
    stream = find_stream(spark, statement, stop.name)
    with located(statement.text, stop.name.span, stream.checkpoint):
        stream.stop()
    return [_status(stream)]


def _await(spark: SparkSession, statement: Statement, wait: AwaitStream, args: Arguments) -> Rows:
    stream = find_stream(spark, statement, wait.name)
    end = None if wait.limit is None else time.monotonic() + wait.limit / 1_000_000
    try:
        while stream.query.isActive and (end is None or time.monotonic() < end):
            stream.query.awaitTermination(_SLICE)
    except PySparkException:
        pass  # how it ended is asked below, also when it had ended before
    stream.hang_up()
    error = own_error(spark, stream)
    if error is not None:
        raise error from None
    return [_status(stream)]


_SLICE = 1
"""Seconds between two looks: an interrupt must come through, also on Spark Connect."""


def _state(spark: SparkSession, statement: Statement, show: ShowWindowState) -> DataFrame:
    found = stream_named(spark, statement, show.name)
    if found is not None:
        return state(spark, found.checkpoint)
    table = find_table(spark, str(full_name(spark, show.name, statement)))
    if table is None or table.record is None:
        raise unknown_stream(spark, statement, show.name)
    return state(spark, table.checkpoint)


def _status(stream: Stream) -> tuple[str, str, int | None]:
    last = stream.query.lastProgress
    return shown_name(stream.name), stream.status, None if last is None else last["batchId"]


_STATUS = f"{DONE}, batch BIGINT"
COMMANDS: dict[type, tuple[Callable[..., Rows], str]] = {
    CreateStream: (_create, DONE),
    CreateStreamInto: (_create_into, DONE),
    ShowStreams: (_show, _LISTED),
    StopStream: (_stop, _STATUS),
    AwaitStream: (_await, _STATUS),
    **VIEW_STATEMENTS,
    **COMMAND_STATEMENTS,
}
"""The statements that act, or report, at the moment they run: what gives their rows, and the columns of these."""
