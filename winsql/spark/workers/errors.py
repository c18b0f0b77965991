"""What went wrong with a row, said with the statement's place, the policy and the key; used in Python workers."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from types import TracebackType

import pyarrow as pa

from winsql.errors import WindowDataError, WinsqlError
from winsql.model.policy import Policy
from winsql.spark.workers.task import NamedFirings, Place, Task

__all__ = ["explained"]


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
