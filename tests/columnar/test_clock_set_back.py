"""A clock that is set back between micro-batches, as in Flink: rows count as of the clock, and a timer fires when the
clock passes it, once. A window that has ended may begin again with the new rows alone: no row is lost or comes twice.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any

import pytest
from engines import EVENT, PROCESSING, Batch
from hypothesis import given, settings
from hypothesis import strategies as st
from stream import MemoryStore
from test_engines_agree import row
from test_key_group import arrow, task

from winsql.model.assigners import GlobalWindows, SessionWindows, TumblingWindows
from winsql.model.base import MIN_TIME
from winsql.model.nested_triggers import AnyTrigger, ProcessingTimeoutTrigger, PurgingTrigger
from winsql.model.query import INTERNAL_PREFIX, PANE_INDEX, WINDOW_START, WindowSpec
from winsql.model.triggers import ContinuousProcessingTimeTrigger, CountTrigger, EventTimeTrigger
from winsql.spark.streaming.key_group import KeyGroup
from winsql.spark.workers.task import StreamTask

Fired = tuple[str, int | None, int, int]
"""Key, start of the window in microseconds, number of the firing, rows."""

TUMBLING = WindowSpec.of(TumblingWindows(PROCESSING, 10))
TIMEOUT = WindowSpec.of(GlobalWindows(), ProcessingTimeoutTrigger(CountTrigger(100), 10))
PURGED = PurgingTrigger(ContinuousProcessingTimeTrigger(5))
SPECS = {
    "tumbling": TUMBLING,
    "session": WindowSpec.of(SessionWindows(PROCESSING, 7)),
    "continuous": WindowSpec.of(GlobalWindows(), PURGED),
    "timeout": WindowSpec.of(GlobalWindows(), PurgingTrigger(ProcessingTimeoutTrigger(CountTrigger(3), 10))),
}
"""Each of them hands out a row once."""
ENGINES = pytest.mark.parametrize("columnar", [True, False], ids=["columnar", "per row"])


class Query:
    """A key group that finds its state in a store at each micro-batch, as after a restart."""

    def __init__(self, spec: WindowSpec, columnar: bool, watermark: int = MIN_TIME) -> None:
        self.watermark = watermark
        self.task: StreamTask = replace(task(spec), event_time_mode=False)
        self.columnar = columnar
        self.store = MemoryStore()
        self.wake: int | None = None

    def run(self, now: int, *keys: str) -> list[Fired]:
        group = KeyGroup(self.task, self.store, columnar=self.columnar)
        rows = arrow(Batch(self.watermark, now, [row(key, 1) for key in keys], True))
        results = [result for result, _ in group.run(rows, self.watermark, now) if result is not None]
        self.wake = group.meta.wake
        return sorted(_fired(record) for result in results for record in result.to_pylist())


def _fired(record: dict[str, Any]) -> Fired:
    start = record[WINDOW_START]
    return (record["key"], start and start.microsecond, record[PANE_INDEX], record[f"{INTERNAL_PREFIX}result0"])


@ENGINES
def test_a_window_that_has_ended_begins_again_with_new_rows_alone(columnar: bool) -> None:
    query = Query(TUMBLING, columnar)
    assert query.run(15, "a", "a") == []
    assert query.run(25, "b") == [("a", 10, 0, 2)]
    assert query.run(12, "a") == []
    assert query.run(25) == [("a", 10, 0, 1)]
    assert query.run(24) == []
    assert query.run(29) == [("b", 20, 0, 1)]
    assert query.run(99) == []


@ENGINES
def test_a_timeout_waits_until_the_clock_has_passed_it(columnar: bool) -> None:
    query = Query(TIMEOUT, columnar)
    assert query.run(100, "a") == []
    assert query.run(50, "b") == []
    assert query.run(59) == []
    assert query.run(60) == [("b", None, 0, 1)]
    assert query.run(40) == []
    assert query.run(60) == []
    assert query.run(109) == []
    assert query.run(110) == [("a", None, 0, 1)]
    assert query.run(10_000) == []


CLOCKS = st.lists(st.tuples(st.integers(1, 60), st.lists(st.sampled_from("ab"), max_size=3)), max_size=8)


@ENGINES
def test_a_watermark_does_not_end_sessions_of_the_clock(columnar: bool) -> None:
    query = Query(SPECS["session"], columnar, watermark=1_000)
    assert query.run(20, "a") == []
    assert query.run(10, "a") == []
    assert query.run(15, "a") == []
    assert query.run(99) == [("a", 10, 0, 3)]


@pytest.mark.parametrize("name", SPECS)
@settings(max_examples=60)
@given(batches=CLOCKS, watermark=st.sampled_from([MIN_TIME, 30, 1_000]))
def test_with_any_clock_each_row_is_in_one_firing(
    name: str, batches: list[tuple[int, list[str]]], watermark: int
) -> None:
    both = [Query(SPECS[name], columnar, watermark) for columnar in (True, False)]
    fired = Counter[str]()
    for now, keys in [*batches, (1_000, []), (2_000, [])]:
        found, expected = (query.run(now, *keys) for query in both)
        assert found == expected
        for key, _, _, rows in found:
            fired[key] += rows
    assert fired == Counter(key for _, keys in batches for key in keys)


def test_the_next_call_comes_by_the_clock_as_it_is() -> None:
    """Windows that wait for the watermark see it in each micro-batch, also while the clock is behind."""
    seconds = 1_000_000
    trigger = AnyTrigger((ContinuousProcessingTimeTrigger(5), EventTimeTrigger()))
    query = Query(WindowSpec.of(TumblingWindows(EVENT, 10), trigger), True)
    query.run(7_200 * seconds, "a")
    assert query.wake == 7_200_001
    query.run(3_600 * seconds, "a")
    assert query.wake == 3_600_001
