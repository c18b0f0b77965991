"""Record batches: combined into larger ones, grouped by a number of each row, and read from a column of binaries."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from winsql.runtime.arrays import present_in


def combined(
    batches: Iterable[pa.RecordBatch], most_rows: int = 1 << 17, most_bytes: int = 1 << 24
) -> Iterator[pa.RecordBatch]:
    """The rows in larger batches: Spark's are small, and each costs a message for every group or partition."""
    waiting: list[pa.RecordBatch] = []
    rows = size = 0
    for batch in batches:
        waiting.append(batch)
        rows, size = rows + batch.num_rows, size + batch.nbytes
        if rows >= most_rows or size >= most_bytes:
            yield pa.concat_batches(waiting)
            waiting, rows, size = [], 0, 0
    if waiting:
        yield pa.concat_batches(waiting)


def grouped(numbers: npt.NDArray[np.int64], count: int) -> tuple[npt.NDArray[np.int64], list[int]]:
    """A stable order that brings equal numbers below `count` together, and where in it each number begins; then the
    end."""
    narrow = numbers.astype(np.uint16) if count <= 1 << 16 else numbers  # numpy sorts 16 bits by radix
    bounds = np.concatenate([[0], np.cumsum(np.bincount(numbers, minlength=count))])
    return np.argsort(narrow, kind="stable"), bounds.tolist()


def buffers_of(column: pa.Array) -> Iterator[pa.Buffer | None]:
    """The values of a column of binaries, without copying them as Arrow's scalars do."""
    _, offsets, data = column.buffers()
    wide = np.int64 if pa.types.is_large_binary(column.type) else np.int32
    ends = np.frombuffer(offsets, wide)[column.offset : column.offset + len(column) + 1].tolist()
    for valid, begin, end in zip(present_in(column).tolist(), ends, ends[1:], strict=False):
        yield data.slice(begin, end - begin) if valid else None
