"""Where a data type ends: `MAP<STRING, INT>`, `INTERVAL DAY TO SECOND`, `TIME(3) WITHOUT TIME ZONE`."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from winsql.syntax.text.tokens import Token

ANGLES = {"<": 1, ">": -1, ">>": -2, ">>>": -3}
"""How many brackets of types a symbol opens."""
_FIELDS = ("YEAR", "MONTH", "DAY", "HOUR", "MINUTE", "SECOND")
_ZONES = (("WITHOUT", "TIME", "ZONE"), ("WITH", "LOCAL", "TIME", "ZONE"))


def type_end(tokens: Sequence[Token], closing: Callable[[int], int], index: int, stop: int) -> int:
    """The index after the type that begins at `index`, at most `stop`.

    closing   gives the index of the bracket that closes the one at an index
    """
    after = index + 1
    if after >= stop:
        return after
    if tokens[index].is_word("INTERVAL"):
        return _fields_end(tokens, after, stop)
    if tokens[index].is_word("ARRAY", "MAP", "STRUCT"):  # after other types `<` compares
        return after + 1 if tokens[after].is_symbol("<>") else _angles_end(tokens, after, stop)
    if tokens[after].is_symbol("("):
        after = min(closing(after) + 1, stop)
    for words in _ZONES if tokens[index].is_word("TIME", "TIMESTAMP") else ():
        if tuple(token.upper for token in tokens[after : min(after + len(words), stop)]) == words:
            return after + len(words)
    return after


def _fields_end(tokens: Sequence[Token], index: int, stop: int) -> int:
    """After the `DAY TO SECOND` of an interval, which may be there."""
    said = [token.upper for token in tokens[index : min(index + 3, stop)]]
    if not said or said[0] not in _FIELDS:
        return index
    return index + 3 if len(said) == 3 and said[1] == "TO" and said[2] in _FIELDS else index + 1


def _angles_end(tokens: Sequence[Token], index: int, stop: int) -> int:
    """After the `<...>` that may be at `index`."""
    depth = 0
    for place in range(index, stop):
        depth += ANGLES.get(tokens[place].upper, 0)
        if depth <= 0:
            return place + 1 if place > index else index
    return stop
