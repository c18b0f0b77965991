"""The clauses of a windowed SELECT become the spec of its operator and values of its query."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from winsql.errors import WindowSpecError
from winsql.model.query import WindowSpec
from winsql.syntax.clauses import CLAUSES
from winsql.syntax.clauses.assign import ASSIGN
from winsql.syntax.clauses.clause import Assignment
from winsql.syntax.clauses.evict import EVICT
from winsql.syntax.clauses.grammar import ClauseParser, PairOfTimes
from winsql.syntax.expressions.function_calls import IsAggregate
from winsql.syntax.text.parts import Section, Select
from winsql.syntax.text.source import Source

__all__ = ["clause_parser", "read_clauses"]


def clause_parser(
    source: Source, is_aggregate: IsAggregate | None = None, pair: PairOfTimes | None = None
) -> ClauseParser:
    """The parser for the clauses of one SELECT; `pair` reads the times of a window join."""
    return ClauseParser(source, is_aggregate, pair, CLAUSES)


def read_clauses(
    source: Source, select: Select, parser: ClauseParser, assign: Assignment
) -> tuple[WindowSpec, dict[str, Any]]:
    """The spec of a windowed SELECT whose WINDOW ASSIGN has been read, and the other values, by their names in
    `WindowQuery`."""
    for clause in CLAUSES:
        clause.check(source, select, assign)
    values: dict[str, Any] = {}
    origins: dict[str, Section] = {}
    for clause in _READ:
        section = select.get(clause)
        if section is not None:
            found = clause.read(parser, section)
            values |= found
            origins |= dict.fromkeys(found, section)
    emit = values.get("emit")
    try:
        if emit is not None:
            values |= {"trigger": emit.trigger(assign.assigner), "changes": emit.changes}
        spec = WindowSpec.of(assign.assigner, **{name: value for name, value in values.items() if name in _OF_SPEC})
    except WindowSpecError as error:
        origin = origins.get(error.parameter or "", origins.get("emit") if error.parameter == "trigger" else None)
        place = assign.policy if origin is None else origin.extent
        raise error.located(source.text, source.span(place)) from None
    return spec, {name: value for name, value in values.items() if name not in _OF_SPEC}


# operands of an evictor have the first slots: state that is there knows them by their places
_READ = sorted((clause for clause in CLAUSES if clause is not ASSIGN), key=lambda clause: clause is not EVICT)
_OF_SPEC = frozenset(field.name for field in fields(WindowSpec))
