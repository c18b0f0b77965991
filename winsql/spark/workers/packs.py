"""Rows of a bounded table on their way to the operator, in packs: Spark shuffles and sorts these in the place of rows.

A pack has rows of one shuffle partition in order of place (`winsql.spark.workers.sorting`). Spark sorts packs by the
place of their first row, and the worker that reads them merges those whose ranges overlap: as a rule, one at a time.
from each batch that was packed. Neither PySpark nor the SQL parser is imported at load time.
"""

from __future__ import annotations

import heapq
import os
from collections.abc import Iterable, Iterator, Sequence
from itertools import pairwise, repeat
from operator import itemgetter
from tempfile import TemporaryFile

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from winsql.runtime.arrays import binaries, to_arrow, to_numpy
from winsql.runtime.columnar.shared.narrow import narrowed_batch, widened_batch
from winsql.runtime.ipc import batch_of_stream, stream_of
from winsql.spark.workers.batches import buffers_of, combined, grouped
from winsql.spark.workers.garbage import spare_loaded
from winsql.spark.workers.group_numbers import key_group_numbers
from winsql.spark.workers.sorting import TIME_BITS, by_place

PARTITION, FIRST = "partition", "first"
PACK = pa.schema([(PARTITION, pa.int32()), (FIRST, pa.int64()), ("rows", pa.binary())])
"""A number that Spark hashes to the partition, the place of the first row, and the rows as an Arrow stream."""
BATCH_ROWS, BATCH_BYTES = 1 << 17, 1 << 25
"""Rows and bytes that are sorted at once and then cut into packs. With many partitions they are more: FEWEST_ROWS."""
FEWEST_ROWS = 1 << 9
"""Rows per partition among those sorted at once, unless these have BATCH_BYTES before."""
PACK_ROWS, PACK_BYTES = 1 << 14, 1 << 20
"""Rows and bytes of a pack at most; all rows of a batch count as equally long."""
SPARK_ROW_BYTES = 1 << 13
"""Spark hands 10,000 rows to Python at once, however long they are. Empty rows follow a pack, one for each so many of
its bytes, which keeps those 10,000 within 80 MB."""
STEP_BYTES = 1 << 23
"""What is merged at once, at least."""
HELD_BYTES = 1 << 28
"""Rows of overlapping packs that stay in memory; of more than that, the rows that are not due yet go to a file."""

Pack = tuple[int, pa.RecordBatch]
"""The place of the first row, and the rows."""


def packed(partitions: int, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """Packs for so many shuffle partitions; the first column of the batches is the place of a row."""
    spare_loaded()
    for rows in combined(batches, max(BATCH_ROWS, FEWEST_ROWS * partitions), BATCH_BYTES):
        if rows.num_rows:
            columns = zip(*_packs(rows, partitions), strict=True)
            numbers, firsts, packs = columns
            arrays = [to_arrow(np.array(numbers, np.int32)), to_arrow(np.array(firsts, np.int64)), binaries(packs)]
            yield pa.RecordBatch.from_arrays(arrays, schema=PACK)


def _packs(rows: pa.RecordBatch, partitions: int) -> Iterator[tuple[int, int, bytes | None]]:
    places = _places(rows)
    order = by_place(places)
    together, bounds = grouped((places[order] >> np.int64(TIME_BITS)) % partitions, partitions)
    order = order[together]
    firsts, ordered = places[order], narrowed_batch(rows).take(to_arrow(order))
    size = max(1, min(PACK_ROWS, PACK_BYTES * rows.num_rows // max(rows.nbytes, 1)))
    for number, (start, stop) in zip(key_group_numbers(partitions).tolist(), pairwise(bounds), strict=True):
        for begin in range(start, stop, size):
            pack = stream_of(ordered.slice(begin, min(size, stop - begin)))
            yield number, int(firsts[begin]), pack
            yield from repeat((number, int(firsts[begin]), None), len(pack) // SPARK_ROW_BYTES)


def merged(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    """The rows of packs that come in order of their first places, in order of place."""
    packs = _unpacked(batches)
    held: list[pa.RecordBatch] = []
    size, enough = 0, STEP_BYTES
    while (pack := next(packs, None)) is not None:
        first, rows = pack
        if size >= enough:
            due, held = _divided(held, first)
            if due:
                yield _in_order(due)
            if _bytes(held) > HELD_BYTES:
                held, later = _divided(held, first + 1)
                packs = heapq.merge(packs, _kept_in_file(_in_order(later)), key=itemgetter(0)) if later else packs
            held = [_own(rows) for rows in held]
            size = _bytes(held)
            enough = max(STEP_BYTES, 2 * size)
        held.append(rows)
        size += rows.nbytes
    if held:
        yield _in_order(held)


def _unpacked(batches: Iterable[pa.RecordBatch]) -> Iterator[Pack]:
    for batch in batches:
        for first, rows in zip(to_numpy(batch.column(1)).tolist(), buffers_of(batch.column(2)), strict=True):
            if rows is not None:  # a copy, so that what is held of a pack does not hold all of Spark's batch
                yield first, widened_batch(batch_of_stream(rows.to_pybytes()))


def _divided(held: list[pa.RecordBatch], place: int) -> tuple[list[pa.RecordBatch], list[pa.RecordBatch]]:
    """The rows before a place, and the others."""
    cuts = [int(np.searchsorted(_places(rows), place)) for rows in held]
    pairs = list(zip(held, cuts, strict=True))
    before = [rows.slice(0, cut) for rows, cut in pairs if cut]
    return before, [rows.slice(cut) for rows, cut in pairs if cut < rows.num_rows]


def _own(rows: pa.RecordBatch) -> pa.RecordBatch:
    """The rows; a copy of them if they are the smaller part of the pack that they would keep in memory."""
    return rows if 2 * rows.nbytes >= rows.get_total_buffer_size() else rows.take(to_arrow(np.arange(rows.num_rows)))


def _in_order(batches: Sequence[pa.RecordBatch]) -> pa.RecordBatch:
    rows = pa.concat_batches(batches)
    return rows if len(batches) == 1 else rows.take(to_arrow(by_place(_places(rows))))


def _kept_in_file(rows: pa.RecordBatch) -> Iterator[Pack]:
    """Packs of rows, written to a file at once and read when they are due; the file ends with its process."""
    file = TemporaryFile(dir=os.environ.get("SPARK_LOCAL_DIRS", "").split(",")[0] or None)  # noqa: SIM115
    with pa.ipc.new_stream(file, rows.schema) as writer:
        writer.write_table(pa.Table.from_batches([rows]), max_chunksize=PACK_ROWS)
    file.seek(0)
    return ((int(_places(pack)[0]), pack) for pack in pa.ipc.open_stream(file))


def _bytes(batches: Iterable[pa.RecordBatch]) -> int:
    return sum(rows.nbytes for rows in batches)


def _places(rows: pa.RecordBatch) -> npt.NDArray[np.int64]:
    return to_numpy(rows.column(0))
