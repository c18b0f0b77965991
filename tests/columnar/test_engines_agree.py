"""The columnar engine against the per-row operator: same firings, same late rows, same state, batch after batch."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import pytest
from engines import AGGREGATES, EVENT, PROCESSING, SLOTS, Batch, Row, Switching, call, comparable
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from winsql.errors import WindowDataError
from winsql.model.assigners import (
    Assigner,
    CountWindows,
    CumulatingWindows,
    GlobalWindows,
    SessionWindows,
    SlidingWindows,
    TumblingWindows,
)
from winsql.model.base import MAX_TIME, MIN_TIME, Operand, Window
from winsql.model.evictors import CountEvictor, DeltaEvictor, Evictor, TimeEvictor
from winsql.model.nested_triggers import PurgingTrigger
from winsql.model.query import WindowSpec
from winsql.model.triggers import (
    ContinuousEventTimeTrigger,
    ContinuousProcessingTimeTrigger,
    CountTrigger,
    DeltaTrigger,
    EndOfStreamTrigger,
    EventTimeTrigger,
    NeverTrigger,
    ProcessingTimeTrigger,
    Trigger,
)
from winsql.runtime.columnar.panes import engine as engine_module

SETTINGS = settings(max_examples=120)
SIZES = st.integers(1, 40)
TIMES = st.integers(-100, 100)


CLOCKS = st.sampled_from([EVENT, EVENT, PROCESSING])


@st.composite
def tumbling(draw: st.DrawFn) -> TumblingWindows:
    size = draw(SIZES)
    return TumblingWindows(draw(CLOCKS), size, draw(st.integers(1 - size, size - 1)))


@st.composite
def sliding(draw: st.DrawFn) -> SlidingWindows:
    slide = draw(SIZES)
    return SlidingWindows(draw(CLOCKS), draw(SIZES), slide, draw(st.integers(1 - slide, slide - 1)))


@st.composite
def cumulating(draw: st.DrawFn) -> CumulatingWindows:
    step = draw(st.integers(1, 15))
    size = step * draw(st.integers(1, 5))
    return CumulatingWindows(draw(CLOCKS), size, step, draw(st.integers(1 - size, size - 1)))


ASSIGNERS: st.SearchStrategy[Assigner] = st.one_of(
    tumbling(), sliding(), cumulating(), st.just(GlobalWindows()), st.builds(CountWindows, st.integers(1, 9))
)
INTERVALS = st.integers(1, 30)
COUNTS = st.builds(CountTrigger, st.integers(1, 9))
OPERANDS = st.sampled_from([Operand(name, SLOTS[name]) for name in ("long", "int", "double", "float", "time", "day")])
THRESHOLDS = st.sampled_from([0, 1, 0.25, 5, 1e9, 1e300])
DELTAS = st.builds(DeltaTrigger, OPERANDS, THRESHOLDS, st.booleans())


@st.composite
def specs(draw: st.DrawFn) -> WindowSpec:
    """Any assigner with any trigger that follows its clock or looks at rows."""
    assigner = draw(ASSIGNERS)
    triggers: list[st.SearchStrategy[Trigger]] = [COUNTS, DELTAS]
    if assigner.is_global:
        triggers += [st.just(NeverTrigger()), st.just(EndOfStreamTrigger())]
    if assigner.is_event_time or assigner.is_global:
        triggers += [st.just(EventTimeTrigger()), st.builds(ContinuousEventTimeTrigger, INTERVALS)] * 2
    if not assigner.is_event_time:
        triggers += [st.just(ProcessingTimeTrigger()), st.builds(ContinuousProcessingTimeTrigger, INTERVALS)]
    trigger = draw(st.one_of(triggers))
    if draw(st.booleans()):
        trigger = PurgingTrigger(trigger)
    lateness, late_output = draw(st.integers(0, 60)), draw(st.booleans())
    return WindowSpec.of(assigner, trigger, allowed_lateness=lateness, late_output=late_output)


@st.composite
def evicting(draw: st.DrawFn) -> WindowSpec:
    """A spec with an evictor, before or after the firing, or with none."""
    evictor = draw(EVICTORS)
    return replace(draw(SPECS), evictor=evictor, evict_after=evictor is not None and draw(st.booleans()))


SPECS = specs()
EVICTORS: st.SearchStrategy[Evictor | None] = st.one_of(
    st.none(),
    st.builds(CountEvictor, st.integers(0, 6)),
    st.builds(TimeEvictor, st.integers(0, 50)),
    st.builds(DeltaEvictor, OPERANDS, THRESHOLDS, st.booleans()),
)
DOUBLES = st.sampled_from([0.0, -0.0, math.nan, math.inf, -math.inf, 0.1, 0.2, 0.3, -7.5, 1e300, -1e300, 1e-300])
FLOATS = st.sampled_from([0.0, -0.0, math.nan, math.inf, 0.5, -0.25, 3.0])
LONGS = st.integers(-(2**52), 2**52)
ROWS: st.SearchStrategy[Row] = st.tuples(
    st.sampled_from(["a", "b", "c"]),
    TIMES,
    st.none() | LONGS,
    st.none() | st.integers(-(2**31), 2**31 - 1),
    st.none() | DOUBLES,
    st.none() | FLOATS,
    st.none() | st.booleans(),
    st.none() | st.integers(-(10**9), 10**9),
    st.none() | st.integers(-1000, 1000),
    st.none() | st.integers(-(10**9), 10**9),
)
BATCHES = st.lists(
    st.builds(
        Batch,
        st.just(MIN_TIME) | st.integers(-120, 160),
        st.none() | st.integers(0, 100),
        st.lists(ROWS, max_size=25),
        st.booleans(),
    ),
    max_size=6,
)


def agree(spec: WindowSpec, batches: list[Batch], columnar: list[bool], *, hands_rows: bool = False) -> Switching:
    """Run the batches on the per-row operator, and on the engines told; they must agree after each."""
    reference, other = Switching(spec, hands_rows=hands_rows), Switching(spec, hands_rows=hands_rows)
    for batch, choice in zip(batches, columnar, strict=True):
        reference.run(replace(batch, columnar=False))
        other.run(replace(batch, columnar=choice))
        assert other.outcome.firings == reference.outcome.firings
        assert sorted(other.outcome.late) == sorted(reference.outcome.late)
        assert other.outcome.dropped == reference.outcome.dropped
        assert comparable(other.state()) == comparable(reference.state())
    return other


@SETTINGS
@given(SPECS, BATCHES)
def test_the_engines_agree(spec: WindowSpec, batches: list[Batch]) -> None:
    assert agree(spec, batches, [True] * len(batches)).unfit == 0


@SETTINGS
@given(SPECS, BATCHES)
def test_the_engines_continue_each_other(spec: WindowSpec, batches: list[Batch]) -> None:
    assert agree(spec, batches, [batch.columnar for batch in batches]).unfit == 0


@pytest.mark.slow
@SETTINGS
@given(SPECS, BATCHES)
def test_the_size_of_a_step_does_not_matter(spec: WindowSpec, batches: list[Batch]) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(engine_module, "MAX_PAIRS", 3)
        agree(spec, batches, [True] * len(batches))


def fires_for_ever(spec: WindowSpec) -> bool:
    """Whether the last watermark would never be done: it fires at each interval up to the end of time."""
    trigger = spec.trigger.trigger if isinstance(spec.trigger, PurgingTrigger) else spec.trigger
    return spec.assigner.is_global and isinstance(trigger, ContinuousEventTimeTrigger)


@SETTINGS
@given(SPECS, BATCHES)
def test_nothing_is_left_at_the_end_of_time(spec: WindowSpec, batches: list[Batch]) -> None:
    assume(not fires_for_ever(spec))
    end = Batch(MAX_TIME, None, [], True)
    run = agree(spec, [*batches, end], [True] * (len(batches) + 1))
    assert comparable(run.state()) == {} or not spec.assigner.is_event_time


@SETTINGS
@given(evicting(), BATCHES, st.booleans(), st.booleans())
def test_the_engines_agree_on_kept_rows(
    spec: WindowSpec, batches: list[Batch], hands_rows: bool, switches: bool
) -> None:
    columnar = [batch.columnar or not switches for batch in batches]
    agree(spec, batches, columnar, hands_rows=hands_rows or spec.evictor is None)


@SETTINGS
@given(SPECS, st.lists(st.lists(ROWS, max_size=25), min_size=1, max_size=4), st.integers(0, 100))
def test_the_engines_end_a_bounded_input_alike(spec: WindowSpec, portions: list[list[Row]], now: int) -> None:
    batches = [Batch(MIN_TIME, now, rows, True) for rows in portions]
    batches[-1].ends = True
    run = agree(spec, batches, [True] * len(batches))
    assert run.unfit == 0
    assert comparable(run.state()) == {}


def row(key: str, time: int | None, *, long: int = 1, double: float = 1.0) -> Row:
    return (key, time, long, 1, double, 1.0, True, 0, 0, 0)


def test_a_sum_beyond_64_bits_goes_to_the_per_row_operator() -> None:
    rows = [row("a", 1, long=2**62), row("a", 2, long=2**62), row("a", 3, long=-(2**62))]
    run = agree(WindowSpec.of(TumblingWindows(EVENT, 10)), [Batch(0, None, rows, True)], [True])
    assert run.unfit == 1


def test_a_sum_that_overflows_is_the_per_row_operators_error() -> None:
    run = Switching(WindowSpec.of(TumblingWindows(EVENT, 10)))
    run.run(Batch(0, None, [row("a", 1, long=2**62), row("a", 2, long=2**62)], True))
    with pytest.raises(WindowDataError, match="ARITHMETIC_OVERFLOW"):
        run.run(Batch(50, None, [], True))
    assert run.unfit == 2


def test_keys_that_share_a_hash_go_to_the_per_row_operator() -> None:
    """When rows come: time alone passes for numbers of keys."""
    rows = [row("collides", 1), row("collided", 2), row("collides", 3)]
    batches = [Batch(0, None, rows, True), Batch(0, None, rows[:1], True), Batch(50, None, [], True)]
    assert agree(WindowSpec.of(TumblingWindows(EVENT, 10)), batches, [True] * 3).unfit == 2


def test_a_key_that_shares_the_hash_of_one_in_state() -> None:
    batches = [Batch(0, None, [row("collides", 1)], True), Batch(0, None, [row("collided", 2)], True)]
    assert agree(WindowSpec.of(TumblingWindows(EVENT, 10)), batches, [True] * 2).unfit == 1


@pytest.mark.parametrize("size", [10, 40])
def test_keys_come_again_when_none_has_state(size: int) -> None:
    """Some of them in the micro-batch in which they fire, one in place of a key that shares its hash."""
    first = [row("a", 1), row("collides", 2), row("b", 3)]
    again = [row("c", 101), row("b", 102), row("collided", 103), row("a", 104), row("b", 105)]
    batches = [Batch(0, None, first, True), Batch(60, None, again, True), Batch(200, None, first[:1], True)]
    for spec in (WindowSpec.of(TumblingWindows(EVENT, size)), WindowSpec.of(SessionWindows(EVENT, size))):
        assert agree(spec, batches, [True] * 3).unfit == 0


def test_a_row_without_time_is_the_per_row_operators_error() -> None:
    run = Switching(WindowSpec.of(TumblingWindows(EVENT, 10)))
    with pytest.raises(WindowDataError, match="no event time"):
        run.run(Batch(0, None, [row("a", None)], True))


@pytest.mark.parametrize("time", [MAX_TIME, MAX_TIME - 100, MIN_TIME + 100])
def test_times_near_the_end_of_64_bits(time: int) -> None:
    batches = [Batch(0, None, [row("a", time)], True), Batch(50, None, [row("a", 60)], True)]
    assert agree(WindowSpec.of(TumblingWindows(EVENT, 10), allowed_lateness=5), batches, [True] * 2).unfit > 0


def test_many_late_rows_of_one_window_beside_few_of_others() -> None:
    rows = [row("a", 1, double=0.1 * n) for n in range(300)]
    rows += [row(key, 2 + n, double=0.7 * n) for n in range(5) for key in "bcd"]
    spec = WindowSpec.of(SlidingWindows(EVENT, 20, 5), allowed_lateness=100)
    run = agree(spec, [Batch(MIN_TIME, None, rows[:7], True), Batch(40, None, rows, True)], [True] * 2)
    assert len(run.outcome.firings["a"]) == 4 * 300 + 4


def test_timers_of_one_time_run_in_the_order_in_which_they_were_set() -> None:
    """At 15 the older window's timer is one that its firing at 10 has set, after that of the newer window."""
    spec = WindowSpec.of(SlidingWindows(EVENT, 40, 10), ContinuousEventTimeTrigger(5))
    batches = [Batch(MIN_TIME, None, [row("a", 31), row("a", 42)], True), Batch(60, None, [], True)]
    run = agree(spec, batches, [True] * 2)
    at_45 = [start for start, _, index, *_ in run.outcome.firings["a"] if (start, index) in {(10, 2), (40, 0)}]
    assert at_45 == [40, 10]


