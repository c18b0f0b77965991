"""Finds where a part of a text that winsql made for Spark comes from in the user's statement.

Such a text holds the user's expressions as they were, in other places, with names of a plan between them. The words of
the part are looked for in the statement, with what the user wrote in the place of names of a plan. Of several matches
the one with the most equal words around it is taken.
"""

from __future__ import annotations

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from operator import attrgetter
from typing import NamedTuple

from winsql.errors import Excerpt, Span
from winsql.model.query import INTERNAL_PREFIX
from winsql.model.settings import ParserSettings
from winsql.syntax.text.tokens import Token, TokenKind, tokenize
from winsql.syntax.text.vocabulary import QUERY_STARTS

_MARKER = re.compile(rf"{INTERNAL_PREFIX}p\d+\b")
"""A name that `parameter_name` gives to a positional parameter."""


class _Word(NamedTuple):
    """A token's text, in upper case for names, and where it is."""

    text: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Places:
    """Places in one statement.

    written   for each windowed query, what the user wrote for the columns of its plan
    within    the query that the texts are made for: places in it are preferred
    fallback  the place of anything that the statement has no words for
    """

    statement: str
    written: Sequence[Mapping[str, str]] = ()
    within: Span | None = None
    fallback: Span | None = None
    settings: ParserSettings | None = None

    def find(self, text: str, part: Span) -> Span | None:
        """The place in the statement of a part of the text; `fallback` where it has none.

        Of a query in which the statement has windows, its beginning up to them.
        """
        begun = None
        for names in (*self.written, {}):
            words = _expanded(text, tuple(names.items()), self.settings)
            first = bisect_right(words, part.start, key=attrgetter("end"))
            stop = bisect_left(words, part.end, key=attrgetter("start"))
            if first >= stop:
                break
            found = self._best(words, first, stop)
            if found is None and stop - first == 3 and words[first + 1].text == ".":  # the plan's name of a side
                found = self._best(words, stop - 1, stop)
            if found is not None:
                return found
            begun = begun or self._begun(words[first:stop])
        return begun or self.fallback

    def after(self, text: str, part: Span) -> Span | None:
        """The place of the word that follows, in the statement, the word before a part of the text.

        It is for syntax errors: the part itself may be a word of winsql's, unless it is the first one.
        """
        here, words = _words(self.statement, self.settings), _words(text, self.settings)
        before = next((word for word in reversed(words) if word.end <= part.start), None)
        if before is None:
            return self.find(text, part)
        if before is words[-1] and before.text == here[-1].text:
            return Span(here[-1].end, here[-1].end)
        found = self.find(text, Span(before.start, before.end))
        if found is None or found == self.fallback:  # the first word of the text may be winsql's, as EXPLAIN
            return Span(here[0].start, here[0].end) if before is words[0] and here else found
        return next((Span(word.start, word.end) for word in here if word.start >= found.end), found)

    def knowing(self, written: Mapping[str, str]) -> Places:
        """The same for texts that have further columns of a plan."""
        return replace(self, written=tuple({**names, **written} for names in self.written or ({},)))

    def _best(self, words: Sequence[_Word], first: int, stop: int) -> Span | None:
        here = _words(self.statement, self.settings)
        starts = _occurrences(words[first:stop], here, _index(self.statement, self.settings))
        if len(starts) > 1:
            likeness = {start: self._likeness(words, first, stop, here, start) for start in starts}
            most = max(likeness.values())
            starts = [start for start in starts if likeness[start] == most]
        if not starts:
            return None
        others = [] if len(starts) == 1 else _occurrences(words[first:stop], words)
        best = starts[others.index(first) if len(others) == len(starts) else 0]
        return Span(here[best].start, here[best + stop - first - 1].end)

    def _begun(self, words: Sequence[_Word]) -> Span | None:
        """The longest beginning of a query that the statement has; None for other parts of a text."""
        here = _words(self.statement, self.settings)
        places = _index(self.statement, self.settings).get(words[0].text, ()) if words[0].text in QUERY_STARTS else ()
        lengths = {place: _equal(zip(words, here[place:], strict=False)) for place in places}
        best = max(lengths, key=lambda place: lengths[place], default=None)
        if best is None or lengths[best] < 2:
            return None
        return Span(here[best].start, here[best + lengths[best] - 1].end)

    def _likeness(
        self, words: Sequence[_Word], first: int, stop: int, here: Sequence[_Word], start: int
    ) -> tuple[bool, bool, int]:
        after = start + stop - first
        span = Span(here[start].start, here[after - 1].end)
        is_inside = self.within is None or (self.within.start <= span.start and span.end <= self.within.end)
        is_alias = start > 0 and here[start - 1].text == "AS" and not (first > 0 and words[first - 1].text == "AS")
        before = zip(reversed(words[:first]), reversed(here[:start]), strict=False)
        return is_inside, not is_alias, _equal(before) + _equal(zip(words[stop:], here[after:], strict=False))


def line_excerpt(text: str, span: Span) -> str:
    """A place in a text as Spark shows it: line and position, the line, and a caret under each character."""
    line, column, shown, place = Excerpt.of(text, span)
    carets = "^" * max(1, place.end - place.start)
    return f"== SQL (line {line}, position {column}) ==\n{shown}\n{' ' * place.start}{carets}"


def _equal(pairs: Iterable[tuple[_Word, _Word]]) -> int:
    """How many pairs of equal words come first."""
    count = 0
    for one, other in pairs:
        if one.text != other.text:
            break
        count += 1
    return count


def _occurrences(
    wanted: Sequence[_Word], words: Sequence[_Word], index: Mapping[str, Sequence[int]] | None = None
) -> list[int]:
    """The indexes in `words` at which the wanted words begin."""
    starts: Sequence[int] = range(len(words)) if index is None else index.get(wanted[0].text, ())
    texts = [word.text for word in wanted]
    return [n for n in starts if [word.text for word in words[n : n + len(texts)]] == texts]


# A plan has hundreds of places in a few texts.
@lru_cache(maxsize=64)
def _expanded(text: str, names: tuple[tuple[str, str], ...], settings: ParserSettings | None) -> tuple[_Word, ...]:
    """The words of a text, with what the user wrote in the place of names of a plan."""
    known, words = dict(names), list[_Word]()
    for word in _own(text, settings):
        written = known.get(text[word.start : word.end].strip("`"))
        if written is None:
            words.append(word)
        else:
            words += [_Word(inner.text, word.start, word.end) for inner in _own(written, settings)]
    return tuple(words)


@lru_cache(maxsize=64)
def _index(text: str, settings: ParserSettings | None) -> Mapping[str, Sequence[int]]:
    """The places of each word."""
    found: dict[str, list[int]] = {}
    for place, word in enumerate(_words(text, settings)):
        found.setdefault(word.text, []).append(place)
    return found


def _own(text: str, settings: ParserSettings | None) -> Iterator[_Word]:
    """The words of a text of winsql's, with positional parameters as in the statement."""
    for word in _words(text, settings):
        if _MARKER.fullmatch(text, word.start, word.end):
            yield word._replace(text="?")
        elif word.text != ":" or not _MARKER.match(text, word.end):
            yield word


@lru_cache(maxsize=64)
def _words(text: str, settings: ParserSettings | None) -> tuple[_Word, ...]:
    return tuple(_Word(_text(text, token), token.start, token.end) for token in tokenize(text, settings))


def _text(text: str, token: Token) -> str:
    return text[token.start : token.end] if token.kind is TokenKind.STRING else token.upper
