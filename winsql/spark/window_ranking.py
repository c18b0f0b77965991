"""Ranks what a windowed query on a stream gives for each window, across its keys.

The operator emits all rows of a window, of every key, in one micro-batch: the one whose watermark passes its end. So
the rows are brought together by what they are ranked apart by, as Arrow, and ranked within that micro-batch; no state
is kept for it. Rows of one place in the order are told apart by a hash, so that a repeated micro-batch gives the same.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, DataType, DoubleType, FloatType, IntegerType, MapType, StructField, StructType

from winsql.errors import WindowPlanError
from winsql.model.query import INTERNAL_PREFIX, RANK, Ranking, WindowQuery
from winsql.spark.planning import Planned
from winsql.spark.ranks import TIE, ranker
from winsql.spark.runner import Runner, relation_name
from winsql.syntax.compose import clause

__all__ = ["ranked"]

_FIRED = 1_000_002
"""Number of a relation that a statement does not use itself."""
_APART = INTERNAL_PREFIX + "apart"
_SORT = INTERNAL_PREFIX + "sort"


def ranked(planned: Planned, runner: Runner) -> Planned:
    """The plan of a query with a ranking, which has no ranks yet, with them.

    Raises WindowPlanError for an order that cannot be taken.
    """
    ranking, fired = planned.query.ranking, planned.frame
    assert ranking is not None
    assert fired is not None
    name = relation_name(_FIRED)
    where = f"\n{clause('WHERE', ranking.where)}" if ranking.where else ""
    apart = [f"{sql} AS {_APART}{n}" for n, sql in enumerate(ranking.partition)]
    sorts = [f"{key.sql} AS {_SORT}{n}" for n, key in enumerate(ranking.order)]
    text = f"SELECT {', '.join(['*', *apart, *sorts])}\nFROM {ranking.before}{name}{ranking.behind}{where}"
    rows = runner.sql(text, **{name: fired})
    columns = rows.columns[: len(rows.columns) - len(apart) - len(sorts)]
    order = [place for n, key in enumerate(ranking.order) for place in _places(planned.query, rows, ranking, n)]
    sortable = rows.select(
        *(F.col(f"`{name}`") for name in columns),
        *(f"{_APART}{n}" for n in range(len(apart))),
        *(place.column.alias(place.name) for place in order),
        _tie(rows, columns),
    )
    schema = StructType([*(sortable.schema[column] for column in columns), StructField(RANK, IntegerType())])
    keys = tuple((place.name, "descending" if place.is_descending else "ascending") for place in order)
    ranks = sortable.groupBy(*(f"{_APART}{n}" for n in range(len(apart)))).applyInArrow(
        ranker(ranking.function, keys, len(columns)), schema
    )
    return replace(planned, frame=ranks)


@dataclass(frozen=True, slots=True)
class _Place:
    """A column that Arrow sorts by, as it sorts: NULL and NaN have columns of their own before it."""

    name: str
    column: Column
    is_descending: bool


def _places(query: WindowQuery, rows: DataFrame, ranking: Ranking, number: int) -> list[_Place]:
    key, name = ranking.order[number], f"{_SORT}{number}"
    data_type = rows.schema[name].dataType
    if isinstance(data_type, _UNSORTED) or " collate " in data_type.simpleString():
        error = WindowPlanError(
            f"{key.sql} is of type {data_type.simpleString().upper()} and cannot be ranked by on a stream",
            rule="on a stream rows are ranked by numbers, strings of bytes, times and booleans",
            hint="order by a field of it, or by a cast",
        )
        raise error.located(query.text, ranking.span)
    value = F.col(name)
    places = [_Place(f"{name}_null", value.isNull().cast("int"), key.nulls_first)]
    if isinstance(data_type, (FloatType, DoubleType)):
        places.append(_Place(f"{name}_nan", F.coalesce(F.isnan(value), F.lit(False)).cast("int"), key.is_descending))
        value = F.nanvl(value, F.lit(0.0).cast(data_type)) + F.lit(0.0).cast(data_type)
    if data_type.simpleString() == "boolean":
        value = value.cast("int")
    return [*places, _Place(name, value, key.is_descending)]


_UNSORTED: tuple[type[DataType], ...] = (ArrayType, MapType, StructType)


def _tie(rows: DataFrame, columns: Sequence[str]) -> Column:
    """A number that depends on the row alone."""
    types = (rows.schema[column].dataType.simpleString() for column in columns)
    hashed = [F.col(f"`{name}`") for name, kind in zip(columns, types, strict=True) if not _UNHASHED & {*_words(kind)}]
    return (F.xxhash64(*hashed) if hashed else F.lit(0).cast("long")).alias(TIE)


_UNHASHED = {"map", "variant", "geometry", "geography"}


def _words(type_name: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in type_name).split()
