"""The changelog of a window's results: which earlier results a firing takes back, and the result that it sends."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from winsql.model.base import PaneTiming, Window
from winsql.model.emitting import Changes, RowKind
from winsql.runtime.state import Pane

_SAID = "said"
"""Name of the pane's value with the results that have been sent, each with the bounds of its window. No trigger has a
value of this name: those of queries with a changelog are winsql's own, or have a namespace."""


class Result(NamedTuple):
    """A result of a window, of the firing with this number and timing."""

    window: Window
    number: int
    timing: PaneTiming | None
    values: Any


def _changes_of(pane: Pane, result: Result, changes: Changes) -> Iterator[tuple[RowKind, Result]]:
    """The rows that a firing sends, in order; the pane keeps the last one. A result is taken back as it was sent."""
    said = pane.values.get(_SAID, ())
    pane.values[_SAID] = (_record(result),)
    is_update = False
    for before in map(_result, said):
        is_same = before.window == result.window
        is_update |= is_same
        if not is_same:  # a session that has become part of this one
            yield RowKind.DELETE, before
        elif changes is not Changes.UPSERT:
            yield (RowKind.UPDATE_BEFORE if changes is Changes.RETRACTIONS else RowKind.DELETE), before
    yield (RowKind.UPDATE_AFTER if is_update and changes is not Changes.DELETIONS else RowKind.INSERT), result


def sender(emit: Callable[..., None], changes: Changes | None) -> Callable[..., None]:
    """A function that hands a pane's firing to `emit`: as it is, or as the rows of a changelog, each with its kind."""

    def send(pane: Pane, *firing: Any) -> None:
        emit(*firing)

    def send_changes(
        pane: Pane, key: Any, window: Window, index: int, timing: PaneTiming | None, timer: int | None, result: Any
    ) -> None:
        assert changes is not None
        for kind, said in _changes_of(pane, Result(window, index, timing, result), changes):
            emit(key, said.window, said.number, said.timing, timer, said.values, kind)

    return send if changes is None else send_changes


def _record(result: Result) -> tuple[Any, ...]:
    """As state keeps it."""
    timing = None if result.timing is None else result.timing.value
    return (*result.window, result.number, timing, result.values)


def _result(record: tuple[Any, ...]) -> Result:
    start, end, index, timing, values = record
    return Result(Window(start, end), index, None if timing is None else PaneTiming(timing), values)


def unite(panes: list[Pane], into: Pane) -> None:
    """A merged session takes over the results that its parts have sent, so that its firing takes them back."""
    said = tuple(one for pane in panes for one in pane.values.get(_SAID, ()))
    if said:
        into.values[_SAID] = said
