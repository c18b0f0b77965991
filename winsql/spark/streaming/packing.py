"""Rows on their way into and out of the stateful operator: one Arrow message per key group and some batches.

Spark converts rows between the JVM and a stateful Python processor one by one; a packed batch crosses as one value.
The event time is inside the message, so that Spark's operator drops no late row. Neither PySpark nor the SQL parser is
imported at load time.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from winsql.model.query import ARRIVAL
from winsql.runtime.arrays import binaries, to_arrow, to_numpy
from winsql.runtime.columnar import Reduction
from winsql.runtime.columnar.shared.narrow import narrowed_batch
from winsql.runtime.ipc import batch_of_stream, stream_of
from winsql.spark.workers.batches import buffers_of, combined, grouped
from winsql.spark.workers.garbage import spare_loaded
from winsql.spark.workers.group_numbers import key_group_numbers

KEY_GROUP = "key_group"
PACKED = pa.schema(
    [
        (KEY_GROUP, pa.int32()),
        ("source", pa.int64()),
        ("position", pa.int64()),
        ("rows", pa.binary()),
        ("null_times", pa.int64()),
    ]
)
"""`source` is the input partition and `position` the number of the message in it: arrival order is their order.
`null_times` adds up to the rows left out; a message without rows has only that."""
RESULT = pa.schema([("kind", pa.int32()), ("count", pa.int64()), ("rows", pa.binary())])
"""Over all messages of a kind, `count` adds up to its firings or late rows; a message that only counts has no rows."""


class Kind:
    """What a result message of the operator holds; of late rows that nobody keeps only the count."""

    FIRINGS = 0
    LATE = 1
    DROPPED = 2


@dataclass(frozen=True, slots=True)
class Packing:
    """Packs batches, whose first columns are the hash of the key and the time, into messages for `key_groups` groups.

    reduction    how rows become fewer, None where they stay
    needs_time   whether rows without a time are left out
    shown        makes times what clocks show, where windows follow them
    """

    key_groups: int
    reduction: Reduction | None = None
    needs_time: bool = False
    shown: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]] = iter

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        spare_loaded()
        source, position = _partition(), 0
        timed = _Timed(batches)
        rows = self.shown(combined(timed if self.needs_time else batches))
        for batch in rows if self.reduction is None else self.reduction.united(rows):
            messages = [(group, source, position + i, blob, 0) for i, (group, blob) in enumerate(self._messages(batch))]
            position += len(messages)
            yield _packed(messages)
        if timed.left_out:
            yield _packed([(0, source, position, None, timed.left_out)])

    def _messages(self, batch: pa.RecordBatch) -> Iterator[tuple[int, bytes]]:
        groups = self._group_of(batch)
        order, bounds = grouped(groups, self.key_groups)
        ordered = narrowed_batch(batch).take(to_arrow(order))
        numbers = key_group_numbers(self.key_groups).tolist()
        for group in np.flatnonzero(np.diff(bounds)).tolist():
            yield numbers[group], stream_of(ordered.slice(bounds[group], bounds[group + 1] - bounds[group]))

    def _group_of(self, batch: pa.RecordBatch) -> npt.NDArray[np.int64]:
        """The key group of each row: by the high bits of the hash, as buckets divide a group by the low ones."""
        hashes = to_numpy(batch.column(0))
        groups: npt.NDArray[np.int64] = ((hashes >> np.int64(32)) & np.int64(0x7FFFFFFF)) % self.key_groups
        return groups


class _Timed:
    """Batches without the rows that have no time."""

    def __init__(self, batches: Iterable[pa.RecordBatch]) -> None:
        self._batches = batches
        self.left_out = 0

    def __iter__(self) -> Iterator[pa.RecordBatch]:
        for batch in self._batches:
            times = batch.column(1)
            self.left_out += times.null_count
            yield batch.filter(times.is_valid()) if times.null_count else batch


def _packed(messages: list[tuple[Any, ...]]) -> pa.RecordBatch:
    group, source, position, rows, null_times = zip(*messages, strict=True) if messages else ((),) * len(PACKED)
    longs = (to_arrow(np.array(column, np.int64)) for column in (source, position, null_times))
    groups, (sources, positions, times) = to_arrow(np.array(group, np.int32)), longs
    return pa.RecordBatch.from_arrays([groups, sources, positions, binaries(rows), times], schema=PACKED)


def results_of(messages: list[tuple[int, int, bytes | None]]) -> pa.RecordBatch:
    """Messages of the operator as a batch of RESULT."""
    kind, count, rows = zip(*messages, strict=True)
    columns = [to_arrow(np.array(kind, np.int32)), to_arrow(np.array(count, np.int64)), binaries(rows)]
    return pa.RecordBatch.from_arrays(columns, schema=RESULT)


def unpack(kind: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The rows of the result messages of one kind."""
    spare_loaded()
    for batch in batches:
        for found, rows in zip(batch.column(0).to_pylist(), buffers_of(batch.column(2)), strict=True):
            if found == kind and rows is not None:
                yield batch_of_stream(rows)


def unpack_numbered(kind: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """As `unpack`, with a row number after the columns; rows of a window are numbered in order of arrival."""
    first = 0
    for rows in unpack(kind, batches):
        numbers = to_arrow(np.arange(first, first + rows.num_rows, dtype=np.int64))
        first += rows.num_rows
        yield pa.RecordBatch.from_arrays([*rows.columns, numbers], names=[*rows.schema.names, ARRIVAL])


def _partition() -> int:
    from pyspark import TaskContext

    context = TaskContext.get()
    return context.partitionId() if context is not None else 0
