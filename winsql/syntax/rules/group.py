"""GROUP BY, or DISTINCT, over rows that have windows.

    SELECT c.s, max(c.n) FROM (SELECT ..., window_start AS s, window_end AS e FROM ...) AS c GROUP BY c.s, c.e

The end of the windows, or their last instant, must be among the keys: it says when a group is complete. What else is
among them, the start of the windows too, is a key as any other.

    SELECT k, count(*) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), size)) GROUP BY window_start, window_end, k

Right over a window table function, by both bounds of its windows, it is the query of `FROM t WINDOW ASSIGN
TUMBLING(ts, size) GROUP BY k`, whose windows share their slices.
"""

from __future__ import annotations

from collections.abc import Set
from dataclasses import dataclass, replace

from winsql.errors import Span
from winsql.model.query import WindowQuery
from winsql.syntax.bind.grouping import is_all
from winsql.syntax.expressions.function_calls import IsAggregate
from winsql.syntax.expressions.items import Item, read_select_list
from winsql.syntax.expressions.keys import KeyMatcher
from winsql.syntax.expressions.over import over_calls
from winsql.syntax.expressions.references import ReferenceKind, find_references
from winsql.syntax.functions.table_function_calls import TableCall
from winsql.syntax.functions.window_table_functions import bind_function
from winsql.syntax.rules.function_rows import function_rows, read_function
from winsql.syntax.rules.grouped import Grouped
from winsql.syntax.rules.grouping_sets import GroupingSets, read_grouping_sets
from winsql.syntax.rules.moment import column_at, end_column, moment_query, windows_of
from winsql.syntax.rules.rank import check_calls
from winsql.syntax.rules.window_keys import meant_key, window_keys
from winsql.syntax.selects.relations import relation_names
from winsql.syntax.text.parts import Part, Select
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind
from winsql.syntax.tree.records import Role, Scope

__all__ = ["Group", "aggregates_windows", "are_keys_of", "bind_group", "extent_of", "find_group", "keys_beside_windows"]


@dataclass(frozen=True, slots=True)
class Group:
    """A SELECT that groups rows of one relation with windows.

    sets   its grouping sets, None where it has keys only
    end    the token of the key that says when; None where none does
    bounds   the window columns among its keys
    call     the window table function in whose place it comes; None where it reads what that gives
    """

    scope: Scope
    select: Select
    relation: int
    sets: GroupingSets | None
    end: int | None
    bounds: frozenset[Role]
    call: TableCall | None = None

    @property
    def replaces(self) -> frozenset[Extent]:
        """The fragments that need no plan of their own."""
        return frozenset() if self.call is None else frozenset({self.call.extent})


def find_group(source: Source, scope: Scope, select: Select, columns: frozenset[str] = frozenset()) -> Group | None:
    """The SELECT as a grouping of windows; None where it names none of them among its keys.

    columns   aliases that are known to be columns too
    """
    windowed = [n for n, relation in enumerate(scope.relations) if relation.is_windowed]
    group_by = select.get(Part.GROUP_BY)
    if len(windowed) != 1 or not (group_by is not None or _items(source, select)[0]):
        return None
    if group_by is None and over_calls(source, select):
        return None  # what OVER ranks are the rows, before DISTINCT
    sets = None if group_by is None else read_grouping_sets(source, group_by)
    named = [window_keys(source, scope, keys) for keys in _keys(source, scope, select, sets, columns)]
    if not any(named):
        return None
    bounds = frozenset.intersection(*(frozenset(roles) for roles in named))
    end = next((named[0][role] for role in (Role.END, Role.TIME) if role in bounds), None)
    found = Group(scope, select, windowed[0], sets, end, bounds)
    return replace(found, call=_function_of(source, found, columns))


