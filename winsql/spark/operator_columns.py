"""The columns around winsql's operator in a plan, the same on tables and streams: those of the rows it reads and of the
rows it returns; and the task it is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import (
    ArrayType,
    BooleanType,
    DataType,
    LongType,
    StringType,
    StructField,
    StructType,
    TimestampNTZType,
    TimestampType,
)

from winsql.model.local_windows import LocalWindows
from winsql.model.query import (
    INTERNAL_PREFIX,
    JOIN_LEFT,
    JOIN_RIGHT,
    JOIN_SIDE,
    PANE_INDEX,
    PANE_TIMING,
    ROW_KIND,
    WINDOW_COLUMNS,
    WINDOW_END,
    KeyColumn,
    WindowQuery,
)
from winsql.planner.plan import Strategy
from winsql.planner.time_sql import instant_sql
from winsql.runtime.aggregates import Aggregate
from winsql.spark.aggregates import BoundCall, slot_columns
from winsql.spark.relation import TIME, Projection, declared_as, declared_type, decoded, encoded, normal_key, plain_type
from winsql.spark.versions.arrow_types import with_null_items
from winsql.spark.workers.firings import FIRING, HAS_ROWS
from winsql.spark.workers.task import Handout, Place, Task

_HANDOUTS = {
    Strategy.ACCUMULATORS: Handout.RESULTS,
    Strategy.KEPT_ROWS: Handout.RESULTS,
    Strategy.SPARK_AGGREGATES: Handout.FIRING,
    Strategy.ROWS: Handout.ROWS,
    Strategy.CO_GROUP: Handout.SIDES,
    Strategy.APPLY: Handout.APPLY,
}
_PRUNED = (Handout.RESULTS, Handout.ROWS)
Marks = dict[str, dict[str, str]]
"""Metadata that Spark keeps with columns, by column."""


@dataclass(frozen=True, slots=True)
class OperatorPlan:
    """A plan of the operator: its task, and the columns that it reads and returns.

    calls     the aggregate calls of the select list; those with an accumulator are the operator's own
    triggers  the aggregates that WHEN reads
    apply, applied   the function of APPLY and the schema of what it returns
    """

    query: WindowQuery
    strategy: Strategy
    projection: Projection
    calls: Sequence[BoundCall]
    triggers: tuple[Aggregate, ...]
    apply: Any = None
    applied: StructType | None = None

    @property
    def own(self) -> list[BoundCall]:
        """The calls that the operator computes."""
        return [call for call in self.calls if call.aggregate is not None]

    @property
    def windows(self) -> tuple[str, ...]:
        """The window columns that a worker returns: those that are read, and at least one, as it must return some."""
        if _HANDOUTS[self.strategy] not in _PRUNED:
            return tuple(WINDOW_COLUMNS.values())
        return self.query.window_columns or (WINDOW_END,)

    def task(self, now: int) -> Task:
        """What a worker must know; `now` is the fixed processing time of a run on a bounded table, microseconds."""
        local = LocalWindows.of(self.query.spec.assigner)
        if local is not None:
            now = int(local.clock.shown(np.array([now]))[0])
        return Task(
            spec=self.query.spec,
            handout=_HANDOUTS[self.strategy],
            aggregates=tuple(call.aggregate for call in self.own if call.aggregate is not None),
            trigger_aggregates=self.triggers,
            slots=len(slot_columns(self.projection)),
            keys=len(self.projection.keys),
            window_type=_window_arrow(_window_type(self.projection)),
            now=now,
            place=Place.of(self.query),
            windows=self.windows,
            apply=self.apply,
            local=local,
        )

    def results(self) -> dict[str, str]:
        """The columns of results: as the query calls them -> as the worker does."""
        return {call.call.column: f"{INTERNAL_PREFIX}result{i}" for i, call in enumerate(self.own)}

    def output_schema(self, frame: DataFrame) -> StructType:
        """The columns a worker returns, in its order; `frame` has the rows it reads."""
        projection = self.projection
        instant = _window_type(projection)
        keys = frame.select(*(normal_key(projection, column) for column in projection.keys)).schema.fields
        windows = [StructField(column, _PANE_TYPES.get(column, instant)) for column in self.windows]
        types = enumerate(plain_type(call.data_type) for call in self.own)
        results = [StructField(f"{INTERNAL_PREFIX}result{i}", data_type) for i, data_type in types]
        carried = frame.select(*(_carried(frame, projection, column) for column in projection.payload)).schema.fields
        marks = [StructField(FIRING, LongType()), StructField(HAS_ROWS, BooleanType())]
        returned = {
            Handout.RESULTS: results,
            Handout.ROWS: carried,
            Handout.SIDES: [StructField(f.name, ArrayType(f.dataType)) for f in carried if f.name != JOIN_SIDE],
            Handout.FIRING: [*marks, *results, *carried],
            Handout.APPLY: list(self.applied or ()),
        }
        fields = [*keys, *windows, *returned[_HANDOUTS[self.strategy]]]
        return StructType([StructField(field.name, with_null_items(field.dataType), True) for field in fields])


_PANE_TYPES: dict[str, DataType] = {PANE_INDEX: LongType(), PANE_TIMING: StringType(), ROW_KIND: StringType()}


def window_header(operator: OperatorPlan, marks: Marks | None = None) -> dict[str, Column]:
    """Key and window columns of a firing; `marks` is metadata of window columns."""
    projection = operator.projection
    keys = {
        key.column: declared_as(_decoded(projection, key.column), key.column, _declared_key(operator, key))
        for key in operator.query.keys
    }
    known = marks or {}
    windows = {
        column: F.col(column).alias(column, metadata=known[column]) if column in known else F.col(column)
        for column in operator.windows
    }
    return {**keys, **windows}


def result_columns(
    operator: OperatorPlan,
    marks: Marks | None = None,
    marked: Callable[[StructType], StructType] = lambda schema: schema,
) -> list[Column]:
    """The worker's columns as the query's head and tail read them.

    marks   metadata of window columns
    marked  the columns of the payload with metadata of fields in them, which a cast would lose
    """
    projection = operator.projection
    types = {call.call.column: call.data_type for call in operator.own}
    payload = [] if operator.applied is not None else [c for c in projection.payload if c != JOIN_SIDE]
    return [
        *window_header(operator, marks).values(),
        *(decoded(result, types[column]).alias(column) for column, result in operator.results().items()),
        *(_fired(operator, column, marked) for column in payload),
        *(F.col(field.name) for field in operator.applied or ()),
    ]


def declared_payload(projection: Projection, column: str) -> Column:
    """A payload column as it is over the source, with the CHAR or VARCHAR that it is declared as."""
    return declared_as(_decoded(projection, column), column, declared_type(projection.field(column)))


def _fired(operator: OperatorPlan, column: str, marked: Callable[[StructType], StructType]) -> Column:
    """A payload column: of a join it is the rows of a side."""
    field = operator.projection.field(column)
    kind = ArrayType(field.dataType) if column in _SIDES else field.dataType
    fired = decoded(column, marked(StructType([StructField(column, kind)]))[0].dataType)
    return fired if column in _SIDES else declared_as(fired, column, declared_type(field))


def _declared_key(operator: OperatorPlan, key: KeyColumn) -> str:
    """The type of a key as it is declared: of a union Spark tells that of the first part only."""
    return key.declared if operator.query.join else declared_type(operator.projection.field(key.column))


def _decoded(projection: Projection, column: str) -> Column:
    return decoded(column, projection.field(column).dataType)


def with_instants(projection: Projection) -> DataFrame:
    """The source with its time as an instant, see `instant_sql`."""
    if not projection.has_time:
        return projection.frame
    instant = F.expr(instant_sql(TIME, projection.fact(TIME))).alias(TIME)
    # in a pipeline Spark resolves the input of withColumn too early, and loses sight of which dataset it is
    return projection.frame.select(*(instant if name == TIME else F.col(name) for name in projection.frame.columns))


def row_columns(frame: DataFrame, projection: Projection) -> list[Column]:
    """What a worker reads, in its order: time, slots, keys, payload."""
    time = F.col(TIME) if projection.has_time else F.lit(None).cast("timestamp").alias(TIME)
    slots = [encoded(frame, column, f"the value of {sql}") for sql, column in _slots(projection)]
    keys = [normal_key(projection, column) for column in projection.keys]
    payload = [_carried(frame, projection, column) for column in projection.payload]
    return [time, *slots, *keys, *payload]


def _carried(frame: DataFrame, projection: Projection, column: str) -> Column:
    return encoded(frame, column, _SIDES.get(column, f"the value of {projection.sources[column]}"))


_SIDES = {JOIN_LEFT: "a row of the left side", JOIN_RIGHT: "a row of the right side"}


def _slots(projection: Projection) -> list[tuple[str, str]]:
    return [*((column, column) for column in projection.operand_slots), *projection.slots.items()]


def _window_type(projection: Projection) -> DataType:
    """Bounds have the type of the time; a DATE counts as its midnight, without a zone, and PROCTIME() as TIMESTAMP."""
    has_zone = not projection.has_time or projection.fact(TIME).has_zone
    return TimestampType() if has_zone else TimestampNTZType()


def _window_arrow(data_type: DataType) -> pa.DataType:
    return pa.timestamp("us", tz="UTC") if isinstance(data_type, TimestampType) else pa.timestamp("us")
