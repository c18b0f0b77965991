"""Columns of numbers in as few bytes as their values need: the least value, and each value's distance from it.

State is written in every micro-batch. Most of its columns hold one value or lie close together, so this is smaller
than the values compressed, and far cheaper.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from winsql.runtime.arrays import is_whole, longs_of, present_in, to_arrow, to_numpy
from winsql.runtime.ipc import with_present_names

Column = npt.NDArray[Any]

_LEAST, _TYPE = b"least", b"type"
_WIDTHS = ((1, pa.null()), (1 << 8, pa.uint8()), (1 << 16, pa.uint16()), (1 << 32, pa.uint32()), (1 << 64, pa.uint64()))


def narrowed(name: str, column: Column) -> tuple[pa.Field, pa.Array]:
    """A column of INT64 or BOOL, narrow; of floats as it is. A column of one value takes no space at all."""
    if column.dtype == np.float64:
        return pa.field(name, pa.float64()), to_arrow(column)
    values = column.astype(np.int64, copy=False)
    least = int(values.min()) if len(values) else 0
    distance = values.view(np.uint64) - np.uint64(least % _ALL)
    most = int(distance.max()) if len(values) else 0
    kind = next(kind for limit, kind in _WIDTHS if most < limit)
    field = pa.field(name, kind, metadata={_LEAST: str(least).encode(), _TYPE: column.dtype.name.encode()})
    if pa.types.is_null(kind):
        return field, pa.nulls(len(values))
    return field, to_arrow(distance.astype(f"uint{kind.bit_width}"))


_ALL = 1 << 64


def widened(field: pa.Field, array: pa.Array) -> Column:
    """What `narrowed` was given, to be written to."""
    if pa.types.is_float64(field.type):
        return np.array(to_numpy(array))
    least, kind = int(field.metadata[_LEAST]), np.dtype(field.metadata[_TYPE].decode())
    if pa.types.is_null(field.type):
        return np.full(len(array), least, dtype=np.int64).astype(kind, copy=False)
    distance = to_numpy(array).astype(np.uint64)
    values: Column = (distance + np.uint64(least % _ALL)).view(np.int64)
    return values.astype(kind, copy=False)


def narrowed_batch(batch: pa.RecordBatch) -> pa.RecordBatch:
    """A batch with its columns of whole numbers, instants and durations narrow; of few rows as it is."""
    if batch.num_rows < _FEW:
        return batch
    pairs = [_narrow(field, column) for field, column in zip(batch.schema, batch.columns, strict=True)]
    metadata = {_SCHEMA: batch.schema.serialize().to_pybytes()}
    schema = pa.schema([field for field, _ in pairs], metadata=metadata)
    return pa.RecordBatch.from_arrays([array for _, array in pairs], schema=schema)


_FEW = 256
_SCHEMA = b"winsql.narrow"


def widened_batch(batch: pa.RecordBatch) -> pa.RecordBatch:
    """What `narrowed_batch` was given; any other batch as it is."""
    data = (batch.schema.metadata or {}).get(_SCHEMA)
    if data is None:
        return batch
    schema = with_present_names(pa.ipc.read_schema(pa.py_buffer(data)))
    columns = zip(schema, batch.schema, batch.columns, strict=True)
    return pa.RecordBatch.from_arrays([_wide(*column) for column in columns], schema=schema)


def _narrow(field: pa.Field, column: pa.Array) -> tuple[pa.Field, pa.Array]:
    kind = field.type
    if not is_whole(kind) or column.null_count == len(column):
        return field, column
    values = longs_of(column)
    if not column.null_count:
        return narrowed(field.name, values)
    present = present_in(column)
    least = values[present].min()
    own, narrow = narrowed(field.name, np.where(present, values, least))
    if pa.types.is_null(own.type):
        return field, column
    return own, to_arrow(to_numpy(narrow), ~present)


def _wide(field: pa.Field, narrow: pa.Field, column: pa.Array) -> pa.Array:
    if _LEAST not in (narrow.metadata or {}):
        return column
    kind = field.type
    width = f"int{kind.bit_width}"
    if not column.null_count or pa.types.is_null(column.type):
        return to_arrow(widened(narrow, column).astype(width, copy=False)).view(kind)
    values = widened(narrow, column).astype(width, copy=False)
    return to_arrow(values, ~present_in(column)).view(kind)
