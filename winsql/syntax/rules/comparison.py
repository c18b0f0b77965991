"""A comparison with an aggregate of windows, in the WHERE of a SELECT over windows.

    SELECT items FROM a WHERE a.c = (SELECT max(b.c) FROM b WHERE b.window_end = a.window_end AND b.k = a.k)

The subquery groups its rows by what it compares with the SELECT around it, and the comparison is a semi join with these
groups: where there is no such group the aggregate is NULL, and so is the comparison.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import ClassVar

from winsql.model.joins import JoinType
from winsql.model.query import EndColumn, WindowQuery
from winsql.syntax.bind.binding import Binding
from winsql.syntax.bind.grouping import Grouping
from winsql.syntax.bind.projection import project
from winsql.syntax.expressions.conditions import Equality, comparison, conjuncts, cut_at, equality_between, outside
from winsql.syntax.expressions.items import Item, read_select_list
from winsql.syntax.expressions.keys import key_columns
from winsql.syntax.expressions.references import find_references
from winsql.syntax.rules.attached_windows import attached_windows, end_column, end_in_row, window_keys, windows_of
from winsql.syntax.rules.block import QueryBlock
from winsql.syntax.rules.fragment import Fragment
from winsql.syntax.rules.group import with_group_by
from winsql.syntax.rules.join import ROW_BY_ROW
from winsql.syntax.rules.resolved_join import ResolvedJoin
from winsql.syntax.rules.semi_join import Asked, SemiJoin, end_hint, numbered_side, predicate_of
from winsql.syntax.rules.sides import Condition, Side, Sides, refused
from winsql.syntax.text.parts import Part, Select
from winsql.syntax.text.source import Edit, Extent, Source
from winsql.syntax.text.tokens import TokenKind
from winsql.syntax.text.vocabulary import NULL_OF_NO_ROWS
from winsql.syntax.tree.records import Fields, Output, Relation, Role


@dataclass(frozen=True, slots=True)
class Comparison(SemiJoin):
    """A SELECT with such a comparison; `subquery` is what the value takes the place of."""

    subquery: Extent = Extent(0, 0)

    has_value: ClassVar = True
    """Whether the groups have an aggregate, as their first column."""

    @property
    def what(self) -> str:
        """What messages call it."""
        return "this comparison with an aggregate of windows"

    def sides(self, source: Source) -> tuple[tuple[Relation, ...], tuple[Select, Select]]:
        return (*self.block.relations, self._groups(())), (self.block.select, self.inner.select)

    def resolve(self, source: Source) -> ResolvedJoin:
        condition, value = self.with_groups(source)
        edit = Edit(*source.span(self.subquery), value)
        condition.add_other(f"({condition.sides.text(self.part, [edit])})")
        return ResolvedJoin(condition.sides, condition, JoinType.SEMI)

    def with_groups(self, source: Source) -> tuple[Condition, str]:
        """The condition between the rows and the groups of the subquery, and what stands for the subquery then."""
        rows = self._rows(source)
        correlations = self._correlations(rows)
        left, inner = rows.pair
        fields = [rows.fields(correlation.right, 1) for correlation in correlations]
        groups = self._groups((*([()] if self.has_value else []), *fields))
        right = numbered_side(source, source.group[self.inner.scope.first], groups)
        condition = Condition(Sides(source, (left, right), nearest=0))
        for own_fields, name, found in zip(fields, right.columns[self.has_value :], correlations, strict=True):
            own = EndColumn(condition.sides.text(found.left), condition.sides.name(found.left))
            column = EndColumn(right.column(name), name)
            condition.add_equality(f"({own.sql})", column.sql, found.extent)
            condition.add_ends((own, column), (condition.sides.fields(found.left, 0), own_fields))
        if condition.ends is None:
            raise refused(source, self.part, self.what, end_hint(left, inner))
        return condition, self.value(source, condition)

    def value(self, source: Source, condition: Condition) -> str:
        """What stands for the subquery beside its groups: the column of the aggregate."""
        right = condition.sides.pair[1]
        return right.column(right.columns[0])

    @property
    def stage(self) -> Fragment:
        """The subquery as a query of its own."""
        needs = frozenset(origin.extent for origin in self.origins)
        return Fragment.stage(self.inner.select.extent, self.inner.body, self._bind_groups, needs)

    def ignores(self, source: Source, extent: Extent) -> bool:
        return self.inner.select.extent == extent

    def _bind_groups(self, source: Source, columns: frozenset[str] | None) -> WindowQuery:
        """The groups: the aggregate, and what the subquery compares with the SELECT around it."""
        rows = self._rows(source)
        correlations = self._correlations(rows)
        scope, select = self.inner.scope, self.inner.select
        compared = [source.unwrapped(found.right) for found in correlations]
        ends = window_keys(source, scope, compared)
        named = next((end_column(source, scope, ends[role]) for role in (Role.END, Role.TIME) if role in ends), None)
        end = named or end_in_row(source, self.inner, compared)
        if end is None:
            raise refused(source, self.part, self.what, end_hint(*rows.pair))
        for found in correlations:
            source = source.replaced(found.extent, "TRUE")
        own = source.with_windows(windows_of(scope, self.inner.windowed))
        binding = Binding.of(own, select, columns)
        keys = tuple(_as_item(source, found.right) for found in correlations)
        listed = replace(binding.select_list, items=(*(binding.items if self.has_value else ()), *keys))
        groups = select if self.has_value else with_group_by(select)
        grouped = replace(binding, select=groups, select_list=listed)
        grouping = Grouping(grouped, scope.relations[0].names, has_windows=True)
        own_keys = grouping.keys_of_items()
        return replace(
            attached_windows(source, select, *end),
            where=binding.verbatim(Part.WHERE),
            keys=key_columns(source, own_keys),
            contested=tuple(sorted(binding.contested)),
            **project(grouping.binding, own_keys).values(),
        )

    def _groups(self, fields: Sequence[Fields]) -> Relation:
        """What the subquery gives as groups, with the window columns that its columns are."""
        output = tuple(Output.of("", some) for some in fields)
        return replace(self.inner.scope.result, first=None, output=output, is_row_stream=False, is_window_result=True)

    def _rows(self, source: Source) -> Sides:
        """The relations that both SELECTs read; raises WindowSpecError where these are no pair."""
        if len(self.block.relations) != 1 or len(self.inner.relations) != 1:
            raise refused(source, self.part, self.what, "join before, in a subquery that hands on window_end")
        left = self.left(source)
        inner = Side.alone(source, self.inner.select, self.inner.relations[0], 1)
        if left.qualifier == inner.qualifier:
            raise refused(source, self.part, "an aggregate over a relation of the same name", "give each an alias")
        return Sides(source, (left, inner), nearest=1)

    def _correlations(self, rows: Sides) -> list[Equality]:
        """The equalities between the two SELECTs in the WHERE of the subquery, whose columns are on their right."""
        source, where = rows.source, self.inner.select.body(Part.WHERE)
        found = []
        for part in () if where is None else conjuncts(source, where):
            if 0 not in rows.read_by(part):
                continue
            equal = equality_between(source, part, rows.read_by)
            if equal is None or (equal.is_null_safe and not _are_windows(rows, equal)):
                raise refused(source, part, self.what, "compare the two with = alone")
            found.append(equal)
        return found


def _are_windows(rows: Sides, equal: Equality) -> bool:
    """Whether an equality compares window columns, which are never NULL."""
    return all(rows.role(side, number) for number, side in enumerate((equal.left, equal.right)))


def find_comparisons(source: Source, block: QueryBlock, asked: Asked) -> list[Comparison]:
    """The comparisons in the WHERE of a SELECT, each with one subquery; `asked` are its `inner_blocks`."""
    where = block.select.body(Part.WHERE)
    return [
        Comparison(block, inner, part, subquery=value_at(source, bracket))
        for part in ([] if where is None else conjuncts(source, where))
        for bracket, inner in asked.items()
        if outermost_of(source, asked, part) == [bracket] and _fails_without_rows(source, part, bracket, inner)
    ]


def outermost_of(source: Source, brackets: Collection[int], part: Extent) -> list[int]:
    """Those of the brackets in a part of a SELECT that are in none of the others."""
    found = [n for n in brackets if n in part.indexes]
    return [n for n in found if not any(other < n < source.closing(other) for other in found)]


def aggregate_of(source: Source, inner: QueryBlock) -> Extent | None:
    """The expression with aggregates that a subquery gives of all its rows; None where it gives something else."""
    sections = inner.select.sections
    if not ROW_BY_ROW.issuperset(sections) or Part.FROM not in sections:
        return None
    listed = read_select_list(source, inner.select)
    return listed.items[0].expression if len(listed.items) == 1 and not listed.is_distinct else None


def value_at(source: Source, bracket: int) -> Extent:
    """What the value of the subquery in a bracket takes the place of: the brackets too, but for those of IN."""
    is_list = source.at(bracket - 1).is_word("IN")
    return Extent(bracket + is_list, source.closing(bracket) + 1 - is_list)


def is_null_of_no_rows(source: Source, aggregate: Extent) -> bool:
    """Whether such an expression is NULL where there are no rows."""
    calls = find_references(source, aggregate)
    names = {None if call.call is None else call.call.name for call in calls}
    return bool(names) and names <= NULL_OF_NO_ROWS and _computes(source, aggregate, [call.extent for call in calls])


def _fails_without_rows(source: Source, part: Extent, bracket: int, inner: QueryBlock) -> bool:
    """Whether a part of a condition compares an aggregate that is NULL of no rows, and is NULL itself then."""
    own = next((side for side in _compared(source, part) if bracket in side.indexes), None)
    aggregate = aggregate_of(source, inner)
    if own is None or aggregate is None or not is_null_of_no_rows(source, aggregate):
        return False
    return _computes(source, own, [Extent(bracket, source.closing(bracket) + 1)])


def _compared(source: Source, part: Extent) -> tuple[Extent, ...]:
    """What a condition compares, or looks for, that is not true where one of them is NULL, also after NOT."""
    inner, listed = part, predicate_of(source, part)
    if listed is not None and listed.operand is not None:
        return listed.operand, Extent(listed.bracket, source.closing(listed.bracket) + 1)
    while source.words(inner.first, "NOT"):
        inner = source.unwrapped(Extent(inner.first + 1, inner.stop))
    words = [n for n in outside(source, part) if source.at(n).is_word("NOT", "BETWEEN", "SYMMETRIC", "AND", "OR")]
    if [source.at(n).upper for n in words] == ["BETWEEN", "AND"]:
        return tuple(cut_at(part, words))
    return comparison(source, inner) or ()


def _computes(source: Source, extent: Extent, values: Sequence[Extent]) -> bool:
    """Whether an expression only computes with numbers, parameters and these parts of it, so that it is NULL where one
    is."""
    others = (n for n in extent.indexes if not any(n in value.indexes for value in values))
    return all(_is_value(source, n) or source.at(n).is_symbol(*_ARITHMETIC, ":") for n in others)


def _is_value(source: Source, index: int) -> bool:
    """Whether a token is a number, a parameter, or the name of one."""
    return source.at(index).kind in (TokenKind.NUMBER, TokenKind.PARAMETER) or source.at(index - 1).is_symbol(":")


def _as_item(source: Source, key: Extent) -> Item:
    key = source.unwrapped(key)
    return Item(key, Extent(key.stop - 1, key.stop) if source.is_path(key) else None)


_ARITHMETIC = ("+", "-", "*", "/", "%", "(", ")")
