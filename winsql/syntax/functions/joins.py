"""Flink SQL's window join on streams: two window functions joined on their window columns become a WINDOW JOIN.

    SELECT items FROM (SELECT * FROM TABLE(TUMBLE(TABLE a, DESCRIPTOR(ts), size)) [WHERE ...]) L
    [type] JOIN (SELECT * FROM TABLE(TUMBLE(TABLE b, DESCRIPTOR(ts), size)) [WHERE ...]) R
    ON L.k = R.k AND L.window_start = R.window_start AND L.window_end = R.window_end

is `FROM a L [type] WINDOW JOIN b R ON L.k = R.k WINDOW ASSIGN TUMBLING((L.ts, R.ts), size)`; either side may be
anything that stands for a function (see `readings`). Other joins of two window functions are refused: Spark would keep
their rows for ever and would not know when they are late. On tables Spark joins what the functions give.
"""

from __future__ import annotations

from collections.abc import Sequence
from copy import copy
from dataclasses import dataclass, replace

from winsql.errors import WindowSyntaxError, WinsqlError
from winsql.model.policy import Kind
from winsql.model.query import INTERNAL_PREFIX, WindowQuery
from winsql.syntax.binder import bind
from winsql.syntax.calls import IsAggregate
from winsql.syntax.cascades.results import placed
from winsql.syntax.functions.calls import FunctionCall
from winsql.syntax.functions.readings import FUNCTION_COLUMNS, WINDOW_NAMES, bind_reading, handed_on
from winsql.syntax.items import Item, quoted, read_select_list
from winsql.syntax.scanner import Part, Select, find_selects, select_around
from winsql.syntax.source import Edit, Extent, Source

__all__ = ["JoinWriter", "JoinedFunctions", "Side", "bind_joined", "joined_functions", "refused", "side_of"]


@dataclass(frozen=True, slots=True)
class Side:
    """A relation of a FROM body that stands for a window function, and the token of its alias; None for none.

    A CTE has its own name where it has no other.
    """

    reading: FunctionCall
    place: int | None
    alias: str

    @property
    def is_unnamed_cte(self) -> bool:
        return self.place == self.reading.extent.first

    def name(self, source: Source) -> str:
        """The alias as Spark compares names."""
        return "" if self.place is None else source.at(self.place).upper


@dataclass(frozen=True, slots=True)
class JoinedFunctions:
    """A SELECT that joins what two window functions give; `right` is None where the form is another one."""

    select: Select
    join: int
    left: Side
    right: Side | None


def joined_functions(source: Source, found: FunctionCall, relations: list[FunctionCall]) -> JoinedFunctions | None:
    """The SELECT whose FROM begins with a relation and joins another one on window columns; None where there is none.

    `relations` are all that stand for window functions.
    """
    try:
        select = select_around(source, found.extent.first)
    except WindowSyntaxError:
        return None
    body = None if select is None or Part.FROM not in select.sections else select.sections[Part.FROM].body
    if select is None or body is None or body.first != found.extent.first:
        return None
    joins = [i for i in body.indexes if source.at(i).is_word("JOIN") and source.group[i] == source.group[body.first]]
    others = [r for r in relations if found.extent.stop < r.extent.first and r.extent.stop <= body.stop]
    names = {source.at(i).upper for i in body.indexes if source.group[i] == source.group[body.first]}
    if not joins or not others or not names & WINDOW_NAMES:
        return None
    right = next((r for r in others if r.extent.first == joins[0] + 1), None) if len(joins) == 1 else None
    on = next((i for i in range(joins[0], body.stop) if source.at(i).is_word("ON")), body.stop)
    left = side_of(source, found, joins[0])
    return JoinedFunctions(select, joins[0], left, None if right is None else side_of(source, right, on))


def bind_joined(source: Source, joined: JoinedFunctions, is_aggregate: IsAggregate | None) -> WindowQuery:
    """The query of such a SELECT over streams; raises WindowSpecError where it cannot be a WINDOW JOIN."""
    left, right = joined.left, joined.right
    if right is None or not left.alias or not right.alias:
        raise refused(source, joined.select, "this join of window functions")
    writer = JoinWriter(source, joined.select, left, right)
    body = joined.select.sections[Part.FROM].body
    kind = {source.at(i).upper for i in range(left.reading.extent.stop, joined.join)} & set(_TYPES)
    nullable = [right] * ("LEFT" in kind) + [left] * ("RIGHT" in kind) + [left, right] * ("FULL" in kind)
    if kind & {"SEMI", "ANTI"}:
        nullable = []
    edits = writer.window_edits(Extent(joined.join, body.stop), nullable, is_left_only=bool(kind & {"SEMI", "ANTI"}))
    edits += [writer.relation(left), writer.relation(right)]
    edits.append(_insert(source.tokens[joined.join].start, "WINDOW "))
    edits.append(_insert(source.span(joined.select.sections[Part.FROM].extent).end, f" {writer.windows()}"))
    return writer.query(edits, is_aggregate)


