"""The state of a streaming query in words: what the panes of a bucket hold, read without the query that wrote it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

import pyarrow as pa

from winsql.model.base import GLOBAL_WINDOW
from winsql.runtime.bucket import open_bucket
from winsql.runtime.codec import encode
from winsql.runtime.columnar import decode_states, is_columnar
from winsql.runtime.texts import python_of, with_parts

_SQL = b"winsql.sql"


class PaneListing(NamedTuple):
    """One open window of a key; bounds and timers in the query's unit, None for a window without end.

    key            the key columns as JSON text, by the query's own text of the keys
    rows           how many rows it holds, None when it keeps accumulators only
    accumulators   what it keeps of its rows, as JSON text; None when it keeps none
    """

    key: str
    start: int | None
    end: int | None
    firings: int
    rows: int | None
    accumulators: str | None
    event_timers: list[int]
    processing_timers: list[int]


def named_key(column: pa.Field, sql: str) -> pa.Field:
    """The key column as state keeps it: with the key's text in the query."""
    return column.with_metadata({_SQL: " ".join(sql.split()).encode()})


def list_panes(data: bytes) -> Iterator[PaneListing]:
    """The panes of a bucket of either engine; raises WindowDataError as `decode_bucket` does."""
    if is_columnar(data):
        yield from _columnar_panes(data)
        return
    keys, panes, _ = open_bucket(data)
    texts = _texts(keys)
    for pane in panes.to_pylist():
        yield PaneListing(
            texts[pane["key"]],
            pane["start"],
            pane["end"],
            pane["firings"],
            None if pane["rows"] is None else len(pane["rows"]),
            None if pane["accumulators"] is None else pane["accumulators"].decode(),
            pane["event_timers"],
            pane["processing_timers"],
        )


def _columnar_panes(data: bytes) -> Iterator[PaneListing]:
    keys, states, _ = decode_states(data)
    for text, state in zip(_texts(keys), states, strict=True):
        for window, pane in state.panes.items():
            is_endless = window == GLOBAL_WINDOW
            yield PaneListing(
                text,
                None if is_endless else window.start,
                None if is_endless else window.end,
                pane.firings,
                None if pane.rows is None else len(pane.rows),
                None if pane.accumulators is None else encode(pane.accumulators).decode(),
                sorted(pane.event_timers),
                sorted(pane.processing_timers),
            )


def _texts(keys: pa.RecordBatch) -> list[str]:
    names = [_name(field) for field in list(keys.schema)[1:]]
    rows = _rows(keys.columns[1:], keys.num_rows)
    return [json.dumps(dict(zip(names, row, strict=True)), default=str) for row in rows]


def _name(column: pa.Field) -> str:
    """State of earlier versions has the internal name only."""
    return str((column.metadata or {}).get(_SQL, column.name.encode()).decode())


def _rows(columns: list[Any], count: int) -> list[tuple[Any, ...]]:
    return list(zip(*map(_values, columns), strict=True)) or [()] * count


def _values(column: pa.Array) -> list[Any]:
    """The values of a key, as text where Python has no such dates."""
    try:
        return python_of(column)
    except OverflowError:
        return python_of(column.cast(with_parts(column.type, _readable)))


def _readable(kind: pa.DataType) -> pa.DataType:
    return pa.string() if pa.types.is_date32(kind) or pa.types.is_timestamp(kind) else kind
