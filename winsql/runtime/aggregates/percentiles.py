"""Percentiles: PERCENTILE, PERCENTILE_CONT, PERCENTILE_DISC, APPROX_PERCENTILE and MEDIAN."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from winsql.model.base import Row
from winsql.runtime.aggregates.argument_types import is_list


@dataclass(frozen=True, slots=True)
class Percentile:
    """PERCENTILE, PERCENTILE_CONT and MEDIAN: linear interpolation between the nearest values, as a DOUBLE; of
    intervals, a whole number of microseconds.

    `fraction` is the slot of the constant, a number or an array; None means one half. `weighs` is how Spark
    before 4.3 interpolates. -0.0 and 0.0 are equal, and come in the order in which Spark's hash table has them.
    Accumulator: `[fraction, number of NaN, values]`; `result` sorts the values in place, so that asking again after few
    rows costs one pass.
    """

    result_type: pa.DataType
    slot: int
    fraction: int | None
    is_descending: bool = False
    weighs: bool = False

    def create(self) -> list[Any]:
        return [0.5, 0, []]

    def add(self, accumulator: list[Any], row: Row) -> list[Any]:
        value = row[self.slot]
        if value is None:
            return accumulator
        if self.fraction is not None:
            accumulator[0] = row[self.fraction]
        if value != value:
            accumulator[1] += 1
        else:
            accumulator[2].append(value)
        return accumulator

    def merge(self, accumulator: list[Any], other: list[Any]) -> list[Any]:
        if other[1] or other[2]:
            accumulator[0] = other[0]
        accumulator[1] += other[1]
        accumulator[2] += other[2]
        return accumulator

    def result(self, accumulator: list[Any]) -> Any:
        fraction, nans, values = accumulator
        if not nans and not values:
            return None
        values.sort()
        _order_zeros(values, nans > 0, self.is_descending)
        chosen = _of_each(fraction, lambda one: self._chosen(values, nans, one))
        return _whole(chosen) if _is_of_intervals(self.result_type) else chosen

    def _chosen(self, values: list[Any], nans: int, fraction: float) -> float:
        position = (nans + len(values) - 1) * fraction
        lower, higher = math.floor(position), math.ceil(position)
        below, above = self._at(values, nans, lower), self._at(values, nans, higher)
        if below == above:
            return float(below)
        if self.weighs:
            return (higher - position) * float(below) + (position - lower) * float(above)
        return float(below) + (float(above) - float(below)) * (position - lower)

    def _at(self, values: list[Any], nans: int, place: int) -> Any:
        """The value at a place of the order; NaN is the largest of all."""
        index = nans + len(values) - 1 - place if self.is_descending else place
        return values[index] if index < len(values) else math.nan


@dataclass(frozen=True, slots=True)
class DiscretePercentile(Percentile):
    """PERCENTILE_DISC: the first value up to which at least that fraction of the values comes, as a DOUBLE."""

    def _chosen(self, values: list[Any], nans: int, fraction: float) -> float:
        count = nans + len(values)
        return float(self._at(values, nans, max(math.ceil(count * fraction) - 1, 0)))


@dataclass(frozen=True, slots=True)
class ApproximatePercentile:
    """APPROX_PERCENTILE(value, fraction or fractions [, accuracy]): values that came, chosen without error.

    Spark's own are exact for less than half as many values as `accuracy` says, and then within one part in `accuracy`.
    It takes the values for DOUBLE, the least or greatest where a fraction is within that error of 0 or 1.

    Accumulator: `[fraction or fractions, accuracy, number of NaN, values]`.
    """

    result_type: pa.DataType
    slot: int
    fraction: int
    accuracy: int | None

    def create(self) -> list[Any]:
        return [0.5, 10_000, 0, []]

    def add(self, accumulator: list[Any], row: Row) -> list[Any]:
        value = row[self.slot]
        if value is None:
            return accumulator
        accumulator[0] = row[self.fraction]
        if self.accuracy is not None:
            accumulator[1] = int(row[self.accuracy])
        if value != value:
            accumulator[2] += 1
        else:
            accumulator[3].append(value)
        return accumulator

    def merge(self, accumulator: list[Any], other: list[Any]) -> list[Any]:
        if other[2] or other[3]:
            accumulator[:2] = other[:2]
        accumulator[2] += other[2]
        accumulator[3] += other[3]
        return accumulator

    def result(self, accumulator: list[Any]) -> Any:
        fractions, accuracy, nans, values = accumulator
        if not nans and not values:
            return None
        if nans and len(values) == 1:  # Spark loses the only number, which it compares with NaN
            values, nans = [], nans + 1
        values.sort()
        _negative_first(values)
        return _of_each(fractions, lambda one: self._chosen(values, nans, one, 1 / accuracy))

    @staticmethod
    def _chosen(values: list[Any], nans: int, fraction: float, error: float) -> Any:
        last = nans + len(values) - 1
        if fraction <= error:
            place = 0
        elif fraction >= 1 - error:
            place = last
        else:
            place = math.ceil(fraction * (last + 1)) - 1
        value = values[place] if place < len(values) else math.nan
        return _long(float(value)) if isinstance(value, int) else value


def _of_each(fractions: Any, chosen: Callable[[float], Any]) -> Any:
    """What is chosen for a fraction, or for each one of an array."""
    if isinstance(fractions, list | tuple):
        return [chosen(float(fraction)) for fraction in fractions]
    return chosen(float(fractions))


def _is_of_intervals(data_type: pa.DataType) -> bool:
    """Percentiles of numbers are a DOUBLE."""
    return not pa.types.is_floating(data_type.value_type if is_list(data_type) else data_type)


def _whole(chosen: Any) -> Any:
    """A DOUBLE, or each of an array, as Java makes a long of it."""
    return [_long(one) for one in chosen] if isinstance(chosen, list) else _long(chosen)


def _long(value: float) -> int:
    return min(int(value), 2**63 - 1)


def _negative_first(values: list[Any]) -> None:
    """Bring -0.0 before 0.0 among sorted values."""
    start, stop = bisect_left(values, 0), bisect_right(values, 0)
    values[start:stop] = sorted(values[start:stop], key=lambda value: math.copysign(1, value))


def _order_zeros(values: list[Any], has_nan: bool, is_descending: bool) -> None:
    """Bring the zeros among sorted values into Spark's order: that of the table in which it counts distinct values.

    is_descending   the values are read from the end
    """
    start, stop = bisect_left(values, 0), bisect_right(values, 0)
    negative = sum(math.copysign(1, value) < 0 for value in values[start:stop])
    if not 0 < negative < stop - start:
        return
    zeros = [-0.0] * negative + [0.0] * (stop - start - negative)
    mask = _capacity(len(set(values)) + 1 + has_nan) - 1
    is_ascending = (_PLACE_OF_NEGATIVE_ZERO & mask < _PLACE_OF_ZERO & mask) != is_descending
    values[start:stop] = zeros if is_ascending else zeros[::-1]


_PLACE_OF_ZERO, _PLACE_OF_NEGATIVE_ZERO = 0x2362F9DE, 0x9994D794
"""Murmur3 of the hash codes that Java gives the two, as in Spark's OpenHashSet."""


def _capacity(distinct: int) -> int:
    """How many places that table has: it doubles when it is more than 70 % full."""
    capacity = 64
    while distinct > int(0.7 * capacity):
        capacity *= 2
    return capacity
