"""Literals of window clauses: durations to the microsecond, numbers, booleans.

A duration is an interval literal of Spark (`INTERVAL 1 HOUR`, `INTERVAL '1 02:00:00' DAY TO SECOND`, `INTERVAL 1 HOUR
30 MINUTES`) or the short string that Spark's window functions take (`'10 minutes'`). Everything is exact integer
arithmetic; months and years have no fixed length and are refused.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from winsql.errors import WindowSyntaxError
from winsql.model.base import MAX_TIME, MIN_TIME
from winsql.syntax.source import Extent, Source
from winsql.syntax.tokens import Token, TokenKind
from winsql.syntax.units import CALENDAR_UNITS, UNITS, Meant, abbreviated, is_short, meant, unit_name

__all__ = [
    "UNITS",
    "is_duration",
    "read_boolean",
    "read_duration",
    "read_integer",
    "read_number",
    "string_value",
]

_LITERAL = "a length of time is an interval literal of Spark, or a string that holds one"
_EXAMPLE = "write an interval, as in INTERVAL 10 MINUTES or '10 minutes'"


def is_duration(source: Source, extent: Extent) -> bool:
    """Whether a range has the shape of a duration literal, valid or not."""
    first = source.at(extent.first, extent.stop)
    if first.is_symbol("-", "+"):
        first = source.at(extent.first + 1, extent.stop)
    if first.kind is TokenKind.STRING:
        return all(source.tokens[i].kind is TokenKind.STRING for i in extent.indexes)
    if extent.stop - extent.first == 1 and first.kind is TokenKind.WORD:
        return is_short(first.upper)
    has_unit = first.kind is TokenKind.NUMBER and source.at(extent.first + 1, extent.stop).kind is TokenKind.WORD
    if not first.is_word("INTERVAL") and not has_unit:
        return False
    return all(_is_part_of_literal(source, index) for index in extent.indexes)


def read_duration(source: Source, extent: Extent, what: str) -> int:
    """The microseconds of a duration literal; `what` names the parameter in errors."""
    try:
        micros = _duration(source, extent, what)
    except _Refused as error:
        known = meant(_text(source, extent))
        refused = error if known is None else _said(known, source.verbatim(extent))
        raise source.syntax_error(f"{what}: {refused.problem}", extent, rule=refused.rule, hint=refused.hint) from None
    if not MIN_TIME < micros < MAX_TIME:
        raise source.syntax_error(
            f"{what}: this interval is too long", extent, rule="a duration fits 64 bits", hint="write a shorter one"
        )
    return micros


def read_integer(source: Source, extent: Extent, what: str) -> int:
    """An integer literal, signed or not."""
    sign, token = _signed(source, extent)
    if token is None or token.kind is not TokenKind.NUMBER or not re.fullmatch(r"\d+[LSY]?", token.upper):
        raise _unexpected(source, extent, f"{what} must be an integer literal", "write a whole number, as in 10")
    return sign * int(token.upper.rstrip("LSY"))


def read_number(source: Source, extent: Extent, what: str) -> int | float:
    """A numeric literal, signed or not: an int when it is whole, else a float."""
    sign, token = _signed(source, extent)
    if token is None or token.kind is not TokenKind.NUMBER:
        raise _unexpected(source, extent, f"{what} must be a numeric literal", "write a number, as in 2.5")
    digits = re.sub(r"(?:BD|[LSYDF])$", "", token.upper)
    value = int(digits) if digits.isdigit() else float(digits)
    if value in (float("inf"), float("-inf")):
        raise source.syntax_error(f"{what}: this number is too large", extent, hint="write a smaller one")
    return sign * value


def read_boolean(source: Source, extent: Extent, what: str) -> bool:
    """TRUE or FALSE."""
    token = source.at(extent.first, extent.stop)
    if extent.stop - extent.first == 1 and token.is_word("TRUE", "FALSE"):
        return token.upper == "TRUE"
    raise _unexpected(source, extent, f"{what} must be TRUE or FALSE", "write TRUE or FALSE")


def string_value(source: Source, index: int) -> str:
    """What the string literal at `index` stands for in the session."""
    token = source.tokens[index]
    raw = source.text[token.start : token.end]
    if raw[0] == "$":
        tag = raw.index("$", 1) + 1
        return raw[tag:-tag]
    if raw[0] in "rR":
        return raw[2:-1]
    return raw[1:-1] if source.settings.escaped_string_literals else _unescaped(raw[1:-1], raw[0])


def _unescaped(text: str, quote: str) -> str:
    """The inside of a string literal with its escapes read, as Spark reads them."""

    def read(match: re.Match[str]) -> str:
        if match["doubled"]:
            return quote
        if match["code"]:
            return chr(int(match["code"].lstrip("uU"), 16))
        if match["octal"]:
            return chr(int(match["octal"], 8))
        return _ESCAPES.get(match["letter"], match["letter"])

    return re.sub(rf"(?P<doubled>{quote * 2})|{_ESCAPED}", read, text, flags=re.DOTALL)


_ESCAPED = r"\\(?:(?P<code>u[0-9a-fA-F]{4}|U[0-9a-fA-F]{8})|(?P<octal>[01][0-7]{2})|(?P<letter>.))"
_ESCAPES = {"0": "\0", "b": "\b", "n": "\n", "r": "\r", "t": "\t", "Z": "\x1a", "%": "\\%", "_": "\\_"}


class _Refused(Exception):
    """A duration that cannot be read; the place is added by the caller."""

    def __init__(self, problem: str, *, rule: str | None = None, hint: str | None = _EXAMPLE) -> None:
        super().__init__(problem)
        self.problem = problem
        self.rule = rule
        self.hint = hint


_LITERAL_KINDS = frozenset({TokenKind.STRING, TokenKind.NUMBER})


def _is_part_of_literal(source: Source, index: int) -> bool:
    token = source.tokens[index]
    if token.kind in _LITERAL_KINDS or _is_part(token):
        return True
    before = source.at(index - 1)
    is_unit = before.kind in _LITERAL_KINDS or before.is_word("TO")
    return is_unit and token.kind is TokenKind.WORD and abbreviated(token.upper) is not None


def _is_part(token: Token) -> bool:
    """Whether a token may stand in an interval literal besides numbers and strings."""
    return token.is_symbol("-", "+") or token.is_word("INTERVAL", "TO") or unit_name(token.upper) is not None


def _unexpected(source: Source, extent: Extent, problem: str, hint: str | None) -> WindowSyntaxError:
    if _has_parameter(source, extent):
        hint = "write the value itself: windows are planned before parameters have values"
    return source.syntax_error(problem, extent, hint=hint)


def _has_parameter(source: Source, extent: Extent) -> bool:
    tokens = [source.tokens[i] for i in extent.indexes]
    return any(t.kind is TokenKind.PARAMETER or t.is_symbol(":") for t in tokens)


def _signed(source: Source, extent: Extent) -> tuple[int, Token | None]:
    """The sign and the one token behind it; None when there is not exactly one."""
    first = source.at(extent.first, extent.stop)
    sign = -1 if first.is_symbol("-") else 1
    start = extent.first + 1 if first.is_symbol("-", "+") else extent.first
    return sign, source.tokens[start] if extent.stop - start == 1 else None


def _duration(source: Source, extent: Extent, what: str) -> int:
    sign = 1
    first = source.at(extent.first, extent.stop)
    if first.is_symbol("-", "+"):
        sign = -1 if first.is_symbol("-") else 1
        extent = Extent(extent.first + 1, extent.stop)
        first = source.at(extent.first, extent.stop)
    if first.kind is TokenKind.STRING and extent.stop - extent.first == 1:
        return sign * _short_string(_value(source, extent.first))
    if first.is_word("INTERVAL") and extent.stop - extent.first > 1:
        return sign * _interval(source, Extent(extent.first + 1, extent.stop))
    raise _no_duration(source, extent, first)


def _no_duration(source: Source, extent: Extent, first: Token) -> _Refused:
    if first.kind is TokenKind.NUMBER and all(_is_part(source.tokens[i]) for i in range(extent.first + 1, extent.stop)):
        shown = source.verbatim(extent)
        if extent.stop - extent.first > 1:
            _interval(source, extent)  # a unit may be wrong too
            return _Refused("INTERVAL is missing", rule=_LITERAL, hint=f"write INTERVAL {shown} or '{shown}'")
        unit = "a number has no unit of time"
        return _Refused(unit, rule=_LITERAL, hint=f"write INTERVAL {first.upper} SECONDS, MINUTES, HOURS or DAYS")
    if _has_parameter(source, extent):
        hint = "write the interval itself: windows are planned before parameters have values"
        return _Refused("expected an interval literal", hint=hint)
    return _Refused("expected an interval literal", rule=_LITERAL)


def _text(source: Source, extent: Extent) -> str:
    """A duration without quotes."""
    tokens = [source.tokens[index] for index in extent.indexes]
    raw = [(token, source.text[token.start : token.end]) for token in tokens]
    return " ".join(string_value(text) if token.kind is TokenKind.STRING else text for token, text in raw)


def _said(known: Meant, shown: str) -> _Refused:
    """The error for a length of time that Spark does not take, but that can be understood."""
    if known.word is None:
        problem = f"{shown} is not an interval of Spark: {known.text or known.unit} is meant"
        rule = f"a number stands before a unit, with a blank between them: {', '.join(UNITS)}, singular or plural"
    else:
        problem = f"{known.word} is not a unit of time: {known.unit} is meant"
        rule = f"Spark takes no abbreviations: units are {', '.join(UNITS)}, singular or plural"
    if known.text is not None:
        return _Refused(problem, rule=rule, hint=f"write INTERVAL {known.text} or '{known.text.lower()}'")
    if known.unit in UNITS or known.unit == "NANOSECOND":
        return _Refused(problem, rule=_FINEST, hint="write whole microseconds, as in INTERVAL 10 MICROSECONDS")
    return _Refused(problem, rule=_CALENDAR, hint=_IN_DAYS)


_FINEST = "Spark's timestamps are whole microseconds"
_CALENDAR = "months, quarters and years have no fixed length"
_IN_DAYS = "write the length in days, as in INTERVAL 30 DAYS"


def _value(source: Source, index: int) -> str:
    token = source.tokens[index]
    return string_value(source, index) if token.kind is TokenKind.STRING else token.upper


def _interval(source: Source, extent: Extent) -> int:
    """What stands behind INTERVAL: `value unit` pairs, `'..' unit TO unit`, or one string with its own units."""
    words = [_value(source, i) for i in extent.indexes]
    if len(words) == 1 and source.tokens[extent.first].kind is TokenKind.STRING:
        return _short_string(words[0])
    if len(words) == 4 and words[2] == "TO":
        return _from_to(words[0], _unit(words[1]), _unit(words[3]))
    return _pairs(_join_signs(words))


def _join_signs(words: Sequence[str]) -> list[str]:
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] in ("-", "+"):
            joined[-1] += word.strip()
        else:
            joined.append(word)
    return joined


def _pairs(words: Sequence[str]) -> int:
    if not words or len(words) % 2:
        raise _Refused("this interval is not complete: a number or its unit is missing")
    micros = 0
    for number, unit in zip(words[::2], words[1::2], strict=True):
        micros += _amount(number, _unit(unit))
    return micros


def _short_string(text: str) -> int:
    """`'10 minutes'`, `'1 hour 30 minutes'`, `'-1.5 seconds'`, with or without the word interval before it."""
    words = _join_signs(re.findall(r"[-+]|[^\s+-]+", text))
    if words and words[0].upper() == "INTERVAL":
        words = words[1:]
    if not words:
        raise _Refused("this string holds no interval")
    return _pairs(words)


def _unit(word: str) -> str:
    unit = unit_name(word)
    if unit is None:
        rule = f"units are {', '.join(UNITS)}, singular or plural"
        near = abbreviated(word)
        if near is not None:
            problem = f"{word} is not a unit of time: {near} is meant"
            raise _Refused(problem, rule=rule, hint=f"write {near} in the place of {word}")
        raise _Refused(f"{word.upper()} is not a unit of time", rule=rule)
    if unit in CALENDAR_UNITS:
        raise _Refused(f"{unit} cannot be used", rule=_CALENDAR, hint=_IN_DAYS)
    return unit


def _amount(number: str, unit: str) -> int:
    match = re.fullmatch(r"\s*([-+]?)(\d*)(?:\.(\d*))?\s*", number)
    if match is None or not (match[2] or match[3]):
        raise _Refused(f"{number.strip() or repr(number)} is not a number")
    if match[3] is not None and unit != "SECOND":
        raise _Refused(
            f"a fraction of {unit} cannot be used",
            rule="only seconds may have a fraction, as in Spark",
            hint="write it in smaller units, as in '1 hour 30 minutes'",
        )
    micros = int(match[2] or 0) * UNITS[unit] + _micros(match[3] or "")
    return -micros if match[1] == "-" else micros


def _micros(fraction: str) -> int:
    """The digits behind the point of seconds."""
    if fraction[6:].strip("0"):
        raise _Refused(
            "this interval is finer than a microsecond",
            rule=_FINEST,
            hint="write at most six digits behind the point of seconds",
        )
    return int(fraction[:6].ljust(6, "0"))


_FIELDS = {
    ("DAY", "HOUR"): r"(?P<DAY>\d+)\s+(?P<HOUR>\d+)",
    ("DAY", "MINUTE"): r"(?P<DAY>\d+)\s+(?P<HOUR>\d+):(?P<MINUTE>\d+)",
    ("DAY", "SECOND"): r"(?P<DAY>\d+)\s+(?P<HOUR>\d+):(?P<MINUTE>\d+):(?P<SECOND>[\d.]+)",
    ("HOUR", "MINUTE"): r"(?P<HOUR>\d+):(?P<MINUTE>\d+)",
    ("HOUR", "SECOND"): r"(?P<HOUR>\d+):(?P<MINUTE>\d+):(?P<SECOND>[\d.]+)",
    ("MINUTE", "SECOND"): r"(?P<MINUTE>\d+):(?P<SECOND>[\d.]+)",
}
_FROM_TO_EXAMPLE = "write it as in INTERVAL '1 02:30:00' DAY TO SECOND"
_LIMITS = {"HOUR": 24, "MINUTE": 60, "SECOND": 60}


def _from_to(text: str, first: str, last: str) -> int:
    pattern = _FIELDS.get((first, last))
    if pattern is None:
        raise _Refused(f"INTERVAL ... {first} TO {last} does not exist", hint=_FROM_TO_EXAMPLE)
    match = re.fullmatch(rf"\s*(?P<sign>[-+]?)\s*{pattern}\s*", text)
    if match is None:
        raise _Refused(f"'{text}' does not fit {first} TO {last}", hint=_FROM_TO_EXAMPLE)
    fields = {unit: value for unit, value in match.groupdict().items() if unit != "sign"}
    for unit, value in fields.items():
        if unit != first and int(float(value)) >= _LIMITS[unit]:
            raise _Refused(
                f"{value} is too large for {unit} in {first} TO {last}", hint="carry it over to the unit before"
            )
    micros = sum(_amount(value, unit) for unit, value in fields.items())
    return -micros if match["sign"] == "-" else micros
