"""Triggers built from other triggers: PURGING and PROCESSING_TIMEOUT as Flink has them, ANY and ALL of winsql's own."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from operator import or_

from winsql.model.base import (
    CONTINUE,
    FIRE,
    FIRE_AND_PURGE,
    Decision,
    MergeContext,
    Row,
    TimeDomain,
    TriggerContext,
)
from winsql.model.columnar import TriggerForm, form_of
from winsql.model.policy import Kind, parameter, require
from winsql.model.triggers import ProcessingTimeTrigger, Trigger


class _Wrapper(Trigger):
    """A trigger around one other, whose values it shares a namespace with, as Flink's nested triggers do."""

    __slots__ = ()
    trigger: Trigger

    @property
    def can_merge(self) -> bool:
        return self.trigger.can_merge

    @property
    def needs_global(self) -> bool:
        return self.trigger.needs_global

    @property
    def needs_time(self) -> bool:
        return self.trigger.needs_time

    @property
    def clocks(self) -> frozenset[TimeDomain]:
        return self.trigger.clocks

    def on_merge(self, ctx: MergeContext) -> None:
        self.trigger.on_merge(ctx)

    def clear(self, ctx: TriggerContext) -> None:
        self.trigger.clear(ctx)


@dataclass(frozen=True, slots=True)
class PurgingTrigger(_Wrapper):
    """PURGING(trigger): as the inner trigger, and drops the contents after each firing."""

    NAME = "PURGING"
    SUMMARY = "fires as the inner trigger does, and drops the window's contents after each firing"
    trigger: Trigger = parameter(Kind.TRIGGER)

    def on_element(self, row: Row, timestamp: int, ctx: TriggerContext) -> Decision:
        return _purge(self.trigger.on_element(row, timestamp, ctx))

    def on_event_time(self, time: int, ctx: TriggerContext) -> Decision:
        return _purge(self.trigger.on_event_time(time, ctx))

    def on_processing_time(self, time: int, ctx: TriggerContext) -> Decision:
        return _purge(self.trigger.on_processing_time(time, ctx))

    def columnar(self) -> TriggerForm | None:
        inner: TriggerForm | None = form_of(self.trigger)
        return inner and replace(inner, purges=True)


def _purge(decision: Decision) -> Decision:
    return FIRE_AND_PURGE if decision & FIRE else decision


_TIMEOUT = "timeout"


@dataclass(frozen=True, slots=True)
class ProcessingTimeoutTrigger(_Wrapper):
    """PROCESSING_TIMEOUT(trigger, interval [, reset_on_record] [, clear_on_timeout]).

    Fires as the inner trigger, and on every timer of the window: the timeout, but also the window's end and cleanup.
    """

    NAME = "PROCESSING_TIMEOUT"
    SUMMARY = "fires as the inner trigger does, and when the timeout has passed since the first row"
    trigger: Trigger = parameter(Kind.TRIGGER)
    interval: int = parameter(Kind.DURATION)
    reset_on_record: bool = parameter(Kind.BOOLEAN, False)
    clear_on_timeout: bool = parameter(Kind.BOOLEAN, True)

    def __post_init__(self) -> None:
        hint = "write a length such as INTERVAL 10 MINUTES"
        require(self.interval > 0, self, "the interval must be positive", parameter="interval", hint=hint)

    @property
    def can_merge(self) -> bool:
        return False

    @property
    def clocks(self) -> frozenset[TimeDomain]:
        return self.trigger.clocks | {TimeDomain.PROCESSING}

    def on_element(self, row: Row, timestamp: int, ctx: TriggerContext) -> Decision:
        decision = self.trigger.on_element(row, timestamp, ctx)
        if decision & FIRE:
            self.clear(ctx)
            return decision
        timeout = ctx.get(_TIMEOUT)
        if timeout is not None and self.reset_on_record:
            ctx.delete_processing_timer(timeout)
            timeout = None
        if timeout is None:
            ctx.put(_TIMEOUT, ctx.now + self.interval)
            ctx.register_processing_timer(ctx.now + self.interval)
        return decision

    def on_event_time(self, time: int, ctx: TriggerContext) -> Decision:
        return self._timed_out(self.trigger.on_event_time(time, ctx), ctx)

    def on_processing_time(self, time: int, ctx: TriggerContext) -> Decision:
        return self._timed_out(self.trigger.on_processing_time(time, ctx), ctx)

    def clear(self, ctx: TriggerContext) -> None:
        timeout = ctx.get(_TIMEOUT)
        if timeout is not None:
            ctx.delete_processing_timer(timeout)
            ctx.drop(_TIMEOUT)
        self.trigger.clear(ctx)

    def _timed_out(self, decision: Decision, ctx: TriggerContext) -> Decision:
        if self.clear_on_timeout:
            self.clear(ctx)
        return Decision(decision | FIRE)


