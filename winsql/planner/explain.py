"""EXPLAIN WINDOW: a windowed query, its plan and the reasons, for people."""

from __future__ import annotations

from winsql.model.query import Form, WindowQuery
from winsql.planner.facts import ColumnFact, Facts
from winsql.planner.plan import Plan
from winsql.syntax.render import render_duration, render_policy

__all__ = ["describe"]


def describe(query: WindowQuery, facts: Facts, plan: Plan, reads: str) -> str:
    """The paragraph of one windowed query; `reads` is the query over its source that the plan begins with."""
    line, column = query.span.line_and_column(query.text)
    lines = [*_policies(query), *_plan(plan)]
    lines += [("keys", _keys(query, facts)), ("time", _time(query, facts.time)), ("state per window", plan.state)]
    width = max(len(name) for name, _ in lines) + 1
    body = [f"  {name + ':':{width}} {text}" for name, text in lines]
    input_lines = [] if plan.strategy.is_native else ["  reads:", *(f"    {text}" for text in reads.split("\n"))]
    return "\n".join([f"Windowed query at line {line}, column {column}", *body, *input_lines])


def _policies(query: WindowQuery) -> list[tuple[str, str]]:
    spec = query.spec
    is_own_evictor = spec.evictor is not None and spec.evictor == spec.assigner.default_evictor()
    lines = [("assigner", render_policy(spec.assigner))]
    lines.append(("trigger", render_policy(spec.trigger) + (", the default" if spec.has_default_trigger else "")))
    if spec.evictor is not None:
        when = "after" if spec.evict_after else "before"
        of = ", of the assigner" if is_own_evictor else ""
        lines.append(("evictor", f"{render_policy(spec.evictor)} {when} each firing{of}"))
    if spec.allowed_lateness:
        lateness = f"{render_duration(spec.allowed_lateness)}; on a bounded table nothing is late"
        lines.append(("allowed lateness", lateness))
    if query.late_into is not None:
        lines.append(("late rows", f"into {query.late_into}; on a bounded table there are none"))
    returns = query.form.value if query.form is not Form.APPLY else f"what {query.apply} returns"
    return [*lines, ("a firing returns", returns)]


def _plan(plan: Plan) -> list[tuple[str, str]]:
    lines = [("strategy", plan.strategy.value), ("because", plan.reason)]
    return lines if plan.not_native is None else [*lines, ("not by Spark alone", plan.not_native)]


def _keys(query: WindowQuery, facts: Facts) -> str:
    if not query.keys:
        return "none: all rows are one group"
    keys = zip(query.keys, facts.keys, strict=True)
    return ", ".join(f"{key.sql} {fact.type_name.upper()}" for key, fact in keys)


def _time(query: WindowQuery, fact: ColumnFact | None) -> str:
    time = query.spec.assigner.time
    if time is None:
        return "none: rows come in the order in which Spark reads them"
    if fact is None:
        return "processing time: the moment at which the statement starts"
    text = f"{time.expressions[0]} {fact.type_name.upper()}"
    if not query.spec.assigner.is_event_time:
        return f"{text} orders the rows, NULL first"
    return f"{text}; rows where it is NULL are left out and counted" if fact.is_nullable else text
