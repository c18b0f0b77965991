"""The small expression language of WHEN: SQL's three-valued logic over row values and aggregates of the window.

Parts of a predicate without an aggregate are computed by Spark and arrive as row slots; only what is above an
aggregate call is evaluated here, row by row. `OPERATIONS` says what that may be.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Any

from winsql.errors import WindowDataError
from winsql.model.base import Operand, Row, TriggerContext

__all__ = ["OPERATIONS", "AggregateRef", "Constant", "Expression", "Operation", "Predicate", "SlotRef"]


@dataclass(frozen=True, slots=True)
class SlotRef:
    """A part computed by Spark: one value per row."""

    operand: Operand

    def value(self, row: Row, aggregates: Sequence[Any]) -> Any:
        return self.operand.of(row)

    def operands(self) -> tuple[Operand, ...]:
        return (self.operand,)


@dataclass(frozen=True, slots=True)
class AggregateRef:
    """The `index`-th trigger aggregate of the query, over the window's present contents."""

    index: int

    def value(self, row: Row, aggregates: Sequence[Any]) -> Any:
        return aggregates[self.index]

    def operands(self) -> tuple[Operand, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Constant:
    """A literal; None is NULL."""

    literal: Any

    def value(self, row: Row, aggregates: Sequence[Any]) -> Any:
        return self.literal

    def operands(self) -> tuple[Operand, ...]:
        return ()


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation of `OPERATIONS` by name, on other expressions."""

    name: str
    arguments: tuple[Expression, ...]

    def value(self, row: Row, aggregates: Sequence[Any]) -> Any:
        return OPERATIONS[self.name](*(argument.value(row, aggregates) for argument in self.arguments))

    def operands(self) -> tuple[Operand, ...]:
        return tuple(operand for argument in self.arguments for operand in argument.operands())


Expression = SlotRef | AggregateRef | Constant | Operation


@dataclass(frozen=True, slots=True)
class Predicate:
    """A condition as written (`sql`) and, once bound, as an expression; `uses_aggregates` when it reads the window."""

    sql: str
    expression: Expression | None = None
    uses_aggregates: bool = False

    def holds(self, row: Row, ctx: TriggerContext) -> bool:
        """Whether the condition is true; false and NULL are both no."""
        if self.expression is None:
            raise ValueError(f"predicate {self.sql} is not bound")
        return self.expression.value(row, ctx.aggregates() if self.uses_aggregates else ()) is True

    def operands(self) -> tuple[Operand, ...]:
        """The row values the condition reads."""
        return () if self.expression is None else self.expression.operands()


def _strict(function: Callable[..., Any]) -> Callable[..., Any]:
    """NULL in, NULL out; a Decimal beside a float becomes a float, as in Spark."""

    def apply(*values: Any) -> Any:
        if None in values:
            return None
        if any(isinstance(value, float) for value in values):
            values = tuple(float(value) if isinstance(value, Decimal) else value for value in values)
        return function(*values)

    return apply


def _divide(dividend: Any, divisor: Any) -> Any:
    _refuse_zero(divisor)
    return dividend / divisor


def _remainder(dividend: Any, divisor: Any) -> Any:
    """The remainder with the sign of the dividend, as SQL has it."""
    _refuse_zero(divisor)
    if isinstance(dividend, int) and isinstance(divisor, int):
        return int(math.copysign(1, dividend)) * (abs(dividend) % abs(divisor))
    return dividend % divisor if isinstance(dividend, Decimal) else math.fmod(dividend, divisor)


def _refuse_zero(divisor: Any) -> None:
    if divisor == 0:
        raise WindowDataError("WHEN: division by zero", hint="divide by NULLIF(divisor, 0) to get NULL instead")


def _and(*values: bool | None) -> bool | None:
    if any(value is False for value in values):
        return False
    return None if None in values else True


def _or(*values: bool | None) -> bool | None:
    if any(value is True for value in values):
        return True
    return None if None in values else False


def _in(value: Any, *choices: Any) -> bool | None:
    return _or(*(OPERATIONS["="](value, choice) for choice in choices))


def _between(value: Any, low: Any, high: Any) -> bool | None:
    return _and(OPERATIONS[">="](value, low), OPERATIONS["<="](value, high))


def _coalesce(*values: Any) -> Any:
    return next((value for value in values if value is not None), None)


def _case(*parts: Any) -> Any:
    """`condition, result, condition, result, ..., default`."""
    for condition, result in zip(parts[:-1:2], parts[1::2], strict=True):
        if condition is True:
            return result
    return parts[-1]


def _extreme(choose: Callable[..., Any]) -> Callable[..., Any]:
    """GREATEST and LEAST skip NULLs."""

    def apply(*values: Any) -> Any:
        present = [value for value in values if value is not None]
        return choose(present) if present else None

    return apply


OPERATIONS: dict[str, Callable[..., Any]] = {
    "=": _strict(operator.eq),
    "<>": _strict(operator.ne),
    "<": _strict(operator.lt),
    "<=": _strict(operator.le),
    ">": _strict(operator.gt),
    ">=": _strict(operator.ge),
    "<=>": operator.eq,
    "+": _strict(operator.add),
    "-": _strict(operator.sub),
    "*": _strict(operator.mul),
    "/": _strict(_divide),
    "%": _strict(_remainder),
    "NEG": _strict(operator.neg),
    "ABS": _strict(abs),
    "AND": _and,
    "OR": _or,
    "NOT": _strict(operator.not_),
    "IS NULL": lambda value: value is None,
    "IN": _in,
    "BETWEEN": _between,
    "COALESCE": _coalesce,
    "NULLIF": lambda value, other: None if OPERATIONS["="](value, other) is True else value,
    "CASE": _case,
    "GREATEST": _extreme(max),
    "LEAST": _extreme(min),
}
