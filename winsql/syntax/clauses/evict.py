"""EVICT: which rows of a window are removed before or after it fires."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from winsql.model.evictors import TimeEvictor
from winsql.model.query import WindowQuery
from winsql.model.registry import EVICTORS
from winsql.syntax.clauses.clause import Assignment, Clause
from winsql.syntax.clauses.grammar import ClauseParser
from winsql.syntax.clauses.policy_text import call_end, lay_out_policy, render_policy
from winsql.syntax.clauses.trigger import refuse_beside_count
from winsql.syntax.text.near_words import is_policy
from winsql.syntax.text.parts import Section, Select
from winsql.syntax.text.source import Extent, Source


def _read(parser: ClauseParser, section: Section) -> dict[str, Any]:
    end = parser.policy_end(section, EVICTORS)
    evictor = parser.parse_policy(Extent(section.body.first, end), EVICTORS)
    place = parser.source.at(end, section.body.stop)
    if place.is_word(*_PLACES):
        parser.require_end(end + 1, section, "another clause")
    else:
        parser.require_end(end, section, "BEFORE, AFTER or another clause", words=_PLACES)
    return {"evictor": evictor, "evict_after": place.is_word("AFTER")}


_PLACES = ("BEFORE", "AFTER")


def _check(source: Source, select: Select, assign: Assignment) -> None:
    section = select.get(EVICT)
    refuse_beside_count(source, section, assign)
    if section is None or assign.has_event_time or call_end(source, section.body) is None:
        return
    if EVICTORS.find(source.name(section.body.first)) is TimeEvictor:
        rule = "it compares the event times of rows"
        hint = assign.time_hint or f"give {assign.assigner.NAME} a time expression"
        raise source.spec_error("EVICT TIME needs event time", section.extent, rule=rule, hint=hint)


def _lay_out(source: Source, body: Extent) -> str:
    end = call_end(source, body)
    if end is None or body.stop != end + 1:
        return lay_out_policy(source, body, EVICTORS)
    return f"{lay_out_policy(source, Extent(body.first, end), EVICTORS)} {source.at(end).upper}"


def _identity(query: WindowQuery) -> str:
    spec = query.spec
    return "" if spec.evictor is None else f"{render_policy(spec.evictor)}{' AFTER' if spec.evict_after else ''}"


def _explain(query: WindowQuery, on_stream: bool) -> Iterator[tuple[str, str]]:
    spec = query.spec
    if spec.evictor is not None:
        when = "after" if spec.evict_after else "before"
        of = ", of the assigner" if spec.evictor == spec.assigner.default_evictor() else ""
        yield "evictor", f"{render_policy(spec.evictor)} {when} each firing{of}"


EVICT = Clause(
    "EVICT",
    is_name=True,
    may_say_window=True,
    meant=("EVICTOR",),
    begins=partial(is_policy, registry=EVICTORS),
    rule="evict",
    syntax="policy [BEFORE | AFTER]",
    summary="which rows go before each firing, or after it",
    policies=EVICTORS,
    read=_read,
    check=_check,
    slots=0,
    lay_out=_lay_out,
    identity=_identity,
    explain=_explain,
    option="evictor",
)
