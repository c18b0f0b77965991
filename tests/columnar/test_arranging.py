"""Rows that Spark has sorted by place: keys come apart, and each key's rows into the order of time and arrival."""

from __future__ import annotations

import random
from collections import defaultdict
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from winsql.spark.workers.sorting import HASH_BITS, TIME_BITS, arranged, by_place

SCHEMA = pa.schema(
    [
        ("place", pa.int64()),
        ("ts", pa.timestamp("us", "UTC")),
        ("k", pa.float64()),
        ("name", pa.string()),
        ("void", pa.null()),
        ("payload", pa.int64()),
        ("arrival", pa.int64()),
    ]
)
KEYS: list[tuple[float | None, str | None]] = [
    (1.0, "a"), (1.0, None), (None, "a"), (None, None), (float("nan"), "a"), (2.0, "b"), (3.0, "c"), (4.0, "d")
]  # fmt: skip


@pytest.mark.parametrize("hashes", [1, 3, 100])
@pytest.mark.parametrize("seed", range(3))
def test_order(hashes: int, seed: int) -> None:
    pick = random.Random(hashes * 10 + seed)
    for size in (0, 1, 30, 400):
        rows = [_row(pick, number, hashes) for number in range(size)]
        rows.sort(key=lambda row: row[0])  # within a place in any order
        assert _groups(rows, pick.choice([1, 4, 40, 500])) == _expected(rows)


def _row(pick: random.Random, number: int, hashes: int) -> tuple[Any, ...]:
    owner = min(pick.randrange(len(KEYS)), pick.randrange(len(KEYS)))
    time = None if pick.random() < 0.05 else pick.randrange(-200, 200)
    place = (owner % hashes << TIME_BITS) + (0 if time is None else 1000 + time // 16)
    return (place, time, *KEYS[owner], None, number, pick.randrange(10) * 1000 + number)


def _expected(rows: list[tuple[Any, ...]]) -> dict[str, list[Any]]:
    """Each key's rows, in order."""
    found = defaultdict(list)
    for row in sorted(rows, key=lambda row: (row[1] is not None, row[1] or 0, row[6])):
        found[str(row[2:5])].append((row[1], row[5]))
    return dict(found)


def _groups(rows: list[tuple[Any, ...]], size: int) -> dict[str, list[Any]]:
    """The rows that come out, cut where a flag is; a key must begin once only."""
    columns = zip(*rows, strict=True) if rows else [()] * len(SCHEMA)
    arrays = [pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)]
    batch = pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)
    found: dict[str, list[Any]] = {}
    key = ""
    for out in arranged((batch.slice(begin, size) for begin in range(0, len(rows), size)), [2, 3, 4]):
        assert out.schema.names == ["place", "ts", "k", "name", "void", "payload"]
        values = [out.column(0), out.column(1).cast(pa.int64()), *out.columns[2:]]
        for first, time, *owner, payload in zip(*(column.to_pylist() for column in values), strict=True):
            if first:
                key = str(tuple(owner))
                assert key not in found
                found[key] = []
            assert key == str(tuple(owner))
            found[key].append((time, payload))
    return found


@pytest.mark.parametrize("hashes", [1, 7, 1 << HASH_BITS])
@pytest.mark.parametrize("steps", [1, 5, 1 << 23, 1 << 24, 1 << TIME_BITS])
def test_places_keep_their_order_where_they_are_equal(hashes: int, steps: int) -> None:
    pick = np.random.default_rng(hashes + steps)
    places = pick.integers(0, hashes, 3000) << TIME_BITS | pick.integers(0, steps, 3000)
    assert by_place(places).tolist() == np.argsort(places, kind="stable").tolist()
    assert by_place(places[:0]).tolist() == []
