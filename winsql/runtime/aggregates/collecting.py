"""Aggregates whose accumulator grows with the values: COLLECT_LIST, COLLECT_SET, LISTAGG, MODE, PERCENTILE, MEDIAN."""

from __future__ import annotations

import math
from bisect import bisect_left, bisect_right
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from winsql.model.base import ROW_ID, Row
from winsql.runtime.aggregates.value_keys import Keys

__all__ = ["CollectList", "CollectSet", "JoinedValues", "Mode", "Percentile"]


@dataclass(frozen=True, slots=True)
class CollectList:
    """COLLECT_LIST, ARRAY_AGG: the values in arrival order, without NULLs. Accumulator: `[ROW_IDs, values]`."""

    result_type: pa.DataType
    slot: int

    def create(self) -> list[list[Any]]:
        return [[], []]

    def add(self, accumulator: list[list[Any]], row: Row) -> list[list[Any]]:
        value = row[self.slot]
        if value is not None:
            accumulator[0].append(row[ROW_ID])
            accumulator[1].append(value)
        return accumulator

    def merge(self, accumulator: list[list[Any]], other: list[list[Any]]) -> list[list[Any]]:
        ids, values = accumulator
        in_order = not ids or not other[0] or ids[-1] < other[0][0]
        ids += other[0]
        values += other[1]
        if in_order:
            return accumulator
        order = sorted(range(len(ids)), key=ids.__getitem__)
        return [[ids[i] for i in order], [values[i] for i in order]]

    def result(self, accumulator: list[list[Any]]) -> list[Any]:
        return accumulator[1].copy()


Firsts = dict[Any, Any]
"""Keys in the order in which they came first, each with the ROW_ID of its first row.

State of earlier versions has no ROW_IDs: its keys came before all others, in their order.
"""
_EARLIER = -1


def _united(firsts: Firsts, other: Firsts) -> Firsts:
    """The keys of both; may change the first one."""
    if not firsts or not other:
        return firsts or other.copy()
    in_order = _place(next(reversed(firsts.values()))) < _place(next(iter(other.values())))
    if not in_order and _place(next(iter(other.values()))) < _place(next(iter(firsts.values()))):
        firsts, other = other.copy(), firsts  # of keys without a number those of the earlier one come first
    for key, number in other.items():
        firsts[key] = min(_place(number), _place(firsts.get(key, number)))
    return firsts if in_order else dict(sorted(firsts.items(), key=lambda item: _place(item[1])))


def _place(number: int | None) -> int:
    return _EARLIER if number is None else number


@dataclass(frozen=True, slots=True)
class CollectSet:
    """COLLECT_SET, COLLECT_LIST(DISTINCT ...): the distinct values, in the order in which they came first.

    Spark leaves that order open. Accumulator: the keys with their first ROW_IDs; up to version 0.1.0 with None.
    """

    result_type: pa.DataType
    slot: int
    keys: Keys

    def create(self) -> Firsts:
        return {}

    def add(self, accumulator: Firsts, row: Row) -> Firsts:
        value = row[self.slot]
        if value is not None:
            accumulator.setdefault(self.keys.key(value), row[ROW_ID])
        return accumulator

    def merge(self, accumulator: Firsts, other: Firsts) -> Firsts:
        return _united(accumulator, other)

    def result(self, accumulator: Firsts) -> list[Any]:
        return [self.keys.value(key) for key in accumulator]


@dataclass(frozen=True, slots=True)
class JoinedValues:
    """LISTAGG, STRING_AGG: what `values` collects in arrival order, as one string or binary value; of none NULL.

    `delimiter` is the slot of the constant between values; none, or a NULL in it, means nothing between them.
    Accumulator: `[delimiter, accumulator of values]`.
    """

    result_type: pa.DataType
    values: CollectList | CollectSet
    delimiter: int | None

    def create(self) -> list[Any]:
        return [None, self.values.create()]

    def add(self, accumulator: list[Any], row: Row) -> list[Any]:
        if self.delimiter is not None:
            accumulator[0] = row[self.delimiter]
        accumulator[1] = self.values.add(accumulator[1], row)
        return accumulator

    def merge(self, accumulator: list[Any], other: list[Any]) -> list[Any]:
        delimiter = other[0] if accumulator[0] is None else accumulator[0]
        return [delimiter, self.values.merge(accumulator[1], other[1])]

    def result(self, accumulator: list[Any]) -> Any:
        values = self.values.result(accumulator[1])
        if not values:
            return None
        return (values[0][:0] if accumulator[0] is None else accumulator[0]).join(values)


