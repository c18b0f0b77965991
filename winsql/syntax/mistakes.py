"""All mistakes of a statement that its text alone shows, where `parse_statement` stops at the first.

Each windowed SELECT and each call of a table function is read by itself, and in a SELECT each window clause. The rules
between clauses are checked only where all clauses can be read, and give one mistake per SELECT. Where a SELECT has
holes, which may be filled with anything, only what is within a clause without one is a mistake.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any, TypeAlias

from winsql.errors import Span, WinsqlError
from winsql.model.settings import DEFAULTS, ParserSettings
from winsql.syntax.characters import foreign_character
from winsql.syntax.clauses import CLAUSES
from winsql.syntax.clauses.window_spec import clause_parser
from winsql.syntax.fragments import find_fragments
from winsql.syntax.joins.clause import read_join
from winsql.syntax.joins.query import JoinTimes
from winsql.syntax.near_misses import near_misses
from winsql.syntax.rules.fragment import Fragment
from winsql.syntax.statement import parse_statement
from winsql.syntax.text.deep import room_for
from winsql.syntax.text.parts import Part, Select
from winsql.syntax.text.source import Extent, IsAggregate, IsVariable, Source
from winsql.syntax.text.tokens import TokenKind


def find_mistakes(
    text: str, is_variable: IsVariable | None = None, settings: ParserSettings = DEFAULTS, holes: Sequence[Span] = ()
) -> list[WinsqlError]:
    """The mistakes of one statement, in the order of their places; each has its place.

    `is_variable` says of a name whether it is a session variable where it is no column. `holes` are the places of
    templates, which are names or blanks in the text.

    A function that is neither built in nor registered may be an aggregate of the session or not: a mistake must be one
    in both readings.
    """
    foreign = foreign_character(Source(text, settings=settings)) if not holes else None
    if foreign is not None:  # other mistakes may be its consequences
        return [foreign]
    asked: list[str] = []

    def no_aggregate(name: str) -> bool:
        asked.append(name)
        return False

    near = near_misses(text, settings, is_whole=not holes)
    read = partial(_mistakes, text, settings, is_variable=is_variable, binds=not near, holes=holes)
    found = read(no_aggregate)
    if found and asked:
        others = read(lambda name: True).keys()
        found = {key: mistake for key, mistake in found.items() if key in others}
    places = {_place(mistake).start for mistake in found.values()}
    return sorted([*found.values(), *(miss for miss in near if _place(miss).start not in places)], key=_place)


_Key: TypeAlias = tuple[str, Span | None]


def _mistakes(
    text: str,
    settings: ParserSettings,
    is_aggregate: IsAggregate,
    *,
    is_variable: IsVariable | None,
    binds: bool,
    holes: Sequence[Span],
) -> dict[_Key, WinsqlError]:
    """The mistakes by problem and place. Without `binds` only those within a clause: others may be consequences."""
    found: dict[_Key, WinsqlError] = {}
    try:
        parse_statement(text, is_aggregate, lambda: settings, is_variable=is_variable).check()
    except WinsqlError as error:
        if binds and not holes:
            found[_key(error)] = error
    else:
        return found
    source = Source(text, settings=settings, is_variable=is_variable, is_aggregate=is_aggregate)
    with room_for(source):
        try:
            fragments = find_fragments(source)[0]
        except WinsqlError as error:  # where a SELECT ends and its clauses begin is not known: nothing more can be said
            return found if holes else {**found, _key(error): error}
        for fragment in fragments:
            for mistake in _of_fragment(source, fragment, holes, binds=binds):
                found.setdefault(_key(mistake), mistake)
    return found


def _of_fragment(source: Source, fragment: Fragment, holes: Sequence[Span], *, binds: bool) -> list[WinsqlError]:
    errors = [] if fragment.select is None else list(_of_clauses(source, fragment.select, holes))
    if errors or not binds or _is_open(source, _up_to_next(source, fragment.extent), fragment.extent, holes):
        return errors
    return _caught(lambda: fragment.bind(source))


def _of_clauses(source: Source, select: Select, holes: Sequence[Span]) -> Iterator[WinsqlError]:
    relations = select.sections[Part.FROM]
    try:
        join = read_join(source, relations)
    except WinsqlError as error:  # whether the times are a pair is not known
        if not _is_open(source, source.span(relations.extent), relations.extent, holes):
            yield error
        return
    parser = clause_parser(source, None if join is None else JoinTimes(join.sides))
    for clause in CLAUSES:
        section = select.get(clause)
        if section is not None and not _is_open(source, source.span(section.extent), section.extent, holes):
            yield from _caught(partial(clause.read, parser, section))


def _up_to_next(source: Source, extent: Extent) -> Span:
    """A range of tokens with what is before the next one."""
    is_last = extent.stop >= len(source)
    return Span(source.at(extent.first).start, _ENDLESS if is_last else source.at(extent.stop).start)


_ENDLESS = 1 << 62


def _is_open(source: Source, place: Span, extent: Extent, holes: Sequence[Span]) -> bool:
    """Whether a hole may write more than a string or what is in a bracket, or may be a branch or a loop."""
    for hole in holes:
        if place.start <= hole.start < place.end:
            read = [i for i in extent.indexes if source.at(i).start < hole.end and hole.start < source.at(i).end]
            beside = (i for i in read if source.group[i] == source.group[extent.first])
            if not read or any(source.at(i).kind is not TokenKind.STRING for i in beside):
                return True
    return False


def _caught(read: Callable[[], Any]) -> list[WinsqlError]:
    try:
        read()
    except WinsqlError as error:
        return [error]
    return []


def _key(error: WinsqlError) -> _Key:
    return error.problem, error.span


def _place(error: WinsqlError) -> Span:
    return error.span or Span(0, 0)
