"""The sites of Flink SQL's window functions: the calls, and on streams the SELECTs around them."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TypeVar

from winsql.errors import WindowSyntaxError
from winsql.model.query import WindowQuery
from winsql.syntax.calls import IsAggregate
from winsql.syntax.functions.calls import FunctionCall, bind_function, find_functions
from winsql.syntax.functions.ranking import RankedSelect, bind_ranking, ranking_over
from winsql.syntax.functions.readings import readings
from winsql.syntax.parts import Part, Select
from winsql.syntax.rules.grouping_sets import grouping_id_edits
from winsql.syntax.scanner import select_around
from winsql.syntax.source import Extent, Source

__all__ = ["find_function_sites"]

S = TypeVar("S")


def find_function_sites(make: Callable[..., S], source: Source) -> list[S]:
    """The calls of window functions; `make` is the class `Site`."""
    calls = find_functions(source)
    relations = [reading for call in calls for reading in readings(source, call)]
    sites = []
    grouped: set[Extent] = set()
    for call in calls:
        own = [reading for reading in relations if reading.call == call.call]
        around = (_around(make, source, reading, relations) for reading in own)
        on_stream = tuple(site for site in around if site is not None)
        selects = {found.extent: found for r in own if (found := _select_of(source, r)) is not None}
        edits = [
            edit for extent, s in selects.items() if extent not in grouped for edit in grouping_id_edits(source, s)
        ]
        grouped |= selects.keys()
        bind = partial(_bind_function, call)
        sites.append(make(call.extent, call.extent, bind, on_stream=on_stream, edits=tuple(edits), is_function=True))
    return sites


def _select_of(source: Source, call: FunctionCall) -> Select | None:
    """The SELECT in whose FROM a call stands as a relation."""
    try:
        return select_around(source, call.extent.first)
    except WindowSyntaxError:
        return None


def _bind_function(call: FunctionCall, source: Source, is_aggregate: IsAggregate | None) -> WindowQuery:
    return bind_function(source, call)


def _around(make: Callable[..., S], source: Source, call: FunctionCall, relations: list[FunctionCall]) -> S | None:
    """The SELECT that ranks what a relation gives or what groups it, that joins it, or that groups it."""
    ranked = ranking_over(source, call)
    if ranked is not None:
        reads = ranked.select.sections[Part.FROM].body
        return make(ranked.select.extent, reads, partial(_bind_ranking, ranked, call), ranked.select)
    return None


def _bind_ranking(
    ranked: RankedSelect, call: FunctionCall, source: Source, is_aggregate: IsAggregate | None
) -> WindowQuery:
    return bind_ranking(source, ranked, call, is_aggregate)
