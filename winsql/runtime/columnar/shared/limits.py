"""When data leaves the range in which columns of 64 bits are exact."""

from __future__ import annotations

__all__ = ["MAX_DURATION", "MAX_INSTANT", "Unfit"]

MAX_INSTANT = 1 << 61
"""Instants up to this distance from the epoch can be shifted by any duration allowed below without overflow."""
MAX_DURATION = 1 << 59


class Unfit(Exception):
    """The columnar engine cannot take these rows or this state exactly; nothing has been changed yet.

    It is no error of the user: the per-row operator takes over.
    """
