"""Windows combined from slices against the per-row operator: same firings, same late rows, same state."""

from __future__ import annotations

from dataclasses import replace
from itertools import accumulate
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from carried import Make, PortableFunction, Step, agree, keys_of, moving
from engines import AGGREGATES, COLUMNS, EVENT, KEYS, call
from hypothesis import given, settings
from hypothesis import strategies as st
from test_engines_agree import ROWS, row

from winsql.errors import WindowDataError
from winsql.model.assigners import Assigner, CumulatingWindows, SlidingWindows, TumblingWindows
from winsql.model.base import MAX_TIME, MIN_TIME
from winsql.model.nested_triggers import PurgingTrigger
from winsql.model.query import WindowSpec
from winsql.model.triggers import ContinuousEventTimeTrigger, EventTimeTrigger
from winsql.runtime.aggregates import Aggregate
from winsql.runtime.columnar import ColumnarPlan, Unfit, new_engine, plan_of
from winsql.runtime.columnar.panes.engine import PanesEngine
from winsql.runtime.columnar.shared import cells as cells_module
from winsql.runtime.columnar.shared.aggregates import aggregate_form
from winsql.runtime.columnar.shared.overflow import may_exceed
from winsql.runtime.columnar.shared.parts import TOTAL_INTEGRAL
from winsql.runtime.columnar.slices import codec as slices_codec
from winsql.runtime.columnar.slices.engine import SlicedEngine

SETTINGS = settings(max_examples=25)


def exact(aggregate: Any) -> bool:
    form = aggregate_form(aggregate)
    return form is not None and all(part.exact for part in form.parts)


EXACT = (*filter(exact, AGGREGATES), call("AVG", "int", result=pa.float64()))


@st.composite
def sliding(draw: st.DrawFn) -> SlidingWindows:
    slide = draw(st.integers(1, 15))
    return SlidingWindows(EVENT, draw(st.integers(1, 40)), slide, draw(st.integers(1 - slide, slide - 1)))


@st.composite
def cumulating(draw: st.DrawFn) -> CumulatingWindows:
    step = draw(st.integers(1, 15))
    size = step * draw(st.integers(2, 5))
    return CumulatingWindows(EVENT, size, step, draw(st.integers(1 - size, size - 1)))


@st.composite
def tumbling(draw: st.DrawFn) -> TumblingWindows:
    size = draw(st.integers(1, 40))
    return TumblingWindows(EVENT, size, draw(st.integers(1 - size, size - 1)))


WINDOWS: st.SearchStrategy[Assigner] = st.one_of(tumbling(), sliding(), cumulating())
SPECS = st.builds(
    WindowSpec.of,
    WINDOWS,
    st.sampled_from([EventTimeTrigger(), PurgingTrigger(EventTimeTrigger())]),
    late_output=st.booleans(),
)


def make_sliced(plan: ColumnarPlan, watermark: int, now: int) -> SlicedEngine:
    form = plan.slices()
    assert form is not None
    return SlicedEngine(plan, form, KEYS, watermark, now)


def make_panes(plan: ColumnarPlan, watermark: int, now: int) -> PanesEngine:
    return PanesEngine(plan, KEYS, watermark, now)


MAKES: list[Make] = [make_sliced, make_panes]


@st.composite
def steps(draw: st.DrawFn, engines: list[int]) -> list[Step]:
    """Micro-batches, the clock never back."""
    drawn = draw(
        st.lists(
            st.tuples(
                st.just(MIN_TIME) | st.integers(-120, 160),
                st.none() | st.integers(0, 20),
                st.lists(ROWS, max_size=25),
                st.sampled_from(engines),
            ),
            max_size=6,
        )
    )
    clock = accumulate(passed or 0 for _, passed, _, _ in drawn)
    return [
        Step(watermark, None if passed is None else now, rows, engine)
        for now, (watermark, passed, rows, engine) in zip(clock, drawn, strict=True)
    ]


@SETTINGS
@given(SPECS, steps([0]))
def test_slices_agree(spec: WindowSpec, batches: list[Step]) -> None:
    assert agree(spec, EXACT, MAKES, batches)[1].unfit == 0


