"""Hand-written cases: triggers, the clock, evictors."""

from __future__ import annotations

from collections.abc import Iterator

from vocabulary import (
    CENTURY,
    DAY,
    END_OF_STREAM,
    EVENT_TIME,
    FAR,
    GLOBAL,
    JUMPS,
    LONG_MAX,
    MIXED_UP,
    NEVER,
    PROCESSING_TIME,
    SPARSE,
    TWO_KEYS,
    Json,
    case,
    count,
    delta,
    dynamic_session,
    every,
    every_clock,
    gapped,
    keep,
    near,
    purging,
    rows,
    session,
    sliding,
    timeout,
    tumbling,
    valued,
    within,
)


def trigger_cases() -> Iterator[Json]:
    for topic in (trigger_grid, continuous, timeouts, processing, evictors, evictor_grid):
        yield from topic()


def trigger_grid() -> Iterator[Json]:
    assigners = {
        "tumbling": tumbling(1000),
        "sliding": sliding(1000, 500),
        "session": session(250),
        "global": GLOBAL,
    }
    triggers: dict[str, Json] = {
        "count": count(2),
        "purging_count": purging(count(2)),
        "delta": delta(3.0),
        "purging_delta": purging(delta(3.0)),
        "event_time": EVENT_TIME,
        "processing_time": PROCESSING_TIME,
        "purging_processing_time": purging(PROCESSING_TIME),
        "continuous_event_time": every(200),
        "continuous_processing_time": every_clock(FAR),
        "purging_continuous_event_time": purging(every(200)),
        "purging_continuous_processing_time": purging(every_clock(FAR)),
        "timeout_count": timeout(count(3)),
        "purging_timeout_count": purging(timeout(count(3))),
        "timeout_purging_count": timeout(purging(count(3))),
    }
    time_windows_only = {"event_time", "processing_time", "purging_processing_time"}
    for where, assigner in assigners.items():
        for name, trigger in triggers.items():
            if where == "global" and name in time_windows_only:
                continue
            yield case(f"trigger/{where}_{name}", assigner, JUMPS, trigger=trigger)
    yield case("trigger/delta_diff", tumbling(1000), JUMPS, trigger=delta(3.0, "diff"))
    yield case("trigger/purging_purging_count", tumbling(1000), JUMPS, trigger=purging(purging(count(3))))
    yield case("trigger/count_one", sliding(1000, 500), JUMPS, trigger=count(1), function="sum")


def continuous() -> Iterator[Json]:
    yield case("continuous/first_and_end_only", tumbling(1000), rows(850, 120, 450), trigger=every(200))
    yield case(
        "continuous/first_of_the_earliest_row",
        tumbling(1000),
        rows(850, 450, 620),
        "not of the first to arrive",
        trigger=every(200),
    )
    yield case("continuous/first_on_a_multiple", tumbling(1000), rows(400, 850), trigger=every(200))
    yield case(
        "continuous/interval_is_size",
        tumbling(1000),
        rows(400, 850),
        "one timer, one firing",
        trigger=every(1000),
    )
    yield case("continuous/interval_over_size", tumbling(1000), rows(400, 1850, 1001), trigger=every(5000))
    yield case("continuous/first_at_last_ms", tumbling(1000, 1), rows(400, 850), trigger=every(1000))
    yield case("continuous/negative_times", tumbling(1000), rows(-850, -120, -450), trigger=every(200))
    yield case("continuous/negative_times_near_zero", tumbling(1000, 500), rows(-150, -20, 450), trigger=every(200))
    yield case("continuous/sum", tumbling(1000), MIXED_UP, trigger=every(300), function="sum")
    yield case("continuous/sliding", sliding(1000, 500), SPARSE, trigger=every(350))
    yield case("continuous/sliding_same_timer", sliding(600, 200), rows(310, 50, 130), trigger=every(150))
    yield case("continuous/session", session(250), rows(700, 110, 300, 800, 20), trigger=every(90))
    yield case(
        "continuous/session_cut_fire_time_stays",
        session(50),
        rows(40, 10, 80),
        "the first fire time was cut to the end of the still short session",
        trigger=every(300),
    )
    yield case(
        "continuous/session_interval_over_gap",
        session(100),
        rows(150, 10, 90, 230, 300),
        "the first fire time is cut to the end of the first row alone: all rows come out there and at the end",
        trigger=every(100_000),
    )
    yield case(
        "continuous/dynamic_session",
        dynamic_session(),
        gapped((10, 30), (30, 100), (100, 400)),
        trigger=every(50),
    )
    yield case("continuous/lateness", tumbling(1000), rows(850, 120, 450), trigger=every(200), allowed_lateness=700)
    yield case(
        "continuous/session_lateness",
        session(250),
        rows(700, 110, 300),
        trigger=every(90),
        allowed_lateness=700,
    )
    yield case("continuous/purging", tumbling(1000), MIXED_UP, trigger=purging(every(300)))
    yield case("continuous/purging_sliding", sliding(1000, 500), MIXED_UP, trigger=purging(every(300)))
    yield case("continuous/evictor_before", tumbling(1000), MIXED_UP, trigger=every(300), evictor=keep(2))
    yield case("continuous/evictor_after", tumbling(1000), MIXED_UP, trigger=every(300), evictor=keep(2, after=True))
    yield case(
        "continuous/evictor_time_after",
        tumbling(1000),
        MIXED_UP,
        trigger=every(300),
        evictor=within(300, after=True),
    )
    yield case("continuous/two_keys", tumbling(2000), TWO_KEYS, trigger=every(400))


