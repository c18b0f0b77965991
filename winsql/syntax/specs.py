"""The clauses of a windowed SELECT become the spec of its operator, and rules between clauses are checked."""

from __future__ import annotations

from winsql.errors import WindowSpecError
from winsql.model.assigners import CountWindows, GlobalWindows
from winsql.model.evictors import TimeEvictor
from winsql.model.query import WindowSpec
from winsql.syntax.grammar import AssignClause, ClauseParser
from winsql.syntax.parts import Part, Section, Select
from winsql.syntax.source import Source

__all__ = ["build_spec", "state_ttl"]


def build_spec(source: Source, select: Select, parser: ClauseParser, assign: AssignClause) -> WindowSpec:
    """The spec of a windowed SELECT whose WINDOW ASSIGN has been read."""
    trigger = select.get(Part.TRIGGER)
    evict = select.get(Part.EVICT)
    lateness = select.get(Part.LATENESS)
    _check_global(source, assign, trigger, evict)
    _check_event_time(source, select, assign)
    evictor, is_after = parser.parse_evict(evict) if evict else (None, False)
    if isinstance(evictor, TimeEvictor) and evict and not _has_event_time(assign):
        raise source.spec_error(
            "EVICT TIME needs event time",
            evict.extent,
            rule="it compares the event times of rows",
            hint=f"give {assign.assigner.NAME} a time expression",
        )
    places = {"trigger": trigger, "allowed_lateness": lateness}
    built = parser.parse_trigger(trigger) if trigger else None
    duration = parser.parse_duration(lateness) if lateness else 0
    try:
        return WindowSpec.of(
            assign.assigner,
            built,
            evictor,
            evict_after=is_after,
            allowed_lateness=duration,
            late_output=Part.LATE_INTO in select.sections,
        )
    except WindowSpecError as error:
        section = places.get(error.parameter or "")
        raise error.located(source.text, source.span(section.extent if section else assign.policy)) from None


def state_ttl(source: Source, select: Select, parser: ClauseParser) -> int | None:
    """The duration behind STATE TTL, None without one."""
    section = select.get(Part.STATE_TTL)
    if section is None:
        return None
    duration = parser.parse_duration(section)
    if duration <= 0:
        raise source.spec_error("STATE TTL must be positive", section.body, hint="write for instance INTERVAL 1 DAY")
    return duration


def _has_event_time(assign: AssignClause) -> bool:
    time = assign.assigner.time
    return time is not None and time.is_event


def _check_global(source: Source, assign: AssignClause, trigger: Section | None, evict: Section | None) -> None:
    if isinstance(assign.assigner, GlobalWindows) and trigger is None:
        raise source.spec_error(
            "GLOBAL needs a TRIGGER",
            assign.policy,
            rule="a window that never ends fires only when a trigger says so",
            hint="add for instance TRIGGER COUNT(100), or TRIGGER END_OF_STREAM()",
        )
    clause = trigger or evict
    if isinstance(assign.assigner, CountWindows) and clause is not None:
        raise source.spec_error(
            f"{clause.part.words} cannot stand beside WINDOW ASSIGN COUNT",
            clause.extent,
            rule="COUNT brings its own trigger and evictor",
            hint="use WINDOW ASSIGN GLOBAL(...) with TRIGGER and EVICT of your own",
        )


def _check_event_time(source: Source, select: Select, assign: AssignClause) -> None:
    if assign.assigner.is_event_time:
        return
    for part in (Part.LATENESS, Part.LATE_INTO):
        section = select.get(part)
        if section is not None:
            raise source.spec_error(
                f"{part.words} needs an event-time window",
                section.extent,
                rule="rows are late only where a watermark closes the windows, not with PROCTIME(), COUNT or GLOBAL",
                hint=f"leave out {part.words}",
            )
