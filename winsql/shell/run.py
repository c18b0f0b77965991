"""Runs the statements of scripts one after the other and prints what each returns."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import TextIO

from pyspark.sql import Column, DataFrame, SparkSession, functions
from pyspark.sql.types import BinaryType, DataType, NumericType

import winsql
from winsql.errors import Span, WindowPlanError
from winsql.shell.failure import STATEMENT_ERRORS, describe
from winsql.shell.script import Script, Statement
from winsql.shell.table import format_table
from winsql.spark.tables.statements import stop_streams

__all__ = ["Output", "end_streams", "run_scripts", "run_statement"]


@dataclass(frozen=True, slots=True)
class Output:
    """How results are printed.

    limit    rows printed of a result, 0 = all
    silent   rows only: no titles, counts or times
    out      where to
    """

    limit: int = 100
    silent: bool = False
    out: TextIO = sys.stdout


def run_scripts(spark: SparkSession, scripts: Iterable[Script], output: Output) -> bool:
    """Run every statement of every script; at the first that fails say why on stderr, stop and return False."""
    for script in scripts:
        for number, statement in enumerate(script.statements, start=1):
            try:
                run_statement(spark, statement, _heading(script, statement), output)
            except STATEMENT_ERRORS as error:
                print(_report(error, script, number), file=sys.stderr)
                return False
    return True


def run_statement(spark: SparkSession, statement: Statement, heading: str, output: Output) -> None:
    """Run one statement to its end, print its rows under `heading`, then count, elapsed time and notes.

    All rows of the result come to the driver, as in spark-sql: `spark.driver.maxResultSize` is the limit, LIMIT in
    the statement the way around it.
    """
    started = time.perf_counter()
    frame = winsql.sql(spark, statement.text)
    if frame.isStreaming:
        raise _endless(statement)
    rows = _rows_as_text(frame) if frame.columns else []
    elapsed = time.perf_counter() - started

    say = _Printer(output)
    if not frame.columns:
        say.about(f"{heading}: done in {elapsed:.2f} s")
    else:
        say.about(f"{heading}\n")
        _print_rows(say, frame, rows)
        say.about(f"\n{_count(len(rows))} in {elapsed:.2f} s")
    _print_notes(say, frame)
    say.about("")


def end_streams(spark: SparkSession) -> None:
    """Stop the streams that still run, and say so on stderr."""
    try:
        names = stop_streams(spark)
    except STATEMENT_ERRORS as error:  # Spark itself has gone; what a stream has not finished it repeats when restarted
        print(f"winsql: streams could not be stopped: {error}", file=sys.stderr)
        return
    for name in names:
        print(f"winsql: stopped stream {name}, which still ran; AWAIT STREAM {name} waits for its end", file=sys.stderr)


def _endless(statement: Statement) -> WindowPlanError:
    return WindowPlanError(
        "this query reads a stream and has no end",
        rule="the command prints the rows of a query that ends",
        hint="write CREATE STREAMING TABLE name AS ... to start it, and SELECT from that table",
        source=statement.text,
        span=Span(0, len(statement.text)),
    )


def _heading(script: Script, statement: Statement) -> str:
    """The statement's title, or else where it stands."""
    if statement.title is None:
        return f"{script.name}:{_line(script, statement)}"
    return "\n".join(f"-- {line}" for line in statement.title.split("\n"))


def _line(script: Script, statement: Statement) -> int:
    return script.text.count("\n", 0, statement.body) + 1


def _report(error: Exception, script: Script, number: int) -> str:
    statement = script.statements[number - 1]
    first = _line(script, statement)
    body = script.text[statement.body : statement.start + len(statement.text)].split("\n")
    message = describe(error, statement, script.text)
    report = [f"winsql: {script.name}:{first}: statement {number} failed", message]
    if len(body) > 1 or body[0] not in message:  # a message that shows the one line need not be followed by it
        width = len(str(first + len(body) - 1))
        report += ["", *(f"  {line:>{width}} | {text}" for line, text in enumerate(body, start=first))]
    return "\n".join(report)


class _Printer:
    def __init__(self, output: Output) -> None:
        self.output = output

    def rows(self, text: str) -> None:
        print(text, file=self.output.out, flush=True)

    def about(self, text: str) -> None:
        if not self.output.silent:
            print(text, file=self.output.out, flush=True)

    def note(self, text: str) -> None:
        """Something the rows do not show; also told when silent, but not among the rows."""
        print(f"note: {text}", file=sys.stderr if self.output.silent else self.output.out, flush=True)


def _print_rows(say: _Printer, frame: DataFrame, rows: list[list[str | None]]) -> None:
    shown = rows[: say.output.limit] if say.output.limit else rows
    right = [_is_number(field.dataType) for field in frame.schema.fields]
    say.rows(format_table(frame.columns, shown, right))
    if hidden := len(rows) - len(shown):
        say.about(f"… {hidden:,} more (--rows 0 prints all)")


def _print_notes(say: _Printer, frame: DataFrame) -> None:
    if left_out := winsql.metrics(frame).get("null_event_time", 0):
        what = "row has a NULL event time and belongs" if left_out == 1 else "rows have a NULL event time and belong"
        say.note(f"{left_out:,} {what} to no window")


def _count(rows: int) -> str:
    return "1 row" if rows == 1 else f"{rows:,} rows"


def _rows_as_text(frame: DataFrame) -> list[list[str | None]]:
    """Values as Spark writes them, in the session's time zone; by position, as names may repeat."""
    names = [f"c{i}" for i in range(len(frame.columns))]
    columns = [
        _as_text(functions.col(name), field.dataType) for name, field in zip(names, frame.schema.fields, strict=True)
    ]
    return [list(row) for row in frame.toDF(*names).select(*columns).collect()]


def _as_text(column: Column, data_type: DataType) -> Column:
    return functions.hex(column) if isinstance(data_type, BinaryType) else column.cast("string")


def _is_number(data_type: DataType) -> bool:
    return isinstance(data_type, NumericType)
