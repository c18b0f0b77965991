"""What users' own triggers and evictors answer, checked: they may be any code."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from winsql.errors import WindowDataError
from winsql.model.base import FIRE, PURGE, Decision, Row, Window
from winsql.model.evictors import Evictor
from winsql.model.policy import Policy

__all__ = ["Keep", "keep_of", "wanted"]

Keep = Callable[[list[Row], Window], list[Row]]
_DECISIONS = tuple(Decision)


def wanted(decision: Any, policy: Policy) -> tuple[int, int]:
    """Whether the trigger wants the window fired, and its contents dropped.

    Raises WindowDataError for what is no Decision.
    """
    if decision not in _DECISIONS:
        raise WindowDataError(
            f"{_name(policy)}: it returned {decision!r}",
            rule="the methods of a trigger return what is to be done with the window",
            hint="return winsql.Decision.CONTINUE, FIRE, PURGE or FIRE_AND_PURGE",
        )
    return decision & FIRE, decision & PURGE


def keep_of(evictor: Evictor | None) -> Keep | None:
    """The evictor's `keep`. A user's own gets a list of its own, and may change it as Flink's evictors do."""
    if evictor is None:
        return None
    is_own = not type(evictor).__module__.startswith("winsql.")
    return partial(_kept, evictor) if is_own else evictor.keep


def _kept(evictor: Evictor, rows: list[Row], window: Window) -> list[Row]:
    answer: Any = evictor.keep(list(rows), window)
    kept: list[Row] = list(answer) if isinstance(answer, Iterable) else [answer]
    if not all(isinstance(row, tuple) for row in kept):
        raise WindowDataError(
            f"{_name(evictor)}: keep returned something else than rows",
            rule="an evictor returns those of the rows it is given that stay",
            hint="return a list of them; an empty one drops all",
        )
    return kept


def _name(policy: Policy) -> str:
    return policy.NAME or type(policy).__name__
