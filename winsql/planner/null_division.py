"""Division by zero in conditions of WHEN: NULL in a session without ANSI mode, as in Spark."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from winsql.model.expressions import DIVISIONS, Expression, Operation, Predicate
from winsql.model.policy import Policy
from winsql.model.query import WindowQuery


def with_null_division(query: WindowQuery) -> WindowQuery:
    """The query with conditions in which a division by zero is NULL."""
    return replace(query, spec=replace(query.spec, trigger=_of_policy(query.spec.trigger)))


def _of_policy(value: Any) -> Any:
    """A trigger, or an argument of one, with such conditions; itself where it has none."""
    if isinstance(value, Predicate):
        changed = None if value.expression is None else _of_expression(value.expression)
        return value if changed == value.expression else replace(value, expression=changed)
    if isinstance(value, tuple):
        return tuple(map(_of_policy, value))
    if not isinstance(value, Policy):
        return value
    arguments = {parameter.name: getattr(value, parameter.name) for parameter in value.parameters()}
    found = {name: _of_policy(argument) for name, argument in arguments.items()}
    return value if found == arguments else replace(value, **found)  # type: ignore[type-var]


def _of_expression(expression: Expression) -> Expression:
    if not isinstance(expression, Operation):
        return expression
    name = DIVISIONS.get(expression.name, expression.name)
    return Operation(name, tuple(map(_of_expression, expression.arguments)))
