"""Where an interval literal ends: `INTERVAL 1 DAY 2 HOURS`, `INTERVAL '1 02' DAY TO HOUR`, `INTERVAL '1 day'`."""

from __future__ import annotations

from winsql.syntax.text.source import Source
from winsql.syntax.text.tokens import Token, TokenKind
from winsql.syntax.text.units import unit_name

_NANOSECONDS = ("NANOSECOND", "NANOSECONDS")


def interval_end(source: Source, index: int, stop: int) -> int:
    """The index after the interval literal whose INTERVAL is at `index`; `index` itself where the word is a name."""
    if not source.at(index, stop).is_word("INTERVAL") or not is_value_start(source.at(index + 1, stop)):
        return index
    end = _value_end(source, index + 1, stop)
    if not _is_unit(source.at(end, stop)):
        return end if source.at(index + 1).kind is TokenKind.STRING else index
    while _is_unit(source.at(end, stop)):
        end += 1
        if source.at(end, stop).is_word("TO"):
            return min(end + 2, stop)
        after = _value_end(source, end, stop)
        if not source.at(after - 1).is_literal or not _is_unit(source.at(after, stop)):
            break
        end = after
    return end


def is_value_start(token: Token) -> bool:
    """Whether a token begins the number or the string of an interval."""
    return token.is_literal or token.is_symbol("-", "+")


def _value_end(source: Source, index: int, stop: int) -> int:
    while source.at(index, stop).is_symbol("-", "+"):
        index += 1
    while source.at(index, stop).is_literal:
        index += 1
    return index


def _is_unit(token: Token) -> bool:
    return token.kind is TokenKind.WORD and (unit_name(token.upper) is not None or token.is_word(*_NANOSECONDS))
