"""Reads the clauses of a windowed SELECT into the spec of its operator and further values of its query."""

from __future__ import annotations

from dataclasses import fields
from typing import Any

from winsql.errors import WindowSpecError
from winsql.model.query import WindowSpec
from winsql.syntax.clauses import CLAUSES
from winsql.syntax.clauses.assign import ASSIGN
from winsql.syntax.clauses.clause import Assignment
from winsql.syntax.clauses.grammar import ClauseParser, PairOfTimes
from winsql.syntax.text.parts import Select
from winsql.syntax.text.source import Extent, Source


def clause_parser(source: Source, pair: PairOfTimes | None = None) -> ClauseParser:
    """The parser for the clauses of one SELECT; `pair` reads the times of a window join."""
    return ClauseParser(source, pair, CLAUSES)


def read_clauses(
    source: Source, select: Select, parser: ClauseParser, assign: Assignment
) -> tuple[WindowSpec, dict[str, Any]]:
    """The spec of a windowed SELECT whose WINDOW ASSIGN has been read, and the other values, by their names in
    `WindowQuery`."""
    for clause in CLAUSES:
        clause.check(source, select, assign)
    values: dict[str, Any] = {}
    places: dict[str, Extent] = {}
    for clause in _READ:
        section = select.get(clause)
        if section is not None:
            parser.require_no_keys(section)
            found = clause.read(parser, section)
            try:
                found |= clause.implied(found, assign.assigner)
            except WindowSpecError as error:
                raise error.located(source.text, source.span(section.extent)) from None
            values |= found
            places |= dict.fromkeys(found, section.extent)
    try:
        spec = WindowSpec.of(assign.assigner, **{name: value for name, value in values.items() if name in _OF_SPEC})
    except WindowSpecError as error:
        place = places.get(error.parameter or "", assign.policy)
        raise error.located(source.text, source.span(place)) from None
    return spec, {name: value for name, value in values.items() if name not in _OF_SPEC}


# in the order of their slots: state from before knows the operands of a row by their places
_READ = sorted(
    (clause for clause in CLAUSES if clause is not ASSIGN),
    key=lambda clause: len(CLAUSES) if clause.slots is None else clause.slots,
)
_OF_SPEC = frozenset(field.name for field in fields(WindowSpec))
