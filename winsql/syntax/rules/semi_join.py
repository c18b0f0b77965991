"""EXISTS or IN over windows, in the WHERE of a SELECT over windows: a semi or anti join on their ends.

    SELECT items FROM a WHERE [NOT] EXISTS (SELECT ... FROM b WHERE b.k = a.k AND b.window_end = a.window_end)
    SELECT items FROM a WHERE a.k [NOT] IN (SELECT b.k FROM b WHERE b.window_end = a.window_end)

In `NOT IN` a NULL on either side is a match.

Where the SELECT groups or ranks the rows that are left, these get a query of their own in the place of its FROM body.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations
from math import comb
from typing import NamedTuple, Self

from winsql.model.joins import JoinType
from winsql.model.query import INTERNAL_PREFIX, EndColumn, WindowQuery
from winsql.syntax.expressions.conditions import conjuncts, joints
from winsql.syntax.expressions.items import generates_rows, read_select_list
from winsql.syntax.expressions.references import aggregates_in, has_window_function
from winsql.syntax.rules.block import QueryBlock, select_of
from winsql.syntax.rules.join import ROW_BY_ROW, check_row_by_row
from winsql.syntax.rules.resolved_join import ResolvedJoin
from winsql.syntax.rules.sides import Condition, Side, Sides, joined_body, name_of_side, refused, with_stars
from winsql.syntax.selects.relations import read_relation
from winsql.syntax.text.brackets import TOP
from winsql.syntax.text.parts import SORTS, Part, Select, holds_query
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.tree.nodes import is_branch
from winsql.syntax.tree.outputs import is_star_alone
from winsql.syntax.tree.records import GAP, Fields, Origin, Relation, Scope

Asked = Mapping[int, QueryBlock]
"""SELECTs over windows in expressions of one that fill their brackets, by the first of these."""
MOST_ASKED = 4
"""How many subqueries of one SELECT can be over windows of streams."""


@dataclass(frozen=True, slots=True)
class SemiJoin:
    """A SELECT with such a predicate.

    inner     the SELECT in the predicate
    part      the predicate
    operand   the left side of IN; None for EXISTS
    is_second whether it asks what another predicate of the SELECT leaves, in the place of the FROM body
    """

    block: QueryBlock
    inner: QueryBlock
    part: Extent
    operand: Extent | None = None
    is_anti: bool = False
    replaces: frozenset[Extent] = frozenset()
    is_second: bool = False

    @property
    def origins(self) -> frozenset[Origin]:
        """The fragments that make the windows of both sides."""
        return self.block.scope.origins | self.inner.scope.origins

    @property
    def pairs(self) -> Extent:
        """What the rows that are left replace, if they have a query of their own."""
        return self.block.body

    @property
    def reads(self) -> Extent:
        """The tokens that say which rows these are."""
        return Extent(self.block.body.first, self.part.stop)

    def sides(self, source: Source) -> tuple[tuple[Relation, ...], tuple[Select, Select]]:
        """The relations of both sides, and the SELECTs in whose FROM they are."""
        inner = self.inner.scope
        right = inner.relations if self._hands_on_rows(source) else (replace(inner.result, first=None),)
        return (*self.block.relations, *right), (self.block.select, self.inner.select)

    def body_of(self, source: Source, number: int) -> Extent:
        """The tokens that a side begins in."""
        return joined_body(source, self.sides(source)[1][number])

    def bind(self, source: Source, columns: frozenset[str] | None) -> WindowQuery:
        check_row_by_row(source, self.block.select)
        join = self.resolve(source)
        return join.query(source, self.block.select, *join.projection(self._without_predicate(source), self.block))

    @property
    def is_in_where(self) -> bool:
        return True

    def over_pairs(self) -> QueryBlock:
        """The SELECT over the rows that are left."""
        return self.block.over_plan()

    def returned(self, source: Source) -> tuple[ResolvedJoin, tuple[str, ...]]:
        """The join, and the items of the rows that are left as SQL."""
        join = self.resolve(source)
        return join, (f"{join.returned[0].name}.*",)

    def bind_pairs(self, source: Source, columns: frozenset[str] | None) -> WindowQuery:
        """The query of the rows that are left, which keep the name of their relation."""
        return replace(self.resolve(source).query(source, self.block.select), span=source.span(self.pairs))

    def prepared(self, source: Source) -> Source:
        """The source over the rows that are left, where stars have the name of their relation."""
        return with_stars(
            self._without_predicate(source), self.block.select, f"{self.resolve(source).returned[0].name}.*"
        )

    def after(self, first: SemiJoin) -> Self:
        """The same over the rows that another predicate leaves."""
        block = first.over_pairs()
        relations = tuple(replace(r, is_row_stream=False, is_window_result=True) for r in block.relations)
        block = replace(block, scope=replace(block.scope, relations=relations))
        return replace(self, block=block, is_second=True)

    def left(self, source: Source) -> Side:
        """The relation of the SELECT."""
        side = Side.alone(source, self.block.select, self.block.relations[0], 0)
        plan = f"(SELECT {side.name}.* FROM {source.verbatim(self.block.body)})" if self.is_second else None
        return replace(side, plan=plan)

    def resolve(self, source: Source) -> ResolvedJoin:
        """The join; raises WindowSpecError for EXISTS or IN that a stream cannot have."""
        hands_on_rows, inner = self._hands_on_rows(source), self.inner.select
        is_whole = self.operand is not None and all(part in _WHOLE or part.is_window_clause for part in inner.sections)
        if not (hands_on_rows or is_whole) or len(self.block.relations) != 1:
            hint = "group, rank or join before, in subqueries that hand on window_end"
            raise refused(source, self.part, "this EXISTS or IN over windows", hint)
        left = self.left(source)
        right = self._inner_side(source) if hands_on_rows else self._whole(source)
        if left.qualifier == right.qualifier:
            raise refused(source, self.part, "EXISTS or IN over a relation of the same name", "give each an alias")
        if right.columns and right.relation.is_row_stream and not left.relation.is_row_stream:
            hint = "select them from a subquery with a name: IN (SELECT k, window_end FROM (SELECT ...) AS x)"
            raise refused(source, self.part, "this IN, which asks rows about results,", hint)
        condition = Condition(Sides(source, (left, right), nearest=1))
        if hands_on_rows:
            condition.add(inner.body(Part.WHERE))
        if self.operand is not None:
            self._compare(source, condition, self.operand)
        if condition.ends is None:
            raise refused(source, self.part, "this EXISTS or IN over windows", end_hint(left, right))
        return ResolvedJoin(condition.sides, condition, JoinType.ANTI if self.is_anti else JoinType.SEMI)

    def ignores(self, source: Source, extent: Extent) -> bool:
        """Whether a SELECT is the inner one and is not a query of its own: a DISTINCT in it changes nothing."""
        return self.inner.select.extent == extent and self._hands_on_rows(source)

    def _without_predicate(self, source: Source) -> Source:
        return source.replaced(self.part, "TRUE")

    def _hands_on_rows(self, source: Source) -> bool:
        """Whether the inner SELECT only filters and projects one relation, which is then the right side."""
        scope, select = self.inner.scope, self.inner.select
        others = (
            select.sections.keys() - ROW_BY_ROW - (_without_effect(source, select) if self.operand is None else set())
        )
        if len(scope.relations) != 1 or others:
            return False
        if Part.FROM not in select.sections or takes_several(source, select):
            return False
        is_known = not source.settings.case_sensitive and GAP not in scope.relations[0].output
        return self.operand is None or not scope.node.is_star or (is_star_alone(scope.node) and is_known)

    def _inner_side(self, source: Source) -> Side:
        """The relation of the inner SELECT as the right side, with what its WITH defines."""
        side = Side.alone(source, self.inner.select, self.inner.relations[0], 1)
        first = self.inner.select.extent.first
        defined = source.verbatim(Extent(source.group[first] + 1, first))
        plan = f"({defined} SELECT * FROM {source.verbatim(side.written.extent)})" if defined else None
        return replace(side, plan=plan)

    def _whole(self, source: Source) -> Side:
        """The inner SELECT as the right side, its columns numbered: it groups, ranks or joins."""
        if GAP in self.inner.scope.output:
            raise refused(source, self.part, "this IN over windows", "name the columns that the subquery selects")
        return numbered_side(source, source.group[self.inner.scope.first], self.inner.scope.result)

    def _compare(self, source: Source, condition: Condition, operand: Extent) -> None:
        """Add the comparison of IN to the condition."""
        left, asked = Sides(source, condition.sides.pair, nearest=0), self._asked(source, condition.sides)
        parts = source.listed(source.unwrapped(operand))
        if len(parts) != len(asked):
            hint = "compare as many as the subquery selects"
            raise refused(source, self.part, "IN over another number of columns", hint)
        for part, (column, fields) in zip(parts, asked, strict=True):
            own = EndColumn(left.text(part), left.name(part))
            condition.add_ends((own, column), (left.fields(part, 0), fields))
            if self.is_anti:
                condition.add_other(f"coalesce(({own.sql}) = ({column.sql}), true)")
            else:
                condition.add_equality(f"({own.sql})", f"({column.sql})", self.part)

    def _asked(self, source: Source, sides: Sides) -> list[tuple[EndColumn, Fields]]:
        """The columns that IN compares with its operand, and which window columns they are or have."""
        right = sides.pair[1]
        if right.columns or is_star_alone(self.inner.scope.node):
            output = right.relation.output if right.columns else self.inner.scope.output
            return [(EndColumn(right.column(c.name or ""), c.name or ""), c.inside(())) for c in output]
        items = [item.expression for item in read_select_list(source, self.inner.select).items]
        return [(EndColumn(sides.text(item), sides.name(item)), sides.fields(item, 1)) for item in items]


def _without_effect(source: Source, select: Select) -> frozenset[Part]:
    """The clauses of a SELECT that make no difference to whether it has rows: orders, and LIMIT 1 or more."""
    limit = select.body(Part.LIMIT)
    keeps = limit is None or (limit.is_single and source.at(limit.first).upper.lstrip("0").isdigit())
    return frozenset({*SORTS, Part.LIMIT} if keeps else ())


def takes_several(source: Source, select: Select) -> bool:
    """Whether items have aggregates, calls with OVER or generators, so that rows are not taken one by one."""
    return any(
        has_window_function(source, item.expression)
        or generates_rows(source, item.expression)
        or aggregates_in(source, item.expression)
        for item in read_select_list(source, select).items
    )


def _is_one_row(source: Source, select: Select) -> bool:
    """Whether a SELECT aggregates all its rows."""
    items = read_select_list(source, select).items if ROW_BY_ROW.issuperset(select.sections) else ()
    return any(aggregates_in(source, item.expression) for item in items)


def find_semi_joins(source: Source, block: QueryBlock, asked: Asked) -> list[SemiJoin]:
    """The semi and anti joins in the WHERE of a SELECT; `asked` are its `inner_blocks`."""
    where = block.select.body(Part.WHERE)
    found = []
    for part in conjuncts(source, where) if where is not None else ():
        predicate = predicate_of(source, part)
        if predicate is not None and predicate.bracket in asked:
            inner = asked[predicate.bracket]
            if predicate.operand is not None and _is_one_row(source, inner.select):
                continue  # a comparison with its value
            found.append(SemiJoin(block, inner, part, predicate.operand, predicate.is_negated))
    return found


def inner_blocks(source: Source, block: QueryBlock) -> Asked:
    """What expressions of a SELECT over windows ask other windows."""
    scopes = block.scope.inner if block.windowed else ()
    found = {source.group[scope.first]: _inner(source, block, scope) for scope in scopes}
    return {bracket: inner for bracket, inner in found.items() if inner is not None}


def numbered_side(source: Source, bracket: int, result: Relation) -> Side:
    """The query in a bracket as the right side, its columns numbered."""
    written = read_relation(source, bracket, source.closing(bracket) + 1)
    names = tuple(f"{INTERNAL_PREFIX}column_{n}" for n in range(len(result.output)))
    output = tuple(replace(column, name=name) for column, name in zip(result.output, names, strict=True))
    return Side(written, replace(result, output=output), name_of_side(1), names)


def _inner(source: Source, block: QueryBlock, scope: Scope) -> QueryBlock | None:
    """A SELECT over windows that fills its brackets, but for a WITH before it; None for any other."""
    bracket = source.group[scope.first]
    is_windowed = any(relation.is_windowed for relation in (*scope.relations, scope.result))
    if bracket == TOP or not is_windowed or is_branch(scope.node):
        return None
    inner = replace(block, scope=scope, select=select_of(source, scope))
    return inner if holds_query(source, bracket) and inner.select.extent.stop == source.closing(bracket) else None


class _Predicate(NamedTuple):
    """`EXISTS (...)` or `operand IN (...)`: the bracket before its query, its operand, and whether NOT is before it."""

    bracket: int
    operand: Extent | None
    is_negated: bool


def predicate_of(source: Source, part: Extent, *, is_negated: bool = False) -> _Predicate | None:
    """The predicate that a part of a condition is, brackets aside; None for any other part."""
    part = source.unwrapped(part)
    if part.is_empty or joints(source, part, "OR") or joints(source, part, "AND"):
        return None
    if source.at(part.first).is_word("NOT") or source.at(part.first).is_symbol("!"):
        return predicate_of(source, Extent(part.first + 1, part.stop), is_negated=not is_negated)
    closing = part.stop - 1
    bracket = source.partner[closing] if source.at(closing).is_symbol(")") else None
    if bracket is None:
        return None
    inside = Extent(bracket + 1, closing)
    while source.is_bracketed(inside):
        inside = Extent(inside.first + 1, inside.stop - 1)
    if source.at(bracket - 1).is_word("EXISTS"):
        return _Predicate(inside.first - 1, None, is_negated) if bracket - 1 == part.first else None
    has_not = source.at(bracket - 2).is_word("NOT")
    operand = Extent(part.first, bracket - 1 - has_not)
    if not source.at(bracket - 1).is_word("IN") or operand.is_empty:
        return None
    if source.at(operand.stop - 1).is_symbol("!"):  # Spark takes it for NOT under one setting only
        return None
    return _Predicate(inside.first - 1, operand, is_negated != has_not)


def _too_many(semis: Sequence[SemiJoin]) -> Iterator[Sequence[SemiJoin]]:
    """The subqueries that cannot all be over streams: any five, all of them where these would be too many to list."""
    if comb(len(semis), MOST_ASKED + 1) > _MOST_LISTED:
        yield semis
        return
    seen = set()
    for chosen in combinations(semis, MOST_ASKED + 1):
        origins = frozenset[Origin]().union(*(semi.origins for semi in chosen))
        if origins not in seen:
            seen.add(origins)
            yield chosen


_MOST_LISTED = 1000
"""How many choices of five are looked at."""


def refused_subqueries(
    source: Source, block: QueryBlock, semis: Sequence[SemiJoin]
) -> Iterator[tuple[Extent, frozenset[Origin], Exception]]:
    """The subqueries over windows that a stream cannot run: their places, the fragments in them, and the errors."""
    for chosen in _too_many(semis):
        hint = "ask some of them in a subquery that hands on window_end, and the others in a SELECT around it"
        error = refused(source, chosen[MOST_ASKED].part, "a fifth subquery over windows", hint)
        yield chosen[MOST_ASKED].part, frozenset[Origin]().union(*(semi.origins for semi in chosen)), error
    for scope in block.scope.inner:
        if scope.origins and not any(scope.first in semi.part.indexes for semi in semis):
            place = Extent(scope.first, scope.first + 1)
            error = refused(source, place, "this subquery over windows", _instead_of(block, scope))
            yield place, block.scope.origins | scope.origins, error


def _instead_of(block: QueryBlock, scope: Scope) -> str:
    """What to write in the place of a subquery that a stream cannot run."""
    if is_branch(scope.node):
        return "put the set operation into a subquery: (SELECT k, window_end FROM (... UNION ALL ...) AS x)"
    if scope.first in block.select.sections[Part.SELECT].body.indexes:
        return "join a SELECT that groups: LEFT JOIN (SELECT window_end, max(v) AS v FROM ... GROUP BY window_end) AS y"
    having = block.select.body(Part.HAVING)
    if having is not None and scope.first in having.indexes:
        return "put the SELECT into a subquery that selects window_end, and ask in the WHERE of a SELECT around it"
    conditions = "[NOT] EXISTS, [NOT] IN or a comparison with one aggregate"
    return f"write {conditions} in WHERE, with nothing but AND between it and other conditions"


def end_hint(left: Side, right: Side) -> str:
    if right.columns:
        return "compare window_end too: (k, window_end) IN (SELECT k, window_end ...)"
    ends = "aliases to both relations, as in FROM t AS x, and x.window_end = y.window_end"
    if left.is_named and right.is_named:
        ends = f"{left.name}.window_end = {right.name}.window_end"
    return f"add {ends} to the WHERE of the subquery"


_WHOLE = ROW_BY_ROW | {Part.GROUP_BY, Part.HAVING, Part.QUALIFY, Part.WINDOWS}
