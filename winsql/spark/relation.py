"""The relation behind a windowed query: its columns brought into one row format, and what planning must know of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import to_arrow_type
from pyspark.sql.types import DataType, DoubleType, FloatType, StructField, YearMonthIntervalType

from winsql.errors import WindowPlanError
from winsql.model.query import INTERNAL_PREFIX, AggregateCall, WindowQuery
from winsql.model.registry import AGGREGATES
from winsql.planner.facts import ColumnFact
from winsql.spark.runner import Runner
from winsql.syntax.compose import clause, column

__all__ = [
    "TIME",
    "Projection",
    "column_fact",
    "decoded",
    "encoded",
    "normal_key",
    "project",
    "select_sql",
    "source_columns",
]

TIME = INTERNAL_PREFIX + "time"


@dataclass(frozen=True, slots=True)
class Projection:
    """`SELECT keys, time, what policies and aggregates read, payload FROM source WHERE ...`, and where things stand.

    keys, payload   names of the columns
    time            whether there is a column TIME
    slots           SQL of an expression -> its column; operands come first, in slot order
    payload_types   types the payload columns have outside; the frame may carry them encoded
    """

    sql: str
    frame: DataFrame
    keys: tuple[str, ...]
    slots: dict[str, str]
    operand_slots: tuple[str, ...]
    payload: tuple[str, ...]
    has_time: bool

    def field(self, column: str) -> StructField:
        return self.frame.schema[column]

    def fact(self, column: str) -> ColumnFact:
        """Type of a column, for planning."""
        return column_fact(self.frame.schema[column])


def project(query: WindowQuery, runner: Runner, *, payload: dict[str, str], with_aggregates: bool) -> Projection:
    """Analyse the source with all expressions the plan needs; `payload` maps column names to SQL.

    Raises Spark's own AnalysisException for what it cannot resolve.
    """
    time = query.spec.assigner.time
    time_sql = time.expressions[0] if time is not None and time.expressions else None
    slots: dict[str, str] = {}
    if with_aggregates:
        for sql in _read_by_aggregates((*query.aggregates, *query.trigger_aggregates)):
            slots.setdefault(sql, f"{INTERNAL_PREFIX}value{len(slots)}")
    operands = [(operand.sql, f"{INTERNAL_PREFIX}operand{i}") for i, operand in enumerate(query.operands)]
    keys = [(key.sql, key.column) for key in query.keys]
    columns = [*keys, *operands, *slots.items(), *((sql, name) for name, sql in payload.items())]
    if time_sql is not None:
        columns.append((time_sql, TIME))
    text = select_sql(query, [column(sql, name) for sql, name in columns] or [f"1 AS {TIME}_none"])
    return Projection(
        text,
        runner.sql(text),
        tuple(name for _, name in keys),
        slots,
        tuple(name for _, name in operands),
        tuple(payload),
        time_sql is not None,
    )


def select_sql(query: WindowQuery, columns: Iterable[str]) -> str:
    """A query over the source of the windowed query, its WHERE included."""
    where = f"\n{clause('WHERE', query.where)}" if query.where else ""
    return f"SELECT {', '.join(columns)}\nFROM {query.source}{where}"


def source_columns(query: WindowQuery) -> list[str]:
    """The columns of the source as the user sees them: all of a relation's, or one struct per side of a join."""
    return ["*"] if query.join is None else [query.join.left.name, query.join.right.name]


def _read_by_aggregates(calls: Iterable[AggregateCall]) -> list[str]:
    """The expressions that accumulators read: arguments and conditions of the calls winsql may keep itself."""
    return [
        sql
        for call in calls
        if call.is_plain or call.name in AGGREGATES
        for sql in (*call.arguments, *((call.filter,) if call.filter else ()))
    ]


def column_fact(field: StructField) -> ColumnFact:
    """Type of a column, for planning."""
    return ColumnFact(field.dataType.simpleString(), _arrow_type(field.dataType), field.nullable)


def _arrow_type(data_type: DataType) -> pa.DataType | None:
    try:
        return to_arrow_type(data_type, timezone="UTC")
    except PySparkException:
        return None


def encoded(frame: DataFrame, column: str, what: str) -> Column:
    """The column in a form that Arrow can carry; raises WindowPlanError when there is none. `decoded` turns it back."""
    data_type = frame.schema[column].dataType
    if _arrow_type(data_type) is not None:
        return F.col(column)
    if isinstance(data_type, YearMonthIntervalType):
        return F.col(column).cast("interval month").cast("int").alias(column)
    raise WindowPlanError(
        f"{what} is of type {data_type.simpleString().upper()}, which cannot pass through a window",
        rule="rows travel to winsql's operator as Arrow columns, and Arrow has no such type",
        hint="cast it to STRING, or leave it out",
    )


def decoded(column: str, data_type: DataType) -> Column:
    """A column as it was before `encoded`."""
    if isinstance(data_type, YearMonthIntervalType):
        return F.col(column).cast("interval month").cast(data_type)
    return F.col(column)


def normal_key(frame: DataFrame, column: str) -> Column:
    """A key as GROUP BY would return it: without a negative zero."""
    data_type = frame.schema[column].dataType
    if isinstance(data_type, (FloatType, DoubleType)):
        return (F.col(column) + F.lit(0).cast(data_type)).alias(column)
    return F.col(column)
