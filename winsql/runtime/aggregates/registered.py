"""A user's registered aggregate as an aggregate of the operator: calls guarded, results checked."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from winsql.errors import WindowDataError
from winsql.model.base import Row
from winsql.model.functions import Accumulating, AggregateFunction
from winsql.runtime.aggregates.base import Aggregate, Filtered


def bind_registered(
    function: AggregateFunction,
    slots: tuple[int, ...],
    filter_slot: int | None,
    result_type: pa.DataType,
    name: str | None = None,
) -> Aggregate:
    """A user's aggregate over the values of `slots`; `name` is its name in SQL, for errors (default: its class).

    Values and results that are timestamps, dates or day-time intervals are integers (microseconds, days,
    microseconds); a result may also be a datetime, date or timedelta, a datetime without zone being UTC. An exception
    inside a user's method, and a result that does not fit `result_type`, become WindowDataError.
    """
    aggregate = Registered(result_type, function.function, slots, name or type(function.function).__name__)
    return aggregate if filter_slot is None else Filtered(aggregate, filter_slot)


def name_of(aggregate: Aggregate) -> str:
    """What people call an aggregate: a user's by its name in SQL."""
    inner = aggregate.inner if isinstance(aggregate, Filtered) else aggregate
    return inner.name if isinstance(inner, Registered) else type(inner).__name__


@dataclass(frozen=True, slots=True)
class Registered:
    """Flink's AggregateFunction written by a user; the accumulator is the user's own."""

    result_type: pa.DataType
    function: Accumulating
    slots: tuple[int, ...]
    name: str

    def create(self) -> Any:
        return _separate(self._call("create_accumulator", self.function.create_accumulator))

    def add(self, accumulator: Any, row: Row) -> Any:
        values = [_separate(row[slot]) for slot in self.slots]
        try:
            return self.function.add(accumulator, *values)
        except (Exception, SystemExit) as error:
            raise self._failure("add", values, error) from error

    def merge(self, accumulator: Any, other: Any) -> Any:
        return self._call("merge", self.function.merge, accumulator, other)

    def result(self, accumulator: Any) -> Any:
        value = self._call("get_result", self.function.get_result, accumulator)
        return None if value is None else self._checked(value)

    def _call(self, method: str, function: Callable[..., Any], *arguments: Any) -> Any:
        # A user's code may raise anything; whatever it is, the error must say whose it is.
        try:
            return function(*arguments)
        except (Exception, SystemExit) as error:
            raise self._failure(method, list(arguments), error) from error

    def _failure(self, method: str, values: list[Any], error: BaseException) -> WindowDataError:
        shown = ", ".join(_shortened(repr(value)) for value in values)
        return WindowDataError(
            f"aggregate {self.name}: {method}({shown}) raised {type(error).__name__}: {error}",
            rule="an aggregate's methods must accept every row of their window, NULL values (None) included",
        )

    def _checked(self, value: Any) -> Any:
        try:
            if pa.types.is_integer(self.result_type) and value != int(value):
                raise ValueError(f"{value!r} is no whole number")
            scalar = pa.scalar(value, type=self.result_type)
        except (ValueError, TypeError, ArithmeticError, pa.ArrowException) as error:
            raise WindowDataError(
                f"aggregate {self.name}: get_result returned {_shortened(repr(value))}, which is no {self.result_type}",
                rule="an aggregate's result must be of the type it was registered with",
                hint=str(error),
            ) from error
        return scalar.value if _is_integer_time(self.result_type) else scalar.as_py()


def _is_integer_time(data_type: pa.DataType) -> bool:
    types = pa.types
    return bool(types.is_timestamp(data_type) or types.is_date32(data_type) or types.is_duration(data_type))


def _separate(value: Any) -> Any:
    """A collection of the callee's own, to keep and to change: a row may be in several windows, which fire again."""
    return deepcopy(value) if isinstance(value, _COLLECTIONS) else value


_COLLECTIONS = (list, dict, set)


def _shortened(text: str) -> str:
    return text if len(text) <= 80 else f"{text[:77]}..."
