"""A running stream in a notebook cell: one line that tells how far it is, and the latest rows."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from pyspark.sql.streaming.query import StreamingQuery

from winsql.shell.notebook.render import line
from winsql.shell.notebook.shown import Live
from winsql.spark.tables.reports import watermark_said

_SLICE = 0.5
"""Seconds between two looks; an interrupt of the kernel comes through in between."""


def follow(
    query: StreamingQuery,
    name: str,
    seconds: float | None = None,
    rows: Callable[[], tuple[str, str]] = lambda: ("", ""),
) -> bool:
    """Show a stream until it ends, or the time is over; returns False when the cell was interrupted meanwhile.

    rows   what it has given so far, as HTML and as text
    """
    shown = Live(f"{name}: starting")
    end = None if seconds is None else time.monotonic() + seconds
    try:
        while query.isActive and (end is None or time.monotonic() < end):
            _show(shown, rows(), _state(query, name))
            time.sleep(_SLICE)
    except KeyboardInterrupt:
        _show(shown, rows(), f"{_state(query, name)}; interrupted")
        return False
    _show(shown, rows(), _state(query, name))
    return True


def _show(shown: Live, rows: tuple[str, str], state: str) -> None:
    html, text = rows
    shown.update(html + line(state), text + state)


def _state(query: StreamingQuery, name: str) -> str:
    status = "running" if query.isActive else "ended"
    report: dict[str, Any] | None = query.lastProgress
    if report is None:
        return f"{name}: {status}, no micro-batch yet"
    rows = sum(source["numInputRows"] for source in report["sources"])
    millis = report["durationMs"].get("triggerExecution", 0)
    watermark = watermark_said(report)
    passed = f", watermark {watermark}" if watermark else ""
    return f"{name}: {status}, micro-batch {report['batchId']:,} with {rows:,} rows in {millis:,} ms{passed}"
