"""Calls with OVER over rows that have windows: Top-N and deduplication, and every other window function.

    SELECT items, ROW_NUMBER() OVER (PARTITION BY window_start, window_end [, keys] ORDER BY ...) AS n FROM ...
    SELECT items, total / SUM(total) OVER (PARTITION BY window_start, window_end) AS share FROM ...
    SELECT items FROM ... QUALIFY ROW_NUMBER() OVER w = 1 WINDOW w AS (PARTITION BY window_end ORDER BY ...)

All rows of windows that end together come in one micro-batch, when the watermark passes that end: so what a call gives
is final. Window results come that way; rows that come as they arrive are gathered first.

Of rows with the same time Flink's deduplication, a ROW_NUMBER by time of which only number 1 stays, keeps the first
that arrives where the order is ASC and the last where it is DESC. Its Top-N has those first that arrive first.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from winsql.model.query import FUNCTION_COLUMNS, EndColumn, Form, KeyColumn, WindowQuery
from winsql.model.window_functions import RankingFunction, Ties
from winsql.syntax.bind.binding import Binding
from winsql.syntax.bind.grouping import Grouping
from winsql.syntax.bind.projection import project
from winsql.syntax.expressions.conditions import single_fields
from winsql.syntax.expressions.field_paths import column_at
from winsql.syntax.expressions.items import contested_names
from winsql.syntax.expressions.keys import KeyMatcher, key_columns, numbered
from winsql.syntax.expressions.over import OverCall, check_rankings, no_end, over_calls
from winsql.syntax.rules.attached_windows import (
    attached_windows,
    end_in_row,
    end_told_by,
    implied_end,
    window_keys,
    windows_of,
)
from winsql.syntax.rules.block import QueryBlock
from winsql.syntax.rules.function_rows import FunctionRows, function_rows
from winsql.syntax.text.parts import Part
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.tree.outputs import left_out_by, star_of
from winsql.syntax.tree.rankings import IN_QUALIFY
from winsql.syntax.tree.records import Role


@dataclass(frozen=True, slots=True)
class Rank:
    """A SELECT that has calls with OVER over rows of one relation with windows.

    rows   those of the function whose table it ranks directly; None where it ranks rows with windows
    """

    block: QueryBlock
    calls: tuple[OverCall, ...]
    rows: FunctionRows | None

    @property
    def replaces(self) -> frozenset[Extent]:
        return frozenset() if self.rows is None else frozenset({self.rows.call.extent})

    def bind(self, source: Source, columns: frozenset[str] | None) -> WindowQuery:
        select, scope = self.block.select, self.block.scope
        ends = check_calls(source, self.block, self.calls, columns)
        if self.rows is not None:
            base, windows, stars = self.rows.query(source), scope.windows, FUNCTION_COLUMNS
        else:
            base = attached_windows(source, select, *ends[0])
            windows, stars = windows_of(scope, self.block.windowed), ()
        binding = Binding.of(source.with_windows(windows), select, columns)
        projection = project(binding, [], ranked=self.calls, star_windows=stars)
        if projection.form is not Form.ROWS or projection.over is None:
            problem = "OVER cannot be over an aggregate of all windows"
            rule = "on a stream each group belongs to windows that end together"
            hint = "add GROUP BY window_start, window_end"
            raise source.spec_error(problem, select.sections[Part.SELECT].body, rule=rule, hint=hint)
        places = [_place_of(call, binding) for call in self.calls]
        over = replace(projection.over, ties=self._ties(source, places), most=self._most(places))
        return replace(
            base,
            span=source.span(select.extent),
            where=binding.verbatim(Part.WHERE),
            keys=base.keys if base.spec.assigner.is_merging else _keys(binding, self),
            contested=tuple(sorted(contested_names(source, select, binding.items))),
            **replace(projection, over=over, returned=()).values(),
        )

    def _ties(self, source: Source, places: Sequence[int]) -> Ties:
        """The order of rows with equal times; `places` as for `_most`."""
        is_last = [
            place in self.block.scope.first_only and self._sorts_by_latest(source, call)
            for call, place in zip(self.calls, places, strict=True)
            if call.name == "ROW_NUMBER"
        ]
        return Ties.LAST_ARRIVED if is_last and all(is_last) else Ties.FIRST_ARRIVED

    def _sorts_by_latest(self, source: Source, call: OverCall) -> bool:
        """Whether the order is by the time of rows only, descending."""
        (part, *others) = call.order
        expression = source.unwrapped(part.expression)
        name, scope = expression.stop - 1, self.block.scope
        meaning = scope.meanings.get(name)
        is_time = name in scope.times or (meaning is not None and meaning.role is Role.TIME)
        return not others and part.is_descending and is_time and column_at(source, name) == expression

    def _most(self, places: Sequence[int]) -> int | None:
        """The greatest number of the only call that a reader keeps; None where it is not known.

        places   those of the calls among the items
        """
        if len(self.calls) != 1 or self.calls[0].name not in RankingFunction.__members__:
            return None
        most = self.block.scope.most
        return min((most[place] for place in {*places, IN_QUALIFY} & most.keys()), default=None)


def _place_of(call: OverCall, binding: Binding) -> int:
    """The place of a call among the items."""
    places = (n for n, item in enumerate(binding.items) if binding.source.unwrapped(item.expression) == call.extent)
    place = next(places, IN_QUALIFY)
    return place + 1 if place != IN_QUALIFY and binding.select_list.has_all else place


def find_rank(source: Source, block: QueryBlock) -> Rank | None:
    """The SELECT as a ranking; None where it has no call with OVER, or groups."""
    if len(block.windowed) != 1 or Part.GROUP_BY in block.select.sections:
        return None
    calls = over_calls(source, block.select)
    return Rank(block, calls, _function_rows(source, block, calls)) if calls else None


def check_calls(
    source: Source, block: QueryBlock, calls: Sequence[OverCall], columns: frozenset[str] | None
) -> list[tuple[EndColumn, Role]]:
    """The end of the windows in the window of each call, or their last instant.

    Raises WindowSpecError for a call that a stream cannot have.
    """
    check_rankings(source, calls)
    grouping = _grouping(source, block, columns)
    return [_end(source, block, call, _keys_of(grouping, call)) for call in calls]


def _end(source: Source, block: QueryBlock, call: OverCall, keys: Sequence[Extent]) -> tuple[EndColumn, Role]:
    found = end_told_by(source, block, window_keys(source, block.scope, keys)) or end_in_row(source, block, keys)
    if found is not None:
        return found
    relation = block.relations[block.windowed[0]]
    name = next((column.name for column in relation.output if column.role is Role.END), None)
    shown = f"{relation.name}.{name}" if relation.name and name else name or None
    raise no_end(source, call, shown)


def _grouping(source: Source, block: QueryBlock, columns: frozenset[str] | None = None) -> Grouping:
    """What tells columns from the names of items in PARTITION BY."""
    known = frozenset(name for relation in block.relations for name in relation.names)
    binding = Binding.of(source.with_windows(block.scope.windows), block.select, columns=columns)
    return Grouping(binding, known)


def _keys_of(grouping: Grouping, call: OverCall) -> list[Extent]:
    """The keys of a call's window, those in rows such as `(a, b)` too."""
    source = grouping.source
    keys = (grouping.aliased(source.unwrapped(part)) for part in call.partition)
    return [field for key in keys for field in single_fields(source, key)]


