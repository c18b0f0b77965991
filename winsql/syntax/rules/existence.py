"""EXISTS or IN over windows beside OR, in the WHERE of a SELECT over windows, and EXISTS anywhere in it or among its
items: whether there are such rows is looked up.

    SELECT items FROM a WHERE a.v > 9 OR EXISTS (SELECT ... FROM b WHERE b.k = a.k AND b.window_end = a.window_end)
    SELECT items FROM a WHERE a.v > 9 OR a.k IN (SELECT b.k FROM b WHERE b.window_end = a.window_end)

The subquery groups its rows by what is compared, as for an aggregate that is looked up. With nothing but AND and OR
around it what IN gives of NULL counts as FALSE.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import ClassVar

from winsql.syntax.expressions.conditions import Equality, cut_at, joints
from winsql.syntax.expressions.items import read_select_list
from winsql.syntax.rules.block import QueryBlock
from winsql.syntax.rules.join import ROW_BY_ROW
from winsql.syntax.rules.looked_up import LookedUp, asked_in
from winsql.syntax.rules.semi_join import Asked, predicate_of, takes_several
from winsql.syntax.rules.sides import Condition, Sides, refused
from winsql.syntax.text.parts import Part
from winsql.syntax.text.source import Extent, Source

__all__ = ["Existence", "find_existence"]


@dataclass(frozen=True, slots=True)
class Existence(LookedUp):
    """A SELECT with such a predicate, which is `part` and `subquery`."""

    has_value: ClassVar = False
    unnamed: ClassVar = "EXISTS over windows"

    @property
    def what(self) -> str:
        return "this EXISTS or IN over windows"

    def value(self, source: Source, condition: Condition) -> str:
        """As for `Comparison`: the end of a group is NULL where there is none."""
        assert condition.ends is not None
        return f"({condition.ends[1].sql} IS {'NULL' if self.is_anti else 'NOT NULL'})"

    def _correlations(self, rows: Sides) -> list[Equality]:
        found = LookedUp._correlations(self, rows)
        if self.operand is None:
            return found
        source = rows.source
        parts = source.listed(source.unwrapped(self.operand))
        items = [item.expression for item in read_select_list(source, self.inner.select).items]
        if len(parts) != len(items):
            raise refused(source, self.part, "IN over another number of columns", "compare as many as it selects")
        pairs = zip(parts, items, strict=True)
        return [*found, *(Equality(part, item, self.part, is_null_safe=False) for part, item in pairs)]


def find_existence(source: Source, block: QueryBlock, asked: Asked, others: Sequence[Extent]) -> list[Existence]:
    """The predicates beside OR in the WHERE of a SELECT, and each other EXISTS in it or among the items; `asked`
    and `others` as for `asked_in`."""
    found = [*_beside_or(source, block, asked, others)]
    others = [*others, *(existence.part for existence in found)]
    for bracket, inner in asked_in(source, block, asked, others):
        first = bracket - 1
        while source.at(first).is_symbol("("):
            first -= 1
        part = Extent(first, source.closing(first + 1) + 1)
        if source.at(first).is_word("EXISTS") and _is_plain(source, inner):
            found.append(Existence(block, inner, part, subquery=part))
    return found


def _beside_or(source: Source, block: QueryBlock, asked: Asked, others: Sequence[Extent]) -> Iterator[Existence]:
    where = block.select.body(Part.WHERE)
    for part in _parts(source, where) if where is not None else ():
        predicate = None if any(part.first in other.indexes for other in others) else predicate_of(source, part)
        inner = None if predicate is None else asked.get(predicate.bracket)
        if predicate is None or inner is None or not _is_plain(source, inner):
            continue
        if predicate.operand is None or not (predicate.is_negated or inner.scope.node.is_star):
            yield Existence(block, inner, part, predicate.operand, predicate.is_negated, subquery=part)


def _parts(source: Source, extent: Extent) -> Iterator[Extent]:
    """The parts that AND and OR join, brackets around them removed."""
    extent = source.unwrapped(extent)
    places = joints(source, extent, "OR") or joints(source, extent, "AND")
    for part in cut_at(extent, places) if places else ():
        yield from _parts(source, part)
    if not places:
        yield extent


def _is_plain(source: Source, inner: QueryBlock) -> bool:
    """Whether a SELECT only filters and projects."""
    sections = inner.select.sections
    return Part.FROM in sections and ROW_BY_ROW.issuperset(sections) and not takes_several(source, inner.select)
