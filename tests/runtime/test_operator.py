"""What the reference cases do not show: winsql's own triggers, pane columns, the end of bounded input."""

from __future__ import annotations

import datetime as dt
import math
from decimal import Decimal
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from harness import EVENT, GAP, PROCESSING, VALUE, Run, bounded

from winsql.errors import WindowDataError, WindowSpecError
from winsql.model.assigners import CountWindows, GlobalWindows, SessionWindows, TumblingWindows
from winsql.model.base import MAX_TIME, PaneTiming, Row, Window
from winsql.model.evictors import CountEvictor
from winsql.model.expressions import AggregateRef, Constant, Operation, Predicate, SlotRef
from winsql.model.nested_triggers import AllTrigger, AnyTrigger, PurgingTrigger
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
    WhenTrigger,
)
from winsql.runtime.codec import decode, encode
from winsql.runtime.contents import Contents

EARLY, ON_TIME, LATE = PaneTiming


class Total:
    """An aggregate that sums the values."""

    def create(self) -> int:
        return 0

    def add(self, accumulator: int, row: Row) -> int:
        return accumulator + VALUE.of(row)

    def merge(self, accumulator: int, other: int) -> int:
        return accumulator + other

    def result(self, accumulator: int) -> int:
        return accumulator


def over(threshold: int) -> WhenTrigger:
    """WHEN(SUM(value) > threshold)"""
    condition = Operation(">", (AggregateRef(0), Constant(threshold)))
    return WhenTrigger(Predicate(f"SUM(value) > {threshold}", condition, uses_aggregates=True))


TOTAL_FOR_TRIGGER = Contents(trigger_aggregates=(Total(),))


def test_when_over_a_row_fires_on_that_row() -> None:
    high = WhenTrigger(Predicate("value >= 5", Operation(">=", (SlotRef(VALUE), Constant(5)))))
    run = Run(WindowSpec.of(GlobalWindows(), high)).add(1, 4).add(2, 5).add(3, None).add(4, 9)
    assert [firing.values for firing in run.firings] == [[4, 5], [4, 5, None, 9]]


def test_when_over_an_aggregate_sees_the_row_that_came() -> None:
    run = Run(WindowSpec.of(GlobalWindows(), over(10)), TOTAL_FOR_TRIGGER).add(1, 6).add(2, 4).add(3, 1).add(4, 0)
    assert [firing.values for firing in run.firings] == [[6, 4, 1], [6, 4, 1, 0]]


def test_a_purge_restarts_the_aggregates_of_when() -> None:
    run = Run(WindowSpec.of(GlobalWindows(), PurgingTrigger(over(10))), TOTAL_FOR_TRIGGER)
    for value in (6, 5, 6, 6):
        run.add(1, value)
    assert [firing.values for firing in run.firings] == [[6, 5], [6, 6]]


def test_an_eviction_shrinks_the_aggregates_of_when() -> None:
    run = Run(WindowSpec.of(GlobalWindows(), over(10), CountEvictor(1)), TOTAL_FOR_TRIGGER)
    for value in (6, 5, 4, 3):
        run.add(1, value)
    assert [firing.values for firing in run.firings] == [[5], [3]]


def test_merging_sessions_join_the_aggregates_of_when() -> None:
    run = Run(WindowSpec.of(SessionWindows(EVENT, 10), over(10)), TOTAL_FOR_TRIGGER)
    run.add(0, 6).add(18, 4).add(9, 1)
    assert [(firing.window, firing.values) for firing in run.firings] == [(Window(0, 28), [6, 4, 1])]


@pytest.mark.parametrize(("threshold", "fired"), [(0.3, [2]), (0.29, [1, 2]), (0.31, [2]), (math.inf, [])])
def test_delta_compares_decimals_with_the_digits_of_the_threshold(threshold: float, fired: list[int]) -> None:
    run = Run(WindowSpec(GlobalWindows(), DeltaTrigger(VALUE, threshold)))
    for text in ("1.00", "1.30", "1.61"):
        run.add(0, Decimal(text))
    assert [len(firing.result) - 1 for firing in run.take()] == fired


def test_delta_tells_decimals_of_38_digits_apart() -> None:
    run = Run(WindowSpec(GlobalWindows(), DeltaTrigger(VALUE, 0.1, signed=True)))
    for text in ("10000000000000000000000000000000000.0", "10000000000000000000000000000000000.2"):
        run.add(0, Decimal(text))
    assert len(run.take()) == 1


def test_any_fires_with_each_of_its_triggers() -> None:
    trigger = AnyTrigger((CountTrigger(2), CountTrigger(3)))
    run = Run(WindowSpec.of(GlobalWindows(), trigger))
    for number in range(1, 7):
        run.add(number, number)
    assert [len(firing.result) for firing in run.firings] == [2, 3, 4, 6]


