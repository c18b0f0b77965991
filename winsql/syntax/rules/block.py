"""A SELECT that reads windows: what its names mean, and its parts in the text."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from winsql.syntax.selects.scanner import select_at
from winsql.syntax.text.parts import Part, Select
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.tree.from_alone import from_alone
from winsql.syntax.tree.masks import query_around
from winsql.syntax.tree.records import Relation, Scope


def select_of(source: Source, scope: Scope) -> Select:
    """The parts of the SELECT that a scope is of; FROM alone is one. Raises WindowSyntaxError as `select_at`."""
    alone = None
    if source.words(scope.first, "FROM"):
        alone = from_alone(source, scope.first, query_around(source, scope.first))
    return alone or select_at(source, scope.first)


@dataclass(frozen=True, slots=True)
class QueryBlock:
    """One SELECT; `scopes` are those of the statement so far, by their first tokens."""

    scope: Scope
    select: Select
    scopes: Mapping[int, Scope] = field(repr=False, compare=False)

    @property
    def relations(self) -> tuple[Relation, ...]:
        return self.scope.relations

    @property
    def body(self) -> Extent:
        """The tokens after FROM."""
        return self.select.sections[Part.FROM].body

    @property
    def windowed(self) -> list[int]:
        """The numbers of its relations with window columns."""
        return [number for number, relation in enumerate(self.relations) if relation.is_windowed]

    def with_first(self, numbers: Sequence[int]) -> QueryBlock:
        """The SELECT with these relations before the others."""
        order = [*numbers, *(n for n in range(len(self.relations)) if n not in numbers)]
        meanings = {
            token: meaning if meaning.level else replace(meaning, relations=tuple(map(order.index, meaning.relations)))
            for token, meaning in self.scope.meanings.items()
        }
        relations = tuple(self.relations[number] for number in order)
        return replace(self, scope=replace(self.scope, relations=relations, meanings=meanings))

    def over_plan(self) -> QueryBlock:
        """The SELECT when its relations have plans of their own, so that functions among them stay."""
        relations = tuple(replace(relation, origin=None, select=None) for relation in self.relations)
        return replace(self, scope=replace(self.scope, relations=relations))
