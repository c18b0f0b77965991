"""The first rows of a ranking before the shuffle, against the ranking of all rows in every window."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import replace
from decimal import Decimal
from math import isnan
from typing import Any

import pyarrow as pa
import pytest
from engines import EVENT, PROCESSING, Batch, hash_of
from hypothesis import given, settings
from hypothesis import strategies as st
from test_engines_agree import row
from test_key_group import PAYLOAD_SCHEMA, Query, arrow

from winsql.errors import Span
from winsql.model.assigners import Assigner, CumulatingWindows, SessionWindows, SlidingWindows, TumblingWindows
from winsql.model.query import WINDOW_END, WINDOW_START, WindowSpec
from winsql.model.triggers import CountTrigger
from winsql.model.window_functions import RankingFunction, SortKey, Ties, WindowFunctionCall, WindowFunctions
from winsql.runtime.columnar import ColumnarPlan, SortColumn, TopRows, plan_of, top_rows
from winsql.spark.streaming.reductions import over_reduced, reduction_of
from winsql.spark.workers.engines import engine_of
from winsql.spark.workers.task import Handout, StreamTask

SCHEMA = pa.schema(
    [
        ("hash", pa.int64()),
        ("ts", pa.timestamp("us", "UTC")),
        ("key", pa.string()),
        ("n", pa.int64()),
        ("x", pa.float64()),
        ("text", pa.string()),
        ("amount", pa.decimal128(5, 2)),
        ("id", pa.int64()),
    ]
)
VALUES: dict[str, list[Any]] = {
    "n": [None, 1, 2, 2**63 - 1, -(2**63)],
    "x": [None, 0.0, -0.0, 1.5, float("nan"), float("inf"), -1.0],
    "text": [None, "", "a", "B", "ä", "aa"],
    "amount": [None, Decimal("1.50"), Decimal("-2.25"), Decimal("0.00")],
}
ASSIGNERS: list[Assigner] = [
    TumblingWindows(EVENT, 10),
    TumblingWindows(EVENT, 1),
    SlidingWindows(EVENT, 20, 10),
    SlidingWindows(EVENT, 25, 10),
    CumulatingWindows(EVENT, 30, 10),
]
ROWS = st.lists(
    st.tuples(st.sampled_from("abc"), st.integers(-12, 30), *(st.sampled_from(values) for values in VALUES.values())),
    min_size=5,
    max_size=40,
)
ORDERS = st.lists(st.tuples(st.sampled_from(["ts", *VALUES]), st.booleans(), st.booleans()), min_size=1, max_size=3)
Record = dict[str, Any]


def made(
    assigner: Assigner, function: RankingFunction, order: list[tuple[str, bool, bool]], most: int, last: bool
) -> TopRows:
    plan = plan_of(WindowSpec.of(assigner), (), [pa.string()], hands_rows=True)
    assert isinstance(plan, ColumnarPlan), plan
    columns = [SortColumn(SCHEMA.names.index(name), descending, first) for name, descending, first in order]
    found = top_rows(plan, function, columns, most, last, (2, 1))
    assert found is not None
    return found


def batch_of(rows: list[tuple[Any, ...]]) -> pa.RecordBatch:
    records = [(hash_of(key), time, key, *values, n) for n, (key, time, *values) in enumerate(rows)]
    columns = zip(*records, strict=True) if records else [()] * len(SCHEMA)
    arrays = [pa.array(list(column), field.type) for column, field in zip(columns, SCHEMA, strict=True)]
    return pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)


def kept(
    records: Iterable[Record], assigner: Assigner, function: RankingFunction, order: list[tuple[str, bool, bool]],
    most: int, last: bool,
) -> set[tuple[Any, ...]]:  # fmt: skip
    """The numbers of the rows that a ranking of every window keeps, one row after the other."""
    windows = defaultdict(list)
    for record in records:
        for window in assigner.assign((record["id"], record["time"]), 0):
            windows[record["key"], window].append(record)
    found = set()
    for (key, window), inside in windows.items():
        ranked = sorted(inside, key=lambda r: -r["id"] if last else r["id"])
        for name, descending, nulls_first in reversed(order):
            ranked.sort(key=lambda r, name=name: place_of(r[name]), reverse=descending)
            ranked.sort(key=lambda r, name=name, first=nulls_first: (r[name] is None) != first)
        number = place = dense = 0
        before: Any = None
        for count, record in enumerate(ranked, 1):
            values = [place_of(record[name]) for name, _, _ in order]
            if values != before:
                place, dense, before = count, dense + 1, values
            number = {"ROW_NUMBER": count, "RANK": place, "DENSE_RANK": dense}[function.value]
            if number <= most:
                found.add((key, window, record["id"], number))
    return found


def place_of(value: Any) -> Any:
    """Something that sorts as Spark does: NaN after all numbers."""
    if value is None:
        return (-1, 0)
    if isinstance(value, float):
        return (1, 0) if isnan(value) else (0, value + 0.0)
    return (0, value.encode() if isinstance(value, str) else value)


def records_of(batch: pa.RecordBatch) -> list[Record]:
    times = batch.column(1).cast(pa.int64()).to_pylist()
    return [
        {**record, "time": time, "ts": time}
        for record, time in zip(batch.drop_columns("ts").to_pylist(), times, strict=True)
    ]


@pytest.mark.parametrize("assigner", ASSIGNERS, ids=str)
def test_every_window_keeps_the_rows_that_it_would_of_all(assigner: Assigner) -> None:
    left_out = 0

    @settings(max_examples=300)
    @given(ROWS, ORDERS, st.sampled_from(RankingFunction), st.integers(1, 3), st.booleans(), st.integers(1, 40))
    def agree(rows: Any, order: Any, function: RankingFunction, most: int, last: bool, size: int) -> None:
        nonlocal left_out
        batch = batch_of(rows)
        top = made(assigner, function, order, most, last)
        parts = [top.reduced(top.of_each(batch.slice(begin, size))) for begin in range(0, len(rows), size)]
        some = records_of(top.reduced(pa.concat_batches(parts))) if parts else []
        every = records_of(batch)
        assert kept(some, assigner, function, order, most, last) == kept(every, assigner, function, order, most, last)
        assert [record["id"] for record in some] == sorted(record["id"] for record in some)
        assert counted(some, assigner) == counted([{**record, "rows": 1} for record in every], assigner)
        left_out += len(every) - len(some)

    agree()
    assert left_out > 100


def counted(records: Iterable[Record], assigner: Assigner) -> Counter[Any]:
    """For how many rows those of a key and a window stand."""
    found: Counter[Any] = Counter()
    for record in records:
        for window in assigner.assign((record["id"], record["time"]), 0):
            found[record["key"], window] += record["rows"]
    return found


def test_keys_that_share_a_hash_stay() -> None:
    top = made(TumblingWindows(EVENT, 10), RankingFunction.RANK, [("n", False, False)], 1, False)
    batch = batch_of([(key, 1, n, None, None, None) for n, key in enumerate(["collides", "collided"] * 3)])
    assert [part.num_rows for part in top.united([batch])] == [6]


@pytest.mark.parametrize(
    "spec",
    [
        WindowSpec.of(TumblingWindows(EVENT, 10), allowed_lateness=1),
        WindowSpec.of(TumblingWindows(EVENT, 10), late_output=True),
        WindowSpec.of(TumblingWindows(EVENT, 10), CountTrigger(2)),
        WindowSpec.of(TumblingWindows(PROCESSING, 10)),
        WindowSpec.of(SlidingWindows(EVENT, 5, 10)),
        WindowSpec.of(SessionWindows(EVENT, 10)),
    ],
    ids=str,
)
def test_windows_that_must_see_each_row(spec: WindowSpec) -> None:
    plan = plan_of(spec, (), [pa.string()], hands_rows=True)
    assert isinstance(plan, str) or top_rows(plan, RankingFunction.RANK, [], 1, False, (2, 1)) is None


def ranking(most: int | None, order: str = "double", apart: tuple[str, ...] = ("key", "parity")) -> WindowFunctions:
    key = SortKey(order, True, False, order)
    partition = (WINDOW_START, WINDOW_END, *apart)
    call = WindowFunctionCall("ROW_NUMBER", "", (), None, False, partition, (), (key,), None, "r", Span(0, 1))
    return WindowFunctions((call,), None, Ties.FIRST_ARRIVED, most)


def rows_task() -> StreamTask:
    task = Query(WindowSpec.of(TumblingWindows(EVENT, 10)), Handout.ROWS).task
    return replace(task, schema=PAYLOAD_SCHEMA.remove(len(PAYLOAD_SCHEMA) - 1), keeps_late=False)


class Rows(Query):
    """A query that hands out rows; only the first ones reach it where `most` is given."""

    def __init__(self, most: int | None = None) -> None:
        super().__init__(WindowSpec.of(TumblingWindows(EVENT, 10)), Handout.ROWS)
        self.task = rows_task()
        self.raw, self.reduction = self.task.schema, reduction_of(self.task, ranking(most))
        if self.reduction is not None:
            self.task = over_reduced(self.task, self.reduction)

    def arrow(self, batch: Batch) -> pa.RecordBatch:
        rows = arrow(batch, PAYLOAD_SCHEMA).select(self.raw.names)
        if self.reduction is None:
            return rows
        return pa.concat_batches(self.reduction.united([rows]))


@pytest.mark.parametrize("columnar", [True, False], ids=["columnar", "per row"])
def test_late_rows_are_counted_though_they_are_left_out(columnar: bool) -> None:
    every, first = Rows(), Rows(2)
    values = [row("a", time, double=value) for time, value in ((1, 3.0), (2, 1.0), (3, 2.0), (11, 5.0), (4, 4.0))]
    late = [row("a", 5), row("a", 6), row("a", 7), row("b", 8), row("a", 25)]
    for batch in (
        Batch(0, None, values, True),
        Batch(10, None, [], True),
        Batch(12, None, late, True),
        Batch(90, None, [], True),
    ):
        every.run(batch, columnar)
        first.run(batch, columnar)
    assert (first.group.meta.dropped, every.group.meta.dropped + every.group.meta.late) == (4, 4)
    sizes = {query: [len(rows) for rows in query.firings.values()] for query in (every, first)}
    assert (sizes[every], sizes[first]) == ([6], [4])
    assert all(rows in every.firings["a"] for rows in first.firings["a"])


def test_what_is_ranked_by_columns_up_to_a_number() -> None:
    task = rows_task()
    found = reduction_of(task, ranking(3))
    assert isinstance(found, TopRows)
    assert (found.most, found.last_first, found.keys) == (3, False, (2 + task.task.slots, 2))
    assert "the ranking cannot keep are left out before the shuffle" in engine_of(over_reduced(task, found))
    assert reduction_of(task) is None
    assert reduction_of(task, ranking(None)) is None
    assert reduction_of(task, ranking(3, order="double + 1")) is None
    assert reduction_of(task, ranking(3, order="left")) is None
    assert reduction_of(task, ranking(3, apart=("key",))) is None
    assert reduction_of(task, replace(ranking(3), where="long > 1")) is None
    assert reduction_of(replace(task, keeps_late=True), ranking(3)) is None
