"""Cases as micro-batches through a key group and its store: what is between time steps is one batch of rows.

A result row does not say at which step it came or what timer fired it; compared are, per key, the firings in order
(those of one timer as a set) and their contents, and the late rows.
"""

from __future__ import annotations

import zlib
from collections import defaultdict
from collections.abc import Callable
from itertools import groupby
from typing import Any

import pyarrow as pa
from case import Case, Json
from executors import CountSumMinMax

from winsql.errors import Span, WinsqlError
from winsql.model.base import MAX_TIME, MIN_TIME
from winsql.spark.streaming.key_group import KeyGroup
from winsql.spark.workers.task import Handout, Place, StreamTask, Task

NUMBER = pa.float64()


class Summary(CountSumMinMax):
    """The function `sum` with the type of its result."""

    result_type = pa.list_(NUMBER)


class MemoryStore:
    """A state store in memory that keeps bytes only."""

    def __init__(self) -> None:
        self.meta: bytes | None = None
        self.buckets: dict[int, bytes] = {}

    def read_meta(self) -> bytes | None:
        return self.meta

    def write_meta(self, data: bytes) -> None:
        self.meta = data

    def read(self, bucket: int) -> bytes | None:
        return self.buckets.get(bucket)

    def write(self, bucket: int, data: bytes) -> None:
        self.buckets[bucket] = data

    def remove(self, bucket: int) -> None:
        self.buckets.pop(bucket, None)


SCHEMA = pa.schema(
    [
        ("hash", pa.int64()),
        ("time", pa.int64()),
        ("value", NUMBER),
        ("gap", pa.int64()),
        ("side", pa.int64()),
        ("key", pa.string()),
        ("out_side", pa.int64()),
        ("left", NUMBER),
        ("right", NUMBER),
        ("all", pa.struct([("key", pa.string()), ("ts", pa.int64()), ("value", NUMBER)])),
    ]
)


def inexpressible(case: Case) -> str | None:
    """Why the case cannot be said in micro-batches; None when it can."""
    if case.json.get("pt_inclusive", True) is False:
        return "the clock of a micro-batch runs the timers of its own instant, not one millisecond later"
    if case.json["assigner"].get("end_of_stream"):
        return "a stream has no end at which END_OF_STREAM could sort its input and fire"
    return None


def stream_task(case: Case) -> StreamTask:
    """The case as the plan of a streaming query; raises WindowSpecError where the job is refused."""
    sums = case.json["function"] == "sum"
    handout = Handout.RESULTS if sums else Handout.ROWS
    task = Task(
        spec=case.spec(),
        handout=handout if case.join is None else Handout.SIDES,
        aggregates=(Summary(),) if sums else (),
        trigger_aggregates=(),
        slots=3,
        keys=1,
        window_type=pa.int64(),
        now=0,
        place=Place(case.name, Span(0, len(case.name)), ("key",)),
    )
    return StreamTask(task, SCHEMA, keeps_late=True)


class Batch:
    """A micro-batch: where the clocks stand, its rows, and the steps it covers."""

    def __init__(self, watermark: int, now: int | None, first_step: int) -> None:
        self.watermark = watermark
        self.now = now
        self.first_step = first_step
        self.rows: list[tuple[Any, ...]] = []

    def arrow(self) -> pa.RecordBatch:
        columns = zip(*self.rows, strict=True) if self.rows else [()] * len(SCHEMA)
        arrays = [pa.array(list(column), field.type) for column, field in zip(columns, SCHEMA, strict=True)]
        return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)


def micro_batches(case: Case) -> list[Batch]:
    """The steps of a case: each step of time begins a batch, elements join the last one."""
    batches = [Batch(MIN_TIME, None, 0)]
    for number, step in enumerate(case.steps):
        watermark = batches[-1].watermark
        if "wm" in step:
            batches.append(Batch(max(watermark, step["wm"]), None, number))
        elif "pt" in step:
            batches.append(Batch(watermark, step["pt"], number))
        else:
            batches[-1].rows.append(_row(case, step))
    if case.json["finish"]:
        batches.append(Batch(MAX_TIME, None, len(case.steps)))
    return batches


def _row(case: Case, step: Json) -> tuple[Any, ...]:
    key, timestamp, value = step["e"]
    own = "all" if case.json.get("via") == "windowAll" else key
    side = step.get("side")
    everything = {"key": key, "ts": timestamp, "value": value}
    sides = (None, value) if side else (value, None)
    return zlib.crc32(own.encode()), timestamp, value, step.get("g"), side, own, side, *sides, everything


