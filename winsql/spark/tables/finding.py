"""The stream of a session that a statement names."""

from __future__ import annotations

from pyspark.sql import SparkSession

from winsql.errors import WindowPlanError
from winsql.model.nearest import nearest
from winsql.spark.tables.names import full_name, shown_name
from winsql.spark.tables.registry import Stream, streams_of
from winsql.syntax import Name, Statement


def find_stream(spark: SparkSession, statement: Statement, name: Name) -> Stream:
    """The stream; raises WindowPlanError when the session has none of that name."""
    found = stream_named(spark, statement, name)
    if found is None:
        raise unknown_stream(spark, statement, name)
    return found


def stream_named(spark: SparkSession, statement: Statement, name: Name) -> Stream | None:
    """The stream; None when the session has none of that name."""
    return streams_of(spark).get(str(full_name(spark, name, statement)).lower())


def unknown_stream(spark: SparkSession, statement: Statement, name: Name) -> WindowPlanError:
    """The error that the session has no such stream."""
    known = {stream.name.rpartition(".")[2].strip("`").lower(): stream.name for stream in streams_of(spark).values()}
    near = nearest(name.parts[-1], known)
    names = sorted(shown_name(stream.name) for stream in streams_of(spark).values())
    hint = f"it has {', '.join(names)}" if names else "it has started none, or has dropped those that it had"
    if near:
        hint = f"did you mean {shown_name(known[near])}?"
    elif len(names) > _FEW:
        hint = "SHOW STREAMS lists those that it has"
    return WindowPlanError(
        f"this session has no stream {name.shown}",
        rule="a stream is known by the name of its table to the session that has started it",
        hint=hint,
        source=statement.text,
        span=name.span,
    )


_FEW = 5
"""Streams that a hint names."""
