"""What clocks show, and key groups whose windows follow it: either engine fires a window once, when it is over."""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import replace
from datetime import datetime, timedelta
from typing import Any
from zoneinfo import ZoneInfo

import numpy as np
import pyarrow as pa
import pytest
from clocks import EPOCH, Assign, Wall, cumulating, sliding, tumbling
from engines import Batch
from test_engines_agree import row
from test_key_group import Query

from winsql.errors import WindowSpecError
from winsql.model.assigners import Assigner, CumulatingWindows, SessionWindows, SlidingWindows, TumblingWindows
from winsql.model.base import MAX_TIME, MIN_TIME, TimeAttribute, TimeDomain
from winsql.model.local_windows import LocalWindows
from winsql.model.query import INTERNAL_PREFIX, WINDOW_END, WINDOW_START, WindowSpec
from winsql.model.wall_clock import wall_clock
from winsql.spark.streaming.key_group import KeyGroup
from winsql.spark.workers.local_times import with_shown_times

MINUTE, HOUR = timedelta(minutes=1), timedelta(hours=1)
ZONES = ["America/New_York", "Australia/Lord_Howe", "Africa/Casablanca"]
CHANGES = {
    "America/New_York": [datetime(2024, 3, 10, 7), datetime(2024, 11, 3, 6)],
    "Australia/Lord_Howe": [datetime(2024, 4, 6, 15)],
    "Pacific/Apia": [datetime(2011, 12, 30, 10)],  # a day that there was not
}
PLACES = [(zone, change) for zone, changes in CHANGES.items() for change in changes]


def micros(time: datetime) -> int:
    return (time - datetime(1970, 1, 1)) // timedelta(microseconds=1)


