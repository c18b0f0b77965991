"""Overlapping windows that fire at their ends only: each row is added once, windows are combined when they are due.

Firings and state are those of `PanesEngine`, which adds a row to each of its windows. Here a window has no state of its
own: where somebody needs it, for instance another engine, it is combined from slices.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
import pyarrow as pa

from winsql.errors import WindowDataError
from winsql.model.base import MIN_TIME, PaneTiming, Row
from winsql.model.columnar import Longs
from winsql.model.columnar.assigners import SliceForm
from winsql.runtime.arrays import to_numpy
from winsql.runtime.bucket import decode_bucket
from winsql.runtime.columnar.shared.base import BaseEngine
from winsql.runtime.columnar.shared.codec import decode_panes, is_columnar, require_kinds
from winsql.runtime.columnar.shared.limits import Unfit, require_instants
from winsql.runtime.columnar.shared.overflow import may_exceed
from winsql.runtime.columnar.shared.panes import Panes
from winsql.runtime.columnar.shared.per_row_state import panes_from_states, states_from_panes
from winsql.runtime.columnar.shared.plan import ColumnarPlan
from winsql.runtime.columnar.shared.protocol import TIMINGS, FiringBlock, Slots
from winsql.runtime.columnar.slices.codec import Sliced, decode_sliced, is_sliced
from winsql.runtime.columnar.slices.portion import SlicedPortion
from winsql.runtime.columnar.slices.state import LIMIT, SlicedState, SliceRows, Slices
from winsql.runtime.state import KeyState


class SlicedEngine(BaseEngine):
    """An `Engine` of windows that share slices; `state` holds them."""

    def __init__(self, plan: ColumnarPlan, form: SliceForm, key_schema: pa.Schema, watermark: int, now: int) -> None:
        super().__init__(plan, key_schema, watermark, now)
        self.form = form
        self.state = self._nothing()

    def advance(self, watermark: int, now: int | None) -> None:
        """As `Engine.advance`."""
        self.now = self.now if now is None else now
        if watermark <= self.watermark:
            return
        before, self.watermark = self._open, watermark
        if len(self.state):
            self._fire(before, self._open)
            self._drop()
        if not len(self.state):
            self.keys.forget()

    def take(self, key: Longs, slots: Slots, numbers: Longs) -> None:
        """As `Engine.take`."""
        if not len(numbers):
            return
        times, rows = self._rows(key, slots, numbers)
        newest = self.form.newest(rows.index)
        live = (newest >= self._open) & (newest >= self.form.oldest(rows.index))
        if not live.all():
            # a row that no window took may have fallen into a gap between windows
            self.note_late(numbers[~live & (times <= self.watermark)])
            rows = rows.where(live)
        with np.errstate(over="ignore"):
            self.state.slices = self.state.slices.added(rows, self.now, self.layout.parts)

    def end_input(self) -> None:
        """As `Engine.end_input`."""
        self._fire(self._open, LIMIT)
        self.state, self.watermark = self._nothing(), MIN_TIME

    def restore(self, data: bytes) -> None:
        """As `Engine.restore`."""
        keys, state = self._decoded(data)
        base = state.base
        early = base.firings.any() or not base.filled.all() or (base.last <= self.watermark).any()
        absent = self.layout.value.absent if self.layout.value else ()
        if early or any((held != none).any() for held, none in zip(base.values, absent, strict=True)):
            raise Unfit("a window that has fired before its end")
        self.keys.begin(keys)
        self.state = state

    def portion(self, ordinals: Longs) -> SlicedPortion:
        """As `Engine.portion`."""
        chosen = np.zeros(len(self.keys), dtype=bool)
        chosen[ordinals] = True
        slices, base = self.state.slices, self.state.base
        if not chosen.all():
            slices, base = slices.take(chosen[slices.key]), base.take(chosen[base.key])
        live = np.zeros(len(self.keys), dtype=bool)
        live[slices.key] = live[base.key] = True
        number = np.cumsum(live) - 1
        state = SlicedState(slices.with_keys(number[slices.key]), base.with_keys(number[base.key]))
        keys = self.keys.at(np.flatnonzero(live))
        return SlicedPortion(Sliced(self.plan.header(self.watermark), keys, self.form, self.layout, state))

    def states(self, rows: Mapping[int, Row]) -> list[KeyState]:
        """As `Engine.states`."""
        panes = self.state.whole_panes(self.form, self.layout, self._open)
        return states_from_panes(self.plan.header(self.watermark), panes, len(self.keys))

    @property
    def _open(self) -> int:
        """The first window whose end the watermark has not passed."""
        return min(max(self.form.open_at(self.watermark), -LIMIT), LIMIT)

    def _nothing(self) -> SlicedState:
        return SlicedState(Slices.empty(self.layout.parts), Panes.empty(self.layout))

    def _fire(self, begin: int, stop: int) -> None:
        """The windows from `begin` to before `stop`, those of a key in order of their ends."""
        panes = self.state.panes(self.form, self.layout, begin, stop)
        if not len(panes):
            return
        timing = np.full(len(panes), TIMINGS.index(PaneTiming.ON_TIME))
        results = self.plan.results(panes.parts)
        self.firings.append(FiringBlock(panes.key, panes.start, panes.end, panes.firings, timing, results))

    def _drop(self) -> None:
        """Forget what no open window needs."""
        slices, base = self.state.slices, self.state.base
        kept = self.form.newest(slices.index) >= self._open
        if not kept.all():
            self.state.slices = slices.take(kept)
        if len(base):
            self.state.base = base.take(base.last > self.watermark)

    def _rows(self, key: Longs, slots: Slots, numbers: Longs) -> tuple[Longs, SliceRows]:
        """Check that the rows fit; their times, and the rows."""
        time = slots[1]
        if time is None or time.null_count:
            raise Unfit("a row has no event time")
        times = require_instants(to_numpy(time))
        if self.now < max(self.state.slices.written.max(initial=0), self.state.base.written.max(initial=0)):
            raise Unfit("the clock was set back: which slice of a window was written last, is told by the clock")
        inputs = [column for columns in self.plan.brought(slots, len(numbers)) for column in columns]
        rows = SliceRows(key, self.form.slices_at(times), numbers, inputs)
        for place, part in enumerate(self.layout.parts):
            if part.limit is not None and self._may_exceed(part.limit, place, rows):
                raise Unfit("a sum near the end of its range")
        return times, rows

    def _may_exceed(self, limit: int, part: int, rows: SliceRows) -> bool:
        """Whether the sum of some window might exceed the range: it is at most the sum of all slices of its key."""
        slices, base = self.state.slices, self.state.base
        held = [(slices.key, slices.parts[part]), (base.key, base.parts[part])]
        return may_exceed(limit, [*held, (rows.key, rows.inputs[part])])

    def _decoded(self, data: bytes) -> tuple[pa.RecordBatch, SlicedState]:
        """Keys and state of a bucket, whichever engine wrote it."""
        none = Slices.empty(self.layout.parts)
        if not is_columnar(data):
            keys, states, _ = decode_bucket(data, False, lambda _: ())
            return keys, SlicedState(none, panes_from_states(self.plan, states, self.watermark))
        if not is_sliced(data):
            header, keys, panes = decode_panes(data)
            require_kinds(header, self.plan.kinds())
            return keys, SlicedState(none, panes)
        sliced = decode_sliced(data)
        require_kinds(sliced.header, self.plan.kinds())
        if sliced.form != self.form or sliced.layout != self.layout:
            raise WindowDataError(f"sliced window state belongs to other windows: {sliced.form}")
        return sliced.keys, sliced.state
