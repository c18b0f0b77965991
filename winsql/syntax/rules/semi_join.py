"""EXISTS or IN over windows, in the WHERE of a SELECT over windows that end when those do.

    SELECT items FROM a WHERE [NOT] EXISTS (SELECT ... FROM b WHERE b.k = a.k AND b.window_end = a.window_end)
    SELECT items FROM a WHERE a.k [NOT] IN (SELECT b.k FROM b WHERE b.window_end = a.window_end)

`NOT IN` is an anti join too, in which a NULL on either side is a match: it may be any value.

Where the SELECT groups or ranks the rows that are left, they take the place of its FROM body, and the rest is a query
over that.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from winsql.model.joins import JoinType
from winsql.model.query import INTERNAL_PREFIX, EndColumn, WindowQuery
from winsql.syntax.expressions.conditions import conjuncts, joints
from winsql.syntax.expressions.function_calls import IsAggregate
from winsql.syntax.expressions.items import read_select_list
from winsql.syntax.joins.clause import JoinClause
from winsql.syntax.joins.clause import Sides as ClauseSides
from winsql.syntax.joins.projection import project_join
from winsql.syntax.rules.join import Meeting, check_parts
from winsql.syntax.rules.moment import windows_of
from winsql.syntax.rules.sides import Condition, Side, Sides, join_query, refused
from winsql.syntax.selects.relations import read_relation
from winsql.syntax.selects.scanner import select_at
from winsql.syntax.text.brackets import TOP
from winsql.syntax.text.parts import Part, Select, holds_query
from winsql.syntax.text.source import Edit, Extent, Source
from winsql.syntax.text.vocabulary import SET_OPERATORS
from winsql.syntax.tree.records import Origin, Relation, Role, Scope

__all__ = [
    "SemiJoin",
    "beside_nothing",
    "bind_left",
    "bind_semi_join",
    "find_semi_joins",
    "find_unasked",
    "gathers_alone",
    "one_beside",
    "pair_of",
    "semi_meeting_of",
    "without_question",
]


@dataclass(frozen=True, slots=True)
class SemiJoin:
    """A SELECT over windows that asks whether others have rows.

    part      of its WHERE, the EXISTS or IN
    operand   what is before IN; None for EXISTS
    """

    scope: Scope
    select: Select
    inner: Scope
    part: Extent
    operand: Extent | None
    is_anti: bool

    @property
    def origins(self) -> frozenset[Origin]:
        """The fragments whose windows meet."""
        return self.scope.origins | self.inner.origins

    @property
    def reads(self) -> Extent:
        """All that says which rows are left."""
        return Extent(self.select.sections[Part.FROM].body.first, self.part.stop)


def find_semi_joins(source: Source, scope: Scope, select: Select) -> list[SemiJoin]:
    """The SELECT as a semi or anti join of windows, by each part of its WHERE that asks for one."""
    where = select.body(Part.WHERE)
    if where is None or not any(relation.is_windowed for relation in scope.relations):
        return []
    asked = {source.group[r.first]: r for r in scope.inner if _fills_bracket(source, r)}
    found = []
    for part in conjuncts(source, where) if asked else ():
        question = _question(source, part)
        if question is not None and question.bracket in asked:
            inner = asked[question.bracket]
            found.append(SemiJoin(scope, select, inner, part, question.operand, question.is_negated))
    return found


def _fills_bracket(source: Source, scope: Scope) -> bool:
    """Whether a SELECT over windows is all that is in its bracket, but for a WITH before it."""
    bracket = source.group[scope.first]
    is_windowed = any(relation.is_windowed for relation in (*scope.relations, scope.result))
    if bracket == TOP or not is_windowed or not holds_query(source, bracket):
        return False
    return not _is_one_of_several(source, bracket) and select_at(source, scope.first).extent.stop == source.closing(
        bracket
    )


def _is_one_of_several(source: Source, bracket: int) -> bool:
    """Whether there is a set operation in a bracket."""
    return any(source.group[index] == bracket for index in source.places(*SET_OPERATORS))


class _Question(NamedTuple):
    """`EXISTS (...)` or `operand IN (...)`: the bracket before its query, its operand, and whether NOT is before it."""

    bracket: int
    operand: Extent | None
    is_negated: bool


def _question(source: Source, part: Extent, *, is_negated: bool = False) -> _Question | None:
    """What a part of a condition asks, in however many brackets; None where it is something else."""
    part = source.unwrapped(part)
    if part.is_empty or joints(source, part, "OR") or joints(source, part, "AND"):
        return None
    if source.at(part.first).is_word("NOT") or source.at(part.first).is_symbol("!"):
        return _question(source, Extent(part.first + 1, part.stop), is_negated=not is_negated)
    closing = part.stop - 1
    bracket = source.partner[closing] if source.at(closing).is_symbol(")") else None
    if bracket is None:
        return None
    inside = Extent(bracket + 1, closing)
    while source.is_bracketed(inside):
        inside = Extent(inside.first + 1, inside.stop - 1)
    if source.at(bracket - 1).is_word("EXISTS"):
        return _Question(inside.first - 1, None, is_negated) if bracket - 1 == part.first else None
    has_not = source.at(bracket - 2).is_word("NOT")
    operand = Extent(part.first, bracket - 1 - has_not)
    if not source.at(bracket - 1).is_word("IN") or operand.is_empty:
        return None
    return _Question(inside.first - 1, operand, is_negated != has_not)


def find_unasked(source: Source, scope: Scope, semis: Sequence[SemiJoin]) -> list[tuple[Scope, Exception]]:
    """The subqueries over windows that are none of those that its WHERE asks, with the errors for them."""
    alone = "write [NOT] EXISTS or [NOT] IN (SELECT ...) in WHERE, with AND between it and other conditions"
    several = "put the set operation into a subquery: (SELECT k, window_end FROM (... UNION ALL ...) AS x)"

    def hint(found: Scope) -> str:
        return several if _is_one_of_several(source, source.group[found.first]) else alone

    return [
        (found, refused(source, Extent(found.first, found.first + 1), "this subquery over windows", hint(found)))
        for found in scope.inner
        if found.origins and not any(found.first in semi.part.indexes for semi in semis)
    ]


def gathers_alone(source: Source, found: SemiJoin, extent: Extent) -> bool:
    """Whether a SELECT is the one in EXISTS or IN, and gathers rows by DISTINCT alone, which changes no answer."""
    inner = select_at(source, found.inner.first)
    return inner.extent == extent and _is_plain(source, found, inner)


def one_beside(source: Source, found: SemiJoin) -> Exception:
    """The error for another such part beside the first, where what both ask are streams."""
    hint = "ask the first in a subquery that hands on window_end, and the second in a SELECT around it"
    return refused(source, found.part, "one EXISTS or IN over windows beside another", hint)


def bind_semi_join(
    source: Source, found: SemiJoin, is_aggregate: IsAggregate | None, columns: frozenset[str] | None
) -> WindowQuery:
    """The query of such a SELECT over streams; raises WindowSpecError where it cannot be one."""
    check_parts(source, found.select, is_aggregate)
    select, body = found.select, found.select.sections[Part.FROM].body
    meeting = semi_meeting_of(source, found)
    left, right = meeting.sides.pair
    rest = source.edited(Edit(*source.span(found.part), "TRUE")).with_windows(windows_of(found.scope, [0]))
    names = ClauseSides(source, (left.name, right.name), (left.qualifier, right.qualifier))
    clause = JoinClause(left.written, right.written, names, meeting.how, body, (), body)
    projected = project_join(rest, select, clause, is_aggregate)
    return join_query(source, select, meeting.condition, meeting.how, projected)


def beside_nothing(scope: Scope) -> Scope:
    """The SELECT over rows that have gone through a plan of their own, so that it reads no function itself."""
    return replace(scope, relations=(*scope.relations, Relation("", None, ())))


def bind_left(source: Source, found: SemiJoin) -> WindowQuery:
    """The query of the FROM body alone, in whose place the rows come that are left, under its name."""
    meeting = semi_meeting_of(source, found)
    query = join_query(source, found.select, meeting.condition, meeting.how, ("", "", None))
    return replace(query, span=source.span(found.select.sections[Part.FROM].body))


def without_question(source: Source, found: SemiJoin) -> Source:
    """The source where EXISTS or IN has been answered, and stars say whose columns they are."""
    left = semi_meeting_of(source, found).sides.pair[0]
    source = source.edited(Edit(*source.span(found.part), "TRUE"))
    for item in source.split(found.select.sections[Part.SELECT].body):
        if source.at(item.first, item.stop).is_symbol("*"):
            source = source.edited(Edit(*source.span(Extent(item.first, item.first + 1)), f"{left.name}.*"))
    return source


def semi_meeting_of(source: Source, found: SemiJoin) -> Meeting:
    """How the rows meet; raises WindowSpecError for EXISTS or IN that a stream cannot have."""
    body = found.select.sections[Part.FROM].body
    inner = select_at(source, found.inner.first)
    is_plain = _is_plain(source, found, inner)
    is_whole = found.operand is not None and all(part in _WHOLE or part.is_window_clause for part in inner.sections)
    if not (is_plain or is_whole) or len(found.scope.relations) != 1:
        hint = "group, rank or join before, in subqueries that hand on window_end"
        raise refused(source, found.part, "this EXISTS or IN over windows", hint)
    left = Side.of(source, body, found.scope.relations[0], 0)
    right = _asked_rows(source, found, inner) if is_plain else _whole(source, found)
    if left.qualifier == right.qualifier:
        raise refused(source, found.part, "EXISTS or IN over a relation of the same name", "give each an alias")
    if right.columns and right.relation.are_rows and not left.relation.are_rows:
        hint = "select them from a subquery with a name: IN (SELECT k, window_end FROM (SELECT ...) AS x)"
        raise refused(source, found.part, "this IN, which asks rows about results,", hint)
    sides = Sides(source, (left, right), nearest=1)
    where = inner.body(Part.WHERE) if is_plain else None
    condition = Condition.read(sides, [] if where is None else [where])
    if found.operand is not None:
        _compare(source, found, sides, condition, inner if is_plain else None)
    if condition.ends is None:
        raise refused(source, found.part, "this EXISTS or IN over windows", _end_hint(left, right))
    return Meeting(sides, (), condition, JoinType.ANTI if found.is_anti else JoinType.SEMI)


def _end_hint(left: Side, right: Side) -> str:
    if right.columns:
        return "compare window_end too: (k, window_end) IN (SELECT k, window_end ...)"
    ends = "aliases to both relations, as in FROM t AS x, and x.window_end = y.window_end"
    if left.is_named and right.is_named:
        ends = f"{left.name}.window_end = {right.name}.window_end"
    return f"add {ends} to the WHERE of the subquery"


def _is_plain(source: Source, found: SemiJoin, inner: Select) -> bool:
    """Whether the SELECT in EXISTS or IN hands on rows of one relation, so that they can be asked for themselves."""
    if source.at(inner.extent.first - 1).is_symbol("(") and len(found.inner.relations) == 1:
        has_star = found.operand is not None and bool(found.inner.node.is_star)
        is_known = not has_star or _is_star_alone(source, found, inner)
        return Part.FROM in inner.sections and _PLAIN.issuperset(inner.sections) and is_known
    return False


def _is_star_alone(source: Source, found: SemiJoin, inner: Select) -> bool:
    """Whether a SELECT selects `*` of a relation whose columns are known, in lower case."""
    is_known = not source.settings.case_sensitive and all(
        column.name is not None for column in found.inner.relations[0].output
    )
    return is_known and source.normal(inner.sections[Part.SELECT].body) == ("*",)


def pair_of(source: Source, found: SemiJoin) -> tuple[Relation, ...]:
    """What meets: the relation of its FROM, and what EXISTS or IN asks."""
    inner = select_at(source, found.inner.first)
    asked = found.inner.relations if _is_plain(source, found, inner) else (replace(found.inner.result, first=None),)
    return (*found.scope.relations, *asked)


def _asked_rows(source: Source, found: SemiJoin, inner: Select) -> Side:
    """The one relation of the SELECT in EXISTS or IN as a side."""
    return Side.of(source, inner.sections[Part.FROM].body, found.inner.relations[0], 1)


def _whole(source: Source, found: SemiJoin) -> Side:
    """The SELECT in IN as a side, its columns numbered: it groups, ranks or joins by itself."""
    bracket, result = source.group[found.inner.first], found.inner.result
    if any(column.name is None for column in result.output):
        raise refused(source, found.part, "this IN over windows", "name the columns that the subquery selects")
    written = read_relation(source, bracket, source.closing(bracket) + 1)
    names = tuple(f"{INTERNAL_PREFIX}column_{n}" for n in range(len(result.output)))
    output = tuple(replace(column, name=name) for column, name in zip(result.output, names, strict=True))
    return Side(written, replace(result, output=output), f"{INTERNAL_PREFIX}side_1", names)


def _asked(source: Source, sides: Sides, inner: Select | None) -> list[tuple[str, str, Role | None]]:
    """What the SELECT in IN selects: as SQL, its name where it is a column, and the window column that it is.

    inner   None where the SELECT is a side as a whole
    """
    if inner is None or source.normal(inner.sections[Part.SELECT].body) == ("*",):
        right = sides.pair[1]
        return [(right.column(c.name or ""), c.name or "", c.role) for c in right.relation.output]
    items = [item.expression for item in read_select_list(source, inner).items]
    return [(sides.text(item), sides.name(item), sides.role(item, 1)) for item in items]


def _compare(source: Source, found: SemiJoin, sides: Sides, condition: Condition, inner: Select | None) -> None:
    """What IN compares, as a part of the condition."""
    assert found.operand is not None
    outer, asked = _items(source, found.operand), _asked(source, sides, inner)
    if len(outer) != len(asked):
        raise refused(
            source, found.part, "IN over another number of columns", "compare as many as the subquery selects"
        )
    left = Sides(source, sides.pair, nearest=0)
    for one, (text, name, role) in zip(outer, asked, strict=True):
        texts = left.text(one), text
        ends = EndColumn(texts[0], left.name(one)), EndColumn(text, name)
        condition.add_ends(ends, (left.role(one, 0), role))
        pair = (f"({texts[0]})", f"({texts[1]})")
        if found.is_anti:
            condition.add_other(f"coalesce({pair[0]} = {pair[1]}, true)")
        else:
            condition.add_equality(*pair, found.part)


def _items(source: Source, operand: Extent) -> list[Extent]:
    """The parts of `a` or `(a, b)`."""
    return source.listed(source.unwrapped(operand))


_PLAIN = frozenset({Part.SELECT, Part.FROM, Part.WHERE})
_WHOLE = _PLAIN | {Part.GROUP_BY, Part.HAVING, Part.QUALIFY, Part.WINDOWS}
