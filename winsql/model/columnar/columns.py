"""What all columnar forms are written with."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from winsql.model.base import MIN_TIME

Longs = npt.NDArray[np.int64]

NO_TIME = MIN_TIME
"""In a column of times: none. No window of the engine ends there."""


def spread(counts: Longs) -> tuple[Longs, Longs]:
    """`counts[i]` entries for the i-th row: the row of each entry, and its number within the row."""
    rows = np.repeat(np.arange(len(counts)), counts)
    begins = np.cumsum(counts) - counts
    return rows, np.arange(len(rows)) - begins[rows]


def form_of(policy: Any) -> Any:
    """What the policy's `columnar()` gives; None for a class that inherits it, whose rule may be another."""
    return policy.columnar() if "columnar" in vars(type(policy)) else None
