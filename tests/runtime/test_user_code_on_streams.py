"""What code of users does wrong on a stream is told with its name and the key that it was called for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from stream import MemoryStore

from winsql.errors import Span, WindowDataError
from winsql.model.assigners import GlobalWindows, TumblingWindows
from winsql.model.base import MIN_TIME, Decision, TimeAttribute, TimeDomain
from winsql.model.functions import AggregateFunction
from winsql.model.query import WindowSpec
from winsql.model.triggers import NeverTrigger, Trigger
from winsql.runtime.aggregates import bind_registered
from winsql.spark.streaming.key_group import KeyGroup
from winsql.spark.workers.task import Handout, Place, StreamTask, Task

EVENT = TimeAttribute(TimeDomain.EVENT, ("ts",))
WINDOWS = TumblingWindows(EVENT, 10)
LONG, TIME = pa.int64(), pa.timestamp("us", "UTC")
SCHEMA = pa.schema([("hash", LONG), ("ts", TIME), ("v", LONG), ("key", pa.string())])


@dataclass(frozen=True, slots=True)
class Own:
    """An aggregate of a user."""

    create: Callable[[], Any] = int
    plus: Callable[[Any, Any], Any] = lambda accumulator, value: accumulator + value
    result: Callable[[Any], Any] = int

    def create_accumulator(self) -> Any:
        return self.create()

    def add(self, accumulator: Any, value: Any) -> Any:
        return self.plus(accumulator, value)

    def get_result(self, accumulator: Any) -> Any:
        return self.result(accumulator)

    def merge(self, accumulator: Any, other: Any) -> Any:
        return self.plus(accumulator, other)


@dataclass(frozen=True, slots=True)
class Keeping(Trigger):
    """Keeps a value, and calls a function at the end of a window."""

    value: Any = None
    at_end: Callable[[Any], Any] = lambda ctx: None

    def on_element(self, row: Any, timestamp: int, ctx: Any) -> Decision:
        ctx.put("kept", self.value)
        return Decision.CONTINUE

    def on_event_time(self, time: int, ctx: Any) -> Decision:
        self.at_end(ctx)
        return Decision.FIRE


class Stream:
    """Micro-batches of one key group."""

    def __init__(self, trigger: Trigger, own: Own = Own(), assigner: Any = WINDOWS) -> None:
        aggregate = bind_registered(AggregateFunction(own, "BIGINT"), (2,), None, LONG, "OWN")
        spec = WindowSpec.of(assigner, trigger)
        place = Place("SELECT own(v)", Span(0, 6), ("key",))
        self.task = StreamTask(Task(spec, Handout.RESULTS, (aggregate,), (), 1, 1, TIME, 0, place), SCHEMA)
        self.store = MemoryStore()

    def run(self, watermark: int, **values: int) -> list[tuple[str, int]]:
        """A micro-batch with one row of time 1 of each key; what its firings give."""
        rows = [(place, 1, value, key) for place, (key, value) in enumerate(values.items())]
        columns = zip(*rows, strict=True) if rows else [()] * len(SCHEMA)
        arrays = [pa.array(list(column), field.type) for column, field in zip(columns, SCHEMA, strict=True)]
        batch = pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)
        group = KeyGroup(self.task, self.store)
        found = [rows.to_pylist() for rows, _ in group.run(batch, watermark, None) if rows is not None]
        return [(row["key"], list(row.values())[-1]) for rows in found for row in rows]


@pytest.mark.parametrize("bad", ["a", "b", "c"])
def test_the_key_whose_result_fails(bad: str) -> None:
    values = {key: 0 if key == bad else 1 for key in "abc"}
    stream = Stream(Keeping(), Own(result=lambda total: 1 // total))
    assert stream.run(MIN_TIME, **values) == []
    with pytest.raises(WindowDataError, match=rf"OWN: get_result.* \(key: key = '{bad}', window: 1970") as caught:
        stream.run(50)
    assert caught.value.span == Span(0, 6)


@pytest.mark.parametrize("bad", ["a", "b", "c"])
def test_the_key_whose_timer_fails(bad: str) -> None:
    stream = Stream(Keeping(at_end=lambda ctx: 1 // (ctx.key != (bad,))))
    stream.run(MIN_TIME, a=1, b=1, c=1)
    with pytest.raises(WindowDataError, match=rf"^Keeping failed: Zero.* \(key: key = '{bad}', window: 1970"):
        stream.run(50)


def circle(_: Any, __: Any) -> Any:
    found: list[Any] = []
    found.append(found)
    return found


@pytest.mark.parametrize("add", [lambda _, v: Counter([v]), lambda _, v: np.int64(v), lambda _, v: 10**5000, circle])
@pytest.mark.parametrize("bad", ["a", "b", "c"])
def test_what_an_aggregate_may_not_keep(bad: str, add: Any) -> None:
    own = Own(plus=lambda accumulator, value: add(accumulator, value) if value else 0)
    values = {key: int(key == bad) for key in "abc"}
    with pytest.raises(WindowDataError, match=rf"^aggregate OWN: .* kept in state.*\(key: key = '{bad}'\)") as caught:
        Stream(NeverTrigger(), own, GlobalWindows(EVENT)).run(MIN_TIME, **values)
    assert caught.value.hint == "make it one of these, as int(x), dict(x) or list(x) do"
    assert caught.value.span == Span(0, 6)


@pytest.mark.parametrize("value", [object(), np.int64(3), Counter("ab")])
def test_what_a_trigger_may_not_keep(value: Any) -> None:
    with pytest.raises(WindowDataError, match=r"^Keeping: a value of type \w+ cannot be kept .*\(key: key = 'a'\)"):
        Stream(Keeping(value)).run(MIN_TIME, a=1, b=2)


def test_floats_of_numpy_are_kept() -> None:
    stream = Stream(Keeping(np.float64(0.1)), Own(np.float64))
    stream.run(MIN_TIME, a=1, b=2)
    stream.run(MIN_TIME, a=3)
    assert stream.run(50) == [("a", 4), ("b", 2)]
