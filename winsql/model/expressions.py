"""The small expression language of WHEN: SQL's three-valued logic over row values and aggregates of the window.

Parts of a predicate without an aggregate are computed by Spark and arrive as row slots; only what is above an
aggregate call is evaluated here, row by row. `OPERATIONS` and `_LAZY` say what that may be.
"""

from __future__ import annotations

import math
import operator
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from functools import reduce
from typing import Any

from winsql.errors import WindowDataError
from winsql.model.base import Operand, Row, TriggerContext


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
    """An operation by name, of those below, on other expressions."""

    name: str
    arguments: tuple[Expression, ...]

    def value(self, row: Row, aggregates: Sequence[Any]) -> Any:
        def value_of(argument: Expression) -> Any:
            return argument.value(row, aggregates)

        lazy = _LAZY.get(self.name)
        return lazy(self.arguments, value_of) if lazy else OPERATIONS[self.name](*map(value_of, self.arguments))

    def operands(self) -> tuple[Operand, ...]:
        return tuple(operand for argument in self.arguments for operand in argument.operands())


Expression = SlotRef | AggregateRef | Constant | Operation
_ValueOf = Callable[[Expression], Any]


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


def _and(arguments: Sequence[Expression], value_of: _ValueOf) -> bool | None:
    """What is after a false argument is not computed, as in Spark; so it is with the others of `_LAZY`."""
    found: bool | None = True
    for argument in arguments:
        value = value_of(argument)
        if value is False:
            return False
        found = None if value is None else found
    return found


def _or(arguments: Sequence[Expression], value_of: _ValueOf) -> bool | None:
    return _any(value_of(argument) for argument in arguments)


def _in(arguments: Sequence[Expression], value_of: _ValueOf) -> bool | None:
    value = value_of(arguments[0])
    return _any(OPERATIONS["="](value, value_of(choice)) for choice in arguments[1:])


def _any(values: Iterable[bool | None]) -> bool | None:
    found: bool | None = False
    for value in values:
        if value is True:
            return True
        found = None if value is None else found
    return found


def _coalesce(arguments: Sequence[Expression], value_of: _ValueOf) -> Any:
    return next((value for value in map(value_of, arguments) if value is not None), None)


def _case(arguments: Sequence[Expression], value_of: _ValueOf) -> Any:
    """`condition, result, condition, result, ..., default`."""
    for condition, result in zip(arguments[:-1:2], arguments[1::2], strict=True):
        if value_of(condition) is True:
            return value_of(result)
    return value_of(arguments[-1])


_LAZY: dict[str, Callable[[Sequence[Expression], _ValueOf], Any]] = {
    "AND": _and,
    "OR": _or,
    "IN": _in,
    "COALESCE": _coalesce,
    "CASE": _case,
}
"""Operations that compute no more of their arguments than they need."""


def _strict(function: Callable[..., Any]) -> Callable[..., Any]:
    """NULL in, NULL out; numbers beside a float become floats, as in Spark."""

    def apply(*values: Any) -> Any:
        return None if None in values else function(*_of_one_kind(values))

    return apply


def _of_one_kind(values: Sequence[Any]) -> Sequence[Any]:
    if not any(isinstance(value, float) for value in values):
        return values
    return [float(value) if isinstance(value, (int, Decimal)) else value for value in values]


def _number(of_decimals: Callable[..., Any], function: Callable[..., Any]) -> Callable[..., Any]:
    """Strict arithmetic, with all digits of decimals."""

    def apply(*values: Any) -> Any:
        return (of_decimals if any(isinstance(value, Decimal) for value in values) else function)(*values)

    return _strict(apply)


def _divide(dividend: Any, divisor: Any) -> Any:
    return float(dividend) / float(divisor)


def _remainder(dividend: Any, divisor: Any) -> Any:
    """The remainder with the sign of the dividend, as SQL has it."""
    if isinstance(dividend, int) and isinstance(divisor, int):
        return int(math.copysign(1, dividend)) * (abs(dividend) % abs(divisor))
    return math.nan if math.isinf(dividend) else math.fmod(dividend, divisor)


def _by_nonzero(function: Callable[..., Any]) -> Callable[..., Any]:
    def apply(dividend: Any, divisor: Any) -> Any:
        if dividend is None:
            return None
        if divisor == 0:
            raise WindowDataError("WHEN: division by zero", hint="divide by NULLIF(divisor, 0) to get NULL instead")
        return function(dividend, divisor)

    return apply


def _or_null(function: Callable[..., Any]) -> Callable[..., Any]:
    """NULL for a division by zero."""

    def apply(dividend: Any, divisor: Any) -> Any:
        return None if divisor == 0 else function(dividend, divisor)

    return apply


def _equal(left: Any, right: Any) -> bool:
    """Spark's order of floats: NaN is the largest and equal to itself."""
    return bool(left == right or (left != left and right != right))


def _greater(left: Any, right: Any) -> bool:
    return bool(left > right or (left != left and right == right))


def _same(left: Any, right: Any) -> bool:
    if left is None or right is None:
        return left is right
    return _equal(*_of_one_kind((left, right)))


def _between(value: Any, low: Any, high: Any) -> bool | None:
    return _not(_any((OPERATIONS["<"](value, low), OPERATIONS[">"](value, high))))


def _not(value: bool | None) -> bool | None:
    return None if value is None else not value


def _extreme(beats: Callable[[Any, Any], bool]) -> Callable[..., Any]:
    """GREATEST and LEAST skip NULLs."""

    def apply(*values: Any) -> Any:
        present = _of_one_kind([value for value in values if value is not None])
        return reduce(lambda best, value: value if beats(value, best) else best, present) if present else None

    return apply


_EXACT = Context(prec=77)
"""As many digits as sums and products of two decimals of Spark have."""

OPERATIONS: dict[str, Callable[..., Any]] = {
    "=": _strict(_equal),
    "<>": _strict(lambda left, right: not _equal(left, right)),
    "<": _strict(lambda left, right: _greater(right, left)),
    "<=": _strict(lambda left, right: not _greater(left, right)),
    ">": _strict(_greater),
    ">=": _strict(lambda left, right: not _greater(right, left)),
    "<=>": _same,
    "+": _number(_EXACT.add, operator.add),
    "-": _number(_EXACT.subtract, operator.sub),
    "*": _number(_EXACT.multiply, operator.mul),
    "/": _by_nonzero(_number(_EXACT.divide, _divide)),
    "%": _by_nonzero(_number(_EXACT.remainder, _remainder)),
    "NULL /": _or_null(_number(_EXACT.divide, _divide)),
    "NULL %": _or_null(_number(_EXACT.remainder, _remainder)),
    "NEG": _number(_EXACT.minus, operator.neg),
    "ABS": _number(_EXACT.abs, abs),
    "NOT": _not,
    "IS NULL": lambda value: value is None,
    "BETWEEN": _between,
    "NULLIF": lambda value, other: None if OPERATIONS["="](value, other) is True else value,
    "GREATEST": _extreme(_greater),
    "LEAST": _extreme(lambda value, best: _greater(best, value)),
}
"""Operations that get the values of their arguments."""

DIVISIONS = {"/": "NULL /", "%": "NULL %"}
"""Divisions, and those that give NULL where they would raise an error."""
