"""Runs a statement so that Ctrl-C cancels it and leaves the session alone, and shows its progress meanwhile.

The statement runs in a thread of its own, whose jobs bear a tag: Spark can cancel those by it, on classic sessions
and on Spark Connect. An exception in the middle of a call to Spark would leave the thread's connection to the JVM in
disorder; so the main thread, where Ctrl-C arrives, only waits.
"""

from __future__ import annotations

import signal
import sys
import time
import uuid
from collections.abc import Callable
from contextlib import suppress
from functools import partial
from threading import Event, Thread
from typing import Generic, TypeVar

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from winsql.errors import WinsqlError
from winsql.shell.progress import watch
from winsql.spark.parser_settings import parser_settings
from winsql.spark.runner import is_connect
from winsql.spark.versions.java_errors import Py4JError
from winsql.syntax import AwaitStream, parse_statement

T = TypeVar("T")
_LOOK = 0.1
"""Seconds between two looks at whether the statement has ended, or Ctrl-C was pressed."""
_CANCEL_AGAIN = 1.0
"""Seconds after which Spark is told once more: the first time it may still have been planning."""


class Cancelled(Exception):
    """Ctrl-C; `str` says what has become of the statement."""


def supervised(spark: SparkSession, text: str, work: Callable[[], T]) -> T:
    """What `work` returns or raises; it runs the statement `text`.

    Raises Cancelled after Ctrl-C, also where the statement has ended meanwhile: nothing after it may run. The second
    Ctrl-C does not wait for Spark, and neither does the first where a stream is awaited, which goes on.
    """
    stream = _awaited(spark, text)
    interrupts: list[float] = []
    job = _Job(spark, work)
    before = signal.signal(signal.SIGINT, lambda signum, frame: interrupts.append(time.monotonic()))
    try:
        with watch(spark, stream) as look:
            job.start()
            while not job.ended.wait(_LOOK):
                look()
                if not interrupts:
                    continue
                if stream is not None:
                    raise Cancelled("no longer waiting; the stream goes on")
                if len(interrupts) > 1:
                    raise Cancelled("left behind: Spark has not ended the statement yet")
                job.cancel()
    finally:
        signal.signal(signal.SIGINT, before)
    if interrupts:
        ended = "cancelled" if job.error is not None else "interrupted; the statement had ended"
        raise Cancelled(f"{ended} after {job.seconds:.1f} s")
    return job.outcome()


def _awaited(spark: SparkSession, text: str) -> AwaitStream | None:
    with suppress(WinsqlError):
        stream = parse_statement(text, settings=partial(parser_settings, spark)).stream
        if isinstance(stream, AwaitStream):
            return stream
    return None


class _Job(Generic[T]):
    """The work in its thread."""

    def __init__(self, spark: SparkSession, work: Callable[[], T]) -> None:
        self.ended = Event()
        self.error: BaseException | None = None
        self._spark = spark
        self._work = work
        self._tag = f"winsql-{uuid.uuid4().hex}"
        self._results: list[T] = []
        self._canceller: Thread | None = None
        self._started = time.monotonic()

    def start(self) -> None:
        Thread(target=self._run, daemon=True).start()

    @property
    def seconds(self) -> float:
        return time.monotonic() - self._started

    def cancel(self) -> None:
        """Let Spark cancel the jobs until the work has ended; returns at once, and may be called again."""
        if self._canceller is None:
            print("\ncancelling ... (Ctrl-C again does not wait for it)", file=sys.stderr)
            self._canceller = Thread(target=self._cancel, daemon=True)
            self._canceller.start()

    def outcome(self) -> T:
        """What the ended work has returned; raises what it has raised."""
        if self.error is not None:
            raise self.error
        return self._results[0]

    def _run(self) -> None:
        try:
            if is_connect(self._spark):
                self._spark.addTag(self._tag)
            else:
                self._spark.sparkContext.addJobTag(self._tag)
            self._results.append(self._work())
        except BaseException as error:  # noqa: BLE001 - raised again in the thread that waits
            self.error = error
        finally:
            self.ended.set()

    def _cancel(self) -> None:
        while not self.ended.is_set():
            with suppress(PySparkException, Py4JError):  # a Spark that has gone is what the work itself will say
                if is_connect(self._spark):
                    self._spark.interruptTag(self._tag)
                else:  # interruptTag of a classic session knows the tags of the calling thread only
                    self._spark.sparkContext.cancelJobsWithTag(self._tag)
            self.ended.wait(_CANCEL_AGAIN)
