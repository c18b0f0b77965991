"""Partitions of bounded tables: the columnar engine gives the rows that the per-row operator gives, in its order."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pyarrow as pa
import pytest
from case import Case, read_cases
from columnar_cases import SUMMARY
from spark_batch import partition_of, task_of

from winsql.errors import WindowDataError, WinsqlError
from winsql.runtime.aggregates import bind_aggregate
from winsql.spark.workers import columnar as columnar_batch
from winsql.spark.workers import firings
from winsql.spark.workers.engines import batch_plan
from winsql.spark.workers.partition import run_partition
from winsql.spark.workers.task import (
    Handout,
    Place,
    Task,
)
from winsql.syntax import parse_statement

TESTS = Path(__file__).resolve().parents[1]

CASES = list(read_cases(TESTS / "conformance" / "batch_cases"))


@pytest.mark.slow
def test_the_batch_cases(monkeypatch: pytest.MonkeyPatch) -> None:
    compared = 0
    for steps in (columnar_batch.STEP_ROWS, 3):
        monkeypatch.setattr(columnar_batch, "STEP_ROWS", steps)
        for case, task in _tasks():
            rows = partition_of(case)
            assert _outcome(task, rows, columnar=True) == _outcome(task, rows, columnar=False), (case.name, steps)
            compared += 1
    assert compared > 300


def _tasks() -> Iterator[tuple[Case, Task]]:
    """The cases that the engine runs, as every kind of query that they can be."""
    for case in CASES:
        try:
            task = task_of(case)
        except WinsqlError:
            continue
        handouts = (Handout.SIDES,) if case.join else (Handout.RESULTS, Handout.ROWS, Handout.FIRING)
        for handout in handouts:
            aggregates = () if handout in (Handout.SIDES, Handout.ROWS) else SUMMARY
            query = replace(task, handout=handout, aggregates=aggregates)
            if not isinstance(batch_plan(query), str):
                yield case, query


WINDOWS = (
    "TUMBLING(ts, '10 seconds')",
    "SLIDING(ts, '9 seconds', '2 seconds')",
    "TUMBLING(ts, '20 seconds') TRIGGER CONTINUOUS_EVENT_TIME('3 seconds')",
    "TUMBLING(ts, '20 seconds') TRIGGER PURGING(CONTINUOUS_EVENT_TIME('3 seconds'))",
    "COUNT(7)",
    "COUNT(7, 3)",
    "GLOBAL(ts) TRIGGER COUNT(5)",
    "GLOBAL(ts) TRIGGER COUNT(2) EVICT COUNT(4)",
    "TUMBLING(ts, '30 seconds') TRIGGER COUNT(5) EVICT TIME('4 seconds')",
    "GLOBAL(ts) TRIGGER DELTA(v, 50) EVICT DELTA(v, 30)",
    "SESSION(ts, '2 seconds')",
    "GLOBAL(ts) TRIGGER END_OF_STREAM()",
)
VALUES = {"small": 1, "large": 1 << 53}
"""What the values are multiples of: sums of large ones come near the end of 64 bits, which the engine does not take."""


@pytest.mark.slow
@pytest.mark.parametrize("steps", [7, 64])
@pytest.mark.parametrize("values", VALUES)
def test_keys_larger_than_a_step(steps: int, values: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columnar_batch, "STEP_ROWS", steps)
    compared = 0
    for keys in (True, False):
        rows = _rows(random.Random(steps), VALUES[values], keyed=keys)
        for task in _queries(keys):
            fired = _outcome(task, rows, columnar=True)
            assert fired == _outcome(task, rows, columnar=False), (task.spec, task.handout)
            assert fired[1] is None
            compared += 1
    assert compared >= 8


@pytest.mark.parametrize("full", [1, 5])
def test_output_that_is_full_after_few_rows(full: int, monkeypatch: pytest.MonkeyPatch) -> None:
    """The operator takes fewer rows at a time then, and more again, whatever batches they come in."""
    rows = _rows(random.Random(3), 1, keyed=False)
    expected = [_outcome(task, rows, columnar=False) for task in _queries(keyed=False)]
    monkeypatch.setattr(firings, "BATCH_ROWS", full)
    for size in (2, 3, 7, 200):
        assert expected == [_outcome(task, rows, columnar=False, size=size) for task in _queries(keyed=False)]


def test_an_error_names_place_and_key(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columnar_batch, "STEP_ROWS", 16)
    rows = _rows(random.Random(1), 1 << 57, keyed=True)
    task = next(_queries(keyed=True))
    fired, error = _outcome(task, rows, columnar=True)
    assert (fired, error) == _outcome(task, rows, columnar=False)
    assert error is not None
    assert "(key: k = " in error
    assert "at line 1, column 1" in error


def _queries(keyed: bool) -> Iterator[Task]:
    """Queries over `_rows` that the engine runs."""
    for windows in WINDOWS:
        by = "GROUP BY k" if keyed else ""
        text = f"SELECT sum(v), count(*) FROM t WINDOW ASSIGN {windows} {by}"
        query = parse_statement(text).query(0, {})
        aggregates = tuple(
            bind_aggregate(
                name,
                distinct=False,
                slots=taken,
                filter_slot=None,
                types=(LONG,) * len(taken),
                result_type=LONG,
                ansi=True,
            )
            for name, taken in (("SUM", (2,)), ("COUNT", ()))
        )
        for handout in (Handout.RESULTS, Handout.ROWS, Handout.FIRING):
            task = Task(
                spec=query.spec,
                handout=handout,
                aggregates=() if handout is Handout.ROWS else aggregates,  # type: ignore[arg-type]
                trigger_aggregates=(),
                slots=1,
                keys=int(keyed),
                window_type=pa.timestamp("us", "UTC"),
                now=0,
                place=Place.of(query),
            )
            if not isinstance(batch_plan(task), str):
                yield task


LONG = pa.int64()


def _rows(random: random.Random, unit: int, *, keyed: bool) -> pa.RecordBatch:
    """A partition: one key has half of the rows; values ascend from 0 for DELTA, with NULL for some."""
    sizes = [3, 1, 40, 160, 7, 90, 2, 20] if keyed else [200]
    columns: dict[str, list[Any]] = {"first": [], "ts": [], "v": [], "k": []}
    for key, size in enumerate(sizes):
        columns["first"] += [keyed, *[False] * (size - 1)]
        columns["ts"] += sorted(random.randrange(90_000_000) for _ in range(size))
        columns["v"] += [random.randrange(-50, 50) * unit for _ in range(size)]
        columns["k"] += [f"key {key}"] * size
    times = pa.array(columns["ts"]).cast(pa.timestamp("us", "UTC"))
    values = pa.array(columns["v"])
    payload = pa.StructArray.from_arrays([values, pa.array(range(len(values)))], ["v", "place"])
    arrays = {"first": pa.array(columns["first"]), "ts": times, "value": values}
    return pa.RecordBatch.from_pydict({**arrays, **({"k": pa.array(columns["k"])} if keyed else {}), "row": payload})


def _outcome(task: Task, rows: pa.RecordBatch, *, columnar: bool, size: int = 2) -> tuple[list[Any], str | None]:
    """The rows that leave the worker, and the error that ends it; the rows come in batches of some size."""
    fired: list[Any] = []
    batches = [rows.slice(begin, size) for begin in range(0, rows.num_rows, size)]
    try:
        for batch in run_partition(task, batches, columnar=columnar):
            fired += batch.to_pylist()
    except WindowDataError as error:
        return [], str(error)
    return fired, None
