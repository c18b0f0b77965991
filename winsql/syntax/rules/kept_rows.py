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
from typing import Any

from sqlglot import exp

from winsql.errors import WinsqlError
from winsql.model.query import WINDOW_COLUMNS, KeyColumn, WindowQuery
from winsql.syntax.expressions.items import Item, column_path, generates_rows, quoted, read_select_list
from winsql.syntax.functions.table_function_calls import TableCall
from winsql.syntax.functions.window_table_functions import bind_function, function_at
from winsql.syntax.rules.function_rows import read_function
from winsql.syntax.rules.group import Group, aggregates_windows, are_keys_of, extent_of, find_group, keys_beside_windows
from winsql.syntax.rules.moment import column_at
from winsql.syntax.selects.scanner import select_at
from winsql.syntax.text.parts import Part, Select
from winsql.syntax.text.source import Edit, Extent, Source
from winsql.syntax.text.tokens import upper_name
from winsql.syntax.tree.bridge import index_of, mask_at, select_index
from winsql.syntax.tree.nodes import columns_of, cte_of
from winsql.syntax.tree.records import Role, Scope

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
    levels = None if group is None else _levels(source, scopes, scope, select)
    if group is None or levels is None or not any(Part.WHERE in level.select.sections for level in levels):
        return None
    body = _from(levels[-1].scope.node)
    call = function_at(source, mask_at(body.name))
    has_names = bool(getattr(body.args.get("alias"), "columns", ()))
    if call is None or has_names or not _are_keys(source, group, levels, call):
        return None
    try:
        conditions = tuple(_conditions(_Chain(source, levels)))
    except _UnclearError:
        return None
    return KeptRows(call, levels[-1].select, conditions)


@dataclass(frozen=True, slots=True)
class _Level:
    """One of the SELECTs from the one that groups down to the one that reads the function; `names` are those that the
    one around it has for its columns, () where they keep theirs."""

    scope: Scope
    select: Select
    names: tuple[str, ...] = ()


class _UnclearError(Exception):
    """A condition that cannot be put in terms of what the function reads."""


def _levels(source: Source, scopes: Mapping[int, Scope], scope: Scope, select: Select) -> tuple[_Level, ...] | None:
    found = [_Level(scope, select)]
    while True:
        node = found[-1].scope.node
        body = _from(node)
        if len(found[-1].scope.relations) != 1 or node.args.get("joins") or node.args.get("laterals"):
            return None
        if isinstance(body, exp.Table) and mask_at(body.name) is not None:
            return tuple(found)
        inner, names = _query_of(body)
        below = scopes.get(-1 if inner is None else select_index(inner) or -1)
        if inner is None or below is None or _parts(inner) - _PROJECTS:
            return None
        found.append(_Level(below, select_at(source, below.first), names))


_PROJECTS = {"expressions", "from", "where", "with", "hint"}


def _from(node: exp.Select) -> exp.Expr:
    return (node.args.get("from_") or node.args["from"]).this  # type: ignore[no-any-return]


def _parts(node: exp.Expr) -> set[str]:
    """What a node has, by names that all releases of sqlglot know."""
    return {name.rstrip("_") for name, value in node.args.items() if value}


def _query_of(body: exp.Expr) -> tuple[exp.Select | None, tuple[str, ...]]:
    """The SELECT in a relation's place, of a CTE that nothing else reads, and the names that it gives its columns."""
    names: tuple[str, ...] = ()
    while True:
        if _parts(body) - {"this", "alias", "with"}:
            return None, ()
        names = names or tuple(column.name for column in getattr(body.args.get("alias"), "columns", ()))
        if isinstance(body, exp.Table):
            cte = cte_of(body)
            if cte is None:
                return None, ()
            names = names or tuple(column.name for column in getattr(cte.args.get("alias"), "columns", ()))
            body = cte.this
        elif isinstance(body, (exp.Subquery, exp.Paren)):
            body = body.this
        if isinstance(body, exp.Select):
            return body, names
        if not isinstance(body, (exp.Table, exp.Subquery, exp.Paren)):
            return None, ()


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
            if any(token.is_symbol(".") for token in tokens) or not all(map(self._is_star, self.levels[number + 1 :])):
                raise _UnclearError
            return self.source.verbatim(extent)
        return self.source.verbatim(extent, [self._edit(number, place) for place in self._columns(number, extent)])

    def _is_star(self, level: _Level) -> bool:
        """Whether a SELECT hands on all columns, by their names."""
        section = level.select.sections[Part.SELECT]
        return not level.names and self.source.normal(section.body) == ("*",)

    def base(self, number: int, extent: Extent) -> str:
        """The column, upper case, that an expression is in what the last one reads; '' where it is none."""
        column = () if column_path(self.source, extent) is None else self._column(number, extent)
        if len(column) != 1:
            return ""
        return upper_name(column[0]) if number == len(self.levels) - 1 else self._base_of(number + 1, column[0])

    def _base_of(self, number: int, name: str) -> str:
        item = self._item(number, name)
        if item is not None:
            return self.base(number, self.source.unwrapped(item))
        return upper_name(name) if number == len(self.levels) - 1 else self._base_of(number + 1, name)

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
        return Edit(span.start, span.end, f"({self._text_of(number + 1, name)}\n){path}")

    def _text_of(self, number: int, name: str) -> str:
        item = self._item(number, name)
        if item is not None:
            return self.text(number, item)
        return quoted(name) if number == len(self.levels) - 1 else self._text_of(number + 1, name)

    def _column(self, number: int, place: Extent) -> Column:
        """A reference without the name of the relation."""
        names = tuple(self.source.name(index) for index in place.indexes if self.source.tokens[index].is_name)
        relation = self.levels[number].scope.relations[0].name
        return names[1:] if len(names) > 1 and names[0].lower() == relation else names

    def _item(self, number: int, name: str) -> Extent | None:
        """The expression that a SELECT calls so; None where `*` hands it on. Raises _UnclearError where neither is."""
        level, source = self.levels[number], self.source
        section = level.select.sections[Part.SELECT]
        items = read_select_list(source, section.head, section.body).items
        names = level.names or [self._name(item) for item in items]
        found = [item for item, own in zip(items, names, strict=False) if (own or "").lower() == name.lower()]
        has_star = any(source.at(item.expression.stop - 1).is_symbol("*") for item in items)
        if len(found) > 1 or (not found and (not has_star or level.names)) or (found and has_star and level.names):
            raise _UnclearError
        if found and generates_rows(source, found[0].expression):
            raise _UnclearError
        return found[0].expression if found else None

    def _name(self, item: Item) -> str | None:
        if item.alias is not None:
            return item.names[0] if len(item.names) == 1 else None
        is_column = column_path(self.source, item.expression) is not None
        return self.source.name(item.expression.stop - 1) if is_column else None
