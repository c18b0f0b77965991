"""Lays out the window clauses of a statement: one clause per line, in the order of the language reference.

Keywords are put in upper case and blanks tidied; arguments stay as written. The rest of the statement stays byte for
byte, but for white space beside a clause. A clause with a comment in it stays as it is, and clauses with a comment
between them keep their order. Placeholders, which may write anything, count as comments, but for those that are an
argument or a part of a string.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from winsql.model.settings import DEFAULTS, ParserSettings
from winsql.syntax.clauses import CLAUSES
from winsql.syntax.clauses.clause import Clause
from winsql.syntax.fragments import may_have_fragments
from winsql.syntax.selects.scanner import find_selects
from winsql.syntax.text.deep import room_for
from winsql.syntax.text.parts import Section, Select
from winsql.syntax.text.source import Edit, Extent, Source
from winsql.syntax.text.tokens import Token, TokenKind


def lay_out(
    text: str,
    lead: str = "",
    newline: str = "\n",
    settings: ParserSettings = DEFAULTS,
    readable: Callable[[str], str] = str,
) -> str:
    """The statement with its window clauses laid out; laying it out again changes nothing.

    `lead` is the text before the statement on its line. `readable` gives a text of the same length with names or
    blanks in the place of placeholders.

    Raises WindowSyntaxError where it cannot be said which SELECT a clause belongs to.
    """
    if not may_have_fragments(readable(text)):
        return text
    # a SELECT that moves changes the column to which the clauses after it are aligned
    for _ in range(_PASSES):
        before, text = text, _laid_out(text, lead, newline, _source(text, readable(text), settings))
        if text == before:
            break
    return text


_PASSES = 10


def _source(text: str, readable: str, settings: ParserSettings) -> Source:
    """The tokens of what can be read, with the text that was written."""
    source = Source(readable, settings=settings)
    if text != readable:
        source.text = text
        source.tokens = [_written(token, text, readable) for token in source.tokens]
    return source


def _written(token: Token, text: str, readable: str) -> Token:
    """A word that is a placeholder must not be printed in upper case."""
    raw = text[token.start : token.end]
    return token if raw == readable[token.start : token.end] else token._replace(upper=raw)


def _laid_out(text: str, lead: str, newline: str, source: Source) -> str:
    edits: list[Edit] = []
    with room_for(source):
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
    """`indent` is the line break before each clause, and the blanks after it."""
    for run in _runs(source, select):
        first, stop = run[0].extent.first, run[-1].extent.stop
        if len(run) > 1 or not _is_fixed(source, run[0].extent):
            lines = [_clause(source, section) for section in sorted(run, key=_rank)]
            yield Edit(*source.span(Extent(first, stop)), indent.join(lines))
        yield from _break(source, first, indent)
        before_clause = any(s.extent.first == stop for part, s in select.sections.items() if part in CLAUSES)
        if stop < select.extent.stop and not before_clause:
            yield from _break(source, stop, indent)


def _runs(source: Source, select: Select) -> list[list[Section]]:
    """Window clauses with nothing but white space between them; one with a comment or placeholder stays alone."""
    runs: list[list[Section]] = []
    sections = (select.sections[part] for part in CLAUSES if part in select.sections)
    for section in sorted(sections, key=lambda section: section.extent.first):
        before = runs[-1] if runs else []
        joins = before and before[-1].extent.stop == section.extent.first
        if joins and not _is_fixed(source, Extent(before[0].extent.first, section.extent.stop)):
            before.append(section)
        else:
            runs.append([section])
    return runs


def _rank(section: Section) -> int:
    assert isinstance(section.part, Clause)
    return CLAUSES.index(section.part)


def _is_fixed(source: Source, extent: Extent) -> bool:
    """Whether there is a comment in clauses, or a placeholder that may write more than an argument or a string."""
    if any(_gap(source, index).strip() for index in range(extent.first + 1, extent.stop)):
        return True
    outside = (source.at(i) for i in extent.indexes if source.group[i] == source.group[extent.first])
    return any(token.kind is TokenKind.WORD and "{" in token.upper for token in outside)


def _gap(source: Source, index: int) -> str:
    """What is between the token at `index` and the one before it."""
    return source.text[source.at(index - 1).end : source.at(index).start]


def _break(source: Source, index: int, indent: str) -> Iterator[Edit]:
    """Puts a token at the beginning of a line; a comment before it stays where it is."""
    gap = _gap(source, index)
    end = source.at(index).start
    if not gap.strip():
        yield Edit(end - len(gap), end, indent)
        return
    _, newline, after = gap.rpartition("\n")
    if newline and not after.strip():
        yield Edit(end - len(after), end, indent.rpartition("\n")[2])


def _indent(source: Source, select: Select, lead: str) -> str:
    """Where the SELECT is when it follows a bracket, else where its line begins."""
    start = source.at(select.extent.first).start
    line = (lead + source.text[:start]).rpartition("\n")[2]
    before = line[: len(line) - len(line.lstrip())]
    if not line.rstrip().endswith("("):
        return before
    return "".join(char if char == "\t" else " " for char in line)


def _clause(source: Source, section: Section) -> str:
    assert isinstance(section.part, Clause)
    return f"{section.part.words} {section.part.lay_out(source, section.body)}".rstrip()
