"""Further tables in the FROM of a join of windows, which Spark joins to the pairs.

    SELECT l.k, r.v, n.label, l.window_end FROM a l JOIN b r ON l.k = r.k AND l.window_end = r.window_end
      LEFT JOIN names n ON n.id = l.k

The pairs are rows of two structs with the names of the sides, so that `l.k` means what it did. Tables before the second
side are joined after it: as long as all these joins are inner ones, their order does not matter, and neither does it
where the second side is joined to the first alone, with all rows of the first that are left. Inner joins may have
brackets around some of them.
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
from winsql.syntax.selects.relations import read_relation
from winsql.syntax.text.compose import clause
from winsql.syntax.text.parts import COUNTS, Part, Select, holds_query, outside_brackets
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.vocabulary import JOIN_WORDS
from winsql.syntax.tree.nodes import clauses_of, is_natural, join_type_of, joins_of, placed_joins, using_of
from winsql.syntax.tree.records import Relation


@dataclass(frozen=True, slots=True)
class LookupTables:
    """The relations beside a join of windows in a FROM.

    block     the SELECT, the two sides first among its relations
    pair      the SELECT without the relations after the sides
    join      the join of the sides
    extent    the relations after the sides in the text
    first     the relations before the second side whose order does not matter
    conditions   what is after ON up to the second side, where there are any
    between   those that the first side goes on to before the second one: as they are written, and with their joins
    is_apart  whether the condition of the join of the sides is none of `conditions`
    leaves    the sides in the text, where they are in brackets with other relations
    """

    block: QueryBlock
    pair: Select
    join: exp.Join
    extent: Extent
    first: tuple[Extent, ...] = ()
    conditions: tuple[Extent, ...] = ()
    between: tuple[tuple[Extent, Extent], ...] = ()
    is_apart: bool = False
    leaves: tuple[Extent, ...] = ()

    @property
    def relations(self) -> tuple[Relation, ...]:
        return self.block.relations[2:]

    @property
    def using(self) -> list[str]:
        """The columns in the USING of their joins, those of the last one first."""
        return using_of(*reversed(self._joins))

    @property
    def before(self) -> list[Extent]:
        """The relations before the second side."""
        return [*self.first, *(written for written, _ in self.between)]

    @property
    def _joins(self) -> list[exp.Join]:
        return [join for join in joins_of(self.block.scope.node) if join is not self.join]

    def bodies(self, source: Source) -> Iterator[Extent]:
        """The expressions over the pairs: clauses of the SELECT, conditions of joins, arguments of generators."""
        yield from (section.body for part, section in self.block.select.sections.items() if part is not Part.FROM)
        yield from self.conditions
        for extent in (*(joined for _, joined in self.between), self.extent):
            yield from _bodies_in(source, extent)

    def structs(self, source: Source, join: ResolvedJoin) -> str:
        """The select list of the pairs: a struct per side, and the columns in the USING of further joins.

        Raises WindowSpecError for a NATURAL join, and for USING columns of both sides.
        """
        place = self.block.select.sections[Part.FROM].extent
        if any(map(is_natural, self._joins)):
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
        """The joins of the pairs with the relations before the second side, as SQL; '' without any."""
        joins = [f" CROSS JOIN {source.verbatim(extent)}" for extent in self.first]
        conditions = " AND ".join(f"({source.verbatim(extent)}\n)" for extent in self.conditions)
        if joins and conditions:
            joins[-1] = f" JOIN {source.verbatim(self.first[-1])} ON {conditions}"
        return "".join((*joins, *(f" {source.verbatim(joined)}\n" for _, joined in self.between)))

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
                    source = source.replaced(reference.extent, column)
                elif any(side.relation.name == name.lower() for side in sides.pair):
                    hint = f"write {source.verbatim(reference.extent)}.* or one of its columns"
                    raise source.spec_error(f"{name} is the name of a relation here", reference.extent, hint=hint)
        return source


def _bodies_in(source: Source, joined: Extent) -> Iterator[Extent]:
    """The conditions of joins and the arguments of generators in a part of FROM."""
    for index in outside_brackets(source, joined):
        first = index + 1
        if source.at(index).is_word("ON"):
            yield Extent(first, end_of_join(source, Extent(first, joined.stop)))
        elif source.words(index, "LATERAL", "VIEW"):
            bracket = next((n for n in range(index, joined.stop) if source.at(n).is_symbol("(")), index)
            yield Extent(bracket + 1, source.closing(bracket) if bracket > index else bracket + 1)


def lookup_tables(source: Source, block: QueryBlock) -> LookupTables | None:
    """The relations beside a join of two with windows, if none of them has windows; None otherwise."""
    joins, windowed = placed_joins(block.scope.node), block.windowed
    if len(windowed) != 2 or len(block.relations) == 2:
        return None
    second = windowed[1]
    if [(join.first, join.stop) for join in joins] != [(n, n + 1) for n in range(1, len(joins) + 1)]:
        return _in_brackets(source, block)
    *before, join = (placed.join for placed in joins[:second])
    is_any_order = all(map(_is_inner, (*before, join))) if before else True
    is_apart = windowed[0] > 0 and not is_any_order
    can_be_last = _is_last(join) and all(map(_is_inner if is_apart else _is_lookup, before))
    if not (is_any_order or can_be_last):
        return None
    body, relations = joined_body(source, block.select), block.relations[: second + 1]
    if any(begins_in(source, body, relation) is None for relation in relations):
        return None
    found_there = [written_in(source, body, relation) for relation in relations]
    if is_any_order and any(found_there[n].name is None and relations[n].name for n in windowed):
        return _in_brackets(source, block)
    written = [relation.extent for relation in found_there]
    ends = [end_of_join(source, Extent(extent.stop, body.stop)) for extent in written]
    if not are_joined_alone(source, Extent(body.first, ends[-1]), written):
        return _in_brackets(source, block) if is_any_order else None
    pair = _with_body(block.select, Extent(body.first, ends[-1]))
    found = LookupTables(block.with_first(windowed), pair, join, Extent(ends[-1], body.stop))
    others = [n for n in range(second) if n not in windowed]
    if not (is_any_order or is_apart):
        return replace(found, between=tuple((written[n], Extent(ends[n - 1], ends[n])) for n in others))
    rests = [Extent(extent.stop + 1, end) for extent, end in zip(written, ends, strict=True)]
    rests = rests[:-1] if is_apart else rests
    conditions = tuple(rest for rest in rests if source.words(rest.first - 1, "ON")) if others else ()
    return replace(found, first=tuple(written[n] for n in others), conditions=conditions, is_apart=is_apart)


def _in_brackets(source: Source, block: QueryBlock) -> LookupTables | None:
    """The same where some relations are in brackets, all joined by inner joins."""
    body, windowed = joined_body(source, block.select), block.windowed
    joins, relations, conditions = joins_of(block.scope.node), list[Extent](), list[Extent]()
    has_joins_alone = all(_read_joins(source, body, relations, conditions))
    if not has_joins_alone or len(relations) != len(block.relations) or not all(map(_is_inner, joins)):
        return None
    leaves = tuple(relations[n] for n in windowed)
    if any(block.relations[n].first not in leaf.indexes for n, leaf in zip(windowed, leaves, strict=True)):
        return None
    others = tuple(leaf for n, leaf in enumerate(relations) if n not in windowed)
    sides, pair, nothing = block.with_first(windowed), _with_body(block.select, body), Extent(body.stop, body.stop)
    return LookupTables(sides, pair, joins[0], nothing, others, tuple(conditions), leaves=leaves)


def _read_joins(source: Source, body: Extent, relations: list[Extent], conditions: list[Extent]) -> Iterator[bool]:
    """Reads `a JOIN (b JOIN names ON ...) ON ...`, part by part, into its relations and what is after each ON; whether
    each is what it should be: no USING, no LATERAL."""
    index = body.first
    while True:
        inside = _joined_in(source, index, body.stop)
        if inside is not None:
            yield from _read_joins(source, inside, relations, conditions)
            index = inside.stop + 1
        else:
            relation = read_relation(source, index, body.stop).extent
            yield not relation.is_empty and not source.words(index, "LATERAL")
            relations.append(relation)
            index = relation.stop
        while source.at(index, body.stop).is_word("ON"):
            condition = Extent(index + 1, end_of_join(source, Extent(index, body.stop)))
            yield not any(source.at(n).is_word("ON") for n in outside_brackets(source, condition))
            conditions.append(condition)
            index = condition.stop
        if index == body.stop:
            return
        yield source.at(index, body.stop).is_word(*JOIN_WORDS) or source.at(index, body.stop).is_symbol(",")
        while source.at(index, body.stop).is_word(*JOIN_WORDS - {"JOIN"}):
            index += 1
        index += 1


def _joined_in(source: Source, index: int, stop: int) -> Extent | None:
    """What is in the brackets around joined relations, which have no alias; None for anything else."""
    if not source.at(index).is_symbol("(") or holds_query(source, index):
        return None
    closing = source.closing(index)
    after = source.at(closing + 1, stop)
    is_named = after.is_name and not after.is_word("ON", *JOIN_WORDS)
    return None if is_named else Extent(index + 1, closing)


def _with_body(select: Select, body: Extent) -> Select:
    """A SELECT with another FROM body."""
    return select.with_section(replace(select.sections[Part.FROM], body=body))


def _is_inner(join: exp.Join) -> bool:
    """Whether a join keeps the rows of neither side by themselves, and names no columns of both."""
    how = join_type_of(join)
    return _is_plain(join) and how is not None and in_each_row(how) == [0, 1]


def _is_lookup(join: exp.Join) -> bool:
    """Whether a join can come after one of all rows of its left side with others, or those that meet others."""
    how = join_type_of(join)
    is_comma = clauses_of(join) == {"this"}
    return _is_plain(join) and not is_comma and how is not None and how.has_left_in_each and how.has_right


def _is_last(join: exp.Join) -> bool:
    """Whether a join can come before those of its left side with other relations, which its condition does not read."""
    how = join_type_of(join)
    return not is_natural(join) and how is not None and how.has_left_in_each


def _is_plain(join: exp.Join) -> bool:
    return not join.args.get("method") and not using_of(join) and not isinstance(join.this, exp.Lateral)


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
        problem = "all columns cannot be selected" if listed.has_all else "* cannot be used"
        rule = "beside tables that a join of windows goes on to, it has the name of a relation"
        hint = f"write {names} and the columns of the others" if all(s.is_named for s in sides.pair) else None
        raise source.spec_error(f"{problem} here on streams", stars[0], rule=rule, hint=hint)
    for item in listed.items:
        _require_name(source, item, sides)


def _require_name(source: Source, item: Item, sides: Sides) -> None:
    if item.alias is not None or column_path(source, item.expression) is not None:
        return
    if any(sides.of(reference) is not None for reference in columns_of(source, item.expression)):
        rule = "on streams, beside tables that a join of windows goes on to, expressions have names"
        hint = "write AS and a name after it"
        raise source.spec_error("this needs a name", item.expression, rule=rule, hint=hint)
