"""%winsql and %%winsql: statements of winsql's SQL in a notebook cell, with results as tables and pictures."""

from __future__ import annotations

import argparse
import logging
import re
import sys
from contextlib import suppress
from datetime import timedelta
from enum import Enum, auto
from typing import Any, cast

from IPython.core.interactiveshell import InteractiveShell
from IPython.core.magic import no_var_expand
from IPython.display import display
from pyspark.logger import PySparkLogger
from pyspark.sql import DataFrame, SparkSession

import winsql
from winsql.errors import WinsqlError
from winsql.shell.failure import STATEMENT_ERRORS, describe
from winsql.shell.launch import local_session, quiet_streams
from winsql.shell.notebook.assigned import is_assigned
from winsql.shell.notebook.interrupted import ended_by_interrupt
from winsql.shell.notebook.live import follow
from winsql.shell.notebook.options import BadOptions, parse_options, split_line
from winsql.shell.notebook.render import diagram, table
from winsql.shell.notebook.shown import show, show_result, table_text
from winsql.shell.result import collect
from winsql.shell.script import Statement, split
from winsql.spark.planned_statement import parse
from winsql.spark.session import described, explained, run
from winsql.spark.tables.available_now import end_when_read
from winsql.spark.tables.finding import stream_named
from winsql.spark.versions.stopped import is_stopped
from winsql.syntax import AwaitStream
from winsql.syntax import Statement as Parsed

_SINK = "winsql_cell"


class CellError(Exception):
    """A statement of a cell has failed; a notebook shows the message alone, without a traceback."""

    def _render_traceback_(self) -> list[str]:
        return [str(self)]


def load_ipython_extension(shell: InteractiveShell) -> None:
    """What `%load_ext winsql` calls: the magics, and `spark.sql` with windows for the notebook's session."""
    magic = no_var_expand(_Magic(shell))  # `{2}` and `$name` are text of SQL, as they are in a cell
    shell.register_magic_function(magic, magic_kind="line_cell", magic_name="winsql")
    shell.events.register("pre_run_cell", magic.teach)  # a session may be built later
    shell.input_transformers_cleanup.append(_help_of_cell)
    magic.teach()


def unload_ipython_extension(shell: InteractiveShell) -> None:
    """What `%unload_ext winsql` calls."""
    if _help_of_cell in shell.input_transformers_cleanup:
        shell.input_transformers_cleanup.remove(_help_of_cell)
    for magics in shell.magics_manager.magics.values():
        magic = magics.pop("winsql", None)
        if magic is not None:
            with suppress(ValueError):  # the line and the cell magic are one
                shell.events.unregister("pre_run_cell", magic.teach)


def _help_of_cell(lines: list[str]) -> list[str]:
    """IPython refuses a cell magic without a cell below it, before anybody can read its options."""
    is_help = re.fullmatch(r"%%winsql\s+(--help|-h)\s*", "".join(lines))
    return ["%winsql --help\n"] if is_help else lines


class _Magic:
    """%winsql [options] SQL; %%winsql [options] with statements, divided by semicolons, below."""

    def __init__(self, shell: InteractiveShell) -> None:
        self.shell = shell
        self.__doc__ = _HELP
        self._taught: set[int] = set()

    def __call__(self, line: str, cell: str | None = None) -> DataFrame | None:
        if line.strip() in ("--help", "-h"):
            print(_HELP)
            return None
        try:
            head, text = split_line(line) if cell is None else (line, cell)
            options = parse_options(head)
            statements = split(text)
        except (BadOptions, WinsqlError) as error:
            raise CellError(str(error)) from None
        if not statements:
            raise CellError(f"there is no statement to run\n\n{_HELP}")
        for statement in statements[:-1]:
            self._run(statement, options, text, _Use.SHOW)
        return self._run(statements[-1], options, text, _Use.KEEP if is_assigned(self.shell.user_ns) else _Use.LAST)

    def teach(self, *_: Any) -> None:
        """Let the `sql` of the notebook's session know windows, if there is a session by now."""
        spark = self._found()
        if spark is None or id(spark) in self._taught:
            return
        self._taught.add(id(spark))
        try:
            winsql.register(spark)
        except WinsqlError as error:
            print(f"spark.sql does not know windows here, %winsql does: {error}", file=sys.stderr)

    def _run(self, statement: Statement, options: argparse.Namespace, text: str, use: _Use) -> DataFrame | None:
        log = PySparkLogger.getLogger("SQLQueryContextLogger")  # PySpark's copy of every error, as JSON
        level = log.level
        log.setLevel(logging.CRITICAL + 1)
        try:
            spark = self._session()
            with ended_by_interrupt(spark):
                return _run(spark, statement, options, use)
        except STATEMENT_ERRORS as error:
            raise CellError(describe(error, statement, text)) from None
        except KeyboardInterrupt:
            raise CellError("interrupted; Spark cancels the statement") from None
        finally:
            log.setLevel(level)

    def _session(self) -> SparkSession:
        """The notebook's `spark`, or else the active session, or else a new one; one that was stopped is none."""
        spark = self._found()
        if spark is None:
            spark = local_session({"spark.log.level": "ERROR"})
            quiet_streams()
            self.shell.user_ns["spark"] = spark
            self.teach()
        return spark

    def _found(self) -> SparkSession | None:
        for spark in (self.shell.user_ns.get("spark"), SparkSession.getActiveSession()):
            if hasattr(spark, "catalog") and not is_stopped(spark):
                return cast(SparkSession, spark)
        return None


