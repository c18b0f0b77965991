"""The sessions of many times at once: the aggregate functions session_windows and session_windows_ntz."""

from __future__ import annotations

from typing import Any

import numpy as np
import pyarrow as pa

from winsql.errors import WindowDataError
from winsql.model.base import MAX_TIME
from winsql.runtime.arrays import to_numpy

__all__ = ["session_windows", "session_windows_ntz"]


def session_windows(times: pa.Array, gaps: pa.Array) -> list:  # type: ignore[type-arg]
    """The merged sessions of TIMESTAMPs, in order, as structs of `start` and `end`.

    times   in microseconds; NULLs are in no session
    gaps    durations, one per time; the sessions of two rows merge when they meet or overlap

    Raises WindowDataError for other types, and for a gap that is NULL or not positive.
    """
    _require(getattr(times.type, "tz", None) is not None, "session_windows", "TIMESTAMP", times, gaps)
    return _sessions(times, gaps, "session_windows")


def session_windows_ntz(times: pa.Array, gaps: pa.Array) -> list:  # type: ignore[type-arg]
    """The same for TIMESTAMP_NTZ."""
    _require(getattr(times.type, "tz", "") is None, "session_windows_ntz", "TIMESTAMP_NTZ", times, gaps)
    return _sessions(times, gaps, "session_windows_ntz")


def _require(fits: bool, name: str, time: str, times: pa.Array, gaps: pa.Array) -> None:
    fits = fits or pa.types.is_null(times.type)
    if not fits or not (pa.types.is_duration(gaps.type) or pa.types.is_null(gaps.type)):
        raise WindowDataError(
            f"{name} cannot take these types: {times.type}, {gaps.type}",
            rule=f"its arguments are a {time} and a day-time interval",
            hint="session_windows is for TIMESTAMP, session_windows_ntz for TIMESTAMP_NTZ; CAST others",
        )


def _sessions(times: pa.Array, gaps: pa.Array, name: str) -> list[dict[str, Any]]:
    known = times.is_valid()
    starts, gaps = _longs(times.filter(known)), gaps.filter(known)
    lengths = _longs(gaps)
    if gaps.null_count or (lengths <= 0).any():
        raise WindowDataError(
            f"{name}: the gap of a row is {'NULL' if gaps.null_count else 'not positive'}",
            rule="a session gap must be positive for every row",
            hint="give a smallest gap with GREATEST, or leave such rows out with FILTER (WHERE ...)",
        )
    if not len(starts):
        return []
    order = np.argsort(starts, kind="stable")
    starts, lengths = starts[order], lengths[order]
    ends = np.maximum.accumulate(starts + np.minimum(lengths, MAX_TIME - np.maximum(starts, 0)))
    first = np.concatenate(([True], starts[1:] > ends[:-1]))
    last = np.concatenate((first[1:], [True]))
    pairs = zip(starts[first].tolist(), ends[last].tolist(), strict=True)
    return [{"start": start, "end": end} for start, end in pairs]


def _longs(values: pa.Array) -> np.ndarray[Any, np.dtype[np.int64]]:
    return to_numpy(values.cast(pa.int64()))
