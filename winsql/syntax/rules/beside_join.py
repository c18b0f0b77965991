"""Tables and views that a join of windows goes on to, in the same FROM: what they look up is Spark's to join.

    SELECT l.k, r.v, n.label, l.window_end FROM a l JOIN b r ON l.k = r.k AND l.window_end = r.window_end
      LEFT JOIN names n ON n.id = l.k

The pairs of the first two relations come as rows of two structs, which have their names, so that `l.k` is what it was.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

from winsql.syntax.expressions.items import Item, column_path, quoted, read_select_list
from winsql.syntax.joins.clause import columns_of
from winsql.syntax.rules.sides import Side, Sides, begins_in, joined_body, refused
from winsql.syntax.selects.relations import read_relation
from winsql.syntax.text.compose import clause
from winsql.syntax.text.parts import Part, Section, Select
from winsql.syntax.text.source import Edit, Extent, Source
from winsql.syntax.text.vocabulary import JOIN_WORDS
from winsql.syntax.tree.nodes import is_natural, joins_of, placed_joins, using_of
from winsql.syntax.tree.records import Relation, Scope

__all__ = [
    "after_pair",
    "expressions_beside",
    "only_pair",
    "pairs_as_structs",
    "project_beside",
    "relations_beside",
    "with_names_of_sides",
]


def relations_beside(scope: Scope) -> tuple[Relation, ...]:
    """The relations without windows that follow two that have them; () for any other FROM."""
    joins, others = placed_joins(scope.node), scope.relations[2:]
    is_pair = bool(joins) and (joins[0].first, joins[0].stop) == (1, 2)
    if not is_pair or not all(relation.is_windowed for relation in scope.relations[:2]):
        return ()
    return () if any(relation.is_windowed for relation in others) else others


def only_pair(source: Source, scope: Scope, select: Select) -> Select:
    """The SELECT with a FROM of the first two relations alone."""
    body = joined_body(source, select)
    first = begins_in(source, body, scope.relations[1])
    assert first is not None
    end = read_relation(source, first, body.stop).extent.stop
    while end < body.stop and not _ends_pair(source, end):
        end = source.skip(end, body.stop)
    section = Section(Part.FROM, select.sections[Part.FROM].head, Extent(body.first, end))
    return replace(select, sections={**select.sections, Part.FROM: section})


def _ends_pair(source: Source, index: int) -> bool:
    """Whether a further relation begins after the condition of the first join."""
    token = source.at(index)
    is_call = token.is_word("LEFT", "RIGHT") and source.at(index + 1).is_symbol("(")
    is_join = token.is_word(*JOIN_WORDS, "LATERAL") and not source.at(index - 1).is_symbol(".") and not is_call
    return is_join or token.is_symbol(",")


def after_pair(source: Source, select: Select, pair: Select) -> Extent:
    """The further relations in the FROM of a SELECT."""
    return Extent(pair.sections[Part.FROM].body.stop, joined_body(source, select).stop)


def expressions_beside(source: Source, beside: Extent) -> Iterator[Extent]:
    """The conditions of joins, and what generators read, among further relations."""
    index = beside.first
    while index < beside.stop:
        first = index + 1
        if source.at(index).is_word("ON"):
            while first < beside.stop and not _ends_pair(source, first):
                first = source.skip(first, beside.stop)
            yield Extent(index + 1, first)
        elif source.words(index, "LATERAL", "VIEW"):
            bracket = next((n for n in range(index, beside.stop) if source.at(n).is_symbol("(")), index)
            yield Extent(bracket + 1, source.closing(bracket) if bracket > index else bracket + 1)
        index = source.skip(index, beside.stop)


def pairs_as_structs(
    source: Source, scope: Scope, select: Select, sides: Sides, kept: Sequence[Side], shared: Mapping[str, str]
) -> str:
    """The select list of the pairs: a struct for each side that is kept, and columns that later joins name in USING.

    shared   the columns that the first join has equal by USING: their values as SQL

    Raises WindowSpecError for a later join that names no columns of its own.
    """
    later = joins_of(scope.node)[1:]
    place = select.sections[Part.FROM].extent
    if any(map(is_natural, later)):
        raise refused(source, place, "a NATURAL join after a join of windows", "compare the columns: JOIN ... ON")
    columns = [f"struct({side.name}.*) AS {side.name}" for side in kept]
    for name in using_of(*later):
        known = [side.column(name) for side in kept if side.has(name)]
        if name not in shared and len(known) != 1:
            hint = f"compare the columns: ON {sides.pair[0].column(name)} = ..."
            raise refused(source, place, f"USING ({name}) after a join of windows", hint)
        columns.append(f"{shared.get(name) or known[0]} AS {quoted(name)}")
    return ", ".join(columns)


def project_beside(source: Source, select: Select, pair: Select, columns: str) -> tuple[str, str]:
    """Head and tail of a SELECT that goes on to further relations, over the pairs."""
    listed = read_select_list(source, select)
    rest = source.verbatim(after_pair(source, select, pair))
    where = select.body(Part.WHERE)
    filtered = "" if where is None else f" {clause('WHERE', source.verbatim(where))}"
    items = ", ".join(_item(source, item) for item in listed.items)
    return f"{listed.opening} {items} FROM (SELECT {columns}", f") {rest}{filtered}"


def _item(source: Source, item: Item) -> str:
    """An item under the name that it has, whatever has come in its place."""
    text, path = source.verbatim(item.expression), column_path(source, item.expression)
    if item.alias is not None:
        return f"{text} AS {source.verbatim(item.alias)}"
    return text if path is None else f"{text} AS {quoted(source.name(item.expression.stop - 1))}"


def with_names_of_sides(source: Source, scope: Scope, select: Select, pair: Select, sides: Sides) -> Source:
    """The source where columns of the sides, and stars, say whose they are.

    Raises WindowSpecError for an item that Spark would name by what it has become.
    """
    using = using_of(*joins_of(scope.node)[1:])
    _check_items(source, select, sides)
    bodies = [section.body for part, section in select.sections.items() if part is not Part.FROM]
    for body in (*bodies, *expressions_beside(source, after_pair(source, select, pair))):
        for reference in columns_of(source, body):
            name = source.name(reference.extent.first)
            if len(reference.path) > 1 or name.lower() in using:
                continue
            number = sides.of(reference)
            if number is not None:
                column = f"{sides.pair[number].name}.{source.verbatim(reference.extent)}"
                source = source.edited(Edit(*source.span(reference.extent), column))
            elif any(side.relation.name == name.lower() for side in sides.pair):
                hint = f"write {source.verbatim(reference.extent)}.* or one of its columns"
                raise source.spec_error(f"{name} is the name of a relation here", reference.extent, hint=hint)
    return source


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
