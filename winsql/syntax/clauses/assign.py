"""WINDOW ASSIGN: which windows a row belongs to."""

from __future__ import annotations

from winsql.model.registry import ASSIGNERS
from winsql.syntax.clauses.clause import Assignment, Clause
from winsql.syntax.clauses.grammar import ClauseParser
from winsql.syntax.clauses.policy_text import call_end, lay_out_policy, render_policy
from winsql.syntax.text.parts import Section
from winsql.syntax.text.source import Extent, Source


def read_assign(parser: ClauseParser, section: Section) -> Assignment:
    """The assigner, its time and the keys of a WINDOW ASSIGN."""
    source, first = parser.source, section.body.first
    end = parser.policy_end(section, ASSIGNERS)
    assigner = parser.parse_policy(Extent(first, end), ASSIGNERS)
    keys: list[Extent] = []
    if source.words(end, "PARTITION", "BY") and end < section.body.stop:
        keys = source.split(Extent(end + 2, section.body.stop))
        if not keys:
            hint = "write the keys, as in PARTITION BY k, or leave it out"
            raise source.syntax_error("PARTITION BY needs at least one expression", Extent(end, end + 2), hint=hint)
        end = section.body.stop
    parser.require_end(end, section, "PARTITION BY or another clause")
    return Assignment(assigner, Extent(first, keys[0].first - 2 if keys else end), parser.time_span, tuple(keys))


def _lay_out(source: Source, body: Extent) -> str:
    end = call_end(source, body)
    if end is None or end == body.stop:
        return lay_out_policy(source, body, ASSIGNERS)
    assigner = lay_out_policy(source, Extent(body.first, end), ASSIGNERS)
    if not source.words(end, "PARTITION", "BY"):
        return f"{assigner} {source.written(Extent(end, body.stop))}"
    keys = [source.written(key) for key in source.split(Extent(end + 2, body.stop))]
    return f"{assigner} PARTITION BY {', '.join(keys)}"


ASSIGN = Clause(
    "WINDOW ASSIGN",
    twice="leave one of them out; windows over windows are an outer SELECT",
    rule="assign",
    syntax="policy [PARTITION BY expression {, expression}]",
    summary="which windows a row belongs to, and the keys of a query that returns rows",
    policies=ASSIGNERS,
    read=lambda parser, section: {"assigner": read_assign(parser, section).assigner},
    lay_out=_lay_out,
    identity=lambda query: render_policy(query.spec.assigner),
    explain=lambda query, on_stream: [("assigner", render_policy(query.spec.assigner))],
)
