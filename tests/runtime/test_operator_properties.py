"""Laws of the operator over random rows, windows and watermarks."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from typing import Any

from harness import EVENT, GAP, PROCESSING, VALUE, Run, bounded
from hypothesis import given, settings
from hypothesis import strategies as st

from winsql.model.assigners import Assigner, CumulatingWindows, SessionWindows, SlidingWindows, TumblingWindows
from winsql.model.base import MAX_TIME, Window
from winsql.model.evictors import CountEvictor, Evictor, TimeEvictor
from winsql.model.nested_triggers import AllTrigger, AnyTrigger, ProcessingTimeoutTrigger, PurgingTrigger
from winsql.model.query import WindowSpec
from winsql.model.triggers import (
    ContinuousEventTimeTrigger,
    ContinuousProcessingTimeTrigger,
    CountTrigger,
    DeltaTrigger,
    EventTimeTrigger,
    ProcessingTimeTrigger,
    Trigger,
)

SETTINGS = settings(max_examples=150)
TIMES = st.integers(-300, 300)
SIZES = st.integers(1, 60)


@st.composite
def sliding(draw: st.DrawFn) -> SlidingWindows:
    slide = draw(SIZES)
    return SlidingWindows(EVENT, draw(SIZES), slide, draw(st.integers(1 - slide, slide - 1)))


@st.composite
def cumulating(draw: st.DrawFn) -> CumulatingWindows:
    step = draw(st.integers(1, 20))
    size = step * draw(st.integers(1, 5))
    return CumulatingWindows(EVENT, size, step, draw(st.integers(1 - size, size - 1)))


SESSIONS = st.builds(SessionWindows, st.just(EVENT), SIZES | st.just(GAP))
TUMBLING = st.builds(TumblingWindows, st.just(EVENT), SIZES)
ASSIGNERS: st.SearchStrategy[Assigner] = st.one_of(TUMBLING, sliding(), cumulating(), SESSIONS)
MERGEABLE: st.SearchStrategy[Trigger] = st.one_of(
    st.just(EventTimeTrigger()),
    st.builds(CountTrigger, st.integers(1, 4)),
    st.builds(ContinuousEventTimeTrigger, st.integers(1, 40)),
    st.builds(ContinuousProcessingTimeTrigger, st.integers(1, 40)),
    st.just(ProcessingTimeTrigger()),
)
MERGEABLE = st.one_of(
    MERGEABLE,
    st.builds(PurgingTrigger, MERGEABLE),
    st.builds(AnyTrigger, st.tuples(MERGEABLE, MERGEABLE)),
    st.builds(AllTrigger, st.tuples(MERGEABLE, MERGEABLE)),
)
TRIGGERS: st.SearchStrategy[Trigger] = st.one_of(
    MERGEABLE,
    st.builds(DeltaTrigger, st.just(VALUE), st.integers(0, 50)),
    st.builds(ProcessingTimeoutTrigger, MERGEABLE, st.integers(1, 50), st.booleans(), st.booleans()),
)
EVICTORS: st.SearchStrategy[Evictor | None] = st.one_of(
    st.none(), st.builds(CountEvictor, st.integers(0, 3)), st.builds(TimeEvictor, st.integers(0, 50))
)


@st.composite
def specs(draw: st.DrawFn) -> WindowSpec:
    assigner = draw(ASSIGNERS)
    trigger = draw(MERGEABLE if assigner.is_merging else TRIGGERS)
    return WindowSpec.of(
        assigner,
        trigger,
        draw(EVICTORS),
        evict_after=draw(st.booleans()),
        allowed_lateness=draw(st.integers(0, 80)),
        late_output=draw(st.booleans()),
    )


STEPS = st.lists(
    st.one_of(
        st.tuples(st.just("row"), TIMES, st.integers(0, 100), st.integers(1, 30)),
        st.tuples(st.just("watermark"), TIMES),
        st.tuples(st.just("clock"), TIMES),
    ),
    max_size=40,
)


def feed(run: Run, steps: list[tuple[Any, ...]]) -> Run:
    for kind, time, *rest in steps:
        if kind == "row":
            run.add(time, rest[0], gap=rest[1], key=f"k{rest[0] % 3}")
        elif kind == "watermark":
            run.watermark(time)
        else:
            run.clock(time)
    return run


@SETTINGS
@given(sliding(), TIMES)
def test_sliding_assigns_exactly_the_windows_that_contain_the_row(assigner: SlidingWindows, time: int) -> None:
    first = -(10**6) // assigner.slide * assigner.slide + assigner.offset
    candidates = range(first + (time - first) // assigner.slide * assigner.slide, time - assigner.size, -assigner.slide)
    expected = [s for s in candidates if s <= time < s + assigner.size]
    assert [window.start for window in assigner.assign((0, time), 0)] == expected


@SETTINGS
@given(st.integers(1, 60), st.integers(-59, 59), TIMES)
def test_tumbling_is_sliding_with_slide_of_its_size(size: int, offset: int, time: int) -> None:
    offset %= size
    tumbling = TumblingWindows(EVENT, size, offset).assign((0, time), 0)
    assert list(tumbling) == list(SlidingWindows(EVENT, size, size, offset).assign((0, time), 0))
    assert tumbling[0].start <= time < tumbling[0].end
    assert (tumbling[0].start - offset) % size == 0


@SETTINGS
@given(cumulating(), TIMES)
def test_cumulating_windows_share_the_tumbling_start(assigner: CumulatingWindows, time: int) -> None:
    windows = assigner.assign((0, time), 0)
    (tumbling,) = TumblingWindows(EVENT, assigner.size, assigner.offset).assign((0, time), 0)
    ends = range(tumbling.start + assigner.step, tumbling.end + 1, assigner.step)
    assert list(windows) == [Window(tumbling.start, end) for end in ends if end > time]


def test_cumulating_windows_start_at_an_offset_longer_than_the_step() -> None:
    windows = CumulatingWindows(EVENT, 24, 1, 8).assign((0, 5), 0)
    assert list(windows) == [Window(-16, 6), Window(-16, 7), Window(-16, 8)]


@SETTINGS
@given(st.lists(st.tuples(TIMES, st.integers(1, 40)), max_size=25), st.randoms(use_true_random=False))
def test_the_order_of_merging_does_not_matter(rows: list[tuple[int, int]], random: Any) -> None:
    spec = WindowSpec.of(SessionWindows(EVENT, GAP))
    shuffled = random.sample(rows, len(rows))
    firings = []
    for order in (rows, shuffled):
        run = Run(spec)
        for time, gap in order:
            run.add(time, (time, gap), gap=gap)
        run.watermark(MAX_TIME)
        firings.append([(firing.window, Counter(firing.values)) for firing in run.firings])
    assert firings[0] == firings[1]


@SETTINGS
@given(ASSIGNERS, st.lists(st.tuples(TIMES, st.integers(1, 30)), max_size=25))
def test_each_row_is_in_exactly_its_windows(assigner: Assigner, rows: list[tuple[int, int]]) -> None:
    tuples = [(number, time, time, gap) for number, (time, gap) in enumerate(rows)]
    firings = bounded(WindowSpec.of(assigner), tuples)
    for row in tuples:
        homes = [firing.window for firing in firings if row in firing.result]
        if assigner.is_merging:
            (own,) = assigner.assign(row, 0)
            assert len(homes) == 1
            assert homes[0].start <= own.start < own.end <= homes[0].end
        else:
            assert sorted(homes) == sorted(assigner.assign(row, 0))
    assert sum(len(firing.result) for firing in firings) == sum(
        1 if assigner.is_merging else len(assigner.assign(row, 0)) for row in tuples
    )


@SETTINGS
@given(st.lists(st.tuples(TIMES, st.integers(1, 30)), max_size=25))
def test_sessions_of_a_key_never_touch(rows: list[tuple[int, int]]) -> None:
    tuples = [(number, time, time, gap) for number, (time, gap) in enumerate(rows)]
    windows = sorted(firing.window for firing in bounded(WindowSpec.of(SessionWindows(EVENT, GAP)), tuples))
    assert all(left.end < right.start for left, right in pairwise(windows))


@SETTINGS
@given(specs(), STEPS)
def test_nothing_is_left_after_cleanup(spec: WindowSpec, steps: list[tuple[Any, ...]]) -> None:
    run = feed(Run(spec), steps)
    run.watermark(MAX_TIME - 1)
    run.clock(10**6)
    assert run.operator.keys == {}
    assert run.operator._event_timers.pop_due(MAX_TIME) is None
    assert run.operator._processing_timers.pop_due(MAX_TIME) is None


@SETTINGS
@given(st.builds(lambda a: WindowSpec.of(a), st.builds(SessionWindows, st.just(PROCESSING), SIZES)), STEPS)
def test_nothing_is_left_of_processing_time_sessions(spec: WindowSpec, steps: list[tuple[Any, ...]]) -> None:
    forward = sorted((step for step in steps if step[0] != "watermark"), key=lambda step: step[1])
    run = feed(Run(spec), forward).clock(10**6)
    assert run.operator.keys == {}
    assert run.operator._processing_timers.pop_due(MAX_TIME) is None


@SETTINGS
@given(specs(), STEPS)
def test_pane_index_counts_the_firings_of_a_window(spec: WindowSpec, steps: list[tuple[Any, ...]]) -> None:
    run = feed(Run(spec), steps)
    if spec.assigner.is_merging:
        return
    seen: Counter[Any] = Counter()
    for firing in run.firings:
        expected = seen[firing.key, firing.window]
        assert firing.pane_index in (expected, 0)
        seen[firing.key, firing.window] = firing.pane_index + 1
