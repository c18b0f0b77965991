"""The relation that a windowed query reads: its columns in one row format, and facts for planning."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any

import pyarrow as pa
from pyspark.errors import PySparkValueError
from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import (
    ArrayType,
    DataType,
    DoubleType,
    FloatType,
    IntegerType,
    MapType,
    StringType,
    StructField,
    StructType,
    YearMonthIntervalType,
)

from winsql.errors import WindowPlanError
from winsql.model.aggregate_calls import AggregateCall
from winsql.model.query import INTERNAL_PREFIX, WindowQuery
from winsql.model.registry import AGGREGATES
from winsql.planner.facts import ColumnFact
from winsql.spark.runner import Runner
from winsql.spark.versions.arrow_types import arrow_type
from winsql.syntax.text.compose import clause, column

TIME = INTERNAL_PREFIX + "time"


@dataclass(frozen=True, slots=True)
class Projection:
    """`SELECT keys, time, what policies and aggregates read, payload FROM source WHERE ...`, and where each column is.

    keys, payload   names of the columns
    time            whether there is a column TIME
    slots           SQL of an expression -> its column; operands come first, in slot order
    sources         SQL of an expression by its column, for people
    """

    sql: str
    frame: DataFrame
    keys: tuple[str, ...]
    slots: dict[str, str]
    operand_slots: tuple[str, ...]
    payload: tuple[str, ...]
    has_time: bool
    sources: dict[str, str]

    def field(self, column: str) -> StructField:
        return self.frame.schema[column]

    def fact(self, column: str) -> ColumnFact:
        """Type of a column, for planning."""
        return column_fact(self.frame.schema[column])

    def key_fact(self, column: str) -> ColumnFact:
        """Type of a key, for planning; `arrow` is that of `normal_key`."""
        field = self.frame.schema[column]
        return replace(column_fact(field), arrow=carried_type(field.dataType))


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
    columns = columns or [("1", f"{TIME}_none")]
    return Projection(
        _columns_sql(query, columns),
        analysed(query, columns, runner),
        tuple(name for _, name in keys),
        slots,
        tuple(name for _, name in operands),
        tuple(payload),
        time_sql is not None,
        {name: sql for sql, name in columns},
    )


def select_sql(query: WindowQuery, columns: Iterable[str]) -> str:
    """A query over the source of the windowed query, its WHERE included."""
    where = f"\n{clause('WHERE', query.where)}" if query.where else ""
    return f"SELECT {', '.join(columns)}\nFROM {query.source}{where}"


def source_columns(query: WindowQuery) -> list[str]:
    """The columns of the source as the user sees them: all of a relation's, or one struct per side of a join."""
    return ["*"] if query.join is None else [query.join.left.name, query.join.right.name]


def analysed(query: WindowQuery, columns: Sequence[tuple[str, str]], runner: Runner) -> DataFrame:
    """SQL of expressions over the source, each with its name; raises WindowPlanError where Spark tells no type."""
    frame = runner.sql(_columns_sql(query, columns))
    if not _has_schema(frame):
        untold = [sql for sql, name in columns if not _has_schema(runner.sql(_columns_sql(query, [(sql, name)])))]
        raise _of_no_collation(*untold[:1])
    return frame


def _columns_sql(query: WindowQuery, columns: Iterable[tuple[str, str]]) -> str:
    return select_sql(query, [column(sql, name) for sql, name in columns])


def _has_schema(frame: DataFrame) -> bool:
    """Whether Spark can tell the types; it cannot where strings of several collations were put together."""
    try:
        return not _lacks_collation(frame.schema)
    except PySparkValueError as error:
        if error.getCondition() != "CANNOT_PARSE_DATATYPE":
            raise
        return False


def _lacks_collation(schema: StructType) -> bool:
    """Whether there is a string of which a client of Spark Connect is told that it has no collation."""
    return any(isinstance(kind, StringType) and kind.collation == "null" for kind in types_in(schema))


def types_in(data_type: DataType) -> Iterator[DataType]:
    """A type, and those of its parts at any depth."""
    yield data_type
    if isinstance(data_type, StructType):
        parts = [field.dataType for field in data_type]
    elif isinstance(data_type, ArrayType):
        parts = [data_type.elementType]
    else:
        parts = [data_type.keyType, data_type.valueType] if isinstance(data_type, MapType) else []
    for part in parts:
        yield from types_in(part)


def _of_no_collation(sql: str = "*") -> WindowPlanError:
    return WindowPlanError(
        f"{'a column' if sql in ('*', 'struct(*)') else sql} has no certain collation",
        rule="strings of different collations were put together, and Spark compares and stores no such string",
        hint="say which one it has: COLLATE UTF8_BINARY, for instance",
    )


def _read_by_aggregates(calls: Iterable[AggregateCall]) -> list[str]:
    """The expressions that accumulators read: arguments and conditions of the calls winsql may keep itself."""
    return [
        sql
        for call in calls
        if call.is_keepable or call.name in AGGREGATES
        for sql in (*call.read, *((call.filter,) if call.filter else ()))
    ]


def column_fact(field: StructField) -> ColumnFact:
    """Type of a column, for planning."""
    return ColumnFact(field.dataType.simpleString(), arrow_type(field.dataType), field.nullable, declared_type(field))


def declared_type(field: StructField) -> str:
    """The type with CHAR(n) and VARCHAR(n) where that of the column says STRING; '' without these.

    Spark keeps it in the column's metadata. Only where it finds it there, it pads values compared with a CHAR column.
    """
    return str((field.metadata or {}).get(_DECLARED, ""))