def bind_group(
    source: Source, found: Group, is_aggregate: IsAggregate | None, columns: frozenset[str] | None
) -> WindowQuery:
    """The query of such a SELECT over a stream; raises WindowSpecError where it cannot be one.

    columns   as for `winsql.syntax.bind.select.bind`
    """
    select = found.select
    if columns:
        known = find_group(source, found.scope, select, columns)
        found = replace(found, end=None) if known is None or known.replaces != found.replaces else known
    if found.end is None:
        raise source.spec_error(
            "GROUP BY has no window_end",
            select.sections[Part.GROUP_BY if Part.GROUP_BY in select.sections else Part.SELECT].extent,
            rule="on a stream rows of windows are grouped by window_end, which says when a group is complete",
            hint=_end_hint(found),
        )
    if found.call is not None:
        base = read_function(source, select, found.call)
        own = source.with_windows({token: meaning.role.value for token, meaning in found.scope.meanings.items()})
    else:
        role = found.scope.meanings[found.end].role
        relation = found.scope.relations[found.relation]
        base = moment_query(source, select, end_column(source, found.end, relation), role)
        windows = windows_of(found.scope, [found.relation])
        if found.sets is not None:  # what a set leaves out is NULL in it
            fixed = {bound.value for bound in found.bounds}
            windows = {token: name for token, name in windows.items() if name in fixed}
        own = source.with_windows(windows)
    calls = over_calls(source, select)
    check_calls(source, found.scope, calls, _items(source, select)[1], columns)
    return Grouped(own, select, found.sets, is_aggregate, columns, calls, has_columns=found.call is None).query(base)


def _function_of(source: Source, found: Group, columns: frozenset[str]) -> TableCall | None:
    """The window table function that is all that the SELECT reads, where it groups by its windows and does nothing
    else with them."""
    call = function_rows(source, found.scope, found.select)
    if call is None or not {Role.START, Role.END} <= found.bounds or aggregates_windows(source, found):
        return None
    sets = _keys(source, found.scope, found.select, found.sets, columns)
    if any(_needs_windows(source, found, key) for keys in sets for key in keys):
        return None
    return call if _has_keys_of_sessions(source, found, call, columns) else None


def _needs_windows(source: Source, found: Group, key: Extent) -> bool:
    """Whether a key must be computed with the windows at hand: with other columns, or as NULL in some sets."""
    meanings = found.scope.meanings
    read = [r.extent.stop - 1 for r in find_references(source, key) if r.kind is not ReferenceKind.AGGREGATE]
    roles = [meanings[token].role for token in read if token in meanings]
    if not roles or (column_at(source, key.stop - 1) == key and roles[0] in found.bounds):
        return False
    return found.sets is not None or len(roles) < len(read)


def aggregates_windows(source: Source, found: Group) -> bool:
    """Whether aggregates read window columns."""
    read: list[Extent] = []
    for part, section in found.select.sections.items():
        if part not in (Part.FROM, Part.WHERE):
            calls = find_references(source, section.body, lambda _: False)
            read += [call.extent for call in calls if call.kind is ReferenceKind.AGGREGATE]
    return any(token in extent.indexes for extent in read for token in found.scope.meanings)


def _has_keys_of_sessions(source: Source, found: Group, call: TableCall, columns: frozenset[str]) -> bool:
    """Whether the keys are those of the sessions: by others it groups sessions of several keys."""
    function = bind_function(source, call)
    if not function.spec.assigner.is_merging:
        return True
    if found.sets is not None:
        return False
    return are_keys_of(source, found, function, keys_beside_windows(source, found, columns, may_guess=True))


def are_keys_of(source: Source, found: Group, function: WindowQuery, keys: list[Extent]) -> bool:
    """Whether these keys of a SELECT that reads a function itself are those of the function."""
    matcher = KeyMatcher(source, [], relation_names(source, found.select.sections[Part.FROM].body))
    own = [extent_of(source, column.span) for column in function.keys]
    are_own = all(any(matcher.same(key, column) for column in own) for key in keys)
    return are_own and all(any(matcher.same(column, key) for key in keys) for column in own)


