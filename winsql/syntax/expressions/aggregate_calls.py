"""The record of an aggregate call: its arguments, its condition, its order, and what these compute over the source."""

from __future__ import annotations

from collections.abc import Iterator

from winsql.errors import Span
from winsql.model.aggregate_calls import AggregateCall, CallOperand, Pieces
from winsql.model.registry import AGGREGATES as REGISTERED
from winsql.syntax.expressions.function_calls import Call, is_count_star
from winsql.syntax.expressions.references import ReferenceKind, find_references
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind

__all__ = ["to_aggregate"]


def to_aggregate(source: Source, call: Call, column: str) -> AggregateCall:
    """The record of an aggregate call whose result is in `column`."""
    arguments, after = call.arguments, Extent(call.arguments.stop + 1, call.extent.stop)
    distinct = source.at(arguments.first, arguments.stop).is_word("DISTINCT")
    if distinct or source.at(arguments.first, arguments.stop).is_word("ALL"):
        arguments = Extent(arguments.first + 1, arguments.stop)
    parts = [] if is_count_star(source, call) else source.split(arguments)
    is_star = len(parts) == 1 and source.normal(parts[0]) == ("*",)
    within = next((i for i in after.indexes if source.words(i, "WITHIN", "GROUP")), None)
    nulls = next((i for i in after.indexes if _says_nulls(source, i)), None)
    order = None if within is None else Extent(within + 3, source.closing(within + 2))
    read = [*parts, *(source.split(order) if order is not None else ())]
    operands = [(extent, _operand(source, extent)) for part in read for extent in _computed(source, part)]
    condition = None if call.filter is None else _operand(source, call.filter)
    if call.filter is not None and condition is not None:
        operands.append((call.filter, condition))
    operands.sort(key=lambda operand: operand[0])
    return AggregateCall(
        text=_pieces(source, call.extent, operands),
        name=call.name,
        given=() if is_star else tuple(_pieces(source, part, operands) for part in parts),
        distinct=distinct,
        condition=condition,
        order=None if order is None else _pieces(source, Extent(order.first + 2, order.stop), operands),
        ignores_nulls=None if nulls is None else source.at(nulls).is_word("IGNORE"),
        is_plain=not call.has_extras and _are_plain(source, parts, call),
        column=column,
        span=source.span(call.extent),
    )


def _says_nulls(source: Source, index: int) -> bool:
    return source.words(index, "IGNORE", "NULLS") or source.words(index, "RESPECT", "NULLS")


def _are_plain(source: Source, arguments: list[Extent], call: Call) -> bool:
    """Whether the arguments are expressions and nothing else: no star, no names, no ORDER BY."""
    if not arguments:
        return is_count_star(source, call) or call.name in REGISTERED
    return not any(_is_special(source, argument) for argument in arguments)


def _is_special(source: Source, argument: Extent) -> bool:
    if argument.is_empty or source.tokens[argument.stop - 1].is_symbol("*"):
        return True
    return source.at(argument.first + 1, argument.stop).is_symbol("=>") or _order_by(source, argument) is not None


def _order_by(source: Source, part: Extent) -> int | None:
    group = source.group[part.first]
    return next((i for i in part.indexes if source.words(i, "ORDER", "BY") and source.group[i] == group), None)


# operands


def _computed(source: Source, part: Extent) -> Iterator[Extent]:
    """The expressions in an argument, or in a key of ORDER BY: `a ORDER BY b DESC` has two."""
    if part.is_empty:
        return
    order = _order_by(source, part)
    start = part.first + 2 if source.at(part.first + 1, part.stop).is_symbol("=>") else part.first
    pieces = [Extent(start, part.stop)] if order is None else [Extent(start, order), Extent(order + 2, part.stop)]
    for piece in pieces:
        if not piece.is_empty:
            yield _inside_cast(source, _unsorted(source, piece))


def _unsorted(source: Source, extent: Extent) -> Extent:
    """Without the direction of a sort key."""
    stop = extent.stop
    while stop - 1 > extent.first and source.at(stop - 1).is_word("ASC", "DESC", "NULLS", "FIRST", "LAST"):
        stop -= 1
    return Extent(extent.first, stop)


def _inside_cast(source: Source, extent: Extent) -> Extent:
    """What a cast that is all of an expression reads: LISTAGG(DISTINCT CAST(v AS STRING)) may be sorted by v itself."""
    while source.at(extent.first).is_word("CAST", "TRY_CAST") and source.at(extent.first + 1).is_symbol("("):
        closing = source.closing(extent.first + 1)
        named = [
            i for i in range(extent.first, closing) if source.words(i, "AS") and source.group[i] == extent.first + 1
        ]
        if closing != extent.stop - 1 or not named:
            break
        extent = Extent(extent.first + 2, named[-1])
    return extent


def _operand(source: Source, extent: Extent) -> CallOperand:
    references = find_references(source, extent)
    first = source.tokens[extent.first]
    is_number = first.kind is TokenKind.NUMBER and first.upper.replace(".", "").isdigit()
    return CallOperand(
        source.verbatim(extent),
        columns=tuple(r.path for r in references if r.kind is ReferenceKind.COLUMN),
        is_simple=extent.stop - extent.first == 1 and (is_number or first.kind is TokenKind.WORD),
        is_star=source.tokens[extent.stop - 1].is_symbol("*"),
        reads_more=any(r.kind is not ReferenceKind.COLUMN for r in references),
    )


def _pieces(source: Source, extent: Extent, operands: list[tuple[Extent, CallOperand]]) -> Pieces:
    """The text of a range, the operands in it apart."""
    place, end = source.span(extent)
    pieces: list[str | CallOperand] = []
    for inner, operand in operands:
        if extent.first <= inner.first and inner.stop <= extent.stop:
            span = source.span(inner)
            pieces += [source.slice(Span(place, span.start)), operand]
            place = span.end
    return tuple(piece for piece in (*pieces, source.slice(Span(place, end))) if piece != "")
