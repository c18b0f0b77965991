"""The streams that a session has started."""

from __future__ import annotations

import time
from contextlib import suppress
from dataclasses import dataclass, field
from enum import Enum
from socket import SHUT_RDWR, socket
from typing import Any
from weakref import WeakKeyDictionary

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from winsql.errors import WindowPlanError
from winsql.spark.parameters import Arguments
from winsql.spark.tables.claims import Claim
from winsql.spark.tables.connectors import SPARK_ERRORS
from winsql.spark.tables.names import shown_name
from winsql.syntax import CreateStream, CreateStreamInto, Statement


class Guarantee(Enum):
    """What happens to a micro-batch that is written again after a failure."""

    EXACTLY_ONCE = "exactly once"
    AT_LEAST_ONCE = "at least once"


@dataclass(frozen=True, slots=True)
class Origin:
    """The parsed statement that has started a stream, and its parameters, to start the stream again.

    catalog, database  the current ones when it ran, where its short names are
    """

    statement: Statement
    stream: CreateStream | CreateStreamInto
    args: Arguments
    catalog: str
    database: str


@dataclass(slots=True)
class Stream:
    """A stream that winsql has started.

    name       its own, that of its table: with catalog and database
    tables     that it writes: its own and the one of late rows; none for a stream into another sink
    statement  the text that started it
    location   of its table; '' for a stream into another sink
    guarantee  of its sink
    secrets    texts that no message may show
    stopped    whether STOP STREAM, or OR REPLACE, ended it
    is_paused  whether ALTER STREAM ... PAUSE stopped it
    origin     starts it again
    counted    the counts of its windows that were read last, and the micro-batch that they are of
    claim      keeps other processes from running it
    connections   by which the JVM's thread of the stream calls its sink: each is a thread and a socket of the driver
    """

    name: str
    tables: tuple[str, ...]
    query: StreamingQuery
    checkpoint: str
    statement: str
    location: str
    stopped: bool = False
    connections: set[Any] = field(default_factory=set)
    guarantee: Guarantee = Guarantee.EXACTLY_ONCE
    secrets: tuple[str, ...] = field(default=(), repr=False)
    is_paused: bool = False
    origin: Origin | None = field(default=None, repr=False)
    counted: tuple[Any, dict[str, int]] | None = None
    claim: Claim | None = field(default=None, repr=False)

    @property
    def status(self) -> str:
        """running (a micro-batch runs), waiting (for rows or the trigger), paused, stopped, finished or failed."""
        if self.query.isActive:
            return "running" if self.query.status["isTriggerActive"] else "waiting"
        if self.stopped:
            return "paused" if self.is_paused else "stopped"
        return "finished" if self.error is None else "failed"

    @property
    def error(self) -> Exception | None:
        """The error that ended it, unless it was stopped."""
        return None if self.stopped or self.query.isActive else self.query.exception()

    def progress(self) -> list[dict[str, Any]]:
        """Spark's reports of its latest micro-batches."""
        return [dict(report) for report in self.query.recentProgress]

    def stop(self) -> None:
        """End it; a micro-batch that is interrupted is repeated at the next start.

        Raises WindowPlanError where its micro-batch takes longer to end than the session waits.
        """
        if self.query.isActive:
            self.stopped = True
            try:
                self.query.stop()
            except SPARK_ERRORS as error:
                raise self._not_stopped() if takes_longer(error) else error from None
        self.hang_up()

    def _not_stopped(self) -> WindowPlanError:
        return WindowPlanError(
            f"the stream {shown_name(self.name)} is told to stop, and has not yet",
            rule=f"{_PATIENCE} says how long the session waits for a micro-batch that runs; that one ends by itself",
            hint=f"run the statement again, or before it: SET {_PATIENCE} = 0",
        )

    def hang_up(self, seconds: float = 10) -> None:
        """Close the connections of a stream that ends within this time, which Spark leaves open, and give its claim
        back."""
        if (self.claim is None and not self.connections) or not self._is_over(seconds):
            return
        if self.claim is not None:
            self.claim.release()
            self.claim = None
        while self.connections:
            _hang_up(self.connections.pop().socket)

    def _is_over(self, seconds: float) -> bool:
        """Whether its thread has ended, too: to Spark a query is not active as soon as it is told to stop.

        A stop interrupts the micro-batch, which ends soon; a function that is called meanwhile needs its connection.
        """
        if self.query.isActive:
            return False
        begun = time.monotonic()
        with suppress(PySparkException):  # what it failed with
            self.query.awaitTermination(seconds)  # type: ignore[arg-type]  # True also where the time is over
        return time.monotonic() - begun < seconds


def _hang_up(end: socket | None) -> None:
    """End the thread that reads from the connection; it closes the rest."""
    if end is not None:
        with suppress(OSError):  # the other side has been first
            end.shutdown(SHUT_RDWR)


_PATIENCE = "spark.sql.streaming.stopTimeout"


def takes_longer(error: BaseException) -> bool:
    """Whether Spark has not waited for the end of a query that it stops."""
    return _PATIENCE in str(error)


_STREAMS: WeakKeyDictionary[SparkSession, dict[str, Stream]] = WeakKeyDictionary()


def streams_of(spark: SparkSession) -> dict[str, Stream]:
    """The streams of a session by the names of their tables, in lower case."""
    streams = _STREAMS.setdefault(spark, {})
    for stream in list(streams.values()):
        stream.hang_up(_AT_ONCE)
    return streams


_AT_ONCE = 0.1
"""Seconds to wait for a stream that nobody asks about."""
