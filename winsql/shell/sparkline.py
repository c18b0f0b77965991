"""Numbers as a line of bars."""

from __future__ import annotations

from collections.abc import Sequence

_BARS = "▁▂▃▄▅▆▇█"


def sparkline(values: Sequence[float]) -> str:
    """A bar for each value, from 0 to the largest; numbers below 0 count as 0."""
    top = max(values, default=0)
    if top <= 0:
        return _BARS[0] * len(values)
    return "".join(_BARS[round(max(value, 0) / top * (len(_BARS) - 1))] for value in values)
