"""How much of the slow tests runs: WINSQL_SAMPLE=6 a sixth of the longest suites, WINSQL_HALF=0 or 1 every second file.

CI sets both; without them all runs.
"""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

__all__ = ["half", "is_sample", "share", "some"]

T = TypeVar("T")

_EVERY = int(os.environ.get("WINSQL_SAMPLE", "1"))
_HALF = os.environ.get("WINSQL_HALF")


def is_sample() -> bool:
    """Whether not all runs."""
    return _EVERY > 1


def some(items: Iterable[T]) -> list[T]:
    """Every sixth one of what a suite goes through."""
    return list(items)[::_EVERY]


def share(count: int) -> int:
    """A sixth of what a suite draws, but one at least."""
    return max(count // _EVERY, 1)


def half(items: Iterable[T]) -> list[T]:
    """Every second one, or all where no half is asked for."""
    return list(items) if _HALF is None else list(items)[int(_HALF) :: 2]
