"""Cuts a SQL script into statements, each with its place in the script.

A semicolon ends a statement unless it stands in a string, a quoted identifier or a comment. What those look like
follows Spark's own lexer (`SqlBaseLexer.g4`): backslash escapes, doubled quotes, raw strings `r'..'`, backquoted
identifiers with doubled backquotes, `--` comments that a trailing backslash continues, `/* */` comments that nest,
and hints `/*+ */`, whose inside is ordinary text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum, auto

from winsql.errors import Span, WindowSyntaxError

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
    for kind, start, end in _tokens(script):
        if kind is _Kind.SEMICOLON:
            if body is not None:
                statements.append(_statement(script, begin, body, start))
            begin, body = end, None
        elif kind is _Kind.TEXT and body is None:
            body = start
    if body is not None:
        statements.append(_statement(script, begin, body, len(script)))
    return statements


class _Kind(Enum):
    TEXT = auto()
    COMMENT = auto()
    SEMICOLON = auto()


_TOKEN = re.compile(
    r"""
      (?P<line_comment> -- (?: \\\n | [^\r\n] )* )
    | (?P<open_comment> /\* (?!\+) )
    | (?P<raw>          r'[^']*' | r"[^"]*" )
    | (?P<string>       '(?: [^'\\] | \\. )*' | "(?: [^"\\] | \\. )*" )
    | (?P<name>         `(?: [^`] | `` )*` )
    | (?P<unclosed>     ['"`] )
    | (?P<uri>          [^\W\d_]+://[\w/.?=&\#%-]+ )
    | (?P<word>         \w+ )
    | (?P<semicolon>    ; )
    | (?P<other>        [^\s] )
    """,
    re.VERBOSE | re.DOTALL | re.IGNORECASE,
)
# inside a comment `/*+` opens nothing: Spark's lexer does not take a hint for a nested comment
_COMMENT_EDGE = re.compile(r"/\*(?!\+)|\*/")
_QUOTED = {"'": "string", '"': "string", "`": "identifier"}


_KINDS = {"line_comment": _Kind.COMMENT, "open_comment": _Kind.COMMENT, "semicolon": _Kind.SEMICOLON}


def _tokens(script: str) -> Iterator[tuple[_Kind, int, int]]:
    position = 0
    while match := _TOKEN.search(script, position):
        group, start, position = match.lastgroup or "", match.start(), match.end()
        if group == "open_comment":
            position = _end_of_comment(script, start)
        elif group == "unclosed":
            raise _unclosed(script, start, _QUOTED[match.group()], f"close it with {match.group()}")
        yield _KINDS.get(group, _Kind.TEXT), start, position


def _end_of_comment(script: str, start: int) -> int:
    depth = 1
    position = start + 2
    while depth:
        edge = _COMMENT_EDGE.search(script, position)
        if edge is None:
            raise _unclosed(script, start, "comment", "close it with */; comments nest, each /* needs its own */")
        depth += 1 if edge.group() == "/*" else -1
        position = edge.end()
    return position


def _unclosed(script: str, start: int, what: str, hint: str) -> WindowSyntaxError:
    width = 2 if what == "comment" else 1
    return WindowSyntaxError(
        f"this {what} is not closed before the end of the script",
        hint=hint,
        source=script,
        span=Span(start, start + width),
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
