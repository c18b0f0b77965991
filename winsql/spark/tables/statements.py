"""Streams by SQL alone: CREATE STREAMING TABLE, SHOW STREAMS, STOP STREAM, AWAIT STREAM, SHOW WINDOW STATE OF."""

from __future__ import annotations

import datetime
import time
from collections.abc import Callable
from typing import Any

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from winsql.errors import WindowDataError, WindowPlanError, WinsqlError
from winsql.model.nearest import nearest
from winsql.spark.damage import damage_in
from winsql.spark.failure import of_row, translate
from winsql.spark.planned_statement import Arguments
from winsql.spark.runner import is_connect
from winsql.spark.streaming.checkpoint import state
from winsql.spark.streaming.metrics import stream_metrics
from winsql.spark.tables.catalog import find_table, full_name
from winsql.spark.tables.files import writer_of
from winsql.spark.tables.registry import Stream, streams_of
from winsql.spark.tables.sinks.start import start_stream_into
from winsql.spark.tables.start import start_stream
from winsql.spark.tables.stream_views import VIEW_COLUMNS, VIEW_STATEMENTS
from winsql.syntax import (
    AwaitStream,
    CreateStream,
    CreateStreamInto,
    Name,
    ShowStreams,
    ShowWindowState,
    Statement,
    StopStream,
)
from winsql.syntax.secrets import scrubbed

__all__ = ["COMMANDS", "refresh_tables", "run_stream_statement", "stop_streams"]


def run_stream_statement(spark: SparkSession, statement: Statement, args: Arguments) -> DataFrame:
    """Run one of winsql's statements about streams; what it returns is known at once, but for open windows.

    Raises WinsqlErrors, and what Spark raises.
    """
    stream = statement.stream
    assert stream is not None
    return _RUN[type(stream)](spark, statement, stream, args)


def stop_streams(spark: SparkSession) -> list[str]:
    """Stop the streams that still run; returns their names."""
    running = [stream for stream in streams_of(spark).values() if stream.query.isActive]
    for stream in running:
        stream.stop()
    return [_shown(stream.name) for stream in running]


def refresh_tables(spark: SparkSession) -> None:
    """Let the session's next statement see what its streams have written: Spark remembers the files of a table.

    On a classic session the streams do that themselves after each micro-batch.
    """
    if is_connect(spark):
        for table in {table for stream in streams_of(spark).values() for table in stream.tables}:
            if spark.catalog.tableExists(table):
                spark.catalog.refreshTable(table)


def _create(spark: SparkSession, statement: Statement, stream: CreateStream, args: Arguments) -> DataFrame:
    started = start_stream(spark, statement, stream, args)
    return spark.createDataFrame([started], _STARTED)


def _create_into(spark: SparkSession, statement: Statement, stream: CreateStreamInto, args: Arguments) -> DataFrame:
    started = start_stream_into(spark, statement, stream, args)
    return spark.createDataFrame([started], _STARTED)


_STARTED = "name STRING, status STRING"
_STATUS = "name STRING, status STRING, batch BIGINT"
_LISTED = (
    "name STRING, status STRING, batch BIGINT, rows_per_second DOUBLE, watermark TIMESTAMP, late_rows BIGINT, "
    "open_windows BIGINT, state_bytes BIGINT, guarantee STRING, error STRING"
)


def _show(spark: SparkSession, statement: Statement, stream: ShowStreams, args: Arguments) -> DataFrame:
    return spark.createDataFrame([_listed(spark, found) for found in streams_of(spark).values()], _LISTED)


def _listed(spark: SparkSession, stream: Stream) -> tuple[Any, ...]:
    reports = stream.progress()
    last = reports[-1] if reports else {}
    counts = _metrics(spark, stream) if reports else {}
    return (
        _shown(stream.name),
        stream.status,
        last.get("batchId"),
        _rows_per_second(reports),
        _watermark(last),
        counts.get("late_rows"),
        counts.get("open_windows"),
        counts.get("state_bytes"),
        stream.guarantee.value,
        _first_line(_own_error(spark, stream)),
    )


def _metrics(spark: SparkSession, stream: Stream) -> dict[str, int]:
    """What the state of its windows counts; nothing for a query without windows, or before the first micro-batch."""
    if not stream.checkpoint:
        return {}
    try:
        return stream_metrics(spark, stream.checkpoint)
    except (PySparkException, WindowPlanError):
        return {}


def _rows_per_second(reports: list[dict[str, Any]]) -> float | None:
    """Over Spark's latest reports, while micro-batches ran."""
    millis = sum(report["durationMs"].get("triggerExecution", 0) for report in reports)
    rows = sum(source["numInputRows"] for report in reports for source in report["sources"])
    return round(1000 * rows / millis, 1) if millis else None


