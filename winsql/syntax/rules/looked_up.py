"""An aggregate of windows among the items, or in the WHERE, of a SELECT over windows, looked up for each of its rows.

    SELECT a.k, a.c, (SELECT max(b.c) FROM b WHERE b.window_end = a.window_end) AS most FROM a
    SELECT a.k FROM a WHERE a.v > 9 OR a.c BETWEEN 2 AND (SELECT count(*) FROM b WHERE b.window_end = a.window_end)

The subquery groups its rows by what it compares with the SELECT around it, as in a comparison, and these groups are
joined to all rows of that SELECT: where there is no such group the aggregate is NULL, and a count 0. Where the SELECT
has several, each but the last adds a column to the rows that the next one reads.

EXISTS or IN beside OR in the WHERE, and EXISTS anywhere in it or among the items: whether there are such rows is looked
up in the same way. With nothing but AND and OR around it what IN gives of NULL counts as FALSE.

    SELECT items FROM a WHERE a.v > 9 OR EXISTS (SELECT ... FROM b WHERE b.k = a.k AND b.window_end = a.window_end)
    SELECT items FROM a WHERE a.v > 9 OR a.k IN (SELECT b.k FROM b WHERE b.window_end = a.window_end)
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar, Self

from winsql.model.joins import JoinType
from winsql.model.query import INTERNAL_PREFIX, WindowQuery
from winsql.syntax.expressions.conditions import Equality, cut_at, joints
from winsql.syntax.expressions.items import Item, read_select_list
from winsql.syntax.expressions.references import Reference, find_references
from winsql.syntax.rules.block import QueryBlock
from winsql.syntax.rules.comparison import Comparison, aggregate_of, is_null_of_no_rows, outermost_of, value_at
from winsql.syntax.rules.join import ROW_BY_ROW, check_row_by_row
from winsql.syntax.rules.resolved_join import ResolvedJoin
from winsql.syntax.rules.semi_join import Asked, SemiJoin, predicate_of, takes_several
from winsql.syntax.rules.sides import Condition, Sides, refused
from winsql.syntax.text.parts import Part
from winsql.syntax.text.source import Extent, Source


@dataclass(frozen=True, slots=True)
class LookedUp(Comparison):
    """A SELECT with such an aggregate; `part` is the subquery too.

    hidden   the columns that those before it add to the rows
    """

    hidden: tuple[str, ...] = ()

    @property
    def is_in_where(self) -> bool:
        where = self.block.select.body(Part.WHERE)
        return where is not None and self.subquery.first in where.indexes

    @property
    def what(self) -> str:
        return "this aggregate of windows" + ("" if self.is_in_where else " among the items")

    unnamed: ClassVar = "an aggregate of windows"
    """What messages call an item without a name that it is in."""

    @property
    def reads(self) -> Extent:
        body = self.block.body
        return Extent(min(body.first, self.subquery.first), max(body.stop, self.subquery.stop))

    def after(self, first: SemiJoin) -> Self:
        return replace(Comparison.after(self, first), hidden=first.added if isinstance(first, LookedUp) else ())

    @property
    def added(self) -> tuple[str, ...]:
        """The columns that the rows have after it beside their own."""
        return (*self.hidden, f"{INTERNAL_PREFIX}value_{len(self.hidden)}")

    def bind(self, source: Source, columns: frozenset[str] | None) -> WindowQuery:
        check_row_by_row(source, self.block.select)
        join, value = self._join(source)
        left = join.sides.pair[0].name

        def star(reference: Reference | None) -> str:
            return f"{left}.{_but('*', self.hidden) if reference is None else source.verbatim(reference.extent)}"

        looked_up = source.replaced(self.subquery, value)
        return join.query(source, self.block.select, *join.projection(looked_up, self.block, star))

    def returned(self, source: Source) -> tuple[ResolvedJoin, tuple[str, ...]]:
        """As for `SemiJoin`, with the aggregate as one more."""
        join, value = self._join(source)
        return join, (f"{join.sides.pair[0].name}.*", f"{value} AS {self.added[-1]}")

    def bind_pairs(self, source: Source, columns: frozenset[str] | None) -> WindowQuery:
        """The query of the rows with the aggregate as one more column, which keep the name of their relation."""
        join, items = self.returned(source)
        head, tail = f"(SELECT {', '.join(items)}", f") AS {join.sides.pair[0].name}"
        query = join.query(source, self.block.select, head, tail)
        return replace(query, span=source.span(self.pairs))

    def prepared(self, source: Source) -> Source:
        """The source over the rows with that column, which no star means."""
        column = f"{self.left(source).name}.{self.added[-1]}"
        source = source.replaced(self.subquery, column)
        for item in read_select_list(source, self.block.select).items:
            star = next(
                (n for n in (item.expression.first, item.expression.first + 2) if _is_star(source, n, item)), None
            )
            last = Extent(item.expression.stop - 1, item.expression.stop)
            if star is not None:
                is_bare = last.first == star
                source = source.replaced(last, _but("*", self.added) if is_bare else f", {', '.join(self.added)})")
        return source

    def resolve(self, source: Source) -> ResolvedJoin:
        return self._join(source)[0]

    def _join(self, source: Source) -> tuple[ResolvedJoin, str]:
        """The join, and the value of the aggregate in its rows as SQL."""
        self._require_name(source)
        condition, value = self.with_groups(source)
        return ResolvedJoin(condition.sides, condition, JoinType.LEFT), value

    def value(self, source: Source, condition: Condition) -> str:
        """As for `Comparison`: of no rows a count is 0."""
        column = Comparison.value(self, source, condition)
        aggregate = aggregate_of(source, self.inner)
        is_count = aggregate is not None and not is_null_of_no_rows(source, aggregate)
        return f"coalesce({column}, 0L)" if is_count else column

    def _require_name(self, source: Source) -> None:
        items = read_select_list(source, self.block.select).items
        if any(item.alias is None and self.subquery.first in item.expression.indexes for item in items):
            problem = f"{self.unnamed} without a name cannot run on streams"
            rule = "Spark names such an item after its subquery, and on a stream a join takes the place of that"
            hint = "write AS and a name after it"
            raise source.spec_error(problem, self.part, rule=rule, hint=hint)


def _but(star: str, names: Sequence[str]) -> str:
    """A star without these columns."""
    return f"{star} EXCEPT ({', '.join(names)})" if names else star


def _is_star(source: Source, index: int, item: Item) -> bool:
    """Whether a token is the star of an item that is `*` or `a.*`, with or without EXCEPT."""
    return index in item.expression.indexes and source.at(index).is_symbol("*") and item.alias is None


def find_looked_up(source: Source, block: QueryBlock, asked: Asked, others: Sequence[Extent]) -> list[LookedUp]:
    """The aggregates of windows among the items of a SELECT and in its WHERE; `asked`, `others` as for `_asked_in`."""
    return [
        LookedUp(block, inner, subquery, subquery=subquery)
        for bracket, inner in _asked_in(source, block, asked, others)
        if _can_be_looked_up(source, bracket, inner)
        for subquery in [value_at(source, bracket)]
    ]


def _asked_in(
    source: Source, block: QueryBlock, asked: Asked, others: Sequence[Extent]
) -> list[tuple[int, QueryBlock]]:
    """The outermost SELECTs over windows among the items and in the WHERE of one over windows, and the brackets they
    fill; none of those in `others`, the parts of WHERE that are found otherwise. `asked` are its `inner_blocks`."""
    bodies = (block.select.body(part) for part in (Part.SELECT, Part.WHERE))
    brackets = [n for part in bodies if part is not None for n in outermost_of(source, asked, part)]
    return [(n, asked[n]) for n in brackets if not any(n in other.indexes for other in others)]


def _can_be_looked_up(source: Source, bracket: int, inner: QueryBlock) -> bool:
    """Whether a subquery is such an aggregate, and one value."""
    if source.at(bracket - 1).is_word("EXISTS", "ANY", "SOME", "ALL"):
        return False
    aggregate = aggregate_of(source, inner)
    return aggregate is not None and (is_null_of_no_rows(source, aggregate) or _is_count(source, aggregate))


def _is_count(source: Source, aggregate: Extent) -> bool:
    """Whether an expression with aggregates is one that is 0 where there are no rows."""
    whole = source.unwrapped(aggregate)
    calls = [found.call for found in find_references(source, whole) if found.extent == whole]
    return any(call is not None and call.name in ("COUNT", "COUNT_IF") for call in calls)


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
    and `others` as for `_asked_in`."""
    found = [*_beside_or(source, block, asked, others)]
    others = [*others, *(existence.part for existence in found)]
    for bracket, inner in _asked_in(source, block, asked, others):
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
