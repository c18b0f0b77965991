"""The window operator, one row at a time: any assigner, trigger and evictor, event and processing time.

It follows Flink's WindowOperator and EvictingWindowOperator step by step; the reference cases are its specification.
A caller feeds rows and time and takes firings; where rows come from and results go is the caller's matter.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import Any

from winsql.errors import WindowDataError
from winsql.model.base import (
    FIRE,
    GLOBAL_WINDOW,
    MAX_TIME,
    MIN_TIME,
    PURGE,
    ROW_ID,
    TIMESTAMP,
    PaneTiming,
    Row,
    Window,
)
from winsql.model.query import WindowSpec
from winsql.model.triggers import EndOfStreamTrigger
from winsql.runtime.changes import sender, unite
from winsql.runtime.contents import Contents
from winsql.runtime.merging_windows import absorb, covering, retire
from winsql.runtime.state import KeyState, Pane, is_event_timer, is_processing_timer
from winsql.runtime.timers import TimerQueue
from winsql.runtime.trigger_context import PaneContext
from winsql.runtime.user_policies import guarded, keep_of

Emit = Callable[..., None]
"""`emit(key, window, pane_index, pane_timing, timer, result)`; `timer` is None when a row fired the window. Of a spec
with changes `emit` gets each row of the changelog, and its `RowKind` as the last argument.

