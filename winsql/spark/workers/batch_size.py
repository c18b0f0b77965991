"""Batches of bounded bytes: a number of rows does not bound what Spark holds of one, where values are long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa
import pyarrow.compute as pc

__all__ = ["BATCH_BYTES", "BATCH_ROWS", "rows_within", "widest_row", "within_bytes"]

BATCH_ROWS = 10_000
"""Rows of an output batch at most, as many as Spark puts into one by default."""
BATCH_BYTES = 1 << 25
"""Bytes of an output batch at most, but for a single row: 32 MiB."""


def within_bytes(batches: Iterable[pa.RecordBatch], limit: int = BATCH_BYTES) -> Iterator[pa.RecordBatch]:
    """The same rows in the same order, in batches of at most `limit` bytes or one row."""
    for batch in batches:
        yield from _parts(batch, limit)


def widest_row(batch: pa.RecordBatch) -> int:
    """Bytes of the longest row of a batch: exact for texts and binary values, the mean for others."""
    if not batch.num_rows:
        return 0
    return sum(_widest(column) for column in batch.columns)


def rows_within(row_bytes: int) -> int:
    """How many rows of at most so many bytes an output batch may have."""
    return max(1, min(BATCH_ROWS, BATCH_BYTES // max(1, row_bytes)))


def _widest(column: pa.Array) -> int:
    if pa.types.is_string(column.type) or pa.types.is_binary(column.type):
        return int(pc.max(pc.binary_length(column)).as_py() or 0)
    return int(-(-column.nbytes // len(column)))


def _parts(batch: pa.RecordBatch, limit: int) -> Iterator[pa.RecordBatch]:
    if batch.num_rows < 2 or batch.nbytes <= limit:
        yield batch
        return
    half = batch.num_rows // 2
    yield from _parts(batch.slice(0, half), limit)
    yield from _parts(batch.slice(half), limit)
