"""Batches of bounded bytes: a number of rows does not bound what Spark holds of one, where values are long."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa

__all__ = ["within_bytes"]

BATCH_BYTES = 1 << 25
"""Bytes of an output batch at most, but for a single row: 32 MiB."""


def within_bytes(batches: Iterable[pa.RecordBatch], limit: int = BATCH_BYTES) -> Iterator[pa.RecordBatch]:
    """The same rows in the same order, in batches of at most `limit` bytes or one row."""
    for batch in batches:
        yield from _parts(batch, limit)


def _parts(batch: pa.RecordBatch, limit: int) -> Iterator[pa.RecordBatch]:
    if batch.num_rows < 2 or batch.nbytes <= limit:
        yield batch
        return
    half = batch.num_rows // 2
    yield from _parts(batch.slice(0, half), limit)
    yield from _parts(batch.slice(half), limit)
