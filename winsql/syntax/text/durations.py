"""The microseconds of a length of time: of pairs of number and unit, and of `'..' unit TO unit`."""

from __future__ import annotations

import re
from collections.abc import Sequence

from winsql.syntax.text.units import CALENDAR_UNITS, UNITS, Meant, near_unit, unit_name

_EXAMPLE = "write an interval, as in INTERVAL 10 MINUTES or '10 minutes'"
_FINEST = "Spark's timestamps are whole microseconds"
_CALENDAR = "months, quarters and years have no fixed length"
_IN_DAYS = "write the length in days, as in INTERVAL 30 DAYS"


class Refused(Exception):
    """A duration that cannot be read; the place is added by the caller."""

    def __init__(self, problem: str, *, rule: str | None = None, hint: str | None = _EXAMPLE) -> None:
        super().__init__(problem)
        self.problem = problem
        self.rule = rule
        self.hint = hint


def join_signs(words: Sequence[str]) -> list[str]:
    """The words with each sign joined to the number after it."""
    joined: list[str] = []
    for word in words:
        if joined and joined[-1] in ("-", "+"):
            joined[-1] += word.strip()
        else:
            joined.append(word)
    return joined


def pairs(words: Sequence[str]) -> int:
    """The microseconds of numbers, each with its unit after it."""
    if not words or len(words) % 2:
        raise Refused("this interval is not complete: a number or its unit is missing")
    return sum(_amount(number, unit_of(unit)) for number, unit in zip(words[::2], words[1::2], strict=True))


def short_string(text: str) -> int:
    """`'10 minutes'`, `'1 hour 30 minutes'`, `'-1.5 seconds'`, with or without the word interval before it."""
    words = join_signs(re.findall(r"[-+]|[^\s+-]+", text))
    if words and words[0].upper() == "INTERVAL":
        words = words[1:]
    if not words:
        raise Refused("this string holds no interval")
    return pairs(words)


def unit_of(word: str) -> str:
    """The unit that a word names; raises Refused for another word and for a unit without a fixed length."""
    unit = unit_name(word)
    if unit is None:
        rule = f"units are {', '.join(UNITS)}, singular or plural"
        near = near_unit(word)
        if near is not None:
            problem = f"{word} is not a unit of time: {near} is meant"
            raise Refused(problem, rule=rule, hint=f"write {near} in the place of {word}")
        raise Refused(f"{word.upper()} is not a unit of time", rule=rule)
    if unit in CALENDAR_UNITS:
        raise Refused(f"{unit} cannot be used", rule=_CALENDAR, hint=_IN_DAYS)
    return unit


def _amount(number: str, unit: str) -> int:
    match = re.fullmatch(r"\s*([-+]?)(\d*)(?:\.(\d*))?\s*", number)
    if match is None or not (match[2] or match[3]):
        raise Refused(f"{number.strip() or repr(number)} is not a number")
    if match[3] is not None and unit != "SECOND":
        rule = "only seconds may have a fraction, as in Spark"
        hint = "write it in smaller units, as in '1 hour 30 minutes'"
        raise Refused(f"a fraction of {unit} cannot be used", rule=rule, hint=hint)
    micros = int(match[2] or 0) * UNITS[unit] + _micros(match[3] or "")
    return -micros if match[1] == "-" else micros


def _micros(fraction: str) -> int:
    """The microseconds of the digits after the point of seconds."""
    if fraction[6:].strip("0"):
        hint = "write at most six digits after the point of seconds"
        raise Refused("this interval is finer than a microsecond", rule=_FINEST, hint=hint)
    return int(fraction[:6].ljust(6, "0"))


_FIELDS = {
    ("DAY", "HOUR"): r"(?P<DAY>\d+)\s+(?P<HOUR>\d+)",
    ("DAY", "MINUTE"): r"(?P<DAY>\d+)\s+(?P<HOUR>\d+):(?P<MINUTE>\d+)",
    ("DAY", "SECOND"): r"(?P<DAY>\d+)\s+(?P<HOUR>\d+):(?P<MINUTE>\d+):(?P<SECOND>\d+(?:\.\d+)?)",
    ("HOUR", "MINUTE"): r"(?P<HOUR>\d+):(?P<MINUTE>\d+)",
    ("HOUR", "SECOND"): r"(?P<HOUR>\d+):(?P<MINUTE>\d+):(?P<SECOND>\d+(?:\.\d+)?)",
    ("MINUTE", "SECOND"): r"(?P<MINUTE>\d+):(?P<SECOND>\d+(?:\.\d+)?)",
}
_FROM_TO_EXAMPLE = "write it as in INTERVAL '1 02:30:00' DAY TO SECOND"
_LIMITS = {"HOUR": 24, "MINUTE": 60, "SECOND": 60}


def from_to(text: str, first: str, last: str) -> int:
    """The microseconds of fields, `'1 02:30:00' DAY TO SECOND`."""
    pattern = _FIELDS.get((first, last))
    if pattern is None:
        raise Refused(f"INTERVAL ... {first} TO {last} does not exist", hint=_FROM_TO_EXAMPLE)
    match = re.fullmatch(rf"\s*(?P<sign>[-+]?)\s*{pattern}\s*", text)
    if match is None:
        raise Refused(f"'{text}' does not fit {first} TO {last}", hint=_FROM_TO_EXAMPLE)
    fields = {unit: value for unit, value in match.groupdict().items() if unit != "sign"}
    for unit, value in fields.items():
        if unit != first and int(float(value)) >= _LIMITS[unit]:
            problem = f"{value} is too large for {unit} in {first} TO {last}"
            raise Refused(problem, hint="carry it over to the unit before")
    micros = sum(_amount(value, unit) for unit, value in fields.items())
    return -micros if match["sign"] == "-" else micros


def refusal(known: Meant, shown: str) -> Refused:
    """The error for a length of time that Spark does not take, but whose meaning is known."""
    if known.word is None:
        problem = f"{shown} is not an interval of Spark: {known.text or known.unit} is meant"
        rule = f"a number comes before a unit, with a blank between them: {', '.join(UNITS)}, singular or plural"
    elif known.unit == known.word.upper().removesuffix("S"):
        problem, rule = f"{known.word} is not a unit of time in Spark", _FINEST
    else:
        problem = f"{known.word} is not a unit of time: {known.unit} is meant"
        rule = f"Spark takes no abbreviations: units are {', '.join(UNITS)}, singular or plural"
    if known.text is not None:
        return Refused(problem, rule=rule, hint=f"write INTERVAL {known.text} or '{known.text.lower()}'")
    if known.unit in UNITS or known.unit == "NANOSECOND":
        return Refused(problem, rule=_FINEST, hint="write whole microseconds, as in INTERVAL 10 MICROSECONDS")
    return Refused(problem, rule=_CALENDAR, hint=_IN_DAYS)