def _watermark(report: dict[str, Any]) -> datetime.datetime | None:
    text = (report.get("eventTime") or {}).get("watermark")
    if text is None or text.startswith("1970-01-01T00:00:00"):  # Spark's way to say that there is none yet
        return None
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00"))


def _stop(spark: SparkSession, statement: Statement, stop: StopStream, args: Arguments) -> DataFrame:
    stream = _find(spark, statement, stop.name)
    stream.stop()
    return _status(spark, stream)


def _await(spark: SparkSession, statement: Statement, wait: AwaitStream, args: Arguments) -> DataFrame:
    stream = _find(spark, statement, wait.name)
    end = None if wait.limit is None else time.monotonic() + wait.limit / 1_000_000
    try:
        while stream.query.isActive and (end is None or time.monotonic() < end):
            stream.query.awaitTermination(_SLICE)
    except PySparkException:
        pass  # how it ended is asked below, also when it had ended before
    stream.hang_up()
    error = _own_error(spark, stream)
    if error is not None:
        raise error from None
    return _status(spark, stream)


_SLICE = 1
"""Seconds between two looks: an interrupt must come through, also on Spark Connect."""


def _state(spark: SparkSession, statement: Statement, show: ShowWindowState, args: Arguments) -> DataFrame:
    name = full_name(spark, show.name, statement)
    found = streams_of(spark).get(str(name).lower())
    if found is not None:
        return state(spark, found.checkpoint)
    table = find_table(spark, str(name))
    if table is None or table.record is None:
        raise _unknown(spark, statement, show.name)
    return state(spark, table.checkpoint)


_RUN: dict[type, Callable[..., DataFrame]] = {
    CreateStream: _create,
    CreateStreamInto: _create_into,
    ShowStreams: _show,
    StopStream: _stop,
    AwaitStream: _await,
    ShowWindowState: _state,
    **VIEW_STATEMENTS,
}
COMMANDS: dict[type, str] = {
    CreateStream: _STARTED,
    CreateStreamInto: _STARTED,
    ShowStreams: _LISTED,
    StopStream: _STATUS,
    AwaitStream: _STATUS,
    **VIEW_COLUMNS,
}
"""The statements that do something, or tell what is, at the moment they run: the columns they return."""


def _status(spark: SparkSession, stream: Stream) -> DataFrame:
    last = stream.query.lastProgress
    batch = None if last is None else last["batchId"]
    row = (_shown(stream.name), stream.status, batch)
    return spark.createDataFrame([row], _STATUS)


def _own_error(spark: SparkSession, stream: Stream) -> Exception | None:
    """What a stream failed with: winsql's own error if it is one, with its place in the statement that started it."""
    error = stream.error
    if error is None:
        return None
    if is_connect(spark) and isinstance(error, PySparkException):
        from winsql.spark.versions.connect import retold_on_connect  # it needs the client's libraries

        error = retold_on_connect(spark, error)
    own = translate(error, stream.statement) or of_row(error, stream.statement)
    found = own or damage_in(str(error), stream.checkpoint, writer_of(stream.location)) or error
    shown = scrubbed(str(found), stream.secrets)
    return found if shown == str(found) else WindowDataError(shown)


def _first_line(error: Exception | None) -> str | None:
    if error is None:
        return None
    if not isinstance(error, WinsqlError):
        return str(error).strip().split("\n")[0]
    first = error.problem.strip().split("\n")[0]
    if error.source is None or error.span is None:
        return first
    line, column = error.span.line_and_column(error.source)
    return f"{first} (line {line}, column {column})"


def _find(spark: SparkSession, statement: Statement, name: Name) -> Stream:
    found = streams_of(spark).get(str(full_name(spark, name, statement)).lower())
    if found is None:
        raise _unknown(spark, statement, name)
    return found


def _unknown(spark: SparkSession, statement: Statement, name: Name) -> WindowPlanError:
    known = {stream.name.rpartition(".")[2].strip("`").lower(): stream.name for stream in streams_of(spark).values()}
    near = nearest(name.parts[-1], known)
    meant = f"did you mean {_shown(known[near])}? " if near else ""
    return WindowPlanError(
        f"this session has no stream {name.shown}",
        rule="a stream is known by the name of its table to the session that has started it",
        hint=f"{meant}SHOW STREAMS lists them",
        source=statement.text,
        span=name.span,
    )


def _shown(name: str) -> str:
    """A full name for people: without the session's catalog, quoted only where it must be."""
    parts = [part.replace("``", "`") for part in name[1:-1].split("`.`")]
    return ".".join(part if part.isidentifier() else f"`{part}`" for part in parts[1:])
