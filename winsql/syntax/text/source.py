"""A statement's text with its tokens: brackets matched, slices verbatim, errors with their place."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from copy import copy
from typing import NamedTuple

from winsql.errors import Span, WindowSpecError, WindowSyntaxError
from winsql.model.parameters import Parameters
from winsql.model.query import INTERNAL_PREFIX, WINDOW_COLUMNS
from winsql.model.settings import DEFAULTS, ParserSettings
from winsql.model.window_tables import FindWindowTable
from winsql.syntax.text import vocabulary
from winsql.syntax.text.brackets import CLOSERS, OPENERS, depths_of, match_brackets
from winsql.syntax.text.tokens import Token, TokenKind, tokenize, upper_name
from winsql.syntax.text.types import ANGLES, type_end

_PARTNERS = "every bracket, quote and comment that is opened is closed"
_END = Token(TokenKind.SYMBOL, 0, 0, "")


IsAggregate = Callable[[str], bool]
"""Says whether a function that is neither built in nor registered is an aggregate of the session."""
IsVariable = Callable[[str], bool]
"""Says whether a name, as written in SQL, is a session variable where it is no column."""


def is_qualified_variable(name: str) -> bool:
    """What the text alone tells: `session.x`, `system.session.x`."""
    return _OF_SESSION.match(name) is not None


_OF_SESSION = re.compile(r"(?:(?:system|`system`)\s*\.\s*)?(?:session|`session`)\s*\.", re.IGNORECASE)


class Extent(NamedTuple):
    """A range of tokens, as half-open indexes `[first, stop)`."""

    first: int
    stop: int

    @property
    def is_empty(self) -> bool:
        return self.first >= self.stop

    @property
    def is_single(self) -> bool:
        return self.stop - self.first == 1

    @property
    def indexes(self) -> range:
        return range(self.first, self.stop)

    def holds(self, other: Extent) -> bool:
        """Whether all of another range is in it."""
        return self.first <= other.first and other.stop <= self.stop


class Edit(NamedTuple):
    """Characters `[start, end)` of the statement that read differently in what is rendered."""

    start: int
    end: int
    text: str


def parameter_name(ordinal: int) -> str:
    """The name a positional parameter gets, since its marker may move, vanish or be needed twice in a plan."""
    return f"{INTERNAL_PREFIX}p{ordinal}"


class Source:
    """Text, tokens and brackets of one statement.

    depth    how many brackets are around a token at most
    partner  index of the matching bracket of each bracket token, None elsewhere
    group    index of the round or square bracket around each token, TOP outside of all
    edits    what every verbatim slice replaces: parameter markers, nested windowed queries
    markers  the positional parameter markers
    parameters   the values of the statement's parameters; None where only the text is known
    settings how the session reads quotes
    is_variable  whether a name, as written in SQL, is a session variable where it is no column
    is_aggregate whether a function, by its name in upper case, is an aggregate of the session
    window_table what the session knows of a table with windows; None where it has none
    stand_ins   names in the place of relations, by the tokens of these
    windows  which column references are window columns of the query that is read, by the token of the column's name;
             None where the names that winsql gives them are
    """

    def __init__(
        self,
        text: str,
        settings: ParserSettings = DEFAULTS,
        parameters: Parameters | None = None,
        is_variable: IsVariable | None = None,
        is_aggregate: IsAggregate | None = None,
        window_table: FindWindowTable | None = None,
    ) -> None:
        self.text = text
        self.settings = settings
        self.parameters = parameters
        self.is_variable = is_variable or is_qualified_variable
        self.is_aggregate = is_aggregate or (lambda name: False)
        self.window_table = window_table
        self.tokens = tokenize(text, settings)
        self.partner, self.group, self._unmatched = match_brackets(self.tokens)
        self.depth = max(depths_of(self.group).values())
        self._places: dict[str, list[int]] | None = None
        self.markers = [t for t in self.tokens if t.kind is TokenKind.PARAMETER]
        self.windows: Mapping[int, str] | None = None
        self.stand_ins: Mapping[Extent, str] = {}
        self.edits: tuple[Edit, ...] = tuple(
            Edit(t.start, t.end, f":{parameter_name(n)}{_blank_before(text[t.end :][:1])}")
            for n, t in enumerate(self.markers)
        )

    def edited(self, edit: Edit) -> Source:
        """The same source with one more edit in its verbatim slices."""
        other = copy(self)
        other.edits = (*self.edits, edit)
        return other

    def replaced(self, extent: Extent, text: str) -> Source:
        """The same source with a text in the place of a range of tokens."""
        return self.edited(Edit(*self.span(extent), text))

    def with_windows(self, windows: Mapping[int, str]) -> Source:
        """The same source where these references alone are window columns: token -> name in `WINDOW_COLUMNS`."""
        other = copy(self)
        other.windows = windows
        return other

    def window_column(self, path: Extent) -> str | None:
        """The window column that a column reference is, by its name in `WINDOW_COLUMNS`; None for other columns."""
        if self.windows is not None:
            return self.windows.get(path.stop - 1)
        name = self.folded(path.first) if self.settings.case_sensitive else self.tokens[path.first].upper.lower()
        return name if path.is_single and name in WINDOW_COLUMNS else None

    def __len__(self) -> int:
        return len(self.tokens)

    def at(self, index: int, stop: int | None = None) -> Token:
        """The token at `index`; a token that is nothing outside the text, or at or after `stop`."""
        if 0 <= index < (len(self.tokens) if stop is None else stop):
            return self.tokens[index]
        return _END

    def words(self, index: int, *words: str) -> bool:
        """Whether the unquoted words are at `index`, one after the other."""
        tokens = self.tokens
        if not 0 <= index <= len(tokens) - len(words):
            return False
        for word in words:
            kind, _, _, upper = tokens[index]
            if upper != word or kind is not TokenKind.WORD:
                return False
            index += 1
        return True

    def places(self, *texts: str) -> list[int]:
        """The indexes of the unquoted words and symbols that are one of these, in order."""
        if self._places is None:
            self._places = {}
            for index, (kind, _, _, upper) in enumerate(self.tokens):
                if kind is TokenKind.WORD or kind is TokenKind.SYMBOL:
                    self._places.setdefault(upper, []).append(index)
        if len(texts) == 1:
            return self._places.get(texts[0], [])
        return sorted(index for text in texts for index in self._places.get(text, ()))

    def after_hint(self, index: int) -> int:
        """The index after the hint that begins at `index`."""
        return next((place + 1 for place in self.places("*/") if place >= index), len(self.tokens))

    def closing(self, index: int) -> int:
        """Index of the bracket that closes the one at `index`."""
        partner = self.partner[index]
        if partner is None:
            raise self.syntax_error("this bracket is not closed", index)
        return partner

    def span(self, extent: Extent) -> Span:
        """The characters of a range of tokens; of the place between two tokens when it is empty."""
        if not extent.is_empty:
            return Span(self.tokens[extent.first].start, self.tokens[extent.stop - 1].end)
        end = self.tokens[-1].end if self.tokens else 0
        place = self.tokens[extent.first].start if extent.first < len(self.tokens) else end
        return Span(place, place)

    def written(self, extent: Extent) -> str:
        """The text of a range of tokens as the user wrote it, without edits."""
        return self.span(extent).text(self.text)

    def verbatim(self, extent: Extent, edits: Iterable[Edit] = ()) -> str:
        """The text of a range of tokens with the statement's edits and these applied."""
        return self.slice(self.span(extent), edits)

    def slice(self, span: Span, edits: Iterable[Edit] = ()) -> str:
        """The text of a span with these edits and the statement's applied; an edit hides those inside it, and earlier
        ones of its own place."""
        inside = [e for e in (*edits, *reversed(self.edits)) if span.start <= e.start and e.end <= span.end]
        if not inside:
            return self.text[span.start : span.end]
        parts = []
        position = span.start
        for edit in sorted(inside, key=lambda e: (e.start, -e.end)):
            if edit.start < position:
                continue
            parts += [self.text[position : edit.start], edit.text]
            position = edit.end
        return "".join(parts) + self.text[position : span.end]

    def name(self, index: int) -> str:
        """The name a word or quoted token means, in its own case."""
        token = self.tokens[index]
        raw = self.text[token.start : token.end]
        return raw[1:-1].replace(raw[0] * 2, raw[0]) if token.kind is TokenKind.QUOTED else raw

    def folded(self, index: int) -> str:
        """The name at `index` in a form that is equal for names that are one to the session."""
        return self.name(index) if self.settings.case_sensitive else self.tokens[index].upper

    def fold(self, name: str) -> str:
        """A name in the form of `folded`."""
        return name if self.settings.case_sensitive else upper_name(name)

    def normal(self, extent: Extent) -> tuple[str, ...]:
        """The tokens of a range in a form that is equal for texts that differ in case, spacing or comments only.

        Where the session tells names of other case apart, so does it.
        """
        return tuple(map(self._normal, range(extent.first, extent.stop)))

    def same(self, left: int, right: int) -> bool:
        """Whether two tokens are equal in the form of `normal`."""
        return self.tokens[left].upper == self.tokens[right].upper and self._normal(left) == self._normal(right)

    def _normal(self, index: int) -> str:
        token = self.tokens[index]
        if token.kind is TokenKind.STRING:
            return self.text[token.start : token.end]
        is_name = self._is_name(index)
        name = self.folded(index) if is_name else token.upper
        if not is_name and name in vocabulary.LITERAL_PREFIXES:
            return f"{name} '...'"  # no column of this name
        is_plain = name.isidentifier() and token.upper not in vocabulary.CONSTANTS
        return name if token.kind is not TokenKind.QUOTED or is_plain else f"`{name}`"

    def _is_name(self, index: int) -> bool:
        """Whether the token is a name, as a word of the grammar is, too, where it is an operand of its own."""
        token = self.tokens[index]
        if token.kind is not TokenKind.WORD:
            return token.kind is TokenKind.QUOTED
        if self.at(index + 1).is_symbol("("):
            return False
        if token.upper in vocabulary.LITERAL_PREFIXES:  # else a literal, or a type: `CAST(x AS DATE)`, `x::date`
            is_type = self.at(index - 1).is_word("AS") or self.at(index - 1).is_symbol("::")
            return not is_type and self.at(index + 1).kind is not TokenKind.STRING
        may_be = token.upper not in vocabulary.NEVER_NAMES
        return token.upper not in vocabulary.KEYWORDS or (may_be and self._is_operand(index))

    def _is_operand(self, index: int) -> bool:
        """Whether the word is neither after an operand nor before one."""
        before, after = self.at(index - 1), self.at(index + 1)
        if before.kind is TokenKind.SYMBOL:
            is_unit = after.is_word("FROM") and self.at(index - 2).is_word("EXTRACT")
            begins = not before.is_symbol(")", "]") and not is_unit
        else:
            begins = before.is_word(*vocabulary.INFIX, *vocabulary.PREFIX)
        ends = after.kind is TokenKind.SYMBOL or after.is_word(*vocabulary.INFIX, *vocabulary.AFTER_OPERANDS)
        return begins and ends

    def is_bracketed(self, extent: Extent) -> bool:
        """Whether one pair of round brackets is around all of a range."""
        return self.at(extent.first).is_symbol("(") and self.partner[extent.first] == extent.stop - 1

    def unwrapped(self, extent: Extent, *, rows: bool = False) -> Extent:
        """The range without brackets around all of it, but for those of a subquery and, without `rows`, of `(a, b)`.

        A word alone in brackets is a name, whatever word it is.
        """
        while self.is_bracketed(extent):
            inside = Extent(extent.first + 1, extent.stop - 1)
            is_query = self.at(inside.first).is_word(*vocabulary.QUERY_STARTS) and len(inside.indexes) > 1
            if is_query or (not rows and len(self.split(inside)) > 1):
                break
            extent = inside
        return extent

    def split(self, extent: Extent) -> list[Extent]:
        """The parts between the commas in no bracket of the range; an empty range has none."""
        if extent.is_empty:
            return []
        parts = []
        start = index = extent.first
        while index < extent.stop:
            kind, _, _, text = self.tokens[index]
            if kind is not TokenKind.SYMBOL:
                index += 1
                continue
            if text == ",":
                parts.append(Extent(start, index))
                start = index + 1
            index = self.skip(index, extent.stop)
        return [*parts, Extent(start, extent.stop)]

    def listed(self, extent: Extent) -> list[Extent]:
        """The parts of `(a, b)`, or of `a, b`; the brackets of a subquery are not those of a list."""
        is_list = self.unwrapped(extent, rows=True) != extent
        return self.split(Extent(extent.first + 1, extent.stop - 1) if is_list else extent)

    def path_end(self, index: int, stop: int | None = None) -> int:
        """The index after the name at `index` and the names that follow it after dots."""
        index += 1
        while self.at(index, stop).is_symbol(".") and self.at(index + 1, stop).is_name:
            index += 2
        return index

    def is_path(self, extent: Extent) -> bool:
        """Whether a range is a name, or names with dots between them."""
        return self.at(*extent).is_name and self.path_end(*extent) == extent.stop

    def split_columns(self, extent: Extent) -> list[Extent]:
        """The parts of a list of columns, `a INT, b STRUCT<c: INT, d: INT>`: commas in `<...>` are of types."""
        parts = []
        start = index = extent.first
        depth = 0
        while index < extent.stop:
            token = self.tokens[index]
            if token.is_symbol(",") and depth == 0:
                parts.append(Extent(start, index))
                start = index + 1
            depth += ANGLES.get(token.upper, 0) if token.kind is TokenKind.SYMBOL else 0
            index = self.closing(index) + 1 if token.is_symbol("(", "[") else index + 1
        return [*parts, Extent(start, extent.stop)]

    def skip(self, index: int, stop: int) -> int:
        """The index after the token, or after the bracket it opens."""
        kind, _, _, text = self.tokens[index]
        if kind is not TokenKind.SYMBOL:
            return index + 1
        if text in OPENERS:
            return min(self.closing(index) + 1, stop)
        if text == "::":
            return self.skip_type(index + 1, stop)
        return index + 1

    def skip_type(self, index: int, stop: int) -> int:
        """The index after the data type that begins at `index`."""
        return type_end(self.tokens, self.closing, index, stop)

    @property
    def is_balanced(self) -> bool:
        """Whether every quote, comment and bracket has its partner."""
        return self._unmatched is None and not any(kind is TokenKind.UNCLOSED for kind, _, _, _ in self.tokens)

    def require_balance(self) -> None:
        """Raises WindowSyntaxError at the first quote, comment or bracket without its partner."""
        for index, token in enumerate(self.tokens):
            if token.kind is TokenKind.UNCLOSED:
                what = {"`": "quoted name", "/*": "comment"}.get(token.upper, "string")
                hint = "close it with */; comments nest" if what == "comment" else f"close it with {token.upper}"
                raise self.syntax_error(f"this {what} is not closed", index, rule=_PARTNERS, hint=hint)
        if self._unmatched is not None:
            bracket = self.tokens[self._unmatched].upper
            is_closer = bracket in CLOSERS
            what = "closes nothing" if is_closer else "is not closed"
            hint = "leave it out, or open it before" if is_closer else f"close it with {OPENERS[bracket]}"
            raise self.syntax_error(f"this bracket {what}", self._unmatched, rule=_PARTNERS, hint=hint)

    def syntax_error(
        self, problem: str, place: Span | Extent | int, *, rule: str | None = None, hint: str | None = None
    ) -> WindowSyntaxError:
        """An error about text that cannot be read."""
        return WindowSyntaxError(problem, rule=rule, hint=hint, source=self.text, span=self._place(place))

    def spec_error(
        self, problem: str, place: Span | Extent | int, *, rule: str | None = None, hint: str | None = None
    ) -> WindowSpecError:
        """An error about text that can be read but breaks a rule."""
        return WindowSpecError(problem, rule=rule, hint=hint, source=self.text, span=self._place(place))

    def _place(self, place: Span | Extent | int) -> Span:
        if isinstance(place, Span):
            return place
        if isinstance(place, Extent):
            return self.span(place)
        return self.span(Extent(place, min(place + 1, len(self.tokens))))


def _blank_before(letter: str) -> str:
    """What keeps a name apart from a letter that comes right after it, as in `?AND`."""
    return " " if letter.isalnum() or letter == "_" else ""
