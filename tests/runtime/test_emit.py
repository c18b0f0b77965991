"""EMIT in the operator: what is sent early, on time and late; changelogs against a table made anew after each row."""

from __future__ import annotations

import random
from collections import Counter
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import pytest
from harness import EVENT, VALUE, Run

from winsql.model.assigners import Assigner, SessionWindows, SlidingWindows, TumblingWindows
from winsql.model.base import MAX_TIME, PaneTiming, Window
from winsql.model.emitting import Changes, Emit, RowKind
from winsql.model.query import WindowSpec
from winsql.runtime.aggregates import Aggregate
from winsql.runtime.contents import Contents

SECOND = 1_000_000


class Values(Aggregate):
    """The values of a window in order; enough to tell every result from every other."""

    def create(self) -> tuple[Any, ...]:
        return ()

    def add(self, accumulator: tuple[Any, ...], row: Any) -> tuple[Any, ...]:
        return (*accumulator, VALUE.of(row))

    def merge(self, left: tuple[Any, ...], right: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted((*left, *right)))

    def result(self, accumulator: tuple[Any, ...]) -> tuple[Any, ...]:
        return tuple(sorted(accumulator))


def run_of(assigner: Assigner, emit: Emit, lateness: int = 0, kind: Callable[..., Run] = Run) -> Run:
    spec = WindowSpec.of(assigner, emit.trigger(assigner), allowed_lateness=lateness, changes=emit.changes)
    return kind(spec, Contents((Values(),), keep_rows=False))  # type: ignore[abstract]


def sums(run: Run) -> list[Any]:
    return [(f.pane_timing, f.result[0]) for f in run.take()]


TEN = TumblingWindows(EVENT, 10 * SECOND)


def test_early_by_rows_counts_since_the_last_result() -> None:
    run = run_of(TEN, Emit(early_rows=2), 10 * SECOND)
    run.add(1, 1).add(2, 2)
    assert sums(run) == [(PaneTiming.EARLY, (1, 2))]
    run.add(3, 3).watermark(10 * SECOND)
    assert sums(run) == [(PaneTiming.ON_TIME, (1, 2, 3))]
    run.add(4, 4)
    assert sums(run) == [(PaneTiming.LATE, (1, 2, 3, 4))]


def test_early_by_the_clock_from_the_first_row_without_a_result() -> None:
    run = run_of(TEN, Emit(early=5 * SECOND))
    run.clock(100 * SECOND).add(1, 1).clock(103 * SECOND).add(2, 2).clock(105 * SECOND)
    assert sums(run) == [(PaneTiming.EARLY, (1, 2))]
    run.clock(120 * SECOND)
    assert sums(run) == []
    run.add(3, 3).clock(124 * SECOND)
    assert sums(run) == []
    run.watermark(10 * SECOND).clock(200 * SECOND)
    assert sums(run) == [(PaneTiming.ON_TIME, (1, 2, 3))]


def test_late_by_the_clock_gathers_late_rows() -> None:
    run = run_of(TEN, Emit(late=5 * SECOND), 100 * SECOND)
    run.clock(100 * SECOND).add(1, 1).watermark(10 * SECOND)
    assert sums(run) == [(PaneTiming.ON_TIME, (1,))]
    run.add(2, 2).clock(104 * SECOND).add(3, 3)
    assert sums(run) == []
    run.clock(105 * SECOND)
    assert sums(run) == [(PaneTiming.LATE, (1, 2, 3))]
    run.add(4, 4).watermark(MAX_TIME).clock(200 * SECOND)  # the window is gone before the clock comes
    assert sums(run) == []


def test_discarding_sends_what_is_new() -> None:
    run = run_of(TEN, Emit(early_rows=2, discards=True))
    run.add(1, 1).add(2, 2).add(3, 3).watermark(10 * SECOND)
    assert sums(run) == [(PaneTiming.EARLY, (1, 2)), (PaneTiming.ON_TIME, (3,))]


def test_rows_of_a_changelog() -> None:
    run = Changed(SessionWindows(EVENT, 5 * SECOND), Emit(early_rows=1, changes=Changes.RETRACTIONS))
    for second, value in ((0, 1), (1, 2), (8, 3), (5, 4)):
        run.run.add(second * SECOND, value)
    window = [Window(a * SECOND, b * SECOND) for a, b in ((0, 5), (0, 6), (8, 13), (0, 13))]
    assert run.changes == [
        (RowKind.INSERT, window[0], 0, (1,)),
        (RowKind.DELETE, window[0], 0, (1,)),
        (RowKind.INSERT, window[1], 1, (1, 2)),
        (RowKind.INSERT, window[2], 0, (3,)),
        (RowKind.DELETE, window[1], 1, (1, 2)),
        (RowKind.DELETE, window[2], 0, (3,)),
        (RowKind.INSERT, window[3], 2, (1, 2, 3, 4)),
    ]


class _Applied(Run):
    """Hands each row of a changelog on."""

    def __init__(self, apply: Callable[..., None], *given: Any) -> None:
        self._emit = apply  # type: ignore[method-assign]
        super().__init__(*given)