def test_a_firing_of_an_empty_window_still_counts_as_a_write() -> None:
    spec = WindowSpec.of(TumblingWindows(EVENT, 40), PurgingTrigger(ContinuousEventTimeTrigger(5)))
    batches = [Batch(MIN_TIME, 1, [row("a", 1)], True), Batch(6, 2, [], True), Batch(11, 3, [], True)]
    run = agree(spec, batches, [True] * 3)
    assert [pane.written for pane in run.state()["a"].panes.values()] == [3]


def fired(run: Switching, key: str = "a") -> list[tuple[Any, ...]]:
    """Per firing of the key its pane index, its timing and the COUNT(*)."""
    return [
        (index, timing and timing.value, results[0]) for _, _, index, timing, results, _ in run.outcome.firings[key]
    ]


@pytest.mark.parametrize("hands_rows", [False, True])
def test_of_firings_due_together_only_the_first_finds_what_it_purges(hands_rows: bool) -> None:
    spec = WindowSpec.of(TumblingWindows(EVENT, 40), PurgingTrigger(ContinuousEventTimeTrigger(5)))
    batches = [Batch(MIN_TIME, 1, [row("a", 1), row("a", 2)], True), Batch(60, 2, [], True)]
    assert fired(agree(spec, batches, [True] * 2, hands_rows=hands_rows)) == [(0, "EARLY", "2")]


