"""Plans calls with OVER over what a windowed query on a stream gives for each window, across its keys.

The operator emits all rows of a window, of every key, in one micro-batch: the one whose watermark passes its end. So
the rows of each PARTITION BY are brought together within that micro-batch, without state. Rows that are equal in the
order are told apart by their arrival or their columns, so that a repeated micro-batch gives the same result.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from pyspark.sql import functions as F

from winsql.errors import WindowPlanError
from winsql.model.query import ARRIVAL, WINDOW_END, WINDOW_TIME, Form, WindowQuery
from winsql.model.window_functions import Ties, WindowFunctionCall, WindowFunctions
from winsql.planner.facts import Facts, Upstream
from winsql.planner.plan import Plan, Strategy
from winsql.spark.planning import Planned
from winsql.spark.relation import TIME, project
from winsql.spark.runner import FIRED, Runner
from winsql.spark.streaming.stateful import stream_facts
from winsql.spark.streaming.upstream import window_marks
from winsql.spark.window_functions.call import with_results
from winsql.spark.window_functions.order import ROW
from winsql.syntax.text.compose import clause


def plan_over_results(query: WindowQuery, runner: Runner) -> Planned | None:
    """The plan of calls with OVER over what other windows give when the watermark passes them, without the results: it
    needs no operator of its own. None where its rows come otherwise, and must be gathered first."""
    over = query.over
    if over is None or query.form is not Form.ROWS or not query.spec.is_of_moments:
        return None
    query = replace(query, keys=(), over=replace(over, ties=Ties.COLUMNS))
    payload = {column.column: column.sql for column in query.payload}
    projection = project(query, runner, payload={**payload, ROW: "struct(*)"}, with_aggregates=False)
    stream = stream_facts(query, projection, runner)
    if stream is None or stream.upstream is not Upstream.AT_END or stream.has_watermark:
        return None
    marks = window_marks(query)
    end = F.expr(f"{TIME} + INTERVAL 1 MICROSECOND").alias(WINDOW_END, metadata=marks[WINDOW_END])
    time = F.col(TIME).alias(WINDOW_TIME, metadata=marks[WINDOW_TIME])
    facts = Facts(stream, projection.fact(TIME), (), (), (), ())
    plan = Plan(Strategy.PROJECTION, "its rows come together, when the watermark passes them", None, "none")
    frame = projection.frame.select(*payload, end, time, ROW)
    return Planned(query, facts, plan, runner, projection.sql, frame=frame)


def with_window_functions(planned: Planned, runner: Runner) -> Planned:
    """The plan with a column for the result of each call with OVER.

    Raises WindowPlanError for an order that cannot be taken, and for a function that winsql does not compute.
    """
    over, fired = planned.query.over, planned.frame
    assert over is not None
    assert fired is not None
    _check_firings(planned.query, over)
    where = f"\n{clause('WHERE', over.where)}" if over.where else ""
    columns = [c for c in fired.columns if c not in (ARRIVAL, ROW)]
    rows = runner.sql(f"SELECT *\nFROM {FIRED}{where}", **{FIRED: fired}) if where else fired
    for calls in _by_partition(over.calls):
        rows = with_results(planned.query, runner, rows, calls)
        columns += [call.column for call in calls]
    return replace(planned, frame=rows.select(*(f"`{column}`" for column in columns)))


def _by_partition(calls: Sequence[WindowFunctionCall]) -> list[list[WindowFunctionCall]]:
    """The calls by their PARTITION BY: calls with the same one are computed together."""
    found: dict[tuple[str, ...], list[WindowFunctionCall]] = {}
    for call in calls:
        found.setdefault(call.partition, []).append(call)
    return list(found.values())


def _check_firings(query: WindowQuery, over: WindowFunctions) -> None:
    """Raises WindowPlanError where the results of a window do not come all at once."""
    spec = query.spec
    if spec.has_default_trigger and spec.assigner.time is not None and not spec.allowed_lateness:
        return
    raise WindowPlanError(
        f"{over.calls[0].name} OVER cannot be over these windows on a stream",
        rule="all rows of a window must come at once, when it ends by its time",
        hint="leave out TRIGGER and ALLOWED LATENESS, or write the result into a table and compute it there",
    ).located(query.text, over.calls[0].span)
