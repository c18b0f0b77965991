"""Where operands begin and end, which tells a keyword from a column of the same name.

`SELECT offset FROM t WHERE offset > 5 LIMIT 3 OFFSET 1`: a word where an operand is expected is a name; a word where
one has just ended is a keyword or an alias.
"""

from __future__ import annotations

from winsql.syntax.text.parts import beside
from winsql.syntax.text.source import Source
from winsql.syntax.text.tokens import TokenKind
from winsql.syntax.text.vocabulary import INFIX, PREFIX


def asks_for_operand(source: Source, index: int) -> bool:
    """Whether a word of PREFIX where an operand begins asks for one: those of CASE and EXISTS may be columns."""
    if source.at(index).is_word("EXISTS"):
        return source.at(index + 1).is_symbol("(")
    if source.at(index).is_word("WHEN", "THEN", "ELSE"):  # after operands, but for `CASE WHEN`
        is_operand = source.words(index, "THEN", "WHEN") or source.words(index, "ELSE", "WHEN")
        return source.at(index - 1).is_word("CASE") and not is_operand
    return not source.at(index).is_word("CASE") or _has_branches(source, index)


def _has_branches(source: Source, index: int) -> bool:
    """Whether WHEN follows CASE, maybe after an operand."""
    after = (place for place in beside(source, index, "WHEN", "FROM", ",") if place > index)
    first = next((place for place in after if not source.words(place - 1, "DISTINCT", "FROM")), index)
    return source.words(first, "WHEN")


def begins_operand(source: Source, index: int) -> bool:
    """Whether an operand begins at a token that is not the first one, as the token before it asks for one."""
    before = source.at(index - 1)
    if before.kind is TokenKind.SYMBOL:
        return not before.is_symbol(")", "]", "}")
    if not before.is_word(*INFIX, *PREFIX):
        return False
    if begins_operand(source, index - 1):  # it may be a column itself, as `by` in `CASE by WHEN ...`
        return before.is_word(*PREFIX) and asks_for_operand(source, index - 1)
    return before.is_word(*INFIX)


class OperandState:
    """Reads tokens from left to right; `is_done` says whether an operand has ended before the next one."""

    def __init__(self, source: Source) -> None:
        self.source = source
        self.is_done = False

    def reset(self) -> None:
        """To the state after a word that begins a clause."""
        self.is_done = False

    def advance(self, index: int) -> int:
        """Takes the token at `index`, or all of the bracket it opens; returns the next index."""
        kind, _, _, text = self.source.tokens[index]
        if kind is TokenKind.WORD:
            is_quantifier = text == "ALL" and self.source.at(index + 1).is_symbol("*")  # SELECT ALL *
            asks = text in INFIX if self.is_done else text in PREFIX and asks_for_operand(self.source, index)
            self.is_done = not asks and not is_quantifier
        elif kind is TokenKind.SYMBOL:
            return self._symbol(index)
        else:
            self.is_done = True
        return index + 1

    def _symbol(self, index: int) -> int:
        text = self.source.tokens[index].upper
        if text in ("(", "["):
            self.is_done = True
            return self.source.closing(index) + 1
        if text == "/*+":
            self.is_done = False
            return self.source.after_hint(index)
        if text == "::":
            self.is_done = True
            return self.source.skip_type(index + 1, len(self.source))
        if text == ".":
            self.is_done = True
            after = self.source.at(index + 1)
            return index + 2 if after.is_name or after.is_symbol("*") else index + 1
        self.is_done = text == "}" or (text == "*" and not self.is_done)
        return index + 1
