"""Literals of window clauses: durations to the microsecond, numbers, booleans.

A duration is an interval literal of Spark (`INTERVAL 1 HOUR`, `INTERVAL '1 02:00:00' DAY TO SECOND`, `INTERVAL 1 HOUR
30 MINUTES`) or the short string that Spark's window() takes (`'10 minutes'`). Everything is exact integer
arithmetic; months and years have no fixed length and are refused. Each literal may be a parameter, `:name` or `?`, and
so may a number inside an interval literal: its value is read in its place.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import timedelta
from decimal import Decimal
from math import isfinite, isinf
from numbers import Integral, Real
from sys import float_info, maxunicode
from typing import Any, cast

from winsql.errors import WindowSpecError, WindowSyntaxError
from winsql.model.base import LONGEST, MAX_TIME
from winsql.syntax.text.durations import Refused, from_to, join_signs, pairs, refusal, short_string, unit_of
from winsql.syntax.text.parameters import Unknown, has_parameter, is_parameter, parameter_value
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import Token, TokenKind
from winsql.syntax.text.units import meant, near_unit, unit_name

_LITERAL = "a length of time is an interval literal of Spark, or a string that holds one"
_MOST_LETTERS = 1_000
"""More than any number or length of time needs."""


def is_duration(source: Source, extent: Extent) -> bool:
    """Whether a range has the shape of a duration literal, valid or not."""
    _, rest = _unsigned(source, extent)
    first = source.at(rest.first, rest.stop)
    if is_parameter(source, rest):
        return True
    if first.kind is TokenKind.STRING:
        return all(source.tokens[i].kind is TokenKind.STRING for i in extent.indexes)
    if extent.is_single and first.kind is TokenKind.WORD:
        return meant(first.upper) is not None  # 10m, PT10S
    has_unit = first.kind is TokenKind.NUMBER and source.at(extent.first + 1, extent.stop).kind is TokenKind.WORD
    if not first.is_word("INTERVAL") and not has_unit:
        return False
    return all(_is_part_of_literal(source, index) for index in extent.indexes)


def read_duration(source: Source, extent: Extent, what: str, *, hint_below_zero: str | None = None) -> int:
    """The microseconds of a duration literal; `what` names the parameter in errors.

    hint_below_zero   the hint where it is negative; None where it may be
    """
    _require_short(source, extent, what)
    try:
        micros = _duration(source, extent, what)
    except Refused as error:
        known = meant(_text(source, extent))
        refused = error if known is None else refusal(known, source.verbatim(extent))
        raise source.syntax_error(f"{what}: {refused.problem}", extent, rule=refused.rule, hint=refused.hint) from None
    if abs(micros) > LONGEST:
        rule = "a length is 10,000,000 days at most"
        raise source.syntax_error(f"{what}: this interval is too long", extent, rule=rule, hint="write a shorter one")
    if micros < 0 and hint_below_zero is not None:
        raise source.spec_error(f"{what}: the interval must not be negative", extent, hint=hint_below_zero)
    return micros


def read_integer(source: Source, extent: Extent, what: str) -> int:
    """An integer literal, signed or not."""
    sign, token = _signed(source, extent)
    if token is None and is_parameter(source, (rest := _unsigned(source, extent)[1])):
        value = parameter_value(source, rest, what)
        if type(value) is Unknown:
            return _unknown(source, extent)
        if not _is_number(value) or not isinstance(value, Integral):
            raise _unfit(source, rest, what, value, "an integer", "10")
        if int(value) > _MOST:
            raise _too_large(source, rest, what, _WHOLE)
        return sign * int(value)
    if token is None or token.kind is not TokenKind.NUMBER or not re.fullmatch(r"\d+[LSY]?", token.upper):
        hint = "write a whole number, as in 10"
        raise source.syntax_error(f"{what} must be an integer literal", extent, hint=hint)
    digits = token.upper.rstrip("LSY").lstrip("0") or "0"
    if len(digits) > len(str(_MOST)) or int(digits) > _MOST:
        raise _too_large(source, extent, what, _WHOLE)
    return sign * int(digits)


def read_number(source: Source, extent: Extent, what: str) -> int | float:
    """A numeric literal, signed or not: an int when it is whole, else a float."""
    sign, token = _signed(source, extent)
    if token is None and is_parameter(source, (rest := _unsigned(source, extent)[1])):
        return _given_number(source, rest, what, sign) if source.parameters else _unknown(source, extent)
    if token is None or token.kind is not TokenKind.NUMBER:
        hint = "write a number, as in 2.5"
        raise source.syntax_error(f"{what} must be a numeric literal", extent, hint=hint)
    digits = re.sub(r"(?:BD|[LSYDF])$", "", token.upper)
    if isinf(float(digits)):
        raise _too_large(source, extent, what, _ANY)
    return sign * (int(digits.lstrip("0") or "0") if digits.isdigit() else float(digits))


_MOST = MAX_TIME
"""The greatest BIGINT."""
_WHOLE = f"a whole number is a BIGINT, {_MOST} at most"
_ANY = "a number is a DOUBLE, 1.7976931348623157E308 at most"


def _too_large(source: Source, extent: Extent, what: str, rule: str) -> WindowSyntaxError:
    return source.syntax_error(f"{what}: this number is too large", extent, rule=rule, hint="write a smaller one")


def _require_short(source: Source, extent: Extent, what: str) -> None:
    """Raises WindowSyntaxError for a literal with more digits than Python reads at once."""
    for token in source.tokens[extent.first : extent.stop]:
        if token.end - token.start > _MOST_LETTERS:
            problem = f"{what}: this literal is too long"
            raise source.syntax_error(problem, extent, rule=_LITERAL, hint="write 10,000,000 days at most")


def read_boolean(source: Source, extent: Extent, what: str) -> bool:
    """TRUE or FALSE."""
    token = source.at(extent.first, extent.stop)
    if extent.is_single and token.is_word("TRUE", "FALSE"):
        return token.upper == "TRUE"
    if not is_parameter(source, extent):
        raise source.syntax_error(f"{what} must be TRUE or FALSE", extent, hint="write TRUE or FALSE")
    value = parameter_value(source, extent, what)
    if type(value) is Unknown:
        return cast(bool, value)
    if not isinstance(value, bool):
        raise _unfit(source, extent, what, value, "TRUE or FALSE", "True")
    return value


def read_string(source: Source, extent: Extent, what: str, example: str) -> str | None:
    """A string literal; None for a parameter of which only the text is known."""
    token = source.at(extent.first, extent.stop)
    if extent.is_single and token.kind is TokenKind.STRING:
        return string_value(source, extent.first)
    if not is_parameter(source, extent):
        raise source.syntax_error(f"{what} must be a string", extent, hint=f"write {example}")
    value = parameter_value(source, extent, what)
    if type(value) is Unknown:
        return None
    if not isinstance(value, str):
        raise _unfit(source, extent, what, value, "a string", example.rpartition("=> ")[2])
    return value


def string_value(source: Source, index: int) -> str:
    """What the string literal at `index` means in the session."""
    token = source.tokens[index]
    raw = source.text[token.start : token.end]
    if raw[0] == "$":
        tag = raw.index("$", 1) + 1
        return raw[tag:-tag]
    if raw[0] in "rR":
        return raw[2:-1]
    return raw[1:-1] if source.settings.escaped_string_literals else _unescaped(raw[1:-1], raw[0])


def _unescaped(text: str, quote: str) -> str:
    """The inside of a string literal with escapes replaced, as Spark does."""

    def read(match: re.Match[str]) -> str:
        if match["doubled"]:
            return quote
        if match["code"]:
            code = int(match["code"][1:], 16)
            return chr(code) if code <= maxunicode else "\N{REPLACEMENT CHARACTER}"
        if match["octal"]:
            return chr(int(match["octal"], 8))
        return _ESCAPES.get(match["letter"], match["letter"])

    letters = re.sub(rf"(?P<doubled>{quote * 2})|{_ESCAPED}", read, text, flags=re.DOTALL)
    if letters.isascii():
        return letters
    return letters.encode("utf-16", "surrogatepass").decode("utf-16", "replace")  # pairs of halves become one letter


_ESCAPED = r"\\(?:(?P<code>u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|(?P<octal>[01][0-7]{2})|(?P<letter>.))"
_ESCAPES = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a", "%": "\\%", "_": "\\_"}


def _is_part_of_literal(source: Source, index: int) -> bool:
    token = source.tokens[index]
    if token.is_literal or token.kind is TokenKind.PARAMETER or _is_part(token):
        return True
    before = source.at(index - 1)
    if token.is_symbol(":") or before.is_symbol(":"):
        return True
    follows_number = before.is_literal or before.kind is TokenKind.PARAMETER
    is_unit = follows_number or before.is_word("TO") or source.at(index - 2).is_symbol(":")
    return is_unit and token.kind is TokenKind.WORD and near_unit(token.upper) is not None


def _is_part(token: Token) -> bool:
    """Whether a token may be in an interval literal besides numbers and strings."""
    return token.is_symbol("-", "+") or token.is_word("INTERVAL", "TO") or unit_name(token.upper) is not None


def _unfit(source: Source, extent: Extent, what: str, value: Any, needed: str, example: str) -> WindowSpecError:
    """The error for a parameter with a value of the wrong type."""
    shown = source.written(extent)
    problem = f"{what} must be {needed}, and the parameter {shown} is {value!r}"
    return source.spec_error(problem, extent, hint=f"give {shown} a value such as {example}")


def _given_number(source: Source, extent: Extent, what: str, sign: int) -> int | float:
    value = parameter_value(source, extent, what)
    if isinstance(value, Integral) and abs(int(value)) > float_info.max:
        raise _too_large(source, extent, what, _ANY)
    if not _is_number(value) or not isfinite(value):
        raise _unfit(source, extent, what, value, "a number", "2.5")
    return sign * (int(value) if isinstance(value, Integral) else float(value))


def _unknown(source: Source, extent: Extent) -> Unknown:
    return Unknown.of(source.written(extent))


def _is_number(value: Any) -> bool:
    return isinstance(value, (Real, Decimal)) and not isinstance(value, bool)


def _unsigned(source: Source, extent: Extent) -> tuple[int, Extent]:
    """The sign of a range, and the range after it."""
    first = source.at(extent.first, extent.stop)
    rest = Extent(extent.first + 1, extent.stop) if first.is_symbol("-", "+") else extent
    return -1 if first.is_symbol("-") else 1, rest


def _signed(source: Source, extent: Extent) -> tuple[int, Token | None]:
    """The sign and the one token after it; None when there is not exactly one, or it is a parameter."""
    sign, rest = _unsigned(source, extent)
    token = source.at(rest.first, rest.stop)
    return sign, token if rest.is_single and token.kind is not TokenKind.PARAMETER else None


def _duration(source: Source, extent: Extent, what: str) -> int:
    is_unknown = source.parameters is None and has_parameter(source, extent)
    whole = extent
    sign, extent = _unsigned(source, source.unwrapped(extent))
    first = source.at(extent.first, extent.stop)
    if is_parameter(source, extent):
        shown = source.written(extent)
        value = parameter_value(source, extent, what)
        return _unknown(source, whole) if is_unknown else sign * _given_duration(value, shown)
    if first.kind is TokenKind.STRING and extent.is_single:
        return sign * short_string(string_value(source, extent.first))
    if first.is_word("INTERVAL") and extent.stop - extent.first > 1:
        micros = _interval(source, Extent(extent.first + 1, extent.stop), what)
        return _unknown(source, whole) if is_unknown else sign * micros
    raise _no_duration(source, extent, first, what)


def _given_duration(value: Any, shown: str) -> int:
    """The microseconds of a parameter's value."""
    if isinstance(value, timedelta):
        return value // timedelta(microseconds=1)
    if isinstance(value, str):
        if len(value) > _MOST_LETTERS:
            raise Refused(f"the parameter {shown} is too long", rule=_GIVEN)
        try:
            return short_string(value)
        except Refused as error:
            known = meant(value)
            refused = error if known is None else refusal(known, f"'{value}'")
            problem = f"the parameter {shown} is '{value}': {refused.problem}"
            raise Refused(problem, rule=refused.rule, hint=refused.hint) from None
    problem, hint = f"the parameter {shown} is {value!r}, which is no length of time", "a datetime.timedelta"
    if _is_number(value):
        hint = f"a datetime.timedelta, or '{value} seconds', minutes, hours or days"
    raise Refused(problem, rule=_GIVEN, hint=f"give {hint}")