@pytest.mark.parametrize(("signed", "rows_fired"), [(False, ["4", "3"]), (True, ["4"])])
def test_a_distance_of_the_threshold_does_not_fire(signed: bool, rows_fired: list[str]) -> None:
    trigger = PurgingTrigger(DeltaTrigger(Operand("long", SLOTS["long"]), 5, signed))
    rows = [row("a", 1, long=long) for long in (0, 5, -5, 6, 11, 1, 0)]
    batches = [Batch(MIN_TIME, None, rows[:1], True), Batch(MIN_TIME, None, rows[1:4], True)]
    batches.append(Batch(MIN_TIME, None, rows[4:], True))
    run = agree(WindowSpec.of(GlobalWindows(), trigger), batches, [True] * 3)
    assert [count for _, _, count in fired(run)] == rows_fired


@pytest.mark.parametrize("signed", [False, True])
@pytest.mark.parametrize("least", [-(2**63), 2**63 - 1])
def test_a_distance_from_the_ends_of_64_bits(least: int, signed: bool) -> None:
    trigger = DeltaTrigger(Operand("long", SLOTS["long"]), 5, signed)
    batches = [Batch(MIN_TIME, None, [row("a", 1, long=long)], True) for long in (0, least, 0)]
    agree(WindowSpec.of(GlobalWindows(), trigger), batches, [True] * 3)


