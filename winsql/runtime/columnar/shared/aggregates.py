"""Columnar forms of aggregates: their accumulators as typed columns, with the results of `winsql.runtime.aggregates`.

`FORMS` says by class which aggregates have one and for which types; any other call runs on the per-row operator.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from winsql.runtime.aggregates import Aggregate, counting, numeric
from winsql.runtime.aggregates.base import Filtered
from winsql.runtime.aggregates.choosing import Extreme, float_greater
from winsql.runtime.arrays import is_whole, longs_of, present_in, to_arrow, to_numpy
from winsql.runtime.columnar.shared.limits import Unfit
from winsql.runtime.columnar.shared.parts import (
    COUNT,
    GREATEST,
    GREATEST_FLOAT,
    LEAST,
    LEAST_FLOAT,
    SEEN,
    TOTAL,
    TOTAL_FLOAT,
    TOTAL_INTEGRAL,
    Part,
)
from winsql.runtime.columnar.shared.protocol import Slots, column_at

Column = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]


@dataclass(frozen=True, slots=True)
class AggregateForm:
    """A columnar accumulator: `parts` are its columns; `aggregate` is the call, without its FILTER."""

    parts: ClassVar[tuple[Part, ...]] = ()
    aggregate: Any
    filter: int | None

    def inputs(self, slots: Slots, rows: int) -> list[Column]:
        """One column per part: what each row brings. Raises Unfit for a column of an unexpected type."""
        raise NotImplementedError

    def overflows(self, state: Sequence[Column], inputs: Sequence[Column]) -> bool:
        """Whether the rows might take some pane's accumulator out of its columns' range."""
        return False

    def result(self, parts: Sequence[Column]) -> pa.Array:
        """The results of accumulators, of the call's type."""
        raise NotImplementedError

    def kind(self) -> str:
        """How state calls the columns: a name in `ACCUMULATORS`."""
        raise NotImplementedError

    def accumulators(self, parts: Sequence[Column]) -> list[Any]:
        """The accumulators as the per-row operator keeps them."""
        return ACCUMULATORS[self.kind()].values(parts)

    def columns(self, accumulators: Sequence[Any]) -> list[Column]:
        """The other way round; raises Unfit for one that does not fit the columns."""
        raise NotImplementedError

    def _wanted(self, rows: int, slots: Slots, required: Sequence[int]) -> Mask:
        """Rows that pass the FILTER and have a value in the required slots."""
        wanted = np.ones(rows, dtype=bool)
        for slot in required:
            column = column_at(slots, slot)
            if column.null_count:
                wanted &= present_in(column)
        return wanted if self.filter is None else wanted & _true(column_at(slots, self.filter))


@dataclass(frozen=True, slots=True)
class _Count(AggregateForm):
    """COUNT(*), COUNT(a, ...) and COUNT_IF."""

    parts = (COUNT,)
    required: tuple[int, ...] = ()
    condition: int | None = None

    def inputs(self, slots: Slots, rows: int) -> list[Column]:
        counted = self._wanted(rows, slots, self.required)
        if self.condition is not None:
            counted &= _true(column_at(slots, self.condition))
        return [counted.astype(np.int64)]

    def result(self, parts: Sequence[Column]) -> pa.Array:
        return to_arrow(parts[0]).cast(self.aggregate.result_type)

    def kind(self) -> str:
        return "count"

    def columns(self, accumulators: Sequence[Any]) -> list[Column]:
        return [np.array(accumulators, dtype=np.int64)]


@dataclass(frozen=True, slots=True)
class _IntegerSum(AggregateForm):
    """SUM of integers and day-time intervals, as long as it surely stays within 64 bits."""

    parts = (TOTAL, SEEN)

    def inputs(self, slots: Slots, rows: int) -> list[Column]:
        wanted = self._wanted(rows, slots, [self.aggregate.slot])
        return [np.where(wanted, _longs(column_at(slots, self.aggregate.slot)), 0), wanted]

    def overflows(self, state: Sequence[Column], inputs: Sequence[Column]) -> bool:
        held, brought = (np.abs(column.astype(np.float64)) for column in (state[0], inputs[0]))
        return float(held.max(initial=0.0) + brought.sum()) >= _SAFE

    def result(self, parts: Sequence[Column]) -> pa.Array:
        return _typed(parts[0], ~parts[1], self.aggregate.result_type)

    def kind(self) -> str:
        return "number"

    def columns(self, accumulators: Sequence[Any]) -> list[Column]:
        if any(value is not None and abs(value) >= _SAFE for value in accumulators):
            raise Unfit("a sum near the end of 64 bits")
        return _sums(accumulators, np.int64)


