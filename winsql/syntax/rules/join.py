"""JOIN of two relations with windows, on their ends.

    SELECT items FROM a [type] JOIN b ON a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end
    SELECT items FROM a JOIN b USING (window_start, window_end, k)
    SELECT items FROM a, b WHERE a.k = b.k AND a.window_end = b.window_end

An inner join takes what its WHERE has equal as well as its ON. What groups or ranks the joined rows is a SELECT around.
"""

from __future__ import annotations

from dataclasses import dataclass

from sqlglot import exp

from winsql.model.joins import JoinType
from winsql.model.query import Unnamed, WindowQuery
from winsql.syntax.calls import IsAggregate
from winsql.syntax.items import read_select_list
from winsql.syntax.joins.clause import JoinClause
from winsql.syntax.joins.clause import Sides as ClauseSides
from winsql.syntax.joins.forms import project_join
from winsql.syntax.parts import Part, Select
from winsql.syntax.references import ReferenceKind, find_references, has_window_function
from winsql.syntax.relations import read_relation
from winsql.syntax.rules.moment import windows_of
from winsql.syntax.rules.sides import Condition, Side, Sides, join_query, refused
from winsql.syntax.source import Extent, Source
from winsql.syntax.tree.lineage import Reading, Role

__all__ = ["Join", "bind_join", "check_parts", "find_join"]


@dataclass(frozen=True, slots=True)
class Join:
    """A SELECT that joins relations with windows."""

    reading: Reading
    select: Select


def find_join(source: Source, reading: Reading, select: Select) -> Join | None:
    """The SELECT as a join of windows; None where it joins none, or does not name their windows."""
    windowed = [n for n, relation in enumerate(reading.relations) if relation.is_windowed]
    if len(windowed) < 2:
        return None
    named = {meaning.relation for meaning in reading.meanings.values() if meaning.level == 0}
    joins = _joins(reading.node)
    shared = {name for join in joins for name in _using(join)}
    ends = {column.name for n in windowed for column in reading.relations[n].output if column.role is not None}
    is_named = len(named & set(windowed)) > 1 or bool(shared & ends) or any(_is_natural(join) for join in joins)
    return Join(reading, select) if is_named else None


def bind_join(
    source: Source, found: Join, is_aggregate: IsAggregate | None, columns: frozenset[str] | None
) -> WindowQuery:
    """The query of such a SELECT over streams; raises WindowSpecError where it cannot be one."""
    select, body = found.select, found.select.sections[Part.FROM].body
    place = select.sections[Part.FROM].extent
    joins = _joins(found.reading.node)
    if len(found.reading.relations) != 2 or len(joins) != 1:
        hint = "join two of them in a subquery that hands on window_end, and join that with the third"
        raise refused(source, place, "a join of windows with further relations", hint)
    left, right = (Side.of(source, body, r, n) for n, r in enumerate(found.reading.relations))
    how = _type(joins[0])
    if how is None:
        hint = "write [INNER | LEFT | RIGHT | FULL | SEMI | ANTI] JOIN ... ON"
        raise refused(source, place, "this type of join", hint)
    check_parts(source, select, is_aggregate)
    sides = Sides(source, (left, right))
    shared = _shared(source, joins[0], sides, place)
    condition = _condition(source, select, sides, shared, how)
    if condition.ends is None:
        raise refused(source, place, "this join of windows", _end_hint(sides))
    projected = _projected(source, found, sides, how, shared, is_aggregate)
    return join_query(source, select, condition, how, projected)


# the parts of the tree's node


def _joins(node: exp.Select) -> list[exp.Join]:
    return [join for join in node.args.get("joins") or () if isinstance(join, exp.Join)]


def _using(join: exp.Join) -> list[str]:
    return [name.name.lower() for name in join.args.get("using") or ()]


def _is_natural(join: exp.Join) -> bool:
    return str(join.args.get("method") or "").upper() == "NATURAL"


def _type(join: exp.Join) -> JoinType | None:
    kind, side = str(join.args.get("kind") or "").upper(), str(join.args.get("side") or "").upper()
    if kind in ("SEMI", "ANTI"):
        return JoinType[kind] if side in ("", "LEFT") else None
    if kind in ("", "INNER", "OUTER", "CROSS"):
        return JoinType[side or "INNER"] if not join.args.get("method") or _is_natural(join) else None
    return None


