"""What the queries of a statement were read from, and how they read once others have been planned."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from winsql.model.query import WindowQuery
from winsql.syntax.fragments import Stages
from winsql.syntax.rules.fragment import Fragment
from winsql.syntax.text.deep import room_for
from winsql.syntax.text.source import Edit, Extent, Source

__all__ = ["Parsed", "bound"]


@dataclass(frozen=True, slots=True)
class Parsed:
    """What a statement with windowed queries was read from.

    undecided   the fragments of which nobody has said yet whether they read streams or tables, by their keys
    streaming   those that are known to read streams
    """

    source: Source
    fragments: tuple[Fragment, ...]
    stages: Stages
    undecided: frozenset[tuple[Extent, int]]
    streaming: frozenset[Extent] = frozenset()

    def query(self, queries: Sequence[WindowQuery], index: int, source: Source) -> WindowQuery:
        """A query as it is in a source with more edits; it is bound again only where one of them is inside it."""
        fragment = self.fragments[index]
        span = source.span(fragment.all)
        edits = source.edits[len(self.source.edits) :]
        if any(span.start <= edit.start and edit.end <= span.end for edit in edits):
            return bound(fragment, source)
        return queries[index]

    def with_relations(self, queries: Sequence[WindowQuery], relations: Mapping[int, str]) -> Source:
        """The source with edits for every query whose relation is known, inner ones applied first."""
        source = self.source
        for index, fragment in enumerate(self.fragments):
            if index not in relations:
                continue
            query = self.query(queries, index, source)
            edits = () if fragment.extent in self.streaming else self.stages.edits(fragment)
            for edit in (*edits, Edit(*source.span(fragment.extent), _replacement(query, relations[index]))):
                source = source.edited(edit)
        return source


def bound(fragment: Fragment, source: Source) -> WindowQuery:
    """The query of a fragment; raises WindowSyntaxError and WindowSpecError with their place."""
    with room_for(source):
        return fragment.bind(source)


def _replacement(query: WindowQuery, relation: str) -> str:
    """The query over the result of the window operator; without a head what it reads there, a FROM body."""
    if not query.head:
        return relation
    return f"{query.head} FROM {relation} {query.tail}".rstrip()
