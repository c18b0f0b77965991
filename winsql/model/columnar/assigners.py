"""Assigners over a column of times."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

import numpy as np
import numpy.typing as npt

from winsql.model.columnar.columns import Longs, spread

__all__ = ["Assigned", "AssignerForm", "Cumulating", "Sliding", "Tumbling"]


@dataclass(frozen=True, slots=True)
class Assigned:
    """Pairs of row and window, row by row, each row's windows in the assigner's order."""

    rows: Longs
    start: Longs
    end: Longs

    def where(self, chosen: npt.NDArray[np.bool_]) -> Assigned:
        """Only these pairs."""
        return Assigned(self.rows[chosen], self.start[chosen], self.end[chosen])


class AssignerForm(Protocol):
    """An assigner over a column of times. Within it a window is told by its end.

    period   all window ends are a multiple of it apart
    fanout   windows of one row at most
    """

    @property
    def period(self) -> int: ...

    @property
    def fanout(self) -> int: ...

    def assign(self, times: Longs) -> Assigned:
        """The windows of each row."""


@dataclass(frozen=True, slots=True)
class Tumbling:
    size: int
    offset: int

    @property
    def period(self) -> int:
        return self.size

    @property
    def fanout(self) -> int:
        return 1

    def assign(self, times: Longs) -> Assigned:
        start = _floor(times, self.size, self.offset)
        return Assigned(np.arange(len(times)), start, start + self.size)


@dataclass(frozen=True, slots=True)
class Sliding:
    size: int
    slide: int
    offset: int

    @property
    def period(self) -> int:
        return self.slide

    @property
    def fanout(self) -> int:
        return -(-self.size // self.slide)

    def assign(self, times: Longs) -> Assigned:
        newest = _floor(times, self.slide, self.offset)
        rows, place = spread((newest - times + self.size + self.slide - 1) // self.slide)
        start = newest[rows] - place * self.slide
        return Assigned(rows, start, start + self.size)


@dataclass(frozen=True, slots=True)
class Cumulating:
    size: int
    step: int
    offset: int

    @property
    def period(self) -> int:
        return self.step

    @property
    def fanout(self) -> int:
        return self.size // self.step

    def assign(self, times: Longs) -> Assigned:
        start = _floor(times, self.size, self.offset)
        first_end = _floor(times, self.step, self.offset) + self.step
        rows, place = spread((start + self.size - first_end) // self.step + 1)
        return Assigned(rows, start[rows], first_end[rows] + place * self.step)


def _floor(times: Longs, size: int, offset: int) -> Longs:
    """The start of the period that holds each time."""
    return times - (times - offset) % size
