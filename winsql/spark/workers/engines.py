"""Which engine runs a query, and why."""

from __future__ import annotations

from winsql.runtime.columnar import ColumnarPlan, plan_of
from winsql.spark.workers.task import Handout, StreamTask, Task


def batch_plan(task: Task) -> ColumnarPlan | str:
    """The columnar form of a query on a bounded table, or why the per-row operator runs it."""
    if task.trigger_aggregates:
        return "the trigger reads aggregates of the window"
    return plan_of(task.spec, task.aggregates, hands_rows=task.handout is not Handout.RESULTS)


def stream_plan(task: StreamTask) -> ColumnarPlan | str:
    """The columnar form of a streaming query, or why the per-row operator runs it."""
    inner = task.task
    if inner.trigger_aggregates:
        return "the trigger reads aggregates of the window"
    if inner.spec.state_ttl is not None:
        return "STATE TTL has no columnar form"
    keys = [task.schema.field(i).type for i in task.key_columns()]
    slots = {slot: task.schema.field(slot).type for slot in range(1, 2 + inner.slots)}
    hands_rows = inner.handout is not Handout.RESULTS
    return plan_of(inner.spec, inner.aggregates, keys, hands_rows=hands_rows, slots=slots)


def engine_of(task: Task | StreamTask) -> str:
    """Which engine runs a query on a table or a stream and, for the per-row operator, why; for people."""
    plan = stream_plan(task) if isinstance(task, StreamTask) else batch_plan(task)
    if isinstance(plan, str):
        return f"the per-row operator: {plan}"
    if isinstance(task, Task):
        return "columnar: many rows at once"
    before = _BEFORE[task.task.handout] if task.is_reduced else ""
    return f"columnar: all rows of a micro-batch at once{before}"


_BEFORE = {
    Handout.RESULTS: "; rows that come into the same windows are aggregated before the shuffle",
    Handout.ROWS: "; rows that the ranking cannot keep are left out before the shuffle",
}
