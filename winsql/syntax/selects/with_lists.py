"""The CTEs of a statement: which of them a query can see, and WITH lists for queries that move elsewhere."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from winsql.errors import Span, WinsqlError
from winsql.model.settings import ParserSettings
from winsql.syntax.selects.relations import may_begin_relation
from winsql.syntax.text.brackets import TOP
from winsql.syntax.text.openers import holds_any
from winsql.syntax.text.parts import brackets_around, is_query_start
from winsql.syntax.text.source import Edit, Extent, Source


@dataclass(frozen=True, slots=True)
class _Definition:
    """`name [(columns)] [MAX RECURSION LEVEL n] [AS] (query)`: all of it, and the inside of its brackets."""

    name: str
    extent: Extent
    body: Extent


@dataclass(frozen=True, slots=True)
class _With:
    """A WITH list, known from its place to the end of the bracket around it."""

    is_recursive: bool
    definitions: tuple[_Definition, ...]
    group: int
    first: int


class Context:
    """The WITH lists of a statement."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.lists = [found for i in source.places("WITH") if (found := self._with(i)) is not None]

    def prefix(self, index: int) -> str:
        """A WITH list of all that a query at token `index` can see, with a blank after it; '' for nothing."""
        levels = self._levels(index)
        definitions = [definition for found in levels for definition in found.definitions]
        if not definitions:
            return ""
        names = [definition.name for definition in definitions]
        is_recursive = any(found.is_recursive for found in levels)
        plain = [d for found in levels if is_recursive and not found.is_recursive for d in found.definitions]
        misread = any(map(self._reads_itself, plain))
        if len(set(names)) == len(names) and not misread:
            texts = [self.source.verbatim(definition.extent) for definition in definitions]
            return f"WITH {'RECURSIVE ' if is_recursive else ''}{', '.join(texts)} "
        if self.source.settings.outer_ctes_win and self._is_in_definition(index):
            raise self._unclear(definitions)
        visible = {d.name: (found.is_recursive, d) for found in levels for d in found.definitions}
        texts = [self._standalone(flag, definition) for flag, definition in visible.values()]
        return f"WITH {', '.join(texts)} "

    def _is_in_definition(self, index: int) -> bool:
        return any(index in definition.body.indexes for found in self.lists for definition in found.definitions)

    def _unclear(self, definitions: Sequence[_Definition]) -> WinsqlError:
        known = {definition.name for definition in definitions}
        twice = next(d for d in reversed(definitions) if d.name in known)
        problem = f"a CTE around this one is called {self._name(twice)} too"
        rule = "with spark.sql.legacy.ctePrecedencePolicy = LEGACY a CTE may hide those of its name inside others"
        hint = "give it another name, or SET spark.sql.legacy.ctePrecedencePolicy = CORRECTED"
        return self.source.spec_error(problem, twice.extent.first, rule=rule, hint=hint)

    def check(self, readers: Iterable[tuple[int, Extent]]) -> None:
        """Raises WindowSpecError for a name that is defined twice, and a query that reads the recursive CTE around it.

        `readers` are the windowed queries, each by its first token and the tokens that say what it reads.
        """
        for found in self.lists:
            names = [definition.name.lower() for definition in found.definitions]  # Spark's parser has no case here
            twice = next((d for n, d in enumerate(found.definitions) if d.name.lower() in names[:n]), None)
            if twice is not None:
                name = self._name(twice)
                rule, hint = "each CTE of a list has its own name", "give one of them another name"
                raise self.source.spec_error(f"{name} is defined twice", twice.extent.first, rule=rule, hint=hint)
        recursive = [definition for found in self.lists if found.is_recursive for definition in found.definitions]
        for first, body in readers:
            around = (definition for definition in recursive if first in definition.body.indexes)
            named = (index for definition in around for index in body.indexes if self._is_named(definition, index))
            for index in named:
                problem = "a windowed SELECT cannot read the recursive CTE it belongs to"
                rule = "its input must be known before it runs"
                hint = "put the windowed SELECT after the CTE, where all its rows are known"
                raise self.source.spec_error(problem, index, rule=rule, hint=hint)

    def without_unused(self) -> str:
        """The text without the CTEs that no relation in it names."""
        lists = sorted(self.lists, key=lambda found: found.first, reverse=True)
        gone: list[Extent] = []
        source = self.source
        for found in lists:
            kept: list[_Definition] = []
            for definition in reversed(found.definitions):
                if self._is_used(found, definition, gone):
                    kept.insert(0, definition)
                else:
                    gone.append(definition.extent)
            if len(kept) < len(found.definitions):
                first = found.definitions[0].extent.first if kept else found.first
                place = source.span(Extent(first, found.definitions[-1].extent.stop))
                source = source.edited(Edit(*place, ", ".join(source.verbatim(d.extent) for d in kept)))
        return source.slice(Span(0, len(source.text)))

    def _is_used(self, found: _With, definition: _Definition, gone: Sequence[Extent]) -> bool:
        """Whether a relation after a definition has its name, outside of definitions that are gone."""
        source = self.source
        stop = len(source) if found.group < 0 else source.closing(found.group)
        return any(
            self._is_named(definition, index)
            and (may_begin_relation(source, index) or source.at(index - 1).is_word("STREAM", "USING"))
            and not any(index in extent.indexes for extent in gone)
            for index in range(definition.extent.stop, stop)
        )

    def _is_named(self, definition: _Definition, index: int) -> bool:
        """Whether a token is the name of a definition."""
        return self.source.at(index).is_name and self.source.folded(index) == definition.name

    def _standalone(self, is_recursive: bool, definition: _Definition) -> str:
        """A definition with all that it can see inside it, for lists in which one name means two things."""
        if is_recursive and self._reads_itself(definition):
            inner = f"WITH RECURSIVE {self.source.verbatim(definition.extent)} SELECT * FROM {self._name(definition)}"
            body = self._wrapped(definition, f"({inner})")
            return f"{self._name(definition)} AS ({body})"
        body = self._wrapped(definition, f"({self.source.verbatim(definition.body)})")
        return f"{self.source.verbatim(Extent(definition.extent.first, definition.body.first))}{body})"

    def _wrapped(self, definition: _Definition, body: str) -> str:
        """The body with the lists it can see around it, the outer ones outside, each in brackets of its own."""
        for found in reversed(self._levels(definition.extent.first)):
            if found.definitions:
                texts = ", ".join(self.source.verbatim(d.extent) for d in found.definitions)
                body = f"(WITH {'RECURSIVE ' if found.is_recursive else ''}{texts} {body})"
        return body

    def _reads_itself(self, definition: _Definition) -> bool:
        return any(self.source.folded(i) == definition.name for i in definition.body.indexes)

    def _name(self, definition: _Definition) -> str:
        return self.source.verbatim(Extent(definition.extent.first, definition.extent.first + 1))

    def _levels(self, index: int) -> list[_With]:
        """The WITH lists around a place, outer ones first, each up to the definition that ends before the place."""
        groups = {TOP, *brackets_around(self.source, index)} if index < len(self.source) else set()
        return [
            replace(found, definitions=tuple(d for d in found.definitions if d.extent.stop <= index))
            for found in sorted(self.lists, key=lambda found: found.first)
            if found.group in groups and found.first < index
        ]

    def _with(self, index: int) -> _With | None:
        """The WITH list at `index`; None for other uses of the word."""
        source = self.source
        if not source.words(index, "WITH") or source.at(index - 1).is_symbol("."):
            return None
        is_recursive = source.words(index + 1, "RECURSIVE") and source.at(index + 2).is_name
        is_recursive = is_recursive and not source.at(index + 2).is_word("AS")
        place = index + 2 if is_recursive else index + 1
        definitions: list[_Definition] = []
        while (definition := self._definition(place)) is not None:
            definitions.append(definition)
            place = definition.extent.stop + 1
            if not source.at(place - 1).is_symbol(","):
                break
        if not definitions:
            return None
        return _With(is_recursive, tuple(definitions), source.group[index], index)

    def _definition(self, index: int) -> _Definition | None:
        source = self.source
        if not source.at(index).is_name:
            return None
        place = index + 1
        if source.at(place).is_symbol("(") and not is_query_start(source, place + 1):
            place = source.closing(place) + 1
        if source.words(place, "MAX", "RECURSION", "LEVEL"):
            place += 4
        if source.words(place, "AS"):
            place += 1
        if not source.at(place).is_symbol("(") or not is_query_start(source, place + 1):
            return None
        closing = source.closing(place)
        return _Definition(source.folded(index), Extent(index, closing + 1), Extent(place + 1, closing))


def without_unused(text: str, settings: ParserSettings) -> str:
    """A statement of winsql's without the CTEs that nothing in it reads.

    Spark plans these in a stream, and a watermark in one that sees no rows would hold back that of the query.
    """
    if not holds_any(text, ("WITH",)) or holds_any(text, ("IDENTIFIER",)):  # IDENTIFIER('name') may read any
        return text
    return Context(Source(text, settings=settings)).without_unused()
