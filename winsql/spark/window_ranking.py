"""Ranks what a windowed query on a stream gives for each window, across its keys.

The operator emits all rows of a window, of every key, in one micro-batch: the one whose watermark passes its end. So
the rows of each PARTITION BY are brought together as Arrow and ranked within that micro-batch, without state. Rows of
one place in the order are told apart by a hash, so that a repeated micro-batch gives the same.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from pyspark.sql import Column, DataFrame
from pyspark.sql import functions as F
from pyspark.sql.types import ArrayType, DataType, DoubleType, FloatType, IntegerType, MapType, StructField, StructType

from winsql.errors import WindowPlanError
from winsql.model.assigners import TumblingWindows
from winsql.model.query import ARRIVAL, INTERNAL_PREFIX, RANK, WINDOW_END, WINDOW_TIME, Form, WindowQuery
from winsql.model.ranking import RankCall, Ranking, RankingFunction, Ties
from winsql.planner.facts import Facts, Upstream
from winsql.planner.plan import Plan, Strategy
from winsql.spark.planning import Planned
from winsql.spark.relation import TIME, project
from winsql.spark.runner import FIRED, Runner
from winsql.spark.streaming.stateful import stream_facts
from winsql.spark.streaming.upstream import window_marks
from winsql.spark.workers.ranks import ranker
from winsql.syntax.text.compose import clause

__all__ = ["plan_ranking", "ranked"]

ROW = INTERNAL_PREFIX + "ranked_row"
"""The column with a row as the user sees it, by which equal ones are told apart."""
_APART = INTERNAL_PREFIX + "apart"
_SORT = INTERNAL_PREFIX + "sort"
_TIE = INTERNAL_PREFIX + "tie"


def plan_ranking(query: WindowQuery, runner: Runner) -> Planned | None:
    """The plan of a ranking of what other windows give when the watermark passes them, without its ranks: it needs no
    operator of its own. None where its rows come otherwise, and must be gathered first."""
    ranking, assigner = query.ranking, query.spec.assigner
    is_moment = isinstance(assigner, TumblingWindows) and assigner.size == 1
    if ranking is None or query.form is not Form.ROWS or not is_moment:
        return None
    query = replace(query, keys=(), ranking=replace(ranking, ties=Ties.COLUMNS))
    payload = {column.column: column.sql for column in query.payload}
    projection = project(query, runner, payload={**payload, ROW: "struct(*)"}, with_aggregates=False)
    stream = stream_facts(query, projection, runner)
    if stream is None or stream.upstream is not Upstream.ON_TIME or stream.has_watermark:
        return None
    marks = window_marks(query)
    end = F.expr(f"{TIME} + INTERVAL 1 MICROSECOND").alias(WINDOW_END, metadata=marks[WINDOW_END])
    time = F.col(TIME).alias(WINDOW_TIME, metadata=marks[WINDOW_TIME])
    facts = Facts(stream, projection.fact(TIME), (), (), (), ())
    plan = Plan(Strategy.PROJECTION, "its rows come together, when the watermark passes them", None, "none")
    frame = projection.frame.select(*payload, end, time, ROW)
    return Planned(query, facts, plan, runner, projection.sql, frame=frame)


def ranked(planned: Planned, runner: Runner) -> Planned:
    """The plan of a query with a ranking, which has no ranks yet, with a column for each of its calls.

    Raises WindowPlanError for an order that cannot be taken.
    """
    ranking, fired = planned.query.ranking, planned.frame
    assert ranking is not None
    assert fired is not None
    _check_firings(planned.query, ranking)
    where = f"\n{clause('WHERE', ranking.where)}" if ranking.where else ""
    columns = [c for c in fired.columns if c not in (ARRIVAL, ROW)]
    rows = runner.sql(f"SELECT *\nFROM {FIRED}{where}", **{FIRED: fired}) if where else fired
    structs = {c: _nullable(f) for c in fired.columns if isinstance(f := fired.schema[c].dataType, StructType)}
    rows = _cast(rows, {column: _numbered(data_type) for column, data_type in structs.items()})
    for call in ranking.calls:
        rows = _with_ranks(planned.query, runner, rows, call)
        columns.append(call.column)
    rows = _cast(rows, structs)
    return replace(planned, frame=rows.select(*(f"`{column}`" for column in columns)))


def _cast(rows: DataFrame, types: dict[str, StructType]) -> DataFrame:
    """The rows with these types of columns: Arrow takes no struct in which two fields have one name."""
    return rows.select(*(F.col(f"`{c}`").cast(types[c]).alias(c) if c in types else f"`{c}`" for c in rows.columns))


def _numbered(data_type: StructType) -> StructType:
    return StructType([StructField(f"f{n}", f.dataType, f.nullable, f.metadata) for n, f in enumerate(data_type)])


def _nullable(data_type: Any) -> Any:
    """The type that may hold NULL everywhere, as what comes from a worker may; Spark casts to no other."""
    if isinstance(data_type, StructType):
        return StructType([StructField(f.name, _nullable(f.dataType), True, f.metadata) for f in data_type])
    if isinstance(data_type, ArrayType):
        return ArrayType(_nullable(data_type.elementType), True)
    if isinstance(data_type, MapType):
        return MapType(_nullable(data_type.keyType), _nullable(data_type.valueType), True)
    return data_type


def _check_firings(query: WindowQuery, ranking: Ranking) -> None:
    """Raises WindowPlanError where what a window gives does not come all at once."""
    spec = query.spec
    if spec.has_default_trigger and spec.assigner.time is not None and not spec.allowed_lateness:
        return
    error = WindowPlanError(
        f"{ranking.calls[0].function.value} cannot rank these windows on a stream",
        rule="all rows of a window must come at once, when it ends by its time",
        hint="leave out TRIGGER and ALLOWED LATENESS, or write the result into a table and rank that",
    )
    raise error.located(query.text, ranking.calls[0].span)


def _with_ranks(query: WindowQuery, runner: Runner, fired: DataFrame, call: RankCall) -> DataFrame:
    """The rows with the column of one call."""
    apart = [f"{sql} AS {_APART}{n}" for n, sql in enumerate(call.partition)]
    sorts = [f"{key.sql} AS {_SORT}{n}" for n, key in enumerate(call.order)]
    rows = runner.sql(f"SELECT {', '.join(['*', *apart, *sorts])}\nFROM {FIRED}", **{FIRED: fired})
    order = [place for n in range(len(call.order)) for place in _places(query, rows, call, n)]
    ties = _all_ties(query, rows, fired) if call.function is RankingFunction.ROW_NUMBER else []
    sortable = rows.select(
        *(F.col(f"`{column}`") for column in fired.columns),
        *(f"{_APART}{n}" for n in range(len(apart))),
        *(place.column.alias(place.name) for place in (*order, *ties)),
    )
    schema = StructType([*(sortable.schema[c] for c in fired.columns), StructField(call.column, IntegerType())])
    keys, after = ([(p.name, "descending" if p.is_descending else "ascending") for p in ps] for ps in (order, ties))
    return sortable.groupBy(*(f"{_APART}{n}" for n in range(len(apart)))).applyInArrow(
        ranker(call.function, keys, after, len(fired.columns), call.column), schema
    )


def _all_ties(query: WindowQuery, rows: DataFrame, fired: DataFrame) -> list[_Place]:
    """What decides between rows of one place: their arrival, within the keys it is told for, or their columns."""
    if ARRIVAL in fired.columns:
        decisive = [*(key.column for key in query.keys), ARRIVAL]
        ties = [place for n, column in enumerate(decisive) for place in _ties(rows, column, n)]
        is_last = query.ranking is not None and query.ranking.ties is Ties.LAST_ARRIVED
        return [*ties[:-1], replace(ties[-1], is_descending=is_last)]
    if ROW in fired.columns:
        row = rows.select(f"{ROW}.*")
        fields = enumerate(row.columns)
        return [place for n, field in fields for place in _ties(row, field, n, F.col(ROW).getField(field))]
    known = [c for c in fired.columns if not c.startswith(RANK)]
    return [place for n, column in enumerate(known) for place in _ties(rows, column, n)]


@dataclass(frozen=True, slots=True)
class _Place:
    """A column that Arrow sorts by, as it sorts: NULL and NaN have columns of their own before it."""

    name: str
    column: Column
    is_descending: bool


def _places(query: WindowQuery, rows: DataFrame, call: RankCall, number: int) -> list[_Place]:
    key, name = call.order[number], f"{_SORT}{number}"
    data_type = rows.schema[name].dataType
    if isinstance(data_type, _UNSORTED) or " collate " in data_type.simpleString():
        error = WindowPlanError(
            f"{key.written} is of type {data_type.simpleString().upper()} and cannot be ranked by on a stream",
            rule="on a stream rows are ranked by numbers, strings of bytes, times and booleans",
            hint="order by a field of it, or by a cast",
        )
        raise error.located(query.text, call.span)
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


def _ties(rows: DataFrame, column: str, number: int, read: Column | None = None) -> list[_Place]:
    """What a column says of rows of one place in the order; `read` is where it is, if not a column by its name."""
    data_type, name = rows.schema[column].dataType, f"{_TIE}{number}"
    value = F.col(f"`{column}`") if read is None else read
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
