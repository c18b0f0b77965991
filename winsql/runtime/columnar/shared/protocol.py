"""The interface of a columnar engine, as the run of a micro-batch or of a bounded table uses it.

An engine knows rows by their numbers: columns that firings only hand out never enter it. The caller keeps these and
turns the numbers of a `FiringBlock` into rows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol

import pyarrow as pa

from winsql.model.base import PaneTiming, Row
from winsql.model.columnar import Longs
from winsql.runtime.columnar.shared.keys import KeyTable
from winsql.runtime.columnar.shared.limits import Unfit
from winsql.runtime.state import KeyState

TIMINGS = (PaneTiming.EARLY, PaneTiming.ON_TIME, PaneTiming.LATE)
EARLY, ON_TIME, LATE = range(3)

Slots = Sequence["pa.Array | None"]
"""The columns of a row's slots: the first, ROW_ID, has none; the second is the event time as INT64."""


def column_at(slots: Slots, slot: int) -> pa.Array:
    """The column of a slot; raises Unfit for that of row numbers."""
    column = slots[slot]
    if column is None:
        raise Unfit("an expression of row numbers")
    return column


@dataclass(frozen=True, slots=True)
class FiringBlock:
    """Firings, those of a key in order.

    key, index      numbers of their keys, pane indexes
    start, end      windows; NO_TIME for the one window of GLOBAL
    timing          places in `TIMINGS`; -1 for the one window of GLOBAL
    results         one column per aggregate
    offsets, rows   where the query hands out rows: the row numbers of all firings, one after the other and in arrival
                    order, and where each firing's begin, with the end of the last; otherwise None
    """

    key: Longs
    start: Longs
    end: Longs
    index: Longs
    timing: Longs
    results: list[pa.Array]
    offsets: Longs | None = None
    rows: Longs | None = None


class Portion(Protocol):
    """The state of some keys, to be written.

    `rows` of `encoded` are the rows that `held` names, in that order, as a bucket keeps them: number, event time,
    slots, payload. Without kept rows it is None.
    """

    @property
    def panes(self) -> int: ...

    def earliest_event_timer(self) -> int | None: ...

    def earliest_processing_timer(self) -> int | None: ...

    def oldest_write(self) -> int | None:
        """The earliest of the last writes of all panes, in processing time; None where state does not expire."""

    def held(self) -> Longs:
        """Numbers of the rows in their windows, ascending; none where only accumulators are kept."""

    def encoded(self, rows: pa.RecordBatch | None = None) -> bytes: ...


class Engine(Protocol):
    """Windows of many keys.

    `firings` collects firings, and `late` the numbers of late rows where the query keeps them, until the caller takes
    them out (`firings.clear()`); `dropped` counts the other late rows. `watermark` and `now` are as in the per-row
    operator. A call that raises Unfit has changed nothing.
    """

    keys: KeyTable
    watermark: int
    now: int
    firings: list[FiringBlock]
    late: list[Longs]
    dropped: int

    def advance(self, watermark: int, now: int | None) -> None:
        """Move the clocks, processing time first, and run the timers that are due; None when the clock stands still."""

    def process(self, keys: pa.RecordBatch, slots: Slots, numbers: Longs) -> None:
        """Take rows in arrival order: hash and key columns, the columns of the row's slots, the row numbers."""

    def take(self, key: Longs, slots: Slots, numbers: Longs) -> None:
        """As `process`, of rows whose keys are numbered already, from 0; `keys` need not know them."""

    def end_input(self) -> None:
        """End a bounded input for all keys, as Flink's batch runtime does: event timers once in order of time, then
        processing timers, none can be added, and all state is gone; the watermark is as before the first one again."""

    def restore(self, data: bytes) -> pa.RecordBatch | None:
        """Take over a bucket's state, of whichever engine; returns the kept rows as `Portion.encoded` was given them,
        None where the query keeps none. Raises Unfit, and WindowDataError for state of another query or version."""

    def portion(self, ordinals: Longs) -> Portion:
        """The state of these keys that still have some."""

    def held(self) -> Longs:
        """Numbers of the rows in their windows, ascending; none where only accumulators are kept."""

    def states(self, rows: Mapping[int, Row]) -> list[KeyState]:
        """The states by number of the key, as the per-row operator holds them; `rows` are those that `held` names."""
