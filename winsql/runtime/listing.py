"""The state of a streaming query in words: what the panes of a bucket hold, read without the query that wrote it."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, NamedTuple

from winsql.runtime.bucket import open_bucket

__all__ = ["PaneListing", "list_panes"]


class PaneListing(NamedTuple):
    """One open window of a key; bounds and timers in the query's unit, None for a window without end.

    key            the key columns as JSON text
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


def list_panes(data: bytes) -> Iterator[PaneListing]:
    """The panes of a bucket; raises WindowDataError as `decode_bucket` does."""
    keys, panes, _ = open_bucket(data)
    names = keys.schema.names[1:]
    texts = [json.dumps(dict(zip(names, row, strict=True)), default=str) for row in _rows(keys.columns[1:], len(keys))]
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


def _rows(columns: list[Any], count: int) -> list[tuple[Any, ...]]:
    return list(zip(*(column.to_pylist() for column in columns), strict=True)) or [()] * count
