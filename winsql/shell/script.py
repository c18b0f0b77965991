"""Cuts a SQL script into statements, each with its place in the script.

A semicolon ends a statement unless it is in a string, a quoted identifier or a comment, of which
`winsql.syntax.text.tokens` knows what they look like to Spark, or in a BEGIN ... END.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from winsql.errors import Span, WindowSyntaxError, WinsqlError
from winsql.shell.blocks import statement_ends
from winsql.shell.files import Unreadable, read_text, shown_name
from winsql.syntax.text.tokens import Token, TokenKind, tokenize


class Shift(NamedTuple):
    """Characters `[start, end)` of a statement that came from `[origin, origin_end)` of what was written."""

    start: int
    end: int
    origin: int
    origin_end: int


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement, comments included, without the semicolon and surrounding white space.

    start   offset of its first character in the script
    body    offset, in the script, of the first character that is not a comment
    title   the `--` comment lines right above the body, without the dashes; None when there are none
    shifts  where `text` is not as written, since variables got their values
    """

    text: str
    start: int
    body: int
    title: str | None
    shifts: tuple[Shift, ...] = ()

    def place(self, span: Span) -> Span:
        """The characters of the script that a span of `text` came from."""
        start, end = self._origin(span.start)[0], self._origin(max(span.start, span.end - 1))[1]
        return Span(self.start + start, self.start + max(start, end if span.end > span.start else start))

    def within(self, position: int) -> int:
        """Where a character of the script, of no variable, is in `text`."""
        moved = [shift for shift in self.shifts if self.start + shift.origin_end <= position]
        return position - self.start + (moved[-1].end - moved[-1].origin_end if moved else 0)

    @property
    def end(self) -> int:
        """Offset of the character after it in the script."""
        return self.start + self._origin(len(self.text))[0]

    def _origin(self, position: int) -> tuple[int, int]:
        """The range as written that the character at `position` comes from."""
        before = 0
        for shift in self.shifts:
            if position < shift.start:
                break
            if position < shift.end:
                return shift.origin, shift.origin_end
            before = shift.origin_end - shift.end
        return position + before, position + before + 1


@dataclass(frozen=True, slots=True)
class Script:
    """The text of a file, of standard input or of an option, under the name that messages use."""

    name: str
    text: str
    statements: tuple[Statement, ...]


def read_script(name: str, text: str | None = None) -> Script:
    """The script of a file or standard input (`-`), or `text` under a name; raises Unreadable."""
    if text is None:
        name, text = shown_name(name), read_text(name)
    try:
        return Script(name, text, tuple(split(text)))
    except WinsqlError as error:
        raise Unreadable(f"{name}: {error}") from None


def split(script: str) -> list[Statement]:
    """The statements of `script`, in order; parts that hold only comments are none.

    Raises WindowSyntaxError at a string, quoted identifier or comment that is not closed, so that a script with such
    a mistake runs no statement at all.
    """
    statements = []
    begin = 0
    body: int | None = None
    tokens = tokenize(script)
    ends = statement_ends(tokens)
    for index, token in enumerate(tokens):
        if token.kind is TokenKind.UNCLOSED:
            raise _unclosed(script, token)
        if index in ends:
            if body is not None:
                statements.append(_statement(script, begin, body, token.start))
            begin, body = token.end, None
        elif body is None:
            body = token.start
    if body is not None:
        statements.append(_statement(script, begin, body, len(script)))
    return statements


_WHAT = {"'": "string", '"': "string", "`": "identifier", "/*": "comment"}


def _unclosed(script: str, token: Token) -> WindowSyntaxError:
    what = _WHAT[token.upper]
    is_comment = what == "comment"
    return WindowSyntaxError(
        f"this {what} is not closed before the end of the script",
        hint="close it with */; comments nest, each /* needs its own */"
        if is_comment
        else f"close it with {token.upper}",
        source=script,
        span=Span(token.start, token.end),
    )


def _statement(script: str, begin: int, body: int, end: int) -> Statement:
    text = script[begin:end]
    start = begin + len(text) - len(text.lstrip())
    # the rest of the line of the semicolon before belongs to the statement before
    above = script[begin:body].partition("\n")[2] if begin else script[:body]
    return Statement(text=text.strip(), start=start, body=body, title=_title(above))


def _title(comments: str) -> str | None:
    """The run of `--` lines that ends on the line above the body; a blank line cuts it off."""
    *above, indent = comments.split("\n")
    lines: list[str] = []
    for line in reversed([] if indent.strip() else above):
        if not line.lstrip().startswith("--"):
            break
        lines.append(line.strip().lstrip("-").strip())
    return "\n".join(reversed(lines)).strip() or None
