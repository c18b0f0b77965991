"""Columns as numpy arrays and back, without pandas.

pyarrow imports pandas where values may be its own: in `pa.array`, `pa.scalar`, `to_numpy` and whatever calls them, as
`fill_null` does. That is half of what a Python worker does before its first row, and most need no pandas. These
functions read and make buffers of Arrow instead.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

Column = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]


def to_arrow(values: Column, absent: Mask | None = None) -> pa.Array:
    """A column of numbers or booleans, not copied but for booleans; NULL where `absent`."""
    values = np.ascontiguousarray(values)
    valid = None if absent is None or not absent.any() else _bits(~absent)
    data = _bits(values) if values.dtype == np.bool_ else pa.py_buffer(values)
    return pa.Array.from_buffers(pa.from_numpy_dtype(values.dtype), len(values), [valid, data])


def to_numpy(column: pa.Array, absent: Any = 0) -> Column:
    """The values of a column of numbers, times or booleans: times as numbers, NULL as `absent`.

    Not copied, and not to be written to, but for booleans and where there are NULLs.
    """
    kind = column.type
    values = _unpacked(column, 1) if pa.types.is_boolean(kind) else _values(column)
    if not column.null_count:
        return values
    return np.where(present_in(column), values, np.asarray(absent, dtype=values.dtype))


def is_whole(kind: pa.DataType) -> bool:
    """Whether values of a type are whole numbers to the operator: integers, dates, instants, durations."""
    return any(is_type(kind) for is_type in _WHOLE)


_WHOLE = (pa.types.is_signed_integer, pa.types.is_timestamp, pa.types.is_date32, pa.types.is_duration)


def longs_of(column: pa.Array) -> Column:
    """Whole numbers and booleans as 64-bit integers, NULL as 0."""
    return to_numpy(column).astype(np.int64, copy=False)


def present_in(column: pa.Array) -> Mask:
    """Where a column has a value."""
    if not column.null_count:
        return np.ones(len(column), dtype=np.bool_)
    if column.null_count == len(column):
        return np.zeros(len(column), dtype=np.bool_)
    return _unpacked(column, 0)


def binaries(values: Sequence[bytes | None]) -> pa.Array:
    """A column of binary values."""
    ends = np.zeros(len(values) + 1, dtype=np.int32)
    np.cumsum([len(value or b"") for value in values], out=ends[1:])
    absent = np.array([value is None for value in values], dtype=np.bool_)
    valid = _bits(~absent) if absent.any() else None
    data = pa.py_buffer(b"".join(value or b"" for value in values))
    return pa.Array.from_buffers(pa.binary(), len(values), [valid, pa.py_buffer(ends), data])


def empty(schema: pa.Schema) -> pa.RecordBatch:
    """No rows."""
    return pa.RecordBatch.from_arrays([pa.nulls(0, field.type) for field in schema], schema=schema)


def _bits(values: Mask) -> pa.Buffer:
    return pa.py_buffer(np.packbits(values, bitorder="little"))


def _unpacked(column: pa.Array, buffer: int) -> Mask:
    """The bits of a buffer of a column: 0 of what is there, 1 of its booleans."""
    begin, end = column.offset, column.offset + len(column)
    bits = np.frombuffer(column.buffers()[buffer], np.uint8)[begin // 8 : -(-end // 8)]
    return np.unpackbits(bits, bitorder="little")[begin % 8 :][: len(column)].view(np.bool_)


def _values(column: pa.Array) -> Column:
    kind, data = column.type, column.buffers()[1]
    sort = "f" if pa.types.is_floating(kind) else "u" if pa.types.is_unsigned_integer(kind) else "i"
    numbers = np.dtype(f"{sort}{kind.bit_width // 8}")
    if data is None:  # of a column without values
        return np.zeros(len(column), dtype=numbers)
    return np.frombuffer(data, numbers)[column.offset : column.offset + len(column)]
