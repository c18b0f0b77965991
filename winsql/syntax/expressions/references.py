"""What an expression refers to: columns, stars, aggregate calls, subqueries, each with its place.

A walk over the tokens of an expression that knows just enough of Spark's grammar to tell a column from a keyword, a
function, a type, an alias, a unit of time or a lambda variable. Where it cannot know, it says so (`is_certain`), and
the text goes to Spark as it is.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from enum import Enum, auto

from winsql.syntax.expressions.function_calls import Call, find_call, is_aggregate_call, is_count_star
from winsql.syntax.text.intervals import interval_end, is_value_start
from winsql.syntax.text.operands import asks_for_operand
from winsql.syntax.text.parts import is_query_start, outside_queries
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import Token, TokenKind
from winsql.syntax.text.vocabulary import (
    CONSTANTS,
    GENERATORS,
    INFIX,
    LITERAL_PREFIXES,
    NILADIC,
    PREFIX,
    UNIT_FUNCTIONS,
    words,
)


class ReferenceKind(Enum):
    """What a reference is."""

    COLUMN = auto()
    STAR = auto()
    AGGREGATE = auto()
    SUBQUERY = auto()
    MATCH = auto()
    """A range the caller knows, a key expression."""


@dataclass(frozen=True, slots=True)
class Reference:
    """One reference; `call` is set for AGGREGATE, `path` (upper case) for COLUMN, `match` for MATCH.

    `window` is the window column that a COLUMN is, by its name in `WINDOW_COLUMNS`.
    """

    kind: ReferenceKind
    extent: Extent
    path: tuple[str, ...] = ()
    call: Call | None = None
    match: int = -1
    is_certain: bool = True
    window: str | None = None


Matcher = Callable[[int, int], tuple[int, int] | None]
"""`(index, stop) -> (which, end)` where a known expression begins at `index` and ends at or before `stop`."""


def find_references(source: Source, extent: Extent, match: Matcher | None = None) -> list[Reference]:
    """The references of an expression, or of several with commas between them, from left to right.

    Nothing inside an aggregate call, a subquery or a match is reported.
    """
    walk = _Walk(source, match)
    walk.run(extent)
    return walk.found


def aggregates_in(source: Source, extent: Extent) -> list[Reference]:
    """The aggregate calls in an expression, none of them inside another one."""
    return [found for found in find_references(source, extent) if found.kind is ReferenceKind.AGGREGATE]


def all_references(source: Source, extent: Extent, match: Matcher | None = None) -> Iterator[Reference]:
    """The same, with those inside aggregate calls in the place of the calls; the star of COUNT(*) is none."""
    for reference in find_references(source, extent, match):
        if reference.call is None:
            yield reference
            continue
        inside = reference.call.inside
        for part in inside[1:] if is_count_star(source, reference.call) else inside:
            yield from all_references(source, part)


def has_window_function(source: Source, extent: Extent) -> bool:
    """Whether a call with OVER is in the range, outside of subqueries."""
    if not any(extent.first < index < extent.stop for index in source.places("OVER")):
        return False
    for index in outside_queries(source, extent):
        before = source.at(index - 1)
        is_after_call = before.is_symbol(")") or before.is_word("NULLS")
        if source.words(index, "OVER") and index > extent.first and is_after_call:
            return True
    return False


def beyond_row(source: Source, extent: Extent, *, takes_subqueries: bool = False) -> tuple[str, Extent] | None:
    """What an expression holds that is not computed from one row alone, and where; None for nothing of the kind."""
    for reference in find_references(source, extent):
        is_taken = takes_subqueries and reference.kind is ReferenceKind.SUBQUERY
        if reference.kind in _BEYOND_ROWS and not is_taken:
            return _BEYOND_ROWS[reference.kind], reference.extent
    if has_window_function(source, extent):
        return "a window function", extent
    calls = (i for i in outside_queries(source, extent) if source.at(i).is_word(*GENERATORS))
    made = next((i for i in calls if source.at(i + 1).is_symbol("(") and not source.at(i - 1).is_symbol(".")), None)
    return None if made is None else ("a function that makes rows", Extent(made, source.closing(made + 1) + 1))


_BEYOND_ROWS = {ReferenceKind.AGGREGATE: "an aggregate", ReferenceKind.STAR: "*", ReferenceKind.SUBQUERY: "a subquery"}


def require_flat(source: Source, reference: Reference) -> None:
    """Raises when an aggregate call is inside another one."""
    for part in [] if reference.call is None else reference.call.inside:
        for inner in aggregates_in(source, part):
            hint = "compute the inner one in a SELECT before, and aggregate its result"
            raise source.spec_error("an aggregate call is inside another one", inner.extent, hint=hint)


_AFTER_COLUMNS = words("AS IS IN BETWEEN LIKE ILIKE RLIKE REGEXP DIV AND OR")
"""Words before which another one is a column, as `exists` is in `exists IS NULL`."""


def _begins_operand(token: Token) -> bool:
    """Whether an expression, or the FROM of TRIM, may begin with a token."""
    return token.is_symbol("(", ":", "{", "-", "+", "~") or token.kind not in (TokenKind.SYMBOL, TokenKind.UNCLOSED)


class _Walk:
    """State of one walk: the references found, whether an operand has ended, the lambda variables in scope."""

    def __init__(self, source: Source, match: Matcher | None) -> None:
        self.source = source
        self.match = match
        self.found: list[Reference] = []
        self.variables: list[str] = []
        self.is_done = False

    def run(self, extent: Extent, in_cast: bool = False) -> None:
        """Walks a range that is a list of expressions; lambda variables live until the next comma."""
        self.is_done = False
        variables = len(self.variables)
        index = extent.first
        while index < extent.stop:
            if self.variables and self.source.tokens[index].is_symbol(","):
                del self.variables[variables:]
            index = self._step(index, extent.stop, in_cast)
        del self.variables[variables:]
        self.is_done = True

    def _step(self, index: int, stop: int, in_cast: bool) -> int:
        token = self.source.tokens[index]
        if not self.is_done and self.match is not None and token.upper not in self.variables:
            known = self.match(index, self._before_variable(index, stop))
            if known is not None and not self._is_grammar(Extent(index, known[1]), stop):
                return self._add(Reference(ReferenceKind.MATCH, Extent(index, known[1]), match=known[0]))
        if token.is_name:
            return self._infix(index, stop, in_cast) if self.is_done else self._operand(index, stop)
        if token.kind is TokenKind.SYMBOL:
            return self._symbol(index, stop)
        self.is_done = True
        return index + 1

    def _is_grammar(self, found: Extent, stop: int) -> bool:
        """Whether what looks like a known expression is none: a parameter's name, a word as in `DATE '...'`, a list."""
        if self.source.at(found.stop, stop).is_symbol("->", "=>"):
            return True
        if self.source.at(found.first).is_symbol("(") and self.source.at(found.first - 1).is_word("IN"):
            return True
        is_word = found.is_single and self.source.at(found.first).kind is TokenKind.WORD
        return is_word and self._word(found.first, stop) is not None

    def _before_variable(self, index: int, stop: int) -> int:
        """Where the next lambda variable is, which belongs to no known expression; `stop` where there is none."""
        places = (i for i in range(index, stop) if not self.source.at(i - 1).is_symbol("."))
        return next((i for i in places if self.source.at(i).upper in self.variables), stop) if self.variables else stop

    def _add(self, reference: Reference) -> int:
        self.found.append(reference)
        self.is_done = True
        return reference.extent.stop

    # symbols

    def _symbol(self, index: int, stop: int) -> int:
        text = self.source.tokens[index].upper
        if text == "(":
            return self._bracket(index)
        if text == "[":
            self.run(Extent(index + 1, self.source.closing(index)))
            return self.source.closing(index) + 1
        if text == "::":
            self.is_done = True
            return self.source.skip_type(index + 1, stop)
        if text in (":", ".", "{"):
            return self._mark(index, stop)
        if text == "*" and not self.is_done:
            return self._star(index, index, stop)
        self.is_done = text in ("}", ")", "]")
        return index + 1

    def _mark(self, index: int, stop: int) -> int:
        """A field after `.` or `:`, a named parameter `:name`, a placeholder `{name}`."""
        if self.source.tokens[index].is_symbol("{"):
            while index < stop and not self.source.tokens[index].is_symbol("}"):
                index += 1
            self.is_done = True
            return index + 1
        after = self.source.at(index + 1, stop)
        self.is_done = True
        return index + 2 if after.is_name or after.is_symbol("*") else index + 1

    def _bracket(self, index: int) -> int:
        closing = self.source.closing(index)
        if is_query_start(self.source, index + 1):
            return self._add(Reference(ReferenceKind.SUBQUERY, Extent(index, closing + 1)))
        if self.source.at(closing + 1).is_symbol("->"):
            self.variables += [self.source.tokens[i].upper for i in range(index + 1, closing, 2)]
            self.is_done = False
            return closing + 2
        self.run(Extent(index + 1, closing))
        return closing + 1

    def _star(self, first: int, index: int, stop: int) -> int:
        """`*`, `t.*`, with EXCEPT (...) after it."""
        end = index + 1
        if self.source.at(end, stop).is_word("EXCEPT") and self.source.at(end + 1, stop).is_symbol("("):
            end = self.source.closing(end + 1) + 1
        return self._add(Reference(ReferenceKind.STAR, Extent(first, end)))

    # names at the beginning of an operand

    def _operand(self, index: int, stop: int) -> int:
        end = self.source.path_end(index, stop)
        after = self.source.at(end, stop)
        if after.is_symbol("(") and not (end == index + 1 and self.source.tokens[index].is_word(*PREFIX)):
            return self._call(index, end)
        if after.is_symbol(".") and self.source.at(end + 1, stop).is_symbol("*"):
            return self._star(index, end + 1, stop)
        if end == index + 1:
            skipped = self._special(index, stop)
            if skipped is not None:
                return skipped
        path = tuple(self.source.tokens[i].upper for i in range(index, end, 2))
        if path[0] in self.variables:
            self.is_done = True
            return end
        is_certain = end > index + 1 or not self.source.tokens[index].is_word(*NILADIC)
        extent = self._with_fields(Extent(index, end), stop)
        window = self.source.window_column(extent)
        return self._add(Reference(ReferenceKind.COLUMN, extent, path, is_certain=is_certain, window=window))

    def _with_fields(self, path: Extent, stop: int) -> Extent:
        """A path with the fields after it that make it a window column, as in `w['e']`."""
        end = path.stop
        while self.source.windows and self.source.at(end, stop).is_symbol("[", "."):
            end = self.source.closing(end) + 1 if self.source.at(end).is_symbol("[") else end + 2
            if self.source.window_column(Extent(path.first, end)) is not None:
                return Extent(path.first, end)
        return path

    def _special(self, index: int, stop: int) -> int | None:
        """The index after a word that is no column although an operand begins there; None for a column."""
        token, after = self.source.tokens[index], self.source.at(index + 1, stop)
        if after.is_symbol("=>"):
            return index + 2
        if after.is_symbol("->"):
            self.variables.append(token.upper)
            return index + 2
        word = None if token.kind is TokenKind.QUOTED else self._word(index, stop)
        if word is None:
            return None
        end, self.is_done = word
        return end

    def _word(self, index: int, stop: int) -> tuple[int, bool] | None:
        """The index after an unquoted word that is no column, and whether an operand ends there; None for a column."""
        token, after = self.source.tokens[index], self.source.at(index + 1, stop)
        if token.upper in PREFIX and self._asks(index, after):
            return index + 1, False
        if self._is_constant(index, token) or (token.upper in LITERAL_PREFIXES and after.kind is TokenKind.STRING):
            return index + 1, True
        end = interval_end(self.source, index, stop)
        return (end, True) if end > index else self._frame_word(index, token, after)

    def _asks(self, index: int, after: Token) -> bool:
        """Whether a word of PREFIX where an operand begins asks for one, and is no column of its name."""
        if not asks_for_operand(self.source, index):
            return False
        if self.source.tokens[index].is_word("CASE"):
            return True
        if after.is_symbol("*"):
            return self.source.at(index + 2).is_symbol(")")  # COUNT(DISTINCT *)
        is_not = self.source.tokens[index].is_word("NOT")
        return _begins_operand(after) and (is_not or not after.is_word(*_AFTER_COLUMNS))

    def _is_constant(self, index: int, token: Token) -> bool:
        """Whether a word is a value: NULL, TRUE, and UNKNOWN where it follows IS."""
        before = index - 1 - self.source.at(index - 1).is_word("NOT")
        return token.upper in CONSTANTS or (token.upper == "UNKNOWN" and self.source.at(before).is_word("IS"))

    def _frame_word(self, index: int, token: Token, after: Token) -> tuple[int, bool] | None:
        """Words of OVER (...), EXTRACT(unit FROM ...) and TRIM(BOTH ... FROM ...)."""
        if token.is_word("PARTITION", "ORDER", "SORT", "DISTRIBUTE", "CLUSTER") and after.is_word("BY"):
            return index + 2, False
        if token.is_word("UNBOUNDED", "CURRENT") and after.is_word("PRECEDING", "FOLLOWING", "ROW"):
            return index + 2, True
        if not self.source.at(index - 1).is_symbol("("):
            return None
        around = self.source.at(index - 2)
        begins_frame = after.is_word("BETWEEN", "UNBOUNDED", "CURRENT") or is_value_start(after)
        if token.is_word("ROWS", "RANGE") and begins_frame and around.is_word("OVER", "AS"):
            return index + 1, after.is_word("BETWEEN")
        if around.is_word("EXTRACT") and after.is_word("FROM"):
            return index + 2, False
        if around.is_word("TRIM") and token.is_word("BOTH", "LEADING", "TRAILING") and _begins_operand(after):
            return index + 1 + after.is_word("FROM"), False
        return None

    # calls

    def _call(self, first: int, bracket: int) -> int:
        call = find_call(self.source, first, bracket)
        is_column = call.name == "IDENTIFIER" and call.arguments.first == bracket + 1
        if not is_column and is_aggregate_call(self.source, call):
            return self._add(Reference(ReferenceKind.AGGREGATE, call.extent, call=call))
        bracket, closing = call.arguments.first - 1, call.arguments.stop
        extent = Extent(first, closing + 1)
        window = self.source.window_column(extent)
        if window is not None:
            return self._add(Reference(ReferenceKind.COLUMN, extent, (call.name,), window=window))
        if is_column:
            return self._add(Reference(ReferenceKind.COLUMN, extent, ("IDENTIFIER()",), is_certain=False))
        if is_query_start(self.source, bracket + 1):
            return self._add(Reference(ReferenceKind.SUBQUERY, Extent(bracket, closing + 1)))
        if call.is_windowed and is_count_star(self.source, call):
            self.is_done = True
            return closing + 1  # the star means rows, not columns
        arguments = Extent(bracket + 1, closing)
        if call.name in UNIT_FUNCTIONS and len(self.source.split(arguments)) == 3:
            arguments = Extent(self.source.split(arguments)[1].first, closing)
        self.run(arguments, in_cast=call.name in ("CAST", "TRY_CAST"))
        return closing + 1

    # words after an operand

    def _infix(self, index: int, stop: int, in_cast: bool) -> int:
        token = self.source.tokens[index]
        if token.kind is TokenKind.QUOTED:
            return index + 1
        if token.upper == "AS":
            return self._after_as(index + 1, stop, in_cast)
        if token.upper == "OVER":
            return self._over(index + 1, stop)
        if token.upper == "COLLATE":
            return self.source.path_end(index + 1, stop)
        name = self.source.group[index] - 1
        divides = token.is_word("PLACING", "FOR") and self.source.at(name).is_word("OVERLAY", "SUBSTRING", "SUBSTR")
        self.is_done = token.upper not in INFIX and not divides
        return index + 1

    def _after_as(self, index: int, stop: int, in_cast: bool) -> int:
        if in_cast:
            return stop
        if self.source.at(index, stop).is_symbol("("):
            return self.source.closing(index) + 1
        return min(index + 1, stop)

    def _over(self, index: int, stop: int) -> int:
        """`OVER w`, `OVER (w)` name a window; `OVER (...)` defines one."""
        if not self.source.at(index, stop).is_symbol("("):
            return min(index + 1, stop)
        closing = self.source.closing(index)
        if closing == index + 2 and self.source.at(index + 1).is_name:
            return closing + 1
        self.run(Extent(index + 1, closing))
        return closing + 1
