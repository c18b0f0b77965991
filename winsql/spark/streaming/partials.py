"""Streaming queries whose rows become partial rows before the shuffle."""

from __future__ import annotations

from dataclasses import replace

from winsql.runtime.columnar import OfPartials, PartialRows, partial_rows
from winsql.spark.workers.engines import stream_plan
from winsql.spark.workers.task import StreamTask

__all__ = ["of_partials", "partials_of"]


def partials_of(task: StreamTask) -> PartialRows | None:
    """How rows become partial ones before the shuffle; None where each must reach the operator."""
    plan = stream_plan(task)
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
