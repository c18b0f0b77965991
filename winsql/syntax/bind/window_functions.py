"""Records of calls with OVER over the result of a windowed query."""

from __future__ import annotations

from collections.abc import Callable

from winsql.model.window_functions import Frame, FrameBound, Side, SortKey, WindowFunctionCall
from winsql.syntax.expressions.conditions import outside
from winsql.syntax.expressions.over import OverCall, SortPart
from winsql.syntax.text.source import Extent, Source

Read = Callable[[Extent], str]
"""Rewrites an expression over the result of the windowed query."""


def window_function(source: Source, call: OverCall, column: str, read: Read) -> WindowFunctionCall:
    """The record of a call, whose result is in `column`; raises WindowSyntaxError for a frame that is none."""
    partition = tuple(read(part) for part in call.partition)
    order = tuple(_sort_key(source, part, read) for part in call.order)
    written = call.call
    given = written.arguments
    if source.at(given.first, given.stop).is_word("ALL"):
        given = Extent(given.first + 1, given.stop)
    arguments = [] if source.normal(source.unwrapped(given)) == ("*",) else source.split(given)
    condition = None if written.filter is None else read(written.filter)
    name = source.verbatim(Extent(written.extent.first, written.arguments.first - 1))
    inside = read(given) if arguments else source.verbatim(given)
    called = f"{name}({inside}\n)" + (f" FILTER (WHERE {condition}\n)" if condition else "")
    called += " IGNORE NULLS" if written.ignores_nulls else ""
    return WindowFunctionCall(
        name=call.name,
        sql=f"{called} OVER ({_specification(source, call, partition, order)})",
        arguments=tuple(read(part) for part in arguments),
        filter=condition,
        ignores_nulls=bool(written.ignores_nulls),
        partition=partition,
        apart=tuple(source.verbatim(part) for part in call.partition),
        order=order,
        frame=None if call.frame.is_empty else _frame(source, call.frame),
        column=column,
        span=source.span(call.extent),
    )


def _sort_key(source: Source, part: SortPart, read: Read) -> SortKey:
    return SortKey(read(part.expression), part.is_descending, part.nulls_first, source.verbatim(part.expression))


def _specification(source: Source, call: OverCall, partition: tuple[str, ...], order: tuple[SortKey, ...]) -> str:
    keys = ", ".join(partition)
    sorts = ", ".join(
        f"{key.sql} {'DESC' if key.is_descending else 'ASC'} NULLS {'FIRST' if key.nulls_first else 'LAST'}"
        for key in order
    )
    parts = [f"PARTITION BY {keys}" if keys else "", f"ORDER BY {sorts}" if sorts else "", source.verbatim(call.frame)]
    return " ".join(part for part in parts if part)


# frames


def _frame(source: Source, frame: Extent) -> Frame:
    counts_rows = source.at(frame.first).is_word("ROWS")
    if not source.words(frame.first + 1, "BETWEEN"):
        return Frame(counts_rows, _bound(source, Extent(frame.first + 1, frame.stop)), FrameBound(Side.CURRENT_ROW))
    middle = next((index for index in outside(source, frame) if source.at(index).is_word("AND")), frame.stop)
    start, end = Extent(frame.first + 2, middle), Extent(middle + 1, frame.stop)
    return Frame(counts_rows, _bound(source, start), _bound(source, end))


def _bound(source: Source, bound: Extent) -> FrameBound:
    if source.words(bound.first, "CURRENT", "ROW"):
        return FrameBound(Side.CURRENT_ROW)
    last = source.at(bound.stop - 1)
    if len(bound.indexes) < 2 or not last.is_word("PRECEDING", "FOLLOWING"):
        hint = "write ROWS BETWEEN 2 PRECEDING AND CURRENT ROW, or RANGE and an interval"
        raise source.syntax_error("a bound of a frame cannot be read", bound, hint=hint)
    side = Side.PRECEDING if last.is_word("PRECEDING") else Side.FOLLOWING
    offset = Extent(bound.first, bound.stop - 1)
    is_unbounded = offset.is_single and source.at(offset.first).is_word("UNBOUNDED")
    return FrameBound(side, None if is_unbounded else source.verbatim(offset))
