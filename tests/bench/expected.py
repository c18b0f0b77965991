"""What a run must give: the checksums of a workload, computed from the input with numpy alone.

Only those that do not depend on the order in which rows arrive; `check.py` compares the others, row by row.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from typing import NamedTuple

import numpy as np
from bench.workloads import BASE_MS, JITTER_MS, Events, Kind, Shape, Workload


class Columns(NamedTuple):
    """The input: keys, event times in milliseconds, values and sides."""

    k: np.ndarray
    ts: np.ndarray
    v: np.ndarray
    side: np.ndarray


@cache
def expected(workload: Workload, events: Events) -> dict[str, int]:
    """The workload's compared checksums."""
    if not workload.compared:
        return {}
    found = _BY_KIND[workload.kind](_columns(events), workload.shape)
    return {name: int(found[name]) for name in workload.compared}


@lru_cache(maxsize=1)
def _columns(events: Events) -> Columns:
    i = np.arange(events.rows, dtype=np.int64)
    ts = BASE_MS + i * events.pace // 10 - ((i * 40503) >> 5) % JITTER_MS
    return Columns(((i * 2654435761) >> 11) % events.keys, ts, i % 97, i % 2)


def _time(rows: Columns, shape: Shape) -> dict[str, int]:
    """Each slice of a key opens the windows that begin with it or before it and that no slice before has opened."""
    windows = shape.size_ms // shape.slide_ms
    slices = np.unique(_with_key(rows.k, rows.ts // shape.slide_ms))
    steps = np.diff(slices, prepend=slices[0] - windows)
    return {
        "results": np.minimum(steps, windows).sum(),
        "sum": windows * rows.v.sum(),
        "count": windows * len(rows.k),
    }


def _session(rows: Columns, shape: Shape) -> dict[str, int]:
    """Rows that are exactly the gap apart are in one session, as in Flink."""
    order = np.lexsort((rows.ts, rows.k))
    k, ts = rows.k[order], rows.ts[order]
    begins = (np.diff(k) != 0) | (np.diff(ts) > shape.size_ms)
    return {"results": 1 + begins.sum(), "sum": rows.v.sum(), "count": len(k)}


def _count(rows: Columns, shape: Shape) -> dict[str, int]:
    fired = (np.bincount(rows.k) // shape.rows).sum()
    return {"results": fired, "count": fired * shape.rows}


def _last_rows(rows: Columns, shape: Shape) -> dict[str, int]:
    """Each row fires with the last rows of its key."""
    of_key = np.bincount(rows.k)
    growing = np.minimum(of_key, shape.rows)
    return {"results": len(rows.k), "count": (growing * (growing + 1) // 2 + (of_key - growing) * shape.rows).sum()}


def _time_and_count(rows: Columns, shape: Shape) -> dict[str, int]:
    _, of_window = np.unique(_with_key(rows.k, rows.ts // shape.size_ms), return_counts=True)
    return {"results": (of_window // shape.rows).sum()}


def _join(rows: Columns, shape: Shape) -> dict[str, int]:
    """Every pair of a window, with the sum of both values."""
    _, window = np.unique(_with_key(rows.k, rows.ts // shape.size_ms), return_inverse=True)
    counts, sums = [], []
    for side in (0, 1):
        mine = rows.side == side
        counts.append(np.bincount(window[mine], minlength=window.max() + 1))
        sums.append(np.bincount(window[mine], rows.v[mine], minlength=window.max() + 1))
    pairs = (counts[0] * counts[1]).sum()
    return {"results": pairs, "sum": (sums[0] * counts[1] + sums[1] * counts[0]).sum(), "count": pairs}


def _with_key(k: np.ndarray, number: np.ndarray) -> np.ndarray:
    """One number for a key and a window or slice (a number below 2^31); those of two keys are far from each other."""
    return (k << 32) + number


_BY_KIND: dict[Kind, Callable[[Columns, Shape], dict[str, int]]] = {
    Kind.TIME: _time,
    Kind.SESSION: _session,
    Kind.COUNT: _count,
    Kind.LAST_ROWS: _last_rows,
    Kind.TIME_AND_COUNT: _time_and_count,
    Kind.JOIN: _join,
}
