"""Puts winsql's own words around the user's text, so that neither changes what the other means.

Spark reserves few words, so that what is beside a text may change its meaning: `FROM t WHERE (ok)` gives t the alias
WHERE and its column the name ok, and in `SELECT distinct AS k` DISTINCT is not a column. A range of the user's tokens
ends with a token, so that no comment is open after it.
"""

from __future__ import annotations

from collections.abc import Container

from winsql.syntax.text.parts import is_query_start
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind, tokenize


def clause(word: str, text: str) -> str:
    """`word text` after a FROM body, where `WHERE (a)` would be an alias with a list of columns.

    Brackets around all of the text are removed after a single word; those of a row, `(a, b)`, become a call.
    """
    if " " in word or not text.startswith("("):
        return f"{word} {text}"
    source = Source(text)
    inside = source.unwrapped(Extent(0, len(source)))
    is_row = source.is_bracketed(inside) and not is_query_start(source, inside.first + 1)
    return f"{word} {'struct' if is_row else ''}{source.verbatim(inside)}"


def conjunction(*conditions: str | None) -> str:
    """The conditions with AND between them; '' for none."""
    given = [condition for condition in conditions if condition]
    return " AND ".join(f"({condition})" for condition in given) if len(given) > 1 else "".join(given)


def column(sql: str, name: str) -> str:
    """`sql AS name`, an item of a select list, in brackets where AS would be read as a column."""
    words = sql.split(maxsplit=1)
    is_quantifier = bool(words) and words[0].upper() in ("ALL", "DISTINCT")
    return f"({sql}) AS {name}" if is_quantifier or sql[-1:] in _OPERATORS else f"{sql} AS {name}"


_OPERATORS = frozenset("+-/%&|^~!=<>:.")


def split_at(text: str, names: Container[str]) -> list[str]:
    """The text cut at these names, which are at odd places of the result; names in strings are left alone."""
    pieces, position = [], 0
    for token in tokenize(text):
        name = text[token.start : token.end]
        if token.kind is TokenKind.WORD and name in names:
            pieces += [text[position : token.start], name]
            position = token.end
    return [*pieces, text[position:]]
