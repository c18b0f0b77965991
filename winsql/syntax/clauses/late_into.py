"""LATE INTO: where the late rows go."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from winsql.model.query import WindowQuery
from winsql.syntax.clauses.clause import Clause
from winsql.syntax.clauses.grammar import ClauseParser
from winsql.syntax.clauses.lateness import require_event_time
from winsql.syntax.expressions.items import quoted
from winsql.syntax.text.near_words import begins_name
from winsql.syntax.text.parts import Section
from winsql.syntax.text.source import Source
from winsql.syntax.text.tokens import TokenKind


def _read(parser: ClauseParser, section: Section) -> dict[str, Any]:
    source = parser.source
    if not source.is_path(section.body):
        hint = "write LATE INTO and the name of a view or table"
        raise source.syntax_error("LATE INTO needs a name", section.place, hint=hint)
    name = ".".join(_name(source, index) for index in section.body.indexes[::2])
    return {"late_into": name, "late_output": True}


def _name(source: Source, index: int) -> str:
    name = source.name(index)
    return quoted(name) if source.at(index).kind is TokenKind.QUOTED else name


def _explain(query: WindowQuery, on_stream: bool) -> Iterator[tuple[str, str]]:
    if query.late_into is not None:
        yield "late rows", f"into {query.late_into}{'' if on_stream else '; on a bounded table there are none'}"


LATE_INTO: Clause = Clause(
    "LATE INTO",
    meant=("LATE", "SIDE OUTPUT"),
    begins=begins_name,
    rule="late_into",
    syntax="name {. name}",
    summary="the view, or on a stream the table, that gets the rows that come too late; without it they are counted",
    read=_read,
    check=lambda source, select, assign: require_event_time(source, select.get(LATE_INTO), assign),
    explain=_explain,
)
