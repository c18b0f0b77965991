"""Aggregates that pick values: MIN, MAX, FIRST, LAST, MIN_BY and MAX_BY.

Where the order of rows decides, the accumulator carries the ROW_ID of its row: sessions that merge hold rows that
came by turns. Such accumulators are tuples, empty before the first row, because NULL may be the value chosen.
"""

from __future__ import annotations

import operator
from bisect import insort
from collections.abc import Callable
from dataclasses import dataclass
from functools import cmp_to_key
from typing import Any

import pyarrow as pa

from winsql.model.base import ROW_ID, Row
from winsql.runtime.aggregates.value_keys import Keys, keys_of


@dataclass(frozen=True, slots=True)
class Extreme:
    """MIN, MAX, BOOL_AND, BOOL_OR: the value that `beats` all others; of equal ones the first stays.

    Python's order of bytes is Spark's; its order of str is by code point, which is that of the UTF-8 bytes.
    """

    result_type: pa.DataType
    slot: int
    beats: Beats

    def create(self) -> Any:
        return None

    def add(self, accumulator: Any, row: Row) -> Any:
        value = row[self.slot]
        if value is None or (accumulator is not None and not self.beats(value, accumulator)):
            return accumulator
        return value

    def merge(self, accumulator: Any, other: Any) -> Any:
        if other is None or (accumulator is not None and not self.beats(other, accumulator)):
            return accumulator
        return other

    def result(self, accumulator: Any) -> Any:
        return accumulator


def float_greater(left: float, right: float) -> bool:
    """Spark's order of floats: NaN is the largest and equal to itself; 0.0 and -0.0 are equal."""
    return left > right or (left != left and right == right)


def float_less(left: float, right: float) -> bool:
    """As float_greater, the other way round."""
    return float_greater(right, left)


@dataclass(frozen=True, slots=True)
class NestedOrder:
    """Spark's order of structs and arrays: whether the left one comes after the right one, or before it."""

    keys: Keys
    is_greater: bool

    def __call__(self, left: Any, right: Any) -> bool:
        first, second = self.keys.key(left), self.keys.key(right)
        return bool(first > second if self.is_greater else first < second)


Beats = Callable[[Any, Any], bool]
"""Whether the left value is chosen before the right one."""


def beats(data_type: pa.DataType, is_greater: bool) -> Beats:
    """Whether a value of an ordered type comes after another one, or before it."""
    if pa.types.is_nested(data_type):
        return NestedOrder(keys_of(data_type), is_greater)
    if pa.types.is_floating(data_type):
        return float_greater if is_greater else float_less
    return operator.gt if is_greater else operator.lt


Pick = tuple[()] | tuple[int, Any]
"""Nothing yet, or the ROW_ID and the value of the row chosen."""


@dataclass(frozen=True, slots=True)
class First:
    """FIRST, FIRST_VALUE, ANY_VALUE: the value of the first row; `ignore_nulls` is the slot of the flag, if given."""

    result_type: pa.DataType
    slot: int
    ignore_nulls: int | None

    def create(self) -> Pick:
        return ()

    def add(self, accumulator: Pick, row: Row) -> Pick:
        if accumulator or self._ignores(row):
            return accumulator
        return row[ROW_ID], row[self.slot]

    def merge(self, accumulator: Pick, other: Pick) -> Pick:
        if not accumulator or not other:
            return accumulator or other
        return other if other[0] < accumulator[0] else accumulator

    def result(self, accumulator: Pick) -> Any:
        return accumulator[1] if accumulator else None

    def _ignores(self, row: Row) -> bool:
        return self.ignore_nulls is not None and row[self.slot] is None and bool(row[self.ignore_nulls])


@dataclass(frozen=True, slots=True)
class Last(First):
    """LAST, LAST_VALUE: the value of the last row."""

    def add(self, accumulator: Pick, row: Row) -> Pick:
        return accumulator if self._ignores(row) else (row[ROW_ID], row[self.slot])

    def merge(self, accumulator: Pick, other: Pick) -> Pick:
        if not accumulator or not other:
            return accumulator or other
        return other if other[0] > accumulator[0] else accumulator


PickBy = tuple[()] | tuple[Any, int, Any]
"""Nothing yet, or the ordering value, the ROW_ID and the value of the row chosen."""


@dataclass(frozen=True, slots=True)
class ExtremeBy:
    """MIN_BY, MAX_BY: the value of the row whose ordering value `beats` the others; of equal ones the last row's.

    Rows without ordering value are left out; the value chosen may be NULL.
    """

    result_type: pa.DataType
    slot: int
    ordering: int
    beats: Beats

    def create(self) -> PickBy:
        return ()

    def add(self, accumulator: PickBy, row: Row) -> PickBy:
        ordering = row[self.ordering]
        if ordering is None or (accumulator and self.beats(accumulator[0], ordering)):
            return accumulator
        return ordering, row[ROW_ID], row[self.slot]

    def merge(self, accumulator: PickBy, other: PickBy) -> PickBy:
        if not accumulator or not other:
            return accumulator or other
        if self.beats(accumulator[0], other[0]):
            return accumulator
        if self.beats(other[0], accumulator[0]):
            return other
        return other if other[1] > accumulator[1] else accumulator

    def result(self, accumulator: PickBy) -> Any:
        return accumulator[2] if accumulator else None


@dataclass(frozen=True, slots=True)
class ExtremesBy:
    """MIN_BY(value, ordering, n), MAX_BY: the values of the n rows whose ordering values `beats` all others, the best
    first, of equal ones the last row's; NULL without rows.

    Accumulator: `[n, rows]`; each row is `(ordering value, ROW_ID, value)`. `number` is the slot of the constant n.
    """

    result_type: pa.DataType
    slot: int
    ordering: int
    number: int
    beats: Beats

    def create(self) -> list[Any]:
        return [0, []]

    def add(self, accumulator: list[Any], row: Row) -> list[Any]:
        if row[self.ordering] is None:
            return accumulator
        accumulator[0] = row[self.number]
        return self._with(accumulator, (row[self.ordering], row[ROW_ID], row[self.slot]))

    def merge(self, accumulator: list[Any], other: list[Any]) -> list[Any]:
        accumulator[0] = max(accumulator[0], other[0])
        for row in other[1]:
            accumulator = self._with(accumulator, row)
        return accumulator

    def result(self, accumulator: list[Any]) -> list[Any] | None:
        return [value for _, _, value in accumulator[1]] or None

    def _with(self, accumulator: list[Any], row: tuple[Any, int, Any]) -> list[Any]:
        number, rows = accumulator
        insort(rows, row, key=cmp_to_key(self._compared))
        del rows[number:]
        return accumulator

    def _compared(self, left: tuple[Any, int, Any], right: tuple[Any, int, Any]) -> int:
        """Less than 0 for a left row that comes first."""
        if self.beats(left[0], right[0]):
            return -1
        return 1 if self.beats(right[0], left[0]) else right[1] - left[1]
