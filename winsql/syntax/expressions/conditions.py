"""Conditions in parts: what AND and OR join, and which part is an equality."""

from __future__ import annotations

from collections.abc import Iterator

from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind

__all__ = ["conjuncts", "equals_sign", "joints", "outside"]


def conjuncts(source: Source, extent: Extent) -> list[Extent]:
    """The parts between the ANDs of a condition, brackets around parts removed."""
    extent = source.unwrapped(extent)
    places = [] if joints(source, extent, "OR") else joints(source, extent, "AND")
    if not places:
        return [extent]
    starts = [extent.first, *(place + 1 for place in places)]
    parts = [Extent(start, stop) for start, stop in zip(starts, [*places, extent.stop], strict=True)]
    return [inner for part in parts if not part.is_empty for inner in conjuncts(source, part)]


def joints(source: Source, extent: Extent, word: str) -> list[int]:
    """Where AND, or OR, joins the parts of a condition: outside of brackets and CASE, and not in BETWEEN."""
    places = []
    betweens = 0
    for index in outside(source, extent):
        token = source.tokens[index]
        betweens += token.is_word("BETWEEN")
        if not token.is_word(word):
            continue
        if word == "AND" and betweens:
            betweens -= 1
        else:
            places.append(index)
    return places


def equals_sign(source: Source, extent: Extent) -> int | None:
    """The index of the sign of the equality that the whole expression is; None where it is something else."""
    found = []
    for index in outside(source, extent):
        token = source.tokens[index]
        if token.upper in _LOOSER and token.kind in (TokenKind.WORD, TokenKind.SYMBOL):
            return None
        if token.is_symbol(*_COMPARISONS):
            found.append(index)
    is_equality = len(found) == 1 and source.tokens[found[0]].is_symbol("=", "==", "<=>")
    return found[0] if is_equality else None


_COMPARISONS = ("=", "==", "<=>", "<", ">", "<=", ">=", "<>", "!=")
_LOOSER = ("NOT", "!", "IS", "IN", "BETWEEN", "LIKE", "ILIKE", "RLIKE", "REGEXP")


def outside(source: Source, extent: Extent) -> Iterator[int]:
    """The tokens of an expression outside of brackets and of what CASE and END enclose; fields are left out."""
    depth = 0
    index = extent.first
    while index < extent.stop:
        token = source.tokens[index]
        is_field = source.at(index - 1).is_symbol(".") and index > extent.first
        if not is_field:
            depth -= token.is_word("END") and depth > 0
            if depth == 0:
                yield index
            depth += token.is_word("CASE")
        index = source.skip(index, extent.stop)
