"""Steps of a partition are bounded by what they hold: windows that end with them, and bytes."""

from __future__ import annotations

from typing import Any

import pyarrow as pa
import pytest

from winsql.runtime.aggregates import bind_aggregate
from winsql.spark.workers import columnar
from winsql.spark.workers.partition import run_partition
from winsql.spark.workers.task import Handout, Place, Task
from winsql.syntax import parse_statement

MINUTE = 60_000_000
WINDOWS = {
    "sliding": "SLIDING(ts, '60 minutes', '1 minute')",
    "cut": "SLIDING(ts, '3599 seconds', '1 minute')",
    "cumulating": "CUMULATING(ts, '60 minutes', '1 minute')",
    "panes": "SLIDING(ts, '60 minutes', '1 minute') ALLOWED LATENESS '1 minute'",
}
HANDOUTS = (Handout.RESULTS, Handout.ROWS)


@pytest.fixture
def steps(monkeypatch: pytest.MonkeyPatch) -> list[pa.RecordBatch]:
    """The rows of each step that the engine takes."""
    taken: list[pa.RecordBatch] = []
    take = columnar.ColumnarPartition._take
    monkeypatch.setattr(
        columnar.ColumnarPartition, "_take", lambda self, rows: (taken.append(rows), take(self, rows))[1]
    )
    return taken


@pytest.mark.parametrize("handout", HANDOUTS, ids=[handout.name for handout in HANDOUTS])
@pytest.mark.parametrize("windows", WINDOWS)
def test_windows_that_end_at_once_are_few(
    windows: str, handout: Handout, steps: list[pa.RecordBatch], monkeypatch: pytest.MonkeyPatch
) -> None:
    sizes: list[int] = []
    joined = columnar.joined
    monkeypatch.setattr(
        columnar, "joined", lambda blocks: (sizes.append(sum(len(b.key) for b in blocks)), joined(blocks))[1]
    )
    monkeypatch.setattr(columnar, "MAX_WINDOWS", 600)
    task, rows = _task(WINDOWS[windows], handout), _rows(keys=90, each=2, apart=100 * MINUTE)
    assert _fired(task, rows, columnar=True) == _fired(task, rows, columnar=False)
    assert max(sizes) <= 600
    assert len(steps) > 10


def test_rows_that_share_windows_stay_together(steps: list[pa.RecordBatch], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columnar, "MAX_WINDOWS", 600)
    rows = _rows(keys=5, each=100, apart=MINUTE // 200)
    _fired(_task(WINDOWS["sliding"], Handout.RESULTS), rows, columnar=True)
    assert [step.num_rows for step in steps] == [400, 100]  # a step ends where the last key begins


def test_a_row_of_more_windows_goes_alone(steps: list[pa.RecordBatch], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columnar, "MAX_WINDOWS", 7)
    for windows in WINDOWS.values():
        for handout in HANDOUTS:
            task, rows = _task(windows, handout), _rows(keys=3, each=2, apart=100 * MINUTE)
            assert _fired(task, rows, columnar=True) == _fired(task, rows, columnar=False)
    assert {step.num_rows for step in steps} == {1}


def test_steps_of_long_rows_have_few(steps: list[pa.RecordBatch], monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys of one row, of a few and of more than a step."""
    monkeypatch.setattr(columnar, "STEP_BYTES", 10_000)
    task = _task("COUNT(2, time => ts)", Handout.ROWS)
    for each in (1, 3, 200):
        steps.clear()
        rows = _rows(keys=600 // each, each=each, apart=MINUTE, text="x" * 900)
        assert _fired(task, rows, columnar=True) == _fired(task, rows, columnar=False)
        assert sum(step.num_rows for step in steps) == 600
        assert max(step.nbytes for step in steps) <= 10_000
        assert len(steps) < 100


def test_a_row_longer_than_a_step_goes_alone(steps: list[pa.RecordBatch], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(columnar, "STEP_BYTES", 500)
    task = _task("COUNT(2, time => ts)", Handout.ROWS)
    for each in (1, 2, 9):
        rows = _rows(keys=18 // each, each=each, apart=MINUTE, text="x" * 900)
        assert _fired(task, rows, columnar=True) == _fired(task, rows, columnar=False)
    assert {step.num_rows for step in steps} == {1}


def _task(windows: str, handout: Handout) -> Task:
    query = parse_statement(f"SELECT count(*) FROM t WINDOW ASSIGN {windows} GROUP BY k").query(0, {})
    kind = pa.int64()
    count: Any = bind_aggregate(
        "COUNT", distinct=False, slots=(), filter_slot=None, types=(), result_type=kind, ansi=True
    )
    return Task(
        spec=query.spec,
        handout=handout,
        aggregates=(count,) if handout is Handout.RESULTS else (),
        trigger_aggregates=(),
        slots=0,
        keys=1,
        window_type=pa.timestamp("us", "UTC"),
        now=0,
        place=Place.of(query),
    )


def _rows(keys: int, each: int, apart: int, text: str = "") -> pa.RecordBatch:
    """So many keys of so many rows."""
    rows = range(keys * each)
    columns = {
        "first": pa.array([row % each == 0 for row in rows]),
        "ts": pa.array([row % each * apart for row in rows]).cast(pa.timestamp("us", "UTC")),
        "k": pa.array([row // each for row in rows]),
        "text": pa.array([f"{row}{text}" for row in rows]),
    }
    return pa.RecordBatch.from_pydict(columns)


def _fired(task: Task, rows: pa.RecordBatch, *, columnar: bool) -> list[Any]:
    """The rows that leave the worker; the rows come in batches of seven."""
    batches = [rows.slice(begin, 7) for begin in range(0, rows.num_rows, 7)]
    return [row for batch in run_partition(task, batches, columnar=columnar) for row in batch.to_pylist()]