class Changed:
    """A run that applies each change to a table as it comes: a bag of rows, or the rows by their windows."""

    def __init__(self, assigner: Assigner, emit: Emit, lateness: int = 0) -> None:
        self.assigner = assigner
        self.run = run_of(assigner, emit, lateness, partial(_Applied, self._apply))
        self.by_key = emit.changes is Changes.UPSERT
        self.changes: list[Any] = []
        self.bag: Counter[Any] = Counter()
        self.table: dict[Any, Any] = {}

    def _apply(self, key: Any, window: Any, index: int, timing: Any, timer: Any, result: Any, kind: RowKind) -> None:
        self.changes.append((kind, window, index, result[0]))
        row = (window, result[0])
        if self.by_key:
            assert (kind is RowKind.INSERT) == (kind is not RowKind.DELETE and window not in self.table)
            assert kind is not RowKind.UPDATE_BEFORE
            if kind is RowKind.DELETE:
                assert self.table.pop(window) == result[0]
            else:
                self.table[window] = result[0]
            return
        takes_back = kind in (RowKind.UPDATE_BEFORE, RowKind.DELETE)
        self.bag[row] += -1 if takes_back else 1
        assert self.bag[row] >= 0
        self.bag += Counter()

    def rows(self) -> Counter[Any]:
        return Counter(self.table.items()) if self.by_key else self.bag


def from_the_start(assigner: Assigner, rows: list[tuple[int, int]]) -> Counter[Any]:
    """The results of a batch run over the rows, by the definition of the windows."""
    if isinstance(assigner, SessionWindows):
        windows = list(sessions(sorted(rows), 4 * SECOND))
    else:
        slide, size = (5 * SECOND, 15 * SECOND) if isinstance(assigner, SlidingWindows) else (10 * SECOND, 10 * SECOND)
        starts = {time - time % slide - n * slide for time, _ in rows for n in range(size // slide)}
        windows = [(start, start + size) for start in starts]
    held = {(a, b): tuple(sorted(value for time, value in rows if a <= time < b)) for a, b in windows}
    return Counter((Window(a, b), values) for (a, b), values in held.items() if values)


def sessions(rows: list[tuple[int, int]], gap: int) -> Iterator[tuple[int, int]]:
    start, end = rows[0][0], rows[0][0] + gap
    for time, _ in rows:
        if time > end:
            yield start, end
            start = time
        end = time + gap
    yield start, end


ASSIGNERS = (
    TEN,
    SlidingWindows(EVENT, 15 * SECOND, 5 * SECOND),
    SessionWindows(EVENT, 4 * SECOND),
)


@pytest.mark.parametrize("changes", Changes)
@pytest.mark.parametrize("assigner", ASSIGNERS, ids=lambda a: a.NAME)
@pytest.mark.parametrize("seed", range(30))
def test_changes_give_the_table_of_a_batch_run_over_the_rows_so_far(
    assigner: Assigner, changes: Changes, seed: int
) -> None:
    draw = random.Random(f"{assigner.NAME} {changes.name} {seed}")
    run = Changed(assigner, Emit(early_rows=1, changes=changes), 1_000 * SECOND)
    taken: list[tuple[int, int]] = []
    watermark = 0
    for value in range(draw.randrange(5, 40)):
        taken.append((draw.randrange(0, 60 * SECOND), value))
        run.run.add(*taken[-1])
        assert run.rows() == from_the_start(assigner, taken)
        if draw.random() < 0.2:
            watermark = draw.randrange(watermark, 60 * SECOND)
            run.run.watermark(watermark)
            assert run.rows() == from_the_start(assigner, taken)


@pytest.mark.parametrize("changes", Changes)
@pytest.mark.parametrize("assigner", ASSIGNERS, ids=lambda a: a.NAME)
@pytest.mark.parametrize("seed", range(30))
def test_every_emit_gives_that_table_when_all_is_over(assigner: Assigner, changes: Changes, seed: int) -> None:
    draw = random.Random(f"end {assigner.NAME} {changes.name} {seed}")
    early = {"early_rows": draw.randrange(1, 4)} if draw.random() < 0.5 else {"early": draw.randrange(1, 20) * SECOND}
    late = {} if draw.random() < 0.5 else {"late": draw.randrange(1, 20) * SECOND}
    run = Changed(assigner, Emit(changes=changes, **early, **late), 1_000 * SECOND)
    taken: list[tuple[int, int]] = []
    now = 500 * SECOND
    for value in range(draw.randrange(5, 40)):
        taken.append((draw.randrange(0, 60 * SECOND), value))
        run.run.add(*taken[-1])
        if draw.random() < 0.3:
            run.run.watermark(draw.randrange(0, 60 * SECOND))
        if draw.random() < 0.3:
            now += draw.randrange(0, 10 * SECOND)
            run.run.clock(now)
    run.run.watermark(80 * SECOND).clock(now + 100 * SECOND)
    assert run.rows() == from_the_start(assigner, taken)
