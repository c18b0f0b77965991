"""Flink SQL's window semi and anti join on streams: EXISTS or IN over a second window function becomes a WINDOW JOIN.

    SELECT items FROM function L WHERE [NOT] EXISTS (
      SELECT ... FROM function R WHERE L.k = R.k AND L.window_start = R.window_start AND L.window_end = R.window_end
    ) [AND condition]

is `FROM a L SEMI WINDOW JOIN b R ON L.k = R.k WINDOW ASSIGN ...`, ANTI with NOT; `L.k IN (SELECT R.k FROM ...)` is the
same as EXISTS with `L.k = R.k`. NOT IN is refused: it gives nothing where one NULL is among the keys of a window, and
an anti join does not look at rows without an equal key.
"""

from __future__ import annotations

from dataclasses import dataclass

from winsql.errors import WindowSyntaxError
from winsql.model.query import WindowQuery
from winsql.syntax.calls import IsAggregate
from winsql.syntax.functions.calls import FunctionCall
from winsql.syntax.functions.joins import JoinWriter, Side, refused, side_of
from winsql.syntax.items import column_path
from winsql.syntax.joins.clause import conjuncts
from winsql.syntax.scanner import Part, Select, select_around
from winsql.syntax.source import Edit, Extent, Source

__all__ = ["SemiJoin", "bind_semi_join", "semi_join"]


@dataclass(frozen=True, slots=True)
class SemiJoin:
    """A SELECT over a window function that asks whether another one has rows.

    part      of its WHERE, the EXISTS or IN
    operand   what stands before IN; None for EXISTS
    inner     the SELECT in the brackets
    """

    select: Select
    part: Extent
    operand: Extent | None
    is_anti: bool
    inner: Select
    left: Side
    right: Side


def semi_join(source: Source, found: FunctionCall, relations: list[FunctionCall]) -> SemiJoin | None:
    """The SELECT that reads the relation and asks for another one in its WHERE; None where there is none."""
    try:
        select = select_around(source, found.extent.first)
    except WindowSyntaxError:
        return None
    where = None if select is None else select.body(Part.WHERE)
    if select is None or where is None or Part.GROUP_BY in select.sections:
        return None
    body = select.sections[Part.FROM].body
    left = side_of(source, found, body.stop)
    is_all = (
        found.extent.first == body.first and left.place is not None and body.stop in (left.place + 1, found.extent.stop)
    )
    for part in conjuncts(source, where) if is_all else ():
        bracket = _bracket(source, part)
        asked = None if bracket is None else _asked(source, bracket, relations)
        if bracket is None or asked is None:
            continue
        inner, reading = asked
        right = side_of(source, reading, inner.sections[Part.FROM].body.stop)
        is_anti = source.at(bracket - 2).is_word("NOT")
        is_in = source.at(bracket - 1).is_word("IN")
        operand = Extent(part.first, bracket - 1 - is_anti) if is_in else None
        if operand is not None and (source.at(operand.first).is_word("NOT") or source.at(operand.first).is_symbol("!")):
            is_anti = True
        return SemiJoin(select, part, operand, is_anti, inner, left, right)
    return None


def bind_semi_join(source: Source, found: SemiJoin, is_aggregate: IsAggregate | None) -> WindowQuery:
    """The query of such a SELECT over streams; raises WindowSpecError where it cannot be a WINDOW JOIN."""
    if found.operand is not None and found.is_anti:
        raise source.spec_error(
            "NOT IN over a window function cannot run on streams",
            found.part,
            rule="NOT IN gives no row where a value of the window is NULL; an anti join looks at equal keys alone",
            hint="write NOT EXISTS (SELECT * FROM ... R WHERE L.k = R.k AND L.window_start = R.window_start AND ...)",
        )
    condition = found.inner.body(Part.WHERE)
    is_plain = {Part.SELECT, Part.FROM, Part.WHERE}.issuperset(found.inner.sections)
    if not found.right.alias or condition is None or not is_plain:
        raise refused(source, found.select, "this EXISTS or IN over a window function")
    writer = JoinWriter(source, found.select, found.left, found.right)
    edits = writer.window_edits(condition, (), is_left_only=True)
    part = source.span(found.part)
    inside = source.span(condition)
    on = writer.source.verbatim(condition, [e for e in edits if inside.start <= e.start and e.end <= inside.end])
    edits = [e for e in edits if not (part.start <= e.start and e.end <= part.end)]
    equality = _equality(source, found)
    how = "ANTI" if found.is_anti else "SEMI"
    right = writer.relation_sql(found.right)
    name = "" if found.right.is_unnamed_cte else f" AS {found.right.alias}"
    join = f" {how} WINDOW JOIN {right}{name} ON {equality}({on}) {writer.windows()}"
    end = source.span(found.select.sections[Part.FROM].extent).end
    edits += [writer.relation(found.left), Edit(end, end, join), Edit(part.start, part.end, "TRUE")]
    return writer.query(edits, is_aggregate)


def _bracket(source: Source, part: Extent) -> int | None:
    """The bracket of `[NOT] EXISTS (...)` or `operand [NOT] IN (...)`, which ends the part."""
    closing = part.stop - 1
    bracket = source.partner[closing] if source.at(closing).is_symbol(")") else None
    if bracket is None or not source.at(bracket - 1).is_word("EXISTS", "IN"):
        return None
    start = bracket - 1 - source.at(bracket - 2).is_word("NOT")
    is_exists = source.at(bracket - 1).is_word("EXISTS")
    return bracket if (start == part.first) == is_exists else None


def _asked(source: Source, bracket: int, relations: list[FunctionCall]) -> tuple[Select, FunctionCall] | None:
    """The SELECT in a bracket and the relation with which its FROM begins, where that stands for a function."""
    for reading in relations:
        if not bracket < reading.extent.first < source.closing(bracket):
            continue
        inner = select_around(source, reading.extent.first)
        is_inner = inner is not None and inner.extent.first == bracket + 1
        if inner is not None and is_inner and inner.sections[Part.FROM].body.first == reading.extent.first:
            return inner, reading
    return None


def _equality(source: Source, found: SemiJoin) -> str:
    """What IN compares, as a part of ON; columns without a name before them belong to the nearer relation."""
    if found.operand is None:
        return ""
    section = found.inner.sections[Part.SELECT]
    items = source.split(section.body)
    if len(items) != 1:
        raise refused(source, found.select, "IN over several columns of a window function")
    pairs = ((found.operand, found.left), (items[0], found.right))
    sides = []
    for extent, side in pairs:
        path = column_path(source, extent)
        text = source.verbatim(extent)
        is_column = path is not None and len(path) == 1
        sides.append(f"{side.alias}.{text}" if is_column else f"({text})" if path is None else text)
    return f"{sides[0]} = {sides[1]} AND "
