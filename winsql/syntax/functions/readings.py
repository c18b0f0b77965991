"""The ways in which a SELECT can read a window function on a stream: the call itself, or what only stands for it.

    FROM TABLE(TUMBLE(...))
    FROM (SELECT items FROM TABLE(TUMBLE(...)) [[AS] name] [WHERE condition])
    WITH w AS (SELECT items FROM TABLE(TUMBLE(...)) ...) ... FROM w

The items are `*`, or columns and named expressions of the table beside window_start, window_end and window_time under
their own names. The SELECT then reads the table through those items, and the windows of its rows.
"""

from __future__ import annotations

from dataclasses import replace

from winsql.errors import WindowSyntaxError
from winsql.model.query import INTERNAL_PREFIX, WindowQuery
from winsql.syntax.compose import clause
from winsql.syntax.context import Context
from winsql.syntax.functions.calls import FunctionCall, bind_function
from winsql.syntax.items import Item, column_path, read_select_list
from winsql.syntax.parts import Part, Select
from winsql.syntax.references import ReferenceKind, find_references, has_window_function
from winsql.syntax.scanner import select_around
from winsql.syntax.source import Extent, Source
from winsql.syntax.vocabulary import words

__all__ = ["FUNCTION_COLUMNS", "WINDOW_NAMES", "alias_of", "bind_reading", "handed_on", "readings"]

FUNCTION_COLUMNS = ("window_start", "window_end", "window_time")
"""The columns that a window function adds."""
WINDOW_NAMES = words(" ".join(name.upper() for name in FUNCTION_COLUMNS))
_TIME = INTERNAL_PREFIX + "function_time"


def readings(source: Source, call: FunctionCall) -> list[FunctionCall]:
    """The relations of a statement that stand for a call, itself first: `extent` is the relation, `call` the call."""
    inner = _plain_select(source, call)
    if inner is None:
        return [call]
    found = [call]
    opening = inner.extent.first - 1
    readers = Context(source).readers_of(inner.extent)
    if readers is not None:
        places = [Extent(index, index + 1) for index in readers]
    elif source.at(opening).is_symbol("(") and source.partner[opening] == inner.extent.stop:
        places = [Extent(opening, inner.extent.stop + 1)]
    else:
        places = []
    return [*found, *(replace(call, extent=place, whole=call.extent, inner=inner) for place in places)]


def bind_reading(source: Source, found: FunctionCall) -> WindowQuery:
    """The call as `bind_function` reads it, over the table as the SELECT around the call hands it on.

    Raises WindowSyntaxError and WindowSpecError with their place.
    """
    function = bind_function(source, found)
    inner = found.inner
    if inner is None:
        return function
    where = inner.body(Part.WHERE)
    for index in where.indexes if where else ():
        if source.at(index).upper in WINDOW_NAMES:
            raise source.spec_error(
                f"WHERE reads {source.name(index)}",
                index,
                rule="on a stream WHERE filters rows before they get their windows",
                hint="put the condition after the GROUP BY that reads these windows, into HAVING",
            )
    condition = f" {clause('WHERE', source.verbatim(where))}" if where else ""
    alias = alias_of(source, inner, found.whole or found.extent)
    relation = f"{function.source} AS {alias}" if alias else function.source
    items = [item for item in _items(source, inner) if not _is_window(source, item)]
    texts = [source.verbatim(_whole(item)) for item in items]
    time = function.spec.assigner.time
    if time is not None and time.is_event and not any(_is_star(source, item) for item in items):
        texts.append(f"{time.expressions[0]} AS {_TIME}")
        written = replace(time, expressions=(_TIME,), written=time.expressions[0])
        assigner = replace(function.spec.assigner, time=written)  # type: ignore[type-var]
        function = replace(function, spec=replace(function.spec, assigner=assigner))
    return replace(function, source=f"(SELECT {', '.join(texts)} FROM {relation}{condition})")


def handed_on(source: Source, found: FunctionCall) -> tuple[str, ...] | None:
    """The columns of a relation in order, where they are not all of the table with the window columns behind them."""
    items = () if found.inner is None else _items(source, found.inner)
    if found.inner is None or any(_is_star(source, item) for item in items):
        return None
    return tuple(item.names[0] if item.names else source.name(item.expression.stop - 1) for item in items)


def alias_of(source: Source, select: Select, relation: Extent) -> str | None:
    """The alias, '' for none, of a relation that is all of the FROM body; None when it is not.

    A CTE has its own name where it has no other.
    """
    body = select.sections[Part.FROM].body if Part.FROM in select.sections else Extent(0, 0)
    if relation.first != body.first:
        return None
    rest = Extent(relation.stop, body.stop)
    if rest.is_empty:
        return source.verbatim(relation) if relation.stop - relation.first == 1 else ""
    if source.words(rest.first, "AS"):
        rest = Extent(rest.first + 1, rest.stop)
    is_name = rest.stop - rest.first == 1 and source.at(rest.first).is_name
    return source.verbatim(rest) if is_name else None


def _plain_select(source: Source, call: FunctionCall) -> Select | None:
    """The SELECT around a call that only hands its rows on."""
    try:
        select = select_around(source, call.extent.first)
    except WindowSyntaxError:
        return None
    if select is None or not {Part.SELECT, Part.FROM, Part.WHERE}.issuperset(select.sections):
        return None
    return select if alias_of(source, select, call.extent) is not None and _is_plain(source, select) else None


def _is_plain(source: Source, select: Select) -> bool:
    section = select.sections[Part.SELECT]
    if read_select_list(source, section.head, section.body).opening.upper() != "SELECT":
        return False
    items = _items(source, select)
    windows = {source.at(item.expression.stop - 1).upper for item in items if _is_window(source, item)}
    has_star = any(_is_star(source, item) for item in items)
    others = [item for item in items if not _is_window(source, item)]
    is_complete = has_star or {"WINDOW_START", "WINDOW_END"} <= windows
    return is_complete and not (has_star and windows) and all(_is_of_table(source, item) for item in others)


def _items(source: Source, select: Select) -> tuple[Item, ...]:
    section = select.sections[Part.SELECT]
    return read_select_list(source, section.head, section.body).items


def _is_star(source: Source, item: Item) -> bool:
    """Whether the item is `*`, or `a.*`."""
    last = item.expression.stop - 1
    before = source.at(last - 1)
    is_last = source.at(last).is_symbol("*")
    return is_last and item.alias is None and (last == item.expression.first or before.is_symbol("."))


def _is_window(source: Source, item: Item) -> bool:
    """Whether the item is a window column under its own name."""
    path = column_path(source, item.expression)
    is_window = path is not None and path[-1] in WINDOW_NAMES
    return is_window and all(name.upper() == path[-1] for name in item.names) if path is not None else False


def _is_of_table(source: Source, item: Item) -> bool:
    """Whether the item is computed from a row of the table alone."""
    if _is_star(source, item):
        return True
    if item.alias is None and column_path(source, item.expression) is None:
        return False
    if any(source.at(index).upper in WINDOW_NAMES for index in item.expression.indexes):
        return False
    kinds = {reference.kind for reference in find_references(source, item.expression, None)}
    return not kinds & _OF_MANY_ROWS and not has_window_function(source, item.expression)


_OF_MANY_ROWS = {ReferenceKind.AGGREGATE, ReferenceKind.STAR, ReferenceKind.SUBQUERY}


def _whole(item: Item) -> Extent:
    return item.expression if item.alias is None else Extent(item.expression.first, item.alias.stop)