class _Use(Enum):
    """What becomes of the result of a statement."""

    SHOW = auto()
    LAST = auto()
    """Shown; the options are about it."""
    KEEP = auto()
    """Returned and not computed; the options are about it."""


_HELP = """Run statements of Spark SQL with window clauses.

    %winsql [options] SQL           one line
    df = %winsql [options] SQL      the DataFrame instead of its rows
    %%winsql [options]              statements, divided by semicolons, on the lines below

    --view NAME     keep the result of the last statement as a temporary view
    --rows N        rows shown of each result (default: 50)
    --stream        start a query that reads a stream, and show its rows while it runs; interrupt to stop it
    --once          with --stream: take what is there, and end
    --for SECONDS   with --stream: stop it after so long
    --timeline      draw the windows of the last statement over the first rows of its table
    --delay SECONDS with --timeline: how far the watermark stays behind the newest row
    --help          this text

The session is the variable `spark` if there is one, else the active session, else a new one. Its `spark.sql` knows
windows, too.
"""


def _run(spark: SparkSession, statement: Statement, options: argparse.Namespace, use: _Use) -> DataFrame | None:
    text, is_last = statement.text, use is not _Use.SHOW
    if is_last and options.timeline:
        display(winsql.timeline(spark, text, delay=timedelta(seconds=options.delay)))
        return None
    parsed = parse(spark, text, None)
    if parsed.target.explains_windows and parsed.queries and use is not _Use.KEEP:
        show(diagram(*described(spark, parsed)), explained(spark, parsed))
        return None
    if isinstance(parsed.stream, AwaitStream):
        _await(spark, parsed, parsed.stream)
    frame = run(spark, parsed)
    if frame.isStreaming and is_last and options.stream:
        _stream(spark, frame, options)
        return None
    if frame.isStreaming and use is not _Use.KEEP:
        raise WinsqlError(
            "this query reads a stream and has no end",
            hint="write %%winsql --stream to look at its rows, or CREATE STREAMING TABLE to keep them",
        )
    if is_last and options.view:
        frame.createOrReplaceTempView(options.view)
    if use is _Use.KEEP:
        return frame
    show_result(collect(frame, limit=options.rows))
    return None


def _await(spark: SparkSession, parsed: Parsed, wait: AwaitStream) -> None:
    """Show the stream while it runs; the statement itself then has nothing to wait for, and says how it ended."""
    stream = stream_named(spark, parsed, wait.name)
    if stream is not None:
        seconds = None if wait.limit is None else wait.limit / 1_000_000
        if not follow(stream.query, wait.name.shown, seconds):
            raise CellError(f"interrupted; {wait.name.shown} still runs: STOP STREAM {wait.name.shown} ends it")


def _stream(spark: SparkSession, frame: Any, options: argparse.Namespace) -> None:
    """Keep the rows of a stream in memory, under the name of the view, and show the latest."""
    name = options.view or _SINK
    writer = frame.writeStream.format("memory").queryName(name).outputMode("append")
    query = (writer.trigger(availableNow=True) if options.once else writer).start()
    if options.once:
        end_when_read(spark, query)  # where windows follow the clock, Spark does not
    try:
        follow(query, name, options.seconds, lambda: _latest(spark, name, options.rows))
    finally:
        query.stop()
    error = query.exception()
    if error is not None:
        raise error


def _latest(spark: SparkSession, name: str, rows: int) -> tuple[str, str]:
    """As HTML, and as text."""
    frame = spark.table(name)
    count = frame.count()
    result = collect(frame.offset(max(count - rows, 0)))
    note = f"{count:,} rows so far" + (f", the last {rows}" if count > rows else "")
    return table(result.columns, result.rows, note), f"{table_text(result, note)}\n"
