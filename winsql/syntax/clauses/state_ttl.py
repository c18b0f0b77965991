"""STATE TTL: how long a stream keeps state that is not written to, as Flink's `StateTtlConfig` does."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from winsql.model.query import WindowQuery
from winsql.syntax.clauses.clause import Clause
from winsql.syntax.clauses.grammar import ClauseParser
from winsql.syntax.clauses.policy_text import lay_out_duration, render_duration
from winsql.syntax.text.near_words import begins_duration
from winsql.syntax.text.parts import Section


def _read(parser: ClauseParser, section: Section) -> dict[str, Any]:
    duration = parser.read_duration(section)
    if duration <= 0:
        hint = "write for instance INTERVAL 1 DAY"
        raise parser.source.spec_error("STATE TTL must be positive", section.body, hint=hint)
    return {"state_ttl": duration}


def _identity(query: WindowQuery) -> str:
    return "" if query.spec.state_ttl is None else render_duration(query.spec.state_ttl)


def _explain(query: WindowQuery, on_stream: bool) -> Iterator[tuple[str, str]]:
    if query.spec.state_ttl is not None:
        yield "state TTL", _identity(query)


STATE_TTL = Clause(
    "STATE TTL",
    meant=("TTL", "STATE"),
    begins=begins_duration,
    rule="state_ttl",
    syntax="duration",
    summary="on streams, for how long contents stay that no row changes; needed by windows that never end",
    read=_read,
    lay_out=lay_out_duration,
    identity=_identity,
    explain=_explain,
    is_of_state=True,
    option="state_ttl",
    by_rows=True,
)
