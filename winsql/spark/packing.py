"""Rows on their way into and out of the stateful operator: one Arrow message per key group and input batch.

Spark converts rows between the JVM and a stateful Python processor one by one; a packed batch crosses as one value.
The event time travels inside the message, so the operator of Spark drops no row for being late. Neither PySpark nor
the SQL parser is imported at load time.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa

__all__ = ["PACKED", "RESULT", "Kind", "Packing", "read_message", "unpack", "write_message"]

PACKED = pa.schema([("key_group", pa.int32()), ("source", pa.int64()), ("position", pa.int64()), ("rows", pa.binary())])
"""`source` is the input partition and `position` the number of the message in it: arrival order is their order."""
RESULT = pa.schema([("kind", pa.int32()), ("count", pa.int64()), ("rows", pa.binary())])
"""Over all messages of a kind, `count` adds up to its firings or late rows; a message that only counts has no rows."""


class Kind:
    """What a result message of the operator holds; of late rows that nobody keeps, it holds the count alone."""

    FIRINGS = 0
    LATE = 1
    DROPPED = 2


@dataclass(frozen=True, slots=True)
class Packing:
    """Packs batches of `schema`, whose first column is the hash of the key, into messages for `key_groups` groups."""

    schema: pa.Schema
    key_groups: int

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        source, position = _partition(), 0
        for batch in batches:
            messages = list(self._messages(batch))
            positions = range(position, position + len(messages))
            position += len(messages)
            groups = [group for group, _ in messages]
            blobs = [blob for _, blob in messages]
            columns = [groups, [source] * len(groups), list(positions), blobs]
            arrays = [pa.array(column, field.type) for column, field in zip(columns, PACKED, strict=True)]
            yield pa.RecordBatch.from_arrays(arrays, schema=PACKED)

    def _messages(self, batch: pa.RecordBatch) -> Iterator[tuple[int, bytes]]:
        groups = self._group_of(batch)
        order = np.argsort(groups, kind="stable")
        ordered = batch.take(pa.array(order))
        present, starts = np.unique(groups[order], return_index=True)
        ends = [*starts[1:].tolist(), len(order)]
        for group, start, end in zip(present.tolist(), starts.tolist(), ends, strict=True):
            yield group, write_message(ordered.slice(start, end - start))

    def _group_of(self, batch: pa.RecordBatch) -> npt.NDArray[np.int64]:
        """The key group of each row: the high bits of the hash, for buckets divide a group by the low ones."""
        hashes = batch.column(0).to_numpy(zero_copy_only=False)
        groups: npt.NDArray[np.int64] = ((hashes >> np.int64(32)) & np.int64(0x7FFFFFFF)) % self.key_groups
        return groups


def unpack(kind: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The rows of the result messages of one kind."""
    for batch in batches:
        for found, rows in zip(batch.column(0).to_pylist(), batch.column(2), strict=True):
            if found == kind and rows.is_valid:
                yield read_message(rows.as_buffer())


def write_message(batch: pa.RecordBatch) -> bytes:
    """A batch as an Arrow IPC stream."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return bytes(sink.getvalue().to_pybytes())


def read_message(data: bytes | pa.Buffer) -> pa.RecordBatch:
    """What `write_message` was given; raises pyarrow.ArrowInvalid for anything else."""
    with pa.ipc.open_stream(data) as reader:
        return reader.read_next_batch()


def _partition() -> int:
    from pyspark import TaskContext

    context = TaskContext.get()
    return context.partitionId() if context is not None else 0
