"""State in narrow columns: every value comes back, columns of one value are free, earlier versions can be read."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from engines import EVENT, Batch
from hypothesis import given, settings
from hypothesis import strategies as st
from test_engines_agree import row
from test_key_group import Query

from winsql.model.assigners import TumblingWindows
from winsql.model.query import WindowSpec
from winsql.model.triggers import ContinuousEventTimeTrigger
from winsql.runtime.columnar.shared.codec import decode_panes, encode_panes
from winsql.runtime.columnar.shared.narrow import narrowed, narrowed_batch, widened, widened_batch

SPEC = WindowSpec.of(TumblingWindows(EVENT, 10), ContinuousEventTimeTrigger(4), allowed_lateness=30)
STATES = Path(__file__).resolve().parent / "states"
"""The buckets that winsql wrote in earlier versions for `_query`."""
ENDS = [-(2**63), -(2**63) + 1, -(2**32), -256, -1, 0, 255, 256, 2**32 - 1, 2**63 - 1]
LONGS = st.lists(st.one_of(st.integers(-(2**63), 2**63 - 1), st.sampled_from(ENDS)), max_size=5)


@settings(max_examples=200)
@given(LONGS)
def test_longs_come_back(values: list[int]) -> None:
    column = np.array(values, dtype=np.int64)
    field, array = narrowed("c", column)
    assert widened(field, array).tolist() == values
    assert widened(field, array).dtype == np.int64


def test_flags_and_floats_come_back() -> None:
    for values in ([], [True], [True, False], [False, False], [0.0, -0.0, float("nan"), 1e300], [1.5]):
        column = np.array(values)
        back = widened(*narrowed("c", column))
        assert (back.dtype, back.tobytes(), back.flags.writeable) == (column.dtype, column.tobytes(), True)


def test_a_column_takes_as_many_bytes_as_its_values_need() -> None:
    widths = {(7, 7): 0, (1000, 1255): 1, (1000, 1256): 2, (-1, 2**16): 4, (-1, 2**32): 8}
    for values, width in widths.items():
        _, array = narrowed("c", np.array(values, dtype=np.int64))
        assert array.nbytes == width * len(values)
    assert pa.types.is_null(narrowed("c", np.ones(3, dtype=bool))[0].type)


def test_batches_come_back() -> None:
    kinds = [pa.int8(), pa.int16(), pa.int32(), pa.int64(), pa.timestamp("us", "UTC"), pa.duration("us"), pa.float64()]
    columns = []
    for least, step in ((-5, 0), (-5, 1), (100, 1), (-(2**63), 2**55)):
        values = [least + place % 200 * step for place in range(300)]
        for kind in kinds if step < 2 and least < 0 else [pa.int64()]:
            columns += [pa.array(v, pa.int64()).cast(kind, safe=False) for v in (values, _with_nulls(values))]
    columns += [pa.array(list(range(300)), pa.int32()).view(pa.date32()), pa.nulls(300, pa.int64()), pa.nulls(300)]
    columns += [pa.array(["x"] * 300), pa.array([{"n": 1}, None] * 150), pa.array([True, None] * 150)]
    batch = pa.RecordBatch.from_arrays(columns, names=[f"c{number}" for number in range(len(columns))])
    for rows in (batch, batch.slice(17, 270), batch.slice(0, 3)):
        back = widened_batch(narrowed_batch(rows))
        back.validate(full=True)
        assert back.equals(rows)
        assert back.schema == rows.schema
    assert narrowed_batch(batch).nbytes < 0.6 * batch.nbytes


def _with_nulls(values: list[int]) -> list[int | None]:
    return [None if place % 3 == 0 else value for place, value in enumerate(values)]


def _query() -> Query:
    query = Query(SPEC)
    query.run(Batch(0, None, [row("a", 1), row("b", 11), row("a", 12), row("a", 13)], True), True)
    return query.run(Batch(15, None, [row("c", 3)], True), True)


def test_keys_of_a_bucket_are_narrow_and_come_back() -> None:
    numbers = list(range(300))
    header, _, panes = decode_panes((STATES / "version_4.bucket").read_bytes())
    columns = [pa.array(numbers, pa.int64()), pa.array([None, *numbers[1:]], pa.int64()), pa.array(numbers, pa.int32())]
    keys = pa.RecordBatch.from_arrays(columns, names=["hash", "k", "n"])
    data = encode_panes(header, keys, panes)
    nothing = encode_panes(header, keys.slice(0, 0), panes)
    assert decode_panes(data)[1].equals(keys)
    assert len(data) - len(nothing) < keys.nbytes / 2


@pytest.mark.parametrize("version", ["version_1", "version_2", "version_3", "version_4"])
def test_an_earlier_version_is_read(version: str) -> None:
    earlier = (STATES / f"{version}.bucket").read_bytes()
    query, upgraded = _query(), _query()
    (number,) = upgraded.store.buckets
    assert upgraded.store.buckets[number] != earlier
    upgraded.store.buckets[number] = earlier
    seen: list[Any] = []
    for each in (query, upgraded):
        each.firings.clear()
        each.run(Batch(17, None, [row("b", 15)], True), True)
        seen.append(each.run(Batch(60, None, [], True), True).seen())
    assert seen[0] == seen[1]
    assert len(seen[0][0]["a"]) > 1
