"""The results of windowed SELECTs in a statement, and the relations of FROM bodies that stand for one.

    FROM (SELECT ..., window_start AS s, window_end AS e FROM ... GROUP BY ...) [[AS] name]
    FROM (SELECT * FROM (windowed SELECT) [WHERE condition]) [[AS] name]
    WITH w AS (windowed SELECT) ... FROM w [[AS] name]

What matters is under which names the window columns come out. Only plain columns are followed: that a column is what
it seems to be is seen again in Spark's plan (`spark/streaming/upstream.py`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from winsql.errors import WindowSyntaxError, WinsqlError
from winsql.model.query import WindowQuery
from winsql.syntax.binder import bind
from winsql.syntax.calls import IsAggregate
from winsql.syntax.context import Context
from winsql.syntax.items import Item, column_path, read_select_list
from winsql.syntax.references import ReferenceKind, find_references, has_window_function
from winsql.syntax.scanner import Part, Select, find_selects, select_around
from winsql.syntax.source import Edit, Extent, Source

__all__ = [
    "END",
    "START",
    "TIME",
    "Input",
    "Result",
    "bind_rewritten",
    "first_result",
    "handed_on",
    "items_of",
    "placed",
    "places_of",
    "reader_of",
    "renamed",
    "window_of",
]

START, END, TIME = "WINDOW_START", "WINDOW_END", "WINDOW_TIME"


@dataclass(frozen=True, slots=True)
class Result:
    """What a SELECT gives that reads windows.

    extent   the SELECT
    columns  its columns that are START, END or TIME, by their names in upper case
    needs    the windowed SELECT in it, which must be planned for a stream
    """

    extent: Extent
    columns: Mapping[str, str]
    needs: Extent


@dataclass(frozen=True, slots=True)
class Input:
    """A relation of a FROM body that stands for a result; `alias` is its name as SQL, '' for none."""

    extent: Extent
    alias: str
    result: Result

    @property
    def qualifier(self) -> str:
        """What stands before its columns, upper case."""
        return self.alias.strip("`").upper()

    def column(self, path: tuple[str, ...] | None) -> str | None:
        """START, END or TIME where the path is such a column of this relation."""
        if path is None or len(path) > 2 or (len(path) == 2 and path[0] != self.qualifier):
            return None
        return self.result.columns.get(path[-1])

    @property
    def end(self) -> str | None:
        """Its column that is END as SQL, for hints; None where it has none."""
        name = next((name.lower() for name, kind in self.result.columns.items() if kind == END), None)
        return name and (f"{self.alias}.{name}" if self.alias else name)


def first_result(source: Source, select: Select) -> Result:
    """The result of a SELECT that has windows of its own."""
    columns: dict[str, str] = {}
    for item in items_of(source, select):
        path = column_path(source, item.expression)
        if path is not None and path[-1] in (START, END, TIME):
            columns |= dict.fromkeys(_names(source, item), path[-1])
    return Result(select.extent, columns, select.extent)


def renamed(source: Source, select: Select, inputs: tuple[Input, ...], needs: Extent) -> Result:
    """The result of a SELECT over such relations; a star hands all columns on."""
    columns: dict[str, str] = {}
    for item in items_of(source, select):
        is_star = source.at(item.expression.stop - 1).is_symbol("*") and item.alias is None
        path = column_path(source, item.expression)
        found = [kind for given in inputs if (kind := given.column(path)) is not None]
        if is_star:
            for given in _starred(source, item, inputs):
                columns |= given.result.columns
        elif len(found) == 1:
            columns |= dict.fromkeys(_names(source, item), found[0])
    return Result(select.extent, columns, needs)


def handed_on(source: Source, select: Select, given: Input) -> Result | None:
    """The result of a SELECT that takes each row of a relation by itself; None for others."""
    section = select.sections[Part.SELECT]
    listed = read_select_list(source, section.head, section.body)
    if not {Part.SELECT, Part.FROM, Part.WHERE}.issuperset(select.sections) or listed.is_distinct:
        return None
    for item in listed.items:
        kinds = {reference.kind for reference in find_references(source, item.expression)}
        if ReferenceKind.AGGREGATE in kinds or has_window_function(source, item.expression):
            return None
    return renamed(source, select, (given,), given.result.needs)


def places_of(source: Source, context: Context, select: Extent) -> list[Extent]:
    """Where a SELECT is read: the brackets around it, or the names of the CTE that it is."""
    readers = context.readers_of(select)
    if readers is not None:
        return [Extent(index, index + 1) for index in readers]
    opening = select.first - 1
    is_bracketed = source.at(opening).is_symbol("(") and source.partner[opening] == select.stop
    return [Extent(opening, select.stop + 1)] if is_bracketed else []


def reader_of(source: Source, place: Extent) -> Select | None:
    """The SELECT whose FROM reads a relation, when it has no window clauses of its own."""
    try:
        select = select_around(source, place.first)
    except WindowSyntaxError:
        return None
    if select is None or Part.FROM not in select.sections or any(part.is_window_clause for part in select.sections):
        return None
    body = select.sections[Part.FROM].body
    return select if body.first <= place.first and place.stop <= body.stop else None


def items_of(source: Source, select: Select) -> tuple[Item, ...]:
    """The items of a SELECT."""
    section = select.sections[Part.SELECT]
    return read_select_list(source, section.head, section.body).items


def window_of(time: str) -> str:
    """The clause of windows that hold one moment, so that each holds the rows of windows that have ended there."""
    return f" WINDOW ASSIGN TUMBLING({time}, INTERVAL 1 MICROSECOND)"


def bind_rewritten(
    source: Source,
    select: Select,
    edits: list[Edit],
    is_aggregate: IsAggregate | None,
    what: str,
    columns: frozenset[str] | None = None,
) -> WindowQuery:
    """The query of a SELECT as it reads with the edits, as windows of its own; `what` names it in errors, `columns`
    are as for `bind`.

    Raises WindowSpecError at its FROM.
    """
    rewritten = Source(source.verbatim(select.extent, edits), settings=source.settings)
    (found,) = (found for found in find_selects(rewritten) if found.extent.first == 0)
    place = source.span(select.sections[Part.FROM].extent)
    try:
        query = bind(rewritten, found, is_aggregate, columns)
    except WinsqlError as error:
        raise source.spec_error(
            f"{what} cannot run on streams: {error.problem}", place, rule=error.rule, hint=error.hint
        ) from error
    return placed(query, source, select)


def placed(query: WindowQuery, source: Source, select: Select) -> WindowQuery:
    """The query of a SELECT that reads otherwise in `source`, with places there: its FROM for all that is in it."""
    place = source.span(select.sections[Part.FROM].extent)
    join = query.join
    if join is not None:
        left, right = (replace(side, span=place) for side in (join.left, join.right))
        join = replace(join, span=place, left=left, right=right, condition_span=None)
    return replace(
        query,
        text=source.text,
        span=source.span(select.extent),
        time_span=place,
        keys=tuple(replace(key, span=place) for key in query.keys),
        aggregates=tuple(replace(call, span=place) for call in query.aggregates),
        join=join,
    )


def _starred(source: Source, item: Item, inputs: tuple[Input, ...]) -> list[Input]:
    """The relations whose columns a star means: all, or that whose name stands before it."""
    first, stop = item.expression
    name = source.at(first).upper
    return [given for given in inputs if stop - first == 1 or (stop - first == 3 and given.qualifier == name)]


def _names(source: Source, item: Item) -> tuple[str, ...]:
    """The column that a plain column or its alias makes."""
    names = item.names if item.alias is not None else (source.name(item.expression.stop - 1),)
    return tuple(name.upper() for name in names)
