"""A windowed SELECT, cut into parts, becomes a WindowQuery."""

from __future__ import annotations

from winsql.errors import WindowSpecError
from winsql.model.assigners import CountWindows, GlobalWindows
from winsql.model.evictors import TimeEvictor
from winsql.model.query import Form, KeyColumn, WindowQuery, WindowSpec
from winsql.syntax.calls import IsAggregate
from winsql.syntax.forms import Projection, project
from winsql.syntax.grammar import AssignClause, ClauseParser
from winsql.syntax.grouping import Grouping
from winsql.syntax.items import read_select_list
from winsql.syntax.keys import relation_names
from winsql.syntax.scanner import Part, Section, Select
from winsql.syntax.source import Extent, Source

__all__ = ["bind", "partition_keys"]


def bind(source: Source, select: Select, is_aggregate: IsAggregate | None) -> WindowQuery:
    """The query of a windowed SELECT; every slice of text is verbatim but for the edits of the source.

    Raises WindowSyntaxError and WindowSpecError with their place.
    """
    body = select.sections[Part.FROM].body
    _check_source(source, select.sections[Part.FROM])
    parser = ClauseParser(source, is_aggregate)
    assign = parser.parse_assign(select.sections[Part.ASSIGN])
    spec = _spec(source, select, parser, assign)
    select_list = read_select_list(source, select.sections[Part.SELECT].head, select.sections[Part.SELECT].body)
    qualifiers = relation_names(source, body)
    grouping = Grouping(source, select_list.items, qualifiers, is_aggregate)
    keys = grouping.keys(select.get(Part.GROUP_BY), assign.partition_by)
    apply = select.get(Part.APPLY)
    function = parser.parse_apply(apply) if apply else None
    projection: Projection = project(source, select, select_list, keys, qualifiers, is_aggregate, function)
    where = select.body(Part.WHERE)
    late_into = select.get(Part.LATE_INTO)
    return WindowQuery(
        text=source.text,
        span=source.span(select.extent),
        source=source.verbatim(body),
        where=source.verbatim(where) if where else None,
        spec=spec,
        time_span=assign.time_span,
        operands=tuple(parser.operands),
        keys=tuple(KeyColumn(source.verbatim(k.extent), k.column, source.span(k.extent)) for k in keys),
        aggregates=projection.aggregates,
        trigger_aggregates=tuple(parser.aggregates),
        payload=projection.payload,
        form=projection.form,
        head=projection.head,
        tail=projection.tail,
        apply=function if projection.form is Form.APPLY else None,
        late_into=parser.parse_late_into(late_into) if late_into else None,
        state_ttl=_state_ttl(source, select, parser),
    )


def partition_keys(source: Source, select: Select) -> tuple[Extent, ...]:
    """The keys behind PARTITION BY of a windowed SELECT that has been bound before."""
    return ClauseParser(source).parse_assign(select.sections[Part.ASSIGN]).partition_by


def _check_source(source: Source, section: Section) -> None:
    if section.body.is_empty:
        raise source.syntax_error("FROM needs a relation", section.head)
    index = section.body.first
    while index < section.body.stop:
        if source.words(index, "WINDOW", "JOIN") and index > section.body.first:
            raise source.spec_error(
                "WINDOW JOIN is not built yet",
                Extent(index, index + 2),
                rule="this version has windows over one relation",
                hint="join first and window the result, or join two windowed subqueries on their window columns",
            )
        index = source.skip(index, section.body.stop)


def _spec(source: Source, select: Select, parser: ClauseParser, assign: AssignClause) -> WindowSpec:
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
            f"{clause.part.value} cannot stand beside WINDOW ASSIGN COUNT",
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
                f"{part.value} needs an event-time window",
                section.extent,
                rule="rows are late only where a watermark closes the windows, not with PROCTIME(), COUNT or GLOBAL",
                hint=f"leave out {part.value}",
            )


def _state_ttl(source: Source, select: Select, parser: ClauseParser) -> int | None:
    section = select.get(Part.STATE_TTL)
    if section is None:
        return None
    duration = parser.parse_duration(section)
    if duration <= 0:
        raise source.spec_error("STATE TTL must be positive", section.body)
    return duration
