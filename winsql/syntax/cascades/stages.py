"""Finds the SELECTs that group or join the results of windowed SELECTs, stage over stage.

They are sites only where the windowed SELECTs inside them read streams; on tables they are Spark's.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Generic, TypeVar

from winsql.model.query import WindowQuery
from winsql.syntax.calls import IsAggregate
from winsql.syntax.cascades.grouping import Regrouping, bind_regrouping, regrouping_over
from winsql.syntax.cascades.joins import ResultJoin, bind_result_join, join_of, joined_result
from winsql.syntax.cascades.results import Input, Result, first_result, handed_on, places_of, reader_of, renamed
from winsql.syntax.context import Context
from winsql.syntax.functions.readings import alias_of
from winsql.syntax.scanner import Part, Select
from winsql.syntax.source import Extent, Source

__all__ = ["find_stages"]

S = TypeVar("S")


def find_stages(make: Callable[..., S], source: Source, selects: Iterable[Select]) -> list[S]:
    """The stages over windowed SELECTs; `make` is the class `Site`, whose `needs` are the SELECTs that must run on
    streams for the stage to be one."""
    finder = _Finder(make, source)
    for select in selects:
        finder.add(first_result(source, select))
    return finder.stages


class _Finder(Generic[S]):
    def __init__(self, make: Callable[..., S], source: Source) -> None:
        self.make = make
        self.source = source
        self.context = Context(source)
        self.inputs: dict[int, Input] = {}
        self.stages: list[S] = []
        self.known: set[Extent] = set()

    def add(self, result: Result) -> None:
        """Follow a result to the SELECTs that read it, and theirs."""
        for place in places_of(self.source, self.context, result.extent):
            select = reader_of(self.source, place)
            if select is None:
                continue
            alias = alias_of(self.source, select, place)
            given = Input(place, alias or "", result)
            self.inputs[place.first] = given
            found = self._join(select) if alias is None else self._over(select, given)
            if found is not None:
                self.add(found)

    def _over(self, select: Select, given: Input) -> Result | None:
        grouping = regrouping_over(self.source, select, given)
        if grouping is None:
            return handed_on(self.source, select, given)
        self._stage(select, _grouping(grouping, None), {given.result.needs}, partial(_grouping, grouping))
        return renamed(self.source, select, (given,), select.extent)

    def _join(self, select: Select) -> Result | None:
        join = join_of(self.source, select, self.inputs)
        if join is None or select.extent in self.known:
            return None
        self._stage(select, partial(_bind_join, join), {side.result.needs for side in join.sides})
        return joined_result(self.source, join)

    def _stage(
        self,
        select: Select,
        bind: Callable[..., WindowQuery],
        needs: set[Extent],
        knowing: Callable[[frozenset[str]], Callable[..., WindowQuery]] | None = None,
    ) -> None:
        self.known.add(select.extent)
        reads = select.sections[Part.FROM].body
        self.stages.append(self.make(select.extent, reads, bind, needs=frozenset(needs), knowing=knowing))


def _grouping(found: Regrouping, columns: frozenset[str] | None) -> Callable[..., WindowQuery]:
    return lambda source, is_aggregate: bind_regrouping(source, found, is_aggregate, columns)


def _bind_join(found: ResultJoin, source: Source, is_aggregate: IsAggregate | None) -> WindowQuery:
    return bind_result_join(source, found, is_aggregate)
