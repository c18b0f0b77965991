"""Whether sums might leave the range in which they are exact."""

from __future__ import annotations

import numpy as np

from winsql.model.columnar import Longs


def may_exceed(limit: int, columns: list[tuple[Longs, Longs]]) -> bool:
    """Whether the sum of some of a key's values might get as far; `columns` are keys and values side by side."""
    if sum(_greatest(values) * len(values) for _, values in columns) < limit:
        return False
    keys = max(int(key.max(initial=0)) for key, _ in columns) + 1
    total = np.zeros(keys)
    for key, values in columns:
        total += np.bincount(key, np.abs(values.astype(np.float64)), keys)
    return bool(total.max() >= limit)


def _greatest(values: Longs) -> int:
    """The greatest distance from 0."""
    return max(int(values.max(initial=0)), -int(values.min(initial=0)))
