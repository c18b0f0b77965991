"""A property that is computed when it is first asked for, without the lock of `functools.cached_property`.

Python 3.11 holds that lock, one for all objects, while it computes. Computing may ask Spark, whose parser asks winsql
in another thread, and each would wait for the other.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Generic, TypeVar

Value = TypeVar("Value")


class once(Generic[Value]):
    """The property; two threads that ask together both compute it."""

    def __init__(self, compute: Callable[[Any], Value]) -> None:
        self.compute = compute
        self.__doc__ = compute.__doc__

    def __set_name__(self, owner: type, name: str) -> None:
        self.name = name

    def __get__(self, instance: Any, owner: type | None = None) -> Value:
        found = vars(instance)[self.name] = self.compute(instance)
        return found
