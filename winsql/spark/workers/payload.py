"""The rows of open windows as Arrow: what the operator only carries never becomes a Python object."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from winsql.runtime.arrays import empty, to_arrow
from winsql.spark.workers.batch_size import BATCH_BYTES, BATCH_ROWS, row_bytes, widest_row

Ids = npt.NDArray[np.int64]

_SLACK = 1 << 15
_DENSE = 32
"""A table of a chunk's numbers pays up to this many numbers, from its first to its last, per number asked for."""


@dataclass(slots=True)
class _Chunk:
    """Rows with their ascending numbers; `table` has the place of each number from the first to the last, `bytes` the
    bytes of each row. Both are made when they are first needed."""

    ids: Ids
    batch: pa.RecordBatch
    table: npt.NDArray[np.int32] | None = None
    bytes: Ids | None = None

    def places(self, ids: Ids) -> npt.NDArray[Any]:
        """Where the rows of these numbers are; all of them are here."""
        first, span = self.ids[0], int(self.ids[-1] - self.ids[0]) + 1
        found: npt.NDArray[Any]
        if span == len(self.ids):
            found = ids - first
        elif self.table is None and span > _DENSE * len(ids):
            found = np.searchsorted(self.ids, ids)
        else:
            if self.table is None:
                self.table = np.empty(span, dtype=np.int32)
                self.table[self.ids - first] = np.arange(len(self.ids), dtype=np.int32)
            found = self.table[ids - first]
        return found

    def bytes_of(self, ids: Ids) -> Ids:
        """The bytes of the rows of these numbers."""
        if self.bytes is None:
            self.bytes = row_bytes(self.batch)
        found: Ids = self.bytes[self.places(ids)]
        return found


class PayloadStore:
    """Rows by their ascending number. Chunks are merged as in a log-structured tree, so there are few of them."""

    def __init__(self, schema: pa.Schema) -> None:
        self.schema = schema
        self.rows = 0
        self._row_bytes = 0
        self._chunks: list[_Chunk] = []
        self._limit = _SLACK

    def add(self, first: int, batch: pa.RecordBatch) -> None:
        """Take rows numbered from `first` on."""
        self.add_rows(np.arange(first, first + batch.num_rows, dtype=np.int64), batch)

    def add_rows(self, ids: Ids, batch: pa.RecordBatch) -> None:
        """Take rows of these ascending numbers, all greater than those before."""
        if batch.num_rows == 0:
            return
        self._chunks.append(_Chunk(ids, batch))
        self.rows += batch.num_rows
        self._row_bytes = max(self._row_bytes, widest_row(batch))
        while len(self._chunks) > 1 and len(self._chunks[-2].ids) <= 2 * len(self._chunks[-1].ids):
            self._chunks[-2:] = [_merged(self._chunks[-2:])]

    def take(self, ids: Ids, columns: list[int] | None = None) -> pa.RecordBatch:
        """The rows of these numbers, in this order; they may repeat. All columns, unless some are chosen."""
        parts, places = [], []
        for chunk in self._chunks:
            batch = chunk.batch if columns is None else chunk.batch.select(columns)
            is_inside = (ids >= chunk.ids[0]) & (ids <= chunk.ids[-1])
            if is_inside.all():
                return batch.take(to_arrow(chunk.places(ids)))
            inside = np.flatnonzero(is_inside)
            if len(inside):
                parts.append(batch.take(to_arrow(chunk.places(ids[inside]))))
                places.append(inside)
        if not parts:
            return empty(self.schema if columns is None else pa.schema([self.schema.field(i) for i in columns]))
        if len(parts) == 1:
            return parts[0]
        return pa.concat_batches(parts).take(to_arrow(np.argsort(np.concatenate(places), kind="stable")))

    @property
    def has_long_rows(self) -> bool:
        """Whether a batch of the greatest number of rows could have too many bytes."""
        return self._row_bytes * BATCH_ROWS > BATCH_BYTES

    def bytes_of(self, ids: Ids) -> Ids:
        """The bytes of the rows of these numbers, none for -1; all are 0 where there are no long rows."""
        found = np.zeros(len(ids), dtype=np.int64)
        for chunk in self._chunks if self.has_long_rows else ():
            inside = np.flatnonzero((ids >= chunk.ids[0]) & (ids <= chunk.ids[-1]))
            found[inside] = chunk.bytes_of(ids[inside])
        return found

    def columns(self, places: list[int]) -> PayloadView:
        """These columns of the rows, for `take`."""
        return PayloadView(self, places)

    @property
    def is_due(self) -> bool:
        """Whether enough rows have come since the last `keep` for it to pay to ask for the live ones."""
        return self.rows > self._limit

    def keep(self, live: Iterable[int]) -> None:
        """Drop all rows but these."""
        ids = np.unique(np.fromiter(live, dtype=np.int64))
        chunks = []
        for chunk in self._chunks:
            kept = ids[(ids >= chunk.ids[0]) & (ids <= chunk.ids[-1])]
            if len(kept) == len(chunk.ids):
                chunks.append(chunk)
            elif len(kept):
                chunks.append(_Chunk(kept, chunk.batch.take(to_arrow(chunk.places(kept)))))
        self._chunks = chunks
        self.rows = sum(len(chunk.ids) for chunk in chunks)
        self._limit = 2 * self.rows + _SLACK

    def drop_before(self, first: int) -> None:
        """Drop the rows numbered below `first`, a whole chunk at a time."""
        self._chunks = [chunk for chunk in self._chunks if chunk.ids[-1] >= first]
        self.rows = sum(len(chunk.ids) for chunk in self._chunks)


class PayloadView:
    """Some columns of a store's rows, to take from."""

    def __init__(self, store: PayloadStore, places: list[int]) -> None:
        self._store = store
        self._places = places

    def take(self, ids: Ids) -> pa.RecordBatch:
        """As `PayloadStore.take`."""
        return self._store.take(ids, self._places)

    @property
    def has_long_rows(self) -> bool:
        """As `PayloadStore.has_long_rows`."""
        return self._store.has_long_rows

    def bytes_of(self, ids: Ids) -> Ids:
        """As `PayloadStore.bytes_of`, of all columns."""
        return self._store.bytes_of(ids)

    def columns(self, places: list[int]) -> PayloadView:
        """Some of these columns."""
        return PayloadView(self._store, [self._places[place] for place in places])


def _merged(chunks: list[_Chunk]) -> _Chunk:
    return _Chunk(np.concatenate([chunk.ids for chunk in chunks]), pa.concat_batches([c.batch for c in chunks]))
