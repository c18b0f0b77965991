"""Sessions of all keys at once against the per-row operator: same firings, same late rows, same state."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pyarrow as pa
import pytest
from carried import Make, PortableFunction, Step, agree, moving
from engines import AGGREGATES, EVENT, KEYS, SLOTS, call
from hypothesis import given, settings
from hypothesis import strategies as st
from test_engines_agree import ROWS, row

from winsql.errors import WindowDataError
from winsql.model.assigners import SessionWindows
from winsql.model.base import MAX_TIME, MIN_TIME, Operand, TimeAttribute, TimeDomain
from winsql.model.columnar.sessions import Sessions
from winsql.model.nested_triggers import PurgingTrigger
from winsql.model.query import WindowSpec
from winsql.model.triggers import (
    ContinuousEventTimeTrigger,
    CountTrigger,
    EventTimeTrigger,
    ProcessingTimeTrigger,
    Trigger,
)
from winsql.runtime.columnar import ColumnarPlan, plan_of
from winsql.runtime.columnar.sessions import merging, replay
from winsql.runtime.columnar.sessions.engine import SessionEngine

SETTINGS = settings(max_examples=25)
GAPS = st.integers(1, 30)
CALLS = (*AGGREGATES, call("AVG", "int", result=pa.float64()))
PROCESSING = TimeAttribute(TimeDomain.PROCESSING)


def spec_of(gap: Any, purging: bool, lateness: int, late_output: bool, event_time: bool = True) -> WindowSpec:
    trigger = EventTimeTrigger() if event_time else ProcessingTimeTrigger()
    return WindowSpec.of(
        SessionWindows(EVENT if event_time else PROCESSING, gap),
        PurgingTrigger(trigger) if purging else trigger,
        allowed_lateness=lateness,
        late_output=late_output,
    )


LATENESS = st.just(0) | st.integers(0, 60)
SPECS = st.builds(spec_of, GAPS | st.just(Operand("gap", SLOTS["interval"])), st.booleans(), LATENESS, st.booleans())
IN_PROCESSING_TIME = st.builds(
    spec_of,
    st.integers(1, 12) | st.just(Operand("gap", SLOTS["interval"])),
    st.booleans(),
    st.just(0),
    st.booleans(),
    st.just(False),
)


def make(plan: ColumnarPlan, watermark: int, now: int) -> SessionEngine:
    assert isinstance(plan.assigner, Sessions)
    return SessionEngine(plan, plan.assigner, KEYS, watermark, now)


MAKES: list[Make] = [make]
GAPPED = st.tuples(ROWS, GAPS).map(lambda pair: (*pair[0][:-1], pair[1]))
"""Rows whose interval can be a gap."""


@st.composite
def steps(draw: st.DrawFn, engines: list[int], *, until: int = 160) -> list[Step]:
    watermarks = st.just(MIN_TIME) | st.integers(-120, until)
    clocks = st.none() | st.integers(0, 60)
    rows = st.lists(GAPPED, max_size=25)
    return draw(st.lists(st.builds(Step, watermarks, clocks, rows, st.sampled_from(engines)), max_size=6))


@SETTINGS
@given(SPECS, steps([0]))
def test_sessions_agree(spec: WindowSpec, batches: list[Step]) -> None:
    assert agree(spec, CALLS, MAKES, batches)[1].unfit == 0


@SETTINGS
@given(SPECS, steps([-1, 0], until=40))
def test_the_engines_continue_each_other(spec: WindowSpec, batches: list[Step]) -> None:
    assert agree(spec, CALLS, MAKES, batches)[1].unfit == 0


@SETTINGS
@given(IN_PROCESSING_TIME, steps([-1, 0]))
def test_sessions_in_processing_time(spec: WindowSpec, batches: list[Step]) -> None:
    assert agree(spec, CALLS, MAKES, batches)[1].unfit == 0


@SETTINGS
@given(SPECS | IN_PROCESSING_TIME, steps([-1, 0], until=40), st.lists(GAPPED, max_size=25), st.booleans())
def test_the_end(spec: WindowSpec, batches: list[Step], rows: list[Any], table: bool) -> None:
    event_time = spec.assigner.is_event_time
    end = Step(MIN_TIME if table else MAX_TIME, None, rows if table else [], 0, table)
    run = agree(spec, CALLS, MAKES, [*batches, end])[1]
    assert run.states() == {} or not (table or event_time)


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize("lateness", [0, 12])
@pytest.mark.parametrize("gap", [4, 9, Operand("gap", SLOTS["interval"])], ids=["short", "long", "of rows"])
def test_a_stream_that_moves_on(gap: int | Operand, lateness: int, seed: int) -> None:
    spec = spec_of(gap, seed == 2, lateness, seed > 2)
    end = Step(MIN_TIME, None, [], 0, ends=seed % 2 == 0)
    assert agree(spec, CALLS, MAKES, [*moving(seed, [0, 0, 0, -1]), end])[1].unfit == 0


def run_both(spec: WindowSpec, batches: list[Step]) -> PortableFunction:
    return agree(spec, CALLS, MAKES, batches)[1]


def spans(run: PortableFunction, key: str = "a") -> list[tuple[int, int, int]]:
    """Start, end and pane index of a key's firings."""
    return [(start, end, index) for start, end, index, _, _ in run.outcome.firings[key]]