class StreamOutcome:
    """What a run gave: per key the firings in order, late rows, the count of dropped rows, the step that failed."""

    def __init__(self) -> None:
        self.firings: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
        self.late: list[Any] = []
        self.dropped = 0
        self.failed_from: int | None = None


def run_stream(
    case: Case, task_of: Callable[[Case], StreamTask] = stream_task, store: MemoryStore | None = None
) -> StreamOutcome:
    """Each micro-batch on a new key group, whose only memory is the store."""
    outcome, store = StreamOutcome(), store or MemoryStore()
    try:
        task = task_of(case)
    except WinsqlError:
        outcome.failed_from = -1
        return outcome
    for batch in micro_batches(case):
        group = KeyGroup(task, store)
        try:
            results = list(group.run(batch.arrow(), batch.watermark, batch.now))
        except WinsqlError:
            outcome.failed_from = batch.first_step
            return outcome
        collect(outcome, task, results)
        outcome.dropped = group.meta.dropped
    return outcome


def collect(outcome: StreamOutcome, task: StreamTask, results: list[Any]) -> None:
    """Add what `KeyGroup.run` gave for one micro-batch."""
    handout = task.task.handout
    open_firing: dict[str, Any] = {}
    for rows, late in results:
        for record in [] if rows is None else rows.to_pylist():
            key, start, end, _, index, _, *rest = record.values()
            firing = (start, end, index)
            if handout is Handout.RESULTS:
                outcome.firings[key].append((firing, rest if len(rest) > 1 else rest[0]))
            elif handout is Handout.SIDES:
                outcome.firings[key].append((firing, _both(*rest)))
            elif open_firing.get(key) == firing:
                outcome.firings[key][-1][1].append(rest[1])
            else:
                outcome.firings[key].append((firing, [rest[1]]))
                open_firing[key] = firing
        outcome.late += [] if late is None else [tuple(row["all"].values()) for row in late.to_pylist()]


def stream_difference(case: Case, expected: Json, task_of: Callable[[Case], StreamTask] = stream_task) -> str | None:
    """Why the run as micro-batches is not what is expected; None when it is."""
    return outcome_difference(case, expected, run_stream(case, task_of))


def outcome_difference(case: Case, expected: Json, outcome: StreamOutcome) -> str | None:
    """Why an outcome is not what is expected; None when it is."""
    failed = expected.get("error_step")
    if (failed is None) != (outcome.failed_from is None) or (failed or 0) < (outcome.failed_from or 0):
        return f"failed in the batch from step {outcome.failed_from}, expected at step {failed}"
    before = len(case.steps) + 1 if failed is None else (outcome.failed_from or 0)
    main = [row for row in expected["main"] if row["step"] < before]
    for key in sorted({*outcome.firings, *(row["key"] for row in main)}):
        got = [(start, end, content) for (start, end, _), content in outcome.firings[key]]
        why = _in_order(case, main, key, got)
        if why is not None:
            return f"firings of {key}: {why}"
    if failed is not None:
        return None
    late = [(row["key"], row["ts"], row["value"]) for row in expected["late"]]
    if sorted(outcome.late) != sorted(late) or outcome.dropped != expected["dropped"]:
        return f"late {outcome.late}, dropped {outcome.dropped}, expected {late} and {expected['dropped']}"
    return None


def _in_order(case: Case, main: list[Json], key: str, got: list[tuple[Any, ...]]) -> str | None:
    """Compare with the expected firings of the key; those of one step and timer may come in any order."""
    mine = [(row["step"], row["timer"], (row["start"], row["end"], _content(case, row))) for row in main]
    # a firing of rows that has none leaves no trace; one of both sides of a join does
    leaves = [row["key"] == key and bool(case.join or _content(case, row)) for row in main]
    mine = [row for row, is_left in zip(mine, leaves, strict=True) if is_left]
    for (_, timer), group in groupby(mine, key=lambda row: row[:2]):
        want = [row[2] for row in group]
        have, got = got[: len(want)], got[len(want) :]
        if have != want and (timer is None or sorted(map(repr, have)) != sorted(map(repr, want))):
            return f"{have}, expected {want}"
    return f"{got} more than expected" if got else None


def _both(left: list[Any], right: list[Any]) -> list[Any]:
    return [(value, 0) for value in left] + [(value, 1) for value in right]


def _content(case: Case, row: Json) -> list[Any]:
    """What a firing hands out."""
    if case.join is not None:
        return _both(row["left"], row["right"])
    if case.json["function"] == "sum":
        return [None if number is None else float(number) for number in row["out"]]
    return list(row["out"])
