"""What every start of a stream does: the trigger, Spark's errors in the user's words, the connections of its sink."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.readwriter import DataStreamWriter

from winsql.errors import Span
from winsql.spark.failure import translate
from winsql.spark.runner import is_connect
from winsql.spark.tables.unsupported import unsupported
from winsql.spark.versions.classic import calling_connection
from winsql.syntax.stream_triggers import StreamTrigger

__all__ = ["noting", "own_errors", "require_startable", "triggered"]


@contextmanager
def own_errors(text: str, query: Span) -> Iterator[None]:
    """Raises winsql's own error where one is in Spark's, or in place of it; `query` is where the statement has its."""
    try:
        yield
    except PySparkException as error:
        raise translate(error, text) or unsupported(error, text, query) or error from None


def require_startable(frame: DataFrame) -> None:
    """Raises what Spark raises at the start of a stream."""
    frame.writeStream.format("noop").trigger(processingTime="1 day").start().stop()


def triggered(writer: DataStreamWriter, trigger: StreamTrigger | None) -> DataStreamWriter:
    """The writer with the trigger of OPTIONS."""
    if trigger is None:
        return writer
    if trigger.interval is None:
        return writer.trigger(availableNow=True)
    return writer.trigger(processingTime=f"{trigger.interval // 1000} milliseconds")


def noting(spark: SparkSession, connections: set[Any]) -> Callable[[], None] | None:
    """Notes the connection by which the sink is called; on Spark Connect the sink is in a process of its own."""
    if is_connect(spark):
        return None

    def note() -> None:
        connection = calling_connection()
        if connection is not None:
            connections.add(connection)

    return note
