"""What assigners, triggers and evictors share: a SQL name and parameters that are data.

A policy is a frozen dataclass whose fields say how SQL passes them. The grammar, the renderer, EXPLAIN and the
generated reference all read `parameters()`; none of them has a list of policies of its own, so a user's class
registered under a name is parsed, checked and shown exactly as a built-in one.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from enum import Enum
from typing import Any, ClassVar
from weakref import WeakKeyDictionary

from winsql.errors import WindowSpecError
from winsql.model.base import Operand


class Kind(Enum):
    """What a parameter takes in SQL."""

    TIME = "a time expression or PROCTIME()"
    DURATION = "an interval"
    GAP = "an interval, or an expression that gives one per row"
    INTEGER = "an integer"
    NUMBER = "a number"
    BOOLEAN = "TRUE or FALSE"
    EXPRESSION = "an expression over the row"
    PREDICATE = "a condition over the row and aggregates of the window"
    TRIGGER = "a trigger"
    TRIGGERS = "one or more triggers"


@dataclass(frozen=True, slots=True)
class Parameter:
    """One parameter of a policy, in SQL's positional order; `default` is meaningful when it is not `required`."""

    name: str
    kind: Kind
    required: bool
    default: Any
    named_only: bool


def parameter(kind: Kind, default: Any = dataclasses.MISSING, *, named_only: bool = False) -> Any:
    """A dataclass field that SQL can set; without a default it is required."""
    metadata = {"kind": kind, "named_only": named_only}
    if default is dataclasses.MISSING:
        return dataclasses.field(metadata=metadata)
    return dataclasses.field(default=default, metadata=metadata)


class Policy:
    """Base of assigners, triggers and evictors: subclasses are frozen dataclasses with `parameter` fields."""

    __slots__ = ()
    NAME: ClassVar[str] = ""
    """The name in SQL, upper case."""
    SUMMARY: ClassVar[str] = ""
    """One line for the reference and for EXPLAIN."""

    @classmethod
    def parameters(cls) -> tuple[Parameter, ...]:
        """The parameters in positional order; fields without a `parameter` kind are not for SQL."""
        found = _PARAMETERS.get(cls)
        if found is None:
            fields = getattr(cls, "__dataclass_fields__", {}).values()
            found = _PARAMETERS[cls] = tuple(_parameter(field) for field in fields if "kind" in field.metadata)
        return found

    def operands(self) -> tuple[Operand, ...]:
        """The row expressions this policy reads, those of nested policies included."""
        values = (getattr(self, p.name) for p in self.parameters())
        return tuple(operand for value in values for operand in _operands_in(value))


_PARAMETERS: WeakKeyDictionary[type, tuple[Parameter, ...]] = WeakKeyDictionary()


def _parameter(field: dataclasses.Field[Any]) -> Parameter:
    required = field.default is dataclasses.MISSING and field.default_factory is dataclasses.MISSING
    return Parameter(
        field.name,
        field.metadata["kind"],
        required,
        None if required else field.default,
        field.metadata["named_only"],
    )


def _operands_in(value: Any) -> tuple[Operand, ...]:
    if isinstance(value, Operand):
        return (value,)
    if isinstance(value, tuple):
        return tuple(operand for item in value for operand in _operands_in(item))
    operands = getattr(value, "operands", None)
    return tuple(operands()) if callable(operands) else ()


def require(condition: bool, policy: Policy, rule: str, *, parameter: str, hint: str) -> None:
    """Refuse to build an invalid policy: raises WindowSpecError with the policy, its parameter, the rule and a hint."""
    if condition:
        return
    raise WindowSpecError(f"{policy.NAME}: this {parameter} cannot be used", rule=rule, hint=hint, parameter=parameter)
