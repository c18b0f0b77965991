"""Rewrites QUALIFY as subqueries, for versions of Spark that lack the clause, and where it holds aggregates.

    SELECT items FROM ... WHERE ... GROUP BY ... HAVING ... WINDOW ... QUALIFY condition ORDER BY ... LIMIT ...

becomes three SELECTs: the innermost has the items and whatever else the condition or the order reads, the next one
adds the condition, which may hold window functions, and the outermost filters, sorts and cuts.

A name in QUALIFY is a column of the FROM first and an alias second; the other way round where the SELECT groups or has
a window function among its items.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial

from winsql.errors import WinsqlError
from winsql.model.query import INTERNAL_PREFIX
from winsql.syntax.bind.grouping import is_all
from winsql.syntax.expressions.items import SelectList, automatic_name, column_path, quoted, read_select_list
from winsql.syntax.expressions.keys import KeyMatcher, numbered
from winsql.syntax.expressions.over import named_windows, window_definitions
from winsql.syntax.expressions.references import Reference, ReferenceKind, find_references, has_window_function
from winsql.syntax.once import once
from winsql.syntax.selects.scanner import select_at
from winsql.syntax.selects.with_lists import Context
from winsql.syntax.text.openers import holds_any
from winsql.syntax.text.parts import COUNTS, SORTS, Part, Select
from winsql.syntax.text.source import Edit, Extent, Source
from winsql.syntax.text.tokens import upper_name

ColumnsOf = Callable[[str], frozenset[str]]
"""The names of the columns of a query, upper case; empty where Spark cannot say."""

_CONDITION = INTERNAL_PREFIX + "qualified"
_READ = INTERNAL_PREFIX + "read"
_INNER = (Part.FROM, Part.WHERE, Part.GROUP_BY, Part.HAVING, Part.WINDOWS)


def without_qualify(source: Source, columns_of: ColumnsOf, *, takes_plain: bool = False) -> str:
    """The text of a statement without QUALIFY.

    takes_plain   Spark has the clause, but takes no aggregates in it: only those with aggregates are rewritten
    """
    if not holds_any(source.text, ("QUALIFY",)) or not source.is_balanced:
        return source.text
    for select in sorted(_qualified(source), key=lambda found: found.extent.stop):
        rewriter = _Rewriter(source, select, columns_of)
        if not takes_plain or rewriter.reads_aggregates:
            source = source.replaced(select.extent, rewriter.text())
    return source.verbatim(Extent(0, len(source))) if source.edits else source.text


def _qualified(source: Source) -> Iterator[Select]:
    """The SELECTs with the clause; what cannot be read is left for Spark to refuse."""
    for index in range(len(source)):
        if source.words(index, "SELECT") and not source.at(index - 1).is_symbol("."):
            try:
                select = select_at(source, index)
            except WinsqlError:
                continue
            if Part.QUALIFY in select.sections:
                yield select


class _Rewriter:
    """One SELECT."""

    def __init__(self, source: Source, select: Select, columns_of: ColumnsOf) -> None:
        self.source = source
        self.select = select
        self.columns_of = columns_of
        self.list = read_select_list(source, select)
        self.names = _names_of(source, self.list)
        self.read: dict[str, str] = {}
        ranks = any(has_window_function(source, item.expression) for item in self.list.items)
        self.columns_first = not self._is_grouped() and not ranks

    @property
    def reads_aggregates(self) -> bool:
        """Whether the clause, or a window that it names, holds an aggregate."""
        qualify, windows = self.select.sections[Part.QUALIFY].body, self.select.get(Part.WINDOWS)
        known = [] if windows is None else window_definitions(self.source, windows.body)
        named = {self.source.at(index + 1).upper for index in qualify.indexes if self.source.words(index, "OVER")}
        specs = (spec for name, spec in known if self.source.at(name).upper in named)
        references = (r for read in (qualify, *specs) for r in self._references(read))
        return any(reference.kind is ReferenceKind.AGGREGATE for reference in references)

    def text(self) -> str:
        condition = self._rewritten(self.select.sections[Part.QUALIFY].body, columns_first=self.columns_first)
        windows = self._windows()
        order = " ".join(self._order())
        inner = " ".join([self._items(), *self._clauses(_INNER)])
        hidden = ", ".join([_CONDITION, *self.read.values()])
        distinct = "DISTINCT " if self.list.is_distinct else ""
        return (
            f"SELECT {distinct}* EXCEPT ({hidden}) FROM (SELECT *, ({condition}) AS {_CONDITION} "
            f"FROM ({inner}){windows}) WHERE {_CONDITION} {order}"
        ).rstrip()

    def _items(self) -> str:
        """`SELECT items` with the columns that only the clauses after them read."""
        body, items = self.select.sections[Part.SELECT].body, self.list.items
        hints = self.source.verbatim(Extent(body.first, items[0].expression.first))
        if self.list.is_distinct:
            hints = hints[: -len("DISTINCT")].rstrip()
        texts = [self.source.verbatim(Extent(items[0].expression.first, body.stop))]
        texts += [f"{read} AS {name}" for read, name in self.read.items()]
        return " ".join(["SELECT", *([hints] if hints else []), ", ".join(texts)])

    def _clauses(self, parts: tuple[Part, ...]) -> Iterator[str]:
        for part in parts:
            section = self.select.get(part)
            if section is not None:
                yield self.source.verbatim(section.extent)

    def _order(self) -> Iterator[str]:
        for part in SORTS:
            section = self.select.get(part)
            if section is not None:
                yield f"{part.words} {self._rewritten(section.body, columns_first=False)}"
        yield from self._clauses(COUNTS)

    def _windows(self) -> str:
        """The named windows again, for the condition."""
        section = self.select.get(Part.WINDOWS)
        if section is None:
            return ""
        rewritten = partial(self._rewritten, columns_first=self.columns_first)
        return f" WINDOW {named_windows(self.source, section.body, rewritten)}"

    def _rewritten(self, extent: Extent, *, columns_first: bool) -> str:
        edits = []
        for reference in self._references(extent):
            name = self._read_as(reference, columns_first)
            if name is not None:
                edits.append(Edit(*self.source.span(reference.extent), name))
        return self.source.verbatim(extent, edits)

    def _references(self, extent: Extent) -> list[Reference]:
        if extent.is_single and self.source.words(extent.first, "ALL"):
            return []
        return find_references(self.source, extent, self.keys)

    def _read_as(self, reference: Reference, columns_first: bool) -> str | None:
        """The name that a column or an aggregate has in the outer SELECTs; None for what stays as it is."""
        if reference.kind in (ReferenceKind.AGGREGATE, ReferenceKind.MATCH):
            return self._item_that_is(reference.extent) or self._hidden(self.source.verbatim(reference.extent))
        if reference.kind is not ReferenceKind.COLUMN:
            return None
        path = tuple(self.source.name(index) for index in range(reference.extent.first, reference.extent.stop, 2))
        if len(path) == 1:
            name = self.source.fold(path[0])
            is_item = name in self.names or not path[0].replace(" ", "_").isidentifier()
            if is_item and not (columns_first and self.names.get(name, False) and name in self.columns):
                return None
        else:
            item = self._item_of(path)
            if item is not None:
                return quoted(item)
        if (self.list.is_distinct and not columns_first) or self._groups_by_items():
            return None
        return self._hidden(".".join(map(quoted, path)))

    def _item_that_is(self, expression: Extent) -> str | None:
        """The alias of the item that is this expression."""
        wanted = self.source.normal(expression)
        same = (item for item in self.list.items if len(item.names) == 1)
        return next((quoted(i.names[0]) for i in same if self.source.normal(i.expression) == wanted), None)

    def _hidden(self, expression: str) -> str:
        """The name of an item that only the outer SELECTs read."""
        return self.read.setdefault(expression, f"{_READ}{len(self.read)}")

    def _item_of(self, path: tuple[str, ...]) -> str | None:
        """The name of the item that is this column and nothing else."""
        wanted = tuple(map(upper_name, path))
        for item in self.list.items:
            found = column_path(self.source, item.expression) or ()
            shorter = min(len(found), len(wanted))
            if shorter and found[-shorter:] == wanted[-shorter:]:
                return item.names[0] if item.alias is not None else path[-1]
        return None

    @once
    def keys(self) -> KeyMatcher:
        """The keys of GROUP BY that are more than a column."""
        source, body = self.source, self.select.body(Part.GROUP_BY)
        parts = [] if body is None else map(source.unwrapped, source.split(body))
        computed = [part for part in parts if len(part.indexes) > 1 and column_path(source, part) is None]
        return KeyMatcher(source, numbered(computed), frozenset())

    @once
    def columns(self) -> frozenset[str]:
        """The columns of the FROM body."""
        section = self.select.get(Part.FROM)
        if section is None:
            return frozenset()
        context = Context(self.source).prefix(self.select.extent.first)
        found = self.columns_of(f"{context}SELECT * {self.source.verbatim(section.extent)}")
        return frozenset(map(self.source.fold, found))

    def _groups_by_items(self) -> bool:
        """Whether the SELECT has GROUP BY ALL, for which one more item would be one more key."""
        body = self.select.body(Part.GROUP_BY)
        return body is not None and is_all(self.source, body)

    def _is_grouped(self) -> bool:
        if Part.GROUP_BY in self.select.sections or Part.HAVING in self.select.sections:
            return True
        references = (r for item in self.list.items for r in self._references(item.expression))
        return any(reference.kind is ReferenceKind.AGGREGATE for reference in references)


def _names_of(source: Source, select_list: SelectList) -> dict[str, bool]:
    """The names of the items, each with whether its item is computed and not the column of that name."""
    names: dict[str, bool] = {}
    for item in select_list.items:
        path = column_path(source, item.expression)
        if item.alias is None:
            label = automatic_name(source, item.expression, find_references(source, item.expression))
            names[source.fold(label)] = path is None
        for name in item.names:
            names[source.fold(name)] = path is None or path[-1] != upper_name(name)
    return names
