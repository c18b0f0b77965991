"""What is to be written of some keys of an engine that keeps panes."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pyarrow as pa

from winsql.model.columnar import Longs
from winsql.runtime.columnar.shared.codec import Header, Held, encode_panes
from winsql.runtime.columnar.shared.keys import KeyTable
from winsql.runtime.columnar.shared.panes import Panes
from winsql.runtime.columnar.shared.runs import Runs
from winsql.runtime.columnar.shared.timers import earliest

_NONE = np.zeros(0, dtype=np.int64)


@dataclass(frozen=True, slots=True)
class PanesPortion:
    """A `Portion` of panes; their keys are numbered as in `keys`."""

    header: Header
    keys: pa.RecordBatch
    state: Panes
    runs: Runs | None = None

    @property
    def panes(self) -> int:
        return len(self.state)

    def earliest_event_timer(self) -> int | None:
        return earliest(self.header.timers.event_timers(self.state, self.header.watermark))

    def earliest_processing_timer(self) -> int | None:
        return earliest(self.header.timers.processing_timers(self.state))

    def oldest_write(self) -> int | None:
        return None

    def held(self) -> Longs:
        return _NONE if self.runs is None else self.runs.held()

    def encoded(self, rows: pa.RecordBatch | None = None) -> bytes:
        held = None
        if self.runs is not None and rows is not None:
            held = Held(np.diff(self.runs.begins), self.runs.number, rows)
        return encode_panes(self.header, self.keys, self.state, held)


def portion_of(header: Header, keys: KeyTable, panes: Panes, ordinals: Longs, runs: Runs | None = None) -> PanesPortion:
    """The keys of these numbers that still have panes, and the rows of these where rows are kept."""
    chosen = np.zeros(len(keys), dtype=bool)
    chosen[ordinals] = True
    if not chosen.all():
        kept = chosen[panes.key]
        panes = panes.take(kept)
        runs = None if runs is None else runs.of_windows(kept)
    live = np.zeros(len(keys), dtype=bool)
    live[panes.key] = True
    state = panes.with_keys(np.cumsum(live)[panes.key] - 1)
    return PanesPortion(header, keys.at(np.flatnonzero(live)), state, runs)
