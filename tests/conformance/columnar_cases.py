"""Cases through a key group on the columnar engine: those that it claims, and why it does not claim the others.

A case that hands out rows runs with the aggregates of the function `sum` instead; what it expects is computed from the
expected rows.
"""

from __future__ import annotations

from dataclasses import replace

import pyarrow as pa
from case import Case, Json, NotOffered
from stream import NUMBER, MemoryStore, inexpressible, run_stream, stream_difference, stream_task

from winsql.errors import WinsqlError
from winsql.model.base import FIRST_OPERAND
from winsql.runtime.aggregates import Aggregate, bind_aggregate
from winsql.runtime.columnar import is_columnar
from winsql.spark.streaming.engines import columnar_plan
from winsql.spark.streaming.group import StreamTask
from winsql.spark.worker import Handout


def _aggregate(name: str, *slots: int, result: pa.DataType = NUMBER) -> Aggregate:
    types = (NUMBER,) * len(slots)
    aggregate = bind_aggregate(
        name, distinct=False, slots=slots, filter_slot=None, types=types, result_type=result, ansi=True
    )
    assert aggregate is not None
    return aggregate


SUMMARY = (
    _aggregate("COUNT"),
    *(_aggregate(name, FIRST_OPERAND) for name in ("SUM", "MIN", "MAX")),
)


def columnar_task(case: Case) -> StreamTask:
    """The case as the plan of a streaming query over aggregates; raises WindowSpecError where the job is refused."""
    task = stream_task(case)
    return replace(task, task=replace(task.task, handout=Handout.RESULTS, aggregates=SUMMARY))


def unclaimed(case: Case) -> str | None:
    """Why the columnar engine does not run the case; None when it does."""
    if case.join is not None:
        return "a join keeps the rows of its windows"
    try:
        plan = columnar_plan(columnar_task(case))
    except (WinsqlError, NotOffered) as refusal:
        return f"refused: {refusal}"
    return plan if isinstance(plan, str) else inexpressible(case)


def columnar_difference(case: Case, expected: Json) -> str | None:
    """Why the run on the columnar engine is not what is expected; None when it is."""
    summed = Case({**case.json, "function": "sum"})
    main = [{**row, "out": _summary(case, row["out"])} for row in expected["main"]]
    return stream_difference(summed, {**expected, "main": main}, columnar_task)


def falls_back(case: Case) -> bool:
    """Whether the per-row operator took over in the middle of the case."""
    store = _Recording()
    run_stream(Case({**case.json, "function": "sum"}), columnar_task, store)
    return not all(map(is_columnar, store.written))


class _Recording(MemoryStore):
    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []

    def write(self, bucket: int, data: bytes) -> None:
        super().write(bucket, data)
        self.written.append(data)


def _summary(case: Case, out: list[float]) -> list[float]:
    return out if case.json["function"] == "sum" else [len(out), sum(map(float, out)), min(out), max(out)]
