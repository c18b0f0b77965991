"""JOIN of two windowed subqueries of a stream on their window columns.

    SELECT items FROM (windowed SELECT) AS a [type] JOIN (windowed SELECT) AS b
    ON a.id = b.id AND a.start = b.start AND a.end = b.end AND condition [WHERE ...]

Either side gives the rows of windows that end at one moment in one micro-batch, when the watermark passes it, however
many windows it has gone through. So this is `a [type] WINDOW JOIN b ON ... WINDOW ASSIGN TUMBLING((a.end - INTERVAL 1
MICROSECOND, b.end - INTERVAL 1 MICROSECOND), INTERVAL 1 MICROSECOND)`, in which rows without a partner come out too.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from winsql.errors import WinsqlError
from winsql.model.query import WINDOW_COLUMNS, WindowQuery
from winsql.syntax.calls import IsAggregate
from winsql.syntax.cascades.results import END, TIME, Input, Result, bind_rewritten, items_of, renamed, window_of
from winsql.syntax.items import column_path, quoted
from winsql.syntax.joins.clause import columns_of, conjuncts
from winsql.syntax.references import ReferenceKind, find_references
from winsql.syntax.relations import read_relation
from winsql.syntax.scanner import Part, Select
from winsql.syntax.source import Edit, Extent, Source

__all__ = ["ResultJoin", "bind_result_join", "join_of", "joined_result"]

_LEFT_LOST, _RIGHT_LOST = frozenset({"RIGHT", "FULL"}), frozenset({"LEFT", "FULL", "SEMI", "ANTI"})
_TYPES = frozenset({"INNER", "LEFT", "RIGHT", "FULL", "OUTER", "SEMI", "ANTI"})


@dataclass(frozen=True, slots=True)
class ResultJoin:
    """A SELECT that joins two results.

    join     the word JOIN
    ends     of each side the column that the condition has equal to the other's, which says when; None where there is
             none
    lost     of each side whether its columns may be NULL or are missing behind the join
    """

    select: Select
    join: int
    sides: tuple[Input, Input]
    ends: tuple[Extent, Extent] | None
    lost: tuple[bool, bool]


def join_of(source: Source, select: Select, inputs: Mapping[int, Input]) -> ResultJoin | None:
    """The SELECT as a join of two results on their windows; None where it is none, or does not name the windows.

    `inputs` are the relations that stand for results, by their first tokens.
    """
    body = select.sections[Part.FROM].body
    group = source.group[body.first]
    joins = [i for i in body.indexes if source.at(i).is_word("JOIN") and source.group[i] == group]
    left = inputs.get(body.first)
    right = inputs.get(joins[0] + 1) if len(joins) == 1 else None
    if left is None or right is None:
        return None
    words = joins[0]
    while source.at(words - 1).is_word(*_TYPES, "NATURAL", "CROSS"):
        words -= 1
    kind = {source.at(i).upper for i in range(words, joins[0])}
    sides = (_named(source, left, words), _named(source, right, body.stop))
    behind = read_relation(source, right.extent.first, body.stop).extent.stop
    condition = Extent(behind + source.at(behind).is_word("ON"), body.stop)
    ends = _ends(source, condition, sides)
    if ends is None and not _names_window(source, condition, sides) and "NATURAL" not in kind:
        return None
    return ResultJoin(select, joins[0], sides, ends, (bool(kind & _LEFT_LOST), bool(kind & _RIGHT_LOST)))


def joined_result(source: Source, found: ResultJoin) -> Result:
    """What the SELECT gives: window columns of the sides that are in every row."""
    kept = tuple(side for side, is_lost in zip(found.sides, found.lost, strict=True) if not is_lost)
    return renamed(source, found.select, kept, found.select.extent)


def bind_result_join(source: Source, found: ResultJoin, is_aggregate: IsAggregate | None) -> WindowQuery:
    """The query of such a SELECT over streams; raises WindowSpecError where it cannot be a WINDOW JOIN."""
    select = found.select
    if found.ends is None or not all(side.alias for side in found.sides):
        raise _refused(
            source,
            select.sections[Part.FROM].extent,
            "this join of windows",
            _end_hint(found.sides),
        )
    _check_parts(source, select, is_aggregate)
    kinds = [side.column(column_path(source, end)) for side, end in zip(found.sides, found.ends, strict=True)]
    columns = [
        f"{side.alias}.{quoted(source.name(end.stop - 1))}" for side, end in zip(found.sides, found.ends, strict=True)
    ]
    times = [f"{c} - INTERVAL 1 MICROSECOND" if kind == END else c for c, kind in zip(columns, kinds, strict=True)]
    place = source.tokens[found.join].start
    end = source.span(select.sections[Part.FROM].extent).end
    edits = [
        Edit(place, place, "WINDOW "),
        Edit(end, end, window_of(f"({', '.join(times)})")),
        *_columns(source, found, kinds[0], is_aggregate),
    ]
    query = bind_rewritten(source, select, edits, is_aggregate, "this join of windows")
    return replace(query, ends=tuple(columns)) if kinds[0] == END else query


def _named(source: Source, given: Input, stop: int) -> Input:
    """The relation with the alias that it has in a join."""
    relation = read_relation(source, given.extent.first, stop)
    return replace(given, alias="" if relation.name is None or relation.has_columns else relation.name_sql(source))


def _ends(source: Source, condition: Extent, sides: tuple[Input, Input]) -> tuple[Extent, Extent] | None:
    """The columns of an equality that has the ends of both windows equal, or their last instants."""
    for kind in (END, TIME):
        for part in conjuncts(source, condition) if not condition.is_empty else ():
            place = next((i for i in part.indexes if source.at(i).is_symbol("=", "==")), part.first)
            pair = (Extent(part.first, place), Extent(place + 1, part.stop))
            for one, other in (pair, pair[::-1]):
                paths = (column_path(source, source.unwrapped(e)) if not e.is_empty else None for e in (one, other))
                found = [
                    side.column(path) if path is not None and len(path) == 2 else None
                    for side, path in zip(sides, paths, strict=True)
                ]
                if found == [kind, kind]:
                    return source.unwrapped(one), source.unwrapped(other)
    return None


def _names_window(source: Source, condition: Extent, sides: tuple[Input, Input]) -> bool:
    """Whether window columns stand in the condition, or in USING."""
    names = {name for side in sides for name in side.result.columns}
    return any(source.at(i).is_name and source.at(i).upper in names for i in condition.indexes)


def _check_parts(source: Source, select: Select, is_aggregate: IsAggregate | None) -> None:
    """What groups the joined rows again is a SELECT around this one."""
    other = next((p for p in select.sections if p not in (Part.SELECT, Part.FROM, Part.WHERE)), None)
    place = None if other is None else select.sections[other].extent
    for item in items_of(source, select):
        for reference in find_references(source, item.expression, is_aggregate):
            if reference.kind is ReferenceKind.AGGREGATE:
                place = place or reference.extent
    if place is not None:
        hint = "put the join into a subquery that selects window_end, and group its rows by that in a SELECT around it"
        raise _refused(source, place, "this, over a join of windows,", hint)


def _columns(source: Source, found: ResultJoin, kind: str | None, is_aggregate: IsAggregate | None) -> Iterator[Edit]:
    """Columns that are called as those of the new windows get the name of their side; the end is that of the window."""
    assert found.ends is not None
    ends = {
        column_path(source, end)
        for end, is_lost in zip(found.ends, found.lost, strict=True)
        if not is_lost and kind is not None
    }
    for item in items_of(source, found.select):
        if column_path(source, item.expression) in ends and kind is not None:
            span = source.span(item.expression)
            name = "" if item.alias is not None else f" AS {quoted(source.name(item.expression.stop - 1))}"
            yield Edit(span.start, span.end, f"{kind.lower()}{name}")
            continue
        yield from _qualified(source, found, item.expression, is_aggregate)
    where = found.select.body(Part.WHERE)
    if where is not None:
        yield from _qualified(source, found, where, is_aggregate)


def _qualified(source: Source, found: ResultJoin, extent: Extent, is_aggregate: IsAggregate | None) -> Iterator[Edit]:
    for reference in columns_of(source, extent, is_aggregate):
        path = reference.path
        if len(path) != 1 or path[0].lower() not in WINDOW_COLUMNS:
            continue
        owners = [side for side in found.sides if path[0] in side.result.columns]
        if len(owners) != 1:
            raise source.spec_error(
                f"{source.verbatim(reference.extent)} does not say which side of the join it belongs to",
                reference.extent,
                rule="on streams a window column of a joined subquery stands behind the name of its side",
                hint=f"write {found.sides[0].alias}.{path[0].lower()}",
            )
        yield Edit(*(2 * (source.span(reference.extent).start,)), f"{owners[0].alias}.")


def _end_hint(sides: tuple[Input, Input]) -> str:
    if any(side.end is None for side in sides):
        return "select window_end in both subqueries, as it is, and have ON compare them: L.window_end = R.window_end"
    one, other = (side.end if side.alias else f"{name}.{side.end}" for side, name in zip(sides, "LR", strict=True))
    return f"write ON {one} = {other} AND ..., each column behind the name of its side"


def _refused(source: Source, place: Extent, what: str, hint: str) -> WinsqlError:
    return source.spec_error(
        f"{what} cannot run on streams",
        place,
        rule="on streams results of windows are joined on equal window_end, which says when all rows are there",
        hint=hint,
    )
