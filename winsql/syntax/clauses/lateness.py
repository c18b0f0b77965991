"""ALLOWED LATENESS: how long a window takes rows after its end."""

from __future__ import annotations

from collections.abc import Iterator

from winsql.model.query import WindowQuery
from winsql.syntax.clauses.clause import Assignment, Clause
from winsql.syntax.clauses.policy_text import lay_out_duration, render_duration
from winsql.syntax.text.near_words import begins_duration
from winsql.syntax.text.parts import Section
from winsql.syntax.text.source import Source


def require_event_time(source: Source, section: Section | None, assign: Assignment) -> None:
    """Raises for a clause about late rows where no row can be late."""
    if section is not None and not assign.assigner.is_event_time:
        problem = f"{section.part.words} needs an event-time window"
        rule = "rows are late only where a watermark closes the windows, not with PROCTIME(), COUNT or GLOBAL"
        hint = f"leave out {section.part.words}"
        raise source.spec_error(problem, section.extent, rule=rule, hint=hint)


def _explain(query: WindowQuery, on_stream: bool) -> Iterator[tuple[str, str]]:
    if query.spec.allowed_lateness:
        note = "" if on_stream else "; on a bounded table nothing is late"
        yield "allowed lateness", f"{render_duration(query.spec.allowed_lateness)}{note}"


LATENESS: Clause = Clause(
    "ALLOWED LATENESS",
    meant=("LATENESS", "GRACE PERIOD", "GRACE"),
    begins=begins_duration,
    rule="lateness",
    syntax="duration",
    summary="how long a window that is over still takes rows",
    read=lambda parser, section: {"allowed_lateness": parser.read_duration(section)},
    check=lambda source, select, assign: require_event_time(source, select.get(LATENESS), assign),
    lay_out=lay_out_duration,
    identity=lambda query: render_duration(query.spec.allowed_lateness) if query.spec.allowed_lateness else "",
    explain=_explain,
    option="allowed_lateness",
)
