"""Slices of windows: stretches of time that each window holds wholly or not at all.

Windows are numbered in order of their ends. The slices that a window holds follow each other, and so do the windows
that hold a slice; both move forward only: of two slices, the later one is in no earlier windows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol

from winsql.model.columnar.assigners import AssignerForm, Cumulating, Sliding, Tumbling
from winsql.model.columnar.columns import Longs

__all__ = ["CumulatingSlices", "SliceForm", "SlidingSlices", "slices_of"]


class SliceForm(Protocol):
    """Slices and windows by number, for columns of either.

    newest_first   whether a row enters its newest window first
    """

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
class SlidingSlices:
    """A slide is one slice or, where windows end within it, two; window n starts with the n-th slide."""

    size: int
    slide: int
    offset: int

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
class CumulatingSlices:
    """A slice per step; window n ends with the n-th step."""

    size: int
    step: int
    offset: int

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


def slices_of(assigner: AssignerForm) -> SliceForm | None:
    """The slices of an assigner's windows; None where it has none."""
    form = _FORMS.get(type(assigner))
    return form(assigner) if form is not None else None


_FORMS: dict[type[Any], Callable[[Any], SliceForm]] = {
    Tumbling: lambda form: SlidingSlices(form.size, form.size, form.offset),
    Sliding: lambda form: SlidingSlices(form.size, form.slide, form.offset),
    Cumulating: lambda form: CumulatingSlices(form.size, form.step, form.offset),
}
