"""The rows that are left for the sessions of a SELECT that groups by them.

    WITH s AS (SELECT k AS g, v, window_start, window_end FROM TABLE(SESSION(...)) WHERE ok)
    SELECT g, sum(v) FROM s WHERE v > 1 GROUP BY g, window_start, window_end

Flink filters before it makes sessions where a SELECT groups by their keys and bounds and nothing else is done with the
windows: the rows that a WHERE drops hold no session together. Between the two may be subqueries and CTEs that project
and filter, under any names; their conditions are then put in terms of what the function reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

from winsql.errors import WinsqlError
from winsql.model.query import WINDOW_COLUMNS, KeyColumn, WindowQuery
from winsql.syntax.expressions.items import column_path, generates_rows, quoted, read_select_list
from winsql.syntax.functions.table_function_calls import TableCall
from winsql.syntax.functions.window_table_functions import bind_function, function_at
from winsql.syntax.rules.function_rows import read_function
from winsql.syntax.rules.group import Group, aggregates_windows, are_keys_of, extent_of, find_group, keys_beside_windows
from winsql.syntax.rules.moment import column_at
from winsql.syntax.selects.scanner import select_at
from winsql.syntax.text.parts import Part, Select
from winsql.syntax.text.source import Edit, Extent, Source
from winsql.syntax.text.tokens import upper_name
from winsql.syntax.tree.bridge import index_of, mask_at
from winsql.syntax.tree.nodes import clauses_of, columns_of
from winsql.syntax.tree.outputs import star_of
from winsql.syntax.tree.records import GAP, Role, Scope

__all__ = ["KeptRows", "kept_rows"]

Column = tuple[str, ...]
"""The names of a column and of its fields."""


@dataclass(frozen=True, slots=True)
class KeptRows:
    """A session function and the conditions, in terms of its columns, of the rows that are left for it.

    select  the SELECT that reads the function itself
    """

    call: TableCall
    select: Select
    conditions: tuple[str, ...]

    def bind(self, source: Source, _: Any) -> WindowQuery:
        """The function over those rows alone."""
        where = " AND ".join(f"({condition}\n)" for condition in self.conditions)
        return replace(read_function(source, self.select, self.call), where=where)


def kept_rows(source: Source, scopes: Mapping[int, Scope], scope: Scope, select: Select) -> KeptRows | None:
    """What a SELECT leaves for the sessions that it groups by; None where it is no such SELECT or leaves all rows.

    scopes   the SELECTs read so far, by their first token
    """
    group = _group(source, scope, select)
    levels = () if group is None else _levels(source, scopes, scope, select)
    if group is None or not any(Part.WHERE in level.select.sections for level in levels):
        return None
    origin = levels[-1].scope.relations[0].origin
    call = None if origin is None else function_at(source, origin.extent.first)
    if call is None or not _are_keys(source, group, levels, call):
        return None
    try:
        conditions = tuple(_conditions(_Chain(source, levels)))
    except _UnclearError:
        return None
    return KeptRows(call, levels[-1].select, conditions)


class _Level(NamedTuple):
    """One of the SELECTs from the one that groups down to the one that reads the function."""

    scope: Scope
    select: Select


class _UnclearError(Exception):
    """A condition that cannot be put in terms of what the function reads."""


def _levels(source: Source, scopes: Mapping[int, Scope], scope: Scope, select: Select) -> tuple[_Level, ...]:
    """These SELECTs; () where anything else is among them."""
    found = [_Level(scope, select)]
    while len(found[-1].scope.relations) == 1:
        (relation,) = found[-1].scope.relations
        if relation.origin is not None:
            return tuple(found)
        below = None if relation.select is None else scopes.get(relation.select)
        if below is None or below.is_shared or clauses_of(below.node) - _PROJECTS:
            break
        found.append(_Level(below, select_at(source, below.first)))
    return ()


_PROJECTS = {"expressions", "from", "where", "with", "hint", "order", "sort", "cluster", "distribute"}
_PROJECTS |= {"operation_modifiers"}  # the word ALL


def _are_keys(source: Source, group: Group, levels: Sequence[_Level], call: TableCall) -> bool:
    """Whether the outermost SELECT groups by the keys of the sessions."""
    function = bind_function(source, call)
    if len(levels) == 1 and function.keys:
        return are_keys_of(source, group, function, keys_beside_windows(source, group))
    chain = _Chain(source, levels)
    try:
        keys = {chain.base(0, place) for place in keys_beside_windows(source, group)}
    except _UnclearError:
        return False
    own = {_own_key(source, key) for key in function.keys}
    return keys == own and "" not in keys


def _own_key(source: Source, key: KeyColumn) -> str:
    """The column that is a key of the sessions, upper case; '' for what is no column."""
    path = column_path(source, extent_of(source, key.span))
    return "" if path is None else path[-1]


def _group(source: Source, scope: Scope, select: Select) -> Group | None:
    """The SELECT where it groups by the bounds of sessions, and nothing else reads them."""
    if any(origin.are_rows for origin in scope.origins):
        return None
    try:
        group = find_group(source, scope, select)
    except WinsqlError:  # it is said where it is planned
        return None
    if group is None or group.sets is not None or not {Role.START, Role.END} <= group.bounds:
        return None
    return None if aggregates_windows(source, group) else group


def _conditions(chain: _Chain) -> Iterator[str]:
    for number, level in enumerate(chain.levels):
        where = level.select.body(Part.WHERE)
        if where is not None:
            yield chain.text(number, where)


@dataclass(frozen=True, slots=True)
class _Chain:
    """Puts expressions of one of the SELECTs in terms of what the last one reads."""

    source: Source
    levels: Sequence[_Level]

    def text(self, number: int, extent: Extent) -> str:
        """An expression of the SELECT with this number."""
        tokens = [self.source.tokens[index] for index in extent.indexes]
        reads_windows = any(index in self.levels[number].scope.meanings for index in extent.indexes)
        if reads_windows or any(token.is_word("OVER") for token in tokens):
            raise _UnclearError
        has_query = any(token.is_word("SELECT") for token in tokens)
        if has_query and any(token.upper.lower() in WINDOW_COLUMNS for token in tokens):
            raise _UnclearError
        if number == len(self.levels) - 1:
            return self.source.verbatim(extent)
        if has_query:  # whose columns those in it are is not known: all names must mean the same below
            if any(token.is_symbol(".") for token in tokens) or not self._reads_names_of_last(number):
                raise _UnclearError
            return self.source.verbatim(extent)
        return self.source.verbatim(extent, [self._edit(number, place) for place in self._columns(number, extent)])

    def _reads_names_of_last(self, number: int) -> bool:
        """Whether all SELECTs below this one hand on all columns by their own names."""
        for upper, lower in pairwise(level.scope for level in self.levels[number:]):
            items = lower.node.expressions
            if len(items) > 1 or star_of(items[0]) is None or upper.relations[0].output != lower.output:
                return False
        return True

    def base(self, number: int, extent: Extent) -> str:
        """The column, upper case, that an expression is in what the last one reads; '' where it is none."""
        extent = self.source.unwrapped(extent)
        column = () if column_path(self.source, extent) is None else self._column(number, extent)
        if len(column) != 1:
            return ""
        item = self._item(number, column[0])
        return upper_name(column[0]) if item is None else self.base(*item)

    def _columns(self, number: int, extent: Extent) -> Iterator[Extent]:
        for column in columns_of(self.levels[number].scope.node):
            token = index_of(column.this)
            if token is None or token not in extent.indexes:
                continue
            if mask_at(column.name) is not None:
                raise _UnclearError
            yield column_at(self.source, token)

    def _edit(self, number: int, place: Extent) -> Edit:
        name, *fields = self._column(number, place)
        span = self.source.span(place)
        path = "".join(f".{quoted(field)}" for field in fields)
        item = self._item(number, name)
        text = quoted(name) if item is None else self.text(*item)
        return Edit(span.start, span.end, f"({text}\n){path}")

    def _column(self, number: int, place: Extent) -> Column:
        """A reference without the name of the relation."""
        names = tuple(self.source.name(index) for index in place.indexes if self.source.tokens[index].is_name)
        relation = self.levels[number].scope.relations[0].name
        return names[1:] if len(names) > 1 and names[0].lower() == relation else names

    def _item(self, number: int, name: str) -> tuple[int, Extent] | None:
        """The item that a column is of what a SELECT reads, with the number of the item's SELECT.

        None for a column of what the last one reads. Raises _UnclearError for a column that may be neither.
        """
        output = self.levels[number].scope.relations[0].output
        found = [column for column in output if column.name == name.lower()]
        if not found and GAP in output:
            return None
        if len(found) != 1 or found[0].item is None:
            raise _UnclearError
        first, place = found[0].item
        number = next(n for n, level in enumerate(self.levels) if level.scope.first == first)
        expression = read_select_list(self.source, self.levels[number].select).items[place].expression
        if generates_rows(self.source, expression):
            raise _UnclearError
        return number, expression
