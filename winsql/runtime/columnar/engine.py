"""The window operator over columns: what a micro-batch does to all panes of some keys at once.

Step by step it does what `winsql.runtime.operator` does for event-time windows that do not merge: firings, their
order per key, and what is left are the same. Why that can be said in columns: a pane's pending timers follow from its
window, its trigger's next early firing and the watermark, and a timer's firing does not change contents (but for
PURGING, which leaves nothing to fire). Rows change contents only before the watermark passes the window's end; behind
it each row fires at once, with the contents up to it: a running aggregate.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from winsql.model.base import Row
from winsql.model.columnar import Assigned, Longs, spread
from winsql.runtime.bucket import decode_bucket
from winsql.runtime.columnar.codec import Header, decode_panes, is_columnar, require_kinds
from winsql.runtime.columnar.convert import panes_from_states, states_from_panes
from winsql.runtime.columnar.fit import MAX_INSTANT, Unfit
from winsql.runtime.columnar.keys import KeyTable, first_places, numbered
from winsql.runtime.columnar.panes import Panes
from winsql.runtime.columnar.portion import PanesPortion, portion_of
from winsql.runtime.columnar.protocol import FiringBlock, Slots
from winsql.runtime.state import KeyState

if TYPE_CHECKING:
    from winsql.runtime.columnar.plan import ColumnarPlan

__all__ = ["ColumnarEngine"]

MAX_PAIRS = 1 << 21
"""Pairs of row and window held at once."""

_EARLY, _ON_TIME, _LATE = range(3)
Column = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class _Rows:
    """Rows in arrival order: number of the key, event time, row number, and what each part of accumulators gets."""

    key: Longs
    time: Longs
    number: Longs
    inputs: list[Column]

    def between(self, begin: int, end: int) -> _Rows:
        part = slice(begin, end)
        return _Rows(self.key[part], self.time[part], self.number[part], [column[part] for column in self.inputs])


class ColumnarEngine:
    """An `Engine` of windows that do not merge; `panes` are its state."""

    def __init__(self, plan: ColumnarPlan, key_schema: pa.Schema, watermark: int, now: int) -> None:
        self.plan = plan
        self.watermark = watermark
        self.now = now
        self.keys = KeyTable(key_schema)
        self.panes = Panes.empty(plan.parts())
        self.firings: list[FiringBlock] = []
        self.late: list[Longs] = []
        self.dropped = 0
        self._parts = plan.parts()

    def advance(self, watermark: int, now: int | None) -> None:
        """Move both clocks and run the timers that are due; None when the clock stands still."""
        self.now = self.now if now is None else now
        if watermark <= self.watermark:
            return
        before, self.watermark = self.watermark, watermark
        if len(self.panes):
            self._run_timers(before)
            self._clean_up()

    def process(self, keys: pa.RecordBatch, slots: Slots, numbers: Longs) -> None:
        """As `Engine.process`."""
        if len(numbers):
            self.take(self.keys.add(keys), slots, numbers)

    def take(self, key: Longs, slots: Slots, numbers: Longs) -> None:
        """As `Engine.take`."""
        if not len(numbers):
            return
        rows = self._rows(key, slots, numbers)
        step = max(1, MAX_PAIRS // self.plan.assigner.fanout)
        with np.errstate(all="ignore"):
            for begin in range(0, len(numbers), step):
                self._take(rows.between(begin, begin + step))

    def end_input(self) -> None:
        """As `Engine.end_input`."""
        raise NotImplementedError

    def restore(self, data: bytes) -> None:
        """As `Engine.restore`."""
        if is_columnar(data):
            header, keys, panes = decode_panes(data)
            require_kinds(header, self.plan.kinds())
        else:
            keys, states, _ = decode_bucket(data, False, lambda _: ())
            panes = panes_from_states(self.plan, states, self.watermark)
        self.keys.add(keys)
        self.panes = panes

    def portion(self, ordinals: Longs) -> PanesPortion:
        """As `Engine.portion`."""
        return portion_of(self.header, self.keys, self.panes, ordinals)

    def held(self) -> Longs:
        """As `Engine.held`."""
        return np.zeros(0, dtype=np.int64)

    def states(self, rows: Mapping[int, Row]) -> list[KeyState]:
        """As `Engine.states`."""
        return states_from_panes(self.header, self.panes, len(self.keys))

    @property
    def header(self) -> Header:
        """What `codec` must write beside the panes."""
        return Header(self.watermark, self.plan.lateness, self.plan.kinds())

    def _run_timers(self, before: int) -> None:
        """The timers of windows whose end lay ahead: early firings up to the watermark, then the end itself.

        Timers of one time run in the order in which they were registered: those of the state first, pane by pane,
        then those that an early firing has set, in the order of these firings.
        """
        panes, trigger, last = self.panes, self.plan.trigger, self.panes.last
        open_before = last > before
        early = np.where(open_before, trigger.early_fires(panes.next_fire, last, self.watermark), 0)
        due = early + (open_before & (last <= self.watermark))
        fires = np.where(panes.filled, np.minimum(due, 1) if trigger.purges else due, 0)
        places, rank = spread(fires)
        is_early = rank < early[places]
        step = trigger.interval or 0
        times = np.where(is_early, panes.next_fire[places] + rank * step, last[places])
        order = _by_time(times, np.where(is_early, rank, 0))
        places, rank = places[order], rank[order]
        timing = np.where(is_early[order], _EARLY, _ON_TIME)
        self._emit(places, panes.firings[places] + rank, timing, [part[places] for part in panes.parts])
        panes.firings += fires
        panes.written[due > 0] = self.now
        panes.next_fire = np.where(open_before, trigger.next_fire(panes.next_fire, last, early), panes.next_fire)
        if trigger.purges:
            panes.purge(due > 0, self._parts)

    def _clean_up(self) -> None:
        kept = self.panes.last + self.plan.lateness > self.watermark
        if not kept.all():
            self.panes = self.panes.take(kept)

    def _rows(self, key: Longs, slots: Slots, numbers: Longs) -> _Rows:
        """Check that the rows fit."""
        time = slots[1]
        if time is None or time.null_count:
            raise Unfit("a row has no event time")
        times = np.asarray(time.cast(pa.int64()).to_numpy(zero_copy_only=False))
        if times.min() < -MAX_INSTANT or times.max() > MAX_INSTANT:
            raise Unfit("an event time near the end of 64 bits")
        inputs: list[Column] = []
        for aggregate in self.plan.aggregates:
            columns = aggregate.inputs(slots, len(numbers))
            held = self.panes.parts[len(inputs) : len(inputs) + len(columns)]
            if aggregate.overflows(held, columns):
                raise Unfit("a sum near the end of 64 bits")
            inputs += columns
        return _Rows(key, times, numbers, inputs)

    def _take(self, rows: _Rows) -> None:
        pairs = self.plan.assigner.assign(rows.time)
        if rows.time.min() + self.plan.lateness <= self.watermark:
            live = pairs.end - 1 + self.plan.lateness > self.watermark
            pairs = pairs.where(live)
            self._judge_late(rows, pairs)
        panes = self._panes_of(rows, pairs)
        firing = pairs.end - 1 <= self.watermark
        if not firing.any():
            self._fold(rows, pairs.rows, panes)
            return
        self._fold(rows, pairs.rows[~firing], panes[~firing])
        self._fire_each(rows, pairs.rows[firing], panes[firing])

    def _judge_late(self, rows: _Rows, pairs: Assigned) -> None:
        """A row that no window took: late if its time says so, otherwise it fell into a gap between windows."""
        late = rows.time + self.plan.lateness <= self.watermark
        late[pairs.rows] = False
        if self.plan.late_output:
            self.late.append(rows.number[late])
        else:
            self.dropped += int(np.count_nonzero(late))

    def _panes_of(self, rows: _Rows, pairs: Assigned) -> Longs:
        """The places of the pairs' panes; those that do not exist yet begin, in order of their first pair."""
        panes, known = self.panes, len(self.panes)
        key = rows.key[pairs.rows]
        cells = _cells(
            np.concatenate([panes.key, key]),
            np.concatenate([panes.end, pairs.end]),
            self.plan.assigner.period,
        )
        places = numbered(cells)[known:]
        first = first_places(places, known)
        if len(first):
            first_rows = pairs.rows[first]
            begun = Panes.begun(key[first], pairs.start[first], pairs.end[first], rows.number[first_rows], self._parts)
            last = begun.last
            first_fire = self.plan.trigger.first_fire(rows.time[first_rows], last)
            begun.next_fire = np.where(last > self.watermark, first_fire, begun.next_fire)
            self.panes = panes.extended(begun)
        self.panes.filled[places] = True
        self.panes.written[places] = self.now
        return places

    def _fold(self, rows: _Rows, places: Longs, panes: Longs) -> None:
        """Rows come into windows that are not due."""
        for part, state, values in zip(self._parts, self.panes.parts, rows.inputs, strict=True):
            part.fold(state, panes, values[places])

    def _fire_each(self, rows: _Rows, places: Longs, panes: Longs) -> None:
        """Rows come into windows whose end has passed: each fires its window, with the contents up to it."""
        order = np.argsort(panes, kind="stable")
        owners = panes[order]
        begins = np.flatnonzero(np.diff(owners, prepend=-1))
        counts = np.diff(np.append(begins, len(owners)))
        rank = np.arange(len(owners)) - np.repeat(begins, counts)
        purges = self.plan.trigger.purges
        starts = np.arange(len(owners)) if purges else begins
        segments = np.arange(len(owners)) if purges else np.repeat(np.arange(len(begins)), counts)
        index = self.panes.firings[owners] + rank
        running = []
        for part, state, values in zip(self._parts, self.panes.parts, rows.inputs, strict=True):
            # with PURGING no contents are left here, so each row's own segment begins from none
            running.append(part.running(state[owners[starts]], segments, starts, values[places[order]]))
        ends = begins + counts - 1
        for state, column in zip(self.panes.parts, running, strict=True):
            state[owners[ends]] = column[ends]
        back = np.empty_like(order)
        back[order] = np.arange(len(order))
        timing = np.full(len(order), _LATE)
        self._emit(panes, index[back], timing, [column[back] for column in running])
        self.panes.firings[owners[begins]] += counts
        if purges:
            self.panes.purge(owners[begins], self._parts)

    def _emit(self, places: Longs, index: Longs, timing: Longs, parts: list[Column]) -> None:
        if not len(places):
            return
        panes, results, at = self.panes, [], 0
        with np.errstate(all="ignore"):
            for aggregate in self.plan.aggregates:
                results.append(aggregate.result(parts[at : at + len(aggregate.parts)]))
                at += len(aggregate.parts)
        self.firings.append(
            FiringBlock(panes.key[places], panes.start[places], panes.end[places], index, timing, results)
        )


def _by_time(times: Longs, rank: Longs) -> Longs:
    """A stable order by time, then rank. There are few times: told by 16 bits, numpy sorts them by radix."""
    distinct = pa.array(times).dictionary_encode()
    dictionary = distinct.dictionary.to_numpy()
    ranks = int(rank.max(initial=0)) + 1
    if len(dictionary) * ranks > 1 << 16:
        return np.lexsort((rank, times))
    places = np.empty(len(dictionary), dtype=np.int64)
    places[np.argsort(dictionary)] = np.arange(len(dictionary))
    return np.argsort((places[distinct.indices.to_numpy()] * ranks + rank).astype(np.uint16), kind="stable")


def _cells(keys: Longs, ends: Longs, period: int) -> Longs:
    """One number per pair of key and window end."""
    if not len(ends):
        return ends
    windows = (ends - ends.min()) // period
    span, count = int(windows.max()) + 1, int(keys.max()) + 1
    if span * count >= 1 << 62:
        windows = numbered(windows)
        span = int(windows.max()) + 1
    cells: Longs = keys * span + windows
    return cells
