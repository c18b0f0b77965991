"""Flink SQL's window join on streams: two window functions joined on their window columns become a WINDOW JOIN.

    SELECT items FROM (SELECT * FROM TABLE(TUMBLE(TABLE a, DESCRIPTOR(ts), size)) [WHERE ...]) L
    [type] JOIN (SELECT * FROM TABLE(TUMBLE(TABLE b, DESCRIPTOR(ts), size)) [WHERE ...]) R
    ON L.k = R.k AND L.window_start = R.window_start AND L.window_end = R.window_end

is `FROM a L [type] WINDOW JOIN b R ON L.k = R.k WINDOW ASSIGN TUMBLING((L.ts, R.ts), size)`; either side may be the
function itself. Other joins of two window functions are refused: Spark would keep their rows for ever and would not
know when they are late. On tables Spark joins what the functions give.
"""

from __future__ import annotations

from copy import copy
from dataclasses import dataclass

from winsql.errors import WindowSyntaxError, WinsqlError
from winsql.model.policy import Kind
from winsql.model.query import WindowQuery
from winsql.syntax.binder import bind
from winsql.syntax.calls import IsAggregate
from winsql.syntax.functions.aggregation import alias_of
from winsql.syntax.functions.calls import FunctionCall, bind_function, find_functions
from winsql.syntax.scanner import Part, Select, find_selects, select_around
from winsql.syntax.source import Edit, Extent, Source

__all__ = ["JoinedFunctions", "bind_joined", "joined_functions"]


@dataclass(frozen=True, slots=True)
class _Side:
    """A window function in a FROM body: the relation without its alias, the alias, the SELECT * around the call."""

    call: FunctionCall
    relation: Extent
    alias: str
    select: Select | None


@dataclass(frozen=True, slots=True)
class JoinedFunctions:
    """A SELECT that joins what two window functions give; `right` is None where the form is another one."""

    select: Select
    join: int
    left: _Side
    right: _Side | None


def joined_functions(source: Source, found: FunctionCall) -> JoinedFunctions | None:
    """The SELECT whose FROM begins with the call and joins another one on window columns; None where there is none."""
    try:
        select = select_around(source, found.extent.first)
        relation, inner = found.extent, None
        if select is not None and alias_of(source, select, relation) is not None:
            opening = select.extent.first - 1
            if not source.at(opening).is_symbol("(") or source.partner[opening] != select.extent.stop:
                return None
            relation, inner = Extent(opening, select.extent.stop + 1), select
            select = select_around(source, opening)
    except WindowSyntaxError:
        return None
    if select is None or Part.FROM not in select.sections or select.sections[Part.FROM].body.first != relation.first:
        return None
    body = select.sections[Part.FROM].body
    joins = [i for i in body.indexes if source.at(i).is_word("JOIN") and source.group[i] == source.group[body.first]]
    others = [call for call in find_functions(source) if relation.stop < call.call.first < body.stop]
    names = {source.at(i).upper for i in body.indexes if source.group[i] == source.group[body.first]}
    if not joins or not others or not names & {"WINDOW_START", "WINDOW_END", "WINDOW_TIME"}:
        return None
    left = _side(source, found, relation, inner, joins[0])
    right = _right(source, others[-1], joins[0], body) if len(joins) == 1 and len(others) == 1 else None
    return JoinedFunctions(select, joins[0], left, right)


def bind_joined(source: Source, joined: JoinedFunctions, is_aggregate: IsAggregate | None) -> WindowQuery:
    """The query of such a SELECT over streams; raises WindowSpecError where it cannot be a WINDOW JOIN."""
    left, right = joined.left, joined.right
    if right is None or not left.alias or not right.alias:
        raise _refused(source, joined, "this join of window functions")
    one, two = bind_function(source, left.call), bind_function(source, right.call)
    times = one.spec.assigner.time, two.spec.assigner.time
    if one.spec.assigner.is_merging or not all(time is not None and time.is_event for time in times):
        raise _refused(source, joined, "a join of sessions or of windows of the clock")
    columns = (
        f"{side.alias}.{time.expressions[0]}"
        for side, time in zip((left, right), times, strict=True)
        if time is not None
    )
    if _lengths(one) != _lengths(two):
        raise _refused(source, joined, "a join of different windows")
    name, *lengths = _lengths(one)
    windows = f"{name}(({', '.join(columns)}), {', '.join(lengths)})"
    source = _without_edit(source, right.call)
    edits = [*_side_edits(source, left, one), *_side_edits(source, right, two), *_window_edits(source, joined)]
    edits.append(_insert(source.tokens[joined.join].start, "WINDOW "))
    end = source.span(joined.select.sections[Part.FROM].extent).end
    edits.append(_insert(end, f" WINDOW ASSIGN {windows}"))
    text = source.verbatim(joined.select.extent, edits)
    rewritten = Source(text)
    (select,) = (s for s in find_selects(rewritten) if s.extent.first == 0)
    try:
        query = bind(rewritten, select, is_aggregate)
    except WinsqlError as error:
        raise _refused(source, joined, f"this join of window functions ({error.problem})") from error
    return query


