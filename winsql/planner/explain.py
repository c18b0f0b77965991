"""EXPLAIN WINDOW: a windowed query, its plan and the reasons, for people."""

from __future__ import annotations

from dataclasses import dataclass

from winsql.errors import as_written
from winsql.model.query import WindowQuery
from winsql.planner.facts import Facts, StreamFacts
from winsql.planner.plan import Plan
from winsql.planner.streaming import TimeMode, plan_stream
from winsql.syntax.clauses import CLAUSES


@dataclass(frozen=True, slots=True)
class Description:
    """One windowed query and its plan, in words.

    line, column   where it is in the statement
    facts          what is said of it, by name, in order
    reads          the query over its source that an operator plan begins with; None for a native plan
    """

    line: int
    column: int
    facts: tuple[tuple[str, str], ...]
    reads: str | None

    def __str__(self) -> str:
        width = max(len(name) for name, _ in self.facts) + 1
        body = [f"  {name + ':':{width}} {text}" for name, text in self.facts]
        reads = [] if self.reads is None else ["  reads:", *(f"    {text}" for text in self.reads.split("\n"))]
        return "\n".join([f"Windowed query at line {self.line}, column {self.column}", *body, *reads])


def describe(query: WindowQuery, facts: Facts, plan: Plan, reads: str, engine: str | None = None) -> Description:
    """What to say of one windowed query.

    `reads` is the query over its source that the plan begins with, `engine` says what runs winsql's operator.
    """
    line, column = query.span.line_and_column(query.text)
    lines = [*_join(query), *_policies(query, facts), *_plan(plan)]
    lines += [("keys", _keys(query, facts)), ("time", _time(query, facts)), ("state per window", plan.state)]
    lines += [] if engine is None else [("engine", engine)]
    lines += [] if facts.stream is None else _stream(query, facts.stream, keeps_state=not plan.strategy.is_native)
    facts_said = tuple((name, as_written(text)) for name, text in lines)
    return Description(line, column, facts_said, None if plan.strategy.is_native else as_written(reads))


def _returned(query: WindowQuery) -> str:
    """What a firing returns."""
    if query.apply is not None:
        return f"what {query.apply} returns"
    how = None if query.join is None else query.join.how
    return query.form.value if how is None else how.returns


def _join(query: WindowQuery) -> list[tuple[str, str]]:
    join = query.join
    if join is None:
        return []
    what = "co_group" if join.how is None else f"{join.how.name} WINDOW JOIN"
    sides = [("left", join.left), ("right", join.right)]
    lines = [("join", what), *((which, f"{side.name}: {_line(side.sql)}") for which, side in sides)]
    return lines if join.condition is None else [*lines, ("condition", _line(join.condition))]


def _line(sql: str) -> str:
    return " ".join(sql.split())


def _policies(query: WindowQuery, facts: Facts) -> list[tuple[str, str]]:
    on_stream = facts.stream is not None
    lines = [line for clause in CLAUSES if not clause.is_of_state for line in clause.explain(query, on_stream)]
    lines.append(("a firing returns", _returned(query)))
    for call in () if query.over is None else query.over.calls:
        apart = ", ".join(call.apart)
        what = f"{call.name} within {apart}, in the micro-batch that ends the window"
        lines.append(("then", what))
        if query.over is not None and call.depends_on_ties:
            lines.append(("of equal rows first", query.over.ties.value))
    return lines


def _stream(query: WindowQuery, stream: StreamFacts, *, keeps_state: bool) -> list[tuple[str, str]]:
    if not keeps_state:
        return [("watermark", _watermark(query, stream))]
    plan = plan_stream(query, stream)
    in_each = plan.key_groups // stream.shuffle_partitions
    if plan.is_together:
        return [("watermark", _watermark(query, stream)), ("woken by", "rows only: all of a window come together")]
    lines = [
        ("watermark", _watermark(query, stream)),
        ("woken by", _WAKERS[plan.mode]),
        ("key groups", f"{plan.key_groups}, {in_each} in each shuffle partition, fixed for the life of a checkpoint"),
    ]
    return [*lines, *(line for clause in CLAUSES if clause.is_of_state for line in clause.explain(query, True))]


def _watermark(query: WindowQuery, stream: StreamFacts) -> str:
    if stream.upstream is not None and stream.upstream.is_on_time:
        return "that of the windows it reads, whose rows come before it"
    if not stream.has_watermark:
        return "none"
    return "of the relation" if query.join is None else "the smaller one of both sides"


_WAKERS = {
    TimeMode.EVENT: "the watermark",
    TimeMode.PROCESSING: "the clock, which runs a micro-batch at every trigger",
    TimeMode.NONE: "rows only",
}


def _plan(plan: Plan) -> list[tuple[str, str]]:
    lines = [("strategy", plan.strategy.value), ("because", plan.reason)]
    lines += [] if plan.not_native is None else [("not by Spark alone", plan.not_native)]
    return lines if plan.row_order is None else [*lines, ("row order", plan.row_order)]


def _keys(query: WindowQuery, facts: Facts) -> str:
    if not query.keys:
        return "none: all rows are one group"
    keys = zip(query.keys, facts.keys, strict=True)
    return ", ".join(f"{key.text} {fact.type_name.upper()}" for key, fact in keys)


def _time(query: WindowQuery, facts: Facts) -> str:
    time, fact = query.spec.assigner.time, facts.time
    if time is None:
        return "none: rows come in the order in which Spark reads them"
    zone = "" if time.zone is None else f"; windows follow what clocks show in {time.zone}"
    if fact is None:
        return f"processing time: {_CLOCK if facts.stream is None else _STREAM_CLOCK}{zone}"
    text = f"{time.written or time.expressions[0]} {fact.type_name.upper()}{zone}"
    if not query.spec.assigner.is_event_time:
        return f"{text} orders the rows, NULL first" if facts.stream is None else f"{text}; rows come as they arrive"
    return f"{text}; rows where it is NULL are left out and counted" if fact.is_nullable else text


_CLOCK = "the moment at which the statement starts"
_STREAM_CLOCK = "the clock of each micro-batch, as its checkpoint has it"