_SAFE = 1 << 62


@dataclass(frozen=True, slots=True)
class _FloatSum(AggregateForm):
    """SUM of floats."""

    parts = (TOTAL_FLOAT, SEEN)

    def inputs(self, slots: Slots, rows: int) -> list[Column]:
        wanted = self._wanted(rows, slots, [self.aggregate.slot])
        return [np.where(wanted, _doubles(column_at(slots, self.aggregate.slot)), 0.0), wanted]

    def result(self, parts: Sequence[Column]) -> pa.Array:
        return to_arrow(parts[0], ~parts[1])

    def kind(self) -> str:
        return "number"

    def columns(self, accumulators: Sequence[Any]) -> list[Column]:
        return _sums(accumulators, np.float64)


@dataclass(frozen=True, slots=True)
class _Average(AggregateForm):
    """AVG of integers and floats, both added up as DOUBLE."""

    parts = (TOTAL_FLOAT, COUNT)

    def inputs(self, slots: Slots, rows: int) -> list[Column]:
        wanted = self._wanted(rows, slots, [self.aggregate.slot])
        values = _doubles(column_at(slots, self.aggregate.slot))
        return [np.where(wanted, values, 0.0), wanted.astype(np.int64)]

    def result(self, parts: Sequence[Column]) -> pa.Array:
        total, count = parts
        return to_arrow(total / np.maximum(count, 1), count == 0)

    def kind(self) -> str:
        return "average"

    def columns(self, accumulators: Sequence[Any]) -> list[Column]:
        totals = np.array([total for total, _ in accumulators], dtype=np.float64)
        return [totals, np.array([count for _, count in accumulators], dtype=np.int64)]


@dataclass(frozen=True, slots=True)
class _IntegralAverage(_Average):
    """AVG of integers so small that their sums are exact doubles."""

    parts = (TOTAL_INTEGRAL, COUNT)


@dataclass(frozen=True, slots=True)
class _Extreme(AggregateForm):
    """MIN, MAX, BOOL_AND and BOOL_OR of what is kept as a number."""

    @property
    def _part(self) -> Part:
        return self.parts[0]

    def inputs(self, slots: Slots, rows: int) -> list[Column]:
        wanted = self._wanted(rows, slots, [self.aggregate.slot])
        values = self._encoded(column_at(slots, self.aggregate.slot))
        return [np.where(wanted, values, self._part.identity), wanted]

    def result(self, parts: Sequence[Column]) -> pa.Array:
        return _typed(parts[0], ~parts[1], self.aggregate.result_type)

    def kind(self) -> str:
        return "boolean" if pa.types.is_boolean(self.aggregate.result_type) else "number"

    def columns(self, accumulators: Sequence[Any]) -> list[Column]:
        identity = self._part.identity
        values = [identity if value is None else int(value) for value in accumulators]
        return [np.array(values, dtype=np.int64), _present(accumulators)]

    def _encoded(self, column: pa.Array) -> Column:
        return _longs(column)


@dataclass(frozen=True, slots=True)
class _Least(_Extreme):
    parts = (LEAST, SEEN)


@dataclass(frozen=True, slots=True)
class _Greatest(_Extreme):
    parts = (GREATEST, SEEN)


@dataclass(frozen=True, slots=True)
class _FloatExtreme(_Extreme):
    """MIN and MAX of floats: NaN is the largest and equal to itself, of 0.0 and -0.0 the first stays."""

    def result(self, parts: Sequence[Column]) -> pa.Array:
        values = np.where(parts[1], _floats_of(parts[0]), 0.0)
        return to_arrow(values, ~parts[1]).cast(self.aggregate.result_type)

    def kind(self) -> str:
        return "ordered float"

    def columns(self, accumulators: Sequence[Any]) -> list[Column]:
        present = _present(accumulators)
        values = np.array([0.0 if value is None else value for value in accumulators], dtype=np.float64)
        return [np.where(present, _ordered(values), self._part.identity), present]

    def _encoded(self, column: pa.Array) -> Column:
        return _ordered(_doubles(column))


@dataclass(frozen=True, slots=True)
class _LeastFloat(_FloatExtreme):
    parts = (LEAST_FLOAT, SEEN)


@dataclass(frozen=True, slots=True)
class _GreatestFloat(_FloatExtreme):
    parts = (GREATEST_FLOAT, SEEN)


