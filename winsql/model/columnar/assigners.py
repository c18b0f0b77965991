"""Assigners over a column of times: the windows of each row, by slices and windows that have numbers.

Slices are stretches of time that each window holds wholly or not at all. Windows are numbered in order of their ends.
The slices that a window holds follow each other, and so do the windows that hold a slice; both move forward only: of
two slices, the later one is in no earlier windows.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar, Protocol

import numpy as np
import numpy.typing as npt

from winsql.model.columnar.columns import Longs, spread


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

    def slices(self) -> SliceForm | None:
        """The slices of its windows; None where it has none."""


class SliceForm(Protocol):
    """Slices and windows by number, for columns of either.

    KIND           its name in state
    newest_first   whether a row enters its newest window first
    """

    KIND: ClassVar[str]

    @property
    def newest_first(self) -> bool: ...

    def lengths(self) -> tuple[int, ...]:
        """What the form is made from."""

    def slices_at(self, times: Longs) -> Longs:
        """The slice of each time."""

    def oldest(self, slices: Longs) -> Longs:
        """The first window that holds the slice."""

    def newest(self, slices: Longs) -> Longs:
        """The last window that holds it; before `oldest` where none does."""

    def start(self, windows: Longs) -> Longs:
        """When the windows start."""

    def end(self, windows: Longs) -> Longs:
        """When the windows end."""

    def ending_at(self, ends: Longs) -> Longs:
        """The windows with these ends."""

    def open_at(self, watermark: int) -> int:
        """The first window whose end the watermark has not passed."""


@dataclass(frozen=True, slots=True)
class Sliding:
    """Windows of one size, one of which starts with every slide; without overlap where both are the same.

    A slide is one slice or, where windows end within it, two; window n starts with the n-th slide.
    """

    KIND: ClassVar[str] = "sliding"
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
        if self.size != self.slide:
            return _assigned(self, times)
        windows = self.slices_at(times)
        return Assigned(np.arange(len(times)), self.start(windows), self.end(windows))

    def slices(self) -> SliceForm | None:
        return self

    @property
    def newest_first(self) -> bool:
        return True

    def lengths(self) -> tuple[int, ...]:
        return self.size, self.slide, self.offset

    def slices_at(self, times: Longs) -> Longs:
        slides = (times - self.offset) // self.slide
        if not self._cut:
            return slides
        return 2 * slides + (times - self.offset - slides * self.slide >= self._cut)

    def oldest(self, slices: Longs) -> Longs:
        whole = self.size // self.slide
        return (slices + 1) // 2 - whole if self._cut else slices - whole + 1

    def newest(self, slices: Longs) -> Longs:
        return slices // 2 if self._cut else slices

    def start(self, windows: Longs) -> Longs:
        return windows * self.slide + self.offset

    def end(self, windows: Longs) -> Longs:
        return windows * self.slide + (self.offset + self.size)

    def ending_at(self, ends: Longs) -> Longs:
        return (ends - self.offset - self.size) // self.slide

    def open_at(self, watermark: int) -> int:
        return (watermark + 1 - self.offset - self.size) // self.slide + 1

    @property
    def _cut(self) -> int:
        """How far into a slide windows end; 0 where they end with it."""
        return self.size % self.slide


@dataclass(frozen=True, slots=True)
class Cumulating:
    """Windows of one start that grow by a step until they have the size. A slice per step; window n ends with the n-th
    step."""

    KIND: ClassVar[str] = "cumulating"
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
        return _assigned(self, times)

    def slices(self) -> SliceForm | None:
        return self

    @property
    def newest_first(self) -> bool:
        return False

    def lengths(self) -> tuple[int, ...]:
        return self.size, self.step, self.offset

    def slices_at(self, times: Longs) -> Longs:
        return (times - self.offset) // self.step

    def oldest(self, slices: Longs) -> Longs:
        return slices

    def newest(self, slices: Longs) -> Longs:
        steps = self.size // self.step
        return slices - slices % steps + steps - 1

    def start(self, windows: Longs) -> Longs:
        end = self.end(windows)
        return end - self.step - (end - self.step - self.offset) % self.size

    def end(self, windows: Longs) -> Longs:
        return windows * self.step + (self.offset + self.step)

    def ending_at(self, ends: Longs) -> Longs:
        return (ends - self.offset) // self.step - 1

    def open_at(self, watermark: int) -> int:
        return (watermark + 1 - self.offset) // self.step


SLICE_FORMS: dict[str, type[Sliding | Cumulating]] = {form.KIND: form for form in (Sliding, Cumulating)}
"""By the names in state."""


def _assigned(form: SliceForm, times: Longs) -> Assigned:
    slices = form.slices_at(times)
    oldest, newest = form.oldest(slices), form.newest(slices)
    rows, place = spread(np.maximum(newest - oldest + 1, 0))
    windows = newest[rows] - place if form.newest_first else oldest[rows] + place
    return Assigned(rows, form.start(windows), form.end(windows))
