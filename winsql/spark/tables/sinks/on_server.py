"""Calls a function where the sinks of a Spark Connect session run: in a Python process beside its server."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from winsql.errors import WinsqlError
from winsql.spark.messages.failure import translate
from winsql.spark.streaming.bootstrap import PortableFunction


@dataclass(frozen=True, slots=True)
class _Call:
    function: Callable[[], None]

    def __call__(self, rows: DataFrame, number: int) -> None:
        self.function()


def call_on_server(spark: SparkSession, function: Callable[[], None]) -> None:
    """Call it in the one micro-batch of a stream for this purpose; raises its errors if they are winsql's."""
    frame = spark.readStream.format("rate-micro-batch").option("rowsPerBatch", 1).load()
    writer = frame.writeStream.foreachBatch(PortableFunction(_Call(function))).trigger(availableNow=True)
    try:
        writer.start().awaitTermination()
    except PySparkException as error:
        own = translate(error, "")
        if isinstance(own, WinsqlError):
            raise own from None
        raise
