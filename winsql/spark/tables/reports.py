"""Reports on a stream: its progress, the counts of its windows, and its error."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from typing import Any

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from winsql.errors import WindowDataError, WinsqlError
from winsql.spark.messages.damage import damage_in
from winsql.spark.messages.failure import of_row, translate, without_plan
from winsql.spark.runner import is_connect
from winsql.spark.streaming.metrics import stream_metrics
from winsql.spark.streaming.stateful import METRICS
from winsql.spark.tables.files import unknown_table, writer_of
from winsql.spark.tables.names import shown_name
from winsql.spark.tables.registry import Stream, streams_of
from winsql.spark.tables.unsupported import unsupported_in_batch
from winsql.syntax.stream_statements.secrets import scrubbed


@dataclass(frozen=True, slots=True)
class StreamReport:
    """One stream, as SHOW STREAMS shows it: columns in its order, None for what is not known.

    batch            number of the last micro-batch
    rows_per_second  over Spark's latest reports, while micro-batches ran
    late_rows, open_windows, state_bytes   of its windows, as of the last completed micro-batch
    """

    name: str
    status: str
    batch: int | None
    rows_per_second: float | None
    watermark: datetime.datetime | None
    late_rows: int | None
    open_windows: int | None
    state_bytes: int | None
    guarantee: str
    error: str | None


@dataclass(frozen=True, slots=True)
class BatchReport:
    """One micro-batch, as SHOW STREAM shows it: columns in its order.

    time         of its start
    late_rows    of winsql's windows, and dropped by Spark's operators; None where neither counts
    state_rows, state_bytes   of the state of all operators after it; None where there is none
    """

    batch: int
    time: datetime.datetime
    rows: int
    rows_per_second: float | None
    duration_ms: int | None
    watermark: datetime.datetime | None
    late_rows: int | None
    state_rows: int | None
    state_bytes: int | None


def reports_of(spark: SparkSession) -> list[StreamReport]:
    """The reports on all streams of a session; may be called from any thread."""
    return [report_of(spark, stream) for stream in list(streams_of(spark).values())]


def report_of(spark: SparkSession, stream: Stream) -> StreamReport:
    """The present report on a stream."""
    reports = stream.progress()
    last = reports[-1] if reports else {}
    counts = _counts(spark, stream, last) if reports else {}
    return StreamReport(
        shown_name(stream.name),
        stream.status,
        last.get("batchId"),
        _rows_per_second(reports),
        _watermark(last),
        counts.get("late_rows"),
        counts.get("open_windows"),
        counts.get("state_bytes"),
        stream.guarantee.value,
        first_line(own_error(spark, stream)),
    )


def batches(stream: Stream) -> list[BatchReport]:
    """The latest micro-batches, by the last report on each; triggers that found nothing to do are left out."""
    found = {report["batchId"]: report for report in stream.progress() if _has_run(report)}
    return [_batch(report) for _, report in sorted(found.items())]


def _batch(report: dict[str, Any]) -> BatchReport:
    duration = report["durationMs"].get("triggerExecution")
    rows = _rows(report)
    states = report.get("stateOperators") or ()
    return BatchReport(
        report["batchId"],
        datetime.datetime.fromisoformat(report["timestamp"].replace("Z", "+00:00")),
        rows,
        round(1000 * rows / duration, 1) if duration else None,
        duration,
        _watermark(report),
        _late_rows(report),
        sum(state["numRowsTotal"] for state in states) if states else None,
        sum(state["memoryUsedBytes"] for state in states) if states else None,
    )


def _late_rows(report: dict[str, Any]) -> int | None:
    observed = report.get("observedMetrics") or {}
    counts = [_values(row) for name, row in observed.items() if _OBSERVED.fullmatch(name)]
    dropped = [state["numRowsDroppedByWatermark"] for state in report.get("stateOperators") or ()]
    return sum(count[1] or 0 for count in counts) + sum(dropped) if counts or dropped else None


_OBSERVED = re.compile(rf"{METRICS}_\d+_[0-9a-f]{{8}}")
"""Names of the metrics of winsql's operators: firings and late rows in a micro-batch."""


