"""Aggregates that only Spark can compute: each firing's rows are a group of their own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from winsql.model.query import INTERNAL_PREFIX, AggregateCall, WindowQuery
from winsql.model.settings import ParserSettings
from winsql.spark.aggregates import BoundCall
from winsql.spark.firings import FIRING, HAS_ROWS
from winsql.spark.relation import Projection, decoded
from winsql.spark.runner import Runner, relation_name
from winsql.syntax.references import ReferenceKind, find_references
from winsql.syntax.source import Extent, Source

__all__ = ["CallColumns", "aggregate_firings", "call_columns"]

# numbers of relations that a statement does not use itself
ROWS, NOTHING = 1_000_000, 1_000_001
_PARTITION = INTERNAL_PREFIX + "partition"


@dataclass(frozen=True, slots=True)
class CallColumns:
    """Calls rewritten to read payload columns: `payload` maps those to SQL over the source, `calls` a call's result
    column to its text."""

    payload: dict[str, str]
    calls: dict[str, str]


def call_columns(calls: Sequence[AggregateCall], settings: ParserSettings) -> CallColumns:
    """Replace the columns that calls read; everything else of a call stays as the user wrote it."""
    names: dict[str, str] = {}
    texts = {call.column: _rewritten(call, names, settings) for call in calls}
    return CallColumns({name: sql for sql, name in names.items()}, texts)


def _rewritten(call: AggregateCall, names: dict[str, str], settings: ParserSettings) -> str:
    source = Source(call.sql, settings=settings)
    bracket = next(i for i in range(len(source)) if source.tokens[i].is_symbol("("))
    text, position = "", 0
    for reference in find_references(source, Extent(bracket, len(source))):
        is_star = reference.kind is ReferenceKind.STAR
        if (is_star and _is_count_star(call)) or reference.kind not in (ReferenceKind.STAR, ReferenceKind.COLUMN):
            continue
        span = source.span(reference.extent)
        sql = call.sql[span.start : span.end]
        name = names.setdefault(f"struct({sql})" if is_star else sql, f"{INTERNAL_PREFIX}carried{len(names)}")
        text += call.sql[position : span.start] + (f"{name}.*" if is_star else name)
        position = span.end
    return text + call.sql[position:]


def _is_count_star(call: AggregateCall) -> bool:
    return call.is_plain and not call.arguments


def aggregate_firings(
    query: WindowQuery,
    fired: DataFrame,
    header: dict[str, Column],
    results: dict[str, str],
    calls: Sequence[BoundCall],
    projection: Projection,
    columns: CallColumns,
    runner: Runner,
) -> DataFrame:
    """One row per firing: Spark's calls over its rows, beside the results winsql computed itself.

    A firing whose rows an evictor has all taken still gives a row, with what the calls say of no rows.
    """
    rows, nothing = relation_name(ROWS), relation_name(NOTHING)
    payload = {name: decoded(name, projection.field(name).dataType) for name in projection.payload}
    numbered = fired.select(
        *(column.alias(name) for name, column in header.items()),
        *results.values(),
        F.spark_partition_id().alias(_PARTITION),
        FIRING,
        HAS_ROWS,
        *(column.alias(name) for name, column in payload.items()),
    )
    # a group is one firing; its header is part of the key, since Spark takes no first() beside a Python UDAF
    selected = [*header, *(f"first({result}) AS {column}" for column, result in results.items())]
    groups = [_PARTITION, FIRING, HAS_ROWS, *header]
    by_spark = [call.call.column for call in calls if call.aggregate is None]
    for column in by_spark:
        call = columns.calls[column]
        if query.spec.evictor is not None:
            call = f"CASE WHEN {HAS_ROWS} THEN {call} ELSE (SELECT {call} FROM {nothing}) END"
        selected.append(f"{call} AS {column}")
    empty = runner.spark.createDataFrame([], StructType(numbered.select(*payload).schema.fields))
    text = f"SELECT {', '.join(selected)} FROM {rows} GROUP BY {', '.join(groups)}"
    return runner.run(text, **{rows: numbered, nothing: empty})
