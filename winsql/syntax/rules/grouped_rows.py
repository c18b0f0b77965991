"""A SELECT that groups windows, and whose HAVING, or an EXISTS among its items, asks other windows about its groups.

    SELECT k, window_end, count(*) AS c FROM a GROUP BY k, window_start, window_end
    HAVING count(*) >= (SELECT max(b.c) FROM b WHERE b.window_end = a.window_end)

The groups become rows in the place of the FROM body: keys and items under their names, and the aggregates beside
subqueries. The SELECT over these rows has HAVING for its WHERE, and asks as any other.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from winsql.errors import WindowSpecError
from winsql.model.query import INTERNAL_PREFIX, WINDOW_COLUMNS, WINDOW_END, WINDOW_TIME, WindowQuery
from winsql.syntax.expressions.items import Item, quoted, read_select_list
from winsql.syntax.expressions.keys import Key, KeyMatcher
from winsql.syntax.expressions.over import over_calls
from winsql.syntax.expressions.references import ReferenceKind, find_references
from winsql.syntax.joins.clause import columns_of
from winsql.syntax.rules.block import QueryBlock
from winsql.syntax.rules.group import Group, find_group
from winsql.syntax.rules.semi_join import SemiJoin, inner_blocks
from winsql.syntax.rules.sides import Side
from winsql.syntax.text.compose import clause
from winsql.syntax.text.parts import Part, Select
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.tree.records import Output, Role


@dataclass(frozen=True, slots=True)
class GroupedRows:
    """The groups of a SELECT as rows.

    group    the SELECT as a grouping, without HAVING
    block    the SELECT over the rows
    columns  what the rows have: expressions, those with a name before the others
    names    the names of these columns as SQL
    values   the expressions beside subqueries that are columns of the rows, and the numbers of these
    """

    group: Group
    block: QueryBlock
    columns: tuple[Item, ...]
    names: tuple[str, ...]
    values: Mapping[Extent, int]

    @property
    def replaces(self) -> frozenset[Extent]:
        return self.group.replaces

    def bind_rows(self, source: Source, columns: frozenset[str] | None) -> WindowQuery:
        """The query of the groups as rows, which keep the name of their relation."""
        query = self.group.bind(source, columns, self.columns)
        tail = f"{query.tail}) AS {self._rows(source)}({', '.join(self.names)})"
        return replace(query, span=source.span(self.block.body), head=f"({query.head}", tail=tail, unnamed=None)

    def prepared(self, source: Source) -> Source:
        """The source over the rows, with their columns in the place of expressions beside subqueries."""
        rows = self._rows(source)
        for extent, number in self.values.items():
            source = source.replaced(extent, f"{rows}.{self.names[number]}")
        return source

    def bind(self, source: Source, last: SemiJoin) -> WindowQuery:
        """The query that asks the last subquery about the rows; in the source all others have been asked."""
        join, rows = last.returned(source)
        over, listed = last.prepared(source), read_select_list(source, self.block.select)
        items = ", ".join(self._item(over, place, item) for place, item in enumerate(listed.items))
        head = f"{listed.opening} {items} FROM (SELECT {', '.join((*rows, WINDOW_END, WINDOW_TIME))}"
        having = self.block.select.body(Part.WHERE)
        where = "" if having is None else clause(Part.WHERE.words, over.verbatim(having))
        tail = f") AS {join.sides.pair[0].name} {where}".rstrip()
        return join.query(source, self.block.select, head, tail)

    def _item(self, source: Source, place: int, item: Item) -> str:
        """An item over the rows."""
        if item.alias is None and not source.is_path(item.expression):
            problem = "an item without a name, beside subqueries over windows, cannot run on streams"
            rule = "Spark names such an item after what it computes, which on a stream is a column by then"
            hint = "write AS and a name after it"
            raise source.spec_error(problem, item.expression, rule=rule, hint=hint)
        role = self.block.scope.role_of(place)
        own = next((name for name, column in zip(self.names, self.columns, strict=True) if column == item), None)
        text = own or source.verbatim(item.expression)
        if role in (Role.END, Role.TIME):
            text = WINDOW_COLUMNS[role.value]
        return f"{text} AS {quoted(_name(source, item))}"

    def _rows(self, source: Source) -> str:
        """The name of the rows as SQL."""
        return Side.alone(source, self.block.select, self.block.relations[0], 0).name


def find_grouped_rows(source: Source, block: QueryBlock) -> GroupedRows | None:
    """The groups of a SELECT as rows; None where HAVING and items ask no windows about them, or where the SELECT has
    more than a grouping."""
    select = block.select
    if not {Part.SELECT, Part.GROUP_BY} <= select.sections.keys() <= _GROUPS or len(block.relations) != 1:
        return None
    bodies = [select.sections[part].body for part in (Part.SELECT, Part.HAVING) if part in select.sections]
    asked = inner_blocks(source, block)
    if not asked or not all(_is_about_groups(source, bracket, *bodies) for bracket in asked):
        return None
    group, listed = _group_of(source, block), read_select_list(source, select)
    if group is None or listed.is_distinct or over_calls(source, select):
        return None
    asking = [item for item in listed.items if any(bracket in item.expression.indexes for bracket in asked)]
    named = _named_columns(source, group, [item for item in listed.items if item not in asking])
    read = [*(item.expression for item in asking), *bodies[1:]]
    return None if named is None else _rows_of(source, group, block, named, read)


def _is_about_groups(source: Source, bracket: int, items: Extent, having: Extent | None = None) -> bool:
    """Whether a subquery is in HAVING, or an EXISTS among the items: Spark takes no other there."""
    is_item = bracket in items.indexes and source.at(bracket - 1).is_word("EXISTS")
    return is_item or (having is not None and bracket in having.indexes)


_GROUPS = {Part.SELECT, Part.FROM, Part.WHERE, Part.GROUP_BY, Part.HAVING}
"""What such a SELECT may have."""


def _group_of(source: Source, block: QueryBlock) -> Group | None:
    """The SELECT as a grouping, without what asks about its groups."""
    sections = {part: section for part, section in block.select.sections.items() if part is not Part.HAVING}
    select, scope = replace(block.select, sections=sections), replace(block.scope, inner=())
    try:
        group = find_group(source, replace(block, select=select, scope=scope))
    except WindowSpecError:  # as a SELECT that asks nothing it says so
        return None
    has_end = group is not None and group.sets is None and group.end_column(source) is not None
    return group if has_end else None


def _rows_of(
    source: Source, group: Group, block: QueryBlock, named: tuple[Item, ...], read: Iterable[Extent]
) -> GroupedRows:
    """The rows with these columns, and with one for each value that is read beside subqueries."""
    values = {extent: source.normal(extent) for part in read for extent in _values(source, group, part)}
    others = {text: extent for extent, text in values.items()}
    numbers = {text: len(named) + number for number, text in enumerate(others)}
    columns = (*named, *(Item(extent, None) for extent in others.values()))
    names = [quoted(_name(source, column)) for column in named]
    names += [f"{INTERNAL_PREFIX}group_{number}" for number in numbers.values()]
    places = {extent: numbers[text] for extent, text in values.items()}
    return GroupedRows(group, _over_rows(source, block, columns), columns, tuple(names), places)


def _named_columns(source: Source, group: Group, items: Iterable[Item]) -> tuple[Item, ...] | None:
    """The keys and the items that have a name; None where it is that of two of them."""
    keys = [key for key in group.keys[0] if _is_column(source, group, key)]
    columns = {source.fold(source.name(key.stop - 1)): Item(key, Extent(key.stop - 1, key.stop)) for key in keys}
    for item in items:
        if len(item.names) > 1:
            return None
        if item.alias is None and not source.is_path(item.expression):
            continue
        name, alias = source.fold(_name(source, item)), Extent(item.expression.stop - 1, item.expression.stop)
        known = columns.setdefault(name, replace(item, alias=item.alias or alias))
        if not group.grouping.are_same([known.expression], [item.expression]):
            return None
    return tuple(columns.values())


def _is_column(source: Source, group: Group, key: Extent) -> bool:
    """Whether a key is a column of the relation, with or without its name."""
    qualifier = _matcher(source, group, ()).qualifier(key.first)
    return source.is_path(key) and len(key.indexes) == 2 * len(qualifier) + 1


def _matcher(source: Source, group: Group, keys: Iterable[Extent]) -> KeyMatcher:
    return KeyMatcher(source, [Key(key, "") for key in keys], group.grouping.binding.paths)


def _values(source: Source, group: Group, extent: Extent) -> Iterator[Extent]:
    """The aggregates in an expression, and the keys that are no columns."""
    match = _matcher(source, group, [key for key in group.keys[0] if not _is_column(source, group, key)])
    for reference in find_references(source, extent, match):
        if reference.kind in (ReferenceKind.AGGREGATE, ReferenceKind.MATCH):
            yield reference.extent


def _over_rows(source: Source, block: QueryBlock, columns: Iterable[Item]) -> QueryBlock:
    """The SELECT over the rows."""
    scope, sections = block.scope, block.select.sections
    places = {item: place for place, item in enumerate(read_select_list(source, block.select).items)}
    output: dict[str, Output] = {}
    for column in columns:
        if column.alias is None:  # the names in it are none of the subquery around which it is
            inside = (source.name(read.extent.stop - 1) for read in columns_of(source, column.expression))
            output |= {name.lower(): Output(name.lower()) for name in inside if name.lower() not in output}
            continue
        meaning = scope.meanings.get(column.expression.stop - 1)
        role = scope.role_of(places[column]) if column in places else None if meaning is None else meaning.role
        name = _name(source, column).lower()
        output[name] = Output(name, role)
    relation = replace(
        block.relations[0], output=tuple(output.values()), is_row_stream=False, is_window_result=True, origin=None,
        select=None,
    )  # fmt: skip
    parts = {part: section for part, section in sections.items() if part in (Part.SELECT, Part.FROM)}
    if Part.HAVING in sections:
        parts[Part.WHERE] = replace(sections[Part.HAVING], part=Part.WHERE)
    select: Select = replace(block.select, sections=parts)
    return replace(block, scope=replace(scope, relations=(relation,)), select=select)


def _name(source: Source, item: Item) -> str:
    """The name of an item that has an alias or is a column."""
    return source.name((item.alias or item.expression).stop - 1)
