"""%winsql and %%winsql: statements of winsql's SQL in a notebook cell, with results as tables and pictures."""

from __future__ import annotations

import argparse
import logging
from datetime import timedelta
from typing import Any, cast

from IPython.core.interactiveshell import InteractiveShell
from IPython.display import HTML, display
from pyspark.sql import SparkSession

import winsql
from winsql.errors import WinsqlError
from winsql.shell.failure import STATEMENT_ERRORS, describe
from winsql.shell.launch import local_session
from winsql.shell.notebook.live import follow
from winsql.shell.notebook.options import BadOptions, parse_options, split_line
from winsql.shell.notebook.render import diagram, table
from winsql.shell.result import Result, collect
from winsql.shell.script import Statement, split
from winsql.spark.planned_statement import parse
from winsql.spark.session import described
from winsql.spark.tables.catalog import full_name
from winsql.spark.tables.registry import streams_of
from winsql.syntax import AwaitStream
from winsql.syntax import Statement as Parsed

__all__ = ["CellError", "load_ipython_extension", "unload_ipython_extension"]

_SINK = "winsql_cell"


class CellError(Exception):
    """A statement of a cell has failed; a notebook shows the message alone, without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def load_ipython_extension(shell: InteractiveShell) -> None:
    """What `%load_ext winsql` calls."""
    shell.register_magic_function(_Magic(shell), magic_kind="line_cell", magic_name="winsql")


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """What `%unload_ext winsql` calls."""
    for magics in shell.magics_manager.magics.values():
        magics.pop("winsql", None)


class _Magic:
    """%winsql [options] SQL; %%winsql [options] with statements, divided by semicolons, below."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell = shell
        self.__doc__ = _HELP

    def __call__(self, line: str, cell: str | None = None) -> None:
        try:
            head, text = split_line(line) if cell is None else (line, cell)
            options = parse_options(head)
            statements = split(text)
        except (BadOptions, WinsqlError) as error:
            raise CellError(str(error)) from None
        if not statements:
            raise CellError(f"there is no statement to run\n\n{_HELP}")
        for statement in statements:
            self._run(statement, options, text, is_last=statement is statements[-1])

    def _run(self, statement: Statement, options: argparse.Namespace, text: str, *, is_last: bool) -> None:
        log = logging.getLogger("SQLQueryContextLogger")  # PySpark's copy of every error, as JSON
        level = log.level
        log.setLevel(logging.CRITICAL + 1)
        try:
            _run(self._session(), statement, options, is_last=is_last)
        except STATEMENT_ERRORS as error:
            raise CellError(describe(error, statement, text)) from None
        finally:
            log.setLevel(level)

    def _session(self) -> SparkSession:
        """The notebook's `spark`, or else the active session, or else a new one."""
        spark = self.shell.user_ns.get("spark") or SparkSession.getActiveSession()
        if spark is None:
            spark = local_session({"spark.log.level": "ERROR"})
            self.shell.user_ns["spark"] = spark
        return cast(SparkSession, spark)


_HELP = """Run statements of Spark SQL with window clauses.

    %winsql [options] SQL           one line
    %%winsql [options]              statements, divided by semicolons, on the lines below

    --view NAME     keep the result of the last statement as a temporary view
    --rows N        rows shown of each result (default: 50)
    --stream        start a query that reads a stream, and show its rows while it runs; interrupt to stop it
    --once          with --stream: take what is there, and end
    --for SECONDS   with --stream: stop it after so long
    --timeline      draw the windows of the last statement over the first rows of its table
    --delay SECONDS with --timeline: how far the watermark stays behind the newest row

The session is the variable `spark` if there is one, else the active session, else a new one.
"""


def _run(spark: SparkSession, statement: Statement, options: argparse.Namespace, *, is_last: bool) -> None:
    text = statement.text
    parsed = parse(spark, text, None)
    if is_last and options.timeline:
        display(winsql.timeline(spark, text, delay=timedelta(seconds=options.delay)))
        return
    if parsed.target.explains_windows and parsed.queries:
        display(HTML(diagram(*described(spark, parsed))))
        return
    if isinstance(parsed.stream, AwaitStream):
        _await(spark, parsed, parsed.stream)
    frame = winsql.sql(spark, text)
    if frame.isStreaming and is_last and options.stream:
        _stream(spark, frame, options)
        return
    if frame.isStreaming:
        raise WinsqlError(
            "this query reads a stream and has no end",
            hint="write %%winsql --stream to look at its rows, or CREATE STREAMING TABLE to keep them",
        )
    if is_last and options.view:
        frame.createOrReplaceTempView(options.view)
    display(HTML(_shown(collect(frame, limit=options.rows + 1), options.rows)))


def _await(spark: SparkSession, parsed: Parsed, wait: AwaitStream) -> None:
    """Show the stream while it runs; the statement itself then has nothing to wait for, and says how it ended."""
    stream = streams_of(spark).get(str(full_name(spark, wait.name, parsed)).lower())
    if stream is not None:
        seconds = None if wait.limit is None else wait.limit / 1_000_000
        if not follow(stream.query, wait.name.shown, seconds):
            raise CellError(f"interrupted; {wait.name.shown} still runs: STOP STREAM {wait.name.shown} ends it")


def _stream(spark: SparkSession, frame: Any, options: argparse.Namespace) -> None:
    """Keep the rows of a stream in memory, under the name of the view, and show the latest."""
    name = options.view or _SINK
    writer = frame.writeStream.format("memory").queryName(name).outputMode("append")
    query = (writer.trigger(availableNow=True) if options.once else writer).start()
    try:
        follow(query, name, options.seconds, lambda: _latest(spark, name, options.rows))
    finally:
        query.stop()
    error = query.exception()
    if error is not None:
        raise error


def _latest(spark: SparkSession, name: str, rows: int) -> str:
    frame = spark.table(name)
    count = frame.count()
    result = collect(frame.offset(max(count - rows, 0)))
    return table(result.columns, result.rows, f"{count:,} rows so far" + (f", the last {rows}" if count > rows else ""))


def _shown(result: Result, limit: int) -> str:
    rows = result.rows[:limit]
    note = (
        f"the first {limit:,} of more rows"
        if len(result.rows) > limit
        else f"{len(rows):,} row{'s' * (len(rows) != 1)}"
    )
    if not result.columns:
        note = "done"
    left_out = f"; {result.left_out:,} without event time belong to no window" if result.left_out else ""
    return table(result.columns, rows, f"{note} in {result.elapsed:.2f} s{left_out}")
