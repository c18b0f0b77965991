"""Calls with OVER over rows that have windows: Top-N and deduplication, and every other window function.

    SELECT items, ROW_NUMBER() OVER (PARTITION BY window_start, window_end [, keys] ORDER BY ...) AS n FROM ...
    SELECT items, total / SUM(total) OVER (PARTITION BY window_start, window_end) AS share FROM ...
    SELECT items FROM ... QUALIFY ROW_NUMBER() OVER w = 1 WINDOW w AS (PARTITION BY window_end ORDER BY ...)

All rows of the windows that end at one moment come in one micro-batch, the one whose watermark passes it: what a call
gives there it gives for good. Results of windows come so; rows that have come as they are read are gathered first.

Of rows with the same time Flink's deduplication, a ROW_NUMBER by time of which only number 1 stays, keeps the first
that arrives where the order is ASC and the last where it is DESC. Its Top-N has those first that arrive first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from winsql.model.query import Form, KeyColumn, WindowQuery
from winsql.model.window_functions import RankingFunction, Ties
from winsql.syntax.bind.projection import project
from winsql.syntax.expressions.function_calls import IsAggregate
from winsql.syntax.expressions.items import Item, contested_names, read_select_list
from winsql.syntax.expressions.keys import KeyMatcher, key_columns, numbered
from winsql.syntax.expressions.over import OverCall, check_rankings, no_end, over_calls
from winsql.syntax.functions.table_function_calls import TableCall
from winsql.syntax.functions.window_table_functions import bind_function
from winsql.syntax.rules.function_rows import filters, function_rows, read_function
from winsql.syntax.rules.moment import column_at, end_column, moment_query, windows_of
from winsql.syntax.rules.window_keys import meant_key, window_keys
from winsql.syntax.selects.relations import relation_names
from winsql.syntax.text.parts import Part, Select
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.tree.rankings import IN_QUALIFY
from winsql.syntax.tree.records import Role, Scope

__all__ = ["Rank", "bind_rank", "check_calls", "find_rank"]


@dataclass(frozen=True, slots=True)
class Rank:
    """A SELECT that has calls with OVER over rows of one relation with windows.

    call   the window table function whose rows it ranks as they are read; None where it ranks what others give
    """

    scope: Scope
    select: Select
    calls: tuple[OverCall, ...]
    relation: int
    call: TableCall | None = None

    @property
    def replaces(self) -> frozenset[Extent]:
        """The fragments that need no plan of their own."""
        return frozenset() if self.call is None else frozenset({self.call.extent})


def find_rank(source: Source, scope: Scope, select: Select) -> Rank | None:
    """The SELECT as a ranking; None where it has no call with OVER, or groups."""
    windowed = [n for n, relation in enumerate(scope.relations) if relation.is_windowed]
    if len(windowed) != 1 or Part.GROUP_BY in select.sections:
        return None
    calls = over_calls(source, select)
    if not calls:
        return None
    found = Rank(scope, select, calls, windowed[0])
    return replace(found, call=_function_of(source, found))


def bind_rank(
    source: Source, found: Rank, is_aggregate: IsAggregate | None, columns: frozenset[str] | None
) -> WindowQuery:
    """The query of such a SELECT over a stream; raises WindowSpecError where it cannot be one.

    columns   as for `winsql.syntax.bind.select.bind`
    """
    select, scope = found.select, found.scope
    listed = read_select_list(source, select)
    ends = check_calls(source, scope, found.calls, listed.items, columns)
    qualifiers = relation_names(source, select.sections[Part.FROM].body)
    if found.call is not None:
        base = read_function(source, select, found.call)
        own = source.with_windows({token: meaning.role.value for token, meaning in scope.meanings.items()})
    else:
        role = scope.meanings[ends[0]].role
        base = moment_query(source, select, end_column(source, ends[0], scope.relations[found.relation]), role)
        own = source.with_windows(windows_of(scope, [found.relation]))
    stars = _WINDOWS if found.call is not None else ()
    projection = project(
        own, select, listed, [], qualifiers, is_aggregate, None, columns, ranked=found.calls, star_windows=stars
    )
    if projection.form is not Form.ROWS or projection.over is None:
        raise source.spec_error(
            "OVER cannot be over an aggregate of all windows",
            select.sections[Part.SELECT].body,
            rule="on a stream each group belongs to windows that end together",
            hint="add GROUP BY window_start, window_end",
        )
    where = select.body(Part.WHERE)
    is_merging = base.spec.assigner.is_merging
    return replace(
        base,
        span=source.span(select.extent),
        where=source.verbatim(where) if where else None,
        keys=base.keys if is_merging else _keys(own, found, qualifiers),
        payload=projection.payload,
        form=Form.ROWS,
        head=projection.head,
        tail=projection.tail,
        is_distinct=listed.is_distinct,
        unnamed=projection.unnamed,
        window_columns=projection.windows,
        variables=projection.variables,
        contested=tuple(sorted(contested_names(source, select, listed.items))),
        over=replace(projection.over, ties=_ties(source, found, listed.items), most=_most(source, found, listed.items)),
    )


_WINDOWS = tuple(role.value for role in Role)


def check_calls(
    source: Source,
    scope: Scope,
    calls: Sequence[OverCall],
    items: tuple[Item, ...],
    columns: frozenset[str] | None,
) -> list[int]:
    """The tokens that name, in the window of each call, the end of the windows.

    Raises WindowSpecError for a call that a stream cannot have.
    """
    check_rankings(source, calls)
    return [_end(source, scope, call, items, columns or frozenset()) for call in calls]


def _end(source: Source, scope: Scope, call: OverCall, items: tuple[Item, ...], columns: frozenset[str]) -> int:
    named = _named(source, scope, call, items, columns)
    end = next((named[role] for role in (Role.END, Role.TIME) if role in named), None)
    if end is not None:
        return end
    relation = next(relation for relation in scope.relations if relation.is_windowed)
    name = next((column.name for column in relation.output if column.role is Role.END), None)
    shown = f"{relation.name}.{name}" if relation.name and name else name or None
    raise no_end(source, call, shown)


def _named(
    source: Source, scope: Scope, call: OverCall, items: tuple[Item, ...], columns: frozenset[str]
) -> dict[Role, int]:
    """The window columns among the keys of a window, as the tokens of their names."""
    keys = (meant_key(source, scope, source.unwrapped(part), items, columns) for part in call.partition)
    return window_keys(source, scope, keys)


# the rows that are ranked


def _function_of(source: Source, found: Rank) -> TableCall | None:
    """The window table function whose rows these are, where all its windows are ranked apart and nothing but items
    reads them."""
    call = function_rows(source, found.scope, found.select)
    if call is None or any(source.at(i).is_word("EXCEPT") for i in found.select.sections[Part.SELECT].body.indexes):
        return None
    if filters(source, found.select, call) and bind_function(source, call).spec.assigner.is_merging:
        return None  # the sessions are those of all rows
    items = read_select_list(source, found.select).items
    named = [_named(source, found.scope, one, items, frozenset()) for one in found.calls]
    return call if all({Role.START, Role.END} <= roles.keys() for roles in named) else None


def _keys(source: Source, found: Rank, qualifiers: frozenset[str]) -> tuple[KeyColumn, ...]:
    """What rows are gathered by: the keys that all calls rank apart by, but for the windows."""
    matcher = KeyMatcher(source, [], qualifiers)
    first, *others = ([p for p in call.partition if not _is_window(source, p)] for call in found.calls)
    shared = [part for part in first if all(any(matcher.same(part, key) for key in keys) for keys in others)]
    columns = (part for part in shared if _is_column(source, found, part))
    return key_columns(source, numbered(columns))


def _is_window(source: Source, part: Extent) -> bool:
    part = source.unwrapped(part)
    return not part.is_empty and source.window_column(part) is not None


def _is_column(source: Source, found: Rank, part: Extent) -> bool:
    """Whether a key reads the source alone, and no name of an item."""
    names = {source.fold(name) for item in read_select_list(source, found.select).items for name in item.names}
    return not any(source.folded(i) in names or i in found.scope.meanings for i in part.indexes)


def _ties(source: Source, found: Rank, items: tuple[Item, ...]) -> Ties:
    is_last = (_keeps_last(source, found, call, items) for call in found.calls if call.name == "ROW_NUMBER")
    return Ties.LAST_ARRIVED if all([*is_last] or [False]) else Ties.FIRST_ARRIVED


def _keeps_last(source: Source, found: Rank, call: OverCall, items: tuple[Item, ...]) -> bool:
    """Whether the last row by time stays alone."""
    (part, *others) = call.order
    expression = source.unwrapped(part.expression)
    name = expression.stop - 1
    meaning = found.scope.meanings.get(name)
    is_time = name in found.scope.times or (meaning is not None and meaning.role is Role.TIME)
    if others or not part.is_descending or not is_time or column_at(source, name) != expression:
        return False
    return _place(source, call, items) in found.scope.first_only


def _most(source: Source, found: Rank, items: tuple[Item, ...]) -> int | None:
    """The number of the only call above which rows change nothing; None where it is not known."""
    if len(found.calls) != 1 or found.calls[0].name not in RankingFunction.__members__:
        return None
    places = {_place(source, found.calls[0], items), IN_QUALIFY}
    return min((found.scope.most[place] for place in places & found.scope.most.keys()), default=None)


def _place(source: Source, call: OverCall, items: tuple[Item, ...]) -> int:
    """The place of the item that is a call."""
    return next((n for n, item in enumerate(items) if source.unwrapped(item.expression) == call.extent), IN_QUALIFY)
