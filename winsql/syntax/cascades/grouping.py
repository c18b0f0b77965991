"""GROUP BY over the window columns of a subquery that is a windowed query on a stream.

    SELECT max(c.n), c.s, c.e FROM (SELECT count(*) AS n, window_start AS s, window_end AS e FROM ...) AS c
    GROUP BY c.s, c.e

All rows of windows that end at one moment come in one micro-batch, when the watermark passes it. So this is the query
of `FROM (...) AS c WINDOW ASSIGN TUMBLING(c.e - INTERVAL 1 MICROSECOND, INTERVAL 1 MICROSECOND) GROUP BY c.s`, whose
windows end where those of the subquery do: `c.e` is its window_end. What else stands in GROUP BY are keys.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from winsql.model.query import INTERNAL_PREFIX, WINDOW_COLUMNS, WindowQuery
from winsql.syntax.calls import IsAggregate
from winsql.syntax.cascades.results import END, TIME, Input, bind_rewritten, items_of, window_of
from winsql.syntax.functions.readings import alias_of
from winsql.syntax.grouping import is_all
from winsql.syntax.items import Item, automatic_name, column_path, quoted
from winsql.syntax.references import ReferenceKind, find_references
from winsql.syntax.scanner import Part, Select
from winsql.syntax.source import Edit, Extent, Source

__all__ = ["Regrouping", "bind_regrouping", "regrouping_over"]


@dataclass(frozen=True, slots=True)
class Regrouping:
    """A SELECT that groups a result; `end` is the column of GROUP BY that says when, None where none does."""

    select: Select
    given: Input
    end: Extent | None


def regrouping_over(
    source: Source, select: Select, given: Input, columns: frozenset[str] = frozenset()
) -> Regrouping | None:
    """The SELECT as a grouping of a result by its windows; None where it does not name them.

    columns   aliases, upper case, that are known to be columns of the result too
    """
    group_by = select.get(Part.GROUP_BY)
    if group_by is None or alias_of(source, select, given.extent) is None:
        return None
    kinds: dict[str, Extent] = {}
    for part in _parts(source, select, given, columns):
        kind = given.column(column_path(source, part))
        if kind is not None:
            kinds.setdefault(kind, part)
    return Regrouping(select, given, kinds.get(END, kinds.get(TIME))) if kinds else None


def bind_regrouping(
    source: Source, found: Regrouping, is_aggregate: IsAggregate | None, columns: frozenset[str] | None = None
) -> WindowQuery:
    """The query of such a SELECT over a stream; raises WindowSpecError where it cannot be one.

    columns   as for `winsql.syntax.binder.bind`
    """
    select, given = found.select, found.given
    if columns:
        found = regrouping_over(source, select, given, columns) or replace(found, end=None)
    if found.end is None:
        raise source.spec_error(
            "GROUP BY has no window_end",
            select.sections[Part.GROUP_BY].extent,
            rule="on a stream a result of windows is grouped by window_end, which says when a group is complete",
            hint=_end_hint(given),
        )
    writer = _Writer(source, found, is_aggregate, columns)
    return writer.query(given)


class _Writer:
    def __init__(
        self, source: Source, found: Regrouping, is_aggregate: IsAggregate | None, columns: frozenset[str] | None
    ) -> None:
        self.columns = columns
        assert found.end is not None
        self.source = source
        self.select = found.select
        self.is_aggregate = is_aggregate
        self.alias = found.given.alias or f"{INTERNAL_PREFIX}result"
        self.kind = found.given.column(column_path(source, found.end))
        self.name = source.name(found.end.stop - 1)
        self.given = replace(found.given, alias=self.alias)

    def query(self, given: Input) -> WindowQuery:
        column = f"{self.alias}.{quoted(self.name)}"
        time = f"{column} - INTERVAL 1 MICROSECOND" if self.kind == END else column
        end = self.source.span(self.select.sections[Part.FROM].extent).end
        name = "" if given.alias else f" AS {self.alias}"
        edits = [Edit(end, end, f"{name}{window_of(time)}"), *self._edits()]
        what = "this GROUP BY over windows"
        query = bind_rewritten(self.source, self.select, edits, self.is_aggregate, what, self.columns)
        return replace(query, ends=(column,)) if self.kind == END else query

    def _edits(self) -> Iterator[Edit]:
        items = {item.expression: item for item in items_of(self.source, self.select)}
        for expression, item in items.items():
            edits = list(self._columns(expression))
            yield from edits
            if edits and item.alias is None:
                end = self.source.span(expression).end
                yield Edit(end, end, f" AS {quoted(self._name(item))}")
        for part, section in self.select.sections.items():
            if part not in (Part.SELECT, Part.FROM, Part.WHERE):
                yield from self._columns(section.body)

    def _columns(self, extent: Extent) -> Iterator[Edit]:
        """The column of the window's end is that of the new windows; other columns do not have their names."""
        for reference in find_references(self.source, extent, self.is_aggregate):
            if reference.kind is not ReferenceKind.COLUMN:
                continue
            path, span = reference.path, self.source.span(reference.extent)
            is_end = path[-1] == self.name.upper() and self.given.column(path) is not None
            if is_end and self.kind is not None:
                yield Edit(span.start, span.end, self.kind.lower())
            elif len(path) == 1 and path[0].lower() in WINDOW_COLUMNS:
                yield Edit(span.start, span.end, f"{self.alias}.{self.source.verbatim(reference.extent)}")

    def _name(self, item: Item) -> str:
        references = find_references(self.source, item.expression, self.is_aggregate)
        return automatic_name(self.source, item.expression, references, frozenset({self.alias.strip("`").upper()}))


def _end_hint(given: Input) -> str:
    end = given.end
    return (
        "select window_end in the subquery, as it is, and add it to GROUP BY"
        if end is None
        else f"add {end} to GROUP BY"
    )


def _parts(source: Source, select: Select, given: Input, columns: frozenset[str]) -> list[Extent]:
    """The parts of GROUP BY; items in the place of their positions, of ALL, and of names that only they can have."""
    body = select.sections[Part.GROUP_BY].body
    items = items_of(source, select)
    if is_all(source, body):
        return [item.expression for item in items]
    parts = [source.unwrapped(part) for part in source.split(body)]
    return [
        part if source.normal(part) in {(name,) for name in columns} else _meant(source, part, items, given)
        for part in parts
    ]


def _meant(source: Source, part: Extent, items: tuple[Item, ...], given: Input) -> Extent:
    """What a part stands for: a window column must be grouped by, so that the name of such an item is its own."""
    if part.stop - part.first != 1 or given.column(column_path(source, part)) is not None:
        return part
    text = source.at(part.first).upper
    if text.isdigit() and 0 < int(text) <= len(items):
        return items[int(text) - 1].expression
    named = (item.expression for item in items if text in (name.upper() for name in item.names))
    return next((e for e in named if given.column(column_path(source, e)) is not None), part)
