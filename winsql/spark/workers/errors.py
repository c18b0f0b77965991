"""What went wrong with a row, said with the statement's place, the policy, the key and the row's time, or the bounds
of the window that fires; used in Python workers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from types import TracebackType

import numpy as np
import pyarrow as pa

from winsql.errors import WindowDataError, WinsqlError
from winsql.model.base import GLOBAL_WINDOW, TIMESTAMP
from winsql.model.policy import Policy
from winsql.runtime.operator import WindowOperator
from winsql.runtime.texts import is_text, shown
from winsql.spark.workers.task import NamedKeys, Task


@contextmanager
def explained(task: Task, firings: NamedKeys, firing: int | None = None) -> Iterator[None]:
    """Turn what a policy, an aggregate or a user's function raises into a WindowDataError with place and key.

    `firing` is the waiting firing that is processed; without one, rows of the current key are.
    """
    try:
        yield
    except WinsqlError as error:
        raise _with_place(error, task, firings.key_values(firing), _when(task, error, firings, firing)) from None
    except Exception as error:
        policy = _policy_in(error.__traceback__)
        if policy is None:
            raise
        problem = f"{policy.NAME or type(policy).__name__} failed: {type(error).__name__}: {error}"
        when = _when(task, error, firings, firing)
        raise _with_place(WindowDataError(problem), task, firings.key_values(firing), when) from error


def _with_place(error: WinsqlError, task: Task, key: list[pa.Scalar], when: str | None) -> WinsqlError:
    problem, place = error.problem, task.place
    values = ", ".join(f"{sql} = {_shown(value)}" for sql, value in zip(place.keys, key, strict=True))
    parts = [f"key: {values}"] if values else []
    parts += [when] if when else []
    if parts:
        problem = f"{problem} ({', '.join(parts)})"
    return WindowDataError(problem, rule=error.rule, hint=error.hint).located(
        place.text, place.of_problem(error.problem)
    )


def _shown(scalar: pa.Scalar) -> str:
    if not scalar.is_valid:
        return "NULL"
    text = f"'{shown(scalar)}'" if is_text(scalar.type) else shown(scalar)
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


def _when(task: Task, error: BaseException, firings: NamedKeys, firing: int | None) -> str | None:
    """The time of the row that the operator works on, or the window that fires; None where neither is known."""
    if firing is not None:
        return _of_window(task, firings.bounds(firing))
    traceback, found = error.__traceback__, None
    while traceback is not None:
        names = traceback.tb_frame.f_locals
        if isinstance(names.get("self"), WindowOperator):
            found = names
        traceback = traceback.tb_next
    if found is None:
        return None
    if (row := found.get("row")) is not None:
        return f"time: {_instant(task, row[TIMESTAMP])}"
    window = found["self"].context.window
    return _of_window(task, window) if window != GLOBAL_WINDOW else None


def _of_window(task: Task, bounds: Sequence[int | None]) -> str | None:
    start, end = bounds
    return None if start is None or end is None else f"window: {_instant(task, start)} to {_instant(task, end)}"


def _instant(task: Task, micros: int | None) -> str:
    """As ISO 8601 has it, of whichever year."""
    if micros is None:
        return "NULL"
    is_whole = micros % 1_000_000 == 0
    instant = np.datetime64(micros // 1_000_000, "s") if is_whole else np.datetime64(micros, "us")
    text = str(instant).replace("T", " ")
    return f"{text}Z" if task.local is None and getattr(task.window_type, "tz", None) is not None else text
