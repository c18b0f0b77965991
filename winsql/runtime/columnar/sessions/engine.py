"""Sessions: windows that begin with each row and merge, all rows of a micro-batch at once.

While clocks stand still, rows whose own windows have not ended yet give the same sessions in any order: the cover of
all windows that intersect or touch. Two things depend on the order, and the windows concerned go through the per-row
operator. A row whose own window has ended is taken only by a session that it meets, and fires it if that has ended
too. And sums of floats depend on it where several sessions became one.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from winsql.model.base import MIN_TIME, PaneTiming, Row, TimeDomain
from winsql.model.columnar import Longs
from winsql.model.columnar.sessions import Sessions
from winsql.runtime.arrays import longs_of, to_numpy
from winsql.runtime.bucket import decode_bucket
from winsql.runtime.columnar.sessions.merging import Merged, merged
from winsql.runtime.columnar.sessions.replay import Replay, SessionRows
from winsql.runtime.columnar.shared.base import BaseEngine
from winsql.runtime.columnar.shared.cells import ascending
from winsql.runtime.columnar.shared.codec import is_columnar, require_kinds
from winsql.runtime.columnar.shared.limits import MAX_DURATION, Unfit, require_instants
from winsql.runtime.columnar.shared.overflow import may_exceed
from winsql.runtime.columnar.shared.panes import Panes
from winsql.runtime.columnar.shared.per_row_state import panes_from_states, states_from_panes
from winsql.runtime.columnar.shared.plan import ColumnarPlan
from winsql.runtime.columnar.shared.portion import PanesPortion, portion_of
from winsql.runtime.columnar.shared.protocol import TIMINGS, FiringBlock, Slots
from winsql.runtime.columnar.slices.codec import decode_columnar
from winsql.runtime.state import KeyState

Column = npt.NDArray[Any]
Mask = npt.NDArray[np.bool_]


class SessionEngine(BaseEngine):
    """An `Engine` of sessions; `panes` are those in flight."""

    def __init__(self, plan: ColumnarPlan, form: Sessions, key_schema: pa.Schema, watermark: int, now: int) -> None:
        super().__init__(plan, key_schema, watermark, now)
        self.form = form
        self.panes = Panes.empty(self.layout)
        self._event_time = plan.clock is TimeDomain.EVENT

    def advance(self, watermark: int, now: int | None) -> None:
        """As `Engine.advance`."""
        if now is not None:
            self.now = now
            if not self._event_time:
                self._end(MIN_TIME, now)
        if watermark <= self.watermark:
            return
        before, self.watermark = self.watermark, watermark
        if self._event_time:
            self._end(before, watermark)
        if not len(self.panes):
            self.keys.forget()

    def take(self, key: Longs, slots: Slots, numbers: Longs) -> None:
        """As `Engine.take`."""
        if not len(numbers):
            return
        rows = self._rows(key, slots, numbers)
        near = (self.panes.end >= rows.start.min()) & (self.panes.start <= rows.end.max())
        far, self.panes = (self.panes.take(~near), self.panes.take(near)) if not near.all() else (None, self.panes)
        self._take(rows)
        self.panes = self.panes if far is None else far.extended(self.panes)

    def end_input(self) -> None:
        """As `Engine.end_input`."""
        self._fire(self.panes.last > (self.watermark if self._event_time else MIN_TIME))
        self.panes, self.watermark = Panes.empty(self.layout), MIN_TIME

    def restore(self, data: bytes) -> None:
        """As `Engine.restore`."""
        if is_columnar(data):
            header, keys, panes = decode_columnar(data)
            require_kinds(header, self.plan.kinds())
        else:
            keys, states, _ = decode_bucket(data, True, lambda _: ())
            panes = panes_from_states(self.plan, states, self.watermark)
        self.keys.begin(keys)
        self.panes = panes

    def portion(self, ordinals: Longs) -> PanesPortion:
        """As `Engine.portion`."""
        return portion_of(self.plan.header(self.watermark), self.keys, self.panes, ordinals)

    def states(self, rows: Mapping[int, Row]) -> list[KeyState]:
        """As `Engine.states`."""
        states = states_from_panes(self.plan.header(self.watermark), self.panes, len(self.keys))
        for state in states:
            state.sessions = sorted(state.panes)
        return states

    def _end(self, before: int, until: int) -> None:
        """The windows' clock moves: those whose end it passes fire, then those whose cleanup it passes go."""
        panes = self.panes
        if not len(panes):
            return
        last = panes.last
        due = (last > before) & (last <= until)
        self._fire(due)
        panes.firings[due & panes.filled] += 1
        panes.written[due] = self.now
        if self.plan.trigger.purges:
            panes.filled[due] = False
            for column, part in zip(panes.parts, self.layout.parts, strict=True):
                column[due] = part.identity
        self.panes = panes.take(last + self.plan.lateness > until)

    def _fire(self, due: Mask) -> None:
        panes = self.panes.take(np.flatnonzero(due & self.panes.filled))
        if not len(panes):
            return
        first, latest = int(panes.end.min()), int(panes.end.max())
        panes = panes.take(ascending(panes.end - first, latest - first + 1))
        timing = np.full(len(panes), TIMINGS.index(PaneTiming.ON_TIME))
        self._emit(panes.key, panes.start, panes.end, panes.firings, timing, panes.parts)

    def _emit(self, key: Longs, start: Longs, end: Longs, index: Longs, timing: Longs, parts: list[Column]) -> None:
        self.firings.append(FiringBlock(key, start, end, index, timing, self.plan.results(parts)))

    def _rows(self, key: Longs, slots: Slots, numbers: Longs) -> SessionRows:
        """Check that the rows fit, and give them their windows."""
        start = self._times(slots[1]) if self._event_time else np.full(len(numbers), self.now)
        end = self.form.ends(start, None if self.form.slot is None else self._gaps(slots[self.form.slot]))
        inputs = [column for columns in self.plan.brought(slots, len(numbers)) for column in columns]
        for part, held, brought in zip(self.layout.parts, self.panes.parts, inputs, strict=True):
            if part.limit is not None and may_exceed(part.limit, [(self.panes.key, held), (key, brought)]):
                raise Unfit("a sum near the end of its range")
        return SessionRows(key, start, end, numbers, inputs)

    def _times(self, column: pa.Array | None) -> Longs:
        if column is None or column.null_count:
            raise Unfit("a row has no event time")
        return require_instants(to_numpy(column))

    def _gaps(self, column: pa.Array | None) -> Longs:
        if column is None or not (pa.types.is_duration(column.type) or pa.types.is_signed_integer(column.type)):
            raise Unfit("a gap that is no duration")
        if column.null_count:
            raise Unfit("a row has no gap")
        gaps = longs_of(column)
        if gaps.min() <= 0 or gaps.max() >= MAX_DURATION:
            raise Unfit("a gap that is not positive, or very long")
        return gaps

    def _take(self, rows: SessionRows) -> None:
        panes = self.panes
        start, end = np.concatenate([panes.start, rows.start]), np.concatenate([panes.end, rows.end])
        windows = merged(np.concatenate([panes.key, rows.key]), start, end)
        late, ordered = self._judged(windows, rows)
        if self._depends_on_order(rows):
            ordered = ordered | (windows.apart(start, end) & ~late)
        with np.errstate(all="ignore"):
            if late.any() or ordered.any():
                replayed = self._replayed(windows, rows, ordered)
                self.note_late(rows.number[late[windows.owners[len(panes) :]]])
                self.panes = self._united(windows.where(~late & ~ordered), rows).extended(replayed)
            else:
                self.panes = self._united(windows, rows)

    def _judged(self, windows: Merged, rows: SessionRows) -> tuple[Mask, Mask]:
        """Windows whose rows are all too late, and windows that depend on the order of rows."""
        none = np.zeros(len(windows), dtype=bool)
        last = rows.end - 1
        if not self._event_time or last.min() > self.watermark:
            return none, none
        held = np.zeros(len(self.panes), dtype=bool)
        past = np.concatenate([held, last <= self.watermark])
        too_late = np.concatenate([held, last + self.plan.lateness <= self.watermark])
        late = windows.over(np.logical_and, too_late)
        return late, windows.over(np.logical_or, past) & ~late

    def _depends_on_order(self, rows: SessionRows) -> bool:
        columns = zip(self.layout.parts, self.panes.parts, rows.inputs, strict=True)
        return any(part.of_order(held) or part.of_order(brought) for part, held, brought in columns)

    def _united(self, windows: Merged, rows: SessionRows) -> Panes:
        """What becomes of windows that do not depend on the order of their rows."""
        panes, known = self.panes, len(self.panes)
        comes = np.concatenate([np.zeros(known, dtype=bool), np.ones(len(rows), dtype=bool)])
        grown = windows.over(np.logical_or, comes)
        number = windows.order[windows.begins]

        def gathered(ufunc: np.ufunc, held: Longs, brought: Longs) -> Column:
            return windows.over(ufunc, np.concatenate([held, brought]))

        none = np.zeros(len(rows), dtype=np.int64)
        key = np.concatenate([panes.key, rows.key])[number]
        start = np.concatenate([panes.start, rows.start])[number]
        end = gathered(np.maximum, panes.end, rows.end)
        united = Panes.begun(key, start, end, gathered(np.minimum, panes.arrival, rows.number), self.layout)
        united.firings = gathered(np.maximum, panes.firings, none)
        united.written = np.where(grown, self.now, windows.over(np.maximum, np.append(panes.written, none)))
        united.filled = windows.over(np.logical_or, np.append(panes.filled, comes[known:]))
        united.parts = [
            self._part(windows, place, held, brought)
            for place, (held, brought) in enumerate(zip(panes.parts, rows.inputs, strict=True))
        ]
        return united

    def _part(self, windows: Merged, place: int, held: Column, brought: Column) -> Column:
        part = self.layout.parts[place]
        if not (part.of_order(held) or part.of_order(brought)):
            return windows.over(part.ufunc, np.concatenate([held, brought]))
        column, owners = part.empty(len(windows)), windows.owners
        kept = np.zeros(len(owners), dtype=bool)
        kept[windows.order] = True
        old, new = kept[: len(held)], kept[len(held) :]
        column[owners[: len(held)][old]] = held[old]
        part.fold(column, owners[len(held) :][new], brought[new])
        return column

    def _replayed(self, windows: Merged, rows: SessionRows, ordered: Mask) -> Panes:
        """What becomes of windows that depend on the order of rows; each is a key of the replay."""
        known, chosen = len(self.panes), ordered[windows.owners]
        replay = Replay(self.plan, self.layout, self.watermark if self._event_time else MIN_TIME, self.now)
        replay.adopt(self.panes.with_keys(windows.owners[:known]).take(chosen[:known]))
        replay.process(rows.of(windows.owners[known:], chosen[known:]))
        key = np.concatenate([self.panes.key, rows.key])[windows.order[windows.begins]]
        if replay.fired:
            *longs, results = zip(*replay.fired, strict=True)
            owner, start, end, index, timing = (np.array(column, dtype=np.int64) for column in longs)
            parts = [
                np.array([result[place] for result in results], dtype=part.dtype)
                for place, part in enumerate(self.layout.parts)
            ]
            self._emit(key[owner], start, end, index, timing, parts)
        self.note_late(np.array(replay.late, dtype=np.int64))
        panes = replay.panes()
        return panes.with_keys(key[panes.key])
