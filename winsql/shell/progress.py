"""How far Spark's running jobs, or an awaited stream, have come: one line on a terminal's standard error."""

from __future__ import annotations

import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, NamedTuple, cast

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from winsql.errors import WinsqlError
from winsql.spark.runner import is_connect
from winsql.spark.tables.finding import stream_named
from winsql.spark.tables.registry import Stream
from winsql.spark.tables.reports import watermark_said
from winsql.spark.versions.java_errors import Py4JError
from winsql.syntax import AwaitStream, parse_statement

_PATIENCE = 0.8
"""Seconds before the line appears: most statements need none."""
_LOOK = 0.4
"""Seconds between two questions to Spark."""


class _Tasks(NamedTuple):
    done: int
    total: int
    running: int


@contextmanager
def watch(spark: SparkSession, stream: AwaitStream | None) -> Iterator[Callable[[], None]]:
    """Gives what to call often while a statement runs; it shows how far it is. The line is gone at the end.

    Nothing is shown where standard error is no terminal, or rich is not installed.
    """
    if not sys.stderr.isatty() or find_spec("rich") is None:
        yield lambda: None
        return
    with _counter(spark) as count:
        line = _Line(spark, count, stream)
        try:
            yield line.look
        finally:
            line.close()


class _Line:
    """The line: a bar of tasks, or where a stream is."""

    def __init__(self, spark: SparkSession, count: Callable[[], _Tasks], awaited: AwaitStream | None) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        console = Console(stderr=True)
        columns = [SpinnerColumn(), TextColumn("{task.description}"), BarColumn(bar_width=30), TimeElapsedColumn()]
        self._shown = Progress(*columns, console=console, transient=True, redirect_stdout=False, redirect_stderr=False)
        self._count = count
        self._spark = spark
        self._awaited = awaited
        self._stream: Stream | None = None
        self._started = self._last = time.monotonic()
        self._task: Any = None

    def look(self) -> None:
        """Show the state, unless that was done a moment ago or the statement is young."""
        now = time.monotonic()
        if now - self._started < _PATIENCE or now - self._last < _LOOK:
            return
        self._last = now
        try:
            text, done, total = self._state()
        except (PySparkException, Py4JError, WinsqlError):
            return  # the statement itself says what is wrong
        if self._task is None:
            self._shown.start()
            self._task = self._shown.add_task(text, total=total)
        self._shown.update(self._task, description=text, completed=done, total=total)

    def close(self) -> None:
        """Take the line away."""
        self._shown.stop()

    def _state(self) -> tuple[str, int, int | None]:
        if self._awaited is not None:
            return self._stream_state(self._awaited), 0, None
        tasks = self._count()
        if not tasks.total:
            return "planning", 0, None
        return f"{tasks.done:,} of {tasks.total:,} tasks, {tasks.running:,} running", tasks.done, tasks.total

    def _stream_state(self, awaited: AwaitStream) -> str:
        if self._stream is None:
            statement = parse_statement(f"AWAIT STREAM {awaited.name}")
            self._stream = stream_named(self._spark, statement, awaited.name)
        reports = [] if self._stream is None else self._stream.progress()
        if not reports:
            return f"{awaited.name.shown}: no micro-batch yet"
        last = reports[-1]
        rows = sum(source["numInputRows"] for source in last["sources"])
        watermark = watermark_said(last)
        passed = f", watermark {watermark}" if watermark else ""
        return f"{awaited.name.shown}: micro-batch {last['batchId']:,}, {rows:,} rows in it{passed}"


@contextmanager
def _counter(spark: SparkSession) -> Iterator[Callable[[], _Tasks]]:
    """Gives the tasks of the stages that run; on Spark Connect those of the session, else those of the application."""
    if not is_connect(spark):
        yield lambda: _of_application(spark)
        return
    latest = [_Tasks(0, 0, 0)]

    def keep(stages: Any, inflight_tasks: int, operation_id: str | None, done: bool) -> None:
        total = sum(stage.num_tasks for stage in stages or ())
        latest[0] = _Tasks(sum(stage.num_completed_tasks for stage in stages or ()), total, inflight_tasks)

    handler = cast(Any, keep)  # PySpark declares a class and calls it
    spark.registerProgressHandler(handler)
    try:
        yield lambda: latest[0]
    finally:
        spark.removeProgressHandler(handler)


def _of_application(spark: SparkSession) -> _Tasks:
    tracker = spark.sparkContext.statusTracker()
    stages = [info for stage in tracker.getActiveStageIds() if (info := tracker.getStageInfo(stage)) is not None]
    return _Tasks(
        sum(stage.numCompletedTasks for stage in stages),
        sum(stage.numTasks for stage in stages),
        sum(stage.numActiveTasks for stage in stages),
    )
