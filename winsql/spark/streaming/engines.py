"""Which engine runs a streaming query, and state of either engine for the per-row operator."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import TYPE_CHECKING

import pyarrow as pa

from winsql.model.base import Row
from winsql.runtime.bucket import decode_bucket
from winsql.runtime.columnar import (
    ColumnarPlan,
    OfPartials,
    PartialRows,
    decode_states,
    is_columnar,
    partial_rows,
    plan_of,
)
from winsql.runtime.state import KeyState
from winsql.spark.worker import Handout

if TYPE_CHECKING:
    from winsql.spark.streaming.group import StreamTask

__all__ = ["columnar_plan", "engine_of", "of_partials", "partials_of", "read_states"]


def columnar_plan(task: StreamTask) -> ColumnarPlan | str:
    """The columnar form of a streaming query, or why the per-row operator runs it."""
    inner = task.task
    if inner.trigger_aggregates:
        return "the trigger reads aggregates of the window"
    if task.ttl is not None:
        return "STATE TTL has no columnar form"
    keys = [task.schema.field(i).type for i in task.key_columns()]
    slots = {slot: task.schema.field(slot).type for slot in range(1, 2 + inner.slots)}
    hands_rows = inner.handout is not Handout.RESULTS
    return plan_of(inner.spec, inner.aggregates, keys, hands_rows=hands_rows, slots=slots)


def engine_of(task: StreamTask) -> str:
    """Which engine runs a streaming query and, where it is the per-row operator, why; for people."""
    plan = columnar_plan(task)
    if isinstance(plan, str):
        return f"the per-row operator: {plan}"
    before = "; rows that come into the same windows are aggregated before the shuffle" if task.of_partials else ""
    return f"columnar: all rows of a micro-batch at once{before}"


def partials_of(task: StreamTask) -> PartialRows | None:
    """How rows become partial ones before the shuffle; None where each must reach the operator."""
    plan = columnar_plan(task)
    inner = task.task
    return None if isinstance(plan, str) else partial_rows(plan, task.schema, inner.slots, inner.keys)


def of_partials(task: StreamTask, partials: PartialRows) -> StreamTask:
    """The task over partial rows: same results, same state. Late rows are output for the number of rows they are."""
    inner, first, aggregates = task.task, 2, []
    for aggregate, form in zip(inner.aggregates, partials.forms, strict=True):
        aggregates.append(OfPartials(aggregate, first))
        first += len(form.parts)
    spec = replace(inner.spec, late_output=True)
    inner = replace(inner, spec=spec, aggregates=tuple(aggregates), slots=first - 2)
    return replace(task, task=inner, schema=partials.schema(task.schema), of_partials=True)


def read_states(
    task: StreamTask, data: bytes, rows_of: Callable[[pa.RecordBatch], Iterable[Row]]
) -> tuple[pa.RecordBatch, list[KeyState], pa.RecordBatch]:
    """Keys, their states side by side, and kept rows of a bucket, whichever engine wrote it.

    Raises WindowDataError when the bytes are no bucket of this query in a version that can be read.
    """
    merging = task.task.spec.assigner.is_merging
    if not is_columnar(data):
        return decode_bucket(data, merging, rows_of)
    keys, states, rows = decode_states(data, rows_of)
    for state in states if merging else ():
        state.sessions = sorted(state.panes)
    return keys, states, rows
