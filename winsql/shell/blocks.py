"""Where statements end: at semicolons, but not at those within BEGIN ... END, which are of Spark's SQL scripts."""

from __future__ import annotations

from collections.abc import Sequence

from winsql.syntax.text.tokens import Token

__all__ = ["statement_ends"]


def statement_ends(tokens: Sequence[Token]) -> set[int]:
    """The indexes of the semicolons that end a statement."""
    ends: set[int] = set()
    first = depth = 0
    for index, token in enumerate(tokens):
        if depth or _begins_script(tokens, first, index):
            depth += _step(tokens, index)
        elif token.is_symbol(";"):
            ends.add(index)
            first = index + 1
    return ends


def _begins_script(tokens: Sequence[Token], first: int, index: int) -> bool:
    """Whether a statement from `first` on is a script, with a label or without, that begins at `index`."""
    if not tokens[index].is_word("BEGIN") or index + 1 == len(tokens) or tokens[index + 1].is_symbol(";"):
        return False
    return index == first or (index == first + 2 and tokens[first].is_name and tokens[first + 1].is_symbol(":"))


def _step(tokens: Sequence[Token], index: int) -> int:
    """How many levels deeper it is after a token; an expression with CASE ends with END as well."""
    token, before = tokens[index], tokens[max(index - 1, 0)]
    after = tokens[index + 1] if index + 1 < len(tokens) else token
    if before.is_symbol(".") or before.is_word("AS"):  # a name
        return 0
    if token.is_word("BEGIN") or (token.is_word("CASE") and not before.is_word("END")):
        return 1
    return -1 if token.is_word("END") and not after.is_word(*_WITHOUT_LEVEL) else 0


_WITHOUT_LEVEL = ("IF", "WHILE", "LOOP", "REPEAT", "FOR")
"""Statements that END closes, and that need no level, because the word comes again after END."""
