"""Whether sums of 64 bits might overflow."""

from __future__ import annotations

import numpy as np

from winsql.model.columnar import Longs

__all__ = ["SAFE", "may_overflow"]

SAFE = 1 << 62
"""Sums of less than this fit 64 bits."""


def may_overflow(columns: list[tuple[Longs, Longs]]) -> bool:
    """Whether the sum of some of a key's values might leave 64 bits; `columns` are keys and values side by side."""
    if sum(_greatest(values) * len(values) for _, values in columns) < SAFE:
        return False
    keys = max(int(key.max(initial=0)) for key, _ in columns) + 1
    total = np.zeros(keys)
    for key, values in columns:
        total += np.bincount(key, np.abs(values.astype(np.float64)), keys)
    return bool(total.max() >= SAFE)


def _greatest(values: Longs) -> int:
    """The greatest distance from 0."""
    return max(int(values.max(initial=0)), -int(values.min(initial=0)))