def _function_rows(source: Source, block: QueryBlock, calls: Sequence[OverCall]) -> FunctionRows | None:
    """The rows of the function whose table can be ranked directly: by its windows, and not filtered before sessions."""
    rows = function_rows(block)
    if rows is None or (rows.is_filtered and rows.is_merging):
        return None
    if any(map(left_out_by, filter(None, map(star_of, block.scope.node.expressions)))):
        return None
    wanted = {Role.START} if implied_end(source, block.relations[0]) is not None else {Role.START, Role.END}
    grouping = _grouping(source, block)
    named = [window_keys(source, block.scope, _keys_of(grouping, call)) for call in calls]
    return rows if all(wanted <= roles.keys() for roles in named) else None


def _keys(binding: Binding, found: Rank) -> tuple[KeyColumn, ...]:
    """The keys that rows are gathered by: those in PARTITION BY of all calls, without window columns."""
    source = binding.source
    matcher = KeyMatcher(source, [], binding.paths)
    first, *others = ([p for p in call.partition if not _is_window(source, p)] for call in found.calls)
    shared = [part for part in first if all(any(matcher.same(part, key) for key in keys) for keys in others)]
    names = {source.fold(name) for item in binding.items for name in item.names}
    known = found.block.scope.meanings
    columns = (p for p in shared if not any(i in known or source.folded(i) in names for i in p.indexes))
    return key_columns(source, numbered(columns))


def _is_window(source: Source, part: Extent) -> bool:
    part = source.unwrapped(part)
    return not part.is_empty and source.window_column(part) is not None
