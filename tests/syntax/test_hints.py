"""Hints are advice that works: what they say to write in the place of a mistake is no mistake there."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from functools import cache
from pathlib import Path
from typing import TypeAlias
from unittest.mock import patch

import pytest
from golden_cases import GoldenCase, golden_cases
from passing import cases

from winsql.errors import WinsqlError
from winsql.model.nearest import distance, nearest
from winsql.model.registry import APPLY_FUNCTIONS, CO_GROUP_FUNCTIONS, ApplyFunction, CoGroupFunction
from winsql.planner import checks, streaming
from winsql.runtime.aggregates import SUPPORTED
from winsql.syntax.mistakes import find_mistakes
from winsql.syntax.near_misses import near_misses
from winsql.syntax.text.vocabulary import AGGREGATES

Edit: TypeAlias = Callable[[str, int, int], list[str]]
"""A statement and the place of its mistake -> the statement without it, in each way that the hint names."""
FORMS = (
    r"did you mean ([A-Z_ ]+|[a-z_]+)\?",
    r"write (INTERVAL (?!.*, )[^,]*?) or '",
    r"^write (WINDOW ASSIGN [A-Z]+)\(\.\.\.\)",
    r"write ([A-Z]+) in the place of \w+",
    r"as in (INTERVAL [^,]*?|'[^']*'|[\d.]+)(?: or .*)?$",
    r"write ('[^']+')(?: or .*)?$",
    r"write a length such as (INTERVAL .*)$",
    r"^write for instance ((?:INTERVAL|EMIT|EARLY|LATE EVERY|ON TIME)\b[A-Z0-9 ]*?)(?: or .*)?$",
)
"""What stands in a hint for the words at the place of the mistake."""


def advice(error: WinsqlError) -> str | None:
    found = (re.search(form, error.hint or "") for form in FORMS)
    return next((match[1] for match in found if match), None)


@cache
def mistakes(kind: str) -> list[tuple[GoldenCase, list[WinsqlError]]]:
    """Without the functions of other tests, which hints would name."""
    with ExitStack() as others:
        for registry in (APPLY_FUNCTIONS, CO_GROUP_FUNCTIONS):
            others.enter_context(patch.dict(registry._users, clear=True))
        return [(case, find_mistakes(case.input)) for case in golden_cases(kind)]


def advised(kinds: tuple[str, ...]) -> Iterator[tuple[GoldenCase, WinsqlError, str]]:
    for kind in kinds:
        for case, errors in mistakes(kind):
            for error in errors:
                words = advice(error)
                if words is not None and error.span is not None:
                    yield case, error, words


def is_taken(text: str, place: int) -> bool:
    return not any(error.span is not None and error.span.start == place for error in find_mistakes(text))


def test_statements_of_spark_have_no_misspelled_word() -> None:
    statements = [statement for case in cases() for statement in case.statements]
    assert len(statements) > 500
    assert [statement for statement in statements if near_misses(statement)] == []


def test_what_a_hint_says_to_write_is_no_mistake_at_its_place() -> None:
    tried, wrong = 0, []
    for case, error, words in advised(("errors", "near_misses")):
        start, end = error.span
        within = re.search(r" in the place of (\w+)$", error.hint or "")
        head = re.match(r"(ALLOWED LATENESS|STATE TTL)\b ?", case.input[start:])
        if within:
            start = case.input.index(within[1], start)
            end = start + len(within[1])
        elif head and words not in head[1]:  # the mistake is what comes after the words of the clause
            words = f"{head[1]} {words}"
        two = re.match(r"\w+\s+\w+", case.input[start:])  # of two words that are wrong the error shows the first one
        ends = {end, start + two.end()} if two and " " in words else {end}
        tried += 1
        if not any(is_taken(case.input[:start] + words + case.input[stop:], start) for stop in ends):
            wrong.append(f"{case.id}: {words}")
    assert tried > 60
    assert wrong == []


def put(words: str) -> Edit:
    """Writes words at the place of the mistake."""
    return lambda text, start, end: [text[:start] + words + text[end:]]


def with_triggers(*calls: str) -> Edit:
    return lambda text, start, end: [f"{text[:start]}TRIGGER {call}{text[end:]}" for call in calls]


def with_global(text: str, start: int, end: int) -> list[str]:
    return [re.sub(r"WINDOW ASSIGN \w+\(ts.*?\)", "WINDOW ASSIGN GLOBAL(ts)", text)]


MERGING = ("EVENT_TIME()", "PROCESSING_TIME()", "CONTINUOUS_EVENT_TIME('1 hour')", "COUNT(2)", "WHEN(count(*) > 3)")
EDITS: dict[str, Edit] = {
    r"leave (?:it out|out LATE INTO|out ALLOWED LATENESS|out the comma)$": put(""),
    r"wrap it, for instance as (ANY_VALUE\(.*\))$": lambda text, start, end: put(f"ANY_VALUE({text[start:end]})")(
        text, start, end
    ),
    r"use EVENT_TIME, PROCESSING_TIME, CONTINUOUS_\*, COUNT or WHEN": with_triggers(*MERGING),
    r"add for instance TRIGGER COUNT\(100\)": lambda text, start, end: [
        f"{text[:end]} TRIGGER {call}{text[end:]}" for call in ("COUNT(100)", "END_OF_STREAM()")
    ],
    r"^use WINDOW ASSIGN GLOBAL\(\.\.\.\)$": with_global,
    r"^use QUALIFY$": lambda text, start, end: [text.replace("HAVING", "QUALIFY")],
    r"^write TRUE or FALSE$": put("TRUE"),
    r"^write LEFT WINDOW JOIN;": put("LEFT WINDOW JOIN"),
    r"^write PROCTIME\(\) alone$": lambda text, start, end: [
        re.sub(r"TUMBLING\(.*PROCTIME\([^)]*\)[^,]*,", "TUMBLING(PROCTIME(),", text)
    ],
    r"^write TABLE t$": lambda text, start, end: put(f"TABLE {text[start:end]}")(text, start, end),
    r"^write DESCRIPTOR\(ts\)$": put("DESCRIPTOR(ts)"),
}
"""What a hint says to do -> the statements that come of it."""


@pytest.mark.parametrize("form", EDITS)
def test_what_a_hint_says_to_do_ends_the_mistake(form: str) -> None:
    tried, wrong = 0, []
    for case, errors in mistakes("errors"):
        for error in errors:
            if error.span is None or not re.search(form, error.hint or "") or error.span.start == error.span.end:
                continue
            for text in EDITS[form](case.input, *error.span):
                tried += 1
                again = [(other.problem, other.span) for other in find_mistakes(text)]
                wrong += [f"{case.id}: {text}"] if (error.problem, error.span) in again else []
    assert tried
    assert wrong == []


MENDED = Path(__file__).parents[1] / "golden" / "mended.sql"
"""After each other hint, a statement a line that does what it says."""
TELLS_NOTHING_TO_WRITE = {"known: none is registered"}


def mended() -> dict[str, list[str]]:
    blocks = (block.splitlines() for block in MENDED.read_text(encoding="utf-8").split("\n\n"))
    return {hint.removeprefix("-- "): statements for hint, *statements in blocks}


@pytest.fixture
def fit() -> Iterator[None]:
    """The function that statements name."""
    APPLY_FUNCTIONS.add("fit", ApplyFunction(max, "n INT"))
    CO_GROUP_FUNCTIONS.add("fit", CoGroupFunction(max, "n INT"))
    yield
    APPLY_FUNCTIONS.remove("fit")
    CO_GROUP_FUNCTIONS.remove("fit")


@pytest.mark.usefixtures("fit")
def test_statements_that_do_what_a_hint_says_have_no_mistake() -> None:
    statements = [statement for found in mended().values() for statement in found]
    assert len(statements) > 200
    wrong = [f"{text}\n  {error}" for text in statements for error in find_mistakes(text)]
    assert "\n".join(wrong) == ""


def test_every_hint_is_tried() -> None:
    tried = mended().keys() | TELLS_NOTHING_TO_WRITE
    errors = [error for kind in ("errors", "near_misses") for _, found in mistakes(kind) for error in found]
    assert len(errors) > 400
    hints = {error.hint or "" for error in errors if advice(error) is None}
    assert {hint for hint in hints - tried if not any(re.search(form, hint) for form in EDITS)} == set()
    assert tried <= hints  # no statement is for a hint that is gone


@pytest.mark.parametrize("hint", [streaming._KEPT, "SUM, COUNT, AVG, MIN, MAX"], ids=["on streams", "in WHEN"])
def test_aggregates_that_hints_name_are_kept_in_state(hint: str) -> None:
    named = AGGREGATES.intersection(re.findall(r"[A-Z_]+", hint))
    assert named
    assert named <= set(SUPPORTED)


def test_the_check_of_when_names_those() -> None:
    assert "use SUM, COUNT, AVG, MIN, MAX or" in inspect.getsource(checks)


def test_nearest_goes_by_letters() -> None:
    known = ["TUMBLING", "SLIDING", "COUNT", "ANY"]
    assert [nearest(word, known) for word in ("tumblng", "SILDING", "CONT", "COUNTT")] == [
        "TUMBLING",
        "SLIDING",
        "COUNT",
        "COUNT",
    ]
    assert [nearest(word, known) for word in ("ROLLING", "AN", "X", "SUM", "")] == [None] * 5
    assert (distance("ASIGN", "ASSIGN"), distance("TABEL", "TABLE"), distance("", "ABC")) == (1, 1, 3)


def test_meanings_come_before_letters() -> None:
    assert nearest("every", ["NEVER"], {"EVERY": "COUNT"}) == "COUNT"
