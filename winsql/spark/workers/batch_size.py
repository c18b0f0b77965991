"""Batches of bounded bytes: with long values, a number of rows does not bound what Spark holds of a batch."""

from __future__ import annotations

import operator
from collections.abc import Iterable, Iterator
from functools import reduce

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from winsql.runtime.arrays import to_numpy

Longs = npt.NDArray[np.int64]

BATCH_ROWS = 10_000
"""Rows of an output batch at most, as many as Spark puts into one by default."""
BATCH_BYTES = 1 << 25
"""Bytes of an output batch at most, but for a single row: 32 MiB."""


def within_bytes(batches: Iterable[pa.RecordBatch], limit: int = BATCH_BYTES) -> Iterator[pa.RecordBatch]:
    """The same rows in the same order, in batches of at most `limit` bytes or one row."""
    for batch in batches:
        yield from _parts(batch, limit)


def widest_row(batch: pa.RecordBatch) -> int:
    """Bytes of the longest row of a batch, or more."""
    if not batch.num_rows:
        return 0
    return sum(_widest(column) for column in batch.columns)


def row_bytes(batch: pa.RecordBatch) -> Longs:
    """Bytes of each row of a batch: exact for texts, binary values and types with such in them, the mean for others."""
    sizes = np.zeros(batch.num_rows, dtype=np.int64)
    for column in batch.columns:
        sizes += _sizes(column)
    return sizes


def portions(sizes: Longs, counts: Longs | None = None, most: int = BATCH_ROWS) -> Iterator[slice]:
    """Entries of these bytes, one after the other, in portions that fit into an output batch; one that does not is
    alone. A portion has `most` entries at most, or as many rows together where `counts` tells those of each entry."""
    ends = np.cumsum(sizes)
    rows = np.arange(1, len(sizes) + 1) if counts is None else np.cumsum(counts)
    begin = 0
    while begin < len(sizes):
        bytes_before, rows_before = (int(column[begin - 1]) if begin else 0 for column in (ends, rows))
        fitting = min(
            int(np.searchsorted(ends, bytes_before + BATCH_BYTES, side="right")),
            int(np.searchsorted(rows, rows_before + most, side="right")),
        )
        end = max(begin + 1, fitting)
        yield slice(begin, end)
        begin = end


def _widest(column: pa.Array) -> int:
    if _is_text(column.type):
        return int(pc.max(pc.binary_length(column)).as_py() or 0)
    if pa.types.is_struct(column.type):
        return sum(_widest(column.field(place)) for place in range(column.type.num_fields))
    return int(np.max(_sizes(column)))


def _sizes(column: pa.Array) -> Longs | int:
    """Bytes of each value; one number where it is the same, or the mean, for all."""
    kind = column.type
    if _is_text(kind):
        lengths: Longs = to_numpy(pc.binary_length(column)).astype(np.int64)
        return lengths
    if pa.types.is_struct(kind):
        return _total(_sizes(column.field(place)) for place in range(kind.num_fields))
    if pa.types.is_list(kind) or pa.types.is_map(kind):
        values = [column.keys, column.items] if pa.types.is_map(kind) else [column.values]
        offsets = to_numpy(column.offsets)
        return _total(np.diff(_ends(part)[offsets]) for part in values)
    return int(-(-column.nbytes // max(1, len(column))))


def _total(sizes: Iterable[Longs | int]) -> Longs | int:
    return reduce(operator.add, sizes, 0)


def _ends(values: pa.Array) -> Longs:
    """Bytes of all values before each, and of all."""
    return np.concatenate([[0], np.cumsum(np.broadcast_to(_sizes(values), len(values)))])


def _is_text(kind: pa.DataType) -> bool:
    return any(is_text(kind) for is_text in _TEXTS)


_TEXTS = (pa.types.is_string, pa.types.is_binary, pa.types.is_large_string, pa.types.is_large_binary)


def _parts(batch: pa.RecordBatch, limit: int) -> Iterator[pa.RecordBatch]:
    if batch.num_rows < 2 or batch.nbytes <= limit:
        yield batch
        return
    half = batch.num_rows // 2
    yield from _parts(batch.slice(0, half), limit)
    yield from _parts(batch.slice(half), limit)
