"""What an aggregate is, and the two wrappers any of them may have: FILTER and DISTINCT."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Any, Protocol

import pyarrow as pa

from winsql.errors import WindowDataError
from winsql.model.base import Row
from winsql.runtime.aggregates.value_keys import Keys


class Aggregate(Protocol):
    """An aggregate call bound to row slots. It holds no state: all of it is in the accumulator.

    An accumulator consists of None, bool, int, float, str, bytes, Decimal, list, tuple, set and dict, so that it can
    be written into state. `add` and `merge` return the new accumulator and may change the one they were given first;
    `merge` neither changes nor keeps `other`, so that one partial result may serve several windows.
    """

    @property
    def result_type(self) -> pa.DataType:
        """The Arrow type of the results; it is the type Spark's analysis gives the call."""

    def create(self) -> Any:
        """An accumulator of no rows."""

    def add(self, accumulator: Any, row: Row) -> Any:
        """The accumulator with one more row."""

    def merge(self, accumulator: Any, other: Any) -> Any:
        """The accumulator of both; where the order of rows matters it is told by their ROW_ID."""

    def result(self, accumulator: Any) -> Any:
        """The value for an Arrow column of `result_type`: timestamps, dates and intervals are integers.

        The accumulator stays usable. Raises WindowDataError where Spark's call would raise for these rows.
        """


class Overflow(Enum):
    """What becomes of a result too large for its type."""

    RAISE = "an error (ANSI mode)"
    WRAP = "two's complement for BIGINT, NULL for DECIMAL (ANSI mode off)"
    NULL = "NULL (TRY_SUM, TRY_AVG)"

    def error(self, condition: str, call: str, result_type: pa.DataType) -> WindowDataError:
        """The error of RAISE; `condition` is the name Spark gives it."""
        return WindowDataError(
            f"[{condition}] a window's {call} does not fit {result_type}",
            rule="in ANSI mode a result that does not fit its type is an error",
            hint=f"use try_{call.lower()} to get NULL instead, or cast the argument to a wider type",
        )


@dataclass(frozen=True, slots=True)
class Wrapper:
    """Base of an aggregate that takes other rows than `inner`, and has its accumulators and results."""

    inner: Aggregate

    @property
    def result_type(self) -> pa.DataType:
        return self.inner.result_type

    def create(self) -> Any:
        return self.inner.create()

    def merge(self, accumulator: Any, other: Any) -> Any:
        return self.inner.merge(accumulator, other)

    def result(self, accumulator: Any) -> Any:
        return self.inner.result(accumulator)


@dataclass(frozen=True, slots=True)
class Filtered(Wrapper):
    """`inner FILTER (WHERE ...)`: only rows whose condition in `slot` is true."""

    slot: int

    def add(self, accumulator: Any, row: Row) -> Any:
        return self.inner.add(accumulator, row) if row[self.slot] else accumulator


@dataclass(frozen=True, slots=True)
class Distinct:
    """`inner` over the distinct values of one slot; NULLs are left out. `inner` is bound to slot 0.

    Accumulator: `[keys seen, in order of arrival; accumulator of inner]`. Spark sees distinct values in the order of
    its hash table; for sums of floating point values that order shows in the last digits.
    """

    inner: Aggregate
    slot: int
    keys: Keys

    @property
    def result_type(self) -> pa.DataType:
        return self.inner.result_type

    def create(self) -> Any:
        return [{}, self.inner.create()]

    def add(self, accumulator: Any, row: Row) -> Any:
        value = row[self.slot]
        if value is not None:
            self._add_key(accumulator, self.keys.key(value))
        return accumulator

    def merge(self, accumulator: Any, other: Any) -> Any:
        for key in other[0]:
            self._add_key(accumulator, key)
        return accumulator

    def result(self, accumulator: Any) -> Any:
        return self.inner.result(accumulator[1])

    def _add_key(self, accumulator: Any, key: Any) -> None:
        seen = accumulator[0]
        if key in seen:
            return
        seen[key] = None
        accumulator[1] = self.inner.add(accumulator[1], (self.keys.value(key),))
