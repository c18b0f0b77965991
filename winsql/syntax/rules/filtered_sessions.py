"""Sessions of filtered rows: a WHERE over SESSION that is applied before the sessions are made.

    WITH s AS (SELECT k AS g, v, window_start, window_end FROM TABLE(SESSION(...)) WHERE ok)
    SELECT g, sum(v) FROM s WHERE v > 1 GROUP BY g, window_start, window_end

Where a SELECT groups by the keys and bounds of sessions and does nothing else with them, Flink filters first: a row
that WHERE drops does not keep a session open. Subqueries and CTEs in between may project and filter under any names;
their conditions are rewritten in terms of the columns that the function reads.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise

from winsql.errors import WinsqlError
from winsql.model.query import WINDOW_COLUMNS, KeyColumn, WindowQuery
from winsql.syntax.expressions.field_paths import column_at
from winsql.syntax.expressions.items import Item, column_path, generates_rows, quoted, read_select_list
from winsql.syntax.functions.window_table_functions import bind_function
from winsql.syntax.rules.block import QueryBlock, select_of
from winsql.syntax.rules.function_rows import FunctionRows
from winsql.syntax.rules.group import Group, extent_of, find_group
from winsql.syntax.text.parts import Part
from winsql.syntax.text.source import Edit, Extent, Source
from winsql.syntax.text.tokens import upper_name
from winsql.syntax.text.vocabulary import VOLATILE
from winsql.syntax.tree.bridge import index_of, mask_at
from winsql.syntax.tree.nodes import clauses_of, columns_of
from winsql.syntax.tree.outputs import is_star_alone
from winsql.syntax.tree.records import GAP, Role

Column = tuple[str, ...]
"""The names of a column and of its fields."""


@dataclass(frozen=True, slots=True)
class FilteredSessions:
    """The rows of SESSION, and conditions for them in terms of the columns of its table.

    aliases  aliases in GROUP BY, which would not be the keys of the sessions if the table had columns of these names
    read     aliases that items read beside them, so that conditions could not be moved if the table had no such columns
    """

    rows: FunctionRows
    conditions: tuple[str, ...]
    aliases: frozenset[str]
    read: frozenset[str]

    def bind(self, source: Source, columns: frozenset[str] | None) -> WindowQuery:
        """The function over the filtered rows; over all rows where names are not known to be those of columns, or of
        none, as they should be."""
        known = frozenset[str]() if columns is None else columns
        contested = tuple(sorted(self.aliases | self.read))
        if known & self.aliases or self.read - known:
            return replace(bind_function(self.rows.call, source), contested=contested if columns is None else ())
        where = " AND ".join(f"({condition}\n)" for condition in self.conditions)
        return replace(self.rows.query(source), where=where, contested=contested)


def filtered_sessions(source: Source, block: QueryBlock) -> FilteredSessions | None:
    """The sessions of the rows that a SELECT keeps; None where it does more with them, or has no WHERE."""
    group = _group(source, block)
    levels = () if group is None else _levels(source, block)
    if group is None or not any(Part.WHERE in level.select.sections for level in levels):
        return None
    (relation,), chain = levels[-1].relations, _Chain(source, levels)
    origin, last = relation.origin, levels[-1]
    rows = None if origin is None else FunctionRows.of(origin, last.body, last.scope, is_filtered=True)
    try:
        if rows is None or not _are_keys(chain, group, rows.function):
            return None
        filters = ((number, level.select.body(Part.WHERE)) for number, level in enumerate(levels))
        conditions = tuple(chain.text(number, where) for number, where in filters if where is not None)
    except _UnclearError:
        return None
    aliases = group.aliases if GAP in group.relation.output else frozenset()
    return FilteredSessions(rows, conditions, aliases, frozenset(chain.read))


class _UnclearError(Exception):
    """A condition that cannot be rewritten in terms of the function's table."""


def _levels(source: Source, block: QueryBlock) -> tuple[QueryBlock, ...]:
    """The SELECTs from the one that groups down to the one that reads the function.

    () where one of them does more than project and filter, or has several readers.
    """
    found = [block]
    while len(found[-1].relations) == 1:
        (relation,) = found[-1].relations
        if relation.origin is not None:
            return tuple(found)
        below = None if relation.select is None else block.scopes.get(relation.select)
        if below is None or below.is_shared or clauses_of(below.node) - _PROJECTS:
            break
        found.append(replace(block, scope=below, select=select_of(source, below)))
    return ()


_PROJECTS = {"expressions", "from", "where", "with", "hint", "order", "sort", "cluster", "distribute"}
_PROJECTS |= {"operation_modifiers"}  # the word ALL


