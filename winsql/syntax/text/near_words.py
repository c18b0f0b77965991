"""The words that begin a clause, found where they are misspelled or those of another system."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from typing import Any

from winsql.model.nearest import nearest
from winsql.model.registry import Registry
from winsql.syntax.text.parts import Part
from winsql.syntax.text.source import Source
from winsql.syntax.text.tokens import Token
from winsql.syntax.text.vocabulary import INFIX, KEYWORDS, PREFIX, QUERY_STARTS, SET_OPERATORS, words

_BESIDE = (
    Part("PARTITION BY", meant=("PARTITIONED BY", "KEYED BY", "KEY BY")),
    Part.WHERE,
    Part.GROUP_BY,
    Part.HAVING,
    Part.QUALIFY,
    Part.ORDER_BY,
    Part.LIMIT,
    Part.OFFSET,
)
"""Spark's clauses that may come after a window clause."""


def near_clause(source: Source, index: int, clauses: Iterable[Part]) -> Part | None:
    """The clause that is meant at `index`, of these or of Spark's own beside them: two words are tried before one."""
    known = {part.words: part for part in (*clauses, *_BESIDE)}
    found = near_phrase(source, index, known, {words: part.words for part in known.values() for words in part.meant})
    return None if found is None else known[found]


def near_phrase(
    source: Source, index: int, phrases: Collection[str], meanings: Mapping[str, str] | None = None
) -> str | None:
    """The phrase that is written at `index`, right or misspelled, longer ones tried first; None for none.

    meanings   other words, and the phrases that they mean
    """
    for count in sorted({phrase.count(" ") for phrase in phrases}, reverse=True):
        tokens = [source.at(index + n) for n in range(count + 1)]
        if all(token.is_name for token in tokens):
            as_long = [phrase for phrase in phrases if phrase.count(" ") == count]
            found = nearest(" ".join(token.upper for token in tokens), as_long, meanings)
            if found is not None:
                return found
    return None


def near_word(token: Token, known: Iterable[str]) -> str | None:
    """The hint for a word that is nearly one of those; None for another."""
    near = nearest(token.upper, known) if token.is_name else None
    return None if near is None else f"did you mean {near}?"


# what begins the body of a clause, which shows that the misspelled words before it are meant as the clause


def begins_duration(source: Source, index: int) -> bool:
    """An interval, a string or a number."""
    token = source.at(index)
    return token.is_word("INTERVAL") or token.is_literal


def begins_name(source: Source, index: int) -> bool:
    """A name that is no word of the grammar."""
    return source.at(index).is_name and not source.at(index).is_word(*KEYWORDS)


def is_policy(source: Source, index: int, registry: Registry[Any]) -> bool:
    """Whether a policy of the registry, or one with nearly its name, is called at `index`."""
    name = source.at(index)
    if not name.is_name or not source.at(index + 1).is_symbol("(") or name.is_word(*KEYWORDS - set(registry)):
        return False
    return source.name(index) in registry or registry.nearest(source.name(index)) is not None


def ends_operand(source: Source, index: int) -> bool:
    """Whether a relation or an expression may end with this token."""
    if index < 0:
        return False
    token = source.at(index)
    if token.is_name:
        return not token.is_word(*_OPEN)
    return token.is_symbol(")", "]", "*") or token.is_literal


_OPEN = INFIX | PREFIX | QUERY_STARTS | SET_OPERATORS
_OPEN |= words("BY TABLE INTO HAVING LIMIT QUALIFY LATERAL VIEW FUNCTION SET STREAM ALL INTERVAL OVERWRITE")
"""Words after which a name or an operand must come."""
