"""The condition of WHEN. The operators around aggregate calls are read here; all else goes to Spark verbatim.

    predicate   = or
    or          = and {OR and}                      and = not {AND not}                not = {NOT | !} suffixed
    suffixed    = compared [IS [NOT] (NULL | TRUE | FALSE | UNKNOWN | DISTINCT FROM compared)
                           | [NOT] IN (predicate, ...) | [NOT] BETWEEN compared AND compared]
    compared    = sum {(= | == | <> | != | < | <= | > | >= | <=>) sum}
    sum         = product {(+ | -) product}         product = unary {(* | / | %) unary}         unary = [+|-] primary
    primary     = (predicate) | literal | CASE ... END | function(predicate, ...) | aggregate call

A range of tokens is split at its loosest operator, and so are the parts. A range without an aggregate is not read any
further: it becomes one operand, which Spark computes with its own semantics.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Callable
from decimal import Decimal
from math import isinf
from typing import Protocol

from winsql.errors import WinsqlError
from winsql.model.base import Operand
from winsql.model.expressions import AggregateRef, Constant, Expression, Operation, Predicate, SlotRef
from winsql.model.policy import Kind
from winsql.syntax.expressions.conditions import cut_at, joints, outside
from winsql.syntax.expressions.function_calls import Call, find_call, is_aggregate_call
from winsql.syntax.expressions.references import (
    Reference,
    ReferenceKind,
    find_references,
    has_window_function,
    require_flat,
)
from winsql.syntax.text.operands import begins_operand
from winsql.syntax.text.parts import is_query_start
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind


class Slots(Protocol):
    """Gives out slots for the expressions, and numbers for the aggregates, that a predicate reads."""

    source: Source

    def operand(self, extent: Extent, kind: Kind, policy: str) -> Operand:
        """The slot of an expression over the row."""

    def aggregate(self, call: Call) -> int:
        """The number of an aggregate call over the window."""


def parse_predicate(parser: Slots, extent: Extent, what: str, policy: str) -> Predicate:
    """The predicate in the range; the parser collects the expressions and aggregates that it reads."""
    source = parser.source
    if has_window_function(source, extent):
        hint = "leave out OVER: an aggregate in WHEN is over the rows of the window so far"
        rule = "a condition is computed row by row"
        raise source.spec_error(f"{what} holds a window function", extent, rule=rule, hint=hint)
    references = find_references(source, extent)
    stars = [r for r in references if r.kind is ReferenceKind.STAR]
    if stars:
        raise source.syntax_error(f"{what} holds *", stars[0].extent, hint="name a column")
    sql = source.verbatim(extent)
    aggregates = [r for r in references if r.kind is ReferenceKind.AGGREGATE]
    if not aggregates:
        return Predicate(sql, SlotRef(parser.operand(extent, Kind.PREDICATE, policy)))
    for reference in aggregates:
        require_flat(source, reference)
    return Predicate(sql, _Reader(parser, aggregates, policy).truth(extent), uses_aggregates=True)


_COMPARISONS = ("=", "==", "<>", "!=", "<", "<=", ">", ">=", "<=>")
_SAME_AS = {"==": "=", "!=": "<>"}
_SUFFIXES = frozenset({"IS", "IN", "BETWEEN", "LIKE", "ILIKE", "RLIKE", "REGEXP"})
_AS_LOOSE = frozenset({"||", "|", "&", "^", "<<", ">>", ">>>"})
"""Operators that bind no closer than + and -."""
_UNSUPPORTED = _AS_LOOSE | {"~", "::", ":", "->", "DIV", "COLLATE", "AT"}
_FUNCTIONS = {
    "ABS": "ABS",
    "COALESCE": "COALESCE",
    "IFNULL": "COALESCE",
    "NVL": "COALESCE",
    "NULLIF": "NULLIF",
    "GREATEST": "GREATEST",
    "LEAST": "LEAST",
    "IF": "CASE",
    "IFF": "CASE",
    "MOD": "%",
}
_ARITY = {"ABS": 1, "IFNULL": 2, "NVL": 2, "NULLIF": 2, "IF": 3, "IFF": 3, "MOD": 2}
_KNOWN = "above an aggregate WHEN knows AND, OR, NOT, comparisons, IN, BETWEEN, IS, + - * / %, CASE and " + ", ".join(
    sorted(_FUNCTIONS)
)


_ARITHMETIC = frozenset({"+", "-", "*", "/", "%", "NEG", "ABS"})
_NUMBERS = ("COUNT", "COUNT_IF", "SUM", "AVG", "MEAN")
_MAX_OPERATIONS = 100
"""How deep operations may nest: they are computed recursively, on Spark's workers too."""
_DEPTH_RULE = f"at most {_MAX_OPERATIONS} levels"
_SHORTER = "compute a part of it as a column before: FROM (SELECT *, ... AS v FROM t)"
_MOVE = "compute it inside the aggregate, as in sum(round(v, 1)), or compare the aggregate itself"


