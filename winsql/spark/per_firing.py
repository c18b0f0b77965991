"""Aggregates that only Spark can compute: each firing's rows are a group of their own."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import StructType

from winsql.model.query import INTERNAL_PREFIX, WindowQuery
from winsql.planner.row_order import Order, depends_on_order, in_order
from winsql.spark.aggregates import BoundCall
from winsql.spark.call_columns import CallColumns
from winsql.spark.operator_columns import declared_payload
from winsql.spark.relation import Projection
from winsql.spark.runner import FIRED_ROWS, NO_ROWS, Runner
from winsql.spark.workers.firings import FIRING, HAS_ROWS

_PARTITION = INTERNAL_PREFIX + "partition"
_PLACE = INTERNAL_PREFIX + "arrival"
_ORDER = Order(_PLACE, f"-{_PLACE}")


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

    A firing whose rows an evictor has all dropped still gives a row: the results of the calls over no rows.
    """
    payload = {name: declared_payload(projection, name) for name in projection.payload}
    numbered = fired.select(
        *(column.alias(name) for name, column in header.items()),
        *results.values(),
        F.spark_partition_id().alias(_PARTITION),
        FIRING,
        HAS_ROWS,
        F.monotonically_increasing_id().alias(_PLACE),
        *(column.alias(name) for name, column in payload.items()),
    )
    # a group is one firing; its header is part of the key, since Spark takes no first() beside a Python UDAF
    selected = [*header, *(f"first({result}) AS {column}" for column, result in results.items())]
    groups = [_PARTITION, FIRING, HAS_ROWS, *header]
    by_spark = [call for call in calls if call.aggregate is None]
    ordered = {c.call.column: in_order(columns.calls[c.call.column], c.fact.result.type_name, _ORDER) for c in by_spark}
    if any(depends_on_order(c.call) and ordered[c.call.column] == columns.calls[c.call.column].sql for c in by_spark):
        numbered = numbered.repartition(*groups).sortWithinPartitions(*groups, _PLACE)  # Spark then keeps this order
    selected += [f"{call} AS {column}" for column, call in _also_of_no_rows(query, ordered).items()]
    empty = runner.spark.createDataFrame([], StructType(numbered.select(_PLACE, *payload).schema.fields))
    text = f"SELECT {', '.join(selected)} FROM {FIRED_ROWS} GROUP BY {', '.join(groups)}"
    return runner.knowing(columns.written).run(text, **{FIRED_ROWS: numbered, NO_ROWS: empty})


def _also_of_no_rows(query: WindowQuery, calls: dict[str, str]) -> dict[str, str]:
    """The calls; where an evictor may leave nothing, with their results over no rows.

    These all come from one subquery: Spark 4.3 merges several over the same rows, and fails where they have functions
    in Python.
    """
    if query.spec.evictor is None:
        return calls
    values = ", ".join(f"{call} AS {column}" for column, call in calls.items())
    nothing = f"(SELECT struct({values}) FROM {NO_ROWS})"
    return {column: f"CASE WHEN {HAS_ROWS} THEN {call} ELSE {nothing}.{column} END" for column, call in calls.items()}
