"""What is to be written of some keys of an engine that keeps slices."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from winsql.model.columnar import Longs
from winsql.runtime.columnar.slices.codec import Sliced, encode_sliced


@dataclass(frozen=True, slots=True)
class SlicedPortion:
    """A `Portion` of slices, and of panes that another engine has begun."""

    sliced: Sliced

    @property
    def panes(self) -> int:
        """How many windows have rows."""
        state = self.sliced.state
        return len(self.sliced.panes()) if len(state.base) else state.slices.count(self.sliced.form, self.sliced.open)

    def earliest_event_timer(self) -> int | None:
        state, form = self.sliced.state, self.sliced.form
        ends = [int(state.base.end.min())] if len(state.base) else []
        if len(state.slices):
            first = max(int(form.oldest(state.slices.index).min()), self.sliced.open)
            ends.append(int(form.end(np.array([first]))[0]))
        return min(ends) - 1 if ends else None

    def earliest_processing_timer(self) -> int | None:
        return None

    def oldest_write(self) -> int | None:
        return None

    def held(self) -> Longs:
        return np.zeros(0, dtype=np.int64)

    def encoded(self, rows: pa.RecordBatch | None = None) -> bytes:
        return encode_sliced(self.sliced)