def timeouts() -> Iterator[Json]:
    yield case("timeout/global_fires_at_the_end", GLOBAL, TWO_KEYS, trigger=timeout(count(3)))
    yield case("timeout/global_sum", GLOBAL, TWO_KEYS, trigger=timeout(count(3)), function="sum")
    yield case("timeout/short_timeout_waits_for_the_end", GLOBAL, TWO_KEYS, trigger=timeout(count(3), 1))
    yield case("timeout/global_exact_multiple", GLOBAL, rows(3, 2, 1, 4), trigger=timeout(count(2)))
    yield case("timeout/global_no_clear", GLOBAL, rows(5, 3, 2, 1, 4), trigger=timeout(count(2), clear=False))
    yield case("timeout/global_reset", GLOBAL, rows(5, 3, 2, 1, 4), trigger=timeout(count(2), reset=True))
    yield case(
        "timeout/global_reset_no_clear",
        GLOBAL,
        rows(5, 3, 2, 1, 4),
        trigger=timeout(count(2), reset=True, clear=False),
    )
    yield case("timeout/global_never", GLOBAL, TWO_KEYS, trigger=timeout(NEVER))
    yield case("timeout/global_purging_outside", GLOBAL, TWO_KEYS, trigger=purging(timeout(count(2))))
    yield case("timeout/global_purging_inside", GLOBAL, TWO_KEYS, trigger=timeout(purging(count(2))))
    yield case("timeout/global_end_of_stream", GLOBAL, TWO_KEYS, trigger=timeout({"type": "end_of_stream"}))
    yield case("timeout/global_continuous", GLOBAL, rows(250, 120, 380), trigger=timeout(every(100)))
    yield case(
        "timeout/global_continuous_no_clear",
        GLOBAL,
        rows(250, 120, 380),
        trigger=timeout(every(100), clear=False),
    )
    yield case("timeout/global_nested", GLOBAL, TWO_KEYS, trigger=timeout(timeout(count(3), 5), 7))
    yield case("timeout/tumbling_event_time", tumbling(1000), MIXED_UP, trigger=timeout(EVENT_TIME))
    yield case("timeout/tumbling_no_clear", tumbling(1000), MIXED_UP, trigger=timeout(count(2), clear=False))
    yield case("timeout/tumbling_reset", tumbling(1000), MIXED_UP, trigger=timeout(count(2), reset=True))
    yield case(
        "timeout/tumbling_lateness",
        tumbling(1000),
        MIXED_UP,
        "the cleanup timer at the end of the lateness fires too",
        trigger=timeout(count(2)),
        allowed_lateness=300,
    )
    yield case(
        "timeout/tumbling_lateness_event_time",
        tumbling(1000),
        MIXED_UP,
        trigger=timeout(EVENT_TIME),
        allowed_lateness=300,
    )
    yield case("timeout/tumbling_continuous", tumbling(1000), SPARSE, trigger=timeout(every(300)))
    yield case(
        "timeout/tumbling_continuous_no_clear",
        tumbling(1000),
        SPARSE,
        trigger=timeout(every(300), clear=False),
    )
    yield case("timeout/sliding", sliding(1000, 500), MIXED_UP, trigger=timeout(count(3)))
    yield case(
        "timeout/processing_windows",
        tumbling(CENTURY, time="processing"),
        TWO_KEYS,
        trigger=timeout(count(3)),
    )
    yield case(
        "timeout/processing_windows_processing_time",
        tumbling(CENTURY, time="processing"),
        TWO_KEYS,
        trigger=timeout(PROCESSING_TIME),
    )
    yield case("timeout/evictor", GLOBAL, TWO_KEYS, trigger=timeout(count(3)), evictor=keep(2))


