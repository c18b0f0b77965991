"""Columns of numbers in as few bytes as their values need: the least value, and each value's distance from it.

State is written in every micro-batch. Most of its columns hold one value or lie close together, so this is smaller
than the values compressed, and far cheaper.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

__all__ = ["narrowed", "widened"]

Column = npt.NDArray[Any]

_LEAST, _TYPE = b"least", b"type"
_WIDTHS = ((1, pa.null()), (1 << 8, pa.uint8()), (1 << 16, pa.uint16()), (1 << 32, pa.uint32()), (1 << 64, pa.uint64()))


def narrowed(name: str, column: Column) -> tuple[pa.Field, pa.Array]:
    """A column of INT64 or BOOL, narrow; of floats as it is. A column of one value takes no space at all."""
    if column.dtype == np.float64:
        return pa.field(name, pa.float64()), pa.array(column)
    values = column.astype(np.int64, copy=False)
    least = int(values.min()) if len(values) else 0
    distance = values.view(np.uint64) - np.uint64(least % _ALL)
    most = int(distance.max()) if len(values) else 0
    kind = next(kind for limit, kind in _WIDTHS if most < limit)
    field = pa.field(name, kind, metadata={_LEAST: str(least).encode(), _TYPE: column.dtype.name.encode()})
    if pa.types.is_null(kind):
        return field, pa.nulls(len(values))
    return field, pa.array(distance.astype(kind.to_pandas_dtype()))


_ALL = 1 << 64


def widened(field: pa.Field, array: pa.Array) -> Column:
    """What `narrowed` was given, to be written to."""
    if pa.types.is_float64(field.type):
        return np.array(array.to_numpy())
    least, kind = int(field.metadata[_LEAST]), np.dtype(field.metadata[_TYPE].decode())
    if pa.types.is_null(field.type):
        return np.full(len(array), least, dtype=np.int64).astype(kind, copy=False)
    distance = array.to_numpy().astype(np.uint64)
    values: Column = (distance + np.uint64(least % _ALL)).view(np.int64)
    return values.astype(kind, copy=False)
