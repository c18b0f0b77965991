"""What went wrong with a row, said with the statement's place, the policy and the key; used in Python workers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from types import TracebackType
from typing import TYPE_CHECKING, Protocol

import pyarrow as pa

from winsql.errors import Span, WindowDataError, WinsqlError
from winsql.model.policy import Policy
from winsql.model.query import WindowQuery

if TYPE_CHECKING:
    from winsql.spark.worker import Task

__all__ = ["NamedFirings", "Place", "explained"]


class NamedFirings(Protocol):
    """Firings that know whose they are."""

    @property
    def task(self) -> Task: ...

    def key_values(self, firing: int | None = None) -> list[pa.Scalar]:
        """The key of a firing; without one, the key that is worked on."""

    def bounds(self, firing: int) -> tuple[int | None, int | None]:
        """Start and end of its window, None for the one window of GLOBAL."""


@dataclass(frozen=True, slots=True)
class Place:
    """Where a windowed SELECT stands in its statement: its first word, and the operands of its policies by name of
    the policy; and the SQL of its keys."""

    text: str
    span: Span
    keys: tuple[str, ...]
    operands: tuple[tuple[str, Span], ...] = ()

    @classmethod
    def of(cls, query: WindowQuery) -> Place:
        """The place of a query."""
        span = Span(query.span.start, query.span.start + len("SELECT"))
        operands = tuple((operand.policy, operand.span) for operand in query.operands)
        return cls(query.text, span, tuple(key.text for key in query.keys), operands)

    def of_problem(self, problem: str) -> Span:
        """The operand that a message is about, as messages of policies begin with their names; else the SELECT."""
        policy = problem.partition(":")[0]
        return next((span for name, span in self.operands if name == policy), self.span)


@contextmanager
def explained(task: Task, firings: NamedFirings, firing: int | None = None) -> Iterator[None]:
    """Turn what a policy, an aggregate or a user's function raises into a WindowDataError with place and key.

    `firing` is the waiting firing that is worked on; without one it is the key whose rows are processed.
    """
    try:
        yield
    except WinsqlError as error:
        raise _with_place(error, task.place, firings.key_values(firing)) from None
    except Exception as error:
        policy = _policy_in(error.__traceback__)
        if policy is None:
            raise
        problem = f"{policy.NAME or type(policy).__name__} failed: {type(error).__name__}: {error}"
        raise _with_place(WindowDataError(problem), task.place, firings.key_values(firing)) from error


def _with_place(error: WinsqlError, place: Place, key: list[pa.Scalar]) -> WinsqlError:
    problem = error.problem
    if place.keys:
        values = ", ".join(f"{sql} = {_shown(value)}" for sql, value in zip(place.keys, key, strict=True))
        problem = f"{problem} (key: {values})"
    return WindowDataError(problem, rule=error.rule, hint=error.hint).located(
        place.text, place.of_problem(error.problem)
    )


def _shown(scalar: pa.Scalar) -> str:
    if not scalar.is_valid:
        return "NULL"
    text = f"'{scalar}'" if pa.types.is_string(scalar.type) else str(scalar)
    return text if len(text) <= 80 else text[:77] + "..."


def _policy_in(traceback: TracebackType | None) -> Policy | None:
    """The policy whose method raised: the innermost one of the traceback."""
    found = None
    while traceback is not None:
        owner = traceback.tb_frame.f_locals.get("self")
        if isinstance(owner, Policy):
            found = owner
        traceback = traceback.tb_next
    return found
