"""Further tables in the FROM of a join of windows, which Spark joins to the pairs.

    SELECT l.k, r.v, n.label, l.window_end FROM a l JOIN b r ON l.k = r.k AND l.window_end = r.window_end
      LEFT JOIN names n ON n.id = l.k

The pairs are rows of two structs with the names of the sides, so that `l.k` means what it did. Tables before the sides
are joined after them: as long as all these joins are inner ones, their order does not matter.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from sqlglot import exp

from winsql.syntax.expressions.items import Item, column_path, quoted, read_select_list
from winsql.syntax.joins.clause import columns_of
from winsql.syntax.rules.block import QueryBlock
from winsql.syntax.rules.resolved_join import ResolvedJoin
from winsql.syntax.rules.sides import (
    Sides,
    are_joined_alone,
    begins_in,
    end_of_join,
    in_each_row,
    joined_body,
    refused,
    written_in,
)
from winsql.syntax.text.compose import clause
from winsql.syntax.text.parts import COUNTS, Part, Section, Select, outside_brackets
from winsql.syntax.text.source import Edit, Extent, Source
from winsql.syntax.tree.nodes import is_natural, join_type_of, joins_of, placed_joins, using_of
from winsql.syntax.tree.records import Relation

__all__ = ["LookupTables", "lookup_tables"]


@dataclass(frozen=True, slots=True)
class LookupTables:
    """The relations beside a join of windows in a FROM.

    block     the SELECT, the two sides first among its relations
    pair      the SELECT without the relations after the sides
    extent    these relations in the text
    first     the relations before the sides
    conditions   what is after ON up to the sides, where relations are before these
    """

    block: QueryBlock
    pair: Select
    extent: Extent
    first: tuple[Extent, ...] = ()
    conditions: tuple[Extent, ...] = ()

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
        yield from self.conditions
        for index in outside_brackets(source, self.extent):
            first = index + 1
            if source.at(index).is_word("ON"):
                yield Extent(first, end_of_join(source, Extent(first, self.extent.stop)))
            elif source.words(index, "LATERAL", "VIEW"):
                bracket = next((n for n in range(index, self.extent.stop) if source.at(n).is_symbol("(")), index)
                yield Extent(bracket + 1, source.closing(bracket) if bracket > index else bracket + 1)

    def structs(self, source: Source, join: ResolvedJoin) -> str:
        """The select list of the pairs: a struct per side, and the columns in the USING of further joins.

        Raises WindowSpecError for a NATURAL join, and for USING columns of both sides.
        """
        place = self.block.select.sections[Part.FROM].extent
        if any(map(is_natural, joins_of(self.block.scope.node)[1:])):
            raise refused(source, place, "a NATURAL join after a join of windows", "compare the columns: JOIN ... ON")
        columns = join.structs
        for name in self.using:
            if name in join.columns:
                continue
            known = [side.column(name) for side in join.returned if side.relation.has(name)]
            if name not in join.shared and len(known) != 1:
                hint = f"compare the columns: ON {join.sides.pair[0].column(name)} = ..."
                raise refused(source, place, f"USING ({name}) after a join of windows", hint)
            columns.append(f"{join.value(name) if name in join.shared else known[0]} AS {quoted(name)}")
        return ", ".join(columns)

    def projection(self, source: Source, structs: str) -> tuple[str, str]:
        """Head and tail of the SELECT over the pairs."""
        listed = read_select_list(source, self.block.select)
        after = (self.block.select.get(part) for part in (Part.WHERE, *COUNTS))
        tail = "".join(f" {clause(s.part.words, source.verbatim(s.body))}" for s in after if s is not None)
        items = ", ".join(_item(source, item) for item in listed.items)
        joined = f"{self.after_pairs(source)} {source.verbatim(self.extent)}"
        return f"{listed.opening} {items} FROM (SELECT {structs}", f"){joined}{tail}"

    def after_pairs(self, source: Source) -> str:
        """The joins of the pairs with the relations before them, as SQL; '' without any."""
        joins = [f" CROSS JOIN {source.verbatim(extent)}" for extent in self.first]
        conditions = " AND ".join(f"({source.verbatim(extent)}\n)" for extent in self.conditions)
        if joins and conditions:
            joins[-1] = f" JOIN {source.verbatim(self.first[-1])} ON {conditions}"
        return "".join(joins)

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
    """The relations beside a join of two with windows, if none of them has windows; None otherwise."""
    joins, windowed = placed_joins(block.scope.node), block.windowed
    if len(windowed) != 2 or len(block.relations) == 2 or windowed[1] != windowed[0] + 1:
        return None
    before = windowed[0]
    if [(join.first, join.stop) for join in joins[: before + 1]] != [(n, n + 1) for n in range(1, before + 2)]:
        return None
    if before and not all(map(_is_inner, (placed.join for placed in joins[: before + 1]))):
        return None
    body = joined_body(source, block.select)
    if any(begins_in(source, body, relation) is None for relation in block.relations[: before + 2]):
        return None
    written = [written_in(source, body, relation).extent for relation in block.relations[: before + 2]]
    ends = [end_of_join(source, Extent(extent.stop, body.stop)) for extent in written]
    rests = (Extent(extent.stop + 1, end) for extent, end in zip(written, ends, strict=True))
    if not are_joined_alone(source, Extent(body.first, ends[-1]), written):
        return None
    conditions = tuple(rest for rest in rests if source.words(rest.first - 1, "ON")) if before else ()
    section = Section(Part.FROM, block.select.sections[Part.FROM].head, Extent(body.first, ends[-1]))
    pair = replace(block.select, sections={**block.select.sections, Part.FROM: section})
    own = block if not before else block.with_first(windowed)
    return LookupTables(own, pair, Extent(ends[-1], body.stop), tuple(written[:before]), conditions)


def _is_inner(join: exp.Join) -> bool:
    """Whether a join keeps the rows of neither side by themselves, and names no columns of both."""
    plain = not join.args.get("method") and not using_of(join) and not isinstance(join.this, exp.Lateral)
    how = join_type_of(join)
    return plain and how is not None and in_each_row(how) == [0, 1]


def _item(source: Source, item: Item) -> str:
    """An item with the name that it had before the edits."""
    text, path = source.verbatim(item.expression), column_path(source, item.expression)
    if item.alias is not None:
        return f"{text} AS {source.verbatim(item.alias)}"
    return text if path is None else f"{text} AS {quoted(source.name(item.expression.stop - 1))}"


def _check_items(source: Source, select: Select, sides: Sides) -> None:
    listed = read_select_list(source, select)
    stars = [item.expression for item in listed.items if source.at(item.expression.first).is_symbol("*")]
    if listed.has_all:
        stars = [select.sections[Part.FROM].head]
    if stars:
        names = ", ".join(f"{side.name}.*" for side in sides.pair)
        raise source.spec_error(
            "all columns cannot be selected here on streams" if listed.has_all else "* cannot be used here on streams",
            stars[0],
            rule="beside tables that a join of windows goes on to, it has the name of a relation",
            hint=f"write {names} and the columns of the others" if all(s.is_named for s in sides.pair) else None,
        )
    for item in listed.items:
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
