"""A FROM of inner joins alone, whose order and brackets do not matter.

a JOIN (b JOIN names ON ...) ON ...
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from winsql.syntax.rules.sides import end_of_join
from winsql.syntax.selects.relations import read_relation
from winsql.syntax.text.parts import holds_query, outside_brackets
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.vocabulary import JOIN_WORDS

__all__ = ["InnerJoins", "inner_joins"]


@dataclass(slots=True)
class InnerJoins:
    """The relations, and what is after each ON, in the order of the text."""

    relations: list[Extent] = field(default_factory=list)
    conditions: list[Extent] = field(default_factory=list)


def inner_joins(source: Source, body: Extent) -> InnerJoins | None:
    """The joins of a FROM body, which are all inner ones; None where it has more than joins, as USING."""
    found = InnerJoins()
    return found if all(_read(source, body, found)) else None


def _read(source: Source, body: Extent, found: InnerJoins) -> Iterator[bool]:
    """Reads a body, part by part, into what is found; whether each is what it should be."""
    index = body.first
    while True:
        inside = _inside(source, index, body.stop)
        if inside is not None:
            yield from _read(source, inside, found)
            index = inside.stop + 1
        else:
            relation = read_relation(source, index, body.stop).extent
            yield not relation.is_empty and not source.words(index, "LATERAL")
            found.relations.append(relation)
            index = relation.stop
        while source.at(index, body.stop).is_word("ON"):
            condition = Extent(index + 1, end_of_join(source, Extent(index, body.stop)))
            yield not any(source.at(n).is_word("ON") for n in outside_brackets(source, condition))
            found.conditions.append(condition)
            index = condition.stop
        if index == body.stop:
            return
        yield source.at(index, body.stop).is_word(*JOIN_WORDS) or source.at(index, body.stop).is_symbol(",")
        while source.at(index, body.stop).is_word(*JOIN_WORDS - {"JOIN"}):
            index += 1
        index += 1


def _inside(source: Source, index: int, stop: int) -> Extent | None:
    """What is in the brackets around joined relations, which have no alias; None for anything else."""
    if not source.at(index).is_symbol("(") or holds_query(source, index):
        return None
    closing = source.closing(index)
    after = source.at(closing + 1, stop)
    is_named = after.is_name and not after.is_word("ON", *JOIN_WORDS)
    return None if is_named else Extent(index + 1, closing)
