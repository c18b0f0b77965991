"""Columns as numpy arrays and back, as pyarrow has them, and without pandas."""

from __future__ import annotations

import subprocess
import sys
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from hypothesis import given
from hypothesis import strategies as st

from winsql.runtime.arrays import binaries, empty, present_in, to_arrow, to_numpy

KINDS = {
    "int64": (pa.int64(), st.integers(-(2**63), 2**63 - 1)),
    "int32": (pa.int32(), st.integers(-(2**31), 2**31 - 1)),
    "uint16": (pa.uint16(), st.integers(0, 2**16 - 1)),
    "double": (pa.float64(), st.floats(allow_nan=False)),
    "boolean": (pa.bool_(), st.booleans()),
    "timestamp": (pa.timestamp("us", "UTC"), st.integers(-(2**62), 2**62)),
    "date": (pa.date32(), st.integers(-(2**31), 2**31 - 1)),
    "duration": (pa.duration("us"), st.integers(-(2**62), 2**62)),
}


@pytest.mark.parametrize("name", KINDS)
@given(data=st.data())
def test_values_of_a_column(name: str, data: st.DataObject) -> None:
    kind, values = KINDS[name]
    given_values = data.draw(st.lists(st.none() | values, max_size=40))
    begin = data.draw(st.integers(0, len(given_values)))
    column = _column(given_values, kind).slice(begin)
    wanted = given_values[begin:]
    assert present_in(column).tolist() == [value is not None for value in wanted]
    assert to_numpy(column).tolist() == [value or 0 for value in wanted]


def _column(values: list[Any], kind: pa.DataType) -> pa.Array:
    plain = {"timestamp": pa.int64(), "duration": pa.int64(), "date": pa.int32()}
    stored = next((own for name, own in plain.items() if str(kind).startswith(name)), kind)
    return pa.array(values, stored).cast(kind)


@pytest.mark.parametrize("name", ["int64", "int32", "uint16", "double", "boolean"])
@given(data=st.data())
def test_a_column_of_values(name: str, data: st.DataObject) -> None:
    kind, values = KINDS[name]
    pairs = data.draw(st.lists(st.tuples(values, st.booleans()), max_size=40))
    array = np.array([value for value, _ in pairs], dtype=kind.to_pandas_dtype())
    absent = np.array([is_absent for _, is_absent in pairs], dtype=bool)
    assert to_arrow(array) == pa.array(array, kind)
    column = to_arrow(array[::-1], absent[::-1])
    column.validate(full=True)
    assert column == pa.array(array[::-1], kind, mask=absent[::-1])


@given(st.lists(st.none() | st.binary(max_size=5), max_size=20))
def test_binary_values(values: list[bytes | None]) -> None:
    column = binaries(values)
    column.validate(full=True)
    assert column == pa.array(values, pa.binary())


def test_null_has_the_value_that_is_asked_for() -> None:
    assert to_numpy(pa.array([None, 3], pa.int64()), -7).tolist() == [-7, 3]
    assert to_numpy(pa.nulls(2, pa.bool_()), True).tolist() == [True, True]


def test_no_rows() -> None:
    schema = pa.schema([("a", pa.int64()), ("b", pa.string()), ("c", pa.struct([("d", pa.float64())]))])
    assert empty(schema) == pa.RecordBatch.from_pylist([], schema=schema)
    assert [to_numpy(pa.nulls(0, kind)).tolist() for kind in (pa.int64(), pa.bool_(), pa.float64())] == [[], [], []]


@pytest.mark.parametrize(
    "part", ["rows of a stream are packed", "rows of a table go through the operator", "results are unpacked"]
)
def test_workers_do_without_pandas(part: str) -> None:
    """They start in half of the time then."""
    code = f"import sys; sys.path[:0] = {sys.path!r}\nfrom without_pandas import PARTS\nPARTS[{part!r}]()\n"
    code += "assert 'pandas' not in sys.modules, 'pandas'"
    subprocess.run([sys.executable, "-c", code], check=True)
