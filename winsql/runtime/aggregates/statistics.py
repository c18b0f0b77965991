"""Binders of the statistical aggregates: variances, higher moments, covariances, correlation and regressions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pyarrow as pa

from winsql.runtime.aggregates import counting, moments, pairs
from winsql.runtime.aggregates.argument_types import is_number
from winsql.runtime.aggregates.base import Aggregate
from winsql.runtime.aggregates.typed_call import Bind, TypedCall, of_one_value


def variance(finish: Callable[[float, float], float | None]) -> Bind:
    return _of_numbers(lambda call, slot: moments.Variance(call.result_type, slot, finish))


def higher_moment(finish: Callable[[moments.Sums], float | None]) -> Bind:
    return _of_numbers(lambda call, slot: moments.HigherMoments(call.result_type, slot, finish))


def _of_numbers(inner: Callable[[TypedCall, int], Aggregate]) -> Bind:
    def bind(call: TypedCall) -> Aggregate | None:
        if not call.is_unary(is_number) or call.result_type != pa.float64():
            return None
        return of_one_value(call, lambda slot: inner(call, slot))

    return bind


def of_pairs(
    finish: Callable[[pairs.Comoments], float | None], kind: type[pairs.PairMoments] = pairs.PairMoments
) -> Bind:
    def bind(call: TypedCall) -> Aggregate | None:
        if not _is_of_pairs(call) or call.result_type != pa.float64():
            return None
        x, y = call.slots
        return kind(call.result_type, x, y, finish)

    return bind


def regression(finish: Callable[[pairs.Comoments], float | None]) -> Bind:
    """Of (y, x); Spark computes these with x first."""
    bind = of_pairs(finish, pairs.RegressionMoments)
    return lambda call: bind(replace(call, slots=call.slots[::-1], types=call.types[::-1]))


def count_of_pairs(call: TypedCall) -> Aggregate | None:
    is_count = _is_of_pairs(call) and call.result_type == pa.int64()
    return counting.CountAllPresent(call.result_type, call.slots) if is_count else None


def average_of(side: int, average: Bind) -> Bind:
    """Of y, which is side 0, or x."""

    def bind(call: TypedCall) -> Aggregate | None:
        if not _is_of_pairs(call):
            return None
        inner = average(replace(call, slots=(call.slots[side],), types=(call.types[side],)))
        return inner and pairs.OfPairs(inner, call.slots[1 - side])

    return bind


def _is_of_pairs(call: TypedCall) -> bool:
    return not call.distinct and len(call.slots) == 2 and all(map(is_number, call.types))
