"""Correlation: the relations of the queries around a windowed one, whose columns a subquery may name."""

from __future__ import annotations

from collections.abc import Iterator

from winsql.syntax.expressions.items import column_path
from winsql.syntax.selects.scanner import select_around
from winsql.syntax.selects.with_lists import Context
from winsql.syntax.text.parts import Part, Select, brackets_around
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.vocabulary import JOIN_WORDS


def readable_around(source: Source, fragment: Extent) -> Iterator[tuple[str, str]]:
    """For each query around a fragment, inner ones first, a WITH list and the FROM body whose columns it may name."""
    for select, bracket in _selects_around(source, fragment):
        body = select.body(Part.FROM)
        if body is None:
            continue
        seen = _before(source, body, bracket) if bracket in body.indexes else body
        if not seen.is_empty:
            yield Context(source).prefix(select.extent.first), source.verbatim(seen)


def is_inside(source: Source, fragment: Extent) -> bool:
    """Whether a query is around a fragment; a WITH list and brackets around a whole statement are none."""
    return any(True for _ in _selects_around(source, fragment))


def lateral_relations(source: Source) -> list[int]:
    """The words LATERAL before relations; that of a LATERAL VIEW is none."""
    return [place for place in source.places("LATERAL") if not source.words(place + 1, "VIEW")]


def operand_queries(source: Source) -> list[int]:
    """The first words of queries that may be operands: brackets around them are not those of relations."""
    queries = (place for place in source.places("(") if source.at(place + 1).is_word("SELECT", "WITH", "FROM"))
    return [place + 1 for place in queries if place > 0 and not source.at(place - 1).is_word(*_BEFORE_RELATION)]


_BEFORE_RELATION = ("FROM", "JOIN", "TABLE", "AS")


def place_of(source: Source, fragment: Extent, path: tuple[str, ...]) -> Extent:
    """Where a fragment names a column by these parts, upper case; its first word where it does not."""
    for index in fragment.indexes:
        column = Extent(index, min(index + 2 * len(path) - 1, fragment.stop))
        if column_path(source, column) == path and not source.at(index - 1).is_symbol("."):
            return column
    return Extent(fragment.first, fragment.first + 1)


def _selects_around(source: Source, fragment: Extent) -> Iterator[tuple[Select, int]]:
    """The SELECTs around a fragment, each with the bracket in it that leads to the fragment."""
    for bracket in brackets_around(source, fragment.first):
        select = select_around(source, bracket)
        if select is not None and bracket in select.extent.indexes:
            yield select, bracket


_JOINS = JOIN_WORDS | {"OUTER", "LATERAL"}


def _before(source: Source, body: Extent, bracket: int) -> Extent:
    """The relations of a FROM body that a LATERAL subquery sees: those before it; none for another subquery."""
    if not source.words(bracket - 1, "LATERAL"):
        return Extent(body.first, body.first)
    stop = bracket - 1
    while stop > body.first and (source.at(stop - 1).is_word(*_JOINS) or source.at(stop - 1).is_symbol(",")):
        stop -= 1
    return Extent(body.first, stop)