@pytest.mark.parametrize("zone", ZONES)
def test_clocks_show_what_zoneinfo_says(zone: str) -> None:
    pick, clock = random.Random(1), wall_clock(zone)
    seconds = [pick.randrange(-4_000_000_000, 250_000_000_000) for _ in range(3000)]
    seconds += [change // 1_000_000 + around for change in clock.changes[:200] for around in (-3601, -1, 0, 1, 3600)]
    region = ZoneInfo(zone)
    expected = []
    for second in seconds:
        offset = datetime.fromtimestamp(second, region).utcoffset()
        assert offset is not None
        expected.append(second + offset // timedelta(seconds=1))
    assert (clock.shown(np.array(seconds) * 1_000_000) // 1_000_000).tolist() == expected


@pytest.mark.parametrize(("zone", "change"), PLACES)
def test_bounds_and_what_has_passed(zone: str, change: datetime) -> None:
    clock, wall = wall_clock(zone), Wall(zone, change)
    for n in range(1500, len(wall.watched) - 1500, 13):
        time = wall.shown[n]
        begin, end = wall.instants((time, time))
        assert clock.begins(np.array([micros(time)])).tolist() == [micros(begin)]
        assert clock.ends(np.array([micros(time)])).tolist() == [micros(end)]
        assert clock.passed(micros(wall.watched[n]) - 1) == micros(wall.earliest[n]) - 1
    assert [clock.passed(time) for time in (MIN_TIME, MAX_TIME)] == [MIN_TIME, MAX_TIME]


@pytest.mark.parametrize(
    ("name", "hours"),
    [("UTC", 0), ("Z", 0), ("GMT+1", 1), ("+05:30", 5.5), ("-8:00", -8), ("UTC-0130", -1.5), ("EST", -5), ("JST", 9)],
)
def test_offsets_and_short_names_as_spark_reads_them(name: str, hours: float) -> None:
    shown = wall_clock(name).shown(np.array([micros(datetime(2024, 7, 1))]))
    assert shown.tolist() == [micros(datetime(2024, 7, 1) + hours * HOUR)]


def test_an_unknown_zone_is_an_error() -> None:
    with pytest.raises(WindowSpecError, match="Mars/Olympus is not known"):
        wall_clock("Mars/Olympus")


def windows(time: TimeAttribute) -> list[tuple[Assigner, Assign | None]]:
    minute = 60 * 1_000_000
    return [
        (TumblingWindows(time, 45 * minute), tumbling(45 * MINUTE)),
        (TumblingWindows(time, 1440 * minute, 480 * minute), tumbling(24 * HOUR, 8 * HOUR)),
        (SlidingWindows(time, 60 * minute, 25 * minute), sliding(60 * MINUTE, 25 * MINUTE)),
        (CumulatingWindows(time, 120 * minute, 10 * minute), cumulating(120 * MINUTE, 10 * MINUTE)),
        (
            CumulatingWindows(time, 120 * minute, 10 * minute, -95 * minute),
            cumulating(120 * MINUTE, 10 * MINUTE, -95 * MINUTE),
        ),
        (SessionWindows(time, 20 * minute), None),
    ]


class Local(Query):
    """A query over windows that follow the clocks of a zone; `found` are the bounds of what has fired, with counts."""

    def __init__(self, assigner: Assigner) -> None:
        super().__init__(WindowSpec.of(assigner))
        self.task = replace(self.task, task=replace(self.task.task, local=LocalWindows.of(assigner)))
        self.found: Counter[tuple[datetime, datetime]] = Counter()

    def arrow(self, batch: Batch) -> Any:
        (rows,) = with_shown_times(self.task.task, [super().arrow(batch)])
        return rows

    def take(self, batch: Batch, columnar: bool) -> list[tuple[datetime, datetime]]:
        """Run a micro-batch; the bounds of what fires."""
        self.group = KeyGroup(self.task, self.store, columnar=columnar)
        fired = []
        for results, _ in self.group.run(self.arrow(batch), batch.watermark, batch.now):
            assert results is not None
            bounds = [results.column(name).cast(pa.int64()).to_pylist() for name in (WINDOW_START, WINDOW_END)]
            counts = results.column(f"{INTERNAL_PREFIX}result0").to_pylist()
            for start, end, count in zip(*bounds, counts, strict=True):
                fired.append((EPOCH + timedelta(microseconds=start), EPOCH + timedelta(microseconds=end)))
                self.found[fired[-1]] += count
        return fired


def expected(wall: Wall, assign: Assign | None, times: list[datetime]) -> Counter[tuple[datetime, datetime]]:
    return wall.sessions(20 * MINUTE, times) if assign is None else wall.counted(assign, times)


@pytest.mark.parametrize("columnar", [True, False])
@pytest.mark.parametrize(("zone", "change"), PLACES)
def test_windows_of_event_time(zone: str, change: datetime, columnar: bool) -> None:
    pick, wall = random.Random(3), Wall(zone, change)
    times = sorted(change + pick.randrange(-2000, 2000) * MINUTE for _ in range(60))
    times += sorted(change + pick.randrange(-150, 150) * MINUTE for _ in range(40))
    times.sort()
    for assigner, assign in windows(TimeAttribute(TimeDomain.EVENT, ("ts",), zone=zone)):
        query, watermark, fired = Local(assigner), MIN_TIME, []
        for begin in range(0, len(times), 16):
            for firing in query.take(Batch(watermark, None, [], True), columnar):
                assert micros(firing[1]) - 1 <= watermark
                fired.append(firing)
            rows = [row("a", micros(time)) for time in times[begin : begin + 16]]
            fired += query.take(Batch(watermark, None, rows, True), columnar)
            watermark = micros(times[begin : begin + 16][-1]) - 1
        fired += query.take(Batch(MAX_TIME - 1, None, [], True), columnar)
        assert query.found == expected(wall, assign, times), assigner
        assert len(fired) == len(set(fired))


@pytest.mark.parametrize("columnar", [True, False])
def test_windows_fire_when_their_end_has_passed_for_good(columnar: bool) -> None:
    """The night in which clocks in New York show the hour from one to two twice."""
    zone, one = "America/New_York", datetime(2024, 11, 3, 5)
    query = Local(TumblingWindows(TimeAttribute(TimeDomain.EVENT, ("ts",), zone=zone), 1800 * 1_000_000))
    rows = [row("a", micros(one + n * MINUTE)) for n in (5, 35, 65, 95)]
    assert query.take(Batch(MIN_TIME, None, rows, True), columnar) == []
    assert query.group.meta.wake == micros(one + 90 * MINUTE) // 1000
    assert query.take(Batch(micros(one + 90 * MINUTE) - 2, None, [], True), columnar) == []
    first, second = (one, one + 90 * MINUTE), (one + 30 * MINUTE, one + 120 * MINUTE)
    assert query.take(Batch(micros(one + 90 * MINUTE) - 1, None, [], True), columnar) == [first]
    assert query.take(Batch(micros(one + 120 * MINUTE) - 1, None, [], True), columnar) == [second]
    assert query.found == {first: 2, second: 2}


@pytest.mark.parametrize("columnar", [True, False])
@pytest.mark.parametrize(("zone", "change"), PLACES)
def test_windows_of_the_clock(zone: str, change: datetime, columnar: bool) -> None:
    wall, ticks = Wall(zone, change), [change + n * 11 * MINUTE for n in range(-15, 15)]
    for assigner, assign in windows(TimeAttribute(TimeDomain.PROCESSING, zone=zone)):
        query, due = Local(assigner), None
        query.task = replace(query.task, event_time_mode=False)
        for tick in [*ticks, change + 90 * HOUR]:
            fired = query.take(Batch(MIN_TIME, micros(tick), [row("a", 0)] if tick in ticks else [], True), columnar)
            assert all(end <= tick + timedelta(microseconds=1) for _, end in fired)
            if fired:
                assert due is not None
                assert due <= micros(tick) // 1000
            due = query.group.meta.wake
        assert query.found == expected(wall, assign, ticks), assigner
