"""How much of the longest suites runs: with WINSQL_SAMPLE=6 about a sixth, as in CI; without it all."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")

_EVERY = int(os.environ.get("WINSQL_SAMPLE", "1"))


def is_sample() -> bool:
    """Whether not all runs."""
    return _EVERY > 1


def some(items: Iterable[T]) -> list[T]:
    """Every sixth one of what a suite goes through."""
    return list(items)[::_EVERY]


def share(count: int) -> int:
    """A sixth of what a suite draws, but one at least."""
    return max(count // _EVERY, 1)
