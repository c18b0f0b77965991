"""What colour the parts of a statement have."""

from __future__ import annotations

from collections.abc import Iterator

from winsql.shell.interactive.words import KEYWORDS, policies
from winsql.syntax.text.tokens import Token, TokenKind, tokenize

STYLES = {
    "keyword": "bold ansiblue",
    "policy": "bold ansimagenta",
    "string": "ansigreen",
    "number": "ansicyan",
    "comment": "italic ansibrightblack",
    "unclosed": "ansired",
}
"""Styles of prompt_toolkit by the classes that `coloured` gives."""


def coloured(text: str) -> Iterator[tuple[str, str]]:
    """The whole text in parts, each with its class (`class:keyword`, '' for none)."""
    known = policies()
    position = 0
    for token in tokenize(text):
        yield from _between(text[position : token.start])
        if token.kind is TokenKind.UNCLOSED:
            yield "class:unclosed", text[token.start :]
            return
        yield _class_of(token, known), text[token.start : token.end]
        position = token.end
    yield from _between(text[position:])


def _between(text: str) -> Iterator[tuple[str, str]]:
    """Blanks and comments."""
    if text:
        yield "class:comment" if text.strip() else "", text


def _class_of(token: Token, known: frozenset[str]) -> str:
    if token.kind is TokenKind.WORD:
        return "class:policy" if token.upper in known else "class:keyword" if token.upper in KEYWORDS else ""
    return _CLASSES.get(token.kind, "")


_CLASSES = {TokenKind.STRING: "class:string", TokenKind.NUMBER: "class:number"}
