"""Rows by the firings that see them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from winsql.model.columnar import Longs, spread

MAX_PAIRS = 1 << 21
"""Pairs of firing and row held at once, but for the contents of a single firing."""
_MAX_FIRINGS = 1 << 16
"""Firings told apart by 16 bits, which numpy sorts by radix."""


@dataclass(frozen=True, slots=True)
class Lifetimes:
    """The firings that see each row: from `enter`, which ascends, to before `leave`.

    come   per firing: how many rows have come by then, counted from the first window on
    gone   per firing: how many of these it no longer sees
    """

    enter: Longs
    leave: Longs
    come: Longs
    gone: Longs

    @classmethod
    def of(cls, enter: Longs, leave: Longs, firings: int) -> Lifetimes:
        """Lifetimes with the counts for this many firings."""
        come, gone = (np.cumsum(np.bincount(at, minlength=firings + 1))[:firings] for at in (enter, leave))
        return cls(enter, leave, come, gone)

    @property
    def sizes(self) -> Longs:
        """Per firing: how many rows it sees."""
        return self.come - self.gone

    @property
    def is_ordered(self) -> bool:
        """Whether rows go in the order in which they came: each firing then sees the rows `gone` to before `come`."""
        return bool((self.leave[1:] >= self.leave[:-1]).all())

    def pieces(self) -> Iterator[tuple[int, int, Longs]]:
        """Ranges of firings, and the places of the rows that they see, firing by firing and in arrival order."""
        sizes, is_ordered = self.sizes, self.is_ordered
        known = carried = np.zeros(0, dtype=np.int64)
        for begin, end in bounded(sizes):
            if is_ordered:
                owner, rank = spread(sizes[begin:end])
                yield begin, end, self.gone[begin:end][owner] + rank
                continue
            known = np.concatenate([carried, np.arange(self.come[begin - 1] if begin else 0, self.come[end - 1])])
            yield begin, end, self._seen(known, begin, end)
            carried = known[self.leave[known] > end]

    def _seen(self, rows: Longs, begin: int, end: int) -> Longs:
        """What the firings see of these rows: each row is repeated for its firings, then all are put in order."""
        first = np.maximum(self.enter[rows], begin)
        owner, rank = spread(np.minimum(self.leave[rows], end) - first)
        firing = first[owner] + rank - begin
        return rows[owner][np.argsort(firing.astype(np.uint16), kind="stable")]


def bounded(sizes: Longs) -> Iterator[tuple[int, int]]:
    """Ranges of neighbours whose sizes add up to MAX_PAIRS at most; a larger one is a range of its own."""
    ends = np.cumsum(sizes)
    begin, before = 0, 0
    while begin < len(sizes):
        within = int(np.searchsorted(ends, before + MAX_PAIRS, side="right"))
        end = min(max(within, begin + 1), begin + _MAX_FIRINGS)
        yield begin, end
        begin, before = end, int(ends[end - 1])
