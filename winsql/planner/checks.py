"""Rules on the types of a windowed query's expressions; each refusal names its place in the statement."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from winsql.errors import Span, WindowSpecError, WinsqlError
from winsql.model.aggregate_calls import AggregateCall
from winsql.model.policy import Kind
from winsql.model.query import Form, OperandColumn, WindowQuery
from winsql.planner.collated import rule_and_hint
from winsql.planner.condition_types import check_conditions
from winsql.planner.facts import ColumnFact, Facts


def check(query: WindowQuery, facts: Facts) -> None:
    """Refuse what cannot work on this relation, before any job runs.

    Raises WindowSpecError for a type that a policy cannot use.
    """
    _check_time(query, facts.time)
    for operand, fact in zip(query.operands, facts.operands, strict=True):
        _OPERAND_CHECKS.get(operand.kind, _accept)(query, operand, fact)
    _check_registered(query, facts)
    _check_changes(query, facts)
    _check_trigger_aggregates(query, facts)
    check_conditions(query, facts)


def _check_registered(query: WindowQuery, facts: Facts) -> None:
    for call, aggregate in zip(query.aggregates, facts.aggregates, strict=True):
        if aggregate.is_registered and not aggregate.has_accumulator:
            raise _refused(
                query,
                call.span,
                f"{call.sql} cannot be computed",
                "a registered aggregate takes plain arguments and FILTER, of types that Arrow has",
                _instead(call),
            )


def _check_changes(query: WindowQuery, facts: Facts) -> None:
    if query.spec.changes is not None and query.form is not Form.AGGREGATE:
        raise _refused(
            query,
            Span(query.span.start, query.span.start + len("SELECT")),
            "a changelog is made of aggregates",
            "EMIT ... AS UPSERT and AS RETRACTIONS keep one result per keys and window",
            "write a query that aggregates, or AS APPEND",
        )
    changes = None if query.emit is None else query.emit.changes
    if changes is None:
        return
    for call, aggregate in zip(query.aggregates, facts.aggregates, strict=True):
        if not aggregate.has_accumulator:
            raise _refused(
                query,
                call.span,
                f"EMIT ... AS {changes.name} cannot use {call.sql}",
                *rule_and_hint(
                    aggregate,
                    "a result that may be taken back is kept in state, with winsql's own accumulators",
                    "use SUM, COUNT, AVG, MIN, MAX or another aggregate of the language reference, or AS APPEND",
                ),
            )


def _check_trigger_aggregates(query: WindowQuery, facts: Facts) -> None:
    for call, aggregate in zip(query.trigger_aggregates, facts.trigger_aggregates, strict=True):
        if not aggregate.has_accumulator:
            raise _refused(
                query,
                call.span,
                f"WHEN cannot use {call.sql}",
                *rule_and_hint(
                    aggregate,
                    "aggregates of a trigger run row by row, with winsql's own accumulators",
                    "use SUM, COUNT, AVG, MIN, MAX or another aggregate of the language reference",
                ),
            )


def check_operator_keys(query: WindowQuery, facts: Facts) -> None:
    """Refuse keys that Spark cannot bring together in sorted order."""
    for key, fact in zip(query.keys, facts.keys, strict=True):
        if not can_be_operator_keys([fact]):
            raise _refused(
                query,
                key.span,
                f"{key.text} is of type {fact.type_name.upper()} and cannot be a key here",
                "a key of a window that runs in winsql's operator must have an order",
                "use a cast, TO_JSON or a field of it as the key",
            )


def can_be_operator_keys(keys: Iterable[ColumnFact]) -> bool:
    """Whether Spark can bring keys of these types together in sorted order."""
    return not any(fact.arrow is None or any(word in fact.type_name for word in _UNSORTABLE) for fact in keys)


def _instead(call: AggregateCall) -> str:
    if call.distinct or not call.is_plain:
        return "name its arguments, and leave out DISTINCT, ORDER BY, WITHIN GROUP and IGNORE NULLS"
    return "cast arguments whose type Arrow lacks, and register the aggregate with a type that Arrow has"


_UNSORTABLE = ("map<", "variant", "geometry", "geography")


def _check_time(query: WindowQuery, time: ColumnFact | None) -> None:
    if time is None or time.is_instant:
        return
    raise _refused(
        query,
        query.time_span or query.span,
        f"the time of {query.spec.assigner.NAME} is of type {time.type_name.upper()}",
        "time is a TIMESTAMP, TIMESTAMP_NTZ or DATE expression, or PROCTIME()",
        "convert it, for instance with CAST(... AS TIMESTAMP) or TIMESTAMP_MILLIS(...)",
    )


def _check_gap(query: WindowQuery, operand: OperandColumn, fact: ColumnFact) -> None:
    if fact.is_duration:
        return
    raise _refused(
        query,
        operand.span,
        f"{operand.policy}: the gap {operand.sql} is of type {fact.type_name.upper()}",
        "a gap that is taken from each row is a day-time interval",
        _both_sides(query, fact)
        or "build one with MAKE_DT_INTERVAL(days, hours, minutes, seconds) or MAKE_DT_INTERVAL(0, 0, 0, seconds)",
    )


def _check_number(query: WindowQuery, operand: OperandColumn, fact: ColumnFact) -> None:
    if fact.is_number or operand.policy != "DELTA":
        return
    raise _refused(
        query,
        operand.span,
        f"DELTA: {operand.sql} is of type {fact.type_name.upper()}",
        "a distance is taken between numbers",
        _both_sides(query, fact) or "use a numeric expression, for instance UNIX_MILLIS(ts) for a time",
    )


def _both_sides(query: WindowQuery, fact: ColumnFact) -> str | None:
    """What to write in the place of a pair of columns: in a join only the time is given as one."""
    if query.join is None or not fact.type_name.startswith("struct<"):
        return None
    left, right = query.join.left.name, query.join.right.name
    return f"write COALESCE({left}.v, {right}.v): for a row of one side the columns of the other are NULL"


def _check_condition(query: WindowQuery, operand: OperandColumn, fact: ColumnFact) -> None:
    if fact.type_name in ("boolean", "void"):
        return
    raise _refused(
        query,
        operand.span,
        f"{operand.policy}: {operand.sql} is of type {fact.type_name.upper()}",
        "a condition is BOOLEAN",
        "compare it with something",
    )


def _accept(query: WindowQuery, operand: OperandColumn, fact: ColumnFact) -> None:
    """Operands of other kinds may have any type."""


_OPERAND_CHECKS: dict[Kind, Callable[[WindowQuery, OperandColumn, ColumnFact], None]] = {
    Kind.GAP: _check_gap,
    Kind.EXPRESSION: _check_number,
    Kind.PREDICATE: _check_condition,
}


def _refused(query: WindowQuery, span: Span, problem: str, rule: str, hint: str) -> WinsqlError:
    return WindowSpecError(problem, rule=rule, hint=hint).located(query.text, span)
