"""Rows of open windows beside the operator: taken by number in any order, dropped when no window holds them."""

from __future__ import annotations

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from winsql.spark.workers.batch_size import BATCH_BYTES
from winsql.spark.workers.columns import array_of, frozen, values_of
from winsql.spark.workers.payload import PayloadStore

SCHEMA = pa.schema([("v", pa.int64()), ("s", pa.string())])


def batch(first: int, count: int) -> pa.RecordBatch:
    numbers = list(range(first, first + count))
    return pa.RecordBatch.from_arrays([pa.array(numbers), pa.array([str(n) for n in numbers])], schema=SCHEMA)


def filled(sizes: list[int]) -> PayloadStore:
    store = PayloadStore(SCHEMA)
    first = 0
    for size in sizes:
        store.add(first, batch(first, size))
        first += size
    return store


def taken(store: PayloadStore, ids: list[int]) -> list[int]:
    rows = store.take(np.array(ids, dtype=np.int64))
    assert rows.column(1).to_pylist() == [str(v) for v in rows.column(0).to_pylist()]
    return list(rows.column(0).to_pylist())


@settings(max_examples=100)
@given(st.lists(st.integers(0, 30), min_size=1, max_size=12), st.data())
def test_any_rows_in_any_order(sizes: list[int], data: st.DataObject) -> None:
    store = filled(sizes)
    total = sum(sizes)
    ids = data.draw(st.lists(st.integers(0, total - 1), max_size=40)) if total else []
    assert taken(store, ids) == ids
    live = data.draw(st.sets(st.integers(0, total - 1))) if total else set()
    store.keep(live)
    assert store.rows == len(live)
    assert taken(store, sorted(live, reverse=True)) == sorted(live, reverse=True)


def test_long_rows_are_known_by_their_bytes() -> None:
    store = filled([1])
    assert not store.has_long_rows
    assert store.bytes_of(np.array([0])).tolist() == [0]
    long = pa.RecordBatch.from_arrays([pa.array([1, 2]), pa.array(["x", "y" * (BATCH_BYTES // 4)])], schema=SCHEMA)
    store.add(1, long)
    wanted = np.array([2, -1, 0, 2, 1])
    for place in (store, store.columns([1])):
        assert place.has_long_rows
        assert place.bytes_of(wanted).tolist() == [8 + BATCH_BYTES // 4, 0, 9, 8 + BATCH_BYTES // 4, 9]


def test_old_rows_go_by_the_chunk() -> None:
    store = filled([10, 1])
    store.drop_before(10)
    assert store.rows == 1
    assert taken(store, [10, 10]) == [10, 10]


def test_room_is_made_when_rows_have_doubled() -> None:
    store = PayloadStore(SCHEMA)
    first = 0
    while not store.is_due:
        store.add(first, batch(first, 10_000))
        first += 10_000
    store.keep(range(first - 5, first))
    assert store.rows == 5
    assert not store.is_due


VALUES = [
    (pa.array([1, None, 3], pa.int32()), [1, None, 3]),
    (pa.array([1.5, None]), [1.5, None]),
    (pa.array([None, None], pa.float32()), [None, None]),
    (pa.array([7, None], pa.timestamp("us", tz="America/New_York")), [7, None]),
    (pa.array([-7], pa.timestamp("us")), [-7]),
    (pa.array([-1, None], pa.date32()), [-1, None]),
    (pa.array([5], pa.duration("us")), [5]),
    (pa.array([True, None]), [True, None]),
    (pa.array([b"x"]), [b"x"]),
    (pa.array([[1, None], None], pa.list_(pa.timestamp("us"))), [[1, None], None]),
    (pa.array([{"t": 3}], pa.struct([("t", pa.date32())])), [{"t": 3}]),
    (pa.array([], pa.int64()), []),
]


@pytest.mark.parametrize(("array", "values"), VALUES, ids=[str(array.type) for array, _ in VALUES])
def test_values_and_back(array: pa.Array, values: list[object]) -> None:
    assert values_of(array) == values
    assert array_of(values, array.type) == array


def test_keys_can_be_hashed() -> None:
    assert hash(frozen([1, {"a": [2]}])) == hash(frozen([1, {"a": [2]}]))
    assert frozen({"a": [1]}) == (("a", (1,)),)