@SETTINGS
@given(SPECS, steps([-1, 0, 1]))
def test_the_engines_continue_each_other(spec: WindowSpec, batches: list[Step]) -> None:
    assert agree(spec, EXACT, MAKES, batches)[1].unfit == 0


@SETTINGS
@given(SPECS, steps([-1, 0]), st.lists(ROWS, max_size=25), st.booleans())
def test_the_end(spec: WindowSpec, batches: list[Step], rows: list[Any], table: bool) -> None:
    end = Step(MIN_TIME if table else MAX_TIME, None, rows if table else [], 0, table)
    assert agree(spec, EXACT, MAKES, [*batches, end])[1].states() == {}


@pytest.mark.parametrize("seed", range(4))
@pytest.mark.parametrize(
    "assigner",
    [
        TumblingWindows(EVENT, 12, 5),
        SlidingWindows(EVENT, 20, 5),
        SlidingWindows(EVENT, 19, 7, -3),
        SlidingWindows(EVENT, 3, 8),
        CumulatingWindows(EVENT, 24, 6, 1),
        CumulatingWindows(EVENT, 24, 6, -17),
    ],
    ids=["tumbling", "sliding", "cut slides", "gaps", "cumulating", "cumulating from an offset longer than the step"],
)
def test_a_stream_that_moves_on(assigner: Assigner, seed: int) -> None:
    spec = WindowSpec.of(assigner, late_output=seed > 2)
    end = Step(MIN_TIME, None, [], 0, ends=seed % 2 == 0)
    assert agree(spec, EXACT, MAKES, [*moving(seed, [0, 0, 0, 0, 1, -1]), end])[1].unfit == 0


def run_both(spec: WindowSpec, batches: list[Step]) -> PortableFunction:
    return agree(spec, EXACT, MAKES, batches)[1]


SLIDING = WindowSpec.of(SlidingWindows(EVENT, 10, 4))


@pytest.mark.parametrize("zeros", [(-0.0, 0.0), (0.0, -0.0)])
def test_of_two_zeros_the_first_stays(zeros: tuple[float, float]) -> None:
    rows = [row("a", time, double=zero) for time, zero in zip((9, 1), zeros, strict=True)]
    run = run_both(SLIDING, [Step(MIN_TIME, None, rows), Step(MAX_TIME, None, [])])
    least = EXACT.index(call("MIN", "double"))
    assert [results[least] for start, _, _, _, results in run.outcome.firings["a"] if start == 0] == [repr(zeros[0])]


def test_a_zero_that_another_engine_has_seen_came_first() -> None:
    first, second = row("a", 9, double=-0.0), row("a", 1, double=0.0)
    steps = [Step(MIN_TIME, None, [first], -1), Step(MIN_TIME, None, [second]), Step(MAX_TIME, None, [])]
    assert run_both(SLIDING, steps).unfit == 0


def test_a_row_in_a_gap_is_late_only_before_the_watermark() -> None:
    gaps = WindowSpec.of(SlidingWindows(EVENT, 2, 10))
    run = run_both(gaps, [Step(5, None, [row("a", 5), row("a", 6), row("a", 11), row("a", 1)])])
    assert run.outcome.dropped == 2


def test_a_clock_set_back_goes_to_the_per_row_operator() -> None:
    steps = [Step(MIN_TIME, now, [row("a", 3)]) for now in (10, 9, 11)]
    assert run_both(SLIDING, steps).unfit == 1


def test_sums_near_the_end_of_64_bits_go_to_the_per_row_operator() -> None:
    large = [row("a", 3, long=2**61), row("a", 4, long=-(2**61))]
    assert run_both(SLIDING, [Step(MIN_TIME, None, large)]).unfit == 1


def test_sums_of_doubles_are_exact_below_their_limit_only() -> None:
    column, key = np.array([float(1 << 51)] * 4), np.zeros(4, dtype=np.int64)
    assert not may_exceed(TOTAL_INTEGRAL.limit or 0, [(key[:3], column[:3])])
    assert may_exceed(TOTAL_INTEGRAL.limit or 0, [(key[:3], column[:3]), (key[:1], -column[:1])])


