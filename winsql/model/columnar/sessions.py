"""Sessions over columns: each row has a window of its own, and windows of a key that intersect or touch become one."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from winsql.model.columnar.assigners import Assigned, SliceForm
from winsql.model.columnar.columns import Longs


@dataclass(frozen=True, slots=True)
class Sessions:
    """The gap of all rows, or where each row has its own: one of the two is None."""

    gap: int | None
    slot: int | None = None

    @property
    def period(self) -> int:
        return 1

    @property
    def fanout(self) -> int:
        return 1

    def assign(self, times: Longs) -> Assigned:
        """The windows before they merge, where all rows have one gap."""
        return Assigned(np.arange(len(times)), times, self.ends(times, None))

    def slices(self) -> SliceForm | None:
        return None

    def ends(self, times: Longs, gaps: Longs | None) -> Longs:
        """Where the windows of rows of these times end; `gaps` are those of the slot."""
        return times + (np.int64(self.gap or 0) if gaps is None else gaps)
