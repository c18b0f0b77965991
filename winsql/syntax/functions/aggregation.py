"""Flink SQL's window aggregation on a stream: a SELECT over one window function becomes a windowed query of its own.

    SELECT keys, window_start, window_end, aggregates FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), size)) [[AS] name]
    [WHERE ...] GROUP BY window_start, window_end [, window_time] [, keys] [HAVING ...] ...

is the query of `FROM t [WHERE ...] WINDOW ASSIGN TUMBLING(ts, size) GROUP BY keys [HAVING ...]`. On a table nobody
needs this: there Spark groups the rows that the function gives.
"""

from __future__ import annotations

from dataclasses import replace

from winsql.errors import WindowSyntaxError
from winsql.model.query import INTERNAL_PREFIX, Form, KeyColumn, WindowQuery
from winsql.syntax.calls import IsAggregate
from winsql.syntax.forms import project
from winsql.syntax.functions.calls import FunctionCall, find_functions
from winsql.syntax.functions.readings import WINDOW_NAMES, alias_of, bind_reading, readings
from winsql.syntax.grouping import Grouping, is_all
from winsql.syntax.items import column_path, contested_names, read_select_list
from winsql.syntax.keys import Key, KeyMatcher
from winsql.syntax.parts import Part, Section, Select
from winsql.syntax.rules.grouping_sets import SET, GroupingSets, read_grouping_sets
from winsql.syntax.scanner import select_around
from winsql.syntax.source import Extent, Source

__all__ = ["aggregation_over", "bind_aggregation"]


def aggregation_over(source: Source, found: FunctionCall) -> Select | None:
    """The SELECT that groups the rows of a call and reads nothing else; None where there is none."""
    try:
        select = select_around(source, found.extent.first)
    except WindowSyntaxError:
        return None
    if select is None or Part.GROUP_BY not in select.sections or any(part.is_window_clause for part in select.sections):
        return None
    return None if alias_of(source, select, found.extent) is None or _reads_windows(source, select) else select


def _reads_windows(source: Source, select: Select) -> bool:
    """Whether WHERE reads the windows."""
    where = select.body(Part.WHERE)
    return any(source.at(index).upper in WINDOW_NAMES for index in (where.indexes if where else ()))


def bind_aggregation(
    source: Source,
    select: Select,
    found: FunctionCall,
    is_aggregate: IsAggregate | None,
    columns: frozenset[str] | None = None,
) -> WindowQuery:
    """The query of such a SELECT over a stream; `columns` as for `winsql.syntax.binder.bind`.

    Raises WindowSpecError where Spark would take the SELECT on a table and a stream cannot have it.
    """
    name = alias_of(source, select, found.extent)
    if name:
        source, select, found = _without_qualifiers(source, select, found, name)
    return _Aggregation(source, select, found, is_aggregate, columns).query(name or "")


def _without_qualifiers(
    source: Source, select: Select, found: FunctionCall, name: str
) -> tuple[Source, Select, FunctionCall]:
    """All three again where window columns stand without the relation's name before them: `b.window_start`."""
    upper = source.at(select.sections[Part.FROM].body.stop - 1).upper
    gone = set()
    for index in select.extent.indexes:
        is_path = source.at(index).upper == upper and source.at(index + 1).is_symbol(".")
        if is_path and source.at(index + 2).upper in WINDOW_NAMES and not source.at(index - 1).is_symbol("."):
            gone |= {index, index + 1}
    if not gone:
        return source, select, found
    start = source.tokens[found.extent.first].start
    source = source.without(gone)
    found = next(
        reading
        for call in find_functions(source)
        for reading in readings(source, call)
        if source.tokens[reading.extent.first].start == start
    )
    again = select_around(source, found.extent.first)
    assert again is not None
    return source, again, found


_NEEDED = ("WINDOW_START", "WINDOW_END")