def _lengths(function: WindowQuery) -> list[str]:
    """The kind of the windows and their lengths, as SQL."""
    assigner = function.spec.assigner
    named = [p.name for p in assigner.parameters() if p.kind is Kind.DURATION]
    return [assigner.NAME, *(f"INTERVAL {getattr(assigner, name)} MICROSECONDS" for name in named)]


_TYPES = ("INNER", "LEFT", "RIGHT", "FULL", "OUTER", "SEMI", "ANTI")


def _side(source: Source, call: FunctionCall, relation: Extent, inner: Select | None, stop: int) -> _Side:
    """`stop` is where the relation must have ended, with its alias and the words of the join's type."""
    while source.at(stop - 1).is_word(*_TYPES) and stop - 1 >= relation.stop:
        stop -= 1
    rest = Extent(relation.stop + source.at(relation.stop).is_word("AS"), stop)
    is_alias = rest.stop - rest.first == 1 and source.at(rest.first).is_name
    return _Side(call, relation, source.verbatim(rest) if is_alias else "", inner)


def _right(source: Source, call: FunctionCall, join: int, body: Extent) -> _Side | None:
    on = next((i for i in range(call.extent.stop, body.stop) if source.at(i).is_word("ON")), body.stop)
    if call.extent.first == join + 1:
        return _side(source, call, call.extent, None, on)
    inner = select_around(source, call.extent.first)
    is_subquery = inner is not None and inner.extent.first == join + 2 and source.partner[join + 1] == inner.extent.stop
    if inner is None or not is_subquery or alias_of(source, inner, call.extent) is None:
        return None
    return _side(source, call, Extent(join + 1, inner.extent.stop + 1), inner, on)


def _side_edits(source: Source, side: _Side, function: WindowQuery) -> list[Edit]:
    """The relation becomes the table that the function reads, with the WHERE around the call."""
    span = source.span(side.relation)
    if side.select is None:
        return [Edit(span.start, span.end, function.source)]
    is_star = source.normal(side.select.sections[Part.SELECT].body) == ("*",)
    if not is_star or not {Part.SELECT, Part.FROM, Part.WHERE}.issuperset(side.select.sections):
        raise source.spec_error(
            "this side of the join is more than SELECT * over a window function",
            side.select.sections[Part.SELECT].extent,
            rule=_RULE,
            hint=_HINT,
        )
    where = side.select.body(Part.WHERE)
    condition = f" WHERE {source.verbatim(where)}" if where else ""
    alias = alias_of(source, side.select, side.call.extent)
    relation = f"{function.source} AS {alias}" if alias else function.source
    return [Edit(span.start, span.end, f"(SELECT * FROM {relation}{condition})")]


def _window_edits(source: Source, joined: JoinedFunctions) -> list[Edit]:
    """Equalities of window columns become TRUE, other window columns lose the name of their side."""
    edits, equal = [], set()
    names = {joined.left.alias.upper(), joined.right.alias.upper() if joined.right else ""}
    index = joined.select.extent.first
    while index < joined.select.extent.stop:
        if not _is_window(source, index, names):
            index += 1
            continue
        is_equality = source.at(index + 3).is_symbol("=", "==") and _is_window(source, index + 4, names)
        if is_equality and source.at(index + 2).upper == source.at(index + 6).upper and index > joined.join:
            span = source.span(Extent(index, index + 7))
            edits.append(Edit(span.start, span.end, "TRUE"))
            equal.add(source.at(index + 2).upper)
            index += 7
            continue
        edits.append(Edit(source.tokens[index].start, source.tokens[index + 2].start, ""))
        index += 3
    if not {"WINDOW_START", "WINDOW_END"} <= equal:
        raise _refused(source, joined, "a join that does not have both window columns equal")
    return edits


def _is_window(source: Source, index: int, names: set[str]) -> bool:
    is_path = source.at(index).upper in names and source.at(index + 1).is_symbol(".")
    return is_path and source.at(index + 2).is_word("WINDOW_START", "WINDOW_END", "WINDOW_TIME")


def _without_edit(source: Source, call: FunctionCall) -> Source:
    """The source without what stands for a call that has been planned for itself already."""
    span = source.span(call.extent)
    other = copy(source)
    other.edits = tuple(edit for edit in source.edits if (edit.start, edit.end) != span)
    return other


def _insert(place: int, text: str) -> Edit:
    return Edit(place, place, text)


_RULE = "on streams two window functions are joined window by window, which WINDOW JOIN does"
_HINT = "write FROM a AS L [LEFT | ...] WINDOW JOIN b AS R ON L.k = R.k WINDOW ASSIGN TUMBLING((L.ts, R.ts), size)"


def _refused(source: Source, joined: JoinedFunctions, what: str) -> WinsqlError:
    place = joined.select.sections[Part.FROM].extent
    return source.spec_error(f"{what} cannot run on streams", place, rule=_RULE, hint=_HINT)