def _shared(source: Source, join: exp.Join, sides: Sides, place: Extent) -> tuple[str, ...]:
    """The columns that USING or NATURAL has equal."""
    if not _is_natural(join):
        return tuple(_using(join))
    if any(side.has_gap for side in sides.pair):
        hint = "name the columns: JOIN ... USING (window_start, window_end, ...)"
        raise refused(source, place, "a NATURAL join of relations with *", hint)
    names = (column.name for column in sides.pair[0].relation.output)
    return tuple(name for name in names if name is not None and sides.pair[1].has(name))


# the condition


def _condition(source: Source, select: Select, sides: Sides, shared: tuple[str, ...], how: JoinType) -> Condition:
    body = select.sections[Part.FROM].body
    right = read_relation(source, sides.pair[1].written.extent.first, body.stop)
    on = Extent(right.extent.stop + 1, body.stop) if source.at(right.extent.stop, body.stop).is_word("ON") else None
    where = select.body(Part.WHERE)
    condition = Condition.read(sides, [] if on is None else [on])
    if how is JoinType.INNER and where is not None:
        between = Condition.read(sides, [where], only_between=True)
        condition.texts += between.texts
        condition.keys += between.keys
        condition.ends = condition.ends or between.ends
    for name in shared:
        columns = (sides.pair[0].column(name), sides.pair[1].column(name))
        condition.add_equality(*columns, Extent(right.extent.stop, body.stop))
        condition.add_ends(columns, (_role(sides.pair[0], name), _role(sides.pair[1], name)))
    return condition


def _role(side: Side, name: str) -> Role | None:
    return next((column.role for column in side.relation.output if column.name == name), None)


def _end_hint(sides: Sides) -> str:
    ends = [
        next((side.column(c.name) for c in side.relation.output if c.role is Role.END and c.name), None)
        for side in sides.pair
    ]
    if None in ends:
        return "select window_end on both sides, as it is, and have ON compare them: L.window_end = R.window_end"
    return f"write ON {ends[0]} = {ends[1]} AND ..."


# what is made of the pairs


def check_parts(source: Source, select: Select, is_aggregate: IsAggregate | None) -> None:
    """What groups or ranks the joined rows is a SELECT around this one."""
    other = next((p for p in select.sections if p not in (Part.SELECT, Part.FROM, Part.WHERE)), None)
    place = None if other is None else select.sections[other].extent
    section = select.sections[Part.SELECT]
    listed = read_select_list(source, section.head, section.body)
    for item in listed.items:
        for reference in find_references(source, item.expression, is_aggregate):
            if reference.kind is ReferenceKind.AGGREGATE:
                place = place or reference.extent
        if has_window_function(source, item.expression):
            place = place or item.expression
    if listed.is_distinct:
        place = place or section.head
    if place is not None:
        hint = "put the join into a subquery that selects window_end, and group or rank its rows in a SELECT around it"
        raise refused(source, place, "this, over a join of windows,", hint)


def _projected(
    source: Source, found: Join, sides: Sides, how: JoinType, shared: tuple[str, ...], is_aggregate: IsAggregate | None
) -> tuple[str, str, Unnamed | None]:
    """Head and tail, and the items in them that Spark names.

    Window columns of a side that is in every row are those of the new windows.
    """
    left, right = sides.pair
    kept = [n for n, types in enumerate((_HAVE_LEFT, _HAVE_RIGHT)) if how in types]
    windows = windows_of(found.reading, kept)
    body = found.select.sections[Part.FROM].body
    names = ClauseSides(source, (left.name, right.name), (_upper(left), _upper(right)))
    clause = JoinClause(left.written, right.written, names, how, body, (), body)
    columns = {name: _value(left, right, name, how) for name in shared}
    return project_join(source.with_windows(windows), found.select, clause, is_aggregate, columns)


_HAVE_LEFT = frozenset({JoinType.INNER, JoinType.LEFT, JoinType.SEMI, JoinType.ANTI})
_HAVE_RIGHT = frozenset({JoinType.INNER, JoinType.RIGHT})


def _upper(side: Side) -> str:
    return side.relation.name.upper() or side.name.upper()


def _value(left: Side, right: Side, name: str, how: JoinType) -> str:
    """A column that both sides share, in a row of the join."""
    if how is JoinType.FULL:
        return f"coalesce({left.column(name)}, {right.column(name)})"
    return (right if how is JoinType.RIGHT else left).column(name)