_GIVEN = "a length of time is given as a datetime.timedelta or as a string such as '10 minutes'"


def _no_duration(source: Source, extent: Extent, first: Token, what: str) -> Refused:
    if first.kind is TokenKind.NUMBER and all(_is_part(source.tokens[i]) for i in range(extent.first + 1, extent.stop)):
        shown = source.verbatim(extent)
        if extent.stop - extent.first > 1:
            _interval(source, extent, what)  # a unit may be wrong too
            return Refused("INTERVAL is missing", rule=_LITERAL, hint=f"write INTERVAL {shown} or '{shown}'")
        unit = "a number has no unit of time"
        return Refused(unit, rule=_LITERAL, hint=f"write INTERVAL {first.upper} SECONDS, MINUTES, HOURS or DAYS")
    if has_parameter(source, extent):
        hint = "let the parameter be the whole length, as in :size, or its number, as in INTERVAL :n MINUTES"
        return Refused("expected an interval literal", rule=_LITERAL, hint=hint)
    return Refused("expected an interval literal", rule=_LITERAL)


def _text(source: Source, extent: Extent) -> str:
    """A duration without quotes."""
    strings = {index for index in extent.indexes if source.tokens[index].kind is TokenKind.STRING}
    raw = (source.written(Extent(index, index + 1)) for index in extent.indexes)
    pieces = zip(extent.indexes, raw, strict=True)
    return " ".join(string_value(source, index) if index in strings else text for index, text in pieces)


def _interval(source: Source, extent: Extent, what: str) -> int:
    """What is after INTERVAL: `value unit` pairs, `'..' unit TO unit`, or one string with its own units."""
    words = list(_words(source, extent, what))
    if len(words) == 1 and source.tokens[extent.first].kind is TokenKind.STRING:
        return short_string(words[0])
    if len(words) == 4 and words[2] == "TO":
        return from_to(words[0], unit_of(words[1]), unit_of(words[3]))
    return pairs(join_signs(words))


def _words(source: Source, extent: Extent, what: str) -> Iterator[str]:
    """The words, numbers and strings of an interval literal; for a parameter its value."""
    index = extent.first
    while index < extent.stop:
        token = source.tokens[index]
        end = index + 2 if token.is_symbol(":") else index + 1
        if is_parameter(source, Extent(index, end)):
            yield str(parameter_value(source, Extent(index, end), what))
        elif token.kind is TokenKind.STRING:
            yield string_value(source, index)
        else:
            yield token.upper
        index = end