class JoinWriter:
    """Writes a SELECT over two window functions anew, as one over a WINDOW JOIN.

    Raises WindowSpecError where both sides do not have the same windows of event time.
    """

    def __init__(self, source: Source, select: Select, left: Side, right: Side) -> None:
        self.select = select
        self.sides = (left, right)
        self.functions = (bind_reading(source, left.reading), bind_reading(source, right.reading))
        for side in self.sides:
            source = _without_edit(source, side.reading)
        self.source = source
        self.marked: list[Side] = []
        self.names = {side.name(source) for side in self.sides}

    def windows(self) -> str:
        """The clause that assigns them."""
        one, two = self.functions
        times = one.spec.assigner.time, two.spec.assigner.time
        if one.spec.assigner.is_merging or not all(time is not None and time.is_event for time in times):
            raise self._refused("a join of sessions or of windows of the clock")
        if _lengths(one) != _lengths(two):
            raise self._refused("a join of different windows")
        pairs = zip(self.sides, times, strict=True)
        columns = (f"{side.alias}.{time.expressions[0]}" for side, time in pairs if time is not None)
        name, *lengths = _lengths(one)
        return f"WINDOW ASSIGN {name}(({', '.join(columns)}), {', '.join(lengths)})"

    def relation(self, side: Side) -> Edit:
        """The table that the function reads, in the place of what stands for the function."""
        span = self.source.span(side.reading.extent)
        return Edit(span.start, span.end, self.relation_sql(side))

    def relation_sql(self, side: Side) -> str:
        """That table, with the name of a CTE that has no other; called behind `window_edits`."""
        function = self.functions[self.sides.index(side)]
        table = function.source
        if side in self.marked:
            table = f"(SELECT *, nullif(1, 0) AS {_PRESENT} FROM {table})"
        return f"{table} AS {side.alias}" if side.is_unnamed_cte else table

    def window_edits(self, condition: Extent, nullable: Sequence[Side], *, is_left_only: bool) -> list[Edit]:
        """Equalities of window columns become TRUE in the condition; elsewhere window columns lose the name of their
        side. Those of a side that an outer join leaves out are NULL in its rows."""
        source = self.source
        edits, equal = [], set()
        places = sorted({*self.select.extent.indexes, *condition.indexes})
        done = places[0]
        items = {item.expression: item for item in self._items()}
        for index in places:
            if index < done or not self._is_window(index):
                continue
            is_equality = source.at(index + 3).is_symbol("=", "==") and self._is_window(index + 4)
            if is_equality and source.at(index + 2).upper == source.at(index + 6).upper and index in condition.indexes:
                span = source.span(Extent(index, index + 7))
                edits.append(Edit(span.start, span.end, "TRUE"))
                equal.add(source.at(index + 2).upper)
                done = index + 7
                continue
            side = next(side for side in self.sides if side.name(source) == source.at(index).upper)
            path = Extent(index, index + 3)
            text = self._window(source.name(index + 2), side, nullable)
            item = items.get(path)
            is_named = side in nullable and item is not None and item.alias is None
            span = source.span(path)
            edits.append(Edit(span.start, span.end, f"{text} AS {source.name(index + 2)}" if is_named else text))
            done = index + 3
        if not {"WINDOW_START", "WINDOW_END"} <= equal:
            raise self._refused("a join that does not have both window columns equal")
        returned = self.sides[:1] if is_left_only else self.sides
        return [*edits, *self._stars(returned, nullable)]

    def query(self, edits: list[Edit], is_aggregate: IsAggregate | None) -> WindowQuery:
        """The query of the SELECT as it reads with the edits."""
        rewritten = Source(self.source.verbatim(self.select.extent, edits), settings=self.source.settings)
        (select,) = (s for s in find_selects(rewritten) if s.extent.first == 0)
        try:
            return _local(placed(bind(rewritten, select, is_aggregate), self.source, self.select))
        except WinsqlError as error:
            raise self._refused(f"this join of window functions ({error.problem})") from error

    def _stars(self, returned: Sequence[Side], nullable: Sequence[Side]) -> list[Edit]:
        """A star of a function means its window columns too."""
        edits = []
        for item in self._items():
            last = item.expression.stop - 1
            if not self.source.at(last).is_symbol("*") or item.alias is not None:
                continue
            qualifier = self.source.at(last - 2).upper if self.source.at(last - 1).is_symbol(".") else None
            if qualifier is None and item.expression.first != last:
                continue
            sides = [side for side in returned if qualifier in (None, side.name(self.source))]
            columns = [text for side in sides for text in self._columns(side, nullable)]
            if columns:
                span = self.source.span(item.expression)
                edits.append(Edit(span.start, span.end, ", ".join(columns)))
        return edits

    def _columns(self, side: Side, nullable: Sequence[Side]) -> list[str]:
        """What the star of a side means."""
        names = handed_on(self.source, side.reading)
        if names is None:
            hidden = f" EXCEPT ({_PRESENT})" if side in nullable else ""
            windows = (f"{self._window(name, side, nullable)} AS {name}" for name in FUNCTION_COLUMNS)
            return [f"{side.alias}.*{hidden}", *windows]
        return [
            f"{self._window(name, side, nullable)} AS {name}"
            if name.upper() in WINDOW_NAMES
            else f"{side.alias}.{quoted(name)}"
            for name in names
        ]

    def _window(self, name: str, side: Side, nullable: Sequence[Side]) -> str:
        """A window column of a side, without the name of the side."""
        if side not in nullable:
            return name
        self.marked.append(side)
        return f"CASE WHEN {side.alias}.{_PRESENT} IS NOT NULL THEN {name} END"

    def _items(self) -> tuple[Item, ...]:
        section = self.select.sections[Part.SELECT]
        return read_select_list(self.source, section.head, section.body).items

    def _is_window(self, index: int) -> bool:
        source = self.source
        is_path = source.at(index).upper in self.names and source.at(index + 1).is_symbol(".")
        return is_path and source.at(index + 2).is_word(*WINDOW_NAMES) and not source.at(index - 1).is_symbol(".")

    def _refused(self, what: str) -> WinsqlError:
        return refused(self.source, self.select, what)