def test_a_row_at_the_last_instant_of_a_window_of_the_clock_is_early() -> None:
    spec = WindowSpec.of(TumblingWindows(PROCESSING, 10), CountTrigger(1))
    run = agree(spec, [Batch(MIN_TIME, 9, [row("a", 1)], True)], [True])
    assert fired(run) == [(0, "EARLY", "1")]


def test_a_count_goes_on_from_batch_to_batch() -> None:
    spec = WindowSpec.of(TumblingWindows(EVENT, 10), CountTrigger(3), allowed_lateness=10)
    batches = [Batch(12, None, [row("a", 1)] * rows, True) for rows in (2, 2, 1, 7)]
    run = agree(spec, batches, [True] * 4)
    assert fired(run) == [(place, "LATE", str(3 * place + 3)) for place in range(4)]


def test_the_end_of_a_bounded_input_runs_a_timer_of_the_clock_once() -> None:
    spec = WindowSpec.of(GlobalWindows(), ContinuousProcessingTimeTrigger(10))
    run = agree(spec, [Batch(MIN_TIME, 5, [row("a", 1)] * 2, True, ends=True)], [True])
    assert fired(run) == [(0, None, "2")]


def test_what_cannot_be_told_in_the_middle_of_a_step_undoes_it() -> None:
    """The sum of the second firing leaves 64 bits: the per-row operator takes the whole batch, and finds the error."""
    spec = WindowSpec.of(GlobalWindows(), CountTrigger(1), CountEvictor(5))
    run = Switching(spec, (call("SUM", "long"),))
    run.run(Batch(MIN_TIME, None, [row("a", 1, long=2**62)], True))
    with pytest.raises(WindowDataError, match="ARITHMETIC_OVERFLOW"):
        run.run(Batch(MIN_TIME, None, [row("a", 1, long=-1), row("a", 1, long=2**62), row("a", 2, long=2**61)], True))
    assert run.unfit == 2
    assert len(run.outcome.firings["a"]) == 3