def processing() -> Iterator[Json]:
    one = tumbling(CENTURY, time="processing")
    two = sliding(20_000 * DAY, 10_000 * DAY, time="processing")
    gap = session(FAR, time="processing")
    yield case("processing/tumbling", one, TWO_KEYS, "fires at the end of the key, its rows in order of event time")
    yield case("processing/tumbling_sum", one, TWO_KEYS, function="sum")
    yield case("processing/tumbling_no_timestamps", one, rows(None, None, None))
    yield case("processing/tumbling_purging", one, TWO_KEYS, trigger=purging(PROCESSING_TIME))
    yield case("processing/tumbling_count", one, TWO_KEYS, "remainder is lost", trigger=count(2))
    yield case("processing/tumbling_event_time_trigger", one, TWO_KEYS, trigger=EVENT_TIME)
    yield case("processing/tumbling_delta", one, JUMPS, trigger=delta(3.0))
    yield case("processing/tumbling_lateness", one, TWO_KEYS, allowed_lateness=5000)
    yield case("processing/tumbling_evictor", one, TWO_KEYS, evictor=within(1000))
    yield case("processing/tumbling_evictor_count", one, MIXED_UP, evictor=keep(3))
    yield case("processing/sliding", two, TWO_KEYS, "two windows")
    yield case("processing/sliding_sum", two, TWO_KEYS, function="sum")
    yield case("processing/sliding_count", two, TWO_KEYS, trigger=count(2))
    yield case("processing/session", gap, TWO_KEYS, clock_bounds=True)
    yield case("processing/session_sum", gap, TWO_KEYS, function="sum", clock_bounds=True)
    yield case("processing/session_count", gap, TWO_KEYS, trigger=count(2), clock_bounds=True)
    yield case("processing/session_event_time_trigger", gap, TWO_KEYS, trigger=EVENT_TIME, clock_bounds=True)
    dynamic = gapped((500, FAR), (0, FAR), (80, FAR + 5 * DAY))
    yield case("processing/dynamic_session", dynamic_session("processing"), dynamic, clock_bounds=True)
    yield case("processing/sliding_purging_event_time", two, TWO_KEYS, trigger=purging(EVENT_TIME))
    yield case("processing/continuous_event_time", one, SPARSE, trigger=every(300))
    yield case("processing/continuous_processing_time_cut_to_the_end", one, SPARSE, trigger=every_clock(40_000 * DAY))
    yield case(
        "processing/continuous_processing_time_then_end",
        one,
        SPARSE,
        "fires at day 25,000 and at the last ms",
        trigger=every_clock(25_000 * DAY),
    )
    yield case(
        "processing/continuous_processing_time_skips_to_the_end",
        one,
        SPARSE,
        "fires at day 25,000; the fire times of the days 30,000 and 35,000 are never registered; then the last ms",
        trigger=every_clock(5_000 * DAY),
    )
    yield case(
        "processing/continuous_processing_time_purging",
        one,
        SPARSE,
        trigger=purging(every_clock(25_000 * DAY)),
    )
    yield case(
        "processing/continuous_processing_time_session",
        gap,
        SPARSE,
        trigger=every_clock(50_000 * DAY),
        clock_bounds=True,
    )
    yield case(
        "processing/continuous_on_event_windows",
        tumbling(1000),
        SPARSE,
        "cleaned up first",
        trigger=every_clock(1),
    )
    yield case(
        "processing/processing_time_on_event_windows",
        tumbling(1000),
        SPARSE,
        "cleaned up first",
        trigger=PROCESSING_TIME,
    )
    yield case(
        "processing/processing_time_on_event_windows_never_cleaned",
        tumbling(1000),
        SPARSE,
        "the overflow of end - 1 + lateness means no cleanup timer, so that the clock's timer is still there",
        trigger=PROCESSING_TIME,
        allowed_lateness=LONG_MAX,
    )
    yield case(
        "processing/continuous_on_event_windows_never_cleaned",
        tumbling(1000),
        SPARSE,
        trigger=every_clock(1),
        allowed_lateness=LONG_MAX,
    )


