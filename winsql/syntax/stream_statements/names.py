"""What statements about streams begin and end with, and the names in them.

name = identifier {. identifier}                                                 (one to three parts)
"""

from __future__ import annotations

from typing import Any, NamedTuple

from winsql.errors import Span
from winsql.syntax.expressions.items import quoted
from winsql.syntax.text.parts import is_query_start
from winsql.syntax.text.source import Extent, Source


class Name(NamedTuple):
    """A table's name by its parts, in the user's case, and its place; `str` quotes it for Spark."""

    parts: tuple[str, ...]
    span: Span

    def __str__(self) -> str:
        return ".".join(map(quoted, self.parts))

    @property
    def shown(self) -> str:
        """For messages: quoted only where it must be."""
        return ".".join(part if part.isidentifier() else quoted(part) for part in self.parts)


def dotted_names(source: Source, index: int) -> tuple[list[str], int]:
    """`a.b.c` at `index`, and the index after it; no names where one is missing, also after a dot.

    The AS before a query is not taken for a name.
    """
    parts: list[str] = []
    while source.at(index).is_name and not (source.words(index, "AS") and is_query_start(source, index + 1)):
        parts.append(source.name(index))
        index += 1
        if not source.at(index).is_symbol("."):
            return parts, index
        index += 1
    return [], index


def read_name(source: Source, index: int, what: str) -> tuple[Name, int]:
    """A name of one to three parts at `index`, and the index after it; errors call it the name of `what`."""
    first = index
    parts, index = dotted_names(source, index)
    if not parts:
        raise source.syntax_error(f"the name of {what} is missing", index, hint=f"write the name of {what} here")
    span = source.span(Extent(first, index))
    if len(parts) > _MAX_PARTS:
        rule, hint = "a table's name is [[catalog.]database.]name", "quote a name with points: `a.b`"
        raise source.syntax_error(f"the name of {what} has {len(parts)} parts", span, rule=rule, hint=hint)
    return Name(tuple(parts), span), index


def read_last_name(source: Source, index: int) -> Name:
    """The name of a stream at `index`, with which the statement ends."""
    name, stop = read_name(source, index, "the stream")
    require_end(source, stop)
    return name


def name_of(text: str) -> Name:
    """The name that is all of a text."""
    return read_name(Source(text), 0, "the table")[0]


def begins_create(source: Source, index: int, words: tuple[str, ...]) -> bool:
    """Whether `CREATE [OR REPLACE]` and these words are at `index`."""
    if source.words(index, "CREATE", "OR", "REPLACE"):
        return source.words(index + 3, *words)
    return source.words(index, "CREATE", *words)


def read_head(source: Source, index: int, words: tuple[str, ...]) -> tuple[dict[str, Any], int]:
    """What `CREATE [OR REPLACE] words [IF NOT EXISTS]` at `index` says, and the index after it."""
    or_replace = source.words(index + 1, "OR", "REPLACE")
    index += (3 if or_replace else 1) + len(words)
    found, index = read_if_not_exists(source, index, "table" if "TABLE" in words else "stream", or_replace=or_replace)
    return {"or_replace": or_replace, "if_not_exists": found}, index


def read_if_not_exists(source: Source, index: int, what: str, *, or_replace: bool) -> tuple[bool, int]:
    """Whether `IF NOT EXISTS` is at `index`, before the name of `what`, and the index after it."""
    found = source.words(index, "IF", "NOT", "EXISTS")
    if or_replace and found:
        problem = "OR REPLACE and IF NOT EXISTS are both there"
        rule, hint = f"one replaces a {what} that exists, the other leaves it alone", "leave one of them out"
        raise source.spec_error(problem, Extent(index, index + 3), rule=rule, hint=hint)
    return found, index + (3 if found else 0)


def end_of_statement(source: Source) -> int:
    """The index after the last token that is not a semicolon."""
    end = len(source)
    while end and source.at(end - 1).is_symbol(";"):
        end -= 1
    return end


def require_end(source: Source, index: int) -> None:
    """Raises WindowSyntaxError where the statement goes on at `index`."""
    if index < end_of_statement(source):
        problem, rule = "nothing may follow here", "the statement ends before"
        hint = "leave it out"
        raise source.syntax_error(problem, Extent(index, end_of_statement(source)), rule=rule, hint=hint)


_MAX_PARTS = 3
