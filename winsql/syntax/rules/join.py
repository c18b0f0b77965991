"""JOIN of two relations with windows, on their ends.

    SELECT items FROM a [type] JOIN b ON a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end
    SELECT items FROM a JOIN b USING (window_start, window_end, k)
    SELECT items FROM a, b WHERE a.k = b.k AND a.window_end = b.window_end

An inner join takes what its WHERE has equal as well as its ON. Where the SELECT groups or ranks the joined rows, or has
them once each, the join takes the place of its FROM body, and the rest is a query over that.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from functools import partial

from sqlglot import exp

from winsql.model.joins import JoinType
from winsql.model.query import EndColumn, Unnamed, WindowQuery
from winsql.syntax.expressions.function_calls import IsAggregate
from winsql.syntax.expressions.items import quoted, read_select_list
from winsql.syntax.expressions.references import Reference, ReferenceKind, find_references, has_window_function
from winsql.syntax.joins.clause import JoinClause, columns_of
from winsql.syntax.joins.clause import Sides as ClauseSides
from winsql.syntax.joins.projection import project_join
from winsql.syntax.rules.beside_join import (
    after_pair,
    expressions_beside,
    only_pair,
    pairs_as_structs,
    project_beside,
    relations_beside,
    with_names_of_sides,
)
from winsql.syntax.rules.moment import windows_of
from winsql.syntax.rules.sides import Condition, Side, Sides, join_query, joined_body, refused
from winsql.syntax.selects.relations import read_relation
from winsql.syntax.text.parts import Part, Select
from winsql.syntax.text.source import Edit, Extent, Source
from winsql.syntax.tree.lineage import joins_windows
from winsql.syntax.tree.nodes import is_natural, joins_of, using_of, written_using
from winsql.syntax.tree.records import Relation, Role, Scope, without_windows

__all__ = [
    "Join",
    "Meeting",
    "after_join",
    "bind_from",
    "bind_join",
    "check_parts",
    "does_more",
    "find_join",
    "meeting_of",
    "with_shared",
]


@dataclass(frozen=True, slots=True)
class Join:
    """A SELECT that joins relations with windows; `pair` is it with a FROM of these alone, where `beside` follow."""

    scope: Scope
    select: Select
    pair: Select
    beside: tuple[Relation, ...] = ()


def find_join(source: Source, scope: Scope, select: Select) -> Join | None:
    """The SELECT as a join of windows; None where it joins none, or does not name their windows."""
    if not joins_windows(scope.node, scope.relations, scope.meanings):
        return None
    beside = relations_beside(scope)
    return Join(scope, select, only_pair(source, scope, select) if beside else select, beside)


def bind_join(
    source: Source, found: Join, is_aggregate: IsAggregate | None, columns: frozenset[str] | None
) -> WindowQuery:
    """The query of such a SELECT over streams; raises WindowSpecError where it cannot be one."""
    check_parts(source, found.select, is_aggregate)
    meeting = meeting_of(source, found)
    if not found.beside:
        projected = _projected(source, found, meeting, is_aggregate)
        return join_query(source, found.select, meeting.condition, meeting.how, projected)
    structs = _structs(source, found, meeting)
    head, tail = project_beside(with_shared(source, found), found.select, found.pair, structs)
    return join_query(source, found.select, meeting.condition, meeting.how, (head, tail, None))


def does_more(source: Source, select: Select) -> bool:
    """Whether a SELECT groups or ranks what it reads, or has it once each."""
    return _first_more(source, select, None) is not None


def after_join(found: Join) -> Scope | None:
    """The SELECT over the joined rows: the windows of a side that is in every row are those of the first relation.

    None where there is no such side.
    """
    joins = joins_of(found.scope.node)
    how = _type(joins[0]) if joins else None
    relations = found.scope.relations[:2]
    if len(found.scope.relations) - len(found.beside) != 2 or how is None:
        return None
    kept = [n for n, types in enumerate((_HAVE_LEFT, _HAVE_RIGHT)) if how in types]
    if not kept:
        return None
    outer = [relation if n == kept[0] else without_windows(relation) for n, relation in enumerate(relations)]
    meanings = {
        token: replace(meaning, relation=kept[0])
        for token, meaning in found.scope.meanings.items()
        if meaning.level or meaning.relation in kept
    }
    return replace(found.scope, relations=(*outer, *found.beside), meanings=meanings)


def bind_from(source: Source, found: Join) -> WindowQuery:
    """The query of both sides alone, in whose place the joined rows come, each side under its name."""
    meeting = meeting_of(source, found)
    head = tail = ""
    if found.beside:
        head, tail = f"(SELECT {_structs(source, found, meeting)}", ")"
    query = join_query(source, found.select, meeting.condition, meeting.how, (head, tail, None))
    return replace(query, span=source.span(found.pair.sections[Part.FROM].body))


def _structs(source: Source, found: Join, meeting: Meeting) -> str:
    """The select list of the pairs of a join that further relations follow."""
    (left, right), how = meeting.sides.pair, meeting.how
    shared = {name: _value(left, right, name, how) for name in meeting.shared}
    kept = (left, right) if how.has_right else (left,)
    return pairs_as_structs(source, found.scope, found.select, meeting.sides, kept, shared)


def with_shared(source: Source, found: Join) -> Source:
    """The source where the columns that USING has equal, and stars, say whose they are."""
    meeting = meeting_of(source, found)
    left, right = meeting.sides.pair
    if found.beside:
        source = with_names_of_sides(source, found.scope, found.select, found.pair, meeting.sides)
    for reference in find_references(source, found.select.sections[Part.SELECT].body):
        if reference.kind is ReferenceKind.STAR and source.at(reference.extent.first).is_symbol("*"):
            source = source.edited(Edit(*source.span(reference.extent), _all_columns(source, meeting, reference)))
    bodies = [section.body for part, section in found.select.sections.items() if part is not Part.FROM]
    if found.beside:
        bodies += expressions_beside(source, after_pair(source, found.select, found.pair))
    own = set(meeting.shared) - set(using_of(*joins_of(found.scope.node)[1:]))
    for body in bodies if own else ():
        for reference in columns_of(source, body):
            name = _one_case(source, source.name(reference.extent.first))
            if len(reference.path) == 1 and name in own:
                span = source.span(reference.extent)
                source = source.edited(Edit(span.start, span.end, _value(left, right, name, meeting.how)))
    return source


def _all_columns(source: Source, meeting: Meeting, star: Reference) -> str:
    """What `*`, or `* EXCEPT (...)`, means over the joined rows."""
    left, right = meeting.sides.pair
    shared, without = list(meeting.shared), ([*meeting.shared], [*meeting.shared])
    for column in columns_of(source, Extent(star.extent.first + 3, star.extent.stop - 1)):
        name = source.name(column.extent.stop - 1)
        if len(column.path) == 1 and _one_case(source, name) in shared:
            shared.remove(_one_case(source, name))
            continue
        number = meeting.sides.of(column)
        if number is None:
            raise meeting.sides.unknown(column)
        without[number].append(name)
    found = [f"{_value(left, right, name, meeting.how)} AS {quoted(name)}" for name in shared]
    for side, names in zip((left, right), without, strict=True):
        found.append(f"{side.name}.*" + (f" EXCEPT ({', '.join(map(quoted, names))})" if names else ""))
    return ", ".join(found if meeting.how.has_right else found[:-1])


@dataclass(frozen=True, slots=True)
class Meeting:
    """Both sides, the columns they share, how rows meet, and which of them come out."""

    sides: Sides
    shared: tuple[str, ...]
    condition: Condition
    how: JoinType


def meeting_of(source: Source, found: Join) -> Meeting:
    """Raises WindowSpecError for a join that a stream cannot have."""
    select, body = found.pair, joined_body(source, found.pair)
    place = select.sections[Part.FROM].extent
    joins = joins_of(found.scope.node)
    if len(found.scope.relations) - len(found.beside) != 2 or not (found.beside or len(joins) == 1):
        hint = "join two of them in a subquery that hands on window_end, and join that with the third"
        if sum(relation.is_windowed for relation in found.scope.relations) == 2:
            hint = "join the two relations with windows first, and then the others"
        raise refused(source, place, "a join of windows with further relations", hint)
    left, right = (Side.of(source, body, r, n) for n, r in enumerate(found.scope.relations[:2]))
    how = _type(joins[0])
    if how is None:
        hint = "write [INNER | LEFT | RIGHT | FULL | SEMI | ANTI] JOIN ... ON"
        raise refused(source, place, "this type of join", hint)
    sides = Sides(source, (left, right), beside=found.beside)
    shared = _shared(source, joins[0], sides, place)
    condition = _condition(source, select, sides, shared, how)
    if condition.ends is None:
        raise refused(source, place, "this join of windows", _end_hint(sides))
    return Meeting(sides, shared, condition, how)


# the parts of the tree's node


def _type(join: exp.Join) -> JoinType | None:
    kind, side = str(join.args.get("kind") or "").upper(), str(join.args.get("side") or "").upper()
    if kind in ("SEMI", "ANTI"):
        return JoinType[kind] if side in ("", "LEFT") else None
    if kind in ("", "INNER", "OUTER", "CROSS"):
        return JoinType[side or "INNER"] if not join.args.get("method") or is_natural(join) else None
    return None


def _shared(source: Source, join: exp.Join, sides: Sides, place: Extent) -> tuple[str, ...]:
    """The columns that USING or NATURAL has equal."""
    if not is_natural(join):
        return tuple(_one_case(source, name) for name in written_using(join))
    if any(side.has_gap for side in sides.pair):
        hint = "name the columns: JOIN ... USING (window_start, window_end, ...)"
        raise refused(source, place, "a NATURAL join of relations with *", hint)
    names = (column.name for column in sides.pair[0].relation.output)
    return tuple(name for name in names if name is not None and sides.pair[1].has(name))


# the condition


def _condition(source: Source, select: Select, sides: Sides, shared: tuple[str, ...], how: JoinType) -> Condition:
    body = joined_body(source, select)
    right = read_relation(source, sides.pair[1].written.extent.first, body.stop)
    on = Extent(right.extent.stop + 1, body.stop) if source.at(right.extent.stop, body.stop).is_word("ON") else None
    where = select.body(Part.WHERE)
    condition = Condition.read(sides, [] if on is None else [on])
    if how is JoinType.INNER and where is not None:
        between = Condition.read(sides, [where], only_between=True)
        condition.texts += between.texts
        condition.keys += between.keys
        condition.ends = condition.ends or between.ends
        condition.keys_alone = condition.keys_alone and between.keys_alone
    for name in shared:
        columns = (sides.pair[0].column(name), sides.pair[1].column(name))
        condition.add_equality(*columns, Extent(right.extent.stop, body.stop))
        ends = EndColumn(columns[0], name), EndColumn(columns[1], name)
        condition.add_ends(ends, (_role(sides.pair[0], name), _role(sides.pair[1], name)))
    return condition


def _role(side: Side, name: str) -> Role | None:
    return next((column.role for column in side.relation.output if column.name == name.lower()), None)


def _one_case(source: Source, name: str) -> str:
    """A name in a form that is the same for names that are one to the session."""
    return name if source.settings.case_sensitive else name.lower()


def _end_hint(sides: Sides) -> str:
    ends = [
        next((side.column(c.name) for c in side.relation.output if c.role is Role.END and c.name), None)
        for side in sides.pair
    ]
    if None in ends:
        return "select window_end on both sides, as it is, and have ON compare them: L.window_end = R.window_end"
    if not all(side.is_named for side in sides.pair):
        return "give both sides aliases, as in FROM t AS x, and write ON x.window_end = y.window_end AND ..."
    return f"write ON {ends[0]} = {ends[1]} AND ..."


# what is made of the pairs


def check_parts(source: Source, select: Select, is_aggregate: IsAggregate | None) -> None:
    """Raises WindowSpecError for what groups or ranks the joined rows: it is a SELECT around this one."""
    place = _first_more(source, select, is_aggregate)
    if place is not None:
        hint = "put the join into a subquery that selects window_end, and group or rank its rows in a SELECT around it"
        raise refused(source, place, "this, over a join of windows,", hint)


def _first_more(source: Source, select: Select, is_aggregate: IsAggregate | None) -> Extent | None:
    """The first clause, item or word that groups or ranks."""
    other = next((p for p in select.sections if p not in (Part.SELECT, Part.FROM, Part.WHERE)), None)
    place = None if other is None else select.sections[other].extent
    listed = read_select_list(source, select)
    for item in listed.items:
        for reference in find_references(source, item.expression, is_aggregate):
            if reference.kind is ReferenceKind.AGGREGATE:
                place = place or reference.extent
        if has_window_function(source, item.expression):
            place = place or item.expression
    if listed.is_distinct:
        place = place or select.sections[Part.SELECT].head
    return place


def _projected(
    source: Source, found: Join, meeting: Meeting, is_aggregate: IsAggregate | None
) -> tuple[str, str, Unnamed | None]:
    """Head and tail, and the items in them that Spark names.

    Window columns of a side that is in every row are those of the new windows.
    """
    (left, right), how = meeting.sides.pair, meeting.how
    kept = [n for n, types in enumerate((_HAVE_LEFT, _HAVE_RIGHT)) if how in types]
    windows = windows_of(found.scope, kept)
    body = found.select.sections[Part.FROM].body
    names = ClauseSides(source, (left.name, right.name), (left.qualifier, right.qualifier))
    clause = JoinClause(left.written, right.written, names, how, body, (), body)
    columns = {source.fold(name): _value(left, right, name, how) for name in meeting.shared}
    star = partial(_all_columns, source, meeting)
    return project_join(source.with_windows(windows), found.select, clause, is_aggregate, columns, star)


_HAVE_LEFT = frozenset({JoinType.INNER, JoinType.LEFT, JoinType.SEMI, JoinType.ANTI})
_HAVE_RIGHT = frozenset({JoinType.INNER, JoinType.RIGHT})


def _value(left: Side, right: Side, name: str, how: JoinType) -> str:
    """A column that both sides share, in a row of the join."""
    if how is JoinType.FULL:
        return f"coalesce({left.column(name)}, {right.column(name)})"
    return (right if how is JoinType.RIGHT else left).column(name)