TEN = spec_of(10, False, 0, True)


def test_sessions_that_touch_are_one() -> None:
    run = run_both(TEN, [Step(MIN_TIME, None, [row("a", t) for t in (0, 21, 10, 32)]), Step(100, None, [])])
    assert spans(run) == [(0, 20, 0), (21, 31, 0), (32, 42, 0)]


def test_a_late_row_is_taken_by_the_session_it_meets_when_it_comes() -> None:
    rows = [row("a", 3), row("a", 12), row("a", 4), row("b", 4)]
    run = run_both(TEN, [Step(15, None, rows), Step(100, None, [])])
    assert run.outcome.late == [0, 3]
    assert spans(run) == [(4, 22, 0)]


def test_a_row_after_the_end_fires_the_session_again() -> None:
    spec = spec_of(10, False, 50, False)
    rows = [[row("a", 0)], [row("a", 2), row("a", 5)], [row("a", 14)], []]
    run = run_both(spec, [Step(at, None, batch) for at, batch in zip((MIN_TIME, 20, 20, 60), rows, strict=True)])
    assert spans(run) == [(0, 10, 0), (0, 12, 1), (0, 15, 2), (0, 24, 3)]


def test_sums_of_floats_follow_the_sessions_that_merged() -> None:
    """0.1 and 0.2 are a session and 0.4 is another one before 0.3 joins them."""
    doubles = [(0, 0.1), (25, 0.4), (5, 0.2), (15, 0.3)]
    run = run_both(TEN, [Step(MIN_TIME, None, [row("a", t, double=x) for t, x in doubles]), Step(100, None, [])])
    ((*_, results),) = run.outcome.firings["a"]
    assert results[AGGREGATES.index(call("SUM", "double"))] == repr((0.1 + 0.2) + 0.4 + 0.3)


@pytest.mark.parametrize("zeros", [(-0.0, 0.0), (0.0, -0.0)])
@pytest.mark.parametrize("time", [2, -3], ids=["before its end", "after it"])
def test_of_two_zeros_the_first_stays(zeros: tuple[float, float], time: int) -> None:
    steps = [Step(MIN_TIME, None, [row("a", 0, double=zeros[0])]), Step(8, None, [row("a", time, double=zeros[1])])]
    ((*_, results),) = run_both(TEN, [*steps, Step(100, None, [])]).outcome.firings["a"]
    extremes = [results[AGGREGATES.index(call(name, "double"))] for name in ("MIN", "MAX")]
    assert extremes == [repr(zeros[0])] * 2


def test_rows_in_order_need_no_replay(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(replay.Replay, "process", None)
    rows = [row(key, t, double=0.1 * t) for t in range(0, 60, 7) for key in "ab"]
    assert run_both(TEN, [Step(MIN_TIME, None, rows), Step(30, None, rows[-6:]), Step(200, None, [])]).unfit == 0


@pytest.mark.parametrize("gap", [None, 0, -3])
def test_a_gap_that_is_not_positive_is_the_per_row_operators_error(gap: int | None) -> None:
    run = PortableFunction(spec_of(Operand("gap", SLOTS["interval"]), False, 0, False), AGGREGATES, MAKES)
    with pytest.raises(WindowDataError, match="the gap gap of a row is"):
        run.run(Step(MIN_TIME, None, [(*row("a", 1)[:-1], gap)]))
    assert run.unfit == 1


def test_a_row_without_time_begins_at_the_least_one() -> None:
    run = run_both(TEN, [Step(MIN_TIME, None, [row("a", None), row("b", 3)]), Step(100, None, [])])
    assert run.unfit == 2
    assert spans(run) == [(MIN_TIME, MIN_TIME + 10, 0)]


def test_sums_near_the_end_of_64_bits_go_to_the_per_row_operator() -> None:
    large = [row("a", 3, long=2**61), row("a", 40, long=-(2**61))]
    assert run_both(TEN, [Step(MIN_TIME, None, large)]).unfit == 1


@SETTINGS
@given(SPECS, steps([0], until=40))
def test_ends_that_do_not_fit_64_bits_with_their_keys(spec: WindowSpec, batches: list[Step]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(merging, "SAFE", 0)
        assert run_both(spec, batches).unfit == 0


@pytest.mark.parametrize("trigger", [CountTrigger(2), ContinuousEventTimeTrigger(5)])
def test_other_triggers_run_on_the_per_row_operator(trigger: Trigger) -> None:
    reason = plan_of(replace(TEN, trigger=trigger), AGGREGATES, [pa.string()])
    assert reason == f"SESSION with the trigger {trigger.NAME} has no columnar form"
