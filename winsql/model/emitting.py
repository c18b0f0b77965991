"""EMIT: when a window's result is sent, and what a later result of it means.

The panes of a window are those of Beam: early ones before its end, one at its end, late ones after it. What is sent is
a trigger's matter, what it means that of `Changes`.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from operator import add

from winsql.errors import WindowSpecError
from winsql.model.assigners import Assigner
from winsql.model.base import CONTINUE, FIRE, Decision, MergeContext, Row, TimeDomain, TriggerContext
from winsql.model.nested_triggers import AnyTrigger, PurgingTrigger
from winsql.model.policy import Kind, parameter, require
from winsql.model.triggers import (
    ContinuousProcessingTimeTrigger,
    CountTrigger,
    EventTimeTrigger,
    ProcessingTimeTrigger,
    Trigger,
)


class Changes(Enum):
    """What a result means beside the earlier ones of its window."""

    UPSERT = "the latest result of its keys and window"
    RETRACTIONS = "the result of its keys and window, after the one before has been taken back"
    DELETIONS = "the latest result of its keys and window, after the one before has been deleted"
    """What UPSERT is beside HAVING, which may drop the result that would take the place of the one before."""


class RowKind(Enum):
    """What a row of a changelog does, as in Flink: the values are Flink's names."""

    INSERT = "+I"
    UPDATE_BEFORE = "-U"
    UPDATE_AFTER = "+U"
    DELETE = "-D"


_COUNT = "count"
_DUE = "due"


@dataclass(frozen=True, slots=True)
class EmitTrigger(Trigger):
    """EMIT([early_rows => n] [, early => interval] [, late => interval]), for windows of event time.

    Before the window's end it fires every n rows, or when the interval `early` has passed on the clock since the first
    row without a result; then at the end; then for every late row, or when `late` has passed since the first of them.
    """

    NAME = "EMIT"
    SUMMARY = "fires early by rows or by the clock, when the watermark passes the window's end, and late, as EMIT says"
    early_rows: int | None = parameter(Kind.INTEGER, None, named_only=True)
    early: int | None = parameter(Kind.DURATION, None, named_only=True)
    late: int | None = parameter(Kind.DURATION, None, named_only=True)

    def __post_init__(self) -> None:
        for name in ("early_rows", "early", "late"):
            value = getattr(self, name)
            hint = (
                "write a number of rows such as 100" if name == "early_rows" else "write for instance INTERVAL 1 MINUTE"
            )
            require(value is None or value > 0, self, "it must be positive", parameter=name, hint=hint)

    @property
    def can_merge(self) -> bool:
        return True

    @property
    def clocks(self) -> frozenset[TimeDomain]:
        by_clock = self.early is not None or self.late is not None
        return frozenset({TimeDomain.EVENT, *([TimeDomain.PROCESSING] if by_clock else [])})

    def on_element(self, row: Row, timestamp: int, ctx: TriggerContext) -> Decision:
        if ctx.window.max_timestamp <= ctx.watermark:
            return FIRE if self.late is None else self._await(self.late, ctx)
        ctx.register_event_timer(ctx.window.max_timestamp)
        if self.early_rows is not None:
            count = (ctx.get(_COUNT) or 0) + 1
            ctx.put(_COUNT, count)
            if count >= self.early_rows:
                return self._fire(ctx)
        return CONTINUE if self.early is None else self._await(self.early, ctx)

    def on_event_time(self, time: int, ctx: TriggerContext) -> Decision:
        return self._fire(ctx) if time == ctx.window.max_timestamp else CONTINUE

    def on_processing_time(self, time: int, ctx: TriggerContext) -> Decision:
        return self._fire(ctx) if time == ctx.get(_DUE) else CONTINUE

    def on_merge(self, ctx: MergeContext) -> None:
        ctx.merge(_COUNT, add)
        due = ctx.merge(_DUE, min)
        if due is not None:
            ctx.register_processing_timer(due)
        if ctx.window.max_timestamp > ctx.watermark:
            ctx.register_event_timer(ctx.window.max_timestamp)

    def clear(self, ctx: TriggerContext) -> None:
        ctx.delete_event_timer(ctx.window.max_timestamp)
        self._fire(ctx)

    def _await(self, interval: int, ctx: TriggerContext) -> Decision:
        if ctx.get(_DUE) is None:
            ctx.put(_DUE, ctx.now + interval)
            ctx.register_processing_timer(ctx.now + interval)
        return CONTINUE

    def _fire(self, ctx: TriggerContext) -> Decision:
        """All rows have a result from now on."""
        ctx.drop(_COUNT)
        due = ctx.get(_DUE)
        if due is not None:
            ctx.delete_processing_timer(due)
            ctx.drop(_DUE)
        return FIRE


@dataclass(frozen=True, slots=True)
class Emit:
    """The words of EMIT. Intervals are of processing time; `late_on_row` says that late rows have no interval."""

    early_rows: int | None = None
    early: int | None = None
    on_time: bool = False
    late: int | None = None
    late_on_row: bool = False
    changes: Changes | None = None
    discards: bool = False

    def trigger(self, assigner: Assigner) -> Trigger:
        """The trigger it is sugar for; raises WindowSpecError for windows that have no such panes."""
        chosen = self._of_event_time() if assigner.is_event_time and not assigner.is_global else self._by_rows(assigner)
        return PurgingTrigger(chosen) if self.discards else chosen

    def _of_event_time(self) -> Trigger:
        if self.early_rows is None and self.early is None and self.late is None:
            return EventTimeTrigger()
        return EmitTrigger(self.early_rows, self.early, self.late)

    def _by_rows(self, assigner: Assigner) -> Trigger:
        """For windows that end by the clock, or never."""
        if self.late_on_row or self.late is not None or (assigner.is_global and self.on_time):
            what = "ON TIME" if assigner.is_global and self.on_time else "LATE"
            raise WindowSpecError(
                f"EMIT {what} cannot be used with {assigner.NAME}",
                rule="only windows of event time end by the watermark, and have late rows",
                hint=f"leave out {what}",
                parameter="trigger",
            )
        triggers = tuple(self._early(assigner))
        if not triggers:
            raise WindowSpecError(
                f"EMIT says nothing of when {assigner.NAME} fires",
                rule="a window that never ends has early results only",
                hint="write for instance EMIT EARLY EVERY 1 ROWS",
                parameter="trigger",
            )
        return triggers[0] if len(triggers) == 1 else AnyTrigger(triggers)

    def _early(self, assigner: Assigner) -> Iterator[Trigger]:
        if not assigner.is_global:
            yield ProcessingTimeTrigger()
        if self.early_rows is not None:
            yield CountTrigger(self.early_rows)
        if self.early is not None:
            yield ContinuousProcessingTimeTrigger(self.early)
