"""TRIGGER: when a window fires."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Any

from winsql.model.assigners import CountWindows, GlobalWindows
from winsql.model.query import WindowQuery
from winsql.model.registry import TRIGGERS
from winsql.syntax.clauses.clause import Assignment, Clause
from winsql.syntax.clauses.grammar import ClauseParser
from winsql.syntax.clauses.policy_text import lay_out_policy, render_policy
from winsql.syntax.text.near_words import is_policy
from winsql.syntax.text.parts import Section, Select
from winsql.syntax.text.source import Extent, Source


def _read(parser: ClauseParser, section: Section) -> dict[str, Any]:
    source, body = parser.source, section.body
    end = parser.policy_end(section, TRIGGERS)
    if source.at(end, body.stop).is_symbol(*_OPERATORS):
        text = source.verbatim(body)
        rule, hint = "a condition for firing belongs in WHEN", f"write TRIGGER WHEN({text})"
        raise source.spec_error(f"{text} is not a trigger", body, rule=rule, hint=hint)
    parser.require_end(end, section, "another clause", before_hint="ANY(...) and ALL(...) combine triggers; ")
    return {"trigger": parser.parse_policy(Extent(body.first, end), TRIGGERS)}


_OPERATORS = ("=", "==", "<=>", "<", ">", "<=", ">=", "<>", "!=", "+", "-", "*", "/", "%")


def _check(source: Source, select: Select, assign: Assignment) -> None:
    fires = any(isinstance(part, Clause) and part.fires for part in select.sections)
    if isinstance(assign.assigner, GlobalWindows) and not fires:
        rule = "a window that never ends fires only when a trigger says so"
        hint = "add for instance TRIGGER COUNT(100), or TRIGGER END_OF_STREAM()"
        raise source.spec_error("GLOBAL needs a TRIGGER", assign.policy, rule=rule, hint=hint)
    refuse_beside_count(source, select.get(TRIGGER), assign)


def refuse_beside_count(source: Source, section: Section | None, assign: Assignment) -> None:
    """Raises for a clause beside COUNT, which brings its own trigger and evictor."""
    if isinstance(assign.assigner, CountWindows) and section is not None:
        problem = f"{section.part.words} cannot be used with WINDOW ASSIGN COUNT"
        rule = "COUNT brings its own trigger and evictor"
        hint = "use WINDOW ASSIGN GLOBAL(...) with TRIGGER and EVICT of your own"
        raise source.spec_error(problem, section.extent, rule=rule, hint=hint)


def _explain(query: WindowQuery, on_stream: bool) -> Iterator[tuple[str, str]]:
    yield "trigger", render_policy(query.spec.trigger) + (", the default" if query.spec.has_default_trigger else "")


TRIGGER = Clause(
    "TRIGGER",
    is_name=True,
    may_say_window=True,
    twice="leave one of them out, or combine them: ANY(..., ...) or ALL(..., ...)",
    meant=("FIRE",),
    begins=partial(is_policy, registry=TRIGGERS),
    rule="trigger",
    syntax="policy",
    summary="when a window fires; without it when its time is over",
    policies=TRIGGERS,
    read=_read,
    check=_check,
    fires=True,
    slots=1,
    lay_out=partial(lay_out_policy, registry=TRIGGERS),
    identity=lambda query: render_policy(query.spec.trigger),
    explain=_explain,
    option="trigger",
)
