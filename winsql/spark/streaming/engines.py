"""Which engine runs a streaming query, and state of either engine for the per-row operator."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

import pyarrow as pa

from winsql.model.base import Row
from winsql.runtime.bucket import decode_bucket
from winsql.runtime.columnar import ColumnarPlan, decode_states, is_columnar, plan_of
from winsql.runtime.state import KeyState
from winsql.spark.worker import Handout

if TYPE_CHECKING:
    from winsql.spark.streaming.group import StreamTask

__all__ = ["columnar_plan", "engine_of", "read_states"]


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
    return f"the per-row operator: {plan}" if isinstance(plan, str) else "columnar: all rows of a micro-batch at once"


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