def keys_beside_windows(
    source: Source, found: Group, columns: frozenset[str] = frozenset(), *, may_guess: bool = False
) -> list[Extent]:
    """The keys of a SELECT without grouping sets that are neither window columns nor literals, items in the place of
    their aliases.

    may_guess   whether to take a name for an alias where it may be a column too, as `Grouping` does
    """
    items = _items(source, found.select)[1]
    keys = _keys(source, found.scope, found.select, None, columns)[0]
    keys = [key for key in keys if key.stop - 1 not in found.scope.meanings and not _is_literal(source, key)]
    known = {column.name for column in found.scope.relations[found.relation].output}
    if None in known and not may_guess:
        return keys
    return [_unaliased(source, key, items, columns | (known - {None})) for key in keys]


def _is_literal(source: Source, key: Extent) -> bool:
    return len(key.indexes) == 1 and source.at(key.first).kind in (TokenKind.STRING, TokenKind.NUMBER)


def _unaliased(source: Source, key: Extent, items: tuple[Item, ...], columns: Set[str | None]) -> Extent:
    """The expression of the item that has the key for its alias, where that reads columns, and none of this name."""
    name = source.folded(key.first) if len(key.indexes) == 1 and source.at(key.first).is_name else None
    item = next((i for i in items if i.alias and source.folded(i.alias.first) == name), None)
    if name is None or item is None or columns & {name, name.lower()}:
        return key
    read = [r.extent.stop - 1 for r in find_references(source, item.expression) if r.kind is ReferenceKind.COLUMN]
    return source.unwrapped(item.expression) if read and all(source.folded(n) != name for n in read) else key


def extent_of(source: Source, span: Span) -> Extent:
    """The tokens at a place in the text."""
    inside = [n for n, token in enumerate(source.tokens) if span.start <= token.start < span.end]
    return Extent(inside[0], inside[-1] + 1)


def _end_hint(found: Group) -> str:
    relation = found.scope.relations[found.relation]
    end = next((column.name for column in relation.output if column.role is Role.END), None)
    if not end:
        return "select window_end in the subquery, as it is, and add it to GROUP BY"
    where = " of each grouping set, or beside them" if found.sets is not None else ""
    return f"add {f'{relation.name}.' if relation.name else ''}{end} to GROUP BY{where}"


def _keys(
    source: Source, scope: Scope, select: Select, sets: GroupingSets | None, columns: frozenset[str]
) -> list[list[Extent]]:
    """The keys of each grouping set, items in the place of their positions, of ALL, and of aliases that only they can
    have."""
    is_distinct, items = _items(source, select)
    group_by = select.get(Part.GROUP_BY)
    expressions = [source.unwrapped(item.expression) for item in items]
    if group_by is None:
        return [expressions if is_distinct else []]
    if is_all(source, group_by.body):
        return [[key for key in expressions if not _has_aggregate(source, key)]]
    parts = [source.split(group_by.body)] if sets is None else list(sets.sets)
    return [[_at_position(source, scope, source.unwrapped(key), items, columns) for key in keys] for keys in parts]


def _has_aggregate(source: Source, extent: Extent) -> bool:
    return any(found.kind is ReferenceKind.AGGREGATE for found in find_references(source, extent))


def _at_position(source: Source, scope: Scope, key: Extent, items: tuple[Item, ...], columns: frozenset[str]) -> Extent:
    text = source.at(key.first).upper
    if len(key.indexes) == 1 and text.isdigit() and 0 < int(text) <= len(items):
        return source.unwrapped(items[int(text) - 1].expression)
    return meant_key(source, scope, key, items, columns)


def _items(source: Source, select: Select) -> tuple[bool, tuple[Item, ...]]:
    listed = read_select_list(source, select)
    return listed.is_distinct, listed.items
