"""Conditions in parts: what AND and OR join, and which part is an equality."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Set
from dataclasses import dataclass, replace

from winsql.syntax.expressions.items import read_items
from winsql.syntax.text.parts import outside_brackets
from winsql.syntax.text.source import Extent, Source


def conjuncts(source: Source, extent: Extent) -> list[Extent]:
    """The parts between the ANDs of a condition, brackets around parts removed."""
    extent = source.unwrapped(extent)
    places = [] if joints(source, extent, "OR") else joints(source, extent, "AND")
    if not places:
        return [extent]
    return [inner for part in cut_at(extent, places) if not part.is_empty for inner in conjuncts(source, part)]


def cut_at(extent: Extent, places: list[int]) -> list[Extent]:
    """The ranges between the places, which are one token each."""
    starts = [extent.first, *(place + 1 for place in places)]
    return [Extent(start, stop) for start, stop in zip(starts, [*places, extent.stop], strict=True)]


def joints(source: Source, extent: Extent, word: str) -> list[int]:
    """The ANDs, or the ORs, between the parts of a condition: none in brackets or CASE, nor the AND of BETWEEN."""
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


@dataclass(frozen=True, slots=True)
class Equality:
    """`left = right`: both sides, the whole of it, and whether NULL equals NULL in it.

    A field of rows that are compared is not the whole.
    """

    left: Extent
    right: Extent
    extent: Extent
    is_null_safe: bool
    is_whole: bool = True

    @property
    def swapped(self) -> Equality:
        return replace(self, left=self.right, right=self.left)


def _equality(source: Source, extent: Extent) -> Equality | None:
    """The equality that the whole expression is, by =, ==, <=> or IS NOT DISTINCT FROM; None for something else."""
    sign = _sign(source, extent)
    if sign is None or not (source.at(sign.first).is_symbol("=", "==", "<=>") or source.words(sign.first, "IS")):
        return None
    left, right = Extent(extent.first, sign.first), Extent(sign.stop, extent.stop)
    return Equality(left, right, extent, is_null_safe=not source.at(sign.first).is_symbol("=", "=="))


def equality_between(source: Source, extent: Extent, read_by: Callable[[Extent], Set[int | None]]) -> Equality | None:
    """The equality that the whole expression is, if one side of it reads relation 0 alone, then its left, the other 1.

    read_by   says which relations, by their numbers, an expression reads
    """
    found = _equality(source, extent)
    return None if found is None else _between(found, read_by)


def equalities_between(source: Source, extent: Extent, read_by: Callable[[Extent], Set[int | None]]) -> list[Equality]:
    """The same, where rows are compared field by field: `(a.k, a.v) = (b.k, b.v)` compares two fields.

    Spark takes NULL for equal to NULL in these.
    """
    found = _equality(source, extent)
    fields = () if found is None else _fields(source, found)
    return [between for field in fields if (between := _between(field, read_by)) is not None]


def _between(equality: Equality, read_by: Callable[[Extent], Set[int | None]]) -> Equality | None:
    read = read_by(equality.left), read_by(equality.right)
    if read not in (({0}, {1}), ({1}, {0})):
        return None
    return equality if read == ({0}, {1}) else equality.swapped


def _fields(source: Source, equality: Equality) -> Iterator[Equality]:
    """What an equality compares, which is itself unless both sides are rows of as many fields."""
    left, right = _row(source, equality.left), _row(source, equality.right)
    if not left or len(left) != len(right):
        yield equality
        return
    for one, other in zip(left, right, strict=True):
        yield from _fields(source, replace(equality, left=one, right=other, is_null_safe=True, is_whole=False))


def _row(source: Source, extent: Extent) -> list[Extent]:
    """The fields of `(a, b)` or `struct(a, b)`; none of anything else."""
    row = source.unwrapped(extent)
    row = Extent(row.first + source.words(row.first, "STRUCT"), row.stop)
    is_row = source.is_bracketed(row) and source.listed(row) != [row]
    return [item.expression for item in read_items(source, *source.listed(row))] if is_row else []


def single_fields(source: Source, key: Extent) -> Iterator[Extent]:
    """The fields of `(a, b)` or `struct(a, b)`, and those of rows in it; the key itself if it is no row."""
    fields = _row(source, key)
    for field in fields:
        yield from single_fields(source, source.unwrapped(field))
    if not fields:
        yield key


def comparison(source: Source, extent: Extent) -> tuple[Extent, Extent] | None:
    """Both sides of the comparison that the whole expression is, if it is NULL where one of them is."""
    sign = _sign(source, extent)
    if sign is None or source.at(sign.first).is_symbol("<=>") or source.words(sign.first, "IS"):
        return None
    return Extent(extent.first, sign.first), Extent(sign.stop, extent.stop)


def _sign(source: Source, extent: Extent) -> Extent | None:
    """The sign of the comparison that the whole expression is."""
    found: list[Extent] = []
    for index in outside(source, extent):
        token = source.tokens[index]
        if source.words(index, *_NOT_DISTINCT):
            found.append(Extent(index, index + len(_NOT_DISTINCT)))
        elif token.is_symbol(*_COMPARISONS):
            found.append(Extent(index, index + 1))
        elif (token.is_word(*_LOOSER) or token.is_symbol("!")) and not (found and index < found[-1].stop):
            return None
    return found[0] if len(found) == 1 else None


_NOT_DISTINCT = ("IS", "NOT", "DISTINCT", "FROM")
_COMPARISONS = ("=", "==", "<=>", "<", ">", "<=", ">=", "<>", "!=")
_LOOSER = ("AND", "OR", "NOT", "IS", "IN", "BETWEEN", "LIKE", "ILIKE", "RLIKE", "REGEXP")


def outside(source: Source, extent: Extent) -> Iterator[int]:
    """The tokens of an expression outside of brackets and CASE ... END, without the names of fields."""
    depth = 0
    for index in outside_brackets(source, extent):
        token = source.tokens[index]
        is_field = source.at(index - 1).is_symbol(".") and index > extent.first
        if not is_field:
            depth -= token.is_word("END") and depth > 0
            if depth == 0:
                yield index
            depth += token.is_word("CASE")
