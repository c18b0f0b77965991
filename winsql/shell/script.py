"""Cuts a SQL script into statements, each with its place in the script.

A semicolon ends a statement unless it stands in a string, a quoted identifier or a comment; `winsql.syntax.tokens`
knows what those look like to Spark.
"""

from __future__ import annotations

from dataclasses import dataclass

from winsql.errors import Span, WindowSyntaxError
from winsql.syntax.tokens import Token, TokenKind, tokenize

__all__ = ["Script", "Statement", "split"]


@dataclass(frozen=True, slots=True)
class Statement:
    """One statement, comments included, without the semicolon and surrounding white space.

    start   offset of its first character in the script
    body    offset, in the script, of the first character that is not a comment
    title   the `--` comment lines right above the body, without the dashes; None when there are none
    """

    text: str
    start: int
    body: int
    title: str | None


@dataclass(frozen=True, slots=True)
class Script:
    """The text of a file, of standard input or of an option, under the name that messages use."""

    name: str
    text: str
    statements: tuple[Statement, ...]


def split(script: str) -> list[Statement]:
    """The statements of `script`, in order; parts that hold only comments are none.

    Raises WindowSyntaxError at a string, quoted identifier or comment that is not closed, so that a script with such
    a mistake runs no statement at all.
    """
    statements = []
    begin = 0
    body: int | None = None
    for token in tokenize(script):
        if token.kind is TokenKind.UNCLOSED:
            raise _unclosed(script, token)
        if token.is_symbol(";"):
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
