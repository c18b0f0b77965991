"""The window operator over columns: what a micro-batch does to all panes of some keys at once.

It does what `winsql.runtime.operator` does for windows that do not merge: firings, their order per key and the state
afterwards are the same. This can be done in columns because a pane's pending timers follow from its window, its
trigger's value and the clocks (`timers`); because clocks stand still while rows come; and because only the order of
rows within a pane matters, so that counting, or one walk along each pane's rows, tells which of them fire.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from winsql.model.base import MAX_TIME, MIN_TIME, Row, TimeDomain
from winsql.model.columnar import NO_TIME, Assigned, Longs, TimeForm, spread
from winsql.runtime.arrays import to_arrow, to_numpy
from winsql.runtime.bucket import decode_bucket
from winsql.runtime.columnar.panes.accumulators import Accumulated, Handed
from winsql.runtime.columnar.panes.arrivals import Arrivals, arrivals_of, entries_of, grouping
from winsql.runtime.columnar.panes.kept_rows import Kept, reordered
from winsql.runtime.columnar.shared.base import BaseEngine
from winsql.runtime.columnar.shared.codec import Header, decode_held, is_columnar, require_kinds
from winsql.runtime.columnar.shared.keys import first_places, numbered
from winsql.runtime.columnar.shared.limits import Unfit
from winsql.runtime.columnar.shared.panes import Panes
from winsql.runtime.columnar.shared.per_row_state import (
    give_rows,
    held_from_states,
    panes_from_states,
    row_numbers,
    states_from_panes,
)
from winsql.runtime.columnar.shared.plan import ColumnarPlan
from winsql.runtime.columnar.shared.portion import PanesPortion, portion_of
from winsql.runtime.columnar.shared.protocol import EARLY, LATE, ON_TIME, FiringBlock, Slots
from winsql.runtime.columnar.slices.codec import decode_columnar
from winsql.runtime.state import KeyState

MAX_PAIRS = 1 << 21
"""Pairs of row and window held at once."""

Mask = npt.NDArray[np.bool_]


class PanesEngine(BaseEngine):
    """An `Engine` of windows that do not merge; `panes` are its state."""

    def __init__(self, plan: ColumnarPlan, key_schema: pa.Schema, watermark: int, now: int) -> None:
        super().__init__(plan, key_schema, watermark, now)
        self._forget()

    def _forget(self) -> None:
        self.panes = Panes.empty(self.layout)
        self._kept = Kept(self.plan) if self.plan.keeps_rows else None
        self._contents: Accumulated | Kept = self._kept or Accumulated(self.layout, self.plan.trigger.purges)

    def advance(self, watermark: int, now: int | None) -> None:
        """As `Engine.advance`."""
        if watermark == MAX_TIME and self.plan.needs_time_to_go_on:
            raise Unfit("the watermark is at the end of a window that never ends")
        with self._all_or_nothing():
            if now is not None:
                self.now = now
                self._let_pass(TimeDomain.PROCESSING, np.ones(len(self.panes), dtype=bool), now)
            if watermark > self.watermark:
                ahead = self.panes.last > self.watermark
                self.watermark = watermark
                self._let_pass(TimeDomain.EVENT, ahead, watermark)
        if not len(self.panes):
            self.keys.forget()

    def take(self, key: Longs, slots: Slots, numbers: Longs) -> None:
        """As `Engine.take`."""
        if not len(numbers):
            return
        if self.watermark == MAX_TIME and self.plan.needs_time_to_go_on:
            raise Unfit("the watermark is at the end of a window that never ends")
        arrivals = arrivals_of(self.plan, self.panes.parts, key, slots, numbers)
        step = max(1, MAX_PAIRS // self.plan.assigner.fanout)
        with np.errstate(all="ignore"), self._all_or_nothing():
            for begin in range(0, len(numbers), step):
                self._take(arrivals.between(begin, begin + step))

    def end_input(self) -> None:
        """As `Engine.end_input`."""
        if self.plan.timed is not None and len(self.panes):
            last, next_fire = self.panes.last, self.panes.values[0]
            # the next early firing is the last one: it can set no other
            early = (next_fire != NO_TIME) & (next_fire < last)
            with self._all_or_nothing():
                self._fire_timers(early.astype(np.int64), (next_fire == last) | self.plan.sets_end_timer, next_fire)
        self._forget()
        self.watermark = MIN_TIME

    def restore(self, data: bytes) -> pa.RecordBatch | None:
        """As `Engine.restore`."""
        held = None
        if is_columnar(data):
            header, keys, panes = decode_columnar(data)
            require_kinds(header, self.plan.kinds())
            held = decode_held(data)
        else:
            keys, states, rows = decode_bucket(data, False, row_numbers)
            panes = panes_from_states(self.plan, states, self.watermark)
            held = held_from_states(states, rows)
        if self._kept is not None:
            if held is None:
                raise Unfit("a pane of another query")
            self._kept.restore(held, self._restored(held.rows))
        self.keys.begin(keys)
        self.panes = panes
        return held.rows if self._kept is not None and held is not None else None

    def portion(self, ordinals: Longs) -> PanesPortion:
        """As `Engine.portion`."""
        runs = None if self._kept is None else self._kept.fitted(len(self.panes))
        return portion_of(self.header, self.keys, self.panes, ordinals, runs)

    def held(self) -> Longs:
        """As `Engine.held`."""
        return super().held() if self._kept is None else self._kept.runs.held()

    def states(self, rows: Mapping[int, Row]) -> list[KeyState]:
        """As `Engine.states`."""
        states = states_from_panes(self.header, self.panes, len(self.keys))
        if self._kept is not None:
            give_rows(
                states, self.panes, np.diff(self._kept.fitted(len(self.panes)).begins), self._kept.runs.number, rows
            )
        return states

    def _restored(self, rows: pa.RecordBatch) -> Arrivals:
        """Kept rows as they came: number, event time, slots."""
        slots = [None, *rows.columns[1:]]
        numbers = to_numpy(rows.column(0))
        return arrivals_of(self.plan, [], np.zeros(len(numbers), dtype=np.int64), slots, numbers)

    @contextmanager
    def _all_or_nothing(self) -> Iterator[None]:
        """Undo what a step has changed when it raises Unfit: results of kept rows are checked as they are made."""
        if self._kept is None:
            yield
            return
        panes, runs = self.panes.take(np.arange(len(self.panes))), self._kept.runs
        state = self.watermark, self.now, self.dropped
        firings, late = len(self.firings), len(self.late)
        try:
            yield
        except Unfit:
            self.panes, self._kept.runs = panes, runs
            self.watermark, self.now, self.dropped = state
            del self.firings[firings:], self.late[late:]
            raise

    @property
    def header(self) -> Header:
        """What `codec` must write beside the panes."""
        return self.plan.header(self.watermark)

    def _let_pass(self, clock: TimeDomain, ahead: Mask, until: int) -> None:
        """Run the timers of a clock up to an instant; panes `ahead` have not fired at their end."""
        plan = self.plan
        if plan.timed is not None and plan.timed.clock is clock:
            self._run_timers(plan.timed, ahead, until)
        if plan.clock is clock:
            cleanup = self.panes.last + plan.lateness
            returning = (cleanup == until) & (self.panes.firings > 0) & (clock is TimeDomain.PROCESSING)
            kept = (cleanup > until) | returning
            if not kept.all():
                self._contents.keep(kept)
                self.panes = self.panes.take(kept)
            if returning.any():
                self._await_return(np.flatnonzero(returning[kept]))

    def _await_return(self, places: Longs) -> None:
        """Empty panes that have ended while the clock is at their last instant, but keep them: rows may still come, and
        later firings get the next numbers."""
        panes, value = self.panes, self.plan.trigger.value
        self._contents.purge(places, panes)
        for column, absent in zip(panes.values, value.absent if value else (), strict=True):
            column[places] = absent
        panes.written[places] = self.now

    def _run_timers(self, trigger: TimeForm, ahead: Mask, until: int) -> None:
        panes, last = self.panes, self.panes.last
        next_fire = panes.values[0]
        early = np.where(ahead, trigger.early_fires(next_fire, last, until), 0)
        ends = ahead & (last <= until)
        panes.written[(early > 0) | ends] = self.now
        self._fire_timers(early, ends, next_fire, trigger.interval or 0)
        panes.values[0] = np.where(ahead, trigger.next_fire(next_fire, last, early), next_fire)

    def _fire_timers(self, early: Longs, ends: Mask, next_fire: Longs, interval: int = 0) -> None:
        """Fire panes so often early, from `next_fire` on every `interval`, and some at their ends.

        Timers of one time run in the order in which they were registered: those of the state first, pane by pane,
        then those that an early firing has set, in the order of these firings.
        """
        places, rank = spread(early + ends)
        if not len(places):
            return
        is_early = rank < early[places]
        times = np.where(is_early, next_fire[places] + rank * interval, self.panes.last[places])
        order = _by_time(times, np.where(is_early, rank, 0))
        places = places[order]
        handed = self._contents.fire_timers(places, self.panes)
        timing = np.where(is_early[order], EARLY, ON_TIME)
        self._emit(places[handed.fired], timing[handed.fired], handed)

    def _take(self, arrivals: Arrivals) -> None:
        plan = self.plan
        in_event_time = plan.clock is TimeDomain.EVENT
        times = np.full(len(arrivals), self.now) if plan.clock is TimeDomain.PROCESSING else arrivals.time
        pairs = plan.assigner.assign(times)
        if in_event_time and times.min() + plan.lateness <= self.watermark:
            pairs = pairs.where(pairs.end - 1 + plan.lateness > self.watermark)
            self._judge_late(arrivals, pairs)
        places = self._panes_of(arrivals, pairs, times)
        if plan.trigger.by_rows:
            self._fire_rows(arrivals, pairs.rows, places)
            return
        ended = pairs.end - 1 <= self.watermark
        if plan.timed is None or not plan.timed.fires_after_end or not ended.any():
            self._contents.add(arrivals, pairs.rows, places, self.panes)
            return
        self._contents.add(arrivals, pairs.rows[~ended], places[~ended], self.panes)
        self._fire_rows(arrivals, pairs.rows[ended], places[ended])

    def _judge_late(self, arrivals: Arrivals, pairs: Assigned) -> None:
        """A row that no window took: late if its time says so, otherwise it fell into a gap between windows."""
        late = arrivals.time + self.plan.lateness <= self.watermark
        late[pairs.rows] = False
        self.note_late(arrivals.number[late])

    def _panes_of(self, arrivals: Arrivals, pairs: Assigned, times: Longs) -> Longs:
        """The places of the pairs' panes; those that do not exist yet begin, in order of their first pair."""
        panes, known = self.panes, len(self.panes)
        key = arrivals.key[pairs.rows]
        cells = _cells(
            np.concatenate([panes.key, key]),
            np.concatenate([panes.end, pairs.end]),
            self.plan.assigner.period,
        )
        places = numbered(cells)[known:]
        first = first_places(places, known)
        if len(first):
            rows = pairs.rows[first]
            begun = Panes.begun(key[first], pairs.start[first], pairs.end[first], arrivals.number[rows], self.layout)
            self._set_event_alarms(begun, times[rows])
            self.panes = panes.extended(begun)
        self._set_clock_alarms(places)
        self.panes.filled[places] = True
        self.panes.written[places] = self.now
        return places

    def _set_event_alarms(self, panes: Panes, times: Longs) -> None:
        """The first early firings of new panes, whose first rows have these times."""
        trigger = self.plan.timed
        if trigger is not None and trigger.clock is TimeDomain.EVENT:
            first = trigger.first_fire(times, panes.last)
            panes.values[0] = np.where(panes.last > self.watermark, first, NO_TIME)

    def _set_clock_alarms(self, places: Longs) -> None:
        """The first early firings of panes that begin, or begin anew, with rows of now."""
        trigger = self.plan.timed
        if trigger is None or trigger.clock is not TimeDomain.PROCESSING or trigger.interval is None:
            return
        next_fire = self.panes.values[0]
        begun = places[next_fire[places] == NO_TIME]
        next_fire[begun] = trigger.first_fire(np.full(len(begun), self.now), self.panes.last[begun])

    def _fire_rows(self, arrivals: Arrivals, rows: Longs, places: Longs) -> None:
        """Rows enter panes and fire them: those that the trigger chooses, or all where it is a trigger of time."""
        if not len(rows):
            return
        trigger, panes = self.plan.trigger, self.panes
        entries = entries_of(arrivals, rows, places, len(panes))
        fires = trigger.on_rows(entries.runs, panes.values)
        handed = self._contents.fire_rows(arrivals, entries, panes, fires)
        at = np.flatnonzero(fires)
        fired = entries.panes[at]
        timing = np.where(panes.last[fired] > self._present(), EARLY, LATE)
        self._emit(fired, timing, handed, entries.order[at])

    def _present(self) -> int:
        """The time of the windows' own clock: a window whose last instant is not later is past."""
        return self.now - 1 if self.plan.clock is TimeDomain.PROCESSING else self.watermark

    def _emit(self, places: Longs, timing: Longs, handed: Handed, arrival: Longs | None = None) -> None:
        """Note firings, each pane's in order; `arrival` tells the order of all, None when this is it."""
        if not len(places):
            return
        panes = self.panes
        by_pane = grouping(places, len(panes))
        begins = np.flatnonzero(np.diff(places[by_pane], prepend=-1))
        counts = np.diff(np.append(begins, len(places)))
        index = np.empty_like(places)
        index[by_pane] = np.arange(len(places)) - np.repeat(begins, counts) + panes.firings[places[by_pane]]
        panes.firings[places[by_pane[begins]]] += counts
        order = np.arange(len(places)) if arrival is None else grouping(arrival, int(arrival.max()) + 1)
        results = self.plan.results([part[order] for part in handed.parts])
        places = places[order]
        timing = np.full(len(places), -1) if self.plan.clock is None else timing[order]
        offsets, rows = reordered(handed.offsets, handed.rows, order)
        block = FiringBlock(panes.key[places], panes.start[places], panes.end[places], index[order], timing, results)
        self.firings.append(replace(block, offsets=offsets, rows=rows))


def _by_time(times: Longs, rank: Longs) -> Longs:
    """A stable order by time, then rank. There are few times, so they fit 16 bits, which numpy sorts by radix."""
    distinct = to_arrow(times).dictionary_encode()
    dictionary = to_numpy(distinct.dictionary)
    ranks = int(rank.max(initial=0)) + 1
    if len(dictionary) * ranks > 1 << 16:
        return np.lexsort((rank, times))
    places = np.empty(len(dictionary), dtype=np.int64)
    places[np.argsort(dictionary)] = np.arange(len(dictionary))
    return np.argsort((places[to_numpy(distinct.indices)] * ranks + rank).astype(np.uint16), kind="stable")


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
