"""The one window of GLOBAL and COUNT over a column of times."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from winsql.model.columnar.assigners import Assigned, SliceForm
from winsql.model.columnar.columns import NO_TIME, Longs


@dataclass(frozen=True, slots=True)
class Endless:
    """Every row belongs to the one window that never ends; as numbers, it begins and ends at NO_TIME."""

    @property
    def period(self) -> int:
        return 1

    @property
    def fanout(self) -> int:
        return 1

    def assign(self, times: Longs) -> Assigned:
        never = np.full(len(times), NO_TIME)
        return Assigned(np.arange(len(times)), never, never)

    def slices(self) -> SliceForm | None:
        return None
