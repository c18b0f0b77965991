"""Ranks what a windowed query on a stream gives for each window, across its keys.

The operator emits all rows of a window, of every key, in one micro-batch: the one whose watermark passes its end. So
the rows of each PARTITION BY are brought together as Arrow and ranked within that micro-batch, without state. Rows of
one place in the order are told apart by a hash, so that a repeated micro-batch gives the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, DataType, DoubleType, FloatType, IntegerType, MapType, StructField, StructType

from winsql.errors import WindowPlanError
from winsql.model.query import ARRIVAL, INTERNAL_PREFIX, RANK, WindowQuery
from winsql.model.ranking import Ranking, RankingFunction, Ties
from winsql.spark.planning import Planned
from winsql.spark.runner import FIRED, Runner
from winsql.spark.streaming.stateful import by_arrival
from winsql.spark.workers.ranks import ranker
from winsql.syntax.compose import clause

__all__ = ["ranked"]

"""Number of a relation that a statement does not use itself."""
_APART = INTERNAL_PREFIX + "apart"
_SORT = INTERNAL_PREFIX + "sort"
_TIE = INTERNAL_PREFIX + "tie"


def ranked(planned: Planned, runner: Runner) -> Planned:
    """The plan of a query with a ranking, which has no ranks yet, with them.

    Raises WindowPlanError for an order that cannot be taken.
    """
    ranking, fired = planned.query.ranking, planned.frame
    assert ranking is not None
    assert fired is not None
    where = f"\n{clause('WHERE', ranking.where)}" if ranking.where else ""
    apart = [f"{sql} AS {_APART}{n}" for n, sql in enumerate(ranking.partition)]
    sorts = [f"{key.sql} AS {_SORT}{n}" for n, key in enumerate(ranking.order)]
    text = f"SELECT {', '.join(['*', *apart, *sorts])}\nFROM {ranking.before}{FIRED}{ranking.behind}{where}"
    rows = runner.sql(text, **{FIRED: fired})
    given = rows.columns[: len(rows.columns) - len(apart) - len(sorts)]
    arrival = [*(key.column for key in planned.query.keys), ARRIVAL] if by_arrival(planned.query) else []
    columns = given[: len(given) - len(arrival)]
    order = [place for n, key in enumerate(ranking.order) for place in _places(planned.query, rows, ranking, n)]
    decisive = (arrival or columns) if ranking.function is RankingFunction.ROW_NUMBER else []
    ties = [place for n, column in enumerate(decisive) for place in _ties(rows, column, n)]
    if ranking.ties is Ties.LAST_ARRIVED:
        ties[-1:] = [replace(ties[-1], is_descending=True)]
    sortable = rows.select(
        *(F.col(f"`{name}`") for name in columns),
        *(f"{_APART}{n}" for n in range(len(apart))),
        *(place.column.alias(place.name) for place in (*order, *ties)),
    )
    schema = StructType([*(sortable.schema[column] for column in columns), StructField(RANK, IntegerType())])
    keys, after = ([(p.name, "descending" if p.is_descending else "ascending") for p in ps] for ps in (order, ties))
    ranks = sortable.groupBy(*(f"{_APART}{n}" for n in range(len(apart)))).applyInArrow(
        ranker(ranking.function, keys, after, len(columns)), schema
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
    return _sorted_by(name, F.col(name), data_type, is_descending=key.is_descending, nulls_first=key.nulls_first)


def _sorted_by(
    name: str, value: Column, data_type: DataType, *, is_descending: bool, nulls_first: bool
) -> list[_Place]:
    places = [_Place(f"{name}_null", value.isNull().cast("int"), nulls_first)]
    if isinstance(data_type, (FloatType, DoubleType)):
        places.append(_Place(f"{name}_nan", F.coalesce(F.isnan(value), F.lit(False)).cast("int"), is_descending))
        value = F.nanvl(value, F.lit(0.0).cast(data_type)) + F.lit(0.0).cast(data_type)
    if data_type.simpleString() == "boolean":
        value = value.cast("int")
    return [*places, _Place(name, value, is_descending)]


_UNSORTED: tuple[type[DataType], ...] = (ArrayType, MapType, StructType)


def _ties(rows: DataFrame, column: str, number: int) -> list[_Place]:
    """What a column says of rows of one place in the order."""
    data_type, name, value = rows.schema[column].dataType, f"{_TIE}{number}", F.col(f"`{column}`")
    words = {*_words(data_type.simpleString())}
    if words & _UNHASHED:
        return [_Place(name, F.lit(0), False)]
    if isinstance(data_type, _UNSORTED) or words & _HASHED:
        return [_Place(name, F.xxhash64(value), False)]
    return _sorted_by(name, value, data_type, is_descending=False, nulls_first=True)


_UNHASHED = {"map", "variant", "geometry", "geography"}
_HASHED = {"collate", "interval", "void"}


def _words(type_name: str) -> list[str]:
    return "".join(letter if letter.isalnum() else " " for letter in type_name).split()
