"""The sessions of many times at once: the aggregate functions session_windows and session_windows_ntz."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa

from winsql.errors import WindowDataError
from winsql.model.base import MAX_TIME
from winsql.runtime.arrays import to_numpy


def session_windows(*arguments: pa.Array, **named: pa.Array) -> list:  # type: ignore[type-arg]
    """The merged sessions of TIMESTAMPs, in order, as structs of `start` and `end`.

    The arguments are `ts`, times in microseconds, whose NULLs are in no session, and `gap`, durations, one per time;
    the sessions of two rows merge when they meet or overlap.

    Raises WindowDataError for other arguments, and for a gap that is NULL or not positive.
    """
    return _sessions(*_read("session_windows", "TIMESTAMP", arguments, named), "session_windows")


def session_windows_ntz(*arguments: pa.Array, **named: pa.Array) -> list:  # type: ignore[type-arg]
    """The same for TIMESTAMP_NTZ."""
    return _sessions(*_read("session_windows_ntz", "TIMESTAMP_NTZ", arguments, named), "session_windows_ntz")


def _read(
    name: str, time: str, arguments: Sequence[pa.Array], named: Mapping[str, pa.Array]
) -> tuple[pa.Array, pa.Array]:
    """The times and the gaps."""
    rule = f"its arguments are a {time} and a day-time interval"
    known = {**dict(zip(_NAMES, arguments, strict=False)), **named}
    if len(arguments) + len(named) != len(_NAMES) or known.keys() != set(_NAMES):
        shown = [*("a value" for _ in arguments), *(f"{argument} => ..." for argument in named)]
        raise WindowDataError(
            f"{name} cannot take these arguments: {', '.join(shown) or 'none'}",
            rule=rule,
            hint=f"write {name}(ts, INTERVAL 30 MINUTES)",
        )
    types = [known[argument].type for argument in _NAMES]
    has_zone = getattr(types[0], "tz", None) is not None
    fits = pa.types.is_null(types[0]) or (pa.types.is_timestamp(types[0]) and has_zone == (time == "TIMESTAMP"))
    if not fits or not (pa.types.is_duration(types[1]) or pa.types.is_null(types[1])):
        raise WindowDataError(
            f"{name} cannot take these types: {types[0]}, {types[1]}",
            rule=rule,
            hint="session_windows is for TIMESTAMP, session_windows_ntz for TIMESTAMP_NTZ; CAST others",
        )
    return known["ts"], known["gap"]


_NAMES = ("ts", "gap")


def _sessions(times: pa.Array, gaps: pa.Array, name: str) -> list[dict[str, Any]]:
    known = times.is_valid()
    starts, gaps = _longs(times.filter(known)), gaps.filter(known)
    lengths = _longs(gaps)
    if gaps.null_count or (lengths <= 0).any():
        raise WindowDataError(
            f"{name}: the gap of a row is {'NULL' if gaps.null_count else 'not positive'}",
            rule="a session gap must be positive for every row",
            hint="give a smallest gap with GREATEST, or leave such rows out with WHERE",
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