def declared_as(value: Column, name: str, declared: str) -> Column:
    """A column by its name, with a type as `declared_type` gives it."""
    return value.alias(name, metadata={_DECLARED: declared}) if declared else value


_DECLARED = "__CHAR_VARCHAR_TYPE_STRING"


def require_arrow(projection: Projection) -> None:
    """Raises WindowPlanError for a payload column that cannot reach a Python function unchanged."""
    for name in projection.payload:
        data_type = projection.field(name).dataType
        if arrow_type(data_type) is None:
            raise _not_carried(f"the value of {projection.sources[name]}", data_type, data_type)


def plain_type(data_type: DataType) -> DataType:
    """The type of a column that `encoded` gives."""
    return _replaced(data_type, IntegerType())


def carried_type(data_type: DataType) -> pa.DataType | None:
    """The type of a column that `encoded` gives, as Arrow has it: an INT of months for a year-month interval."""
    return arrow_type(plain_type(data_type))


def encoded(frame: DataFrame, column: str, what: str) -> Column:
    """The column in a form that Arrow can carry; raises WindowPlanError when there is none. `decoded` turns it back."""
    data_type = frame.schema[column].dataType
    plain = plain_type(data_type)
    if arrow_type(plain) is None:
        raise _not_carried(what, data_type, plain)
    return F.col(column) if plain == data_type else _cast(column, data_type, plain).alias(column)


def _not_carried(what: str, data_type: DataType, plain: DataType) -> WindowPlanError:
    if isinstance(plain, StructType) and what.endswith("struct(*)"):  # a whole row: say which column
        field = next(field for field in plain.fields if arrow_type(field.dataType) is None)
        what, data_type = f"the value of {field.name}", field.dataType
    return WindowPlanError(
        f"{what} is of type {data_type.simpleString().upper()}, which cannot pass through a window",
        rule="rows travel to winsql's operator as Arrow columns, and Arrow has no such type",
        hint="cast it to STRING, or leave it out",
    )


def decoded(column: str, data_type: DataType) -> Column:
    """A column as it was before `encoded`."""
    if plain_type(data_type) == data_type:
        return F.col(column)
    return _cast(column, data_type, data_type).alias(column)


def nullable(data_type: Any) -> Any:
    """The type with NULL allowed at any depth, as in what a worker returns; Spark casts to no other type."""
    if isinstance(data_type, StructType):
        return StructType([StructField(f.name, nullable(f.dataType), True, f.metadata) for f in data_type])
    if isinstance(data_type, ArrayType):
        return ArrayType(nullable(data_type.elementType), True)
    if isinstance(data_type, MapType):
        return MapType(nullable(data_type.keyType), nullable(data_type.valueType), True)
    return data_type


def _cast(column: str, data_type: DataType, to: DataType) -> Column:
    """The column as another type, with NULL allowed: Spark's optimizer may find a value that can be NULL where its
    analysis found none, and casts it to no other type. Year-month intervals, at any depth, become months first: only
    those are cast to and from numbers."""
    months = YearMonthIntervalType(YearMonthIntervalType.MONTH, YearMonthIntervalType.MONTH)
    return F.col(column).cast(nullable(_replaced(data_type, months))).cast(nullable(to))


def _replaced(data_type: DataType, interval: DataType) -> DataType:
    """The type as Arrow has it: `interval` in the place of year-month intervals, no two fields of one name."""
    if isinstance(data_type, YearMonthIntervalType):
        return interval
    if isinstance(data_type, ArrayType):
        return ArrayType(_replaced(data_type.elementType, interval), data_type.containsNull)
    if isinstance(data_type, MapType):
        key, value = (_replaced(kind, interval) for kind in (data_type.keyType, data_type.valueType))
        return MapType(key, value, data_type.valueContainsNull)
    if isinstance(data_type, StructType):
        named = zip(_unique([field.name for field in data_type]), data_type, strict=True)
        return StructType(
            [StructField(name, _replaced(f.dataType, interval), f.nullable, f.metadata) for name, f in named]
        )
    return data_type


def _unique(names: list[str]) -> list[str]:
    """The names, each unlike those before it."""
    found: list[str] = []
    for name in names:
        while name in found:
            name += "_"
        found.append(name)
    return found


def normal_key(projection: Projection, column: str) -> Column:
    """A key as GROUP BY would return it, without a negative zero at any depth, in a form that Arrow can carry."""
    data_type = projection.field(column).dataType
    key = encoded(projection.frame, column, f"the key {projection.sources[column]}")
    return _without_negative_zero(key, plain_type(data_type)).alias(column) if _has_float(data_type) else key


def _without_negative_zero(value: Column, data_type: DataType) -> Column:
    if not _has_float(data_type):
        return value
    if isinstance(data_type, ArrayType):
        return F.transform(value, lambda item: _without_negative_zero(item, data_type.elementType))
    if isinstance(data_type, StructType):
        numbered = [StructField(str(number), f.dataType) for number, f in enumerate(data_type)]
        fields = value.cast(nullable(StructType(numbered)))  # names that differ by case are one to Spark
        found = [_without_negative_zero(fields[str(n)], f.dataType).alias(f.name) for n, f in enumerate(data_type)]
        return F.when(value.isNotNull(), F.struct(*found))
    return value + F.lit(0).cast(data_type)


def _has_float(data_type: DataType) -> bool:
    if isinstance(data_type, StructType):
        return any(_has_float(field.dataType) for field in data_type)
    return _has_float(data_type.elementType) if isinstance(data_type, ArrayType) else isinstance(data_type, _FLOATS)


_FLOATS = (FloatType, DoubleType)