class _Aggregation:
    """Builds the query of one SELECT."""

    def __init__(
        self,
        source: Source,
        select: Select,
        found: FunctionCall,
        is_aggregate: IsAggregate | None,
        columns: frozenset[str] | None,
    ) -> None:
        self.columns = columns
        self.source = source
        self.select = select
        self.found = found
        self.is_aggregate = is_aggregate
        self.group_by = select.sections[Part.GROUP_BY]
        head = select.sections[Part.SELECT]
        self.list = read_select_list(source, head.head, head.body)

    def query(self, alias: str) -> WindowQuery:
        function = bind_reading(self.source, self.found)
        qualifiers = frozenset({self.source.at(self.select.sections[Part.FROM].body.stop - 1).upper} if alias else ())
        self._check_names()
        sets = read_grouping_sets(self.source, self.group_by)
        self._check_windows(sets)
        keys = self._keys(sets, qualifiers)
        self._check_session(function, keys, qualifiers)
        columns = self._columns(keys)
        relation = f"{function.source} AS {alias}" if alias else function.source
        if sets is not None:
            keys, columns, relation = self._expanded(sets, keys, qualifiers, relation)
        contested = contested_names(self.source, self.select, self.list.items)
        projection = project(
            self.source, self.select, self.list, keys, qualifiers, self.is_aggregate, None, self.columns
        )
        where = self.select.body(Part.WHERE)
        return replace(
            function,
            span=self.source.span(self.select.extent),
            source=relation,
            where=self.source.verbatim(where) if where else None,
            keys=columns,
            aggregates=projection.aggregates,
            payload=(),
            form=Form.AGGREGATE,
            head=projection.head,
            tail=projection.tail,
            unnamed=projection.unnamed,
            contested=tuple(sorted(contested)),
            variables=projection.variables,
        )

    def _columns(self, keys: list[Key]) -> tuple[KeyColumn, ...]:
        return tuple(KeyColumn(self.source.verbatim(k.extent), k.column, self.source.span(k.extent)) for k in keys)

    def _keys(self, sets: GroupingSets | None, qualifiers: frozenset[str]) -> list[Key]:
        """The keys but for the window columns; of grouping sets all that stand in any of them."""
        grouping = Grouping(self.source, self.list.items, qualifiers, self.is_aggregate, self.columns)
        if sets is None:
            return grouping.keys(self.group_by, ())
        extents: list[Extent] = []
        matcher = KeyMatcher(self.source, [], qualifiers)
        for part in sets.all_parts():
            section = Section(Part.GROUP_BY, self.group_by.head, part)
            for key in grouping.keys(section, ()):
                if not any(matcher.same(key.extent, other) for other in extents):
                    extents.append(key.extent)
        return [Key(extent, f"{INTERNAL_PREFIX}key_{n}") for n, extent in enumerate(extents)]

    def _expanded(
        self, sets: GroupingSets, keys: list[Key], qualifiers: frozenset[str], relation: str
    ) -> tuple[list[Key], tuple[KeyColumn, ...], str]:
        """Each row once per grouping set, its number one more key, and keys NULL where they are left out."""
        grouping = Grouping(self.source, self.list.items, qualifiers, self.is_aggregate, self.columns)
        matcher = KeyMatcher(self.source, [], qualifiers)
        chosen: list[list[Extent]] = []
        for parts in sets.sets:
            sections = [Section(Part.GROUP_BY, self.group_by.head, part) for part in parts]
            chosen.append([key.extent for section in sections for key in grouping.keys(section, ())])
        columns = []
        number = f"{INTERNAL_PREFIX}key_{len(keys)}"
        numbers: dict[str, list[int]] = {}
        for key, column in zip(keys, self._columns(keys), strict=True):
            within = [n for n, extents in enumerate(chosen) if any(matcher.same(key.extent, e) for e in extents)]
            numbers[key.column] = within
            if len(within) < len(chosen):
                column = replace(column, sql=f"CASE WHEN {_among(SET, within)} THEN {column.sql} END")
            columns.append(column)
        columns.append(KeyColumn(SET, number, self.source.span(self.group_by.extent)))
        order = self._order(sets, grouping, matcher, keys)
        self.source = sets.with_grouping_calls(self.source, self.select, keys, qualifiers, number, numbers, order)
        all_sets = ", ".join(map(str, range(len(chosen))))
        return keys, tuple(columns), f"{relation} LATERAL VIEW explode(array({all_sets})) {SET}s AS {SET}"

    def _order(self, sets: GroupingSets, grouping: Grouping, matcher: KeyMatcher, keys: list[Key]) -> list[str | None]:
        """The columns of what GROUP BY names, each once, in the order of the text; None for a window column."""
        order: list[str | None] = []
        windows: set[str] = set()
        for part in sets.all_parts():
            found = grouping.keys(Section(Part.GROUP_BY, self.group_by.head, part), ())
            for key in found:
                column = next(one.column for one in keys if matcher.same(one.extent, key.extent))
                order += [] if column in order else [column]
            name = self.source.normal(part)[-1]
            if not found and name not in windows:
                windows.add(name)
                order.append(None)
        return order

    # what a stream cannot have

    def _check_names(self) -> None:
        for index in self.select.extent.indexes:
            token = self.source.at(index)
            if (
                token.is_name
                and token.upper in ("PANE_INDEX", "PANE_TIMING")
                and index not in self.found.extent.indexes
            ):
                raise self.source.spec_error(
                    f"{self.source.name(index)} cannot be read here",
                    index,
                    rule="on a stream this SELECT is a windowed one, where the name means the number of a firing",
                    hint=f"give the column another name: TABLE(SELECT *, {self.source.name(index)} AS ... FROM ...)",
                )
        where = self.select.body(Part.WHERE)
        for index in where.indexes if where else ():
            if self.source.at(index).upper in WINDOW_NAMES and not self.source.at(index - 1).is_symbol("."):
                raise self.source.spec_error(
                    f"WHERE reads {self.source.name(index)}",
                    index,
                    rule="on a stream WHERE filters rows before they get their windows",
                    hint="put the condition into HAVING",
                )

    def _check_windows(self, sets: GroupingSets | None) -> None:
        body = self.group_by.body
        parts = self.source.split(body) if sets is None else list(sets.plain)
        if is_all(self.source, body):
            parts = [item.expression for item in self.list.items]
        named = {path[-1] for part in parts if (path := column_path(self.source, self._meant(part)))}
        missing = next((name for name in _NEEDED if name not in named), None)
        if missing is not None:
            raise self.source.spec_error(
                f"GROUP BY has no {missing.lower()}",
                self.group_by.extent,
                rule="on a stream a window function is grouped by both window_start and window_end, which says when a"
                " group is complete",
                hint="write GROUP BY window_start, window_end and the keys, grouping sets after them",
            )

    def _meant(self, part: Extent) -> Extent:
        """The item of the select list that a position or an alias in GROUP BY stands for."""
        if part.stop - part.first != 1:
            return part
        text = self.source.at(part.first).upper
        if text.isdigit() and 0 < int(text) <= len(self.list.items):
            return self.list.items[int(text) - 1].expression
        if text in (self.columns or ()):
            return part
        named = (item.expression for item in self.list.items if text in (name.upper() for name in item.names))
        return next(named, part)

    def _check_session(self, function: WindowQuery, keys: list[Key], qualifiers: frozenset[str]) -> None:
        """A session's keys must be those of GROUP BY: others would group sessions of several keys by chance."""
        if not function.spec.assigner.is_merging:
            return
        matcher = KeyMatcher(self.source, [], qualifiers)
        partition = [self._extent_of(column) for column in function.keys]
        is_same = all(any(matcher.same(key.extent, own) for own in partition) for key in keys) and all(
            any(matcher.same(own, key.extent) for key in keys) for own in partition
        )
        if is_same:
            return
        raise self.source.spec_error(
            "SESSION and GROUP BY have different keys",
            self.group_by.extent,
            rule="on a stream the sessions of a key are grouped by that key",
            hint="name the same keys in PARTITION BY and, beside window_start and window_end, in GROUP BY",
        )

    def _extent_of(self, column: KeyColumn) -> Extent:
        """The tokens of a key of PARTITION BY."""
        inside = [
            i for i in self.found.call.indexes if column.span.start <= self.source.tokens[i].start < column.span.end
        ]
        return Extent(inside[0], inside[-1] + 1)


def _among(expression: str, numbers: list[int]) -> str:
    return f"{expression} IN ({', '.join(map(str, numbers))})" if numbers else "FALSE"
