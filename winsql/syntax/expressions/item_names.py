"""Items of a select list that only Spark can name: `sum(v) + 1` is called `(sum(v) + 1)`, `CAST(k AS INT)` is `k`.

The parser cannot ask Spark. It puts labels in the place of these names, and leaves a select list over the source for
Spark to analyse; the names of that list's columns then take the place of the labels.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

from winsql.errors import Span, WindowSpecError
from winsql.model.query import BESIDE, INTERNAL_PREFIX, WINDOW_COLUMNS, Unnamed, WindowQuery
from winsql.model.registry import AGGREGATES as REGISTERED
from winsql.syntax.expressions.field_paths import field_path
from winsql.syntax.expressions.function_calls import Call, is_count_star
from winsql.syntax.expressions.items import Item, automatic_name, column_path, generates_rows, quoted
from winsql.syntax.expressions.over import named_windows
from winsql.syntax.expressions.references import Reference, ReferenceKind, find_references
from winsql.syntax.text.source import Edit, Extent, Source
from winsql.syntax.text.vocabulary import NILADIC


def named(query: WindowQuery, names: Sequence[str]) -> WindowQuery:
    """The query with these names for the items that Spark names.

    Raises WindowSpecError where one of them would be a second row_kind of a changelog.
    """
    unnamed = query.unnamed
    assert unnamed is not None
    if query.spec.changes is not None and is_row_kind(names):
        raise row_kind_twice(query.text, Span(query.span.start, query.span.start + len("SELECT")))
    return replace(query, head=_filled(unnamed.head, names), tail=_filled(unnamed.tail, names))


def _filled(text: str, names: Sequence[str]) -> str:
    """The text with names in the places of labels."""
    for number, name in enumerate(names):
        text = text.replace(_label(number), quoted(name))
    return text


def is_row_kind(names: Sequence[str]) -> bool:
    """Whether one of the names is `row_kind`, the column that a changelog adds, in upper or lower case."""
    return any(name.lower() == "row_kind" for name in names)


def row_kind_twice(text: str, span: Span) -> WindowSpecError:
    """The error for an item called row_kind in a changelog."""
    return WindowSpecError(
        "a changelog has a column row_kind already",
        rule="EMIT ... AS UPSERT and AS RETRACTIONS add a last column row_kind, which says what each row does",
        hint="give the item another name, for instance AS kind",
        source=text,
        span=span,
    )


@dataclass(slots=True)
class Naming:
    """Gives out the labels that head and tail have until the names are filled in.

    paths   the names of the relations in FROM, upper case, with and without their schemas
    labels       those of the items whose names are not known
    """

    source: Source
    items: tuple[Item, ...]
    paths: frozenset[tuple[str, ...]]
    labels: dict[Item, str] = field(default_factory=dict)
    replaced: dict[str, str] = field(default_factory=dict)
    types: dict[str, str] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for item in self.items:
            if not self._is_simple(item):
                self.labels[item] = _label(len(self.labels))

    def record(
        self, head: str, tail: str, grouping: Sequence[str], windows: Extent | None
    ) -> tuple[str, str, Unnamed | None]:
        """Head and tail with names as far as they can be told, and what to ask Spark; None where nothing is to ask.

        grouping   the keys, as SQL over the source
        windows    the tokens after WINDOW
        """
        if not self.labels:
            return head, tail, None
        items = [item for item in self.items if item in self.labels or self._is_read_by_others(item)]
        asked = [f"{self._text(item.expression)}{self._alias(item)}" for item in items]
        definitions = "" if windows is None else f"WINDOW {named_windows(self.source, windows, self._text)}"
        unnamed = Unnamed(
            tuple(asked),
            tuple(place for place, item in enumerate(items) if item in self.labels),
            tuple(self.name(item) for item in self.labels),
            tuple(grouping),
            definitions,
            tuple(self.replaced.items()),
            tuple(self.types.items()),
            head,
            tail,
        )
        return _filled(head, unnamed.names), _filled(tail, unnamed.names), unnamed

    def name(self, item: Item) -> str:
        """The name of an item without an alias, as far as it can be told without Spark."""
        references = find_references(self.source, item.expression)
        return automatic_name(self.source, item.expression, references, self.paths)

    def _is_simple(self, item: Item) -> bool:
        """Whether the name is known: an alias, a column, COUNT(*) or the like, or none at all."""
        extent = item.expression
        if item.alias is not None or generates_rows(self.source, extent):
            return True
        path = column_path(self.source, extent)
        if path is not None:
            return path[0] not in NILADIC
        if any(self.source.at(i).is_word("GROUPING", "GROUPING_ID") for i in extent.indexes):
            return True
        references = find_references(self.source, extent)
        if len(references) != 1 or references[0].extent != extent:
            return False
        call = references[0].call
        return references[0].kind is ReferenceKind.STAR or (call is not None and self._is_simple_call(call))

    def _is_simple_call(self, call: Call) -> bool:
        start, stop = call.arguments
        start += self.source.at(start, stop).is_word("DISTINCT")
        path = column_path(self.source, Extent(start, stop)) or ()
        is_column = len(path) == 1 and path[0] not in NILADIC
        has_end = call.extent.stop == stop + 1
        return call.name in _SIMPLE and has_end and (is_column or is_count_star(self.source, call))

    def _is_read_by_others(self, item: Item) -> bool:
        return len(item.names) == 1 and not generates_rows(self.source, item.expression)

    def _alias(self, item: Item) -> str:
        return "" if item.alias is None else f" AS {quoted(item.names[0])}"

    def _text(self, extent: Extent) -> str:
        """The text of a range for Spark to analyse, which knows neither window columns nor registered aggregates."""
        return self.source.verbatim(extent, self._edits(extent))

    def _edits(self, extent: Extent) -> Iterator[Edit]:
        for reference in find_references(self.source, extent):
            text = None
            if reference.window is not None:
                text = f"{BESIDE}.{self._beside(reference.window, self._name_in_spark(reference.extent))}"
            elif reference.call is not None and reference.call.name in REGISTERED:
                text = self._registered(reference)
            elif reference.kind is ReferenceKind.AGGREGATE and reference.call is not None:
                for part in reference.call.inside:
                    yield from self._edits(part)
            if text is not None:
                yield Edit(*self.source.span(reference.extent), text)

    def _beside(self, window: str, name: str) -> str:
        """The column in the place of a window column that is called so; the other names of one have columns too."""
        column = WINDOW_COLUMNS[window]
        while self.replaced.setdefault(column, name) != name:
            column = f"{INTERNAL_PREFIX}{len(self.replaced)}_{window}"
        return column

    def _name_in_spark(self, window: Extent) -> str:
        """What Spark calls a window column: its own name, `w.e` for `w['e']`, or `coalesce(window_end, window_end)`."""
        if self.source.at(window.stop - 1).is_symbol("]"):
            path = field_path(self.source, window)
            return ".".join(path[(path[0].upper(),) in self.paths :])
        if not self.source.at(window.stop - 1).is_symbol(")"):
            return self.source.name(window.stop - 1)
        columns = self.source.split(Extent(window.first + 2, window.stop - 1))
        names = (self.source.name(self.source.unwrapped(column).stop - 1) for column in columns)
        return f"{self.source.name(window.first).lower()}({', '.join(names)})"

    def _registered(self, reference: Reference) -> str:
        assert reference.call is not None
        function = REGISTERED.find(reference.call.name)
        assert function is not None
        column = f"{INTERNAL_PREFIX}registered_{len(self.types)}"
        self.types[column] = function.returns
        text = f"any_value({column})"
        self.replaced[text] = automatic_name(self.source, reference.extent, [reference], self.paths)
        return text


_SIMPLE = frozenset({"AVG", "COUNT", "MAX", "MIN", "SUM"})


def _label(number: int) -> str:
    return quoted(f"{INTERNAL_PREFIX}name_{number}")
