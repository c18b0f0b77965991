"""Reduces the rows of streaming queries before the shuffle: to partial rows, or to the first rows of a ranking."""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa

from winsql.model.query import WINDOW_COLUMNS
from winsql.model.window_functions import SortKey, Ties, WindowFunctions
from winsql.runtime.columnar import (
    ColumnarPlan,
    OfPartials,
    PartialRows,
    Reduction,
    SortColumn,
    TopRows,
    partial_rows,
    top_rows,
)
from winsql.spark.workers.engines import stream_plan
from winsql.spark.workers.task import Handout, StreamTask


def reduction_of(task: StreamTask, over: WindowFunctions | None = None) -> Reduction | None:
    """How to reduce rows before the shuffle; None where each must reach the operator. `over` may rank the result."""
    plan = stream_plan(task)
    if isinstance(plan, str):
        return None
    inner = task.task
    if inner.handout is Handout.ROWS:
        return None if over is None else _top_rows(task, plan, over)
    return partial_rows(plan, task.schema, inner.slots, inner.keys)


def over_reduced(task: StreamTask, reduction: Reduction) -> StreamTask:
    """The task over reduced rows: same results, same state. Late rows count as many as they replace."""
    inner = replace(task.task, spec=replace(task.task.spec, late_output=True))
    if isinstance(reduction, PartialRows):
        first, aggregates = 2, []
        for aggregate, form in zip(inner.aggregates, reduction.forms, strict=True):
            aggregates.append(OfPartials(aggregate, first))
            first += len(form.parts)
        inner = replace(inner, aggregates=tuple(aggregates), slots=first - 2)
    return replace(task, task=inner, schema=reduction.schema(task.schema), is_reduced=True)


def _top_rows(task: StreamTask, plan: ColumnarPlan, over: WindowFunctions) -> TopRows | None:
    """None where a ranking reads more than columns, or has no greatest number."""
    if over.most is None or over.where is not None or task.keeps_late:
        return None
    (call,) = over.calls
    if call.ranking is None:
        return None
    apart = [column for column in call.partition if column not in WINDOW_COLUMNS.values()]
    order = [_sort_column(task.schema, key) for key in call.order]
    known = [column for column in order if column is not None]
    if len(apart) != task.task.keys or len(known) < len(order):
        return None
    keys = 2 + task.task.slots, task.task.keys
    return top_rows(plan, call.ranking, known, over.most, over.ties is Ties.LAST_ARRIVED, keys)


def _sort_column(schema: pa.Schema, key: SortKey) -> SortColumn | None:
    place = schema.get_field_index(key.sql)
    if place < 0 or pa.types.is_nested(schema.field(place).type):
        return None
    return SortColumn(place, key.is_descending, key.nulls_first)