class _Several(Trigger):
    """A trigger over several others, each with a namespace of its own."""

    __slots__ = ()
    triggers: tuple[Trigger, ...]

    def __post_init__(self) -> None:
        require(
            len(self.triggers) > 0,
            self,
            "there is at least one inner trigger",
            parameter="triggers",
            hint="write the triggers to combine",
        )

    @property
    def can_merge(self) -> bool:
        return all(trigger.can_merge for trigger in self.triggers)

    @property
    def needs_global(self) -> bool:
        return any(trigger.needs_global for trigger in self.triggers)

    @property
    def needs_time(self) -> bool:
        return any(trigger.needs_time for trigger in self.triggers)

    @property
    def clocks(self) -> frozenset[TimeDomain]:
        return frozenset(clock for trigger in self.triggers for clock in trigger.clocks)

    def on_element(self, row: Row, timestamp: int, ctx: TriggerContext) -> Decision:
        return self._decide([t.on_element(row, timestamp, ctx.nested(n)) for n, t in self._named()], ctx)

    def on_event_time(self, time: int, ctx: TriggerContext) -> Decision:
        return self._decide([t.on_event_time(time, ctx.nested(n)) for n, t in self._named()], ctx)

    def on_processing_time(self, time: int, ctx: TriggerContext) -> Decision:
        decisions = [
            t.on_processing_time(time, ctx.nested(n)) if _is_asked(t, time, ctx) else CONTINUE for n, t in self._named()
        ]
        return self._decide(decisions, ctx)

    def on_merge(self, ctx: MergeContext) -> None:
        for name, trigger in self._named():
            trigger.on_merge(ctx.nested(name))

    def clear(self, ctx: TriggerContext) -> None:
        for name, trigger in self._named():
            trigger.clear(ctx.nested(name))

    def _named(self) -> list[tuple[str, Trigger]]:
        return [(str(index), trigger) for index, trigger in enumerate(self.triggers)]

    def _decide(self, decisions: Sequence[Decision], ctx: TriggerContext) -> Decision:
        raise NotImplementedError


def _is_asked(trigger: Trigger, time: int, ctx: TriggerContext) -> bool:
    """Whether a timer may be one of a trigger among several; PROCESSING_TIME has none but that of the window's end."""
    while isinstance(trigger, PurgingTrigger):
        trigger = trigger.trigger
    return time == ctx.window.max_timestamp or not isinstance(trigger, ProcessingTimeTrigger)


@dataclass(frozen=True, slots=True)
class AnyTrigger(_Several):
    """ANY(t, ...): whenever one of the inner triggers fires; each keeps its own progress."""

    NAME = "ANY"
    SUMMARY = "fires whenever one of the inner triggers fires"
    triggers: tuple[Trigger, ...] = parameter(Kind.TRIGGERS)

    def _decide(self, decisions: Sequence[Decision], ctx: TriggerContext) -> Decision:
        return Decision(_union(decisions))


_FIRED = "fired"


@dataclass(frozen=True, slots=True)
class AllTrigger(_Several):
    """ALL(t, ...): when each inner trigger has fired since the last firing; purges if one of them asked for it."""

    NAME = "ALL"
    SUMMARY = "fires when every inner trigger has fired since the last firing"
    triggers: tuple[Trigger, ...] = parameter(Kind.TRIGGERS)

    def _decide(self, decisions: Sequence[Decision], ctx: TriggerContext) -> Decision:
        fired = ctx.get(_FIRED) or 0
        for index, decision in enumerate(decisions):
            fired |= int(decision) << 2 * index
        wanted = sum(int(FIRE) << 2 * index for index in range(len(self.triggers)))
        if fired & wanted != wanted:
            if fired:
                ctx.put(_FIRED, fired)
            return CONTINUE
        ctx.drop(_FIRED)
        return FIRE_AND_PURGE if fired != wanted else FIRE

    def on_merge(self, ctx: MergeContext) -> None:
        ctx.merge(_FIRED, or_)
        super(AllTrigger, self).on_merge(ctx)

    def clear(self, ctx: TriggerContext) -> None:
        ctx.drop(_FIRED)
        super(AllTrigger, self).clear(ctx)


def _union(decisions: Sequence[Decision]) -> int:
    union = 0
    for decision in decisions:
        union |= decision
    return union