def evictors() -> Iterator[Json]:
    yield case(
        "evictor/count_keeps_the_latest",
        tumbling(1000),
        MIXED_UP,
        "the last of time, not of arrival",
        evictor=keep(2),
    )
    yield case("evictor/count_zero", tumbling(1000), MIXED_UP, evictor=keep(0))
    yield case("evictor/count_zero_sum", tumbling(1000), MIXED_UP, evictor=keep(0), function="sum")
    yield case("evictor/count_zero_continuous", tumbling(1000), MIXED_UP, trigger=every(300), evictor=keep(0))
    yield case("evictor/time_zero", tumbling(1000), MIXED_UP, evictor=within(0))
    yield case("evictor/time_no_timestamps", GLOBAL, rows(None, None, None), trigger=count(1), evictor=within(1000))
    yield case(
        "evictor/time_no_timestamps_window_zero",
        GLOBAL,
        rows(None, None, None),
        trigger=count(1),
        evictor=within(0),
    )
    yield case(
        "evictor/time_no_timestamps_processing",
        tumbling(CENTURY, time="processing"),
        rows(None, None),
        evictor=within(1000),
    )
    yield case("evictor/delta_before", tumbling(1000), JUMPS, evictor=near(5.0))
    yield case("evictor/delta_equal", tumbling(1000), valued((30, 4.0), (10, 1.0), (20, 2.0)), evictor=near(2.0))
    yield case("evictor/delta_zero", tumbling(1000), JUMPS, evictor=near(0.0))
    yield case("evictor/delta_diff", tumbling(1000), JUMPS, evictor=near(2.0, "diff"))
    yield case("evictor/count_permanent", GLOBAL, MIXED_UP, trigger=count(2), evictor=keep(3))
    yield case("evictor/count_after_permanent", GLOBAL, MIXED_UP, trigger=count(2), evictor=keep(1, after=True))
    yield case("evictor/time_trigger_count", tumbling(1000), MIXED_UP, trigger=count(2), evictor=within(500))
    yield case("evictor/sum", sliding(1000, 500), MIXED_UP, evictor=within(400), function="sum")
    yield case("evictor/purging", tumbling(1000), JUMPS, trigger=purging(count(3)), evictor=keep(2))
    yield case("evictor/two_keys", END_OF_STREAM, TWO_KEYS, evictor=within(900))


def evictor_grid() -> Iterator[Json]:
    assigners = {
        "tumbling": tumbling(1000),
        "sliding": sliding(1000, 500),
        "session": session(250),
        "end_of_stream": END_OF_STREAM,
    }
    for where, assigner in assigners.items():
        for after in (False, True):
            side = "after" if after else "before"
            steps = [*JUMPS, *rows(1200, 1050, key="b")]
            yield case(
                f"evictor/{where}_count_{side}",
                assigner,
                steps,
                evictor=keep(3, after=after),
                trigger=grid_trigger(where),
            )
            yield case(
                f"evictor/{where}_time_{side}",
                assigner,
                steps,
                evictor=within(250, after=after),
                trigger=grid_trigger(where),
            )
            yield case(
                f"evictor/{where}_delta_{side}",
                assigner,
                steps,
                evictor=near(4.0, after=after),
                trigger=grid_trigger(where),
            )


def grid_trigger(where: str) -> Json | None:
    """for time windows one that fires more than once, so that eviction after the function shows"""
    return None if where == "end_of_stream" else every(150)
