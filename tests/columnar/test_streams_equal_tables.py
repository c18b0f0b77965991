"""A stream gives the rows of a table however it is cut into micro-batches, as long as no row comes late.

Key groups of both engines, with a store in memory, against the worker that runs bounded tables.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, replace
from itertools import accumulate, groupby
from typing import Any

import pyarrow as pa
import pytest
from engines import COLUMNS, EVENT, SLOTS, call
from hypothesis import given, settings
from hypothesis import strategies as st
from stream import MemoryStore
from test_engines_agree import SIZES, cumulating, sliding, tumbling

from winsql.errors import Span
from winsql.model.assigners import CountWindows, GlobalWindows, SessionWindows, TumblingWindows
from winsql.model.base import MAX_TIME, MIN_TIME, Operand
from winsql.model.evictors import CountEvictor, DeltaEvictor, TimeEvictor
from winsql.model.nested_triggers import AnyTrigger, PurgingTrigger
from winsql.model.query import WindowSpec
from winsql.model.triggers import CountTrigger, DeltaTrigger, EventTimeTrigger, Trigger
from winsql.spark.streaming import key_group as group_module
from winsql.spark.streaming.key_group import KeyGroup
from winsql.spark.workers.engines import stream_plan
from winsql.spark.workers.partition import run_partition
from winsql.spark.workers.task import (
    Handout,
    Place,
    StreamTask,
    Task,
)

LONG, DOUBLE, TIME = pa.int64(), pa.float64(), pa.timestamp("us", "UTC")
LONG_SLOT, DOUBLE_SLOT = Operand("long", SLOTS["long"]), Operand("double", SLOTS["double"])
SCHEMA = pa.schema(
    [
        ("hash", LONG),
        ("ts", TIME),
        *COLUMNS.items(),
        ("first", pa.string()),
        ("second", LONG),
        ("payload", LONG),
    ]
)
OF_ANY_ORDER = (
    call("COUNT", result=LONG),
    call("SUM", "long"),
    call("SUM", "long", where="flag"),
    call("MIN", "double"),
    call("MAX", "time"),
    call("BOOL_OR", "flag"),
)
ORDERED = (
    *OF_ANY_ORDER,
    call("SUM", "double"),
    call("COLLECT_LIST", "long", result=pa.list_(LONG)),
    call("FIRST", "long"),
    call("LAST", "double"),
)


@dataclass(frozen=True)
class Row:
    """A row and how long it is on its way; the delay of the watermark bounds that."""

    time: int
    way: int
    first: str | None
    second: int | None
    values: tuple[Any, ...]

    @property
    def hash(self) -> int:
        """As the plans have it: of all keys, NULL as any other value; some keys share one."""
        return {None: 0, "a": 1, "b": 2}[self.first] + {None: 0, 1: 4, 2: 4 | 1 << 40}[self.second]


@dataclass(frozen=True)
class Case:
    """Rows in the order in which they arrive; `cuts` are the sizes of the micro-batches."""

    delay: int
    rows: list[Row]
    cuts: list[int]

    def batches(self) -> list[tuple[int, list[Row]]]:
        """Inclusive watermark and rows of each, as Spark sets it: by the rows of the batches before."""
        ends = [*(end for end in accumulate(self.cuts) if end < len(self.rows)), len(self.rows)]
        parts = [self.rows[start:end] for start, end in zip([0, *ends], ends, strict=False)]
        newest = accumulate((max((row.time for row in part), default=MIN_TIME) for part in parts), max)
        watermarks = [MIN_TIME, *(MIN_TIME if time == MIN_TIME else time - self.delay - 1 for time in newest)]
        return [*zip(watermarks, parts, strict=False), (MAX_TIME, [])]


VALUES = st.tuples(
    st.none() | st.integers(-100, 100),
    st.none() | st.integers(-5, 5),
    st.none() | st.integers(-8, 8).map(lambda n: n / 4),
    st.none() | st.just(0.5),
    st.none() | st.booleans(),
    st.none() | st.integers(-50, 50),
    st.none(),
    st.none(),
)


@st.composite
def cases(draw: st.DrawFn, *, ordered: bool) -> Case:
    delay = draw(st.integers(0, 60))
    ways = st.just(0) if ordered else st.integers(0, delay)
    keys = st.sampled_from(["a", "b", None]), st.sampled_from([1, 2, None])
    rows = draw(st.lists(st.builds(Row, st.integers(-100, 200), ways, *keys, VALUES), max_size=40))
    rows.sort(key=lambda row: row.time + row.way)
    return Case(delay, rows, draw(st.lists(st.integers(0, 15), max_size=12)))


SESSIONS = st.builds(SessionWindows, st.just(EVENT), SIZES)
ALIGNED = st.one_of(tumbling(), sliding(), cumulating()).filter(lambda assigner: assigner.is_event_time)
BY_TIME = st.builds(WindowSpec.of, ALIGNED | SESSIONS, allowed_lateness=st.just(0) | st.integers(0, 40))
COUNTED: st.SearchStrategy[Trigger] = st.one_of(
    st.builds(CountTrigger, st.integers(1, 5)),
    st.builds(DeltaTrigger, st.just(DOUBLE_SLOT), st.integers(0, 4).map(float), st.booleans()),
)
COUNTED = st.one_of(COUNTED, st.builds(PurgingTrigger, COUNTED), st.builds(AnyTrigger, st.tuples(COUNTED, COUNTED)))
EVICTORS = st.one_of(
    st.none(),
    st.builds(CountEvictor, st.integers(1, 4)),
    st.builds(TimeEvictor, st.integers(1, 50)),
    st.builds(DeltaEvictor, st.just(DOUBLE_SLOT), st.integers(1, 4).map(float)),
)
BY_ROWS = st.one_of(
    st.builds(WindowSpec.of, st.builds(CountWindows, st.integers(1, 5), st.none() | st.integers(1, 5), st.just(EVENT))),
    st.builds(WindowSpec.of, st.just(GlobalWindows(EVENT)), COUNTED, EVICTORS, evict_after=st.booleans()),
    st.builds(
        WindowSpec.of,
        st.builds(TumblingWindows, st.just(EVENT), SIZES),
        st.builds(AnyTrigger, st.tuples(COUNTED, st.just(EventTimeTrigger()))),
        EVICTORS,
    ),
)


def task_of(spec: WindowSpec, handout: Handout, aggregates: tuple[Any, ...]) -> StreamTask:
    place = Place("the query", Span(0, 3), ("first", "second"))
    schema = SCHEMA if handout is Handout.ROWS else pa.schema(list(SCHEMA)[:-1])
    calls = aggregates if handout is Handout.RESULTS else ()
    return StreamTask(Task(spec, handout, calls, (), len(COLUMNS), 2, TIME, 0, place), schema)


def arrow(rows: list[Row], schema: pa.Schema) -> pa.RecordBatch:
    records = [(r.hash, r.time, *r.values, r.first, r.second, n)[: len(schema)] for n, r in enumerate(rows)]
    columns = zip(*records, strict=True) if rows else [()] * len(schema)
    arrays = [pa.array(list(column), field.type) for column, field in zip(columns, schema, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=schema)


def on_a_table(task: StreamTask, case: Case) -> Counter[str]:
    """As batch plans bring the rows: key by key, in order of event time and arrival."""

    def key(row: Row) -> tuple[str, str]:
        return repr(row.first), repr(row.second)

    ordered = sorted(enumerate(case.rows), key=lambda item: (key(item[1]), item[1].time, item[0]))
    numbers = [number for number, _ in ordered]
    batch = arrow(case.rows, task.schema).take(pa.array(numbers, LONG))
    starts = [n == 0 for _, run in groupby(ordered, key=lambda item: key(item[1])) for n, _ in enumerate(run)]
    names = ["starts", *task.schema.names[1:]]
    flagged = pa.RecordBatch.from_arrays([pa.array(starts, pa.bool_()), *batch.columns[1:]], names=names)
    return counted(run_partition(task.task, [flagged])) if ordered else Counter()


def on_a_stream(task: StreamTask, case: Case, *, columnar: bool) -> Counter[str]:
    store, everything, first = MemoryStore(), arrow(case.rows, task.schema), 0
    results = []
    for watermark, rows in case.batches():
        group = KeyGroup(task, store, columnar=columnar)
        batch, first = everything.slice(first, len(rows)), first + len(rows)
        for result, late in group.run(batch, watermark, None):
            assert late is None
            results.append(result)
        assert group.meta.dropped == 0
    return counted(results)


def counted(batches: Any) -> Counter[str]:
    return Counter(repr(record) for batch in batches for record in batch.to_pylist())


def check(spec: WindowSpec, case: Case, handout: Handout, aggregates: tuple[Any, ...], max_bytes: int) -> None:
    task = task_of(spec, handout, aggregates)
    expected = on_a_table(task, case)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(group_module, "MAX_BUCKET_BYTES", max_bytes)
        assert on_a_stream(task, case, columnar=False) == expected
        if not isinstance(stream_plan(task), str):
            assert on_a_stream(task, case, columnar=True) == expected


SETTINGS = settings(max_examples=150)
HANDOUTS = st.sampled_from([Handout.RESULTS, Handout.ROWS])
MAX_BYTES = st.sampled_from([1, 1 << 20])
"""Of a bucket: one key each, or all in one."""


@pytest.mark.slow
@SETTINGS
@given(BY_TIME, cases(ordered=False), MAX_BYTES)
def test_out_of_order_within_the_delay(spec: WindowSpec, case: Case, max_bytes: int) -> None:
    check(spec, case, Handout.RESULTS, OF_ANY_ORDER, max_bytes)


@SETTINGS
@given(BY_TIME, cases(ordered=True), HANDOUTS, MAX_BYTES)
def test_windows_of_time_in_order(spec: WindowSpec, case: Case, handout: Handout, max_bytes: int) -> None:
    check(spec, case, handout, ORDERED, max_bytes)


@SETTINGS
@given(BY_ROWS, cases(ordered=True), HANDOUTS, MAX_BYTES)
def test_windows_that_rows_fire(spec: WindowSpec, case: Case, handout: Handout, max_bytes: int) -> None:
    check(spec, case, handout, ORDERED, max_bytes)


def test_the_engines_are_both_asked() -> None:
    def reason(spec: WindowSpec, aggregates: tuple[Any, ...]) -> Any:
        return stream_plan(task_of(spec, Handout.RESULTS, aggregates))

    plain = WindowSpec.of(TumblingWindows(EVENT, 10))
    assert not isinstance(reason(plain, OF_ANY_ORDER), str)
    assert isinstance(reason(plain, ORDERED), str)
    assert isinstance(reason(replace(plain, trigger=AnyTrigger((EventTimeTrigger(),))), OF_ANY_ORDER), str)
