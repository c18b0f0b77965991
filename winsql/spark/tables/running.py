"""Common parts of every start of a stream: the trigger, errors in the user's words, the connections of its sink."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.query import StreamingQuery
from pyspark.sql.streaming.readwriter import DataStreamWriter

from winsql.errors import Span, WindowPlanError
from winsql.spark.messages.damage import damage_in
from winsql.spark.messages.failure import translate
from winsql.spark.runner import is_connect
from winsql.spark.tables.available_now import end_when_read
from winsql.spark.tables.connectors import SPARK_ERRORS
from winsql.spark.tables.registry import takes_longer
from winsql.spark.tables.unsupported import unsupported
from winsql.spark.versions.classic import calling_connection
from winsql.syntax.stream_statements.options import StreamTrigger


@contextmanager
def located(text: str, name: Span, where: str) -> Iterator[None]:
    """Gives errors of a start the place of the stream's name where they have none. An error of a file system becomes
    one sentence, which names the file or else `where` the stream is."""
    try:
        yield
    except WindowPlanError as error:
        raise error.located(text, name) from None
    except (*SPARK_ERRORS, OSError) as error:
        told = damage_in(str(error), where)
        if told is None:
            raise
        raise told.located(text, name) from None


@contextmanager
def own_errors(text: str, query: Span) -> Iterator[None]:
    """Raises winsql's own error for Spark's where there is one; `query` is the place of the query in the statement."""
    try:
        yield
    except PySparkException as error:
        raise translate(error, text) or unsupported(error, text, query) or error from None


def require_startable(frame: DataFrame, name: str, running: StreamingQuery | None) -> None:
    """Raises what Spark raises at the start of a stream; `running` is the query of this name that it replaces."""
    spark = frame.sparkSession
    own = None if running is None else running.id
    # on Spark Connect a query that an earlier client has started is ended later, by its checkpoint
    if not is_connect(spark) and any(q.name == name and q.id != own for q in spark.streams.active):
        raise WindowPlanError(
            f"another query named {name} runs in this session",
            rule="Spark knows the query of a stream by the stream's name, and takes each name once",
            hint="stop that query, or give one of the two another name",
        )
    with without_folder_of_checkpoints(spark):  # where it would stay
        query = frame.writeStream.format("noop").trigger(processingTime="1 day").start()
    try:
        query.stop()
    except SPARK_ERRORS as error:
        if not takes_longer(error):
            raise


@contextmanager
def without_folder_of_checkpoints(spark: SparkSession) -> Iterator[None]:
    """Queries that start meanwhile without a checkpointLocation begin anew, as where the session has no folder for
    all checkpoints."""
    folder = spark.conf.get(_FOLDER, None)
    if folder is not None:
        spark.conf.unset(_FOLDER)
    try:
        yield
    finally:
        if folder is not None:
            spark.conf.set(_FOLDER, folder)


_FOLDER = "spark.sql.streaming.checkpointLocation"


def started(
    spark: SparkSession, writer: DataStreamWriter, trigger: StreamTrigger | None, *, by_clock: bool
) -> StreamingQuery:
    """The stream with the trigger of OPTIONS; `by_clock` as in `Batches`."""
    if trigger is None:
        return writer.start()
    if trigger.interval is not None:
        return writer.trigger(processingTime=f"{trigger.interval // 1000} milliseconds").start()
    query = writer.trigger(availableNow=True).start()
    if by_clock:
        end_when_read(spark, query)
    return query


def noting(spark: SparkSession, connections: set[Any]) -> Callable[[], None] | None:
    """Notes the connection by which the sink is called; on Spark Connect the sink is in a process of its own."""
    if is_connect(spark):
        return None

    def note() -> None:
        connection = calling_connection()
        if connection is not None:
            connections.add(connection)

    return note