def _values(row: Any) -> list[Any]:
    values = row.asDict() if hasattr(row, "asDict") else dict(row)
    found: list[Any] = values.get("values", list(values.values()))  # Connect's client keeps the names elsewhere
    return found


def _rows(report: dict[str, Any]) -> int:
    return sum(source["numInputRows"] for source in report["sources"])


def _counts(spark: SparkSession, stream: Stream, last: dict[str, Any]) -> dict[str, int]:
    """The counts in the state of its windows, read once after each micro-batch; none for a query without windows.

    last  Spark's latest report: one of a trigger without rows has the number of the next micro-batch
    """
    if not stream.checkpoint:
        return {}
    batch = (last["batchId"], _has_run(last))
    if stream.counted is not None and stream.counted[0] == batch:
        return stream.counted[1]
    try:
        counts = stream_metrics(spark, stream.checkpoint)
    except (PySparkException, WinsqlError):  # before the first micro-batch too
        return {}
    stream.counted = (batch, counts)
    return counts


def _has_run(report: dict[str, Any]) -> bool:
    return "addBatch" in report["durationMs"]


def _rows_per_second(reports: list[dict[str, Any]]) -> float | None:
    millis = sum(report["durationMs"].get("triggerExecution", 0) for report in reports)
    rows = sum(map(_rows, reports))
    return round(1000 * rows / millis, 1) if millis else None


def _watermark(report: dict[str, Any]) -> datetime.datetime | None:
    text = watermark_said(report)
    if len(text.partition("-")[0]) > len("9999"):
        return _LAST
    return datetime.datetime.fromisoformat(text.replace("Z", "+00:00")) if text else None


_LAST = datetime.datetime(9999, 12, 31, tzinfo=datetime.UTC)
"""Stands for all later times: Python has no others, and the day after would be one of them in some zones."""


def watermark_said(report: dict[str, Any]) -> str:
    """The watermark in a report of Spark's, as it is there; empty while there is none."""
    text: str = (report.get("eventTime") or {}).get("watermark") or ""
    return "" if text.startswith("1970-01-01T00:00:00") else text  # Spark's way to say that there is none yet


def own_error(spark: SparkSession, stream: Stream) -> Exception | None:
    """The error that a stream failed with; winsql's own has its place in the statement that started the stream."""
    error = stream.error
    if error is None:
        return None
    if is_connect(spark) and isinstance(error, PySparkException):
        from winsql.spark.versions.connect import retold_on_connect  # it needs the client's libraries

        error = retold_on_connect(spark, error)
    own = translate(error, stream.statement) or of_row(error, stream.statement)
    own = own or _damage(spark, stream, str(error))
    found = own or unsupported_in_batch(error) or without_plan(error)
    shown = scrubbed(str(found), stream.secrets)
    return found if shown == str(found) else WindowDataError(shown)


def _damage(spark: SparkSession, stream: Stream, error: str) -> WindowDataError | None:
    """What is damaged or gone; with a table that was dropped or renamed its folder goes, and the checkpoint there."""
    damage = damage_in(error, stream.checkpoint, writer_of(stream.location))
    tables = stream.tables if damage is not None and stream.location else ()
    gone = next((table for table in tables if not spark.catalog.tableExists(table)), None)
    return damage if gone is None else unknown_table(gone)


def first_line(error: Exception | None) -> str | None:
    """What an error says, in one line, with its place in the statement."""
    if error is None:
        return None
    if not isinstance(error, WinsqlError):
        said = str(error).strip()
        raised = _IN_PYTHON.findall(said)
        return str(raised[-1] if raised else said.split("\n")[0])
    first = error.problem.strip().split("\n")[0]
    if error.source is None or error.span is None:
        return first
    line, column = error.span.line_and_column(error.source)
    return f"{first} (line {line}, column {column})"


_IN_PYTHON = re.compile(r"Traceback \(most recent call last\):\n(?:[ \t][^\n]*\n)+(\S[^\n]*)")
"""What a function in Python has raised, after the lines of its traceback."""
