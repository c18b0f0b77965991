"""SUM, AVG and BIT_AND, BIT_OR, BIT_XOR, with the arithmetic of Spark's own expressions."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from decimal import ROUND_DOWN, ROUND_HALF_UP, Context, Decimal
from typing import Any

import pyarrow as pa

from winsql.model.base import Row
from winsql.runtime.aggregates.base import Overflow


@dataclass(frozen=True, slots=True)
class _Held:
    """Base of what holds one value, put together of those of the rows; None before the first value."""

    result_type: pa.DataType
    slot: int

    def create(self) -> Any:
        return None

    def merge(self, accumulator: Any, other: Any) -> Any:
        if accumulator is None or other is None:
            return other if accumulator is None else accumulator
        return self.joined(accumulator, other)

    def joined(self, accumulator: Any, other: Any) -> Any:
        """One value of two."""
        return accumulator + other

    def result(self, accumulator: Any) -> Any:
        return accumulator


@dataclass(frozen=True, slots=True)
class IntegerSum(_Held):
    """SUM of integers, a BIGINT. Accumulator: the exact sum, None before the first value.

    Whether it fits is judged when a result is asked for, so that it does not depend on how rows were split. Spark
    judges after every addition of every partition, which may refuse a sum whose total fits.
    """

    overflow: Overflow

    def add(self, accumulator: int | None, row: Row) -> int | None:
        value: int | None = row[self.slot]
        if value is None:
            return accumulator
        return value if accumulator is None else accumulator + value

    def result(self, accumulator: int | None) -> int | None:
        if accumulator is None or -_TWO_63 <= accumulator < _TWO_63:
            return accumulator
        return self._overflown(accumulator)

    def _overflown(self, total: int) -> int | None:
        if self.overflow is Overflow.RAISE:
            raise self.overflow.error("ARITHMETIC_OVERFLOW", "SUM", "BIGINT")
        return None if self.overflow is Overflow.NULL else (total + _TWO_63) % (2 * _TWO_63) - _TWO_63


_TWO_63 = 2**63


@dataclass(frozen=True, slots=True)
class Bits(_Held):
    """BIT_AND, BIT_OR, BIT_XOR of integers. Accumulator: the bits so far, None before the first value."""

    combine: Callable[[int, int], int]

    def add(self, accumulator: int | None, row: Row) -> int | None:
        value: int | None = row[self.slot]
        if value is None:
            return accumulator
        return value if accumulator is None else self.combine(accumulator, value)

    def joined(self, accumulator: int, other: int) -> int:
        return self.combine(accumulator, other)


@dataclass(frozen=True, slots=True)
class IntervalSum(IntegerSum):
    """SUM of day-time intervals, in microseconds."""

    def _overflown(self, total: int) -> int | None:
        return _fitting_interval(total, self.result_type, self.overflow, "SUM")


@dataclass(frozen=True, slots=True)
class MonthSum(IntervalSum):
    """SUM of year-month intervals, in months, an INT. It has no columnar form, which would know 64 bits only."""

    def result(self, accumulator: int | None) -> int | None:
        return None if accumulator is None else self._overflown(accumulator)


def _fitting_interval(total: int, interval: pa.DataType, overflow: Overflow, call: str) -> int | None:
    """A sum of intervals if it fits; if not, an error in every mode but TRY_SUM and TRY_AVG."""
    limit = 1 << (interval.bit_width - 1)
    if -limit <= total < limit:
        return total
    if overflow is Overflow.NULL:
        return None
    kind = "DAY TO SECOND" if pa.types.is_duration(interval) else "YEAR TO MONTH"
    raise Overflow.RAISE.error("INTERVAL_ARITHMETIC_OVERFLOW", call, f"INTERVAL {kind}")


@dataclass(frozen=True, slots=True)
class FloatSum(_Held):
    """SUM of floats, a DOUBLE. It starts from 0.0 as in Spark: the sum of -0.0 alone is 0.0."""

    def add(self, accumulator: float | None, row: Row) -> float | None:
        value: float | None = row[self.slot]
        if value is None:
            return accumulator
        return 0.0 + value if accumulator is None else accumulator + value


_WIDE = Context(prec=120, rounding=ROUND_DOWN)
"""Exact for every sum of DECIMAL(38, s) values; a quotient loses only digits far beyond any scale."""


@dataclass(frozen=True, slots=True)
class DecimalSum(_Held):
    """SUM of DECIMAL(p, s), a DECIMAL(p + 10, s); exact, judged when a result is asked for as in IntegerSum."""

    overflow: Overflow

    def add(self, accumulator: Decimal | None, row: Row) -> Decimal | None:
        value: Decimal | None = row[self.slot]
        if value is None:
            return accumulator
        return value if accumulator is None else _WIDE.add(accumulator, value)

    def joined(self, accumulator: Decimal, other: Decimal) -> Decimal:
        return _WIDE.add(accumulator, other)

    def result(self, accumulator: Decimal | None) -> Decimal | None:
        return None if accumulator is None else _fitting(accumulator, self.result_type, self.overflow, "SUM")


def _fitting(value: Decimal, decimal_type: pa.DataType, overflow: Overflow, call: str) -> Decimal | None:
    """The value if it has no more digits before the point than the type, else an error or NULL."""
    if not value or value.adjusted() < decimal_type.precision - decimal_type.scale:
        return value
    if overflow is Overflow.RAISE:
        raise overflow.error("NUMERIC_VALUE_OUT_OF_RANGE", call, decimal_type)
    return None


@dataclass(frozen=True, slots=True)
class FloatAverage:
    """AVG of integers and floats: Spark adds both up as DOUBLE. Accumulator: `(sum, count)`."""

    result_type: pa.DataType
    slot: int

    def create(self) -> tuple[float, int]:
        return 0.0, 0

    def add(self, accumulator: tuple[float, int], row: Row) -> tuple[float, int]:
        value = row[self.slot]
        if value is None:
            return accumulator
        total, count = accumulator
        return total + value, count + 1

    def merge(self, accumulator: tuple[float, int], other: tuple[float, int]) -> tuple[float, int]:
        return accumulator[0] + other[0], accumulator[1] + other[1]

    def result(self, accumulator: tuple[float, int]) -> Any:
        total, count = accumulator
        return total / count if count else None


@dataclass(frozen=True, slots=True)
class IntegralAverage(FloatAverage):
    """AVG of integers of at most 32 bits: their sums are exact up to 2 ** 53, in whatever order they are added."""


@dataclass(frozen=True, slots=True)
class ShortDecimalAverage(FloatAverage):
    """AVG of DECIMAL(p, s) with p up to 11: Spark's rule DecimalAggregates averages the unscaled values as DOUBLE.

    `unit` is how many of the last place make one.
    """

    unit: Decimal

    def add(self, accumulator: tuple[float, int], row: Row) -> tuple[float, int]:
        value = row[self.slot]
        if value is None:
            return accumulator
        total, count = accumulator
        return total + int(_WIDE.multiply(value, self.unit)), count + 1

    def result(self, accumulator: tuple[float, int]) -> Any:
        total, count = accumulator
        if not count:
            return None
        average = total / count / float(self.unit)
        return _rounded(Decimal(repr(average)), self.result_type)


@dataclass(frozen=True, slots=True)
class DecimalAverage:
    """AVG of DECIMAL(p, s), a DECIMAL(p + 4, s + 4): the exact quotient, rounded half up.

    Accumulator: `(sum, count)`; `sum_type` is the type Spark keeps the sum in.
    """

    result_type: pa.DataType
    slot: int
    sum_type: pa.DataType
    overflow: Overflow

    def create(self) -> tuple[Decimal, int]:
        return _ZERO, 0

    def add(self, accumulator: tuple[Decimal, int], row: Row) -> tuple[Decimal, int]:
        value = row[self.slot]
        if value is None:
            return accumulator
        total, count = accumulator
        return _WIDE.add(total, value), count + 1

    def merge(self, accumulator: tuple[Decimal, int], other: tuple[Decimal, int]) -> tuple[Decimal, int]:
        return _WIDE.add(accumulator[0], other[0]), accumulator[1] + other[1]

    def result(self, accumulator: tuple[Decimal, int]) -> Decimal | None:
        total, count = accumulator
        if not count or _fitting(total, self.sum_type, self.overflow, "AVG") is None:
            return None
        average = _rounded(_WIDE.divide(total, Decimal(count)), self.result_type)
        return _fitting(average, self.result_type, self.overflow, "AVG")


_ZERO = Decimal(0)


@dataclass(frozen=True, slots=True)
class IntervalAverage:
    """AVG of intervals, in whole microseconds or months, rounded half away from zero. Accumulator: `(sum, count)`."""

    result_type: pa.DataType
    slot: int
    overflow: Overflow

    def create(self) -> tuple[int, int]:
        return 0, 0

    def add(self, accumulator: tuple[int, int], row: Row) -> tuple[int, int]:
        value = row[self.slot]
        return accumulator if value is None else (accumulator[0] + value, accumulator[1] + 1)

    def merge(self, accumulator: tuple[int, int], other: tuple[int, int]) -> tuple[int, int]:
        return accumulator[0] + other[0], accumulator[1] + other[1]

    def result(self, accumulator: tuple[int, int]) -> int | None:
        total, count = accumulator
        if not count or _fitting_interval(total, self.result_type, self.overflow, "AVG") is None:
            return None
        magnitude = (2 * abs(total) + count) // (2 * count)
        return magnitude if total >= 0 else -magnitude


def _rounded(value: Decimal, decimal_type: pa.DataType) -> Decimal:
    return value.quantize(_ONE.scaleb(-decimal_type.scale), rounding=ROUND_HALF_UP, context=_WIDE)


_ONE = Decimal(1)
