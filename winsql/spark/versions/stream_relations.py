"""`STREAM t`, its options and `WATERMARK ... DELAY OF`: Spark's parser has them since 4.1."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial

from pyspark.errors import AnalysisException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.types import DayTimeIntervalType, YearMonthIntervalType

from winsql.errors import Span, WindowSpecError
from winsql.model.query import INTERNAL_PREFIX
from winsql.spark.versions.number import Version, server_version
from winsql.syntax import Statement
from winsql.syntax.selects.stream_relations import StreamRelation

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
            _ = run(f"SELECT {relation.column} FROM {name}", **{name: frame}).schema  # raises its error with a place
            frame = frame.withWatermark(relation.column, _delay(run, relation.delay, statement.text, relation.place))
        frames = {**frames, name: frame}
        statement = statement.with_stand_in(relation, name)
    return statement, frames


def _read(spark: SparkSession, run: Run, relation: StreamRelation, name: str) -> DataFrame:
    """The relation without its watermark; `name` is free to be used."""
    query = f"{relation.context}SELECT {relation.items} FROM "
    if not relation.is_table:
        return run(query + relation.core)
    try:
        table = spark.readStream.options(**relation.options).table(_table(run, relation.core))
    except AnalysisException:
        _ = run(f"SELECT * FROM {relation.core}").schema  # this error has a place
        raise
    return table if relation.items == "*" else run(query + name, **{name: table})


def _table(run: Run, written: str) -> str:
    """The name of a table, which IDENTIFIER may compute."""
    computed = _IDENTIFIER.fullmatch(written)
    return written if computed is None else str(run(f"SELECT {computed[1]}").collect()[0][0])


_IDENTIFIER = re.compile(r"IDENTIFIER\s*\((.*)\)", re.IGNORECASE | re.DOTALL)


def _delay(run: Run, interval: str, text: str, place: Span | None) -> str:
    """An interval as DataFrames take it; `place` is that in the statement's text."""
    kind = run(f"SELECT {interval} AS delay").schema[0].dataType
    if isinstance(kind, YearMonthIntervalType):
        whole = f"CAST({interval} AS INTERVAL YEAR TO MONTH)"
        months = f"SELECT 12 * extract(YEAR FROM delay) + extract(MONTH FROM delay) FROM (SELECT {whole} AS delay)"
        return f"{run(months).collect()[0][0]} months"
    if not isinstance(kind, DayTimeIntervalType):
        raise WindowSpecError(
            f"the delay of a watermark must be an interval, and {interval} is {kind.simpleString().upper()}",
            rule="it says how far the watermark stays behind the newest row",
            hint="write DELAY OF INTERVAL 10 SECONDS",
            source=text,
            span=place,
        )
    (delay,) = run(f"SELECT {interval} AS delay").collect()[0]
    return f"{delay.days} days {delay.seconds} seconds {delay.microseconds} microseconds"
