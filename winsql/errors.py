"""Every error winsql raises for a user's mistake, and how it is shown.

An error says what is wrong, which rule it breaks and what to write instead. One that knows its place in the
statement shows line, column, the source line and a caret. The classes name the stage that found the mistake.
"""

from __future__ import annotations

import re
import unicodedata
from typing import NamedTuple, Self

__all__ = [
    "Excerpt",
    "Span",
    "WindowDataError",
    "WindowPlanError",
    "WindowSpecError",
    "WindowSyntaxError",
    "WinsqlError",
]


class Span(NamedTuple):
    """A range of a statement, as half-open character offsets `[start, end)`."""

    start: int
    end: int

    def text(self, source: str) -> str:
        """The characters of `source` that this span covers."""
        return source[self.start : self.end]

    def line_and_column(self, source: str) -> tuple[int, int]:
        """1-based line and column of the span's first character."""
        before = source[: self.start]
        return before.count("\n") + 1, self.start - (before.rfind("\n") + 1) + 1


def as_written(text: str) -> str:
    """Text with its positional parameters as the statement has them: to Spark they go by names of winsql's own."""
    return _MARKER.sub("?", text)


_MARKER = re.compile(r":windowed__p\d+\b")


class WinsqlError(Exception):
    """Base of all winsql errors; `str(error)` is the complete message for the user.

    problem    one sentence: what is wrong
    rule       the rule of the language or of the window mechanism that was broken
    hint       what to write instead
    source     the statement, and `span` the place in it; both or neither
    parameter  name of the policy parameter at fault, when a policy's constructor refused it
    column     name of the column at fault, when it may be one that does not exist
    """

    def __init__(
        self,
        problem: str,
        *,
        rule: str | None = None,
        hint: str | None = None,
        source: str | None = None,
        span: Span | None = None,
        parameter: str | None = None,
        column: str | None = None,
    ) -> None:
        super().__init__(problem)
        self.problem = as_written(problem)
        self.rule = rule
        self.hint = None if hint is None else as_written(hint)
        self.source = source
        self.span = span
        self.parameter = parameter
        self.column = column

    def located(self, source: str, span: Span) -> Self:
        """The same error with its place in the statement; a place already known is kept."""
        if self.span is None:
            self.source, self.span = source, span
        return self

    def __str__(self) -> str:
        return self.told()

    def told(self, columns: int | None = None) -> str:
        """The complete message; the line with the place is cut to the columns of a terminal, if they are given."""
        lines = [self.problem]
        if self.source is not None and self.span is not None:
            lines += _excerpt(self.source, self.span, columns)
        if self.rule:
            lines.append(f"  rule: {self.rule}")
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)


class WindowSyntaxError(WinsqlError):
    """The text of a window clause cannot be read."""


class WindowSpecError(WinsqlError):
    """A window clause can be read, but it breaks a rule."""


class WindowPlanError(WinsqlError):
    """A valid windowed query cannot run on this relation or in this place."""


class WindowDataError(WinsqlError):
    """A row, or a user's policy or function working on it, broke a rule while the query ran."""


class Excerpt(NamedTuple):
    """A line of a statement with a place in it; of a line that is too long what is around the place.

    line, column   1-based, of the place in the statement
    text           what is shown
    place          the place in it, up to the end of the line
    """

    line: int
    column: int
    text: str
    place: Span

    @classmethod
    def of(cls, source: str, span: Span, room: int | None = None) -> Excerpt:
        """The line with a span; `room` is how many cells of a terminal it may fill."""
        line, column = span.line_and_column(source)
        start = span.start - (column - 1)
        stop = source.find("\n", start)
        text = source[start : stop if stop >= 0 else len(source)].rstrip("\r")
        first, last = column - 1, min(span.end - start, len(text))
        size = sum(map(cells, text))
        if len(text) <= _LONGEST_LINE and (room is None or size <= room):
            return cls(line, column, text, Span(first, last))
        before_it, after_it = (_AROUND, _AROUND) if room is None else _parts(room, is_wide=size > len(text))
        cut = max(first - before_it, 0)
        before, after = "..." if cut else "", "..." if first + after_it < len(text) else ""
        text, first = f"{before}{text[cut : first + after_it]}{after}", first - cut + len(before)
        return cls(line, column, text, Span(first, min(last - cut + len(before), len(text) - len(after))))


_LONGEST_LINE, _AROUND = 1000, 200


def _parts(room: int, *, is_wide: bool) -> tuple[int, int]:
    """How many characters before the beginning of a place, and from there on, fill a line beside its dots."""
    most = max(room - 6, 6) // (2 if is_wide else 1)
    return most // 3, most - most // 3


def _excerpt(source: str, span: Span, columns: int | None) -> list[str]:
    """Position, source line and caret; tabs are kept so that the caret stays under its word."""
    line, column, text, place = Excerpt.of(source, span, None if columns is None else columns - 4)
    width = max(1, sum(map(cells, place.text(text))))
    pad = "".join(c if c == "\t" else " " * cells(c) for c in text[: place.start])
    return [f"  at line {line}, column {column}:", f"    {text}", f"    {pad}{'^' * width}"]


def cells(character: str) -> int:
    """How many cells of a terminal a character fills."""
    if unicodedata.category(character) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(character) in "WF" else 1
