"""Room on Python's stack for statements that nest deeply."""

from __future__ import annotations

import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager

__all__ = ["MAX_DEPTH", "room_for"]

MAX_DEPTH = 250
"""How deep brackets may nest around and in a windowed SELECT; Spark's own parser goes on for a while."""
_SHALLOW = 20
"""What fits into Python's own limit of 1,000 calls, whatever called winsql."""
_CALLS = 60
"""Calls within calls that reading one level takes at most, sqlglot's parser included."""

_lock = threading.Lock()
_open = 0
_limit = 0


@contextmanager
def room_for(depth: int) -> Iterator[None]:
    """Python's limit of calls within calls is higher inside where brackets nest deeply, and as before after it."""
    if depth <= _SHALLOW:
        yield
        return
    _enter(depth)
    try:
        yield
    finally:
        _leave()


def _enter(depth: int) -> None:
    global _open, _limit
    with _lock:
        _limit = sys.getrecursionlimit() if _open == 0 else _limit
        _open += 1
        sys.setrecursionlimit(max(sys.getrecursionlimit(), _limit + depth * _CALLS))


def _leave() -> None:
    global _open
    with _lock:
        _open -= 1
        if _open == 0:  # other threads may be deeper until all are done
            sys.setrecursionlimit(_limit)
