"""Window arithmetic as SQL, for each form of slices: the windows of a row, and the bounds of a window.

All of it is on microseconds, of the epoch (see `time_sql`) or of what the clocks of a zone show.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

from winsql.model.assigners import Assigner
from winsql.model.columnar import Cumulating, SliceForm, Sliding
from winsql.planner.plan import Strategy


@dataclass(frozen=True, slots=True)
class RowWindows:
    """The windows of a row, each told by a number: its start, or its end where windows share starts.

    first       the window that an assigner names first
    every       all of them as an array, in the assigner's order; NULL for a row in none, such as one without a time
    is_single   whether `first` is the one window of each row that has a time
    """

    first: str
    every: str
    is_single: bool = False


class AssignerSql(Protocol):
    """The arithmetic of one form."""

    def windows(self, time: str) -> RowWindows:
        """The windows of a row, whose time is an expression in brackets or a call."""

    def bounds(self, window: str) -> tuple[str, str]:
        """Start and end of a window by its number."""


@dataclass(frozen=True, slots=True)
class FixedSize:
    """Windows of one size that start every slide; numbered by their starts."""

    size: int
    slide: int
    offset: int

    def windows(self, time: str) -> RowWindows:
        newest = _floor(time, self.slide, self.offset)
        if self.slide < self.size:
            oldest = f"{_floor(f'({time} - {self.size}L)', self.slide, self.offset)} + {self.slide}L"
            return RowWindows(newest, f"sequence({newest}, {oldest}, -{self.slide}L)")
        is_inside = f"{time} IS NOT NULL" if self.slide == self.size else self.is_inside(time)
        every = f"CASE WHEN {is_inside} THEN array({newest}) END"
        return RowWindows(newest, every, is_single=self.slide == self.size)

    def bounds(self, window: str) -> tuple[str, str]:
        return window, f"{window} + {self.size}L"

    def is_inside(self, time: str) -> str:
        """Whether a time is in a window, and not in a gap between two."""
        return f"{_past(time, self.slide, self.offset)} < {self.size}L"


@dataclass(frozen=True, slots=True)
class _Growing:
    """Windows that share a start and grow by a step; numbered by their ends."""

    size: int
    step: int
    offset: int

    def windows(self, time: str) -> RowWindows:
        first, last = (f"{_floor(time, length, self.offset)} + {length}L" for length in (self.step, self.size))
        return RowWindows(first, f"sequence({first}, {last}, {self.step}L)")

    def bounds(self, window: str) -> tuple[str, str]:
        return _floor(f"{window} - 1L", self.size, self.offset), window


def arithmetic(assigner: Assigner) -> AssignerSql:
    """The arithmetic of an assigner whose windows have slices."""
    form = _slices(assigner)
    assert form is not None
    return _ARITHMETIC[type(form)](*form.lengths())


_ARITHMETIC: dict[type[SliceForm], Callable[..., AssignerSql]] = {Sliding: FixedSize, Cumulating: _Growing}


def native_strategy(assigner: Assigner) -> Strategy | None:
    """How Spark alone groups rows by windows; None where it cannot."""
    if assigner.is_merging:
        return Strategy.SESSION_WINDOW
    form = _slices(assigner)
    if form is None:
        return None
    is_window = isinstance(form, Sliding) and form.fanout <= MOST_PROJECTIONS
    return Strategy.WINDOW if is_window else Strategy.EXPLODE


MOST_PROJECTIONS = 8
"""Windows per row up to which Spark's window() is used: its plan has a projection for each of them."""


def _slices(assigner: Assigner) -> SliceForm | None:
    form = assigner.columnar()
    return None if form is None else form.slices()


def _floor(time: str, step: int, offset: int) -> str:
    """The last multiple of the step, counted from the offset, that is not after the time; also before the epoch."""
    return f"{time} - {_past(time, step, offset)}"


def _past(time: str, step: int, offset: int) -> str:
    """How long ago a step began."""
    return f"pmod({f'{time} - {offset}L' if offset else time}, {step}L)"
