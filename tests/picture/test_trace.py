"""What a run writes down: late rows, evictions, sessions that grow, and where the watermark stood."""

from __future__ import annotations

import time

import pytest

from winsql.errors import WindowPlanError
from winsql.model.assigners import CountWindows, GlobalWindows, SessionWindows, SlidingWindows, TumblingWindows
from winsql.model.base import MAX_TIME, PaneTiming, TimeAttribute, TimeDomain, Window
from winsql.model.evictors import CountEvictor
from winsql.model.query import WindowSpec
from winsql.model.triggers import CountTrigger
from winsql.picture.trace import END, Trace, record

EVENT = TimeAttribute(TimeDomain.EVENT, ("ts",))
KEY = ("a",)


def run(spec: WindowSpec, *times: int, delay: int = 0) -> Trace:
    return record(spec, (), (), [(KEY, (number, time)) for number, time in enumerate(times)], delay)


def fired(trace: Trace) -> list[tuple[int, tuple[int, int], tuple[int, ...], PaneTiming | None]]:
    return [(f.moment, tuple(f.window), f.rows, f.timing) for f in trace.firings]


def test_a_late_row_and_a_late_firing():
    spec = WindowSpec.of(TumblingWindows(EVENT, 10), allowed_lateness=5)
    trace = run(spec, 3, 12, 4, 16, 5, delay=1)
    assert fired(trace) == [
        (1, (0, 10), (0,), PaneTiming.ON_TIME),
        (2, (0, 10), (0, 2), PaneTiming.LATE),
        (END, (10, 20), (1, 3), PaneTiming.ON_TIME),
    ]
    assert [row.number for row in trace.rows if row.is_late] == [4]
    assert trace.watermarks == [(0, 1), (1, 10), (3, 14)]  # the third row moves nothing


def test_what_an_evictor_takes_out():
    trace = run(WindowSpec.of(GlobalWindows(EVENT), CountTrigger(1), CountEvictor(2)), 1, 2, 3, 4)
    assert [(f.rows, f.evicted) for f in trace.firings] == [((0,), ()), ((0, 1), ()), ((1, 2), (0,)), ((2, 3), (1,))]


def test_what_an_evictor_takes_out_after_the_firing():
    spec = WindowSpec.of(GlobalWindows(EVENT), CountTrigger(2), CountEvictor(1), evict_after=True)
    trace = run(spec, 1, 2, 3, 4)
    assert [(f.rows, f.evicted) for f in trace.firings] == [((0, 1), (0,)), ((1, 2, 3), (1, 2))]


def test_sessions_that_grow_leave_one_window():
    trace = run(WindowSpec.of(SessionWindows(EVENT, 10)), 0, 30, 15, 8, delay=100)
    assert trace.windows == {(KEY, Window(0, 25)): [0, 2, 3], (KEY, Window(30, 40)): [1]}
    assert fired(trace) == [
        (END, (0, 25), (0, 2, 3), PaneTiming.ON_TIME),
        (END, (30, 40), (1,), PaneTiming.ON_TIME),
    ]


def test_rows_without_a_time_move_no_watermark():
    trace = record(WindowSpec.of(CountWindows(2)), (), (), [(KEY, (n, None)) for n in range(3)], 0)
    assert trace.watermarks == []
    assert [(f.rows, f.window.end > MAX_TIME) for f in trace.firings] == [((0, 1), True)]


def test_many_windows_that_overlap_take_seconds_not_minutes():
    spec = WindowSpec.of(SlidingWindows(EVENT, 3600, 20))
    began = time.monotonic()
    trace = record(spec, (), (), [((n % 2,), (n, n * 10)) for n in range(200)], 0)
    assert time.monotonic() - began < 20
    assert len(trace.windows) == 2 * (180 + 99)
    assert trace.windows[((0,), Window(0, 3600))] == list(range(0, 200, 2))


def test_too_many_windows_are_refused():
    with pytest.raises(WindowPlanError, match="more than 20,000 windows"):
        run(WindowSpec.of(SlidingWindows(EVENT, 36_000, 1)), 0, 1)
