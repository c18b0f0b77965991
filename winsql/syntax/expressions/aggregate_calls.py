"""Makes the record of an aggregate call: its arguments, condition and order, and what these compute from each row."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from winsql.errors import Span
from winsql.model.aggregate_calls import AggregateCall, CallOperand, Direction, Pieces, WithinKey
from winsql.model.registry import AGGREGATES as REGISTERED
from winsql.syntax.expressions.function_calls import Call, is_count_star, says_nulls
from winsql.syntax.expressions.over import sort_part, sorted_by
from winsql.syntax.expressions.references import ReferenceKind, find_references
from winsql.syntax.text.parts import AFTER_COLUMN, words_in
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind

Same = Callable[[Extent, Extent], bool]


def to_aggregate(source: Source, call: Call, column: str, same: Same | None = None) -> AggregateCall:
    """The record of an aggregate call whose result is in `column`.

    same   whether two expressions are the same, where more is known than their tokens
    """
    same = same or (lambda left, right: source.normal(left) == source.normal(right))
    distinct, parts = _arguments(source, call)
    is_star = len(parts) == 1 and source.normal(parts[0]) == ("*",)
    order = call.within
    ignores_nulls, parts = _nulls(source, call, parts)
    has_words = ignores_nulls is not None and call.name in _TAKE_NULLS | _KEEP_NULLS
    has_flag = has_words and len(parts) == 1 and order is None
    operands = _operands(source, call, [*parts, *(source.split(order) if order is not None else ())], same)
    are_plain = _are_plain(source, parts, call)
    given = () if is_star else tuple(_pieces(source, part, operands) for part in parts)
    is_sorted = ignores_nulls is None and (are_plain or not parts)
    return AggregateCall(
        text=_pieces(source, call.extent, operands),
        name=call.name,
        given=(*given, ("TRUE",)) if has_flag and ignores_nulls == (call.name in _TAKE_NULLS) else given,
        distinct=distinct,
        condition=None if call.filter is None else _operand(source, call.filter),
        order=None if order is None else _pieces(source, Extent(order.first + 2, order.stop), operands),
        ignores_nulls=ignores_nulls,
        is_plain=(has_flag or (order is None and call.ignores_nulls is None)) and are_plain,
        column=column,
        span=source.span(call.extent),
        sorting=_sorting(source, order if is_sorted else None, operands, parts, same),
    )


def _arguments(source: Source, call: Call) -> tuple[bool, list[Extent]]:
    """Whether the arguments are DISTINCT, and the arguments themselves; none for COUNT(*)."""
    arguments = call.arguments
    rest = Extent(arguments.first + 1, arguments.stop)
    is_column = rest.is_empty or _goes_on(source, rest)
    has_quantifier = source.at(arguments.first, arguments.stop).is_word("ALL", "DISTINCT") and not is_column
    distinct = has_quantifier and source.at(arguments.first).is_word("DISTINCT")
    arguments = rest if has_quantifier else arguments
    return distinct, [] if is_count_star(source, call) else source.split(arguments)


def _goes_on(source: Source, rest: Extent) -> bool:
    """Whether what comes after a word goes on after a column of its name; as in Spark, a sign begins an expression."""
    after = source.at(rest.first)
    if rest.is_single:  # a column, or the star of COUNT(DISTINCT *)
        return False
    is_infix = after.is_symbol(*AFTER_COLUMN) or after.is_word("IS", "BETWEEN", "DIV", "AND", "OR")
    return is_infix or says_nulls(source, rest.first)


def _nulls(source: Source, call: Call, parts: list[Extent]) -> tuple[bool | None, list[Extent]]:
    """Whether a call has IGNORE NULLS (True) or RESPECT NULLS (False), and its arguments without these words."""
    last = parts[-1] if parts and call.name in _TAKE_NULLS else Extent(0, 0)
    place = last.stop - 2
    if call.ignores_nulls is None and place > last.first and says_nulls(source, place):
        return source.words(place, "IGNORE"), [*parts[:-1], Extent(last.first, place)]
    return call.ignores_nulls, parts


def _operands(source: Source, call: Call, read: list[Extent], same: Same) -> list[tuple[Extent, CallOperand]]:
    """The expressions that a call computes from each row, in the order of the text; `k` and `t.k` are computed once."""
    operands: list[tuple[Extent, CallOperand]] = []
    for extent in (extent for part in read for extent in _computed(source, part)):
        known = (operand for other, operand in operands if same(other, extent))
        operands.append((extent, next(known, None) or _operand(source, extent)))
    if call.filter is not None:
        operands.append((call.filter, _operand(source, call.filter)))
    return sorted(operands, key=lambda operand: operand[0])


def _sorting(
    source: Source,
    order: Extent | None,
    operands: list[tuple[Extent, CallOperand]],
    arguments: list[Extent],
    same: Same,
) -> tuple[WithinKey, ...]:
    """The keys of `ORDER BY keys`; one that is an argument in another spelling is read as that argument."""
    keys = [] if order is None else source.split(Extent(order.first + 2, order.stop))
    found = []
    for part in (sort_part(source, key) for key in keys):
        given = (argument for argument in arguments if same(argument, part.expression))
        expression = next(given, part.expression)
        direction = Direction(part.is_descending, part.nulls_first)
        found.append(WithinKey(_pieces(source, expression, operands), direction))
    return tuple(found)


_TAKE_NULLS = frozenset({"FIRST", "FIRST_VALUE", "LAST", "LAST_VALUE", "ANY_VALUE"})
"""Functions that take TRUE as a second argument instead of `IGNORE NULLS`."""

_KEEP_NULLS = frozenset({"ARRAY_AGG", "COLLECT_LIST", "COLLECT_SET"})
"""Functions that leave NULLs out but for `RESPECT NULLS`; their accumulators take TRUE as a second argument for it."""


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
    return next((place for place in words_in(source, part, "ORDER") if source.words(place + 1, "BY")), None)


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
            yield _inside_cast(source, sorted_by(source, piece))


def _inside_cast(source: Source, extent: Extent) -> Extent:
    """The operand of a cast of the whole expression: LISTAGG(DISTINCT CAST(v AS STRING)) may be sorted by v."""
    while source.at(extent.first).is_word("CAST", "TRY_CAST") and source.at(extent.first + 1).is_symbol("("):
        closing = source.closing(extent.first + 1)
        named = [*words_in(source, Extent(extent.first + 2, closing), "AS")]
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
        is_simple=extent.is_single and (is_number or first.kind is TokenKind.WORD),
        is_star=source.tokens[extent.stop - 1].is_symbol("*"),
        reads_more=any(r.kind is not ReferenceKind.COLUMN for r in references),
    )


def _pieces(source: Source, extent: Extent, operands: list[tuple[Extent, CallOperand]]) -> Pieces:
    """The text of a range, cut at the operands in it."""
    place, end = source.span(extent)
    pieces: list[str | CallOperand] = []
    for inner, operand in operands:
        if extent.holds(inner):
            span = source.span(inner)
            pieces += [source.slice(Span(place, span.start)), operand]
            place = span.end
    return tuple(piece for piece in (*pieces, source.slice(Span(place, end))) if piece != "")
