"""The order of rows for calls with OVER: columns that Arrow sorts as Spark does."""

from __future__ import annotations

from dataclasses import dataclass, replace

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, DataType, DoubleType, FloatType, MapType, NullType, StructType

from winsql.errors import WindowPlanError
from winsql.model.query import ARRIVAL, INTERNAL_PREFIX, RANK, WindowQuery
from winsql.model.window_functions import SortKey, Ties, WindowFunctionCall
from winsql.spark.relation import encoded

ROW = INTERNAL_PREFIX + "ranked_row"
"""The column with a row as the user sees it, which tells equal rows apart."""
SORT = INTERNAL_PREFIX + "sort"
"""Prefix of the columns that rows are ordered by."""
_TIE = INTERNAL_PREFIX + "tie"


def tie_places(query: WindowQuery, rows: DataFrame, fired: DataFrame) -> list[Place]:
    """What decides between equal rows: their arrival within the keys that it is known for, or their columns."""
    if ARRIVAL in fired.columns:
        decisive = [*(key.column for key in query.keys), ARRIVAL]
        ties = [place for n, column in enumerate(decisive) for place in _ties(rows, column, n)]
        is_last = query.over is not None and query.over.ties is Ties.LAST_ARRIVED
        return [*ties[:-1], replace(ties[-1], is_descending=is_last)]
    if ROW in fired.columns:
        whole = encoded(rows, ROW, "a row")  # two of its columns may have one name
        row = rows.select(whole).select(f"{ROW}.*")
        fields = enumerate(row.columns)
        return [place for n, field in fields for place in _ties(row, field, n, whole.getField(field))]
    known = [c for c in fired.columns if not c.startswith(RANK)]
    return [place for n, column in enumerate(known) for place in _ties(rows, column, n)]


@dataclass(frozen=True, slots=True)
class Place:
    """A column that Arrow sorts by, and how; NULL and NaN have columns of their own before it."""

    name: str
    column: Column
    is_descending: bool


def order_places(query: WindowQuery, rows: DataFrame, call: WindowFunctionCall, key: SortKey, name: str) -> list[Place]:
    """The places of a key whose value is in a column; raises WindowPlanError for a type that has no order."""
    data_type = rows.schema[name].dataType
    if not _is_sorted(data_type):
        raise WindowPlanError(
            f"{key.written} is of type {data_type.simpleString().upper()} and cannot be ranked by on a stream",
            rule="on a stream rows are ranked by numbers, strings of bytes, times, booleans and structs of these",
            hint="order by a field of it, or by a cast",
        ).located(query.text, call.span)
    return sorted_by(name, F.col(name), data_type, is_descending=key.is_descending, nulls_first=key.nulls_first)


def sorted_by(name: str, value: Column, data_type: DataType, *, is_descending: bool, nulls_first: bool) -> list[Place]:
    """The places of a value; a struct has those of its fields, among which NULL is the least."""
    if isinstance(data_type, NullType):
        return []
    places = [Place(f"{name}_null", value.isNull().cast("int"), nulls_first)]
    if isinstance(data_type, StructType):
        for number, field in enumerate(data_type):
            place, part = f"{name}_{number}", value.getField(field.name)
            places += sorted_by(place, part, field.dataType, is_descending=is_descending, nulls_first=not is_descending)
        return places
    if isinstance(data_type, (FloatType, DoubleType)):
        places.append(Place(f"{name}_nan", F.coalesce(F.isnan(value), F.lit(False)).cast("int"), is_descending))
        value = F.nanvl(value, F.lit(0.0).cast(data_type)) + F.lit(0.0).cast(data_type)
    if data_type.simpleString() == "boolean":
        value = value.cast("int")
    return [*places, Place(name, value, is_descending)]


def _is_sorted(data_type: DataType) -> bool:
    if isinstance(data_type, StructType):
        are_told_apart = len({name.lower() for name in data_type.names}) == len(data_type)
        return are_told_apart and all(_is_sorted(field.dataType) for field in data_type)
    return not isinstance(data_type, _NESTED) and " collate " not in data_type.simpleString()


_NESTED = (ArrayType, MapType, StructType)


def _ties(rows: DataFrame, column: str, number: int, read: Column | None = None) -> list[Place]:
    """What a column says of equal rows; `read` is where it is, if not a column by its name."""
    data_type, name = rows.schema[column].dataType, f"{_TIE}{number}"
    value = F.col(f"`{column}`") if read is None else read
    words = {*_words(data_type.simpleString())}
    if words & _UNHASHED:
        return [Place(name, F.lit(0), False)]
    if isinstance(data_type, _NESTED) or words & _HASHED:
        return [Place(name, F.xxhash64(value), False)]
    return sorted_by(name, value, data_type, is_descending=False, nulls_first=True)


_UNHASHED = {"map", "variant", "geometry", "geography"}
_HASHED = {"collate", "interval", "void"}


def _words(type_name: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in type_name).split()
