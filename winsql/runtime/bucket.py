"""The state of some keys as one Arrow value: what a streaming query reads and writes per micro-batch.

A bucket holds three record batches: the keys (typed as the query's key columns), the panes, and the rows that panes
refer to by number (kept once, however many windows hold them). Accumulators and trigger values are JSON text, so any
policy's values fit. The format has a version; state of an unknown version is refused.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import pyarrow as pa

from winsql.model.base import GLOBAL_WINDOW, ROW_ID, Row, Window
from winsql.runtime.codec import decode, encode, require_version
from winsql.runtime.ipc import content_of, single, state_of_stream, stream_of
from winsql.runtime.state import KeyState, Pane

BUCKET_VERSION = 1

_LONGS = pa.list_(pa.int64())
_PANES = pa.schema(
    [
        ("key", pa.int32()),
        ("start", pa.int64()),
        ("end", pa.int64()),
        ("arrival", pa.int64()),
        ("firings", pa.int64()),
        ("written", pa.int64()),
        ("event_timers", _LONGS),
        ("processing_timers", _LONGS),
        ("values", pa.binary()),
        ("accumulators", pa.binary()),
        ("rows", _LONGS),
    ]
)
_BUCKET = pa.schema([("keys", pa.binary()), ("panes", pa.binary()), ("rows", pa.binary())])
_VERSION = b"winsql.bucket.version"


def encode_bucket(keys: pa.RecordBatch, states: Sequence[KeyState], rows: pa.RecordBatch) -> bytes:
    """A bucket of the keys, their states side by side with them, and the rows their panes hold."""
    panes = [_pane_record(number, *item) for number, state in enumerate(states) for item in state.panes.items()]
    columns = zip(*panes, strict=True) if panes else [()] * len(_PANES)
    table = pa.RecordBatch.from_arrays(
        [pa.array(list(column), field.type) for column, field in zip(columns, _PANES, strict=True)], schema=_PANES
    )
    parts = [single(stream_of(part)) for part in (keys, table, rows)]
    schema = _BUCKET.with_metadata({_VERSION: str(BUCKET_VERSION).encode()})
    return stream_of(pa.RecordBatch.from_arrays(parts, schema=schema))


def decode_bucket(
    data: bytes, merging: bool, rows_of: Callable[[pa.RecordBatch], Iterable[Row]]
) -> tuple[pa.RecordBatch, list[KeyState], pa.RecordBatch]:
    """What `encode_bucket` was given; `rows_of` turns the kept rows into the operator's tuples, ROW_ID first.

    Raises WindowDataError when the bytes are not a bucket of this version.
    """
    keys, panes, rows = open_bucket(data)
    by_number = {row[ROW_ID]: row for row in rows_of(rows)}
    states = [KeyState() for _ in range(keys.num_rows)]
    for number, start, end, *record in zip(*(column.to_pylist() for column in panes.columns), strict=True):
        window = GLOBAL_WINDOW if start is None else Window(start, end)
        states[number].panes[window] = _pane(record, by_number)
    if merging:
        for state in states:
            state.sessions = sorted(state.panes)
    return keys, states, rows


def open_bucket(data: bytes) -> tuple[pa.RecordBatch, pa.RecordBatch, pa.RecordBatch]:
    """The keys, panes and rows of a bucket as they were written.

    Raises WindowDataError when the bytes are not a bucket of this version.
    """
    batch = state_of_stream(data)
    version = (batch.schema.metadata or {}).get(_VERSION, b"?").decode()
    require_version(version, BUCKET_VERSION, "window state")
    keys, panes, rows = (state_of_stream(content_of(column)) for column in batch.columns)
    return keys, panes, rows


def _pane_record(number: int, window: Window, pane: Pane) -> tuple[Any, ...]:
    start, end = (None, None) if window == GLOBAL_WINDOW else window
    return (
        number,
        start,
        end,
        pane.arrival,
        pane.firings,
        pane.written,
        sorted(pane.event_timers),
        sorted(pane.processing_timers),
        encode(pane.values) if pane.values else None,
        None if pane.accumulators is None else encode(pane.accumulators),
        None if pane.rows is None else [row[ROW_ID] for row in pane.rows],
    )


def _pane(record: list[Any], rows: dict[int, Row]) -> Pane:
    arrival, firings, written, event_timers, processing_timers, values, accumulators, numbers = record
    pane = Pane(arrival)
    pane.firings, pane.written = firings, written
    pane.event_timers, pane.processing_timers = set(event_timers), set(processing_timers)
    pane.values = {} if values is None else decode(values)
    pane.accumulators = None if accumulators is None else decode(accumulators)
    pane.rows = None if numbers is None else [rows[number] for number in numbers]
    return pane
