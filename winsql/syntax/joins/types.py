"""The words before WINDOW JOIN that say its type, and window joins that Spark would not know for what they are.

Spark takes WINDOW for the alias of a relation that has none: `a WINDOW JOIN b ON ...` without WINDOW ASSIGN and
`a WINDOW LEFT JOIN b ON ...` are joins of its own. Behind an alias, or behind the type of a join, WINDOW is nothing to
Spark, so that what stands there can only be meant as a window join.
"""

from __future__ import annotations

import re

from winsql.errors import WindowSyntaxError, WinsqlError
from winsql.model.query import JoinType
from winsql.syntax.openers import matches
from winsql.syntax.relations import read_relation
from winsql.syntax.scanner import Part, select_around
from winsql.syntax.source import Extent, Source
from winsql.syntax.tokens import TokenKind

__all__ = [
    "JOIN_TYPES",
    "join_type",
    "may_have_window_join",
    "may_say_type",
    "no_type",
    "refuse_joins_without_window",
    "refuse_type_behind_window",
]

JOIN_TYPES: tuple[tuple[tuple[str, ...], JoinType], ...] = (
    (("LEFT", "OUTER"), JoinType.LEFT),
    (("RIGHT", "OUTER"), JoinType.RIGHT),
    (("FULL", "OUTER"), JoinType.FULL),
    (("LEFT", "SEMI"), JoinType.SEMI),
    (("LEFT", "ANTI"), JoinType.ANTI),
    (("INNER",), JoinType.INNER),
    (("LEFT",), JoinType.LEFT),
    (("RIGHT",), JoinType.RIGHT),
    (("FULL",), JoinType.FULL),
    (("SEMI",), JoinType.SEMI),
    (("ANTI",), JoinType.ANTI),
)


def join_type(source: Source, body: Extent, join: int) -> tuple[int, JoinType]:
    """Where the words before WINDOW JOIN begin that say its type, and the type."""
    before = source.at(join - 1)
    if before.is_word("CROSS", "NATURAL"):
        raise no_type(source, Extent(join - 1, join), join)
    return _known_type(source, body, join)


def _known_type(source: Source, body: Extent, join: int) -> tuple[int, JoinType]:
    for spelling, how in JOIN_TYPES:
        first = join - len(spelling)
        if first > body.first and source.words(first, *spelling):
            return first, how
    return join, JoinType.INNER


def may_say_type(source: Source, index: int) -> bool:
    """Whether a word behind the left relation is meant to say the type of the join."""
    token = source.at(index)
    return token.kind is TokenKind.WORD and not token.is_word("JOIN", "ON", "USING", "LATERAL", "WHERE")


def no_type(source: Source, words: Extent, join: int) -> WinsqlError:
    """The error for `words` in the place of a type; the join begins at `join`."""
    said = " ".join(source.at(index).upper for index in words.indexes)
    return source.spec_error(
        f"{said} WINDOW JOIN is no join",
        Extent(words.first, join + 2),
        rule="a window join is INNER, LEFT, RIGHT, FULL, SEMI or ANTI, with ON",
        hint="write WINDOW JOIN ... ON x.id = y.id, with one of these words before it",
    )


def may_have_window_join(text: str) -> bool:
    """Whether it is worth while to look for `refuse_joins_without_window`."""
    return matches(text, _WINDOW_JOIN)


_WINDOW_JOIN = re.compile(r"WINDOW\s+(?:\w+\s+){0,2}JOIN\b")


def refuse_joins_without_window(source: Source) -> None:
    """Raises WindowSyntaxError for a window join whose SELECT has no WINDOW ASSIGN, where Spark knows none either."""
    for index in range(len(source)):
        stop = _join_words(source, index)
        body = None if stop is None or source.at(stop).is_word("AS") else _plain_from(source, index)
        if stop is not None and body is not None:
            refuse_type_behind_window(source, body)
            if stop == index + 2:
                _refuse_without_assign(source, body, index)


def refuse_type_behind_window(source: Source, body: Extent) -> None:
    """Raises WindowSyntaxError where a FROM body begins with `a x WINDOW LEFT JOIN`."""
    left = read_relation(source, body.first, body.stop)
    window = left.extent.stop
    stop = _join_words(source, window)
    if left.extent.stop == left.body.stop or stop is None or stop == window + 2:
        return
    words = " ".join(source.at(index).upper for index in range(window + 1, stop - 1))
    raise source.syntax_error(
        f"WINDOW {words} JOIN is no join",
        Extent(window, stop),
        rule="the type of a window join stands before WINDOW",
        hint=f"write {words} WINDOW JOIN",
    )


def _join_words(source: Source, index: int) -> int | None:
    """The index behind WINDOW [type] JOIN, if it begins at `index`."""
    for spelling in ((), *(spelling for spelling, _ in JOIN_TYPES)):
        if source.words(index, "WINDOW", *spelling, "JOIN"):
            return index + len(spelling) + 2
    return None


def _plain_from(source: Source, index: int) -> Extent | None:
    """The body of the FROM around a token, if its SELECT has no WINDOW ASSIGN."""
    try:
        select = select_around(source, index)
    except WindowSyntaxError:  # what Spark makes of such a SELECT, it says itself
        return None
    body = None if select is None or Part.ASSIGN in select.sections else select.body(Part.FROM)
    return body if body is not None and index in body.indexes else None


def _refuse_without_assign(source: Source, body: Extent, join: int) -> None:
    words, _ = _known_type(source, body, join)
    left = read_relation(source, body.first, words)
    has_alias = left.extent.stop > left.body.stop
    if left.extent.is_empty or left.extent.stop != words or (words == join and not has_alias):
        return
    right = read_relation(source, join + 2, body.stop)
    names = [side.name_sql(source) if side.name is not None else name for side, name in ((left, "x"), (right, "y"))]
    raise source.syntax_error(
        "WINDOW JOIN without WINDOW ASSIGN",
        Extent(words, join + 2),
        rule="rows of the two sides meet in windows: WINDOW ASSIGN says which, with a pair of times, one of each side",
        hint=f"write behind ON: WINDOW ASSIGN TUMBLING(({names[0]}.ts, {names[1]}.ts), INTERVAL 10 MINUTES)",
    )
