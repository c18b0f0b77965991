"""When data leaves the range in which columns of 64 bits are exact."""

from __future__ import annotations

from winsql.model.columnar import Longs

MAX_INSTANT = 1 << 61
"""Instants up to this distance from the epoch can be shifted by any duration allowed below without overflow."""
MAX_DURATION = 1 << 59


class Unfit(Exception):
    """The columnar engine cannot take these rows or this state exactly; nothing has been changed yet.

    It is no error of the user: the per-row operator takes over.
    """


def require_instants(times: Longs) -> Longs:
    """The times; raises Unfit for one near the end of 64 bits."""
    if len(times) and (times.min() < -MAX_INSTANT or times.max() > MAX_INSTANT):
        raise Unfit("an event time near the end of 64 bits")
    return times