def test_any_purges_only_when_the_purging_trigger_fires() -> None:
    trigger = AnyTrigger((PurgingTrigger(CountTrigger(3)), CountTrigger(2)))
    run = Run(WindowSpec.of(GlobalWindows(), trigger))
    for number in range(1, 7):
        run.add(number, number)
    assert [firing.values for firing in run.firings] == [[1, 2], [1, 2, 3], [4], [4, 5, 6]]


def test_any_of_count_and_window_end() -> None:
    trigger = AnyTrigger((CountTrigger(2), EventTimeTrigger()))
    run = Run(WindowSpec.of(TumblingWindows(EVENT, 10), trigger)).add(1, 1).add(2, 2).add(3, 3).watermark(9)
    assert [(firing.values, firing.pane_timing) for firing in run.firings] == [([1, 2], EARLY), ([1, 2, 3], ON_TIME)]


def test_all_waits_for_each_of_its_triggers_and_starts_again() -> None:
    trigger = AllTrigger((CountTrigger(2), DeltaTrigger(VALUE, 10)))
    run = Run(WindowSpec.of(GlobalWindows(), trigger))
    for value in (0, 1, 2, 20, 21, 40):
        run.add(1, value)
    assert [firing.values[-1] for firing in run.firings] == [20, 40]


def test_among_several_the_end_of_the_window_counts_alone() -> None:
    """Within PROCESSING_TIMEOUT it is any timer of the clock, as in Flink: fresh/s20261130_0313."""
    end, each = PurgingTrigger(ProcessingTimeTrigger()), ContinuousProcessingTimeTrigger(4)
    run = Run(WindowSpec.of(TumblingWindows(PROCESSING, 10), AnyTrigger((end, each))))
    run.add(None, 1).clock(4).add(None, 2).clock(8).clock(9)
    assert [firing.values for firing in run.take()] == [[1], [1, 2], [1, 2]]
    both = Run(WindowSpec.of(TumblingWindows(PROCESSING, 10), AllTrigger((end, each)))).add(None, 1).clock(4).clock(8)
    assert both.take() == []
    assert [firing.values for firing in both.clock(9).take()] == [[1]]


def test_all_takes_over_progress_when_sessions_merge() -> None:
    trigger = AllTrigger((CountTrigger(2), EventTimeTrigger()))
    run = Run(WindowSpec.of(SessionWindows(EVENT, 10), trigger, allowed_lateness=100))
    run.add(0, 1).watermark(9)
    assert run.take() == []
    run.add(5, 2).add(30, 3)
    assert [(firing.window, firing.values) for firing in run.firings] == [(Window(0, 15), [1, 2])]


def test_pane_timing_of_an_event_time_window() -> None:
    spec = WindowSpec.of(
        TumblingWindows(EVENT, 10), AnyTrigger((EventTimeTrigger(), CountTrigger(2))), allowed_lateness=20
    )
    run = Run(spec).add(1, 1).add(2, 2).watermark(9).add(3, 3)
    assert [(f.pane_index, f.pane_timing) for f in run.firings] == [(0, EARLY), (1, ON_TIME), (2, LATE)]


def test_pane_timing_of_one_long_watermark_step_is_that_of_each_timer() -> None:
    spec = WindowSpec.of(TumblingWindows(EVENT, 10), ContinuousEventTimeTrigger(4))
    run = Run(spec).add(1, 1).watermark(100)
    assert [(f.timer, f.pane_timing) for f in run.firings] == [(4, EARLY), (8, EARLY), (9, ON_TIME)]


def test_pane_timing_of_a_processing_time_window() -> None:
    spec = WindowSpec.of(TumblingWindows(PROCESSING, 10), AnyTrigger((CountTrigger(1),)))
    run = Run(spec).clock(9).add(None, 1)
    assert [f.pane_timing for f in run.firings] == [EARLY]
    default = Run(WindowSpec.of(TumblingWindows(PROCESSING, 10))).clock(3).add(None, 1).clock(9)
    assert [f.pane_timing for f in default.firings] == [ON_TIME]


@pytest.mark.parametrize("assigner", [CountWindows(1), GlobalWindows()])
def test_windows_without_end_have_no_pane_timing(assigner: Any) -> None:
    run = Run(WindowSpec.of(assigner, CountTrigger(1))).add(1, 1).add(2, 2)
    assert [(f.pane_index, f.pane_timing) for f in run.firings] == [(0, None), (1, None)]


