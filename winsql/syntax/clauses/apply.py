"""APPLY: a registered function that makes rows of each firing."""

from __future__ import annotations

from typing import Any

from winsql.model.registry import APPLY_FUNCTIONS
from winsql.syntax.clauses.clause import Clause
from winsql.syntax.clauses.grammar import ClauseParser
from winsql.syntax.text.parts import Section


def _read(parser: ClauseParser, section: Section) -> dict[str, Any]:
    source, body = parser.source, section.body
    if not body.is_single or not source.tokens[body.first].is_name:
        hint = "write APPLY and the name under which the function was registered, without brackets"
        raise source.syntax_error("APPLY needs the name of an apply function", section.place, hint=hint)
    name = source.name(body.first)
    if name not in APPLY_FUNCTIONS:
        raise parser.unknown(name, body.first, APPLY_FUNCTIONS)
    return {"apply": name}


APPLY = Clause(
    "APPLY",
    is_name=True,
    rule="apply",
    syntax="name",
    summary="a registered function that gets the rows of each firing and returns its own",
    read=_read,
    identity=lambda query: query.apply or "",
    offers=lambda: [(name, "function") for name in APPLY_FUNCTIONS],
)