def test_large_values_of_many_keys_do_not() -> None:
    large = [row(key, 3, long=2**60) for key in "abcdefgh"]
    assert run_both(SLIDING, [Step(MIN_TIME, None, large), Step(MAX_TIME, None, [])]).unfit == 0


def test_times_far_apart() -> None:
    every_instant = WindowSpec.of(SlidingWindows(EVENT, 3, 1))
    times = [("a", 3), ("b", 2**60), ("c", -(2**60)), ("a", -(2**60)), ("a", 5), ("b", 2**60 + 1)]
    rows = [row(key, time) for key, time in times]
    steps = [Step(MIN_TIME, None, rows), Step(2**60, None, []), Step(MAX_TIME, None, [])]
    assert run_both(every_instant, steps).unfit == 0


def test_panes_that_have_fired_early_go_to_the_per_row_operator() -> None:
    plan = plan_of(SLIDING, EXACT, [pa.string()])
    early = plan_of(replace(SLIDING, trigger=ContinuousEventTimeTrigger(3)), EXACT, [pa.string()])
    assert isinstance(plan, ColumnarPlan)
    assert isinstance(early, ColumnarPlan)
    engine = make_panes(early, MIN_TIME, 0)
    slots = [
        None,
        pa.array([1]),
        *(pa.array([row("a", 1)[place]], kind) for place, kind in enumerate(COLUMNS.values(), 2)),
    ]
    engine.process(keys_of(["a"]), slots, np.array([0]))
    with pytest.raises(Unfit, match="before its end"):
        make_sliced(plan, MIN_TIME, 0).restore(engine.portion(np.array([0])).encoded())


def test_state_of_other_windows_and_versions_is_refused(monkeypatch: pytest.MonkeyPatch) -> None:
    run = run_both(SLIDING, [Step(MIN_TIME, None, [row("a", 1)])])
    assert run.data is not None
    other = plan_of(replace(SLIDING, assigner=SlidingWindows(EVENT, 10, 5)), EXACT, [pa.string()])
    assert isinstance(other, ColumnarPlan)
    with pytest.raises(WindowDataError, match="belongs to other windows"):
        make_sliced(other, MIN_TIME, 0).restore(run.data)
    monkeypatch.setattr(slices_codec, "SLICED_VERSION", 2)
    with pytest.raises(WindowDataError, match="format version 1, this winsql reads version 2"):
        slices_codec.decode_sliced(run.data)


@pytest.mark.parametrize(
    ("spec", "aggregates", "is_sliced"),
    [
        (SLIDING, EXACT, True),
        (replace(SLIDING, trigger=PurgingTrigger(EventTimeTrigger())), EXACT, True),
        (WindowSpec.of(TumblingWindows(EVENT, 5)), EXACT, True),
        (replace(SLIDING, trigger=ContinuousEventTimeTrigger(3)), EXACT, False),
        (replace(SLIDING, allowed_lateness=1), EXACT, False),
        (SLIDING, AGGREGATES, False),
    ],
)
def test_which_queries_are_sliced(spec: WindowSpec, aggregates: tuple[Aggregate, ...], is_sliced: bool) -> None:
    plan = plan_of(spec, aggregates, [pa.string()])
    assert isinstance(plan, ColumnarPlan)
    assert isinstance(new_engine(plan, KEYS, MIN_TIME, 0), SlicedEngine) is is_sliced


@pytest.mark.parametrize("dense", [0, 1 << 40], ids=["sorted", "by table"])
@SETTINGS
@given(st.lists(st.integers(0, 60), max_size=30))
def test_both_ways_of_finding_what_is_distinct(dense: int, cells: list[int]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cells_module, "_DENSE", dense)
        patch.setattr(cells_module, "_SMALL", 0)
        first, places = cells_module.distinct(np.array(cells, dtype=np.int64), 61)
    assert [cells[place] for place in first.tolist()] == sorted(set(cells))
    assert first.tolist() == [cells.index(cell) for cell in sorted(set(cells))]
    assert [sorted(set(cells))[place] for place in places.tolist()] == cells
