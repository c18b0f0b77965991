"""`STREAM t`, its options and `WATERMARK ... DELAY OF`: Spark's parser has them since 4.1."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial

from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import YearMonthIntervalType

from winsql.model.query import INTERNAL_PREFIX
from winsql.spark.versions.number import Version, server_version
from winsql.syntax import Statement
from winsql.syntax.selects.stream_relations import StreamRelation

__all__ = ["with_stream_relations"]

Run = Callable[..., DataFrame]
"""Runs a query that may read DataFrames by name."""


def with_stream_relations(
    spark: SparkSession, statement: Statement, run: Run
) -> tuple[Statement, dict[str, DataFrame]]:
    """The statement with names in the place of such relations, and the DataFrames of these names."""
    frames: dict[str, DataFrame] = {}
    if server_version(spark) >= Version(4, 1):
        return statement, frames
    while relation := next(iter(statement.stream_relations()), None):
        name = f"{INTERNAL_PREFIX}stream{len(frames)}"
        frame = _read(spark, partial(run, **frames), relation, name)
        if relation.column is not None and relation.delay is not None:
            frame = frame.withWatermark(relation.column, _delay(run, relation.delay))
        frames = {**frames, name: frame}
        statement = statement.with_stand_in(relation, name)
    return statement, frames


def _read(spark: SparkSession, run: Run, relation: StreamRelation, name: str) -> DataFrame:
    """The relation without its watermark; `name` is free to be used."""
    query = f"{relation.context}SELECT {relation.items} FROM "
    if not relation.is_table:
        return run(query + relation.core)
    table = spark.readStream.options(**relation.options).table(relation.core)
    return table if relation.items == "*" else run(query + name, **{name: table})


def _delay(run: Run, interval: str) -> str:
    """An interval as DataFrames take it."""
    kind = run(f"SELECT {interval} AS delay").schema[0].dataType
    if isinstance(kind, YearMonthIntervalType):
        months = f"SELECT 12 * extract(YEAR FROM delay) + extract(MONTH FROM delay) FROM (SELECT {interval} AS delay)"
        return f"{run(months).collect()[0][0]} months"
    (delay,) = run(f"SELECT {interval} AS delay").collect()[0]
    return f"{delay.days} days {delay.seconds} seconds {delay.microseconds} microseconds"
