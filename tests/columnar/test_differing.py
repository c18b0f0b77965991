"""Keys that are the same, and keys that differ, beside each other."""

from __future__ import annotations

import math

import pyarrow as pa
import pytest

from winsql.runtime.columnar.shared.differing import differs

FAR = pa.array([-10_000_000, 10_000_000, 1, 0], pa.int32()).cast(pa.date32())
"""Days that Python's dates do not reach."""
INSTANTS = pa.array([-(2**62), 2**62, None, 0]).cast(pa.timestamp("us", "UTC"))
NUMBERS = pa.array([1.0, math.nan, None, 2.0])
PAIRS = pa.array([{"a": 1, "b": "x"}, {"a": None, "b": "x"}, None, {"a": 1, "b": None}])
KEYS = {
    "days": FAR,
    "instants": INSTANTS,
    "numbers": NUMBERS,
    "structs": PAIRS,
    "structs of days and numbers": pa.StructArray.from_arrays([FAR, NUMBERS], ["day", "number"]),
    "lists of days": pa.ListArray.from_arrays([0, 1, 2, 2, 4], FAR),
    "lists of NaN and NULL": pa.array([[math.nan], [None], None, []], pa.list_(pa.float64())),
    "lists of one length": pa.array([[1, 2], [2, 1], [1, None], [None, 1]], pa.list_(pa.int32())),
    "lists of structs": pa.ListArray.from_arrays([0, 1, 2, 3, 4], PAIRS),
    "lists of lists": pa.array([[[1], []], [[], [1]], [None], None], pa.list_(pa.list_(pa.int32()))),
    "strings that are not UTF-8": pa.array([[b"\xff"], [b"\xfe"], [b""], []], pa.list_(pa.binary())).view(
        pa.list_(pa.string())
    ),
}


@pytest.mark.parametrize("name", KEYS)
def test_a_value_is_itself_and_no_other_one(name: str) -> None:
    column = KEYS[name]
    for number in range(len(column)):
        others = column.take(pa.array([number] * len(column)))
        assert differs(column, others).tolist() == [place != number for place in range(len(column))]


def test_parts_of_columns() -> None:
    for column in KEYS.values():
        assert not differs(column[1:3], column.take(pa.array([1, 2]))).any()


def test_columns_without_values() -> None:
    assert differs(pa.nulls(2), pa.nulls(2)).tolist() == [False, False]
    empty = pa.array([], pa.list_(pa.int32()))
    assert differs(empty, empty).tolist() == []