def _extreme(aggregate: Extreme, slot: int | None) -> AggregateForm | None:
    kind = aggregate.result_type
    if pa.types.is_float32(kind) or pa.types.is_float64(kind):
        greatest: bool = aggregate.beats is float_greater
        return (_GreatestFloat if greatest else _LeastFloat)(aggregate, slot)
    if not _is_number(kind):
        return None
    return (_Greatest if aggregate.beats(1, 0) else _Least)(aggregate, slot)


def _is_number(kind: pa.DataType) -> bool:
    return is_whole(kind) or bool(pa.types.is_boolean(kind))


FORMS: dict[type[Any], Callable[[Any, int | None], AggregateForm | None]] = {
    counting.CountRows: lambda a, slot: _Count(a, slot),
    counting.CountPresent: lambda a, slot: _Count(a, slot, (a.slot,)),
    counting.CountAllPresent: lambda a, slot: _Count(a, slot, a.slots),
    counting.CountIf: lambda a, slot: _Count(a, slot, (), a.slot),
    numeric.IntegerSum: _IntegerSum,
    numeric.IntervalSum: _IntegerSum,
    numeric.FloatSum: _FloatSum,
    numeric.FloatAverage: _Average,
    numeric.IntegralAverage: _IntegralAverage,
    Extreme: _extreme,
}


@dataclass(frozen=True, slots=True)
class Accumulators:
    """How many columns a kind of accumulator has in state, and their values as the per-row operator keeps them."""

    width: int
    values: Callable[[Sequence[Column]], list[Any]]


ACCUMULATORS: dict[str, Accumulators] = {
    "count": Accumulators(1, lambda parts: list(parts[0].tolist())),
    "number": Accumulators(2, lambda parts: _or_none(parts[0].tolist(), parts[1])),
    "boolean": Accumulators(2, lambda parts: _or_none(parts[0].astype(bool).tolist(), parts[1])),
    "ordered float": Accumulators(2, lambda parts: _or_none(_floats_of(parts[0]).tolist(), parts[1])),
    "average": Accumulators(2, lambda parts: list(zip(parts[0].tolist(), parts[1].tolist(), strict=True))),
}
"""By kind, which state names: state can be read without the query that wrote it."""


def aggregate_form(aggregate: Aggregate) -> AggregateForm | None:
    """The columnar form of a call, None when it has none."""
    inner, slot = (aggregate.inner, aggregate.slot) if isinstance(aggregate, Filtered) else (aggregate, None)
    form = FORMS.get(type(inner))
    return form(inner, slot) if form else None


def _true(column: pa.Array) -> Mask:
    """Where a condition is true; NULL is no."""
    if not pa.types.is_boolean(column.type):
        raise Unfit(f"a condition of type {column.type}")
    return to_numpy(column, False)


def _longs(column: pa.Array) -> Column:
    """Integers, times and booleans as 64-bit integers, NULL as 0."""
    kind = column.type
    if not _is_number(kind):
        raise Unfit(f"integers of type {kind}")
    return longs_of(column)


def _doubles(column: pa.Array) -> Column:
    """Integers and floats as doubles, NULL as 0."""
    if not pa.types.is_floating(column.type) and not pa.types.is_signed_integer(column.type):
        raise Unfit(f"numbers of type {column.type}")
    return to_numpy(column).astype(np.float64, copy=False)


def _ordered(values: Column) -> Column:
    """Doubles as integers in Spark's order: NaN, all one, is the largest; -0.0 is -1 and 0.0 is 0."""
    bits = np.where(np.isnan(values), np.nan, values).view(np.int64)
    return bits ^ ((bits >> 63) & _MAGNITUDE)


def _floats_of(ordered: Column) -> Column:
    values: Column = (ordered ^ ((ordered >> 63) & _MAGNITUDE)).view(np.float64)
    return values


_MAGNITUDE = np.int64(2**63 - 1)


def _typed(values: Column, absent: Mask, kind: pa.DataType) -> pa.Array:
    array = to_arrow(np.where(absent, 0, values), absent)
    if pa.types.is_boolean(kind):
        return array.cast(kind)
    return array.cast(pa.int32()).cast(kind) if pa.types.is_date32(kind) else array.cast(kind)


def _or_none(values: list[Any], present: Column) -> list[Any]:
    return [value if there else None for value, there in zip(values, present.tolist(), strict=True)]


def _present(accumulators: Sequence[Any]) -> Mask:
    return np.array([value is not None for value in accumulators], dtype=bool)


def _sums(accumulators: Sequence[Any], dtype: Any) -> list[Column]:
    return [np.array([value or 0 for value in accumulators], dtype=dtype), _present(accumulators)]
