"""Keys as numbers: found by their hash, and checked to be the keys themselves."""

from __future__ import annotations

import numpy as np
import pyarrow as pa

from winsql.model.columnar import Longs
from winsql.runtime.arrays import empty, to_arrow, to_numpy
from winsql.runtime.columnar.shared.differing import differs
from winsql.runtime.columnar.shared.limits import Unfit


class KeyTable:
    """Keys in order of their first appearance: `batch` has the hash (INT64), then the key columns.

    A key that has been forgotten and comes again appears again, with a new number.
    """

    def __init__(self, schema: pa.Schema) -> None:
        self.batch = empty(schema)
        self._forgotten = 0

    def __len__(self) -> int:
        return int(self.batch.num_rows)

    @property
    def hashes(self) -> Longs:
        return _hashes(self.batch)

    def begin(self, keys: pa.RecordBatch) -> None:
        """The keys of a bucket, all different, into an empty table; hashes are compared when others come."""
        self.batch = keys.cast(self.batch.schema)

    def forget(self) -> None:
        """No key has state from here on; firings of these keys still read them by their numbers."""
        self._forgotten = len(self)

    def at(self, numbers: Longs) -> pa.RecordBatch:
        """The keys with these numbers, which ascend; no copy where they are consecutive, as new keys are."""
        if len(numbers) and numbers[-1] - numbers[0] + 1 == len(numbers):
            return self.batch.slice(int(numbers[0]), len(numbers))
        return self.batch.take(to_arrow(numbers))

    def add(self, keys: pa.RecordBatch) -> Longs:
        """The numbers of these keys, new ones included. Raises Unfit when two keys share a hash."""
        begin, known = self._forgotten, len(self) - self._forgotten
        numbers = numbered(np.concatenate([self.hashes[begin:], _hashes(keys)]))
        if known and int(numbers[:known].max()) + 1 < known:
            raise Unfit("two keys share a hash")
        codes = numbers[known:]
        table, first = self.batch, first_places(codes, known)
        if len(first):
            fresh = keys if len(first) == len(keys) else keys.take(to_arrow(first))
            table = pa.concat_batches([table, fresh.cast(table.schema)])
        codes = codes + begin if begin else codes
        if len(first) < len(codes):
            pairs = zip(table.columns[1:], keys.columns[1:], strict=True)
            if any(differs(own.take(to_arrow(codes)), column).any() for own, column in pairs):
                raise Unfit("two keys share a hash")
        self.batch = table
        return codes


def numbered(values: Longs) -> Longs:
    """A number for each value, by first appearance; equal values have the same."""
    return to_numpy(to_arrow(values).dictionary_encode().indices).astype(np.int64)


def first_places(codes: Longs, known: int) -> Longs:
    """Where each code from `known` on appears first; such codes are numbered by first appearance."""
    fresh = np.flatnonzero(codes >= known)
    if not len(fresh):
        return fresh
    first = np.empty(int(codes.max()) + 1 - known, dtype=np.int64)
    first[codes[fresh[::-1]] - known] = fresh[::-1]
    return first


def _hashes(keys: pa.RecordBatch) -> Longs:
    return to_numpy(keys.column(0))
