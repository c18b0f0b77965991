"""Places that Spark's messages show, in texts that were made from statements, as places in the statements."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from pyspark.errors.exceptions.base import QueryContext, QueryContextType

from winsql.errors import Span
from winsql.model.query import INTERNAL_PREFIX
from winsql.spark.messages.places import Places, line_excerpt


class Shown(NamedTuple):
    """A text that Spark was handed, and where its parts are in the statement."""

    text: str
    places: Places


_BLOCK = re.compile(r"== SQL \(line (\d+), position (\d+)\) ==\n((?:.*\n *\^+ *(?:\n|$))+)")
"""A place as Spark shows it: each line of its text with a caret under every character that belongs to it."""
_IN_VIEW = re.compile(r"== SQL of VIEW .+ \(line \d+, position \d+\) ==\n((?:.*\n *\^+ *(?:\n|$))+)")
"""The same in the text of a view, which is what winsql made of its statement."""
_MORE = "..."


def retold(message: str, known: Iterable[Shown]) -> tuple[str, list[QueryContext]]:
    """A message with places in statements, and these places; what is not about a known text stays.

    If several texts have the part that is shown, the first one counts. A place in a text of winsql's that is not known,
    such as that of a view which another client has made, is left out.
    """
    places: list[QueryContext] = []

    def told(match: re.Match[str]) -> str:
        lines, place = match[3].rstrip("\n").split("\n"), (int(match[1]), int(match[2]))
        for shown in known:
            span = _found(shown.text, place, lines)
            found = None if span is None else shown.places.find(shown.text, span)
            if found is not None:
                places.append(StatementPlace(shown.places.statement, found))
                return line_excerpt(shown.places.statement, found) + "\n"
        return "" if INTERNAL_PREFIX in match[3] else match[0]

    told_message = _BLOCK.sub(told, message)
    return _IN_VIEW.sub(lambda match: "" if INTERNAL_PREFIX in match[1] else match[0], told_message), places


def shown_place(message: str, statement: str) -> tuple[str, Span] | None:
    """The part of a message before the place of the statement that it shows, and the place; None where it shows
    none."""
    match = _BLOCK.search(message)
    if match is None:
        return None
    span = _found(statement, (int(match[1]), int(match[2])), match[3].rstrip("\n").split("\n"))
    return None if span is None else (message[: match.start()].rstrip(), span)


def _found(text: str, place: tuple[int, int], lines: list[str]) -> Span | None:
    """Where a text has the part that is shown: at the place or, as Spark has put in other names, later on the line."""
    source = text.split("\n")
    line, column = place[0] - 1, place[1] - 1
    parts = list(_parts(lines))
    if line + len(parts) > len(source):
        return None
    first, before, after = parts[0]
    begin = column if source[line].startswith(first, column) else source[line].rfind(first)
    is_there = begin >= 0 and all(part.text in source[line + n] for n, part in enumerate(parts))
    if not is_there or (begin == column and not source[line][:begin].endswith(before)):
        return None
    if len(parts) == 1 and not source[line][begin + len(first) :].startswith(after):
        return None
    start = sum(len(one) + 1 for one in source[:line]) + begin
    return Span(start, start + len("\n".join(part.text for part in parts)))


class _Part(NamedTuple):
    """The part of a line above its carets, and the text before and after it, as far as that is not Spark's."""

    text: str
    before: str
    after: str


_NAME_OF_SPARK = re.compile(r"\b_pyspark\w*.*|\w*\.\.\.$", re.DOTALL)
"""A name that Spark has put in for a DataFrame, and all after it; or the end of a word that was cut off."""


def _parts(lines: list[str]) -> Iterator[_Part]:
    for shown, carets in zip(lines[::2], lines[1::2], strict=False):
        end = len(carets.rstrip())
        begin = carets.find("^")
        yield _Part(shown[begin:end], shown[:begin].removeprefix(_MORE), _NAME_OF_SPARK.sub("", shown[end:]))


class StatementPlace(QueryContext):
    """A place in the statement, as Spark's errors have it."""

    def __init__(self, statement: str, span: Span) -> None:
        self._statement = statement
        self.span = span

    def contextType(self) -> QueryContextType:
        return QueryContextType.SQL

    def objectType(self) -> str:
        return ""

    def objectName(self) -> str:
        return ""

    def startIndex(self) -> int:
        return self.span.start

    def stopIndex(self) -> int:
        return self.span.end - 1

    def fragment(self) -> str:
        return self.span.text(self._statement)

    def callSite(self) -> str:
        return ""

    def summary(self) -> str:
        return line_excerpt(self._statement, self.span)
