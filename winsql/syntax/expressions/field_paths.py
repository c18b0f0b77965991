"""Column references with the fields of structs after them: `w.e`, `w['e']`."""

from __future__ import annotations

from winsql.syntax.text.literals import string_value
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind


def column_at(source: Source, name: int) -> Extent:
    """The column reference whose last name is this token, or the call whose bracket it closes.

    The last name of `w['e']` is the bracket after it.
    """
    first = name
    while True:
        before, bracket = source.at(first - 2), source.partner[first]
        if source.at(first).is_symbol("]", ")") and bracket is not None:
            first = bracket - 1
        elif source.at(first - 1).is_symbol(".") and (before.is_name or before.is_symbol("]")):
            first -= 2
        else:
            return Extent(first, name + 1)


def field_path(source: Source, extent: Extent) -> tuple[str, ...]:
    """The names of a column reference; none for anything else."""
    symbols = [source.at(index) for index in extent.indexes if source.at(index).kind is TokenKind.SYMBOL]
    is_column = not extent.is_empty and all(symbol.is_symbol(".", "[", "]") for symbol in symbols)
    if not is_column or column_at(source, extent.stop - 1) != extent:
        return ()
    named = [index for index in extent.indexes if source.at(index).kind is not TokenKind.SYMBOL]
    return tuple(name_at(source, index) for index in named)


def name_at(source: Source, index: int) -> str:
    """A name in a column reference, in its own case; the bracket after `w['e` tells that in it."""
    place = index - source.at(index).is_symbol("]")
    return string_value(source, place) if source.at(place).kind is TokenKind.STRING else source.name(place)
