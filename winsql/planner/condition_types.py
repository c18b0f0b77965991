"""Types in a condition of WHEN, above its aggregates, where the window operator computes it.

Times are integers there: an operation gets operands that such integers have in common, or the condition is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum
from typing import Any

from winsql.errors import Span, WindowSpecError, WinsqlError
from winsql.model.base import FIRST_OPERAND
from winsql.model.expressions import AggregateRef, Constant, Expression, Operation, Predicate, SlotRef
from winsql.model.policy import Policy
from winsql.model.query import WindowQuery
from winsql.planner.facts import ColumnFact, Facts


def check_conditions(query: WindowQuery, facts: Facts) -> None:
    """Refuse conditions that are not BOOLEAN, and operations between types; raises WindowSpecError with the place."""
    for predicate in _predicates(query.spec.trigger):
        if predicate.uses_aggregates and predicate.expression is not None:
            reader = _Types(query, facts)
            found = reader.of(predicate.expression)
            if found.sort not in (_Sort.BOOLEAN, _Sort.NULL):
                raise reader.refused(
                    predicate.expression,
                    f"WHEN: {predicate.sql} is of type {found.name}",
                    "a condition is BOOLEAN",
                    "compare it with something",
                )


def _predicates(value: Any) -> Iterator[Predicate]:
    """Those of a trigger, and of the triggers in it."""
    if isinstance(value, Predicate):
        yield value
    if isinstance(value, Policy):
        value = tuple(getattr(value, parameter.name) for parameter in value.parameters())
    if isinstance(value, tuple):
        for item in value:
            yield from _predicates(item)


class _Sort(Enum):
    """Types whose values mean the same; the word is what CAST calls one of them."""

    NULL = "VOID"
    BOOLEAN = "BOOLEAN"
    STRING = "STRING"
    BINARY = "BINARY"
    NUMBER = "DOUBLE"
    DATE = "DATE"
    NTZ = "TIMESTAMP_NTZ"
    INSTANT = "TIMESTAMP"
    DURATION = "INTERVAL DAY TO SECOND"
    MONTHS = "INTERVAL YEAR TO MONTH"
    TIME = "TIME"
    OTHER = ""


_SORTS = {
    "void": _Sort.NULL,
    "boolean": _Sort.BOOLEAN,
    "string": _Sort.STRING,
    "binary": _Sort.BINARY,
    "date": _Sort.DATE,
    "timestamp": _Sort.INSTANT,
    "timestamp_ntz": _Sort.NTZ,
}


@dataclass(frozen=True, slots=True)
class _Type:
    sort: _Sort
    name: str

    @classmethod
    def of(cls, fact: ColumnFact) -> _Type:
        return cls(_sort(fact), fact.type_name.upper())

    @property
    def is_whole(self) -> bool:
        return self.name in ("TINYINT", "SMALLINT", "INT", "BIGINT")


def _sort(fact: ColumnFact) -> _Sort:
    if fact.is_number:
        return _Sort.NUMBER
    if fact.is_duration:
        return _Sort.DURATION
    if fact.type_name.startswith("interval "):
        return _Sort.MONTHS
    return _Sort.TIME if fact.type_name.startswith("time(") else _SORTS.get(fact.type_name, _Sort.OTHER)


def _constant(literal: Any) -> _Type:
    if literal is None:
        return _NULL
    if isinstance(literal, (bool, str)):
        return _BOOLEAN if isinstance(literal, bool) else _Type(_Sort.STRING, "STRING")
    return _Type(_Sort.NUMBER, "INT" if isinstance(literal, int) else "DOUBLE")


_NULL, _BOOLEAN = _Type(_Sort.NULL, "VOID"), _Type(_Sort.BOOLEAN, "BOOLEAN")
_DURATION = _Type(_Sort.DURATION, "INTERVAL DAY TO SECOND")


class _Types:
    """Tells types from the facts, and refuses what does not go together."""

    def __init__(self, query: WindowQuery, facts: Facts) -> None:
        self.query = query
        self.facts = facts

    def of(self, expression: Expression) -> _Type:
        """The type of an expression."""
        if isinstance(expression, Constant):
            return _constant(expression.literal)
        if isinstance(expression, SlotRef):
            return _Type.of(self.facts.operands[expression.operand.slot - FIRST_OPERAND])
        if isinstance(expression, AggregateRef):
            return _Type.of(self.facts.trigger_aggregates[expression.index].result)
        return _RULES[expression.name](self, expression, [self.of(argument) for argument in expression.arguments])

    def truths(self, operation: Operation, types: list[_Type]) -> _Type:
        """AND, OR, NOT."""
        for argument, found in zip(operation.arguments, types, strict=True):
            if found.sort not in (_Sort.BOOLEAN, _Sort.NULL):
                problem = f"WHEN: {operation.name} of a value of type {found.name}"
                raise self.refused(argument, problem, "a condition is BOOLEAN", "compare it with something")
        return _BOOLEAN

    def comparison(self, operation: Operation, types: list[_Type]) -> _Type:
        self.chosen(operation, types)
        return _BOOLEAN

    def chosen(self, operation: Operation, types: list[_Type]) -> _Type:
        """One of the arguments, which are compared."""
        found = self.one_of(operation, types)
        if found.sort is _Sort.OTHER:
            hint = "compare a number, a string or a time of it, as in max(v.n) or size(collect_list(v))"
            raise self.refused(operation, f"WHEN: {operation.name} over {found.name}", _COMPARED, hint)
        return found

    def one_of(self, operation: Operation, types: list[_Type]) -> _Type:
        """One of the arguments, which all have one type."""
        known = [found for found in types if found.sort is not _Sort.NULL]
        sorts = {(found.sort, found.name if found.sort is _Sort.OTHER else "") for found in known}
        if len(sorts) > 1:
            names = " and ".join(dict.fromkeys(found.name for found in known))
            raise self.refused(operation, f"WHEN: {operation.name} over {names}", _ONE_TYPE, _cast_hint(known))
        return known[0] if known else _NULL

    def case(self, operation: Operation, types: list[_Type]) -> _Type:
        """`condition, result, condition, result, ..., default`"""
        conditions = Operation("CASE", operation.arguments[:-1:2])
        self.truths(conditions, types[:-1:2])
        return self.one_of(operation, [*types[1::2], types[-1]])

    def nullif(self, operation: Operation, types: list[_Type]) -> _Type:
        self.chosen(operation, types)
        return types[0]

    def is_null(self, operation: Operation, types: list[_Type]) -> _Type:
        return _BOOLEAN

    def arithmetic(self, operation: Operation, types: list[_Type]) -> _Type:
        if any(found.sort is _Sort.NULL for found in types):
            return _NULL
        found = _computed(operation.name, types)
        if found is None:
            problem = f"WHEN: {operation.name} over {' and '.join(found.name for found in types)}"
            raise self.refused(operation, problem, _COMPUTED, _IN_NUMBERS)
        return found

    def refused(self, expression: Expression, problem: str, rule: str, hint: str) -> WinsqlError:
        spans = list(self._spans(expression)) or [self.query.span]
        span = Span(min(span.start for span in spans), max(span.end for span in spans))
        return WindowSpecError(problem, rule=rule, hint=hint).located(self.query.text, span)

    def _spans(self, expression: Expression) -> Iterator[Span]:
        """Where its aggregates and what is beside them are written."""
        if isinstance(expression, AggregateRef):
            yield self.query.trigger_aggregates[expression.index].span
        elif isinstance(expression, SlotRef):
            yield self.query.operands[expression.operand.slot - FIRST_OPERAND].span
        elif isinstance(expression, Operation):
            for argument in expression.arguments:
                yield from self._spans(argument)


def _computed(name: str, types: list[_Type]) -> _Type | None:
    """The type of an arithmetic operation; None where the integers of its operands would give something else."""
    sorts = [found.sort for found in types]
    if all(sort is _Sort.NUMBER for sort in sorts):
        is_whole = name != "/" and all(found.is_whole for found in types)
        return _Type(_Sort.NUMBER, "BIGINT" if is_whole else "DOUBLE")
    if name in ("NEG", "ABS"):
        return types[0] if sorts[0] is _Sort.DURATION else None
    left, right = types
    if name in ("+", "-"):
        return _moved(name, left, right)
    if name == "*" and _Sort.DURATION in sorts:
        return _DURATION if left.is_whole or right.is_whole else None
    return None


def _moved(name: str, left: _Type, right: _Type) -> _Type | None:
    """A sum or difference of times, durations and days."""
    if name == "+" and left.sort in (_Sort.DURATION, _Sort.NUMBER):
        left, right = right, left
    if left.sort is _Sort.DATE:
        return left if right.name in ("TINYINT", "SMALLINT", "INT") else None
    if left.sort in (_Sort.INSTANT, _Sort.NTZ) and name == "-" and right.sort is left.sort:
        return _DURATION
    is_moved = left.sort in (_Sort.INSTANT, _Sort.NTZ, _Sort.DURATION) and right.sort is _Sort.DURATION
    return left if is_moved else None


def _cast_hint(known: list[_Type]) -> str:
    sorts = {found.sort for found in known}
    target = next((sort.value for sort in _PREFERRED if sort in sorts), "STRING")
    return f"cast to one type: CAST(v AS {target}) inside the aggregate, or around what is beside it"


_PREFERRED = (
    _Sort.INSTANT,
    _Sort.NTZ,
    _Sort.DATE,
    _Sort.DURATION,
    _Sort.MONTHS,
    _Sort.TIME,
    _Sort.NUMBER,
    _Sort.BOOLEAN,
    _Sort.BINARY,
)
_ONE_TYPE = "around aggregates WHEN compares and chooses among values of one type; all numbers are one"
_COMPARED = "around aggregates WHEN compares numbers, strings, booleans, times and intervals"
_COMPUTED = "around aggregates WHEN computes with numbers, and with times of one type and day-time intervals"
_IN_NUMBERS = "compute in the aggregate, or with numbers of it, as in max(unix_date(day)) or max(unix_micros(ts))"
_COMPARING = ("=", "<>", "<", "<=", ">", ">=", "<=>", "IN", "BETWEEN")
_Rule = Callable[[_Types, Operation, list[_Type]], _Type]
_RULES: dict[str, _Rule] = {
    **dict.fromkeys(("AND", "OR", "NOT"), _Types.truths),
    **dict.fromkeys(_COMPARING, _Types.comparison),
    **dict.fromkeys(("+", "-", "*", "/", "%", "NEG", "ABS"), _Types.arithmetic),
    **dict.fromkeys(("GREATEST", "LEAST"), _Types.chosen),
    "COALESCE": _Types.one_of,
    "CASE": _Types.case,
    "NULLIF": _Types.nullif,
    "IS NULL": _Types.is_null,
}
