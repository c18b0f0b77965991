"""Flink SQL's window deduplication: a ranking of which only the first row stays, by the time of the windows.

    SELECT ... FROM (SELECT ..., ROW_NUMBER() OVER (PARTITION BY window_start, window_end, keys ORDER BY ts DESC) AS n
    FROM TABLE(TUMBLE(TABLE t, DESCRIPTOR(ts), ...))) WHERE n = 1

Of rows with the same time Flink's deduplication keeps the first that arrives where the order is ASC, and the last where
it is DESC. Its Top-N, a ranking of any other kind, has those first that arrive first.
"""

from __future__ import annotations

from collections.abc import Collection

from winsql.errors import WindowSyntaxError
from winsql.model.ranking import SortKey
from winsql.syntax.conditions import conjuncts
from winsql.syntax.context import Context
from winsql.syntax.items import column_path, read_select_list
from winsql.syntax.parts import Part, Select
from winsql.syntax.scanner import select_around
from winsql.syntax.source import Extent, Source

__all__ = ["keeps_last_row"]


def keeps_last_row(
    source: Source, select: Select, call: Extent, order: tuple[SortKey, ...], times: Collection[str]
) -> bool:
    """Whether the rows that `call` ranks in `select` are deduplicated, and the last one stays.

    times   the columns, upper case, that are times of event
    """
    if len(order) != 1 or not order[0].is_descending or not _is_one_of(order[0].sql, times):
        return False
    items = read_select_list(source, select.sections[Part.SELECT].head, select.sections[Part.SELECT].body).items
    names = {name.upper() for item in items if item.expression == call for name in item.names}
    places = _readers(source, select)
    return bool(names and places) and all(_keeps_first(source, place, names) for place in places)


def _is_one_of(column: str, names: Collection[str]) -> bool:
    inner = Source(column)
    path = column_path(inner, Extent(0, len(inner)))
    return path is not None and path[-1] in names


def _readers(source: Source, select: Select) -> list[int]:
    """Where the statement reads what a SELECT gives: its bracket, or the names of the CTE that it is."""
    readers = Context(source).readers_of(select.extent)
    if readers is not None:
        return readers
    opening = select.extent.first - 1
    return [opening] if source.at(opening).is_symbol("(") and source.partner[opening] == select.extent.stop else []


def _keeps_first(source: Source, place: int, names: Collection[str]) -> bool:
    """Whether the SELECT around a relation keeps the rows only that have the number 1."""
    try:
        select = select_around(source, place)
    except WindowSyntaxError:
        return False
    where = None if select is None else select.body(Part.WHERE)
    return where is not None and any(_is_first(source, part, names) for part in conjuncts(source, where))


def _is_first(source: Source, condition: Extent, names: Collection[str]) -> bool:
    """`n = 1`, `n <= 1`, `n < 2`, or the same the other way round."""
    first, last = condition.first, condition.stop - 1
    for operator, number, column in (
        (last - 1, last, Extent(first, last - 1)),
        (first + 1, first, Extent(first + 2, condition.stop)),
    ):
        path = None if column.stop <= column.first else column_path(source, column)
        sign = source.at(operator).upper if number == last else _TURNED.get(source.at(operator).upper)
        if path is not None and path[-1] in names and (sign, source.at(number).upper) in _FIRST:
            return True
    return False


_FIRST = {("=", "1"), ("==", "1"), ("<=", "1"), ("<", "2")}
_TURNED = {"=": "=", "==": "==", ">=": "<=", ">": "<"}
