"""Cases through a key group on the columnar engine: those that it claims, and why it does not claim the others.

A case that hands out rows runs with the aggregates of the function `sum` as well; what it expects is then computed
from the expected rows.
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
from winsql.spark.workers.engines import stream_plan
from winsql.spark.workers.task import StreamTask


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
    if case.json["function"] != "sum":
        return task
    return replace(task, task=replace(task.task, aggregates=SUMMARY))


def unclaimed(case: Case) -> str | None:
    """Why the columnar engine does not run the case; None when it does."""
    reasons = [_reason(form) for form, _ in _forms(case, case.json["expected"])]
    return reasons[-1] if all(reasons) else inexpressible(case)


def columnar_difference(case: Case, expected: Json) -> str | None:
    """Why the run on the columnar engine is not what is expected; None when it is."""
    differences = [
        stream_difference(form, outcome, columnar_task)
        for form, outcome in _forms(case, expected)
        if _reason(form) is None
    ]
    return next((why for why in differences if why is not None), None)


def falls_back(case: Case) -> bool:
    """Whether the per-row operator took over in the middle of the case."""
    written: list[bytes] = []
    for form, _ in _forms(case, case.json["expected"]):
        if _reason(form) is None:
            run_stream(form, columnar_task, store := _Recording())
            written += store.written
    return not all(map(is_columnar, written))


def _reason(case: Case) -> str | None:
    try:
        plan = stream_plan(columnar_task(case))
    except (WinsqlError, NotOffered) as refusal:
        return f"refused: {refusal}"
    return plan if isinstance(plan, str) else None


def _forms(case: Case, expected: Json) -> list[tuple[Case, Json]]:
    """The case and what it expects: as it is, and with the function `sum` where it hands out rows of one input."""
    sums = case.json["function"] == "sum"
    forms = [] if sums else [(case, expected)]
    if case.join is None:
        main = [{**row, "out": _summary([]) if row["out"][:1] == [0] else row["out"]} for row in expected["main"]]
        main = main if sums else [{**row, "out": _summary(row["out"])} for row in expected["main"]]
        forms.append((Case({**case.json, "function": "sum"}), {**expected, "main": main}))
    return forms


class _Recording(MemoryStore):
    def __init__(self) -> None:
        super().__init__()
        self.written: list[bytes] = []

    def write(self, bucket: int, data: bytes) -> None:
        super().write(bucket, data)
        self.written.append(data)


def _summary(out: list[float]) -> list[float | None]:
    """What the function `sum` gives for these rows; of none, the sum is NULL in SQL."""
    return [len(out), sum(map(float, out)), min(out), max(out)] if out else [0, None, None, None]
