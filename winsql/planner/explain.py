"""EXPLAIN WINDOW: a windowed query, its plan and the reasons, for people."""

from __future__ import annotations

from winsql.model.query import WindowQuery
from winsql.planner.facts import ColumnFact, Facts
from winsql.planner.plan import Plan

__all__ = ["describe"]


def describe(query: WindowQuery, facts: Facts, plan: Plan, policies: str, reads: str) -> str:
    """The paragraph of one windowed query; `policies` are its clauses in canonical form, `reads` is its input."""
    line, column = query.span.line_and_column(query.text)
    lines = [("policies", policies), ("strategy", plan.strategy.value), ("because", plan.reason)]
    if plan.not_native is not None:
        lines.append(("not native", plan.not_native))
    lines += [("keys", _keys(query, facts)), ("time", _time(query, facts.time)), ("state", plan.state)]
    width = max(len(name) for name, _ in lines) + 1
    body = [f"  {name + ':':{width}} {text}" for name, text in lines]
    return "\n".join([f"Windowed query at line {line}, column {column}", *body, *_indented("reads:", reads)])


def _keys(query: WindowQuery, facts: Facts) -> str:
    if not query.keys:
        return "none, all rows are one group"
    keys = zip(query.keys, facts.keys, strict=True)
    return ", ".join(f"{key.sql} ({fact.type_name})" for key, fact in keys)


def _time(query: WindowQuery, fact: ColumnFact | None) -> str:
    time = query.spec.assigner.time
    if time is None:
        return "none, rows come in the order of arrival"
    if fact is None:
        return "processing time, the moment at which the query starts"
    text = f"{time.expressions[0]} ({fact.type_name})"
    if not fact.is_nullable:
        return text
    if not query.spec.assigner.is_event_time:
        return f"{text}, which orders the rows; NULL comes first"
    return f"{text}; rows where it is NULL are left out and counted"


def _indented(title: str, text: str) -> list[str]:
    return [f"  {title}", *(f"    {line}" for line in text.split("\n"))]
