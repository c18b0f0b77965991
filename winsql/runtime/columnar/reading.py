"""The state of a bucket as the per-row operator has it, whichever engine wrote it."""

from __future__ import annotations

from collections.abc import Callable, Iterable

import pyarrow as pa

from winsql.model.base import ROW_ID, Row
from winsql.runtime.arrays import empty
from winsql.runtime.bucket import decode_bucket
from winsql.runtime.columnar.shared.codec import decode_held, is_columnar
from winsql.runtime.columnar.shared.per_row_state import give_rows, row_numbers, states_from_panes
from winsql.runtime.columnar.slices.codec import decode_columnar
from winsql.runtime.state import KeyState


def decode_states(
    data: bytes, rows_of: Callable[[pa.RecordBatch], Iterable[Row]] | None = None
) -> tuple[pa.RecordBatch, list[KeyState], pa.RecordBatch]:
    """Keys, their states and the kept rows of a bucket that a columnar engine wrote; the query need not be known.

    `rows_of` turns kept rows into the operator's tuples, ROW_ID first; without it they are their numbers only.
    """
    header, keys, panes = decode_columnar(data)
    states = states_from_panes(header, panes, keys.num_rows)
    held = decode_held(data)
    if held is None:
        return keys, states, empty(pa.schema([("row", pa.int64())]))
    rows = {row[ROW_ID]: row for row in (rows_of or row_numbers)(held.rows)}
    give_rows(states, panes, held.counts, held.numbers, rows)
    return keys, states, held.rows


def read_states(
    data: bytes, merging: bool, rows_of: Callable[[pa.RecordBatch], Iterable[Row]]
) -> tuple[pa.RecordBatch, list[KeyState], pa.RecordBatch]:
    """Keys, their states side by side, and kept rows of a bucket, whichever engine wrote it; `merging` tells whether
    the windows of the query merge.

    Raises WindowDataError when the bytes are no bucket of this query in a version that can be read.
    """
    if not is_columnar(data):
        return decode_bucket(data, merging, rows_of)
    keys, states, rows = decode_states(data, rows_of)
    for state in states if merging else ():
        state.sessions = sorted(state.panes)
    return keys, states, rows
