"""Characters that SQL does not have outside of quotes: those that editors, web pages and other languages write."""

from __future__ import annotations

import unicodedata

from winsql.errors import WindowSyntaxError
from winsql.syntax.functions.window_table_functions import FUNCTION_NAMES
from winsql.syntax.statement_kind import is_raw
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind


def foreign_character(source: Source) -> WindowSyntaxError | None:
    """The first such character of a statement that may be winsql's; None where it has none before an open quote."""
    if not source.places(*_OWN_WORDS) or is_raw(source):
        return None
    for index, token in enumerate(source.tokens):
        if token.kind is TokenKind.UNCLOSED:
            return None
        if token.kind is TokenKind.SYMBOL:
            is_twice = source.text[token.start : token.start + 2] in _TWICE
            extent = Extent(index, index + 1 + is_twice)
            said = source.written(extent)
            hint = _hint(said)
            if hint is not None:
                rule = None if said.isascii() else _RULE
                return source.syntax_error(f"{_shown(said)} is not expected here", extent, rule=rule, hint=hint)
    return None


_OWN_WORDS = (*FUNCTION_NAMES, "ASSIGN", "TRIGGER", "EVICT", "WATERMARK", "STREAM", "STREAMS", "STREAMING")
_RULE = "outside of quotes SQL has letters, digits and the signs of ASCII"
_MEANT = {
    **dict.fromkeys("‘’‚‛′´＇“”„‟″＂«»", "'"),
    **{chr(ord(sign) + 0xFEE0): sign for sign in "()[]*+,-./:;<=>"},  # the signs of full width
    **dict.fromkeys("–—−‐‑", "-"),
    "、": ",",
    "×": "*",
    "÷": "/",
    "≥": ">=",
    "≤": "<=",
    "≠": "<>",
    "#": "-- before a comment",
}
_TWICE = {"&&": "AND", "//": "-- before a comment"}


def _hint(said: str) -> str | None:
    meant = _MEANT.get(said) or _TWICE.get(said)
    if meant is not None:
        return f"write {meant}"
    if said.isascii():
        return None
    if unicodedata.category(said[0]) == "Cf":
        return "leave it out: it is a mark that cannot be seen"
    return f"leave it out, or write `{said[0]}` where it is a name"


def _shown(written: str) -> str:
    return f"U+{ord(written):04X}" if unicodedata.category(written[0]) == "Cf" else written