def test_end_of_input_runs_each_pending_timer_once_and_takes_no_new_one() -> None:
    """Flink's batch runtime: the continuous trigger's first timer and the window's end, not every interval."""
    spec = WindowSpec.of(TumblingWindows(EVENT, 100), ContinuousEventTimeTrigger(10))
    firings = bounded(spec, [(1, 5, "a"), (2, 71, "b")])
    assert [(f.timer, f.values) for f in firings] == [(10, ["a", "b"]), (99, ["a", "b"])]


def test_end_of_input_fires_processing_time_windows() -> None:
    firings = bounded(WindowSpec.of(TumblingWindows(PROCESSING, 100)), [(1, None, "a")][:1])
    assert [(f.timer, f.values) for f in firings] == [(99, ["a"])]


def test_end_of_input_leaves_the_operator_ready_for_the_next_key() -> None:
    run = Run(WindowSpec.of(TumblingWindows(EVENT, 10))).add(1, "a", key="x")
    run.operator.end_input()
    run.add(1, "b", key="y")
    run.operator.end_input()
    assert [(f.key, f.values) for f in run.firings] == [("x", ["a"]), ("y", ["b"])]


def test_end_of_stream_and_never_on_bounded_input() -> None:
    rows = [(1, 7, "a"), (2, 3, "b")]
    assert [f.values for f in bounded(WindowSpec.of(GlobalWindows(), EndOfStreamTrigger()), rows)] == [["b", "a"]]
    assert bounded(WindowSpec.of(GlobalWindows(), NeverTrigger()), rows) == []


def test_aggregates_are_incremental_or_over_the_kept_rows() -> None:
    rows = [(number, number, number) for number in range(1, 5)]
    incremental = bounded(WindowSpec.of(CountWindows(2)), rows, Contents((Total(),), keep_rows=False))
    assert [f.result for f in incremental] == [(3,), (7,)]
    evicting = bounded(WindowSpec.of(CountWindows(2, 1)), rows, Contents((Total(),)))
    assert [f.result for f in evicting] == [(1,), (3,), (5,), (7,)]


def test_an_evictor_that_leaves_nothing_still_fires_once() -> None:
    run = Run(WindowSpec.of(GlobalWindows(), CountTrigger(1), CountEvictor(0)), Contents((Total(),))).add(1, 5)
    assert [f.result for f in run.firings] == [(0,)]


def test_a_dynamic_gap_must_be_positive() -> None:
    run = Run(WindowSpec.of(SessionWindows(EVENT, GAP)))
    with pytest.raises(WindowDataError, match="not positive"):
        run.add(1, 1, gap=0)
    with pytest.raises(WindowDataError, match="NULL"):
        run.add(1, 1, gap=None)


@pytest.mark.parametrize("trigger", [NeverTrigger(), EndOfStreamTrigger(), PurgingTrigger(EndOfStreamTrigger())])
def test_triggers_of_endless_windows_refuse_others(trigger: Any) -> None:
    with pytest.raises(WindowSpecError, match="cannot be used with TUMBLING"):
        WindowSpec.of(TumblingWindows(EVENT, 10), trigger)


def test_withdrawn_timers_do_not_pile_up() -> None:
    """A session that every row extends withdraws a timer per row; the queue sweeps them out."""
    run = Run(WindowSpec.of(SessionWindows(EVENT, 10)), Contents((Total(),), keep_rows=False))
    for time in range(20_000):
        run.add(time, 1)
    assert len(run.operator._event_timers._heap) < 5_000
    run.watermark(MAX_TIME)
    assert [f.result for f in run.firings] == [(20_000,)]


VALUES = [
    None,
    True,
    -(2**70),
    1.5,
    float("inf"),
    "wörld",
    'a\udcff,\udcc3"\\',
    dt.time(1, 2, 3, 4),
    dt.time(1, 2, tzinfo=dt.UTC),
    b"\x00\xff",
    Decimal("1.20"),
    [1, [2, (3, "x")]],
    {"a": (1,), 2: {3}},
    frozenset({1}),
]


@pytest.mark.parametrize("value", VALUES, ids=repr)
def test_codec_round_trip(value: Any) -> None:
    encoded = encode(value)
    assert encoded.decode()
    again = decode(encoded)
    assert again == value
    assert type(again) is type(value)


def test_codec_refuses_what_it_does_not_know() -> None:
    with pytest.raises(WindowDataError, match="object cannot be kept"):
        encode(object())
    with pytest.raises(WindowDataError, match="a time of Europe/Berlin cannot be kept"):
        encode(dt.time(1, 2, tzinfo=ZoneInfo("Europe/Berlin")))
    with pytest.raises(WindowDataError, match="cannot be read"):
        decode(b'{"class": "os.system"}')
