"""The sites of Flink SQL's window functions: the calls, and on streams the SELECTs around them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from winsql.model.query import WindowQuery
from winsql.syntax.calls import IsAggregate
from winsql.syntax.functions.aggregation import aggregation_over, bind_aggregation
from winsql.syntax.functions.calls import FunctionCall, bind_function, find_functions
from winsql.syntax.functions.joins import JoinedFunctions, bind_joined, joined_functions
from winsql.syntax.functions.ranking import RankedSelect, bind_ranking, ranking_over
from winsql.syntax.scanner import Part, Select
from winsql.syntax.source import Source

__all__ = ["find_function_sites"]

S = TypeVar("S")


def find_function_sites(make: Callable[..., S], source: Source) -> list[S]:
    """The calls of window functions; `make` is the class `Site`."""
    return [
        make(call.extent, call.extent, partial(_bind_function, call), on_stream=_around(make, source, call))
        for call in find_functions(source)
    ]


def _bind_function(call: FunctionCall, source: Source, is_aggregate: IsAggregate | None) -> WindowQuery:
    return bind_function(source, call)


def _around(make: Callable[..., S], source: Source, call: FunctionCall) -> S | None:
    """The SELECT that ranks what a call gives or what groups it, the one that joins it, or the one that groups it."""
    ranked = ranking_over(source, call)
    if ranked is not None:
        reads = ranked.select.sections[Part.FROM].body
        return make(ranked.select.extent, reads, partial(_bind_ranking, ranked, call), ranked.select)
    joined = joined_functions(source, call)
    if joined is not None:
        reads = joined.select.sections[Part.FROM].body
        return make(joined.select.extent, reads, partial(_bind_joined, joined), joined.select)
    select = aggregation_over(source, call)
    if select is None:
        return None
    return make(select.extent, select.sections[Part.FROM].body, partial(_bind_aggregation, select, call), select)


def _bind_aggregation(
    select: Select, call: FunctionCall, source: Source, is_aggregate: IsAggregate | None
) -> WindowQuery:
    return bind_aggregation(source, select, call, is_aggregate)


def _bind_ranking(
    ranked: RankedSelect, call: FunctionCall, source: Source, is_aggregate: IsAggregate | None
) -> WindowQuery:
    return bind_ranking(source, ranked, call, is_aggregate)


def _bind_joined(joined: JoinedFunctions, source: Source, is_aggregate: IsAggregate | None) -> WindowQuery:
    return bind_joined(source, joined, is_aggregate)
