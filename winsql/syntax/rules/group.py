"""GROUP BY, or DISTINCT, over rows that have windows.

    SELECT c.s, max(c.n) FROM (SELECT ..., window_start AS s, window_end AS e FROM ...) AS c GROUP BY c.s, c.e

The end of the windows, or their last instant, must be among the keys, or implied by their start: it says when a group
is complete. All others, the start of the windows too, are ordinary keys.

    SELECT k, count(*) FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), size)) GROUP BY window_start, window_end, k

Directly over a window table function and by both bounds of its windows, this is the query `FROM t WINDOW ASSIGN
TUMBLING(ts, size) GROUP BY k`, whose windows share slices.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from winsql.errors import Span
from winsql.model.query import EndColumn, WindowQuery
from winsql.syntax.bind.binding import Binding, as_it_makes_sense
from winsql.syntax.bind.grouping import Grouping, is_all
from winsql.syntax.bind.grouping_sets import GroupingSets, read_grouping_sets
from winsql.syntax.bind.projection import project
from winsql.syntax.expressions.conditions import single_fields
from winsql.syntax.expressions.field_paths import column_at
from winsql.syntax.expressions.items import Item
from winsql.syntax.expressions.keys import key_columns
from winsql.syntax.expressions.over import OverCall, over_calls
from winsql.syntax.expressions.references import ReferenceKind, aggregates_in, find_references
from winsql.syntax.rules.attached_windows import (
    attached_windows,
    end_in_row,
    end_told_by,
    window_keys,
    windows_of,
)
from winsql.syntax.rules.block import QueryBlock
from winsql.syntax.rules.expanded_sets import ExpandedSets
from winsql.syntax.rules.function_rows import FunctionRows, function_rows
from winsql.syntax.rules.rank import check_calls
from winsql.syntax.text.parts import Part, Section, Select
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.tree.records import Relation, Role


@dataclass(frozen=True, slots=True)
class Group:
    """A SELECT that groups rows of one relation with windows.

    sets     its grouping sets, None where it has keys only
    keys     the keys of each set, or its only ones: what positions, aliases and ALL mean
    bounds   the window columns among the keys of all sets, each with the token of its name
    aliases  the names among its keys that are taken for aliases, as `Source.fold` has them
    rows     those of the function whose table it groups directly; None where it groups rows with windows
    """

    block: QueryBlock
    grouping: Grouping
    sets: GroupingSets | None
    keys: tuple[tuple[Extent, ...], ...]
    bounds: Mapping[Role, int]
    aliases: frozenset[str]
    rows: FunctionRows | None = None

    @property
    def replaces(self) -> frozenset[Extent]:
        return frozenset() if self.rows is None else frozenset({self.rows.call.extent})

    @property
    def relation(self) -> Relation:
        """The one with windows."""
        return self.block.relations[self.block.windowed[0]]

    def keys_beside_windows(self) -> list[Extent]:
        """The keys of a SELECT without grouping sets that are neither window columns nor literals."""
        source, (keys,) = self.grouping.source, self.keys
        literals = [key for key in keys if key.is_single and source.at(key.first).is_literal]
        return [key for key in keys if key.stop - 1 not in self.block.scope.meanings and key not in literals]

    def has_keys_of(self, function: WindowQuery) -> bool:
        """Whether the keys of a SELECT that reads a function itself are those of the function."""
        own = [extent_of(self.grouping.source, column.span) for column in function.keys]
        return self.sets is None and self.grouping.are_same(self.keys_beside_windows(), own)

    def aggregates_windows(self) -> bool:
        """Whether aggregates read window columns."""
        read: list[Extent] = []
        for part, section in self.block.select.sections.items():
            if part not in (Part.FROM, Part.WHERE, Part.GROUP_BY):
                read += [call.extent for call in aggregates_in(self.grouping.source, section.body)]
        return any(token in extent.indexes for extent in read for token in self.block.scope.meanings)

    def bind(
        self, source: Source, columns: frozenset[str] | None, items: tuple[Item, ...] | None = None
    ) -> WindowQuery:
        """As in `Found`; with `items` in the place of those of the SELECT."""

        def bind(columns: frozenset[str] | None) -> WindowQuery:
            known = find_group(source, self.block, columns) if columns else self
            if known is None or known.end_column(source) is None or known.replaces != self.replaces:
                raise self._no_end(source)
            return known._bound(source, columns, items)

        return as_it_makes_sense(bind, columns, self.grouping.binding.contested)

    def end_column(self, source: Source) -> tuple[EndColumn, Role] | None:
        """The end of windows, or their last instant; None where the keys do not tell it."""
        sets = [{source.normal(key) for key in keys} for keys in self.keys]
        in_all = [key for key in self.keys[0] if all(source.normal(key) in others for others in sets)]
        return end_told_by(source, self.block, self.bounds) or end_in_row(source, self.block, in_all)

    def _bound(self, source: Source, columns: frozenset[str] | None, items: tuple[Item, ...] | None) -> WindowQuery:
        scope, select, end = self.block.scope, self.block.select, self.end_column(source)
        assert end is not None
        if self.rows is not None:
            base, windows = self.rows.query(source), scope.windows
            if self.bounds.keys() == {Role.START}:
                windows = {token: name for token, name in windows.items() if name == Role.START.value}
        else:
            base = attached_windows(source, select, *end)
            windows = windows_of(scope, self.block.windowed)
            if self.sets is not None:  # what a set leaves out is NULL in it
                fixed = {bound.value for bound in self.bounds}
                windows = {token: name for token, name in windows.items() if name in fixed}
        binding = Binding.of(source.with_windows(windows), select, columns)
        calls = over_calls(source, select)
        check_calls(source, self.block, calls, columns)
        grouping = Grouping(binding, self.relation.names, has_windows=self.rows is None)
        return _query(grouping, self.sets, calls, base, items)

    def _no_end(self, source: Source) -> Exception:
        sections, relation = self.block.select.sections, self.relation
        end = next((column.name for column in relation.output if column.role is Role.END), None)
        place = sections[Part.GROUP_BY if Part.GROUP_BY in sections else Part.SELECT].extent
        rule = "on a stream rows of windows are grouped by window_end, which says when a group is complete"
        hint = "select window_end in the subquery, as it is, and add it to GROUP BY"
        if end:
            where = " of each grouping set, or beside them" if self.sets is not None else ""
            hint = f"add {f'{relation.name}.' if relation.name else ''}{end} to GROUP BY{where}"
        return source.spec_error("GROUP BY has no window_end", place, rule=rule, hint=hint)


def find_group(source: Source, block: QueryBlock, columns: frozenset[str] | None = None) -> Group | None:
    """The SELECT as a grouping of windows; None where it names none of them among its keys.

    columns   as for `Binding`
    """
    scope, select = block.scope, block.select
    if len(block.windowed) != 1:
        return None
    group_by = select.get(Part.GROUP_BY)
    binding = Binding.of(source.with_windows(scope.windows), select, columns=columns)
    if group_by is None and (not binding.select_list.is_distinct or over_calls(source, select)):
        return None  # what OVER ranks are the rows, before DISTINCT
    sets = None if group_by is None else read_grouping_sets(source, group_by)
    grouping = Grouping(binding, block.relations[block.windowed[0]].names)
    parts = _parts(grouping, sets)
    meant = {part: grouping.meant(part) for part in {part for some in parts for part in some}}
    windows = {key: window_keys(source, scope, single_fields(source, key)) for key in {*meant.values()}}
    keys = tuple(tuple(meant[part] for part in some) for some in parts)
    named = [{role: token for key in reversed(some) for role, token in windows[key].items()} for some in keys]
    bounds = {role: token for role, token in named[0].items() if all(role in others for others in named)}
    aliases = frozenset(source.folded(part.first) for part in meant if grouping.aliased(part) != part)
    found = Group(block, grouping, sets, keys, bounds, aliases)
    if not any(named) and found.end_column(source) is None:
        return None
    return replace(found, rows=_function_rows(found))


def _parts(grouping: Grouping, sets: GroupingSets | None) -> Sequence[Sequence[Extent]]:
    """The parts of each grouping set, or of GROUP BY; for ALL and DISTINCT the items."""
    source, body = grouping.source, grouping.binding.select.body(Part.GROUP_BY)
    if body is None:
        return [[source.unwrapped(item.expression) for item in grouping.items]]
    if is_all(source, body) or grouping.binding.select.is_aggregate:
        return [[source.unwrapped(item.expression) for item in grouping.grouped_items()]]
    return [[source.unwrapped(part) for part in source.split(body)]] if sets is None else sets.sets


def _function_rows(found: Group) -> FunctionRows | None:
    """The rows of the function whose table can be grouped directly: by its windows, and sessions by their keys."""
    rows = function_rows(found.block)
    bounds = found.bounds.keys()
    is_by_start = bounds == {Role.START} and found.end_column(found.grouping.source) is not None
    is_by_windows = is_by_start or {Role.START, Role.END} <= bounds
    if rows is None or not is_by_windows or found.aggregates_windows():
        return None
    if any(_needs_windows(found, key) for key in {key for keys in found.keys for key in keys}):
        return None
    return rows if not rows.is_merging or found.has_keys_of(rows.function) else None


def _needs_windows(found: Group, key: Extent) -> bool:
    """Whether a key is computed from window columns and others, or is one that some sets leave out."""
    source, meanings = found.grouping.source, found.block.scope.meanings
    read = [r.extent.stop - 1 for r in find_references(source, key) if r.kind is not ReferenceKind.AGGREGATE]
    roles = [meanings[token].role for token in read if token in meanings]
    is_column = key.stop - 1 in meanings and column_at(source, key.stop - 1) == key
    if not roles or (is_column and roles[0] in found.bounds):
        return False
    return found.sets is not None or len(roles) < len(read)


def _query(
    grouping: Grouping,
    sets: GroupingSets | None,
    ranked: Sequence[OverCall],
    base: WindowQuery,
    items: tuple[Item, ...] | None,
) -> WindowQuery:
    """The query of a SELECT over the source and the windows of `base`.

    grouping   its keys; its window columns are those of the source (`Source.windows`)
    ranked     the calls with OVER, over the groups
    items      what is selected, where that is not what is written
    """
    binding, group_by = _as_groups(grouping.binding), grouping.binding.select.get(Part.GROUP_BY)
    if sets is not None:
        expanded = ExpandedSets(grouping, sets)
        binding = replace(binding, source=expanded.with_grouping_calls())
        keys, columns, body = expanded.keys, expanded.columns(), expanded.rows_of(base.source)
    else:
        keys = grouping.keys_of_items() if group_by is None else grouping.keys(group_by, ())
        columns, body = key_columns(grouping.source, keys), base.source
    if items is not None:
        binding = replace(binding, select_list=replace(binding.select_list, items=items))
    return replace(
        base,
        span=grouping.source.span(binding.select.extent),
        source=body,
        where=binding.verbatim(Part.WHERE),
        keys=columns,
        contested=tuple(sorted(binding.contested)),
        **project(binding, keys, ranked=ranked).values(),
    )


def _as_groups(binding: Binding) -> Binding:
    """The SELECT with a GROUP BY in the place of DISTINCT."""
    listed = binding.select_list
    if not listed.is_distinct or Part.GROUP_BY in binding.select.sections:
        return binding
    return replace(binding, select=with_group_by(binding.select), select_list=listed.without_distinct)


def with_group_by(select: Select) -> Select:
    """The SELECT with a GROUP BY that is empty."""
    section = select.sections[Part.SELECT]
    return select.with_section(Section(Part.GROUP_BY, section.head, Extent(section.body.first, section.body.first)))


def extent_of(source: Source, span: Span) -> Extent:
    """The tokens at a place in the text."""
    inside = [n for n, token in enumerate(source.tokens) if span.start <= token.start < span.end]
    return Extent(inside[0], inside[-1] + 1)
