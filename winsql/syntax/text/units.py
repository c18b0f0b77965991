"""Units of time, and the meaning of lengths of time that Spark does not take: '10 s', '5min', PT10S, '00:10:00'."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from winsql.model.nearest import nearest

SECOND = 1_000_000
UNITS = {
    "MICROSECOND": 1,
    "MILLISECOND": 1_000,
    "SECOND": SECOND,
    "MINUTE": 60 * SECOND,
    "HOUR": 3_600 * SECOND,
    "DAY": 86_400 * SECOND,
    "WEEK": 7 * 86_400 * SECOND,
}
CALENDAR_UNITS = frozenset({"MONTH", "QUARTER", "YEAR"})
_NANOSECOND = "NANOSECOND"
_ABBREVIATIONS = {
    _NANOSECOND: "N NS NANO NANOS NSEC NSECS NANOSECOND NANOSECONDS",
    "MICROSECOND": "U US \N{GREEK CAPITAL LETTER MU}S MICRO MICROS MICROSEC MICROSECS USEC USECS",
    "MILLISECOND": "MS MILLI MILLIS MILLISEC MILLISECS MSEC MSECS",
    "SECOND": "S SEC SECS",
    "MINUTE": "M MI MIN MINS",
    "HOUR": "H HR HRS",
    "DAY": "D DY DYS",
    "WEEK": "W WK WKS",
    "MONTH": "MO MON MONS MTH MTHS",
    "QUARTER": "Q QTR QTRS",
    "YEAR": "Y YR YRS",
}
_MEANT = {word: unit for unit, words in _ABBREVIATIONS.items() for word in words.split()}
"""The unit that each of them abbreviates."""


@dataclass(frozen=True, slots=True)
class Meant:
    """The meaning of a length of time.

    word   the first unit that Spark does not know, as written; None where the whole has another form
    unit   the unit that is meant
    text   how to write it, `10 SECONDS`; None where it has no fixed length of whole microseconds
    """

    word: str | None
    unit: str
    text: str | None


def unit_name(word: str) -> str | None:
    """The unit that a word names for Spark, singular or plural; None for another word."""
    upper = word.upper()
    singular = upper.removesuffix("S")
    return singular if singular in UNITS or singular in CALENDAR_UNITS else None


def near_unit(word: str) -> str | None:
    """The unit that an abbreviation, or a misspelled word, means."""
    return _MEANT.get(word.upper()) or nearest(word, [*UNITS, *(f"{unit}S" for unit in UNITS)])


def meant(text: str) -> Meant | None:
    """The meaning of a length of time; None where Spark takes it as it is, or it is none."""
    parts = _fields(text) or _pairs(text)
    if not parts:
        return None
    word, unit = next(((word, unit) for _, word, unit in parts if word is not None), (None, parts[0][2]))
    return Meant(word, unit, _written([(number, unit) for number, _, unit in parts]))


_Part = tuple[str, str | None, str]
"""The number, the unit as written where Spark does not know it, and the unit that is meant."""
_PAIR = re.compile(r"\s*([-+]?\s*(?:\d+(?:\.\d*)?|\.\d+))(\s*)([^\W\d_]+)", re.UNICODE)
_ISO = re.compile(
    r"\s*(?P<sign>[-+]?)P(?:(?P<YEAR>\d+)Y)?(?:(?P<MONTH>\d+)M)?(?:(?P<WEEK>\d+)W)?(?:(?P<DAY>\d+)D)?"
    r"(?:T(?:(?P<HOUR>\d+)H)?(?:(?P<MINUTE>\d+)M)?(?:(?P<SECOND>\d+(?:\.\d+)?)S)?)?\s*",
    re.IGNORECASE | re.ASCII,
)
_CLOCK = re.compile(r"\s*(?P<HOUR>\d+):(?P<MINUTE>\d\d):(?P<SECOND>\d\d(?:\.\d+)?)\s*", re.ASCII)


def _fields(text: str) -> list[_Part]:
    """`PT10S`, `00:10:00`: the fields that are not zero."""
    match = _ISO.fullmatch(text) or _CLOCK.fullmatch(text)
    fields = {} if match is None else match.groupdict()
    sign = fields.pop("sign", "")
    parts: list[_Part] = [(sign + number, None, unit) for unit, number in fields.items() if number is not None]
    return [part for part in parts if Fraction(part[0])] or parts


def _pairs(text: str) -> list[_Part]:
    """`10 s`, `1h30m`, `10minutes`; nothing where Spark takes it as it is."""
    text = re.sub(r"^\s*interval\b", "", text, flags=re.IGNORECASE)
    parts: list[_Part] = []
    position, is_sparks = 0, True
    while match := _PAIR.match(text, position):
        number, blank, word = match.groups()
        known = unit_name(word)
        unit = known or _MEANT.get(word.upper())
        if unit is None:
            return []
        parts.append(("".join(number.split()), None if known else word, unit))
        is_sparks = is_sparks and known is not None and blank != ""
        position = match.end()
    return [] if is_sparks or text[position:].strip() else parts


def _written(pairs: Sequence[tuple[str, str]]) -> str | None:
    """The length as Spark takes it: in the given units where their numbers are whole, else in one smaller unit."""
    if any(unit in CALENDAR_UNITS for _, unit in pairs):
        return None
    if all(unit in UNITS and re.fullmatch(r"[-+]?\d+", number) for number, unit in pairs):
        return " ".join(_counted(int(number), unit) for number, unit in pairs)
    micros = sum((Fraction(number) * _micros(unit) for number, unit in pairs), Fraction(0))
    if micros.denominator != 1 or not micros:
        return None
    unit, size = next((unit, size) for unit, size in reversed(UNITS.items()) if micros % size == 0)
    return _counted(int(micros / size), unit)


def _counted(number: int, unit: str) -> str:
    return f"{number} {unit}" if abs(number) == 1 else f"{number} {unit}S"


def _micros(unit: str) -> Fraction:
    return Fraction(1, 1_000) if unit == _NANOSECOND else Fraction(UNITS[unit])
