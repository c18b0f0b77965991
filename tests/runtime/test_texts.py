"""Strings that are not UTF-8 go through Python as they are, at any depth of a type, and compare by their bytes."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import permutations
from typing import Any

import pyarrow as pa
import pytest

from winsql.runtime.codec import decode, encode
from winsql.runtime.texts import RawText, arrow_of, python_of, shown

RAW = [b"a\xff", b"", b"b\xc3\xa9", b"\xed\xa0\x80", b"\x80", b"\xf0\x9f\x98\x80", b"\xff", b"\xee\x80\x80", b"a"]


def texts(raw: Sequence[bytes | None]) -> pa.Array:
    return pa.array(raw, pa.binary()).view(pa.string())


def columns() -> dict[str, pa.Array]:
    column = texts([*RAW, None])
    lists = pa.ListArray.from_arrays(pa.array([0, 2, 2, 9], pa.int32()), column)
    places = pa.array([0, 1, 4], pa.int32())
    return {
        "strings": column,
        "large strings": pa.array(RAW, pa.large_binary()).view(pa.large_string()),
        "lists": lists,
        "structs": pa.StructArray.from_arrays([lists, lists.take(pa.array([2, None, 0]))], ["x", "y"]),
        "maps": pa.MapArray.from_arrays(places, texts(RAW[:4]), lists.take(pa.array([0, 1, 2, 0]))),
    }


@pytest.mark.parametrize("name", columns())
def test_columns_come_back_as_they_were(name: str) -> None:
    column = columns()[name]
    back = arrow_of(python_of(column), column.type)
    assert back.type == column.type
    assert back.equals(column)


@pytest.mark.parametrize("values", [["é", None, "b"], []])
def test_strings_of_utf_8_stay_plain(values: list[Any]) -> None:
    column = pa.array(values, pa.string())
    assert python_of(column) == values
    assert not any(isinstance(value, RawText) for value in python_of(column))
    assert arrow_of(values, pa.string()).equals(column)


def test_they_compare_by_their_bytes() -> None:
    values = dict(zip(python_of(texts(RAW)), RAW, strict=True))
    for left, right in permutations(values, 2):
        raw = values[left], values[right]
        found = (left < right, left <= right, left > right, left >= right, left == right)
        assert found == (raw[0] < raw[1], raw[0] <= raw[1], raw[0] > raw[1], raw[0] >= raw[1], False)


def test_state_keeps_them() -> None:
    (value,) = python_of(texts([b"a\xff"]))
    kept = decode(encode([value, {value: "é"}]))
    assert kept == [value, {value: "é"}]
    assert type(kept[0]) is RawText


def test_they_are_shown_with_their_bytes() -> None:
    column = columns()
    assert shown(column["strings"][0]) == r"a\udcff"
    assert r"a\udcff" in shown(column["lists"][0])
    assert shown(pa.scalar("é")) == "é"
