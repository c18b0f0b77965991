"""What aggregates give for the rows of a firing, in the order in which it sees them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from decimal import Decimal
from functools import reduce
from typing import Any

from differential.expressions import Aggregate, Known, value
from differential.values import quotient, rank, same

Values = list[tuple[Any, ...]]

ORDERED = frozenset({"first", "last", "first_known", "collect_list", "array_agg", "listagg", "max_by", "min_by"})
"""Depend on the order of rows; `max_by` and `min_by` on that of ties: the last one wins, as in Spark."""


def aggregate(call: Aggregate, rows: Sequence[Known]) -> Any:
    """The result of a call over rows."""
    kept = [row for row in rows if call.filter is None or value(call.filter, row) is True]
    values = [tuple(value(argument, row) for argument in call.arguments) for row in kept]
    if call.distinct:
        values = list({same(held): held for held in values if None not in held}.values())
    return _AGGREGATES[call.function](call, values)


def _known(values: Values) -> list[Any]:
    return [held[0] for held in values if held[0] is not None]


def _over_known(function: Callable[[list[Any]], Any]) -> Callable[[Aggregate, Values], Any]:
    """NULL when there is nothing but NULL."""

    def result(call: Aggregate, values: Values) -> Any:
        known = _known(values)
        return function(known) if known else None

    return result


def _average(call: Aggregate, values: Values) -> Any:
    known = _known(values)
    if not known:
        return None
    if isinstance(known[0], Decimal):
        return quotient(sum(known), len(known), 6)
    return sum(known) / len(known)


def _median(known: list[Any]) -> float:
    known = sorted(known)
    middle = len(known) // 2
    return float(known[middle]) if len(known) % 2 else (known[middle - 1] + known[middle]) / 2


def _extreme_by(is_better: Callable[[Any, Any], bool]) -> Callable[[Aggregate, Values], Any]:
    def result(call: Aggregate, values: Values) -> Any:
        best: tuple[Any, ...] | None = None
        for held in values:
            if held[1] is not None and (best is None or not is_better(rank(best[1]), rank(held[1]))):
                best = held
        return None if best is None else best[0]

    return result


_AGGREGATES: dict[str, Callable[[Aggregate, Values], Any]] = {
    "count": lambda call, values: sum(None not in held for held in values),
    "sum": _over_known(sum),
    "try_sum": _over_known(sum),
    "avg": _average,
    "min": _over_known(lambda known: min(known, key=rank)),
    "max": _over_known(lambda known: max(known, key=rank)),
    "count_if": lambda call, values: sum(held[0] is True for held in values),
    "bool_or": _over_known(any),
    "bool_and": _over_known(all),
    "bit_xor": _over_known(lambda known: reduce(lambda a, b: a ^ b, known)),
    "bit_or": _over_known(lambda known: reduce(lambda a, b: a | b, known)),
    "median": _over_known(_median),
    "first": lambda call, values: values[0][0] if values else None,
    "last": lambda call, values: values[-1][0] if values else None,
    "first_known": _over_known(lambda known: known[0]),
    "collect_list": lambda call, values: tuple(_known(values)),
    "array_agg": lambda call, values: tuple(_known(values)),
    "array_sort_set": lambda call, values: tuple(
        sorted({same(held): held for held in _known(values)}.values(), key=rank)
    ),
    "listagg": _over_known(",".join),
    "max_by": _extreme_by(lambda a, b: a > b),
    "min_by": _extreme_by(lambda a, b: a < b),
}