class _Reader:
    """Reads ranges that hold at least one aggregate call; `aggregates` are those calls."""

    def __init__(self, parser: Slots, aggregates: list[Reference], policy: str) -> None:
        self.parser = parser
        self.source = parser.source
        self.policy = policy
        self.starts = sorted(r.extent.first for r in aggregates)
        self.depth = 0

    def truth(self, extent: Extent) -> Expression:
        """The expression of a range that must be true or false."""
        if not extent.is_empty and not self._aggregates_in(extent) and self._constant(extent) is None:
            return SlotRef(self.parser.operand(extent, Kind.PREDICATE, self.policy))
        found = self.read(extent)
        name = self.source.at(self.source.unwrapped(extent).first)
        is_sum = isinstance(found, AggregateRef) and name.is_word(*_NUMBERS)
        if is_sum or (isinstance(found, Operation) and found.name in _ARITHMETIC):
            text, hint = self.source.verbatim(extent), "compare it with something, as in sum(v) > 100"
            raise self.source.spec_error(f"WHEN: {text} is a number", extent, rule="a condition is BOOLEAN", hint=hint)
        return found

    def read(self, extent: Extent) -> Expression:
        """The expression of a range, whatever it is."""
        if extent.is_empty:
            raise self._incomplete(extent)
        if self.depth >= _MAX_OPERATIONS:
            problem = "WHEN: this condition is nested too deeply"
            raise self.source.syntax_error(problem, extent, rule=_DEPTH_RULE, hint=_SHORTER)
        self.depth += 1
        try:
            return self._read(extent)
        finally:
            self.depth -= 1

    def _read(self, extent: Extent) -> Expression:
        constant = self._constant(extent)
        if constant is not None:
            return constant
        if not self._aggregates_in(extent):
            return SlotRef(self.parser.operand(extent, Kind.EXPRESSION, self.policy))
        inner = self.source.unwrapped(extent)
        if inner != extent:
            return self.read(inner)
        for word in ("OR", "AND"):
            places = joints(self.source, extent, word)
            if places:
                return Operation(word, tuple(self.truth(part) for part in self._merge(cut_at(extent, places))))
        for reader in (self._not, self._suffix, self._comparison, self._sum, self._product):
            found = reader(extent)
            if found is not None:
                return found
        return self._primary(extent)

    # operators, from the loosest to the tightest

    def _not(self, extent: Extent) -> Expression | None:
        first = self.source.at(extent.first)
        if not (first.is_word("NOT") or first.is_symbol("!")):
            return None
        return Operation("NOT", (self.truth(Extent(extent.first + 1, extent.stop)),))

    def _suffix(self, extent: Extent) -> Expression | None:
        place = next((i for i in outside(self.source, extent) if self.source.at(i).is_word(*_SUFFIXES)), None)
        if place is None:
            return None
        word = self.source.at(place).upper
        negated = self.source.words(place - 1, "NOT")
        left = Extent(extent.first, place - 1 if negated else place)
        reader = _SUFFIX_READERS.get(word)
        if reader is None:
            raise self._unknown(word, Extent(place, place + 1))
        found = reader(self, left, Extent(place + 1, extent.stop))
        return Operation("NOT", (found,)) if negated else found

    def _is(self, left: Extent, right: Extent) -> Expression:
        negated = self.source.words(right.first, "NOT")
        start = right.first + 1 if negated else right.first
        if self.source.words(start, "DISTINCT", "FROM"):
            same = Operation("<=>", (self.read(left), self.read(Extent(start + 2, right.stop))))
            return same if negated else Operation("NOT", (same,))
        word = self.source.at(start, right.stop).upper
        if right.stop - start != 1 or word not in _TRUTHS:
            raise self._incomplete(right)
        value = self.read(left)
        truth = _TRUTHS[word]
        test = Operation("IS NULL", (value,)) if truth is None else Operation("<=>", (value, Constant(truth)))
        return Operation("NOT", (test,)) if negated else test

    def _in(self, left: Extent, right: Extent) -> Expression:
        inner = Extent(right.first + 1, right.stop - 1)
        if not self.source.at(right.first).is_symbol("(") or self.source.partner[right.first] != right.stop - 1:
            raise self._incomplete(right)
        if is_query_start(self.source, inner.first):
            raise self._unknown("IN (SELECT ...)", right)
        return Operation("IN", (self.read(left), *(self.read(part) for part in self.source.split(inner))))

    def _between(self, left: Extent, right: Extent) -> Expression:
        place = next((i for i in outside(self.source, right) if self.source.words(i, "AND")), None)
        if place is None:
            raise self._incomplete(right)
        low, high = cut_at(right, [place])
        return Operation("BETWEEN", (self.read(left), self.read(low), self.read(high)))

    def _comparison(self, extent: Extent) -> Expression | None:
        places = [i for i in outside(self.source, extent) if self.source.at(i).is_symbol(*_COMPARISONS)]
        return self._chain(extent, places)

    def _sum(self, extent: Extent) -> Expression | None:
        self._refuse(extent, _AS_LOOSE)  # a sum beside one of these is an operand of it, or the other way round
        return self._chain(extent, self._binary(extent, "+", "-"))

    def _product(self, extent: Extent) -> Expression | None:
        self._refuse(extent, _UNSUPPORTED)
        return self._chain(extent, self._binary(extent, "*", "/", "%"))

    def _refuse(self, extent: Extent, operators: frozenset[str]) -> None:
        """Raises WindowSpecError for one of these operators."""
        places = (i for i in outside(self.source, extent) if self._is_operator(i))
        unknown = next((i for i in places if self.source.at(i).upper in operators), None)
        if unknown is not None:
            raise self._unknown(self.source.at(unknown).upper, Extent(unknown, unknown + 1))

    def _binary(self, extent: Extent, *operators: str) -> list[int]:
        places = (i for i in outside(self.source, extent) if self.source.at(i).is_symbol(*operators))
        return [i for i in places if i > extent.first and not begins_operand(self.source, i)]

    def _is_operator(self, index: int) -> bool:
        is_symbol_or_word = self.source.at(index).kind in (TokenKind.SYMBOL, TokenKind.WORD)
        return is_symbol_or_word and not begins_operand(self.source, index)

    def _chain(self, extent: Extent, places: list[int]) -> Expression | None:
        """Left-associative operators; what is before the first aggregate stays in one piece."""
        if not places:
            return None
        parts = cut_at(extent, places)
        if len(parts) > _MAX_OPERATIONS:
            raise self.source.syntax_error("WHEN: this expression is too long", extent, rule=_DEPTH_RULE, hint=_SHORTER)
        start = next((n for n, part in enumerate(parts) if self._aggregates_in(part)), 0)
        first = max(start - 1, 0)
        result = self.read(Extent(extent.first, parts[first].stop))
        for place, part in zip(places[first:], parts[first + 1 :], strict=True):
            sign = self.source.at(place).upper
            result = Operation(_SAME_AS.get(sign, sign), (result, self.read(part)))
        return result

    # primaries

    def _primary(self, extent: Extent) -> Expression:
        first = self.source.at(extent.first)
        if first.is_symbol("-", "+"):
            value = self.read(Extent(extent.first + 1, extent.stop))
            return Operation("NEG", (value,)) if first.upper == "-" else value
        if first.is_word("CASE") and self.source.words(extent.stop - 1, "END"):
            return self._case(Extent(extent.first + 1, extent.stop - 1))
        bracket = next((i for i in range(extent.first, extent.stop) if self.source.at(i).is_symbol("(")), extent.stop)
        if not first.is_name or bracket >= extent.stop:
            raise self._unknown(first.upper, extent)
        call = find_call(self.source, extent.first, bracket)
        if call.extent.stop != extent.stop and self.source.at(call.extent.stop).kind is not TokenKind.SYMBOL:
            raise self._incomplete(extent)
        if call.extent.stop != extent.stop:
            raise self._unknown(self.source.at(call.extent.stop).upper, Extent(call.extent.stop, extent.stop))
        if is_aggregate_call(self.source, call):
            return AggregateRef(self.parser.aggregate(call))
        operation = _FUNCTIONS.get(call.name)
        arguments = self.source.split(call.arguments)
        if operation is None or len(arguments) != _ARITY.get(call.name, len(arguments)):
            raise self._unknown(call.name, Extent(extent.first, bracket))
        return Operation(operation, tuple(self.read(argument) for argument in arguments))

    def _case(self, extent: Extent) -> Expression:
        """`CASE [value] {WHEN condition THEN result} [ELSE result] END`"""
        words = [i for i in outside(self.source, extent) if self.source.at(i).is_word("WHEN", "THEN", "ELSE")]
        kinds = [self.source.at(i).upper for i in words]
        has_else = kinds[-1:] == ["ELSE"]
        pairs = kinds[:-1] if has_else else kinds
        if not pairs or pairs != ["WHEN", "THEN"] * (len(pairs) // 2):
            raise self._incomplete(extent)
        value, *parts = cut_at(extent, words)
        arguments = [self.read(part) for part in parts]
        if not value.is_empty:
            subject = self.read(value)
            for n in range(0, len(pairs), 2):
                arguments[n] = Operation("=", (subject, arguments[n]))
        return Operation("CASE", tuple(arguments if has_else else [*arguments, Constant(None)]))

    def _constant(self, extent: Extent) -> Constant | None:
        if not extent.is_single:
            return None
        token = self.source.at(extent.first)
        if token.is_word("NULL", "TRUE", "FALSE"):
            return Constant(_TRUTHS[token.upper])
        if token.kind is TokenKind.STRING and _PLAIN.fullmatch(token.upper):
            return Constant(token.upper[1:-1])
        if token.kind is not TokenKind.NUMBER or not token.upper[-1].isdigit():
            return None
        if len(token.upper) > _MOST_DIGITS or isinf(float(token.upper)):
            return None  # Spark says what it takes
        if token.upper.isdigit():
            return Constant(int(token.upper))
        return Constant(float(token.upper) if "E" in token.upper else Decimal(token.upper))

    # ranges

    def _aggregates_in(self, extent: Extent) -> bool:
        place = bisect_left(self.starts, extent.first)
        return place < len(self.starts) and self.starts[place] < extent.stop

    def _merge(self, parts: list[Extent]) -> list[Extent]:
        """Joins neighbouring parts without an aggregate, so that Spark computes them together."""
        merged: list[Extent] = []
        was_free = False
        for part in parts:
            is_free = not part.is_empty and not self._aggregates_in(part)
            if is_free and was_free:
                merged[-1] = Extent(merged[-1].first, part.stop)
            else:
                merged.append(part)
            was_free = is_free
        return merged

    def _incomplete(self, extent: Extent) -> WinsqlError:
        hint = "write an expression of Spark that is true or false, as in sum(v) > 100 AND count(*) > 3"
        return self.source.syntax_error("WHEN: this part of the condition cannot be read", extent, hint=hint)

    def _unknown(self, what: str, extent: Extent) -> WinsqlError:
        problem = f"WHEN: {what} cannot be used around an aggregate"
        return self.source.spec_error(problem, extent, rule=_KNOWN, hint=_MOVE)


_PLAIN = re.compile(r"'[^'\\]*'")
"""A string that is the same under all settings; Spark reads those with doubled quotes and backslashes."""
_MOST_DIGITS = 38
"""Those of a DECIMAL; Spark says what is wrong with longer numbers."""
_TRUTHS = {"NULL": None, "UNKNOWN": None, "TRUE": True, "FALSE": False}
_SUFFIX_READERS: dict[str, Callable[[_Reader, Extent, Extent], Expression]] = {
    "IS": _Reader._is,
    "IN": _Reader._in,
    "BETWEEN": _Reader._between,
}
