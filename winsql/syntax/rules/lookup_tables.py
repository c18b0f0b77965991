"""Further tables in the FROM of a join of windows, which Spark joins to the pairs.

    SELECT l.k, r.v, n.label, l.window_end FROM a l JOIN b r ON l.k = r.k AND l.window_end = r.window_end
      LEFT JOIN names n ON n.id = l.k

The pairs are rows of two structs with the names of the sides, so that `l.k` means what it did.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from winsql.syntax.expressions.items import Item, column_path, quoted, read_select_list
from winsql.syntax.joins.clause import columns_of
from winsql.syntax.rules.block import QueryBlock
from winsql.syntax.rules.resolved_join import ResolvedJoin
from winsql.syntax.rules.sides import Sides, begins_in, joined_body, refused
from winsql.syntax.selects.relations import read_relation
from winsql.syntax.text.compose import clause
from winsql.syntax.text.parts import Part, Section, Select
from winsql.syntax.text.source import Edit, Extent, Source
from winsql.syntax.text.vocabulary import JOIN_WORDS
from winsql.syntax.tree.nodes import is_natural, joins_of, placed_joins, using_of
from winsql.syntax.tree.records import Relation

__all__ = ["LookupTables", "lookup_tables"]


@dataclass(frozen=True, slots=True)
class LookupTables:
    """The relations that follow a join of windows in a FROM.

    pair      the SELECT with a FROM of the two sides only
    extent    the further relations in the text
    """

    block: QueryBlock
    pair: Select
    extent: Extent

    @property
    def relations(self) -> tuple[Relation, ...]:
        """The further relations."""
        return self.block.relations[2:]

    @property
    def using(self) -> list[str]:
        """The columns in the USING of their joins."""
        return using_of(*joins_of(self.block.scope.node)[1:])

    def bodies(self, source: Source) -> Iterator[Extent]:
        """The expressions over the pairs: clauses of the SELECT, conditions of joins, arguments of generators."""
        yield from (section.body for part, section in self.block.select.sections.items() if part is not Part.FROM)
        index = self.extent.first
        while index < self.extent.stop:
            first = index + 1
            if source.at(index).is_word("ON"):
                yield Extent(first, _end_of_join(source, Extent(first, self.extent.stop)))
            elif source.words(index, "LATERAL", "VIEW"):
                bracket = next((n for n in range(index, self.extent.stop) if source.at(n).is_symbol("(")), index)
                yield Extent(bracket + 1, source.closing(bracket) if bracket > index else bracket + 1)
            index = source.skip(index, self.extent.stop)

    def structs(self, source: Source, join: ResolvedJoin) -> str:
        """The select list of the pairs: a struct per side, and the columns in the USING of further joins.

        Raises WindowSpecError for a NATURAL join, and for USING columns of both sides.
        """
        place = self.block.select.sections[Part.FROM].extent
        if any(map(is_natural, joins_of(self.block.scope.node)[1:])):
            raise refused(source, place, "a NATURAL join after a join of windows", "compare the columns: JOIN ... ON")
        columns = [f"struct({side.name}.*) AS {side.name}" for side in join.returned]
        for name in self.using:
            known = [side.column(name) for side in join.returned if side.relation.has(name)]
            if name not in join.shared and len(known) != 1:
                hint = f"compare the columns: ON {join.sides.pair[0].column(name)} = ..."
                raise refused(source, place, f"USING ({name}) after a join of windows", hint)
            columns.append(f"{join.value(name) if name in join.shared else known[0]} AS {quoted(name)}")
        return ", ".join(columns)

    def projection(self, source: Source, structs: str) -> tuple[str, str]:
        """Head and tail of the SELECT over the pairs."""
        listed, where = read_select_list(source, self.block.select), self.block.select.body(Part.WHERE)
        filtered = "" if where is None else f" {clause('WHERE', source.verbatim(where))}"
        items = ", ".join(_item(source, item) for item in listed.items)
        return f"{listed.opening} {items} FROM (SELECT {structs}", f") {source.verbatim(self.extent)}{filtered}"

    def with_names_of_sides(self, source: Source, sides: Sides) -> Source:
        """The source where columns of the sides have the names of these before them.

        Raises WindowSpecError for an item without an alias that Spark would then name differently.
        """
        _check_items(source, self.block.select, sides)
        for body in self.bodies(source):
            for reference in columns_of(source, body):
                name = source.name(reference.extent.first)
                if len(reference.path) > 1 or name.lower() in self.using:
                    continue
                number = sides.of(reference)
                if number is not None:
                    column = f"{sides.pair[number].name}.{source.verbatim(reference.extent)}"
                    source = source.edited(Edit(*source.span(reference.extent), column))
                elif any(side.relation.name == name.lower() for side in sides.pair):
                    hint = f"write {source.verbatim(reference.extent)}.* or one of its columns"
                    raise source.spec_error(f"{name} is the name of a relation here", reference.extent, hint=hint)
        return source


def lookup_tables(source: Source, block: QueryBlock) -> LookupTables | None:
    """The relations after a join of two with windows, if none of them has windows; None otherwise."""
    joins = placed_joins(block.scope.node)
    is_pair = bool(joins) and (joins[0].first, joins[0].stop) == (1, 2) and block.windowed == [0, 1]
    if not is_pair or len(block.relations) == 2:
        return None
    body = joined_body(source, block.select)
    first = begins_in(source, body, block.relations[1])
    assert first is not None
    end = _end_of_join(source, Extent(read_relation(source, first, body.stop).extent.stop, body.stop))
    section = Section(Part.FROM, block.select.sections[Part.FROM].head, Extent(body.first, end))
    pair = replace(block.select, sections={**block.select.sections, Part.FROM: section})
    return LookupTables(block, pair, Extent(end, body.stop))


def _end_of_join(source: Source, rest: Extent) -> int:
    """Where the condition of a join ends."""
    index = rest.first
    while index < rest.stop and not _begins_join(source, index):
        index = source.skip(index, rest.stop)
    return index


def _begins_join(source: Source, index: int) -> bool:
    token = source.at(index)
    is_call = token.is_word("LEFT", "RIGHT") and source.at(index + 1).is_symbol("(")
    is_join = token.is_word(*JOIN_WORDS, "LATERAL") and not source.at(index - 1).is_symbol(".") and not is_call
    return is_join or token.is_symbol(",")


def _item(source: Source, item: Item) -> str:
    """An item with the name that it had before the edits."""
    text, path = source.verbatim(item.expression), column_path(source, item.expression)
    if item.alias is not None:
        return f"{text} AS {source.verbatim(item.alias)}"
    return text if path is None else f"{text} AS {quoted(source.name(item.expression.stop - 1))}"


def _check_items(source: Source, select: Select, sides: Sides) -> None:
    for item in read_select_list(source, select).items:
        if source.at(item.expression.first).is_symbol("*"):
            names = ", ".join(f"{side.name}.*" for side in sides.pair)
            raise source.spec_error(
                "* cannot be used here on streams",
                item.expression,
                rule="beside tables that a join of windows goes on to, it has the name of a relation",
                hint=f"write {names} and the columns of the others" if all(s.is_named for s in sides.pair) else None,
            )
        _require_name(source, item, sides)


def _require_name(source: Source, item: Item, sides: Sides) -> None:
    if item.alias is not None or column_path(source, item.expression) is not None:
        return
    if any(sides.of(reference) is not None for reference in columns_of(source, item.expression)):
        raise source.spec_error(
            "this needs a name",
            item.expression,
            rule="on streams, beside tables that a join of windows goes on to, expressions have names",
            hint="write AS and a name after it",
        )
