"""The type of a WINDOW JOIN, and window joins that Spark would run as joins without windows.

To Spark WINDOW is the alias of a relation without one, so that `a WINDOW JOIN b` without WINDOW ASSIGN and
`a WINDOW LEFT JOIN b` would run without windows. The first is always refused; the second is not where the statement
uses the name, as in `window.k`.
"""

from __future__ import annotations

import re

from winsql.errors import WinsqlError
from winsql.model.joins import JoinType
from winsql.syntax.clauses.assign import ASSIGN
from winsql.syntax.selects.relations import read_relation
from winsql.syntax.selects.scanner import select_around
from winsql.syntax.text.openers import matches
from winsql.syntax.text.parts import Part, beside, holds_query, outside_queries
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind
from winsql.syntax.text.vocabulary import INFIX, PREFIX

JOIN_TYPES: tuple[tuple[tuple[str, ...], JoinType], ...] = tuple(
    sorted(((words, how) for how in JoinType for words in how.spellings), key=lambda said: len(said[0]), reverse=True)
)
"""Each type by its words, longer ones first."""


def join_type(source: Source, body: Extent, join: int) -> tuple[int, JoinType]:
    """Where the words for the type of a WINDOW JOIN begin, and the type."""
    for spelling, how in JOIN_TYPES:
        first = join - len(spelling)
        if first > body.first and source.words(first, *spelling):
            return first, how
    return join, JoinType.INNER


def may_say_type(source: Source, index: int) -> bool:
    """Whether a word between the left relation and WINDOW JOIN is meant as its type."""
    token = source.at(index)
    return token.kind is TokenKind.WORD and not token.is_word("JOIN", "ON", "USING", "LATERAL", "WHERE")


def no_type(source: Source, words: Extent, join: int) -> WinsqlError:
    """The error for `words` in the place of a type; the join begins at `join`."""
    said = " ".join(source.at(index).upper for index in words.indexes)
    names = [how.name for how in JoinType]
    rule = f"a window join is {', '.join(names[:-1])} or {names[-1]}, with ON"
    hint = "write WINDOW JOIN ... ON x.id = y.id, with one of these words before it"
    return source.spec_error(f"{said} WINDOW JOIN is no join", Extent(words.first, join + 2), rule=rule, hint=hint)


def may_have_window_join(text: str) -> bool:
    """Whether `refuse_joins_without_window` may find anything: cheap."""
    return matches(text, _WINDOW_JOIN)


# a comment may hide the rest of the words
_WINDOW_JOIN = re.compile(r"WINDOW\s*(?:\w+\s+){0,2}(?:JOIN\b|--|/\*)")


def refuse_joins_without_window(source: Source) -> None:
    """Raises WindowSyntaxError for a window join whose SELECT has no WINDOW ASSIGN; an alias is written `AS window`."""
    for index in source.places("WINDOW") if source.is_balanced else ():
        stop = _join_words(source, index)
        if stop is None or source.at(stop).is_word("AS") or not ends_relation(source, index - 1):
            continue
        body = _plain_from(source, index)
        if body is not None:
            refuse_type_after_window(source, body)
            if stop == index + 2:
                raise _without_assign(source, body, index)


def refuse_type_after_window(source: Source, body: Extent) -> None:
    """Raises WindowSyntaxError for `a WINDOW LEFT JOIN b` in a FROM body, unless WINDOW is used as an alias."""
    for index in outside_queries(source, body):
        stop = _join_words(source, index)
        has_type = stop is not None and stop > index + 2
        if stop is None or not has_type or index <= body.first or not ends_relation(source, index - 1):
            continue
        if not _qualifies(source):
            how = " ".join(source.at(place).upper for place in range(index + 1, stop - 1))
            rule = "the type of a window join comes before WINDOW"
            hint = f"write {how} WINDOW JOIN; an alias is written AS window"
            raise source.syntax_error(f"WINDOW {how} JOIN is no join", Extent(index, stop), rule=rule, hint=hint)


def ends_relation(source: Source, index: int) -> bool:
    """Whether a relation, or the type of a join, may end at `index`: WINDOW after it is no name then."""
    token = source.at(index)
    if token.kind is TokenKind.SYMBOL:
        return token.is_symbol(")", "]", "}")
    if token.is_word("STREAM"):
        before = source.at(index - 1)
        return not before.is_symbol(",", "(") and not before.is_word("FROM", "JOIN", "LATERAL")
    return not token.is_word(*_BEFORE_NAMES)


_BEFORE_NAMES = INFIX | PREFIX | {"LATERAL"}


def _qualifies(source: Source) -> bool:
    """Whether `window.column` is in the statement."""
    return any(token.upper == "WINDOW" and source.at(n + 1).is_symbol(".") for n, token in enumerate(source.tokens))


def _join_words(source: Source, index: int) -> int | None:
    """The index after WINDOW [type] JOIN, if it begins at `index`."""
    if not source.at(index).is_word("WINDOW"):
        return None
    for spelling in ((), *(spelling for spelling, _ in JOIN_TYPES)):
        if source.words(index + 1, *spelling, "JOIN"):
            return index + len(spelling) + 2
    return None


def _plain_from(source: Source, index: int) -> Extent | None:
    """The FROM body around a token, outside of brackets of joins, where its SELECT has no WINDOW ASSIGN."""
    bracket = source.group[index]
    while bracket >= 0 and not holds_query(source, bracket):
        index, bracket = bracket, source.group[bracket]
    select = select_around(source, index)
    if select is None:
        return _leading_from(source, index)
    body = None if ASSIGN in select.sections else select.body(Part.FROM)
    return body if body is not None and index in body.indexes else None


def _leading_from(source: Source, index: int) -> Extent | None:
    """The tokens after the FROM that begins a query, as in `FROM a JOIN b |> ...`, up to the end of the query."""
    group = source.group[index]
    places = (place for place in reversed(beside(source, index, "FROM", ";")) if place < index)
    last = next((place for place in places if not source.at(place - 1).is_symbol(".")), None)
    if last is None or source.at(last).is_symbol(";"):
        return None
    return Extent(last + 1, len(source) if group < 0 else source.closing(group))


def _without_assign(source: Source, body: Extent, join: int) -> WinsqlError:
    words, _ = join_type(source, body, join)
    left = read_relation(source, body.first, words)
    right = read_relation(source, join + 2, body.stop)
    is_whole = not left.extent.is_empty and left.extent.stop == words
    named = ((left if is_whole else None, "x"), (right, "y"))
    names = [name if side is None or side.name is None else side.name_sql(source) for side, name in named]
    rule = "rows of the two sides meet in windows: WINDOW ASSIGN says which, with a pair of times, one of each side"
    hint = f"write after ON: WINDOW ASSIGN TUMBLING(({names[0]}.ts, {names[1]}.ts), INTERVAL 10 MINUTES)"
    hint += "; an alias is written AS window"
    return source.syntax_error("WINDOW JOIN without WINDOW ASSIGN", Extent(words, join + 2), rule=rule, hint=hint)
