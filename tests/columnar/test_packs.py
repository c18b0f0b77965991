"""Rows of a bounded table in packs: divided among partitions, merged in order of place, beyond memory in files."""

from __future__ import annotations

import random
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pyarrow as pa
import pytest

from winsql.spark.workers import packs
from winsql.spark.workers.group_numbers import key_group_numbers
from winsql.spark.workers.packs import PACK, merged, packed
from winsql.spark.workers.sorting import TIME_BITS

SCHEMA = pa.schema(
    [("place", pa.int64()), ("ts", pa.timestamp("us", "UTC")), ("k", pa.string()), ("n", pa.int64())],
    metadata={"of": "the user"},
)
Row = tuple[int, int | None, str | None, int]


def rows(seed: int, count: int, hashes: int, steps: int) -> list[Row]:
    pick = random.Random(seed)
    found: list[Row] = []
    for number in range(count):
        place = pick.randrange(hashes) << TIME_BITS | pick.randrange(steps)
        found.append((place, pick.choice([None, number]), pick.choice([None, "a", "ü"]), number))
    return found


def batches(given: list[Row], size: int) -> Iterator[pa.RecordBatch]:
    for begin in range(0, len(given), size):
        columns = zip(*given[begin : begin + size], strict=True)
        arrays = [pa.array(column, field.type) for column, field in zip(columns, SCHEMA, strict=True)]
        yield pa.RecordBatch.from_arrays(arrays, schema=SCHEMA)


def shuffled(given: list[Row], partitions: int, tasks: int, size: int) -> dict[int, list[pa.RecordBatch]]:
    """By partition what Spark hands over: the packs of all tasks, one to a batch, by their first places."""
    found = defaultdict(list)
    for task in range(tasks):
        for batch in packed(partitions, batches(given[task::tasks], size)):
            assert batch.schema == PACK
            for place in range(batch.num_rows):
                found[batch.column(0)[place].as_py()].append(batch.slice(place, 1))
    return {number: sorted(some, key=lambda pack: pack.column(1)[0].as_py()) for number, some in found.items()}


def taken(found: Iterator[pa.RecordBatch]) -> list[Row]:
    taken: list[Row] = []
    for batch in found:
        assert batch.schema.names == SCHEMA.names
        assert batch.schema.types == SCHEMA.types
        places, times, keys, numbers = (
            column.to_pylist() for column in [*batch.columns[:1], batch.column(1).cast(pa.int64()), *batch.columns[2:]]
        )
        taken += zip(places, times, keys, numbers, strict=True)
    return taken


@pytest.fixture
def small(monkeypatch: pytest.MonkeyPatch) -> None:
    """Packs of 20 rows, and steps of some packs."""
    monkeypatch.setattr(packs, "PACK_ROWS", 20)
    monkeypatch.setattr(packs, "STEP_BYTES", 4000)


@pytest.mark.parametrize("partitions", [1, 3, 200])
@pytest.mark.parametrize(("hashes", "steps"), [(500, 1000), (1, 100_000), (3, 4), (1, 1)])
def test_rows_come_in_order_of_place(small: None, partitions: int, hashes: int, steps: int) -> None:
    given = rows(partitions, 3000, hashes, steps)
    numbers = key_group_numbers(partitions).tolist()
    found = shuffled(given, partitions, tasks=4, size=170)
    assert set(found) <= set(numbers)
    together = []
    for number, some in found.items():
        in_order = taken(merged(iter(some)))
        assert [row[0] for row in in_order] == sorted(row[0] for row in in_order)
        assert {numbers[(row[0] >> TIME_BITS) % partitions] for row in in_order} == {number}
        together += in_order
    assert sorted(together, key=lambda row: row[3]) == given


@pytest.mark.parametrize(("hashes", "steps"), [(500, 1000), (1, 100_000), (3, 4), (1, 1)])
def test_rows_beyond_memory_are_kept_in_files(
    small: None, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, hashes: int, steps: int
) -> None:
    """Rows of one place stay in memory together, all others do not; no file is left."""
    files: list[int] = []
    keep = packs._kept_in_file
    monkeypatch.setattr(packs, "_kept_in_file", lambda rows: (files.append(rows.num_rows), keep(rows))[1])
    monkeypatch.setattr(packs, "HELD_BYTES", 10_000)
    monkeypatch.setenv("SPARK_LOCAL_DIRS", f"{tmp_path},/no/such/folder")
    given = rows(hashes, 6000, hashes, steps)
    (some,) = shuffled(given, 1, tasks=50, size=60).values()
    in_order = taken(merged(iter(some)))
    assert sorted(in_order, key=lambda row: row[3]) == given
    assert [row[0] for row in in_order] == sorted(row[0] for row in given)
    assert bool(files) == (steps > 1)
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("held_bytes", [1 << 28, 20_000])
def test_rows_that_wait_do_not_keep_their_packs(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, held_bytes: int
) -> None:
    """Each pack has one row of a far time, and rows of the pack after it: what is left of packs is small."""
    monkeypatch.setattr(packs, "STEP_BYTES", 4000)
    monkeypatch.setattr(packs, "HELD_BYTES", held_bytes)
    monkeypatch.setenv("SPARK_LOCAL_DIRS", str(tmp_path))
    kept: list[int] = []
    divided = packs._divided

    def noted(held: list[pa.RecordBatch], place: int) -> tuple[list[pa.RecordBatch], list[pa.RecordBatch]]:
        kept.append(sum(rows.get_total_buffer_size() for rows in held))
        return divided(held, place)

    monkeypatch.setattr(packs, "_divided", noted)
    given: list[Row] = []
    for pack in range(200):
        places = [*(pack * 100 + step for step in range(110)), 1 << 40]
        given += [(place, None, "x" * 100, len(given) + n) for n, place in enumerate(places)]
    in_order = taken(merged(pack for batch in batches(given, 111) for pack in packed(1, [batch])))
    assert sorted(in_order, key=lambda row: row[3]) == given
    assert [row[0] for row in in_order] == sorted(row[0] for row in given)
    assert max(kept) < 100_000  # of 2,900,000


def test_without_a_folder_of_sparks_files_go_where_others_go(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.delenv("SPARK_LOCAL_DIRS", raising=False)
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    (batch,) = batches(rows(1, 10, 1, 10), 10)
    places = np.sort(batch.column(0).to_numpy())
    ordered = batch.set_column(0, "place", pa.array(places))
    assert [first for first, _ in packs._kept_in_file(ordered)] == [places[0]]


def test_packs_of_long_rows_have_few(small: None, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packs, "PACK_BYTES", 10_000)
    given = [(place, None, "x" * 3000, place) for place in range(10)]
    (batch,) = packed(1, batches(given, 100))
    assert len(batch.column(2).drop_null()) == 4
    assert taken(merged(packed(1, batches(given, 100)))) == given


def test_a_batch_of_sparks_has_bounded_bytes() -> None:
    """Of 10,000 rows with packs among them."""
    given = rows(1, 200_000, 5000, 1000)
    found = [batch.column(2) for batch in packed(2, batches(given, 50_000))]
    lengths = [len(pack or b"") for column in found for pack in column.to_pylist()]
    assert max(lengths) > 20 * packs.SPARK_ROW_BYTES
    assert sum(lengths) < packs.SPARK_ROW_BYTES * len(lengths)


def test_no_rows() -> None:
    assert list(packed(3, iter([]))) == list(merged(iter([]))) == []
    assert list(packed(3, [pa.RecordBatch.from_pylist([], schema=SCHEMA)])) == []
