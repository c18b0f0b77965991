"""Rewrites expressions over the source as expressions over the result of the window operator."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from winsql.model.aggregate_calls import AggregateCall
from winsql.model.query import INTERNAL_PREFIX, WINDOW_COLUMNS, PayloadColumn, Variable
from winsql.syntax.expressions.aggregate_calls import to_aggregate
from winsql.syntax.expressions.field_names import with_field_name
from winsql.syntax.expressions.keys import Key, KeyMatcher
from winsql.syntax.expressions.references import Reference, ReferenceKind, find_references, require_flat
from winsql.syntax.selects.relations import NO_ALIAS
from winsql.syntax.text.source import Edit, Extent, Source

ColumnRule = Callable[["Rewriter", Reference], str | None]
"""The text for a column that is neither a key nor a window column; None leaves it as it is. May raise."""


_RANKED = -2
"""In the place of a key's number: the match is a call with OVER."""


@dataclass(slots=True)
class Rewriter:
    """Rewrites the expressions of one query, and collects the aggregates and payload columns that they need.

    keys, match   the keys, and what finds them
    on_column, on_star   rules for columns of the source and for `*`
    ranks     the columns of calls with OVER: by the first token, the index after the call and the column
    star_windows   the window columns in `*`
    columns   names that are known to be columns of the source
    windows   the window columns that have been read, by the names that plans use
    """

    source: Source
    keys: list[Key]
    match: KeyMatcher
    on_column: ColumnRule
    on_star: ColumnRule
    ranks: Mapping[int, tuple[int, str]]
    star_windows: tuple[str, ...]
    columns: frozenset[str]
    aggregates: dict[tuple[str, ...], AggregateCall] = field(default_factory=dict)
    payload: dict[tuple[str, ...], PayloadColumn] = field(default_factory=dict)
    variables: list[Variable] = field(default_factory=list)
    windows: set[str] = field(default_factory=set)

    def rewrite(self, extent: Extent, aliases: Mapping[str, str | None] | None = None) -> str:
        """A range of the text, over the operator's result.

        `aliases` are the names of items that come before columns, each with the text that replaces it, or None.
        """
        known = aliases or {}
        edits: list[Edit] = []
        for reference in self._references(extent, known):
            if reference.kind is ReferenceKind.SUBQUERY:
                edits += self._outer_references(reference.extent)
                continue
            text = self._text(reference, known)
            if text is not None:
                if reference.kind is not ReferenceKind.STAR:
                    text = with_field_name(self.source, reference.extent, text)
                edits.append(Edit(*self.source.span(reference.extent), text))
        return self.source.verbatim(extent, edits)

    def carry(self, extent: Extent, sql: str | None = None) -> str:
        """The payload column with an expression over the source: `sql`, or the text itself."""
        key = (*self.source.normal(extent), "" if sql is None else "*")
        if key not in self.payload:
            column = f"{INTERNAL_PREFIX}column_{len(self.payload)}"
            self.payload[key] = PayloadColumn(sql or self.source.verbatim(extent), column)
        return self.payload[key].column

    def aggregate(self, reference: Reference) -> str:
        """The column of an aggregate call, the same for the same call."""
        assert reference.call is not None
        key = self.source.normal(reference.extent)
        if key not in self.aggregates:
            require_flat(self.source, reference)
            column = f"{INTERNAL_PREFIX}aggregate_{len(self.aggregates)}"
            self.aggregates[key] = to_aggregate(self.source, reference.call, column, self.match.same)
        return self.aggregates[key].column

    def window(self, name: str) -> str:
        """The column that holds a window column."""
        self.windows.add(WINDOW_COLUMNS[name])
        return WINDOW_COLUMNS[name]

    def is_variable(self, reference: Reference) -> bool:
        """Whether a name that is no key is a session variable, which is noted and stays as it is."""
        name = self.source.verbatim(reference.extent)
        is_qualified = any(reference.path[:n] in self.match.paths for n in range(1, len(reference.path)))
        if not reference.is_certain or is_qualified or not self.source.is_variable(name):
            return False
        first = self.source.name(reference.extent.first)
        self.variables.append(Variable(first, name, self.source.span(reference.extent)))
        return True

    def _references(self, extent: Extent, aliases: Mapping[str, str | None]) -> list[Reference]:
        """The references of a range, keys found; an alias is not taken for a key."""

        def match(index: int, stop: int) -> tuple[int, int] | None:
            if index in self.ranks:
                return _RANKED, self.ranks[index][0]
            is_path = self.source.at(index + 1, stop).is_symbol(".", "(")
            is_alias = self.source.at(index).is_name and self.source.folded(index) in aliases and not is_path
            return None if is_alias else self.match(index, stop)

        return find_references(self.source, extent, match)

    def _text(self, reference: Reference, aliases: Mapping[str, str | None]) -> str | None:
        if reference.kind is ReferenceKind.MATCH and reference.match == _RANKED:
            return self.ranks[reference.extent.first][1]
        if reference.kind is ReferenceKind.MATCH:
            return self.keys[reference.match].column
        if reference.kind is ReferenceKind.AGGREGATE:
            return self.aggregate(reference)
        if reference.kind is ReferenceKind.STAR:
            return self.on_star(self, reference)
        first = reference.extent.first
        name, fields = self.source.folded(first), Extent(first + 1, reference.extent.stop)
        if name in aliases and (fields.is_empty or reference.path[:1] not in self.match.paths):
            text = aliases[name]
            return text if text is None or fields.is_empty else f"{text}{self.source.verbatim(fields)}"
        if reference.window is not None:
            return self.window(reference.window)
        return self.on_column(self, reference)

    def _outer_references(self, subquery: Extent) -> list[Edit]:
        """Edits for keys inside a subquery: only `relation.column` is certain to be one, of no relation of its own."""
        edits = []
        redeclared = {
            self.source.at(i).upper
            for i in subquery.indexes
            if self.source.at(i).is_name and not self.source.at(i + 1).is_symbol(".") and not self._is_renamed(i)
        }
        for index in subquery.indexes:
            found = self.match.qualified(index, subquery.stop)
            if found is not None and self.match.qualifier(index)[-1] not in redeclared:
                extent = Extent(index, found[1])
                text = with_field_name(self.source, extent, self.keys[found[0]].column)
                edits.append(Edit(*self.source.span(extent), text))
        return edits

    def _is_renamed(self, index: int) -> bool:
        """Whether a name is the last one of a table that gets an alias, by which alone it is known then."""
        first = index
        while self.source.at(first - 1).is_symbol("."):
            first -= 2
        alias, after = self.source.at(index + 1), self.source.at(index + 2)
        is_alias = alias.is_name and not alias.is_word(*NO_ALIAS)
        has_alias = is_alias and (after.is_symbol(")", ",") or after.is_word("WHERE", *NO_ALIAS - {"AS"}))
        return self.source.at(first - 1).is_word("FROM", "JOIN") and (has_alias or alias.is_word("AS"))