@pytest.mark.parametrize("zeros", [(-0.0, 0.0), (0.0, -0.0)])
@pytest.mark.parametrize("watermark", [MIN_TIME, 20], ids=["before the end", "after it"])
def test_of_two_zeros_the_first_stays(zeros: tuple[float, float], watermark: int) -> None:
    rows = [[row("a", 1, double=zero)] for zero in zeros]
    spec = WindowSpec.of(TumblingWindows(EVENT, 10), allowed_lateness=100)
    run = agree(spec, [Batch(watermark, None, each, True) for each in (*rows, [])], [True] * 3)
    accumulators = run.state()["a"].panes[Window(0, 10)].accumulators
    assert accumulators is not None
    assert [repr(accumulators[AGGREGATES.index(call(name, "double"))]) for name in ("MIN", "MAX")] == [
        repr(zeros[0])
    ] * 2


def test_state_of_another_version_is_refused() -> None:
    from winsql.runtime.columnar.shared import codec

    run = Switching(WindowSpec.of(TumblingWindows(EVENT, 10), CountTrigger(2)))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(codec, "COLUMNAR_VERSION", 9)
        run.run(Batch(0, None, [row("a", 1)], True))
    assert run.data is not None
    assert codec.is_columnar(run.data)
    with pytest.raises(WindowDataError, match="format version 9, this winsql reads version 5"):
        codec.decode_panes(run.data)


def test_state_of_other_aggregates_is_refused() -> None:
    from winsql.runtime.columnar.shared import codec

    run = Switching(WindowSpec.of(TumblingWindows(EVENT, 10), CountTrigger(2)))
    run.run(Batch(0, None, [row("a", 1)], True))
    assert run.data is not None
    with pytest.raises(WindowDataError, match="other aggregates"):
        codec.require_kinds(codec.decode_panes(run.data)[0], run.plan.kinds()[1:])
