"""A user's own functions: aggregates kept incrementally, and functions over the rows of a firing or of two inputs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol


class Accumulating(Protocol):
    """What a registered aggregate must offer; Flink's AggregateFunction in snake case."""

    def create_accumulator(self) -> Any: ...

    def add(self, accumulator: Any, *values: Any) -> Any: ...

    def get_result(self, accumulator: Any) -> Any: ...

    def merge(self, accumulator: Any, other: Any) -> Any: ...


@dataclass(frozen=True, slots=True)
class AggregateFunction:
    """A registered aggregate and the Spark SQL type of its result."""

    function: Accumulating
    returns: str


@dataclass(frozen=True, slots=True)
class ApplyFunction:
    """A function for APPLY, `(key, window, pandas.DataFrame) -> pandas.DataFrame`, and its Spark SQL result schema."""

    function: Callable[..., Any]
    returns: str


@dataclass(frozen=True, slots=True)
class CoGroupFunction:
    """A function for co_group, `(key, window, left, right) -> pandas.DataFrame`, and its Spark SQL result schema.

    `left` and `right` are DataFrames of pandas with the rows of each input in the window; one of them may be empty.
    """

    function: Callable[..., Any]
    returns: str
