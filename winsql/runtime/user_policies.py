"""Users' own triggers and evictors, which may be any code: calls guarded, answers checked."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from winsql.errors import WindowDataError, WinsqlError
from winsql.model.base import CONTINUE, Decision, MergeContext, Row, TriggerContext, Window
from winsql.model.evictors import Evictor
from winsql.model.policy import Policy
from winsql.model.triggers import Trigger

Keep = Callable[[list[Row], Window], list[Row]]
_DECISIONS: dict[Any, Decision] = {None: CONTINUE, **{decision: decision for decision in Decision}}


def guarded(trigger: Trigger) -> Trigger:
    """The trigger with a guard around each user's own one, be it this or one inside it."""
    inner = {p.name: getattr(trigger, p.name) for p in trigger.parameters()}
    changed = {name: _guarded_in(value) for name, value in inner.items() if _holds_own(value)}
    if changed:
        trigger = replace(trigger, **changed)  # type: ignore[type-var]
    return _Guarded(trigger) if _is_own(trigger) else trigger


def keep_of(evictor: Evictor | None) -> Keep | None:
    """The evictor's `keep`. A user's own gets a list of its own, and may change it as Flink's evictors do."""
    if evictor is None:
        return None
    return partial(_kept, evictor) if _is_own(evictor) else evictor.keep


@dataclass(frozen=True, slots=True)
class _Guarded(Trigger):
    """A user's trigger. What it raises is a WindowDataError that names it, and so is an answer that is no Decision."""

    own: Trigger

    def on_element(self, row: Row, timestamp: int, ctx: TriggerContext) -> Decision:
        return self._decision(_called(self.own, self.own.on_element, row, timestamp, ctx))

    def on_event_time(self, time: int, ctx: TriggerContext) -> Decision:
        return self._decision(_called(self.own, self.own.on_event_time, time, ctx))

    def on_processing_time(self, time: int, ctx: TriggerContext) -> Decision:
        return self._decision(_called(self.own, self.own.on_processing_time, time, ctx))

    def on_merge(self, ctx: MergeContext) -> None:
        _called(self.own, self.own.on_merge, ctx)

    def clear(self, ctx: TriggerContext) -> None:
        _called(self.own, self.own.clear, ctx)

    def _decision(self, answer: Any) -> Decision:
        try:
            return _DECISIONS[answer]
        except (KeyError, TypeError):
            raise WindowDataError(
                f"{_name(self.own)}: it returned {answer!r}",
                rule="the methods of a trigger return what is to be done with the window",
                hint="return winsql.Decision.CONTINUE, FIRE, PURGE or FIRE_AND_PURGE",
            ) from None


def _is_own(policy: Policy) -> bool:
    return not type(policy).__module__.startswith("winsql.")


def _holds_own(value: Any) -> bool:
    return _guarded_in(value) is not value


def _guarded_in(value: Any) -> Any:
    if isinstance(value, Trigger):
        return guarded(value)
    if isinstance(value, tuple) and any(map(_holds_own, value)):
        return tuple(map(_guarded_in, value))
    return value


def _called(policy: Policy, method: Callable[..., Any], *arguments: Any) -> Any:
    try:
        return method(*arguments)
    except WinsqlError:
        raise
    except (Exception, SystemExit) as error:
        raise WindowDataError(f"{_name(policy)} failed: {type(error).__name__}: {error}") from error


def _kept(evictor: Evictor, rows: list[Row], window: Window) -> list[Row]:
    """Those of the rows that the evictor keeps, in their own order, in which later firings see them too."""
    answer = _called(evictor, _listed, evictor.keep, list(rows), window)
    given = {id(row) for row in rows}
    kept = {id(row) for row in answer}
    if not kept <= given or len(kept) < len(answer):
        is_twice = kept <= given
        raise WindowDataError(
            f"{_name(evictor)}: keep returned {'a row twice' if is_twice else 'something else than rows it was given'}",
            rule="an evictor returns those of the rows it is given that stay, as they are",
            hint="return a list of them; an empty one drops all",
        )
    return [row for row in rows if id(row) in kept]


def _listed(keep: Callable[..., Any], rows: list[Row], window: Window) -> list[Any]:
    answer = keep(rows, window)
    return list(answer) if isinstance(answer, Iterable) else [answer]


def _name(policy: Policy) -> str:
    return policy.NAME or type(policy).__name__