def _are_keys(chain: _Chain, group: Group, function: WindowQuery) -> bool:
    """Whether the outermost SELECT groups by the keys of the sessions."""
    if len(chain.levels) == 1 and function.keys:
        return group.has_keys_of(function)
    keys = {chain.base(0, place) for place in group.keys_beside_windows()}
    return keys == {_own_key(chain.source, key) for key in function.keys} and "" not in keys


def _own_key(source: Source, key: KeyColumn) -> str:
    """The column, upper case, that is a key of the sessions; '' for another expression."""
    path = column_path(source, extent_of(source, key.span))
    return "" if path is None else path[-1]


def _group(source: Source, block: QueryBlock) -> Group | None:
    """The SELECT, if it groups by the bounds of sessions and does nothing else with them."""
    if any(origin.is_row_stream for origin in block.scope.origins):
        return None
    try:
        group = find_group(source, block)
    except WinsqlError:  # it is raised again when the SELECT is planned
        return None
    if group is None or group.sets is not None or not {Role.START, Role.END} <= group.bounds.keys():
        return None
    return None if group.aggregates_windows() else group


@dataclass(frozen=True, slots=True)
class _Chain:
    """Rewrites expressions of one of the SELECTs in terms of what the last one reads.

    read   as in `FilteredSessions`, of the items that are in what has been rewritten
    """

    source: Source
    levels: Sequence[QueryBlock]
    read: set[str] = field(default_factory=set)

    def text(self, number: int, extent: Extent) -> str:
        """An expression of the SELECT with this number, rewritten; raises _UnclearError."""
        tokens = [self.source.tokens[index] for index in extent.indexes]
        reads_windows = any(index in self.levels[number].scope.meanings for index in extent.indexes)
        if reads_windows or any(token.is_word("OVER") for token in tokens) or self._is_volatile(extent):
            raise _UnclearError
        has_query = any(token.is_word("SELECT") for token in tokens)
        if has_query and any(token.upper.lower() in WINDOW_COLUMNS for token in tokens):
            raise _UnclearError
        if number == len(self.levels) - 1:
            return self.source.verbatim(extent)
        if has_query:  # nobody knows whose columns are in it: all names must mean the same below
            if any(token.is_symbol(".") for token in tokens) or not self._reads_names_of_last(number):
                raise _UnclearError
            return self.source.verbatim(extent)
        return self.source.verbatim(extent, [self._edit(number, place) for place in self._columns(number, extent)])

    def _is_volatile(self, extent: Extent) -> bool:
        """Whether an expression has another value each time: it stays where it is too."""
        calls = (index for index in extent.indexes if self.source.at(index + 1).is_symbol("("))
        return any(self.source.at(index).is_word(*VOLATILE) for index in calls)

    def _reads_names_of_last(self, number: int) -> bool:
        """Whether all SELECTs below this one are `SELECT *`, and none is renamed."""
        levels = pairwise(level.scope for level in self.levels[number:])
        return all(is_star_alone(low.node) and up.relations[0].output == low.output for up, low in levels)

    def base(self, number: int, extent: Extent) -> str:
        """The column of the function's table, upper case, that an expression is; '' where it is none."""
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
        path = "".join(f".{quoted(field)}" for field in fields)
        item = self._item(number, name)
        text = quoted(name) if item is None else self.text(*item)
        return Edit(*self.source.span(place), f"({text}\n){path}")

    def _column(self, number: int, place: Extent) -> Column:
        """A reference without the name of the relation."""
        names = tuple(self.source.name(index) for index in place.indexes if self.source.tokens[index].is_name)
        relation = self.levels[number].scope.relations[0].name
        return names[1:] if len(names) > 1 and names[0].lower() == relation else names

    def _item(self, number: int, name: str) -> tuple[int, Extent] | None:
        """The item that computes a column which a SELECT reads, with the number of the item's SELECT.

        None for a column of the function's table. Raises _UnclearError for a column that may be neither.
        """
        (relation,) = self.levels[number].relations
        if GAP in relation.output and not relation.has(name.lower()):
            return None
        column = relation.column(name.lower())
        if column is None or column.item is None:
            raise _UnclearError
        first, place = column.item
        number = next(n for n, level in enumerate(self.levels) if level.scope.first == first)
        items = read_select_list(self.source, self.levels[number].select).items
        expression = items[place].expression
        if generates_rows(self.source, expression):
            raise _UnclearError
        self._note_aliases(number, expression, items[:place])
        return number, expression

    def _note_aliases(self, number: int, expression: Extent, before: Sequence[Item]) -> None:
        """Note the aliases of items before an expression that are read in it, unless they are columns for certain."""
        (relation,) = self.levels[number].relations
        aliases = {self.source.fold(name) for item in before for name in item.names}
        for place in self._columns(number, expression):
            name = self.source.folded(place.first)
            if name in aliases and not relation.has(self.source.name(place.first).lower()):
                self.read.add(name)