@dataclass(frozen=True, slots=True)
class Mode:
    """MODE: the most frequent value, NULLs left out.

    Spark leaves open which of several equally frequent values it returns; here it is the one that came first.
    Accumulator: `[how often each key came, the keys with their first ROW_IDs]`; up to version 0.1.0 only the counts.
    """

    result_type: pa.DataType
    slot: int
    keys: Keys

    def create(self) -> list[dict[Any, int]]:
        return [{}, {}]

    def add(self, accumulator: Any, row: Row) -> list[dict[Any, int]]:
        counts, firsts = current = self._current(accumulator)
        value = row[self.slot]
        if value is not None:
            key = self.keys.key(value)
            counts[key] = counts.get(key, 0) + 1
            firsts.setdefault(key, row[ROW_ID])
        return current

    def merge(self, accumulator: Any, other: Any) -> list[dict[Any, int]]:
        (counts, firsts), (more, others) = self._current(accumulator), self._current(other)
        for key, count in more.items():
            counts[key] = counts.get(key, 0) + count
        firsts = _united(firsts, others)
        return [{key: counts[key] for key in firsts}, firsts]

    def result(self, accumulator: Any) -> Any:
        counts = self._current(accumulator)[0]
        if not counts:
            return None
        return self.keys.value(max(counts, key=counts.__getitem__))

    @staticmethod
    def _current(accumulator: Any) -> list[dict[Any, int]]:
        """The accumulator in its present form."""
        if isinstance(accumulator, dict):
            return [accumulator, dict.fromkeys(accumulator, _EARLIER)]
        held: list[dict[Any, int]] = accumulator
        return held


@dataclass(frozen=True, slots=True)
class Percentile:
    """PERCENTILE(value, fraction) and MEDIAN: linear interpolation between the nearest values, as a DOUBLE.

    `fraction` is the slot of the constant; None means one half. Accumulator: `[fraction, number of NaN, values]`;
    `result` sorts the values in place, so that asking again after few rows costs one pass. -0.0 and 0.0 are equal, and
    come in the order in which Spark's hash table has them.
    """

    result_type: pa.DataType
    slot: int
    fraction: int | None

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

    def result(self, accumulator: list[Any]) -> float | None:
        fraction, nans, values = accumulator
        if not nans and not values:
            return None
        values.sort()
        _order_zeros(values, nans > 0)
        position: float = (nans + len(values) - 1) * float(fraction)
        lower, higher = math.floor(position), math.ceil(position)
        below, above = _at(values, lower), _at(values, higher)
        if below == above:
            return float(below)
        return float(below) + (float(above) - float(below)) * (position - lower)


def _at(values: list[Any], index: int) -> Any:
    """The value at the index; the NaN come after the last one, as the largest of all."""
    return values[index] if index < len(values) else math.nan


def _order_zeros(values: list[Any], has_nan: bool) -> None:
    """Bring the zeros among sorted values into Spark's order: that of the table in which it counts distinct values."""
    start, stop = bisect_left(values, 0), bisect_right(values, 0)
    negative = sum(math.copysign(1, value) < 0 for value in values[start:stop])
    if not 0 < negative < stop - start:
        return
    zeros = [-0.0] * negative + [0.0] * (stop - start - negative)
    mask = _capacity(len(set(values)) + 1 + has_nan) - 1
    values[start:stop] = zeros if _PLACE_OF_NEGATIVE_ZERO & mask < _PLACE_OF_ZERO & mask else zeros[::-1]


_PLACE_OF_ZERO, _PLACE_OF_NEGATIVE_ZERO = 0x2362F9DE, 0x9994D794
"""Murmur3 of the hash codes that Java gives the two, as in Spark's OpenHashSet."""


def _capacity(distinct: int) -> int:
    """How many places that table has: it doubles when it is more than 70 % full."""
    capacity = 64
    while distinct > int(0.7 * capacity):
        capacity *= 2
    return capacity
