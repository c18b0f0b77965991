"""An aggregate of windows among the items of a SELECT over windows, looked up for each of its rows.

    SELECT a.k, a.c, (SELECT max(b.c) FROM b WHERE b.window_end = a.window_end) AS most FROM a

The subquery groups its rows by what it compares with the SELECT around it, as in a comparison, and these groups are
joined to all rows of that SELECT: where there is no such group the aggregate is NULL, and a count 0.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from winsql.model.joins import JoinType
from winsql.model.query import WindowQuery
from winsql.syntax.expressions.items import read_select_list
from winsql.syntax.expressions.references import Reference, find_references
from winsql.syntax.rules.block import QueryBlock
from winsql.syntax.rules.comparison import Comparison, aggregate_of, is_null_of_no_rows, outermost_of
from winsql.syntax.rules.join import check_row_by_row
from winsql.syntax.rules.resolved_join import ResolvedJoin
from winsql.syntax.rules.semi_join import inner_blocks
from winsql.syntax.text.parts import Part
from winsql.syntax.text.source import Edit, Extent, Source

__all__ = ["LookedUp", "find_looked_up"]


@dataclass(frozen=True, slots=True)
class LookedUp(Comparison):
    """A SELECT with such an item; `part` is the subquery too."""

    what: ClassVar = "this aggregate of windows among the items"

    @property
    def reads(self) -> Extent:
        """As for `SemiJoin`."""
        return self.block.body

    def bind(self, source: Source, columns: frozenset[str] | None) -> WindowQuery:
        """As in `Found`."""
        check_row_by_row(source, self.block.select)
        self._require_name(source)
        condition, value = self.with_groups(source)
        aggregate = aggregate_of(source, self.inner)
        if aggregate is not None and not is_null_of_no_rows(source, aggregate):
            value = f"coalesce({value}, 0L)"
        join = ResolvedJoin(condition.sides, condition, JoinType.LEFT)
        left = join.sides.pair[0].name

        def star(reference: Reference | None) -> str:
            return f"{left}.{'*' if reference is None else source.verbatim(reference.extent)}"

        looked_up = source.edited(Edit(*source.span(self.subquery), value))
        return join.query(source, self.block.select, *join.projection(looked_up, self.block, star))

    def resolve(self, source: Source) -> ResolvedJoin:
        """As for `SemiJoin`."""
        condition, _ = self.with_groups(source)
        return ResolvedJoin(condition.sides, condition, JoinType.LEFT)

    def _require_name(self, source: Source) -> None:
        items = read_select_list(source, self.block.select).items
        if any(item.alias is None and self.subquery.first in item.expression.indexes for item in items):
            raise source.spec_error(
                "an aggregate of windows without a name cannot run on streams",
                self.part,
                rule="Spark names such an item after its subquery, and on a stream a join takes the place of that",
                hint="write AS and a name after it",
            )


def find_looked_up(source: Source, block: QueryBlock) -> list[LookedUp]:
    """The only subquery over windows among the items of a SELECT, if it is such an aggregate."""
    if not block.windowed or Part.SELECT not in block.select.sections:
        return []
    asked = inner_blocks(source, block)
    brackets = outermost_of(source, asked, block.select.sections[Part.SELECT].body)
    if len(brackets) != 1 or source.at(brackets[0] - 1).is_word("EXISTS", "IN", "ANY", "SOME", "ALL"):
        return []
    (bracket,) = brackets
    aggregate = aggregate_of(source, asked[bracket])
    if aggregate is None or not (is_null_of_no_rows(source, aggregate) or _is_count(source, aggregate)):
        return []
    subquery = Extent(bracket, source.closing(bracket) + 1)
    return [LookedUp(block, asked[bracket], subquery, None, is_anti=False, subquery=subquery)]


def _is_count(source: Source, aggregate: Extent) -> bool:
    """Whether an expression with aggregates is one that is 0 where there are no rows."""
    whole = source.unwrapped(aggregate)
    calls = [found.call for found in find_references(source, whole) if found.extent == whole]
    return any(call is not None and call.name in _COUNTS for call in calls)


_COUNTS = ("COUNT", "COUNT_IF")
