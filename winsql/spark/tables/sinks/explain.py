"""The sinks of a stream in EXPLAIN WINDOW, without secrets."""

from __future__ import annotations

from pyspark.sql import SparkSession

from winsql.spark.planned_statement import Arguments
from winsql.spark.tables.for_each_batch import batches_of
from winsql.spark.tables.sinks.protocol import Sink
from winsql.spark.tables.sinks.start import sinks_of
from winsql.syntax import Statement


def explain_sinks(spark: SparkSession, statement: Statement, args: Arguments) -> str:
    """A line for each sink; raises the errors of the start, as far as they are known before it."""
    batches = batches_of(spark, statement, args)
    rows, late = sinks_of(spark, statement, batches.schema, batches.late_schema, batches.keys)
    lines = [_line("rows", rows)]
    return "\n".join(lines if late is None else [*lines, _line("late rows", late)])


def _line(what: str, sink: Sink) -> str:
    fixed = dict(sink.fixed)
    name = fixed.pop("format", "")
    details = ", ".join(f"{key} {value}" for key, value in fixed.items() if value)
    return f"{what + ':':<12}{sink.guarantee.value} into {name}{f' ({details})' if details else ''}"
