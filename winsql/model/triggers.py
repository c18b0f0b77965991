"""Triggers: when a window fires.

Each class is Flink's trigger of the same name (`streaming.api.windowing.triggers`), method by method, as the
reference cases show it; WHEN is winsql's own. Triggers built from other triggers are in `nested_triggers`. A trigger
object holds parameters only: what it remembers per key and window lives in the context.
"""

from __future__ import annotations

from dataclasses import dataclass
from operator import add
from typing import Any

from winsql.model.base import (
    CONTINUE,
    FIRE,
    Decision,
    MergeContext,
    Operand,
    Row,
    TimeDomain,
    TriggerContext,
)
from winsql.model.columnar import CountForm, DeltaForm, NeverForm, TimeForm, TriggerForm
from winsql.model.distance import distance, limit_for
from winsql.model.expressions import Predicate
from winsql.model.policy import Kind, Policy, parameter, require


class Trigger(Policy):
    """Base of all triggers; a user's trigger overrides what it needs and is registered with `register_trigger`."""

    __slots__ = ()

    @property
    def can_merge(self) -> bool:
        """Whether the trigger may be used with SESSION; then `on_merge` must take over the predecessors' values."""
        return False

    @property
    def needs_global(self) -> bool:
        """Whether the trigger makes sense only on a window that never ends."""
        return False

    @property
    def needs_time(self) -> bool:
        """Whether the event time of rows says when it fires; a row without one would have it fire since MIN_TIME."""
        return False

    @property
    def clocks(self) -> frozenset[TimeDomain]:
        """The clocks whose timers the trigger may set: those it has an `on_..._time` of its own for."""
        own = type(self)
        handlers = {
            TimeDomain.EVENT: own.on_event_time is not Trigger.on_event_time,
            TimeDomain.PROCESSING: own.on_processing_time is not Trigger.on_processing_time,
        }
        return frozenset(clock for clock, is_handled in handlers.items() if is_handled)

    def on_element(self, row: Row, timestamp: int, ctx: TriggerContext) -> Decision:
        """Called for every row added to the window; `timestamp` is MIN_TIME when the row has none."""
        return CONTINUE

    def on_event_time(self, time: int, ctx: TriggerContext) -> Decision:
        """Called when an event timer of this window is due: the trigger's own, or the cleanup timer."""
        return CONTINUE

    def on_processing_time(self, time: int, ctx: TriggerContext) -> Decision:
        """Called when a processing timer of this window is due."""
        return CONTINUE

    def on_merge(self, ctx: MergeContext) -> None:
        """Called on the merged window when sessions merge, before its predecessors are cleared."""

    def clear(self, ctx: TriggerContext) -> None:
        """Forget all values and timers of this window."""

    def columnar(self) -> TriggerForm | None:
        """The same rule for a column of panes; None when the per-row operator must run it."""
        return None


@dataclass(frozen=True, slots=True)
class EventTimeTrigger(Trigger):
    """EVENT_TIME(): when the watermark passes the window's end, then for every late row."""

    NAME = "EVENT_TIME"
    SUMMARY = "fires when the watermark passes the window's end, then for every late row within the allowed lateness"

    @property
    def can_merge(self) -> bool:
        return True

    def on_element(self, row: Row, timestamp: int, ctx: TriggerContext) -> Decision:
        last = ctx.window.end - 1
        if last <= ctx.watermark:
            return FIRE
        ctx.register_event_timer(last)
        return CONTINUE

    def on_event_time(self, time: int, ctx: TriggerContext) -> Decision:
        return FIRE if time == ctx.window.max_timestamp else CONTINUE

    def on_merge(self, ctx: MergeContext) -> None:
        if ctx.window.max_timestamp > ctx.watermark:
            ctx.register_event_timer(ctx.window.max_timestamp)

    def clear(self, ctx: TriggerContext) -> None:
        ctx.delete_event_timer(ctx.window.max_timestamp)

    def columnar(self) -> TriggerForm:
        return TimeForm()


@dataclass(frozen=True, slots=True)
class ProcessingTimeTrigger(Trigger):
    """PROCESSING_TIME(): when the clock passes the window's end; as in Flink, at a timer of a trigger around it too."""

    NAME = "PROCESSING_TIME"
    SUMMARY = "fires when the clock passes the window's end"

    @property
    def can_merge(self) -> bool:
        return True

    def on_element(self, row: Row, timestamp: int, ctx: TriggerContext) -> Decision:
        ctx.register_processing_timer(ctx.window.end - 1)
        return CONTINUE

    def on_processing_time(self, time: int, ctx: TriggerContext) -> Decision:
        return FIRE

    def on_merge(self, ctx: MergeContext) -> None:
        if ctx.window.max_timestamp > ctx.now:
            ctx.register_processing_timer(ctx.window.max_timestamp)

    def clear(self, ctx: TriggerContext) -> None:
        ctx.delete_processing_timer(ctx.window.max_timestamp)

    def columnar(self) -> TriggerForm:
        return TimeForm(TimeDomain.PROCESSING, fires_after_end=False)


