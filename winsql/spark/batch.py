"""Operator plans on bounded tables: the source's rows, key by key in order, through winsql's operator.

project -> leave out rows without event time, and count them -> bring keys together, sorted by event time and
arrival -> mapInArrow with `winsql.spark.worker` -> (Spark's aggregates per firing) -> columns as the query expects.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

import pyarrow as pa
from pyspark.sql import Column, DataFrame, Observation, Window
from pyspark.sql import functions as F
from pyspark.sql.types import (
    BooleanType,
    DataType,
    LongType,
    StringType,
    StructField,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from winsql.model.query import (
    INTERNAL_PREFIX,
    PANE_INDEX,
    PANE_TIMING,
    WINDOW_END,
    WINDOW_START,
    WINDOW_TIME,
    WindowQuery,
)
from winsql.planner.plan import Strategy
from winsql.runtime.aggregates import Aggregate
from winsql.spark.aggregates import BoundCall, slot_columns
from winsql.spark.blame import Place
from winsql.spark.firings import FIRING, HAS_ROWS
from winsql.spark.per_firing import CallColumns, aggregate_firings
from winsql.spark.relation import TIME, Projection, decoded, encoded, normal_key
from winsql.spark.runner import Runner
from winsql.spark.worker import Handout, Task, run_partition

__all__ = ["OperatorFrame", "operator_frame"]

_FIRST = INTERNAL_PREFIX + "first"
_ARRIVAL = INTERNAL_PREFIX + "arrival"
NULL_TIMES = "null_event_time"

_HANDOUTS = {
    Strategy.ACCUMULATORS: Handout.RESULTS,
    Strategy.KEPT_ROWS: Handout.RESULTS,
    Strategy.SPARK_AGGREGATES: Handout.FIRING,
    Strategy.ROWS: Handout.ROWS,
    Strategy.APPLY: Handout.APPLY,
}


@dataclass(frozen=True, slots=True)
class OperatorFrame:
    """The firings, and what counts the rows that had no event time (None: the time cannot be NULL)."""

    frame: DataFrame
    observation: Observation | None


def operator_frame(
    query: WindowQuery,
    strategy: Strategy,
    projection: Projection,
    calls: Sequence[BoundCall],
    trigger_aggregates: tuple[Aggregate, ...],
    call_columns: CallColumns,
    runner: Runner,
    now: int,
    apply: Any = None,
    applied: StructType | None = None,
) -> OperatorFrame:
    """The DataFrame of key, window, pane and result columns that the query's head and tail read.

    `now` is the processing time of the run in microseconds; `apply` and the schema `applied` belong to APPLY.
    """
    own = [call for call in calls if call.aggregate is not None]
    frame, observation = _with_times(query, projection)
    task = Task(
        spec=query.spec,
        handout=_HANDOUTS[strategy],
        aggregates=tuple(call.aggregate for call in own if call.aggregate is not None),
        trigger_aggregates=trigger_aggregates,
        slots=len(slot_columns(projection)),
        keys=len(projection.keys),
        window_type=_window_arrow(_window_type(projection)),
        now=now,
        place=Place.of(query),
        apply=apply,
    )
    schema = _output_schema(frame, projection, task, own, applied)
    fired = _sorted(frame, projection).mapInArrow(partial(run_partition, task), schema)
    results = {call.call.column: f"{INTERNAL_PREFIX}result{i}" for i, call in enumerate(own)}
    if task.handout is Handout.FIRING:
        header = _header(projection)
        grouped = aggregate_firings(query, fired, header, results, calls, projection, call_columns, runner)
        return OperatorFrame(grouped, observation)
    columns = [
        *(decoded(column, projection.field(column).dataType) for column in projection.keys),
        *(F.col(column) for column in _WINDOW_COLUMNS),
        *(F.col(result).alias(column) for column, result in results.items()),
        *(decoded(column, projection.field(column).dataType) for column in projection.payload if applied is None),
        *(F.col(field.name) for field in applied or ()),
    ]
    return OperatorFrame(fired.select(*columns), observation)


_WINDOW_COLUMNS = (WINDOW_START, WINDOW_END, WINDOW_TIME, PANE_INDEX, PANE_TIMING)


def _header(projection: Projection) -> dict[str, Column]:
    """Key and window columns of a firing."""
    keys = {column: decoded(column, projection.field(column).dataType) for column in projection.keys}
    return {**keys, **{column: F.col(column) for column in _WINDOW_COLUMNS}}


def _with_times(query: WindowQuery, projection: Projection) -> tuple[DataFrame, Observation | None]:
    """The source with its time as an instant; rows of event-time windows that have none are counted and left out.

    For GLOBAL and COUNT the time only orders the rows: a NULL comes first and its row stays.
    """
    frame = projection.frame
    if not projection.has_time:
        return frame, None
    if projection.fact(TIME).type_name == "date":
        frame = frame.withColumn(TIME, F.col(TIME).cast("timestamp_ntz"))
    if not query.spec.assigner.is_event_time or not projection.field(TIME).nullable:
        return frame, None
    observation = Observation()
    counted = frame.observe(observation, F.count_if(F.col(TIME).isNull()).alias(NULL_TIMES))
    return counted.where(F.col(TIME).isNotNull()), observation


def _sorted(frame: DataFrame, projection: Projection) -> DataFrame:
    """Rows of a key together, by time and arrival, the first of each key flagged; one key: one partition.

    Spark's own row numbers tell where a key begins, so that keys are equal exactly when GROUP BY has them equal.
    """
    time = [F.col(TIME).asc_nulls_first()] if projection.has_time else []
    order = [*time, F.col(_ARRIVAL).asc()]
    columns = _columns(frame, projection)
    numbered = frame.select(*columns, F.monotonically_increasing_id().alias(_ARRIVAL))
    names = [name for name in numbered.columns if name != _ARRIVAL]
    if not projection.keys:
        lined_up = numbered.repartition(1).sortWithinPartitions(*order)
        return lined_up.select(F.lit(False).alias(_FIRST), *names)
    window = Window.partitionBy(*projection.keys).orderBy(*order)
    return numbered.select((F.row_number().over(window) == 1).alias(_FIRST), *names)


def _columns(frame: DataFrame, projection: Projection) -> list[Column]:
    """What a worker reads, in its order: time, slots, keys, payload."""
    time = F.col(TIME) if projection.has_time else F.lit(None).cast("timestamp").alias(TIME)
    slots = [encoded(frame, column, f"the value of {sql}") for sql, column in _slots(projection)]
    keys = [normal_key(frame, column) for column in projection.keys]
    payload = [encoded(frame, column, f"column {column}") for column in projection.payload]
    return [time, *slots, *keys, *payload]


def _slots(projection: Projection) -> list[tuple[str, str]]:
    return [*((column, column) for column in projection.operand_slots), *projection.slots.items()]


def _window_type(projection: Projection) -> DataType:
    """Bounds have the type of the time; a DATE counts as its midnight, without a zone, and PROCTIME() as TIMESTAMP."""
    has_zone = not projection.has_time or projection.fact(TIME).has_zone
    return TimestampType() if has_zone else TimestampNTZType()


def _window_arrow(data_type: DataType) -> pa.DataType:
    return pa.timestamp("us", tz="UTC") if isinstance(data_type, TimestampType) else pa.timestamp("us")


def _output_schema(
    frame: DataFrame, projection: Projection, task: Task, own: Sequence[BoundCall], applied: StructType | None
) -> StructType:
    """The columns a worker returns, in its order."""
    instant = _window_type(projection)
    keys = [StructField(column, projection.field(column).dataType) for column in projection.keys]
    windows = [StructField(column, instant) for column in (WINDOW_START, WINDOW_END, WINDOW_TIME)]
    panes = [StructField(PANE_INDEX, LongType()), StructField(PANE_TIMING, StringType())]
    results = [StructField(f"{INTERNAL_PREFIX}result{i}", call.data_type) for i, call in enumerate(own)]
    carried = frame.select(*(encoded(frame, column, column) for column in projection.payload)).schema.fields
    marks = [StructField(FIRING, LongType()), StructField(HAS_ROWS, BooleanType())]
    behind = {
        Handout.RESULTS: results,
        Handout.ROWS: carried,
        Handout.FIRING: [*marks, *results, *carried],
        Handout.APPLY: list(applied or ()),
    }
    fields = [*keys, *windows, *panes, *behind[task.handout]]
    return StructType([StructField(field.name, field.dataType, True) for field in fields])
