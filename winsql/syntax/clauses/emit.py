"""EMIT: when a window's result is sent, and what a later one means: sugar over triggers.

emit   = EMIT {EARLY EVERY (n ROWS | duration) | ON TIME | LATE (ON ROW | EVERY duration)
               | AS (APPEND | UPSERT | RETRACTIONS) | ACCUMULATING | DISCARDING}       (any order, each once)
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from winsql.model.assigners import Assigner
from winsql.model.emitting import Changes, Emit
from winsql.model.nearest import nearest
from winsql.model.query import WindowQuery
from winsql.model.registry import TRIGGERS
from winsql.syntax.clauses.clause import Assignment, Clause
from winsql.syntax.clauses.grammar import ClauseParser
from winsql.syntax.clauses.lateness import LATENESS
from winsql.syntax.clauses.policy_text import lay_out_words
from winsql.syntax.clauses.trigger import TRIGGER, refuse_beside_count
from winsql.syntax.text.literals import read_duration, read_integer
from winsql.syntax.text.near_words import is_policy, near_clause, near_phrase
from winsql.syntax.text.parts import COUNTS, SORTS, Part, Section, Select
from winsql.syntax.text.source import Extent, Source
from winsql.syntax.text.tokens import TokenKind

_RULE = (
    "EMIT [EARLY EVERY n ROWS | EARLY EVERY interval] [ON TIME] [LATE ON ROW | LATE EVERY interval] "
    "[AS APPEND | AS UPSERT | AS RETRACTIONS] [ACCUMULATING | DISCARDING]"
)


def _begins(source: Source, index: int) -> bool:
    is_condition = source.words(index, "ON", "TIME") and source.at(index + 2).is_symbol(*_AFTER_COLUMN)
    return not is_condition and any(source.words(index, *words[:2]) for words in (*_SAID, *_VALUED))


_AFTER_COLUMN = (".", "=", "==", "<=>", "<>", "!=", "<", ">", "<=", ">=")
"""What shows that TIME is a column, and EMIT the alias of a table: `JOIN t EMIT ON time = b.time`."""


def _read(parser: ClauseParser, section: Section) -> dict[str, Any]:
    source, body = parser.source, section.body
    found: dict[str, Any] = {}
    for part in _parts(source, section):
        values = _values(parser, part)
        if values.keys() & found.keys() or {"early", "early_rows"} <= values.keys() | found.keys():
            hint = "leave one of them out"
            raise source.syntax_error(f"{source.verbatim(part)} is said twice", part, rule=f"write {_RULE}", hint=hint)
        found |= values
    changes: Changes | None = found.get("changes")
    if changes is not None and found.get("discards"):
        rule = "a later result takes the place of the earlier one where it is about all rows of the window"
        hint = "leave out DISCARDING, or write AS APPEND"
        raise source.spec_error(f"AS {changes.name} cannot be DISCARDING", body, rule=rule, hint=hint)
    return {"emit": Emit(**found)}


def _values(parser: ClauseParser, part: Extent) -> dict[str, Any]:
    """The values of a part, by their names in `Emit`."""
    source = parser.source
    for words, values in _SAID.items():
        if source.words(part.first, *words):
            _require_end(parser, part, len(words))
            return values
    for words, read in _VALUED.items():
        if source.words(part.first, *words):
            return read(source, part)
    if not source.words(part.first, "AS"):
        problem, hint = f"{source.verbatim(part)} is not known here", _meant(source, part)
        raise source.syntax_error(problem, part, rule=f"write {_RULE}", hint=hint)
    _require_end(parser, part, 2)
    said = source.verbatim(Extent(part.first + 1, part.stop))
    problem = f"AS {said} is no meaning of a result" if said else "AS needs the meaning of a result"
    rule = "a later result of a window is one more row (APPEND), or takes the place of the one before"
    hint = "write AS APPEND, AS UPSERT or AS RETRACTIONS"
    raise source.syntax_error(problem, part, rule=rule, hint=hint)


def _parts(source: Source, section: Section) -> Iterator[Extent]:
    """Its parts, each beginning with a word of its own."""
    body = section.body
    starts = [n for n in body.indexes if n == body.first or _begins(source, n) or _near(source, n) is not None]
    if not starts:
        hint = "write for instance EMIT EARLY EVERY 100 ROWS AS UPSERT"
        raise source.syntax_error("EMIT says nothing", section.place, rule=f"write {_RULE}", hint=hint)
    for first, stop in zip(starts, [*starts[1:], body.stop], strict=True):
        yield Extent(first, stop)


def _meant(source: Source, part: Extent) -> str:
    """What to write instead of a part that is not known."""
    if is_policy(source, part.first, TRIGGERS):
        return f"write TRIGGER {source.verbatim(part)}"
    first = source.at(part.first).upper
    if first in _OF_OTHERS:
        return _OF_OTHERS[first]
    if first == "EVERY":
        return f"write EARLY {source.verbatim(part)}"
    near = _near(source, part.first)
    begun = [phrase for phrase in _PHRASES if phrase.split()[0] == nearest(first, _FIRST_WORDS)]
    if near is None and begun:
        return (
            f"write {' or '.join(f'{phrase} ...' if tuple(phrase.split()) in _VALUED else phrase for phrase in begun)}"
        )
    return "write for instance ON TIME" if near is None else f"did you mean {near}?"


def _near(source: Source, index: int) -> str | None:
    """The words of EMIT that are meant at `index`, where they are misspelled."""
    near = None if source.at(index).is_word("ROWS", "ROW") else near_phrase(source, index, _PHRASES)
    return None if near is None or source.words(index, *near.split()) else near


def _require_end(parser: ClauseParser, part: Extent, words: int) -> None:
    """Raises where a part goes on after its words."""
    if part.stop - part.first > words:
        rest = Extent(part.first + words, part.stop)
        near = near_clause(parser.source, rest.first, parser.clauses)
        hint = None if near is None else f"did you mean {near.words}?"
        problem = f"{parser.source.verbatim(rest)} is not expected here"
        raise parser.source.syntax_error(problem, rest, rule=f"write {_RULE}", hint=hint)


def _early(source: Source, part: Extent) -> dict[str, Any]:
    value = Extent(part.first + 2, part.stop)
    unit = source.at(part.stop - 1)
    if unit.is_word("ROWS", "ROW") and not value.is_empty:
        count = read_integer(source, Extent(value.first, value.stop - 1), "EARLY EVERY")
        return {"early_rows": _positive(source, count, value)}
    rows = next((n for n in value.indexes if source.at(n).is_word("ROWS", "ROW")), None)
    if rows is not None:
        rest = Extent(rows + 1, part.stop)
        said = source.verbatim(rest)
        hint = f"write AS {said}" if source.at(rest.first).is_word("APPEND", "UPSERT", "RETRACTIONS") else None
        raise source.syntax_error(f"{said} is not expected here", rest, rule=f"write {_RULE}", hint=hint)
    if value.is_single and source.at(value.first).kind is TokenKind.NUMBER:
        number = source.verbatim(value)
        hint = f"write EARLY EVERY {number} ROWS, or INTERVAL {number} SECONDS, MINUTES, HOURS or DAYS"
        raise source.syntax_error("EARLY EVERY: a number has no unit", value, rule=f"write {_RULE}", hint=hint)
    is_count = len(value.indexes) == 2 and source.at(value.first).kind is TokenKind.NUMBER
    if is_count and nearest(unit.upper, ["ROWS"]) is not None:
        rule, hint = f"write {_RULE}", "did you mean ROWS?"
        raise source.syntax_error(f"{unit.upper} is not known here", part.stop - 1, rule=rule, hint=hint)
    return {"early": _interval(source, part, "EARLY EVERY")}


def _interval(source: Source, part: Extent, what: str) -> int:
    value = Extent(part.first + 2, part.stop)
    if value.is_empty:
        hint = f"write for instance {what} INTERVAL 10 SECONDS{' or EARLY EVERY 100 ROWS' if 'EARLY' in what else ''}"
        raise source.syntax_error(f"{what} needs an interval", part, hint=hint)
    return _positive(source, read_duration(source, value, what), value)


def _positive(source: Source, value: int, place: Extent) -> int:
    if value <= 0:
        raise source.spec_error("EMIT: this must be positive", place, hint="write a number of rows, or an interval")
    return value


_SAID: dict[tuple[str, ...], dict[str, Any]] = {
    ("ON", "TIME"): {"on_time": True},
    ("LATE", "ON", "ROW"): {"late": None, "late_on_row": True},
    ("AS", "APPEND"): {"changes": None},
    ("AS", "UPSERT"): {"changes": Changes.UPSERT},
    ("AS", "RETRACTIONS"): {"changes": Changes.RETRACTIONS},
    ("ACCUMULATING",): {"discards": False},
    ("DISCARDING",): {"discards": True},
}
_VALUED: dict[tuple[str, ...], Callable[[Source, Extent], dict[str, Any]]] = {
    ("EARLY", "EVERY"): _early,
    ("LATE", "EVERY"): lambda source, part: {"late": _interval(source, part, "LATE EVERY")},
}
_OF_OTHERS = {
    "FINAL": "write ON TIME",
    "AFTER": "write ON TIME",
    "CHANGES": "write EARLY EVERY 1 ROWS AS UPSERT",
    "STREAM": "write EARLY EVERY INTERVAL 1 MINUTE",
}
"""What to write for the words of other systems."""
_PHRASES = tuple(" ".join(words) for words in (*_VALUED, *_SAID))
_FIRST_WORDS = tuple(words[0] for words in (*_VALUED, *_SAID))


def _check(source: Source, select: Select, assign: Assignment) -> None:
    section = select.get(EMIT)
    if section is None:
        return
    refuse_beside_count(source, section, assign)
    if select.get(TRIGGER) is not None:
        rule = "EMIT is sugar for a trigger"
        hint = "leave one of them out; EXPLAIN WINDOW shows the trigger that EMIT stands for"
        raise source.spec_error("EMIT and TRIGGER are both there", section.extent, rule=rule, hint=hint)
    says_late = any(source.at(n).is_word("LATE") for n in section.body.indexes)
    if says_late and select.get(LATENESS) is None and assign.assigner.is_event_time:
        rule = "a window that is over takes rows for as long as ALLOWED LATENESS says"
        hint = "add for instance ALLOWED LATENESS INTERVAL 1 HOUR"
        raise source.spec_error("EMIT LATE needs ALLOWED LATENESS", section.extent, rule=rule, hint=hint)
    if any(source.at(n).is_word("UPSERT", "RETRACTIONS") for n in section.body.indexes):
        _check_changelog(source, select)


def _check_changelog(source: Source, select: Select) -> None:
    """Raises for clauses that choose or sort rows: a changelog must be applied whole and in order."""
    for part in (Part.QUALIFY, *SORTS, *COUNTS):
        section = select.get(part)
        if section is not None:
            problem = f"{part.words} cannot be used with a changelog"
            rule = "rows of EMIT ... AS UPSERT or AS RETRACTIONS are changes, to be applied in their order"
            hint = f"leave out {part.words}, or write the changes into a table and read that"
            raise source.spec_error(problem, section.extent, rule=rule, hint=hint)
    listed = select.sections[Part.SELECT]
    word = next((n for n in listed.body.indexes if source.at(n).is_word("OVER")), None)
    if word is not None or source.at(listed.body.first).is_word("DISTINCT"):
        what = "SELECT DISTINCT" if word is None else "OVER"
        problem, rule = f"{what} cannot be used with a changelog", "each row of it is a change of one result"
        hint = f"leave out {what}, or write the changes into a table and read that"
        raise source.spec_error(problem, listed.extent if word is None else word, rule=rule, hint=hint)


def _implied(values: dict[str, Any], assigner: Assigner) -> dict[str, Any]:
    emit: Emit = values["emit"]
    return {"trigger": emit.trigger(assigner), "changes": emit.changes}


def _explain(query: WindowQuery, on_stream: bool) -> Iterator[tuple[str, str]]:
    if query.emit is not None:
        changes = query.spec.changes
        yield "a later result is", "one more row" if changes is None else changes.value


EMIT = Clause(
    "EMIT",
    is_name=True,
    begins=_begins,
    rule="emit",
    syntax=_RULE.removeprefix("EMIT "),
    summary="when a window's result is sent, and what a later one means: sugar over triggers",
    read=_read,
    implied=_implied,
    check=_check,
    fires=True,
    lay_out=lay_out_words,
    explain=_explain,
    offers=lambda: [(words, "keyword") for words in _PHRASES],
)