_NEXT_FIRE = "next_fire"


class _Continuous(Trigger):
    """A trigger that fires every interval of a clock; `next_fire` is its value per window, a timer its alarm."""

    __slots__ = ()
    interval: int

    def __post_init__(self) -> None:
        hint = "write a length such as INTERVAL 10 MINUTES"
        require(self.interval > 0, self, "the interval must be positive", parameter="interval", hint=hint)

    @property
    def can_merge(self) -> bool:
        return True

    def on_merge(self, ctx: MergeContext) -> None:
        next_fire = ctx.merge(_NEXT_FIRE, min)
        if next_fire is not None:
            self._register(next_fire, ctx)

    def clear(self, ctx: TriggerContext) -> None:
        next_fire = ctx.get(_NEXT_FIRE)
        if next_fire is not None:
            self._withdraw(next_fire, ctx)
            ctx.drop(_NEXT_FIRE)

    def _begin(self, time: int, ctx: TriggerContext) -> None:
        """Set the alarm for the first multiple of the interval after `time`, unless one is set."""
        if ctx.get(_NEXT_FIRE) is None:
            self._schedule(_aligned(time, self.interval), ctx)

    def _on_timer(self, time: int, ctx: TriggerContext) -> Decision:
        if time == ctx.window.max_timestamp:
            return FIRE
        if ctx.get(_NEXT_FIRE) != time:
            return CONTINUE
        self._schedule(time, ctx)
        return FIRE

    def _schedule(self, time: int, ctx: TriggerContext) -> None:
        next_fire = min(time + self.interval, ctx.window.max_timestamp)
        ctx.put(_NEXT_FIRE, next_fire)
        self._register(next_fire, ctx)

    def _register(self, time: int, ctx: TriggerContext) -> None:
        raise NotImplementedError

    def _withdraw(self, time: int, ctx: TriggerContext) -> None:
        raise NotImplementedError


@dataclass(frozen=True, slots=True)
class ContinuousEventTimeTrigger(_Continuous):
    """CONTINUOUS_EVENT_TIME(interval): at multiples of the interval since the epoch, and at the window's end."""

    NAME = "CONTINUOUS_EVENT_TIME"
    SUMMARY = "fires every interval of event time while the window holds rows, and at its end"
    interval: int = parameter(Kind.DURATION)
    needs_time = True

    def on_element(self, row: Row, timestamp: int, ctx: TriggerContext) -> Decision:
        last = ctx.window.end - 1
        if last <= ctx.watermark:
            return FIRE
        ctx.register_event_timer(last)
        self._begin(timestamp, ctx)
        return CONTINUE

    def on_event_time(self, time: int, ctx: TriggerContext) -> Decision:
        return self._on_timer(time, ctx)

    def _register(self, time: int, ctx: TriggerContext) -> None:
        ctx.register_event_timer(time)

    def _withdraw(self, time: int, ctx: TriggerContext) -> None:
        ctx.delete_event_timer(time)

    def columnar(self) -> TriggerForm:
        return TimeForm(interval=self.interval)


@dataclass(frozen=True, slots=True)
class ContinuousProcessingTimeTrigger(_Continuous):
    """CONTINUOUS_PROCESSING_TIME(interval): at multiples of the interval of the clock, up to the window's end."""

    NAME = "CONTINUOUS_PROCESSING_TIME"
    SUMMARY = "fires every interval of processing time while the window holds rows"
    interval: int = parameter(Kind.DURATION)

    def on_element(self, row: Row, timestamp: int, ctx: TriggerContext) -> Decision:
        self._begin(ctx.now, ctx)
        return CONTINUE

    def on_processing_time(self, time: int, ctx: TriggerContext) -> Decision:
        return self._on_timer(time, ctx)

    def _register(self, time: int, ctx: TriggerContext) -> None:
        ctx.register_processing_timer(time)

    def _withdraw(self, time: int, ctx: TriggerContext) -> None:
        ctx.delete_processing_timer(time)

    def columnar(self) -> TriggerForm:
        return TimeForm(TimeDomain.PROCESSING, self.interval, fires_after_end=False)


