"""Where statements end: at semicolons, but not at those within BEGIN ... END, which are of Spark's SQL scripts."""

from __future__ import annotations

from collections.abc import Sequence
from enum import Enum, auto

from winsql.syntax.text.tokens import Token, TokenKind
from winsql.syntax.text.vocabulary import INFIX, PREFIX


def statement_ends(tokens: Sequence[Token]) -> set[int]:
    """The indexes of the semicolons that end a statement."""
    ends: set[int] = set()
    first = 0
    script = _Script(tokens)
    for index, token in enumerate(tokens):
        if script.levels or _begins_script(tokens, first, index):
            script.read(index)
        elif token.is_symbol(";"):
            ends.add(index)
            first = index + 1
    return ends


def _begins_script(tokens: Sequence[Token], first: int, index: int) -> bool:
    """Whether a statement from `first` on is a script, with a label or without, that begins at `index`."""
    if not tokens[index].is_word("BEGIN") or index + 1 == len(tokens) or tokens[index + 1].is_symbol(";"):
        return False
    return index == first or (index == first + 2 and tokens[first].is_name and tokens[first + 1].is_symbol(":"))


class _Level(Enum):
    """What an END closes."""

    BLOCK = auto()
    """BEGIN, or the statement CASE."""
    EXPRESSION = auto()
    """CASE within a statement."""


class _Script:
    """What is open at a token of a script. Columns may be named `begin` and `end`."""

    def __init__(self, tokens: Sequence[Token]) -> None:
        self.levels: list[_Level] = []
        self._tokens = tokens
        self._first = 0  # of the statement inside

    def read(self, index: int) -> None:
        """The next token."""
        token, is_first = self._tokens[index], self._begins_statement(index)
        if is_first:
            self._first = index
        if token.is_word("BEGIN") and (is_first or self._comes_after_declare(index)):
            self.levels.append(_Level.BLOCK)
        elif token.is_word("CASE") and not self._is_name(index):
            self.levels.append(_Level.BLOCK if is_first else _Level.EXPRESSION)
        elif token.is_word("END") and self._closes(index, is_first):
            self.levels.pop()
        elif token.is_symbol(";"):
            while self.levels[-1:] == [_Level.EXPRESSION]:  # it was a name
                self.levels.pop()

    def _begins_statement(self, index: int) -> bool:
        if not self.levels:
            return True
        if self.levels[-1] is _Level.EXPRESSION:
            return False
        before = self._before(index)
        is_labelled = before.is_symbol(":") and index == self._first + 2
        return before.is_symbol(";") or before.is_word(*_BEFORE_STATEMENTS) or is_labelled

    def _is_name(self, index: int) -> bool:
        """Whether this CASE is in `t.case`, `x AS case`, `END CASE`."""
        return self._before(index).is_symbol(".") or self._before(index).is_word("AS", "END")

    def _comes_after_declare(self, index: int) -> bool:
        """`DECLARE EXIT HANDLER FOR SQLEXCEPTION BEGIN`."""
        words = [token.upper for token in self._tokens[self._first : self._first + 4]]
        return words[:1] == ["DECLARE"] and words[2:] == ["HANDLER", "FOR"] and not self._before(index).is_word("FOR")

    def _closes(self, index: int, is_first: bool) -> bool:
        if self.levels[-1] is _Level.EXPRESSION:
            before = self._before(index)
            asks = before.is_word(*INFIX, *PREFIX) or (
                before.kind is TokenKind.SYMBOL and not before.is_symbol(")", "]")
            )
            return not asks  # else it is a column
        after = self._tokens[index + 1 : index + 2]
        return is_first and not (after and after[0].is_word(*_WITHOUT_LEVEL))

    def _before(self, index: int) -> Token:
        return self._tokens[max(index - 1, 0)]


_BEFORE_STATEMENTS = ("BEGIN", "THEN", "ELSE", "DO", "LOOP", "REPEAT")
_WITHOUT_LEVEL = ("IF", "WHILE", "LOOP", "REPEAT", "FOR")
"""Statements that END closes, and that need no level, because the word comes again after END."""
