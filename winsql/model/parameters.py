"""The values of a statement's parameters, `:name` and `?`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Parameters:
    """The values of a statement's parameters.

    given     as for spark.sql: by name, by position, or none
    literal   makes a Python value of one that is none, such as a Column
    """

    given: Mapping[str, Any] | Sequence[Any] | None
    literal: Callable[[Any], Any] = lambda value: value

    def has(self, parameter: str | int) -> bool:
        """Whether a parameter has a value; positions count from 0."""
        if isinstance(self.given, Mapping):
            return parameter in self.given
        return isinstance(parameter, int) and parameter < len(self.given or ())

    def value(self, parameter: str | int) -> Any:
        """The value of a parameter that has one."""
        assert self.given is not None
        return self.literal(self.given[parameter])  # type: ignore[index]