def refused(source: Source, select: Select, what: str) -> WinsqlError:
    """The error for a SELECT over two window functions that is no WINDOW JOIN."""
    place = select.sections[Part.FROM].extent
    return source.spec_error(f"{what} cannot run on streams", place, rule=_RULE, hint=_HINT)


_TYPES = ("INNER", "LEFT", "RIGHT", "FULL", "OUTER", "SEMI", "ANTI")


def side_of(source: Source, reading: FunctionCall, stop: int) -> Side:
    """The side that a relation is; `stop` is where it must have ended, with its alias and the words of the join's
    type."""
    while source.at(stop - 1).is_word(*_TYPES) and stop - 1 >= reading.extent.stop:
        stop -= 1
    rest = Extent(reading.extent.stop + source.at(reading.extent.stop).is_word("AS"), stop)
    if rest.is_empty and reading.extent.stop - reading.extent.first == 1:
        rest = reading.extent
    is_alias = rest.stop - rest.first == 1 and source.at(rest.first).is_name
    return Side(reading, rest.first, source.verbatim(rest)) if is_alias else Side(reading, None, "")


def _lengths(function: WindowQuery) -> list[str]:
    """The kind of the windows and their lengths, as SQL."""
    assigner = function.spec.assigner
    named = [p.name for p in assigner.parameters() if p.kind is Kind.DURATION]
    return [assigner.NAME, *(f"INTERVAL {getattr(assigner, name)} MICROSECONDS" for name in named)]


def _without_edit(source: Source, call: FunctionCall) -> Source:
    """The source without what stands for a call that has been planned for itself already."""
    spans = [source.span(extent) for extent in (call.extent, call.whole) if extent is not None]
    other = copy(source)
    other.edits = tuple(e for e in source.edits if not any(s.start <= e.start and e.end <= s.end for s in spans))
    return other


def _local(query: WindowQuery) -> WindowQuery:
    """The query with the windows of window functions, which follow the clocks of the session."""
    assigner = query.spec.assigner
    assert assigner.time is not None
    assigner = replace(assigner, time=replace(assigner.time, is_local=True))  # type: ignore[type-var]
    return replace(query, spec=replace(query.spec, assigner=assigner))


def _insert(place: int, text: str) -> Edit:
    return Edit(place, place, text)


_PRESENT = INTERNAL_PREFIX + "present"
"""A column of a side that is NULL only where an outer join has no row of it; Spark must not see that it is constant."""
_RULE = "on streams two window functions are joined window by window, which WINDOW JOIN does"
_HINT = "write FROM a AS L [LEFT | ...] WINDOW JOIN b AS R ON L.k = R.k WINDOW ASSIGN TUMBLING((L.ts, R.ts), size)"
