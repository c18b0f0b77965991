"""Which aggregate calls of a query winsql computes itself, and what Spark's analysis says of all of them."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TypedDict

from pyspark.sql.types import DataType, StructType

from winsql.model.aggregate_calls import AggregateCall
from winsql.model.base import FIRST_OPERAND
from winsql.model.functions import AggregateFunction
from winsql.model.query import WindowQuery
from winsql.model.registry import AGGREGATES
from winsql.planner.facts import AggregateFact
from winsql.runtime.aggregates import Aggregate, bind_aggregate, bind_registered
from winsql.spark.flags import is_on
from winsql.spark.registered import require_own_name, type_returned
from winsql.spark.relation import Projection, analysed, carried_type, column_fact
from winsql.spark.runner import Runner
from winsql.spark.versions.arrow_types import arrow_type
from winsql.spark.versions.percentiles import weighs_percentiles


@dataclass(frozen=True, slots=True)
class BoundCall:
    """A call, the type of its result, and winsql's accumulator for it (None: only Spark can compute it)."""

    call: AggregateCall
    data_type: DataType
    fact: AggregateFact
    aggregate: Aggregate | None


def slot_columns(projection: Projection) -> list[str]:
    """The columns that become a row's slots, from FIRST_OPERAND on."""
    return [*projection.operand_slots, *projection.slots.values()]


def bind_calls(
    query: WindowQuery, calls: tuple[AggregateCall, ...], projection: Projection, runner: Runner
) -> tuple[BoundCall, ...]:
    """Look every call up; one analysis of the source gives the result types of those that Spark knows."""
    columns = slot_columns(projection)
    slots = {sql: FIRST_OPERAND + columns.index(column) for sql, column in projection.slots.items()}
    types = result_types(query, calls, runner)
    how = way_of_computing(runner)
    legacy = frozenset(name for conf, names in _LEGACY.items() if is_on(runner.spark, conf) for name in names)
    bound = tuple(_bind(call, types[call.column].dataType, projection, slots, how) for call in calls)
    return tuple(_by_spark(one) if one.call.name in legacy else one for one in bound)


class Computing(TypedDict):
    """What `bind_aggregate` must know of the session."""

    ansi: bool
    weighs_percentiles: bool


def way_of_computing(runner: Runner) -> Computing:
    """How the session's Spark computes aggregates."""
    return Computing(
        ansi=is_on(runner.spark, "spark.sql.ansi.enabled"), weighs_percentiles=weighs_percentiles(runner.spark)
    )


_OF_ONE_VALUE = frozenset(
    {"CORR", "COVAR_SAMP", "KURTOSIS", "SKEWNESS", "STD", "STDDEV", "STDDEV_SAMP", "VARIANCE", "VAR_SAMP"}
)
_LEGACY = {
    "spark.sql.legacy.statisticalAggregate": _OF_ONE_VALUE,  # NaN, else NULL
    "spark.sql.legacy.percentileDiscCalculation": frozenset({"PERCENTILE_DISC"}),
}
"""Settings that give functions the results of older versions of Spark, which winsql's accumulators do not have."""


def _by_spark(bound: BoundCall) -> BoundCall:
    return replace(bound, aggregate=None, fact=replace(bound.fact, has_accumulator=False))


def result_types(query: WindowQuery, calls: tuple[AggregateCall, ...], runner: Runner) -> StructType:
    """A schema with the result column of each call; raises Spark's AnalysisException."""
    selected = []
    for call in calls:
        registered = AGGREGATES.find(call.name)
        if registered is not None:
            require_own_name(runner.spark, query, call)
        sql = call.sql if registered is None else f"any_value(CAST(NULL AS {type_returned(query, call, registered)}))"
        selected.append((sql, call.column))
    return analysed(query, selected, runner).schema if selected else StructType()


def _bind(
    call: AggregateCall, data_type: DataType, projection: Projection, slots: dict[str, int], how: Computing
) -> BoundCall:
    registered = AGGREGATES.find(call.name)
    result = column_fact(StructType().add(call.column, data_type)[0])
    aggregate = _accumulator(call, registered, data_type, projection, slots, how)
    fact = AggregateFact(result, aggregate is not None, registered is not None, _compares_collated(call, projection))
    return BoundCall(call, data_type, fact, aggregate)


def _accumulator(
    call: AggregateCall,
    registered: AggregateFunction | None,
    result: DataType,
    projection: Projection,
    slots: dict[str, int],
    how: Computing,
) -> Aggregate | None:
    fields = [projection.field(projection.slots[sql]) for sql in call.read if sql in projection.slots]
    typed = carried_type if registered is None else arrow_type
    *types, result_type = (typed(data_type) for data_type in (*(field.dataType for field in fields), result))
    if len(fields) != len(call.read) or result_type is None or None in types:
        return None
    places = tuple(slots[sql] for sql in call.read)
    condition = slots[call.filter] if call.filter else None
    if registered is not None and (call.distinct or not call.is_plain):
        return None
    if registered is not None:
        return bind_registered(registered, places, condition, result_type, call.name)
    if not call.is_keepable or _compares_collated(call, projection):
        return None
    return bind_aggregate(
        call.name,
        distinct=call.distinct,
        slots=places,
        filter_slot=condition,
        types=tuple(types),
        result_type=result_type,
        sorting=tuple(key.direction for key in call.sorting),
        **how,
    )


def _compares_collated(call: AggregateCall, projection: Projection) -> bool:
    """Whether the call compares strings by their collation, which winsql's accumulators do not: they know bytes."""
    if call.distinct or call.sorting or call.name not in _COMPARED:
        compared = call.read
    else:
        compared = call.read[_COMPARED[call.name]]
    return any(projection.fact(projection.slots[sql]).is_collated for sql in compared if sql in projection.slots)


_NOTHING, _SECOND = slice(0), slice(1, 2)
_COMPARED = {
    **dict.fromkeys(("ANY_VALUE", "ARRAY_AGG", "COLLECT_LIST", "COUNT", "FIRST", "FIRST_VALUE"), _NOTHING),
    **dict.fromkeys(("LAST", "LAST_VALUE", "LISTAGG", "STRING_AGG"), _NOTHING),
    **dict.fromkeys(("MAX_BY", "MIN_BY"), _SECOND),
}
"""The arguments that functions compare, without DISTINCT and WITHIN GROUP; others compare all."""
