"""The keys, aggregates and select list of a SELECT that groups, over windows that are known."""

from __future__ import annotations

from dataclasses import dataclass, replace

from winsql.model.query import INTERNAL_PREFIX, Form, KeyColumn, WindowQuery
from winsql.model.window_functions import Ties
from winsql.syntax.bind.grouping import Grouping
from winsql.syntax.bind.projection import project
from winsql.syntax.expressions.function_calls import IsAggregate
from winsql.syntax.expressions.items import SelectList, contested_names, niladic_names, read_select_list
from winsql.syntax.expressions.keys import Key, KeyMatcher, key_columns, numbered
from winsql.syntax.expressions.over import OverCall
from winsql.syntax.rules.grouping_sets import SET, GroupingSets
from winsql.syntax.selects.relations import relation_names
from winsql.syntax.text.parts import Part, Section, Select
from winsql.syntax.text.source import Extent, Source

__all__ = ["Grouped"]


@dataclass(slots=True)
class Grouped:
    """Builds the query of one SELECT; its window columns are those of the source (`Source.windows`).

    sets      its grouping sets, None where it has keys only
    columns   as for `winsql.syntax.bind.select.bind`
    ranked    the calls with OVER, over the groups
    has_columns   whether the window columns are columns of the source too
    """

    source: Source
    select: Select
    sets: GroupingSets | None
    is_aggregate: IsAggregate | None
    columns: frozenset[str] | None
    ranked: tuple[OverCall, ...] = ()
    has_columns: bool = False

    def query(self, base: WindowQuery) -> WindowQuery:
        """The query over the source and the windows of `base`."""
        select, listed = self._as_groups()
        qualifiers = relation_names(self.source, select.sections[Part.FROM].body)
        keys = self._keys(listed, qualifiers)
        columns, relation = key_columns(self.source, keys), base.source
        if self.sets is not None:
            keys, columns, relation = self._expanded(listed, keys, qualifiers, relation)
        contested = contested_names(self.source, select, listed.items) | niladic_names(self.source, select)
        source = self.source
        projection = project(
            source, select, listed, keys, qualifiers, self.is_aggregate, None, self.columns, ranked=self.ranked
        )
        over = projection.over
        where = select.body(Part.WHERE)
        return replace(
            base,
            span=source.span(select.extent),
            source=relation,
            where=source.verbatim(where) if where else None,
            keys=columns,
            aggregates=projection.aggregates,
            payload=(),
            form=Form.AGGREGATE,
            head=projection.head,
            tail=projection.tail,
            is_distinct=listed.is_distinct,
            unnamed=projection.unnamed,
            window_columns=projection.windows,
            returned=projection.returned,
            variables=projection.variables,
            contested=tuple(sorted(contested)),
            over=None if over is None else replace(over, ties=Ties.COLUMNS),
        )

    def _as_groups(self) -> tuple[Select, SelectList]:
        """The SELECT, where DISTINCT is a GROUP BY of all its items."""
        section = self.select.sections[Part.SELECT]
        listed = read_select_list(self.source, self.select)
        if not listed.is_distinct or Part.GROUP_BY in self.select.sections:
            return self.select, listed
        empty = Section(Part.GROUP_BY, section.head, Extent(section.body.first, section.body.first))
        select = replace(self.select, sections={**self.select.sections, Part.GROUP_BY: empty})
        opening = listed.opening[: -len("DISTINCT")].rstrip()
        return select, replace(listed, opening=opening, is_distinct=False)

    def _grouping(self, listed: SelectList, qualifiers: frozenset[str]) -> Grouping:
        source, items, columns = self.source, listed.items, self.columns
        return Grouping(source, items, qualifiers, self.is_aggregate, columns, has_windows=self.has_columns)

    def _keys(self, listed: SelectList, qualifiers: frozenset[str]) -> list[Key]:
        """The keys but for the window columns; of grouping sets, those of any set."""
        grouping = self._grouping(listed, qualifiers)
        group_by = self.select.get(Part.GROUP_BY)
        if group_by is None:
            return grouping.keys_of_items()
        if self.sets is None:
            return grouping.keys(group_by, ())
        extents: list[Extent] = []
        matcher = KeyMatcher(self.source, [], qualifiers)
        for part in self.sets.all_parts():
            section = Section(Part.GROUP_BY, group_by.head, part)
            for key in grouping.keys(section, ()):
                if not any(matcher.same(key.extent, other) for other in extents):
                    extents.append(key.extent)
        return numbered(extents)

    def _expanded(
        self, listed: SelectList, keys: list[Key], qualifiers: frozenset[str], relation: str
    ) -> tuple[list[Key], tuple[KeyColumn, ...], str]:
        """Each row once per grouping set, its number one more key, and keys NULL where they are left out."""
        assert self.sets is not None
        group_by = self.select.sections[Part.GROUP_BY]
        grouping = self._grouping(listed, qualifiers)
        matcher = KeyMatcher(self.source, [], qualifiers)
        chosen: list[list[Extent]] = []
        for parts in self.sets.sets:
            sections = [Section(Part.GROUP_BY, group_by.head, part) for part in parts]
            chosen.append([key.extent for section in sections for key in grouping.keys(section, ())])
        columns = []
        number = f"{INTERNAL_PREFIX}key_{len(keys)}"
        numbers: dict[str, list[int]] = {}
        for key, column in zip(keys, key_columns(self.source, keys), strict=True):
            within = [n for n, extents in enumerate(chosen) if any(matcher.same(key.extent, e) for e in extents)]
            numbers[key.column] = within
            if len(within) < len(chosen):
                column = replace(column, sql=f"CASE WHEN {_among(SET, within)} THEN {column.sql} END", constant=None)
            columns.append(column)
        columns.append(KeyColumn(SET, number, self.source.span(group_by.extent)))
        order = self._order(grouping, matcher, keys)
        self.source = self.sets.with_grouping_calls(self.source, self.select, keys, qualifiers, number, numbers, order)
        all_sets = ", ".join(map(str, range(len(chosen))))
        return keys, tuple(columns), f"{relation} LATERAL VIEW explode(array({all_sets})) {SET}s AS {SET}"

    def _order(self, grouping: Grouping, matcher: KeyMatcher, keys: list[Key]) -> list[str | None]:
        """The columns of what GROUP BY names, each once, in the order of the text; None for a window column."""
        assert self.sets is not None
        group_by = self.select.sections[Part.GROUP_BY]
        order: list[str | None] = []
        windows: set[str] = set()
        for part in self.sets.all_parts():
            found = grouping.keys(Section(Part.GROUP_BY, group_by.head, part), ())
            for key in found:
                column = next(one.column for one in keys if matcher.same(one.extent, key.extent))
                order += [] if column in order else [column]
            name = self.source.normal(part)[-1]
            if not found and name not in windows:
                windows.add(name)
                order.append(None)
        return order


def _among(expression: str, numbers: list[int]) -> str:
    return f"{expression} IN ({', '.join(map(str, numbers))})" if numbers else "FALSE"