A `result` that is a list of rows is the window's own and good only during the call.
"""


class WindowOperator:
    """Windows of many keys. `emit` gets each firing, `late(key, row)` each late row when the spec asks for them.

    `dropped` counts the late rows nobody asked for. Keys are hashable; rows are tuples as `winsql.model.base` says,
    with ascending ROW_ID in arrival order. Errors of a row are WindowDataError; state is then as before the row's
    last step, and the caller must not go on.
    """

    def __init__(
        self,
        spec: WindowSpec,
        contents: Contents,
        emit: Emit,
        late: Callable[[Any, Row], None] | None = None,
    ) -> None:
        self.spec = spec
        self.contents = contents
        self.keys: dict[Any, KeyState] = {}
        self.dropped = 0
        self._send = sender(emit, spec.changes)
        self._late = late
        self._trigger = guarded(spec.trigger)
        self._keep = keep_of(spec.evictor)
        self._merging = spec.assigner.is_merging
        self._event_time = spec.assigner.is_event_time
        self._lateness = spec.allowed_lateness if self._event_time else 0
        self._event_timers = TimerQueue(partial(is_event_timer, self.keys))
        self._processing_timers = TimerQueue(partial(is_processing_timer, self.keys))
        self._returning: list[tuple[int, Any, Window]] = []
        self._ctx = PaneContext(contents, self._event_timers, self._processing_timers)
        self._incremental = contents.incremental()
        self._adders = tuple((index, aggregate.add) for index, aggregate in enumerate(self._incremental))
        self._keeps_rows = contents.keep_rows
        self._sorts = isinstance(spec.trigger, EndOfStreamTrigger)

    @property
    def watermark(self) -> int:
        """The current watermark, inclusive; MIN_TIME before the first one."""
        return self._ctx.watermark

    @property
    def context(self) -> PaneContext:
        """What it works on: clock, key and window."""
        return self._ctx

    def process(self, key: Any, rows: Iterable[Row]) -> None:
        """Take rows of one key in arrival order."""
        ctx = self._ctx
        ctx.key = key
        state = self.keys.get(key)
        if state is None:
            state = self.keys[key] = KeyState()
        assign, on_element = self.spec.assigner.assign, self._trigger.on_element
        merging, panes, never_late = self._merging, state.panes, not self._event_time
        for row in rows:
            skipped = True
            for window in assign(row, ctx.now):
                if merging:
                    window = self._merge(state, window, row)
                if not (never_late or self._cleanup_time(window) > ctx.watermark):
                    if merging:
                        self._forget(state, window)
                    continue
                skipped = False
                pane = panes.get(window)
                if pane is None:
                    pane = panes[window] = Pane(row[ROW_ID])
                self._add(pane, row)
                pane.written = ctx.now
                ctx.window, ctx.pane = window, pane
                timestamp = row[TIMESTAMP]
                decision = on_element(row, MIN_TIME if timestamp is None else timestamp, ctx)
                if decision:
                    self._act(decision, None, False)
                if window is not GLOBAL_WINDOW:
                    self._register_cleanup(window)
            if skipped:
                self._skipped(key, row)
        if not panes:
            del self.keys[key]

    def advance_watermark(self, watermark: int) -> None:
        """Move event time; a watermark that is not greater than the current one does nothing.

        With END_OF_STREAM none does: Flink then sorts the whole input, and the window sees it only at its end.
        """
        if watermark <= self._ctx.watermark or self._sorts:
            return
        self._ctx.watermark = watermark
        self._run_event_timers(watermark)

    def advance_clock(self, now: int, *, inclusive: bool = True) -> None:
        """Set processing time and run the timers up to it; a live Flink job runs those before it (not inclusive)."""
        self._ctx.now = now
        self._run_processing_timers(now if inclusive else now - 1)

    def finish(self) -> None:
        """End a stream: the last watermark. Pending processing timers are lost, as in Flink."""
        if self._sorts:
            self.end_input()
        else:
            self.advance_watermark(MAX_TIME)

    def end_input(self) -> None:
        """End a bounded input as Flink's batch runtime ends a key: the watermark jumps to the end, each pending timer
        runs once, event time first, none can be added any more, and all state is gone."""
        ctx = self._ctx
        ctx.watermark, ctx.closed = MAX_TIME, True
        self._run_event_timers(MAX_TIME)
        self._run_processing_timers(MAX_TIME)
        self.keys.clear()
        ctx.watermark, ctx.closed = MIN_TIME, False

    def set_time(self, watermark: int, now: int) -> None:
        """Put both clocks in place without running timers, as for a restored operator."""
        self._ctx.watermark, self._ctx.now = watermark, now

    def adopt(self, key: Any, state: KeyState) -> None:
        """Take over restored state of a key, its timers included."""
        self.keys[key] = state
        for window, pane in state.panes.items():
            for time in pane.event_timers:
                self._event_timers.push(time, key, window)
            for time in pane.processing_timers:
                self._processing_timers.push(time, key, window)

    def expire(self, now: int) -> None:
        """Forget contents and trigger values that nothing has written for as long as the query says, as in Flink.

        Timers stay: they find nothing to fire. A window without timers is gone.
        """
        if self.spec.state_ttl is None:
            return
        for key, state in list(self.keys.items()):
            for window, pane in list(state.panes.items()):
                until = self.spec.expiry(pane.written)
                if until is not None and until <= now:
                    self._expire(key, window)

    def _expire(self, key: Any, window: Window) -> None:
        pane = self.keys[key].panes[window]
        pane.purge()
        pane.values.clear()
        pane.firings = 0
        if pane.has_timers:
            return
        if self._merging:
            self._forget(self.keys[key], window)
            self._drop_key_if_empty(key)
        else:
            self._drop(key, window)

    def _run_event_timers(self, until: int) -> None:
        while (timer := self._event_timers.pop_due(until)) is not None:
            time, pane = timer[0], self._point_at(timer)
            pane.event_timers.discard(time)
            decision = self._trigger.on_event_time(time, self._ctx)
            self._after_timer(decision, time, self._event_time)

    def _run_processing_timers(self, until: int) -> None:
        while (timer := self._processing_timers.pop_due(until)) is not None:
            time, pane = timer[0], self._point_at(timer)
            pane.processing_timers.discard(time)
            decision = self._trigger.on_processing_time(time, self._ctx)
            self._after_timer(decision, time, not self._event_time)
        self._await_return()

    def _point_at(self, timer: tuple[int, Any, Window]) -> Pane:
        ctx, (_, key, window) = self._ctx, timer
        ctx.key, ctx.window, ctx.pane = key, window, self.keys[key].panes[window]
        return ctx.pane

    def _after_timer(self, decision: int, time: int, own_clock: bool) -> None:
        """Carry out what the trigger decided; `own_clock` when the timer runs on the clock that ends the windows."""
        if decision:
            self._ctx.pane.written = self._ctx.now
            self._act(decision, time, own_clock)
        ctx = self._ctx
        if own_clock and time == self._cleanup_time(ctx.window):
            self._clean_up()
        elif ctx.pane.accumulators is None and not ctx.pane.values and not ctx.pane.has_timers:
            self._drop_if_cleared(ctx.key, ctx.window)

    def _act(self, decision: int, timer: int | None, own_clock: bool) -> None:
        if decision & FIRE:
            self._fire(timer, own_clock)
        if decision & PURGE:
            self._ctx.pane.purge()

    def _fire(self, timer: int | None, own_clock: bool) -> None:
        """Hand out the contents of the current pane; an empty window stays silent."""
        ctx, contents = self._ctx, self.contents
        pane, window = ctx.pane, ctx.window
        if pane.accumulators is None:
            return
        index = pane.firings
        pane.firings += 1
        timing = self._timing(window, timer, own_clock)
        if self._sorts and pane.rows is not None:
            pane.rows.sort(key=_event_time)
        keep = self._keep
        if keep is None:
            self._send(pane, ctx.key, window, index, timing, timer, contents.result(pane))
            return
        rows = pane.rows or []
        kept = keep(rows, window)
        result = contents.result_of(rows if self.spec.evict_after else kept)
        self._send(pane, ctx.key, window, index, timing, timer, result)
        contents.replace_rows(pane, kept)

    def _timing(self, window: Window, timer: int | None, own_clock: bool) -> PaneTiming | None:
        """A timer of the windows' own clock counts at its time, everything else at the present time of that clock."""
        if self.spec.assigner.is_global:
            return None
        last = window.end - 1
        if own_clock and timer is not None:
            return PaneTiming.EARLY if timer < last else PaneTiming.ON_TIME if timer == last else PaneTiming.LATE
        if self._event_time:
            return PaneTiming.EARLY if self._ctx.watermark < last else PaneTiming.LATE
        return PaneTiming.EARLY if self._ctx.now <= last else PaneTiming.LATE

    def _add(self, pane: Pane, row: Row) -> None:
        accumulators = pane.accumulators
        if accumulators is None:
            accumulators = pane.accumulators = [aggregate.create() for aggregate in self._incremental]
        for index, add in self._adders:
            accumulators[index] = add(accumulators[index], row)
        if self._keeps_rows:
            if pane.rows is None:
                pane.rows = [row]
            else:
                pane.rows.append(row)

    def _skipped(self, key: Any, row: Row) -> None:
        """A row that no window took: late if its time says so, otherwise it fell into a gap between windows."""
        if not self._event_time:
            return
        timestamp = MIN_TIME if row[TIMESTAMP] is None else row[TIMESTAMP]
        if min(timestamp + self._lateness, MAX_TIME) > self._ctx.watermark:
            return
        if self.spec.late_output and self._late is not None:
            self._late(key, row)
        else:
            self.dropped += 1

    def _cleanup_time(self, window: Window) -> int:
        """When the state of the window goes; MAX_TIME means never."""
        time = window[1] - 1 + self._lateness
        return time if time < MAX_TIME else MAX_TIME

    def _register_cleanup(self, window: Window) -> None:
        time, ctx = self._cleanup_time(window), self._ctx
        if time != MAX_TIME:
            register = ctx.register_event_timer if self._event_time else ctx.register_processing_timer
            register(time)

    def _clean_up(self) -> None:
        """Clear the current window; a timer that its trigger has not deleted keeps an empty pane until it has run."""
        ctx = self._ctx
        ctx.pane.purge()
        self._trigger.clear(ctx)
        ctx.pane.values.clear()
        if self._may_return():
            self._returning.append((ctx.now, ctx.key, ctx.window))
            return
        ctx.pane.firings = 0
        if self._merging:
            self._forget(self.keys[ctx.key], ctx.window)
            self._drop_key_if_empty(ctx.key)
        elif not ctx.pane.has_timers:
            self._drop(ctx.key, ctx.window)

    def _may_return(self) -> bool:
        """Whether rows may still enter the current window, which has fired and is empty: it is then kept until its
        cleanup, so that later firings get pane indexes of their own. A clock may stay at the last instant for long."""
        ctx = self._ctx
        cleanup = self._cleanup_time(ctx.window)
        is_open = cleanup > ctx.watermark if self._event_time else cleanup >= ctx.now
        return is_open and ctx.pane.firings > 0 and not self._merging and not ctx.closed

    def _await_return(self) -> None:
        """Set cleanup timers again for windows that rows may still enter although their timer has run."""
        for timer in self._returning:
            self._point_at(timer).written = self._ctx.now
            self._register_cleanup(timer[2])
        self._returning.clear()

    def _drop_if_cleared(self, key: Any, window: Window) -> None:
        """Drop a pane kept for its last timer. One that awaits its cleanup still has a timer; GLOBAL never ends."""
        if self._merging or self._cleanup_time(window) == MAX_TIME:
            return
        if self._may_return():
            self._register_cleanup(window)
        else:
            self._drop(key, window)

    def _drop(self, key: Any, window: Window) -> None:
        del self.keys[key].panes[window]
        self._drop_key_if_empty(key)

    def _drop_key_if_empty(self, key: Any) -> None:
        if not self.keys[key].panes:
            del self.keys[key]

    def _merge(self, state: KeyState, window: Window, row: Row) -> Window:
        """Take a new window into flight; returns the window it became by merging.

        Unlike Flink, an equal window that comes again keeps the contents gathered so far.
        """
        merged, touched = covering(state.sessions, window)
        if touched == [merged]:
            return merged
        absorb(state.sessions, merged, touched)
        absorbed = [(w, state.panes.pop(w)) for w in touched]
        state.panes[merged] = target = Pane(row[ROW_ID])
        if absorbed:
            self._merge_panes(merged, target, absorbed)
        return merged

    def _merge_panes(self, merged: Window, target: Pane, absorbed: list[tuple[Window, Pane]]) -> None:
        ctx = self._ctx
        if not self._event_time and merged.max_timestamp <= ctx.now:
            raise WindowDataError(
                f"{self.spec.assigner.NAME}: merging sessions would end them before the clock",
                rule="a processing-time session cannot end in the past",
            )
        panes = [pane for _, pane in absorbed]
        target.arrival = min(pane.arrival for pane in panes)
        target.firings = max(pane.firings for pane in panes)
        unite(panes, target)
        ctx.window, ctx.pane, ctx.merging = merged, target, panes
        self._trigger.on_merge(ctx)
        ctx.merging = []
        for window, pane in absorbed:
            ctx.window, ctx.pane = window, pane
            self._trigger.clear(ctx)
            self._withdraw_timers(pane)
        self.contents.merge(panes, target)

    def _forget(self, state: KeyState, window: Window) -> None:
        """Take a session out of flight; its timers go with it."""
        retire(state.sessions, window)
        pane = state.panes.pop(window, None)
        if pane is not None:
            self._withdraw_timers(pane)

    def _withdraw_timers(self, pane: Pane) -> None:
        self._event_timers.withdraw(len(pane.event_timers))
        self._processing_timers.withdraw(len(pane.processing_timers))


def _event_time(row: Row) -> int:
    timestamp: int | None = row[TIMESTAMP]
    return MIN_TIME if timestamp is None else timestamp
