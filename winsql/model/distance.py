"""How far values are apart: what DELTA compares with its threshold, as a trigger and as an evictor."""

from __future__ import annotations

from decimal import Context, Decimal
from fractions import Fraction
from functools import lru_cache
from typing import Any


def distance(value: Any, other: Any, *, signed: bool) -> Any:
    """`value - other`, without its sign unless `signed`; exact for decimals of up to 38 digits."""
    delta = _EXACT.subtract(value, other) if isinstance(value, Decimal) else value - other
    return delta if signed else abs(delta)


def limit_for(delta: Any, threshold: float) -> Any:
    """The threshold as a distance is compared with it: beside a decimal a fraction means the digits as written."""
    return _decimal(threshold) if isinstance(delta, Decimal) else threshold


def exact(threshold: float) -> Fraction:
    """A finite threshold by its digits as written, so that 0.1 is a tenth."""
    return Fraction(repr(threshold))


@lru_cache(maxsize=64)
def _decimal(threshold: float) -> Decimal:
    return Decimal(repr(threshold))


_EXACT = Context(prec=77)
"""Enough for the difference of any two decimals of Spark."""