def _aligned(time: int, interval: int) -> int:
    """The multiple of the interval at or before `time`, toward zero for negative times as in Flink."""
    return time - time % interval if time >= 0 else time + -time % interval


_ROWS = "rows"


@dataclass(frozen=True, slots=True)
class CountTrigger(Trigger):
    """COUNT(n): every n rows of a window; merged sessions add their counts up."""

    NAME = "COUNT"
    SUMMARY = "fires every n rows of a window"
    n: int = parameter(Kind.INTEGER)

    def __post_init__(self) -> None:
        hint = "COUNT(1) fires at every row"
        require(self.n > 0, self, "the number of rows must be at least 1", parameter="n", hint=hint)

    @property
    def can_merge(self) -> bool:
        return True

    def on_element(self, row: Row, timestamp: int, ctx: TriggerContext) -> Decision:
        rows = (ctx.get(_ROWS) or 0) + 1
        if rows >= self.n:
            ctx.drop(_ROWS)
            return FIRE
        ctx.put(_ROWS, rows)
        return CONTINUE

    def on_merge(self, ctx: MergeContext) -> None:
        ctx.merge(_ROWS, add)

    def clear(self, ctx: TriggerContext) -> None:
        ctx.drop(_ROWS)

    def columnar(self) -> TriggerForm:
        return CountForm(self.n)


_LAST_FIRED = "last_fired"


@dataclass(frozen=True, slots=True)
class DeltaTrigger(Trigger):
    """DELTA(expr, threshold [, signed => true]): when expr moved by more than the threshold since the last firing.

    The distance is `abs(new - old)`, or `new - old` when signed; the first row only sets the mark. A row whose expr
    is NULL neither fires nor moves the mark.
    """

    NAME = "DELTA"
    SUMMARY = "fires when the expression moved by more than the threshold since the row that fired last"
    expr: Operand = parameter(Kind.EXPRESSION)
    threshold: float = parameter(Kind.NUMBER)
    signed: bool = parameter(Kind.BOOLEAN, False, named_only=True)

    def on_element(self, row: Row, timestamp: int, ctx: TriggerContext) -> Decision:
        value = self.expr.of(row)
        if value is None:
            return CONTINUE
        mark = ctx.get(_LAST_FIRED)
        if mark is not None and not self._moved(mark, value):
            return CONTINUE
        ctx.put(_LAST_FIRED, value)
        return CONTINUE if mark is None else FIRE

    def _moved(self, mark: Any, value: Any) -> bool:
        delta = distance(value, mark, signed=self.signed)
        return bool(delta > limit_for(delta, self.threshold))

    def clear(self, ctx: TriggerContext) -> None:
        ctx.drop(_LAST_FIRED)

    def columnar(self) -> TriggerForm:
        return DeltaForm(self.expr.slot, self.threshold, self.signed)


@dataclass(frozen=True, slots=True)
class NeverTrigger(Trigger):
    """NEVER(): never fires."""

    NAME = "NEVER"
    SUMMARY = "never fires"

    @property
    def needs_global(self) -> bool:
        return True

    def columnar(self) -> TriggerForm:
        return NeverForm()


@dataclass(frozen=True, slots=True)
class EndOfStreamTrigger(Trigger):
    """END_OF_STREAM(): once, when a bounded input ends."""

    NAME = "END_OF_STREAM"
    SUMMARY = "fires once, when a bounded input ends"

    @property
    def needs_global(self) -> bool:
        return True

    def on_element(self, row: Row, timestamp: int, ctx: TriggerContext) -> Decision:
        ctx.register_event_timer(ctx.window.max_timestamp)
        return CONTINUE

    def on_event_time(self, time: int, ctx: TriggerContext) -> Decision:
        return FIRE if time == ctx.window.max_timestamp else CONTINUE

    def columnar(self) -> TriggerForm:
        return TimeForm(fires_after_end=False, sorts=True)


@dataclass(frozen=True, slots=True)
class WhenTrigger(Trigger):
    """WHEN(predicate): on a row for which the predicate is true.

    Aggregates in the predicate run over the window's contents, the row included: a purge or an eviction restarts
    or shrinks them, a merge of sessions joins them.
    """

    NAME = "WHEN"
    SUMMARY = "fires on a row for which the condition holds; it may use aggregates over the window so far"
    predicate: Predicate = parameter(Kind.PREDICATE)

    @property
    def can_merge(self) -> bool:
        return True

    def on_element(self, row: Row, timestamp: int, ctx: TriggerContext) -> Decision:
        return FIRE if self.predicate.holds(row, ctx) else CONTINUE
