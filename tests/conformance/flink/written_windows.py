"""Hand-written cases: order of the input, assigners, lateness, joins, extremes."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

from vocabulary import (
    CENTURY,
    END_OF_STREAM,
    EVENT_TIME,
    FAR,
    GLOBAL,
    LONG_MAX,
    LONG_MIN,
    MIXED_UP,
    NEVER,
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
    keyed,
    purging,
    rows,
    session,
    sided,
    sliding,
    timeout,
    tumbling,
)

SEED = 20


def window_cases() -> Iterator[Json]:
    for topic in (
        order,
        tumbling_cases,
        sliding_cases,
        session_cases,
        dynamic_session_cases,
        global_cases,
        count_windows,
        window_all,
        lateness,
        joins,
        extreme,
    ):
        yield from topic()


def order() -> Iterator[Json]:
    yield case(
        "order/time_order_within_key",
        END_OF_STREAM,
        MIXED_UP,
        "the window sees its elements in order of time, not of arrival",
    )
    yield case(
        "order/keys_one_after_the_other",
        tumbling(1000),
        TWO_KEYS,
        "all of one key comes out before any of the next",
    )
    yield case(
        "order/keys_by_length_then_bytes",
        tumbling(1000),
        keyed(("bb", 1, 1.0), ("c", 2, 2.0), ("abc", 3, 3.0), ("a", 4, 4.0), ("B", 5, 5.0), ("", 6, 6.0)),
        "the order of the keys is that of their serialized bytes: no contract",
    )
    yield case(
        "order/negative_before_positive",
        END_OF_STREAM,
        rows(5, -1, 0, -300, 256, 255, LONG_MIN + 1, LONG_MAX - 1),
    )
    yield case(
        "order/equal_times_few",
        END_OF_STREAM,
        rows(5, 5, 3, 5, 3, 5, 5, 3, 5),
        "up to 12 records the sort happens to keep the arrival order of equal times: no contract",
        flags=["ties"],
    )
    rng = random.Random(SEED)
    many = rows(*(rng.randint(0, 9) for _ in range(60)))
    yield case(
        "order/equal_times_many",
        END_OF_STREAM,
        many,
        "with more records it does not",
        flags=["ties", "unstable_sort"],
    )
    yield case(
        "order/elements_fire_before_timers",
        sliding(1000, 500),
        rows(900, 100, 600, 1200, 300),
        "all firings by elements of a key come before the first timer of the key",
        trigger=timeout(count(2)),
    )
    yield case("order/timers_of_one_key_before_rows_of_the_next", tumbling(1000), TWO_KEYS, trigger=timeout(count(2)))


def tumbling_cases() -> Iterator[Json]:
    yield case("tumbling/out_of_order", tumbling(1000), MIXED_UP)
    yield case("tumbling/out_of_order_sum", tumbling(1000), MIXED_UP, function="sum")
    yield case("tumbling/two_keys", tumbling(1000), TWO_KEYS)
    yield case("tumbling/offset", tumbling(1000, 250), MIXED_UP)
    yield case("tumbling/negative_offset", tumbling(1000, -250), MIXED_UP)
    yield case("tumbling/negative_times", tumbling(1000), rows(-1, -1000, -1001, 0, 999, -2500))
    yield case("tumbling/negative_times_offset", tumbling(1000, 100), rows(-1, -900, -901, 99, 100, -2500))
    yield case("tumbling/single_row", tumbling(1000), rows(123456789))
    yield case(
        "tumbling/nothing_is_late",
        tumbling(100),
        rows(100000, 5, 50000, 7, 99),
        "the oldest rows arrive last",
    )
    yield case("tumbling/purging", tumbling(1000), MIXED_UP, trigger=purging(EVENT_TIME))


def sliding_cases() -> Iterator[Json]:
    yield case("sliding/out_of_order", sliding(1000, 500), MIXED_UP)
    yield case("sliding/out_of_order_sum", sliding(1000, 500), MIXED_UP, function="sum")
    yield case("sliding/slide_not_dividing_size", sliding(1000, 300), SPARSE)
    yield case("sliding/offset", sliding(1000, 500, 130), SPARSE)
    yield case("sliding/negative_times", sliding(1000, 400, -100), rows(-1, -500, -1300, 0, 300, -299))
    yield case("sliding/two_keys", sliding(900, 300), TWO_KEYS)
    gaps = rows(150, 700, 20, 1099, 1100, 999, 350)
    yield case("sliding/gap", sliding(100, 500), gaps, "rows between the windows are gone: neither late nor counted")
    yield case("sliding/gap_no_late_output", sliding(100, 500), gaps, late_output=False)
    yield case("sliding/gap_offset", sliding(100, 500, 50), gaps, function="sum")
    yield case(
        "sliding/count_fires_newest_window_first",
        sliding(1000, 500),
        rows(900, 100, 600, 1200),
        trigger=count(2),
    )


def session_cases() -> Iterator[Json]:
    yield case("session/out_of_order", session(300), MIXED_UP)
    yield case("session/out_of_order_sum", session(300), MIXED_UP, function="sum")
    yield case("session/two_keys", session(800), TWO_KEYS)
    yield case("session/touching_merge", session(100), rows(300, 100, 200))
    yield case("session/one_ms_more", session(100), rows(302, 100, 201))
    yield case(
        "session/bridge_arrives_last",
        session(100),
        rows(0, 150, 75),
        "time order: nothing to bridge any more",
    )
    yield case("session/five_islands_then_bridges", session(100), rows(0, 400, 200, 600, 800, 100, 700, 300))
    yield case("session/negative_times", session(100), rows(-250, 20, -99, -350, 0))
    yield case("session/purging", session(300), MIXED_UP, trigger=purging(EVENT_TIME))


def dynamic_session_cases() -> Iterator[Json]:
    yield case("dynamic_session/gaps", dynamic_session(), gapped((500, 50), (0, 100), (80, 300), (520, 10), (379, 1)))
    yield case(
        "dynamic_session/short_inside_long",
        dynamic_session(),
        gapped((900, 10), (0, 1000), (500, 10), (1001, 10)),
    )
    yield case(
        "dynamic_session/sum",
        dynamic_session(),
        gapped((500, 50), (0, 100), (80, 300), (520, 10)),
        function="sum",
    )
    yield case("dynamic_session/same_window_again", dynamic_session(), gapped((0, 100), (0, 100)), flags=["ties"])
    yield case(
        "dynamic_session/same_window_after_merge",
        dynamic_session(),
        gapped((0, 100), (0, 150), (0, 150)),
        "needs equal times: the order of the three is that of arrival only because they are few",
        flags=["ties", "lost_contents"],
    )
    yield case("dynamic_session/zero_gap_fails", dynamic_session(), gapped((100, 50), (0, 20), (50, 0)))
    yield case("dynamic_session/negative_gap_fails", dynamic_session(), gapped((100, 50), (0, 20), (50, -1)))


def global_cases() -> Iterator[Json]:
    yield case("global/default_never", GLOBAL, TWO_KEYS)
    yield case("global/end_of_stream", END_OF_STREAM, TWO_KEYS)
    yield case("global/end_of_stream_sum", END_OF_STREAM, TWO_KEYS, function="sum")
    yield case("global/end_of_stream_trigger", GLOBAL, TWO_KEYS, trigger={"type": "end_of_stream"})
    yield case("global/purging_end_of_stream", GLOBAL, TWO_KEYS, trigger=purging({"type": "end_of_stream"}))
    yield case("global/end_of_stream_never", END_OF_STREAM, TWO_KEYS, trigger=NEVER)
    yield case(
        "global/continuous_event_time_fires_once",
        GLOBAL,
        SPARSE,
        "the same job never ends in STREAMING mode",
        trigger=every(100),
    )
    yield case("global/continuous_event_time_sum", GLOBAL, SPARSE, trigger=every(100), function="sum")
    yield case("global/continuous_event_time_purging", GLOBAL, TWO_KEYS, trigger=purging(every(100)))
    yield case("global/continuous_event_time_no_timestamps", GLOBAL, rows(None, None, None), trigger=every(100))
    yield case("global/continuous_event_time_negative", GLOBAL, rows(-250, -420, 10), trigger=every(100))
    yield case("global/continuous_processing_time", GLOBAL, TWO_KEYS, trigger=every_clock(FAR))
    yield case(
        "global/continuous_processing_time_short",
        GLOBAL,
        TWO_KEYS,
        "1 ms: no timer runs before the end",
        trigger=every_clock(1),
    )
    yield case("global/no_timestamps", END_OF_STREAM, rows(None, None, None, None))
    yield case("global/lateness", END_OF_STREAM, TWO_KEYS, allowed_lateness=1000)


def count_windows() -> Iterator[Json]:
    def tumbling_count(name: str, n: int, steps: list[Json], **fields: Any) -> Json:
        return case(name, GLOBAL, steps, via="countWindow", count_window=[n], trigger=purging(count(n)), **fields)

    def sliding_count(name: str, n: int, slide: int, steps: list[Json], **fields: Any) -> Json:
        return case(
            name,
            GLOBAL,
            steps,
            via="countWindow",
            count_window=[n, slide],
            trigger=count(slide),
            evictor=keep(n),
            **fields,
        )

    yield tumbling_count("count_window/by_time_not_arrival", 2, MIXED_UP)
    yield tumbling_count("count_window/remainder_is_lost", 3, rows(50, 40, 30, 20, 10))
    yield tumbling_count("count_window/two_keys", 2, TWO_KEYS)
    yield tumbling_count("count_window/sum", 3, MIXED_UP, function="sum")
    yield tumbling_count("count_window/no_timestamps", 2, rows(None, None, None, None, None))
    yield sliding_count("count_window/sliding_4_2", 4, 2, MIXED_UP)
    yield sliding_count("count_window/sliding_2_3", 2, 3, MIXED_UP)
    yield sliding_count("count_window/sliding_sum", 3, 1, TWO_KEYS, function="sum")


def window_all() -> Iterator[Json]:
    yield case("window_all/tumbling", tumbling(1000), TWO_KEYS, via="windowAll")
    yield case("window_all/sliding_sum", sliding(1000, 500), TWO_KEYS, via="windowAll", function="sum")
    yield case("window_all/session", session(400), TWO_KEYS, via="windowAll")
    yield case("window_all/end_of_stream", END_OF_STREAM, TWO_KEYS, via="windowAll")
    yield case("window_all/count", GLOBAL, TWO_KEYS, via="windowAll", trigger=purging(count(3)))
    yield case("window_all/continuous", tumbling(2000), TWO_KEYS, via="windowAll", trigger=every(300))
    yield case("window_all/evictor", tumbling(2000), TWO_KEYS, via="windowAll", evictor=keep(2))
    yield case("window_all/processing", tumbling(CENTURY, time="processing"), TWO_KEYS, via="windowAll")


def lateness() -> Iterator[Json]:
    old_last = rows(5000, 100, 4000, 90, 200, 4500)
    for name, assigner in (
        ("tumbling", tumbling(500)),
        ("sliding", sliding(500, 250)),
        ("session", session(120)),
    ):
        yield case(f"lateness/{name}", assigner, old_last, "changes nothing", allowed_lateness=1000)
    yield case("lateness/no_late_output", tumbling(500), old_last, late_output=False)
    yield case("lateness/purging", tumbling(500), old_last, trigger=purging(EVENT_TIME), allowed_lateness=1000)
    yield case("lateness/overflow", tumbling(500), old_last, allowed_lateness=LONG_MAX)
    yield case("lateness/gap", sliding(100, 500), old_last, allowed_lateness=1000)
    yield case("lateness/count", tumbling(500), old_last, trigger=count(2), allowed_lateness=1000)


def joins() -> Iterator[Json]:
    steps = sided(
        ("a", 1200, 0),
        ("a", 100, 1),
        ("b", 300, 0),
        ("a", 1150, 1),
        ("a", 50, 0),
        ("b", 2300, 1),
        ("a", 1999, 1),
        ("a", 900, 0),
    )
    cogroup = {"type": "cogroup"}
    yield case("join/tumbling", tumbling(1000), steps, join=cogroup)
    yield case("join/sliding", sliding(1000, 500), steps, join=cogroup)
    yield case("join/session", session(300), steps, join=cogroup)
    yield case(
        "join/session_bridges_sides",
        session(100),
        sided(("a", 80, 1), ("a", 0, 0), ("a", 160, 0)),
        join=cogroup,
    )
    yield case("join/end_of_stream", END_OF_STREAM, steps, join=cogroup)
    yield case("join/count_over_both_sides", tumbling(1000), steps, join=cogroup, trigger=count(2))
    yield case("join/continuous", tumbling(1000), steps, join=cogroup, trigger=every(200))
    yield case("join/evictor_over_both_sides", tumbling(1000), steps, join=cogroup, evictor=keep(1))
    yield case("join/processing", tumbling(CENTURY, time="processing"), steps, join=cogroup)
    yield case("join/one_side_only", tumbling(1000), sided(("a", 10, 1), ("b", 20, 1)), join=cogroup)


def extreme() -> Iterator[Json]:
    yield case("extreme/no_timestamp_tumbling", tumbling(1000), rows(None, None))
    yield case("extreme/no_timestamp_sliding", sliding(1000, 500), rows(None, None))
    yield case("extreme/no_timestamp_session", session(1000), rows(None, None))
    yield case("extreme/failure_after_other_keys", dynamic_session(), [
        *gapped((0, 100), (50, 100), key="a"), *gapped((0, 100), (50, 0), key="b"), *gapped((0, 100), key="c")
    ])  # fmt: skip
    yield case("extreme/window_end_overflows", tumbling(1000), rows(LONG_MAX - 5, 5))
    yield case("extreme/session_end_overflows", session(1000), rows(LONG_MAX - 5, 5))
    yield case(
        "extreme/lateness_overflow_session_merge",
        session(1000),
        rows(500, 0, 5000),
        allowed_lateness=LONG_MAX,
    )
    yield case("extreme/lateness_overflow_gap_element", sliding(100, 500), rows(300, 50), allowed_lateness=LONG_MAX)
    yield case("extreme/earliest_timestamp", session(1000), rows(LONG_MIN + 1, 0))
    yield case("extreme/offset_too_large", tumbling(1000, 1000), rows(1))
    yield case("extreme/sliding_offset_too_large", sliding(1000, 500, 500), rows(1))
    yield case("extreme/size_zero", tumbling(0), rows(1))
    yield case("extreme/gap_zero", session(0), rows(1))
    yield case("extreme/negative_lateness", tumbling(1000), rows(1), allowed_lateness=-1)
    yield case("extreme/session_delta_refused", session(1000), rows(1), trigger=delta(1.0))
    yield case("extreme/session_purging_delta_refused", session(1000), rows(1), trigger=purging(delta(1.0)))
    yield case("extreme/session_timeout_refused", session(1000), rows(1), trigger=timeout(EVENT_TIME))
    yield case("extreme/count_zero_trigger", tumbling(1000), rows(1, 2), trigger=count(0))
