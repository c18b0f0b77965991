"""Lays out the window clauses of a statement: one clause per line, in the order of the language reference.

Words are put in upper case and blanks in their places; what the arguments say stays as written. All else of the
statement stays byte for byte, but for white space beside a clause. A clause that holds a comment stays as it is, and
clauses with a comment between them keep their order.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from winsql.model.policy import Kind
from winsql.model.registry import ASSIGNERS, EVICTORS, TRIGGERS, Registry
from winsql.syntax.parts import CLAUSES, Part, Section, Select
from winsql.syntax.scanner import find_selects
from winsql.syntax.sites import may_have_sites
from winsql.syntax.source import Edit, Extent, Source
from winsql.syntax.tokens import TokenKind

__all__ = ["lay_out"]


def lay_out(text: str, lead: str = "", newline: str = "\n") -> str:
    """The statement with its window clauses laid out; laying it out again changes nothing.

    `lead` is what stands before the statement on its line.

    Raises WindowSyntaxError where it cannot be said which SELECT a clause belongs to.
    """
    if not may_have_sites(text):
        return text
    # a SELECT that moves may take along the column that clauses behind it are aligned with
    for _ in range(_PASSES):
        before, text = text, _laid_out(text, lead, newline)
        if text == before:
            break
    return text


_PASSES = 10


def _laid_out(text: str, lead: str, newline: str) -> str:
    source = Source(text)
    edits: list[Edit] = []
    for select in find_selects(source):
        edits += _edits(source, select, newline + _indent(source, select, lead))
    begin = len(text)
    for edit in sorted(edits, key=lambda edit: (edit.end, edit.start), reverse=True):
        # a SELECT inside a clause waits for the next pass, when the clause around it needs no edit
        if edit.end <= begin and text[edit.start : edit.end] != edit.text:
            text = text[: edit.start] + edit.text + text[edit.end :]
            begin = edit.start
    return text


def _edits(source: Source, select: Select, indent: str) -> Iterator[Edit]:
    """`indent` is the line break before each clause, and the blanks behind it."""
    for run in _runs(source, select):
        first, stop = run[0].extent.first, run[-1].extent.stop
        if len(run) > 1 or not _has_comment(source, run[0].extent):
            lines = [_clause(source, section) for section in sorted(run, key=lambda s: CLAUSES.index(s.part))]
            span = source.span(Extent(first, stop))
            yield Edit(span.start, span.end, indent.join(lines))
        yield from _break(source, first, indent)
        if stop < select.extent.stop and _section_at(select, stop) not in CLAUSES:
            yield from _break(source, stop, indent)


def _runs(source: Source, select: Select) -> list[list[Section]]:
    """Window clauses with nothing but white space between them; one with a comment in it stands alone."""
    runs: list[list[Section]] = []
    for section in sorted((select.sections[part] for part in CLAUSES if part in select.sections), key=_first):
        before = runs[-1] if runs else []
        joins = before and before[-1].extent.stop == section.extent.first
        if joins and not _has_comment(source, Extent(before[0].extent.first, section.extent.stop)):
            before.append(section)
        else:
            runs.append([section])
    return runs


def _first(section: Section) -> int:
    return section.extent.first


def _section_at(select: Select, index: int) -> Part | None:
    return next((part for part, section in select.sections.items() if section.extent.first == index), None)


def _has_comment(source: Source, extent: Extent) -> bool:
    return any(_gap(source, index).strip() for index in range(extent.first + 1, extent.stop))


def _gap(source: Source, index: int) -> str:
    """What stands between the token at `index` and the one before it."""
    return source.text[source.at(index - 1).end : source.at(index).start]


def _break(source: Source, index: int, indent: str) -> Iterator[Edit]:
    """Puts a token at the beginning of a line; a comment before it stays where it is."""
    gap = _gap(source, index)
    end = source.at(index).start
    if not gap.strip():
        yield Edit(end - len(gap), end, indent)
        return
    _, newline, behind = gap.rpartition("\n")
    if newline and not behind.strip():
        yield Edit(end - len(behind), end, indent.rpartition("\n")[2])


def _indent(source: Source, select: Select, lead: str) -> str:
    """Where the SELECT stands when it follows a bracket, else where its line begins."""
    start = source.at(select.extent.first).start
    line = (lead + source.text[:start]).rpartition("\n")[2]
    before = line[: len(line) - len(line.lstrip())]
    if not line.rstrip().endswith("("):
        return before
    return "".join(char if char == "\t" else " " for char in line)


# text of the clauses


def _clause(source: Source, section: Section) -> str:
    return f"{section.part.words} {_TEXTS[section.part](source, section.body)}".rstrip()


def _assign(source: Source, body: Extent) -> str:
    end = _call_end(source, body)
    if end is None or end == body.stop:
        return _policy(source, body, ASSIGNERS)
    assigner = _policy(source, Extent(body.first, end), ASSIGNERS)
    if not source.words(end, "PARTITION", "BY"):
        return f"{assigner} {_verbatim(source, Extent(end, body.stop))}"
    keys = [_verbatim(source, key) for key in source.split(Extent(end + 2, body.stop))]
    return f"{assigner} PARTITION BY {', '.join(keys)}"


def _trigger(source: Source, body: Extent) -> str:
    return _policy(source, body, TRIGGERS)


def _evict(source: Source, body: Extent) -> str:
    end = _call_end(source, body)
    if end is None or body.stop != end + 1:
        return _policy(source, body, EVICTORS)
    return f"{_policy(source, Extent(body.first, end), EVICTORS)} {source.at(end).upper}"


def _duration(source: Source, extent: Extent) -> str:
    """`INTERVAL 1 HOUR`, or what else stands there as it is."""
    if not source.at(extent.first, extent.stop).is_word("INTERVAL"):
        return _verbatim(source, extent)
    tokens = [source.at(index) for index in extent.indexes]
    if not all(token.kind in _OF_INTERVALS for token in tokens):
        return _verbatim(source, extent)
    return " ".join(t.upper if t.kind is TokenKind.WORD else source.text[t.start : t.end] for t in tokens)


_OF_INTERVALS = (TokenKind.WORD, TokenKind.NUMBER, TokenKind.STRING)


def _verbatim(source: Source, extent: Extent) -> str:
    return source.text[slice(*source.span(extent))]


_TEXTS = {
    Part.ASSIGN: _assign,
    Part.TRIGGER: _trigger,
    Part.EVICT: _evict,
    Part.LATENESS: _duration,
    Part.LATE_INTO: _verbatim,
    Part.STATE_TTL: _duration,
    Part.APPLY: _verbatim,
}


def _call_end(source: Source, extent: Extent) -> int | None:
    """The index behind the call `name(...)` at the beginning of the extent."""
    if not source.at(extent.first, extent.stop).is_name or not source.at(extent.first + 1, extent.stop).is_symbol("("):
        return None
    return source.closing(extent.first + 1) + 1


def _policy(source: Source, extent: Extent, registry: Registry[Any]) -> str:
    """A policy's call; anything else as it is, since it is a mistake and no matter of layout."""
    if _call_end(source, extent) != extent.stop:
        return _verbatim(source, extent)
    name = source.at(extent.first)
    shown = name.upper if source.text[name.start] != "`" else _verbatim(source, Extent(extent.first, extent.first + 1))
    cls = registry.find(source.name(extent.first))
    nests = cls is not None and any(p.kind in (Kind.TRIGGER, Kind.TRIGGERS) for p in cls.parameters())
    inside = source.split(Extent(extent.first + 2, extent.stop - 1))
    return f"{shown}({', '.join(_argument(source, argument, nests) for argument in inside)})"


def _argument(source: Source, extent: Extent, nests: bool) -> str:
    if source.at(extent.first, extent.stop).is_name and source.at(extent.first + 1, extent.stop).is_symbol("=>"):
        name = _verbatim(source, Extent(extent.first, extent.first + 1))
        return f"{name} => {_value(source, Extent(extent.first + 2, extent.stop), nests)}"
    return _value(source, extent, nests)


def _value(source: Source, extent: Extent, nests: bool) -> str:
    if extent.is_empty:
        return ""
    is_call = _call_end(source, extent) == extent.stop
    if nests and is_call and source.name(extent.first) in TRIGGERS:
        return _policy(source, extent, TRIGGERS)
    if source.normal(extent) == ("PROCTIME", "(", ")"):
        return "PROCTIME()"
    return _duration(source, extent)
