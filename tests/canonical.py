"""A windowed query as canonical text: the clauses in the order of the language reference, arguments normalised.

What winsql does not own (select list, FROM body, WHERE, keys and everything after them) stays as the user wrote it.
Reading the text again gives the same query, spans aside, which shows that nothing that was written is lost.
"""

from __future__ import annotations

from collections.abc import Iterator

from winsql.errors import as_written
from winsql.model.query import WindowQuery
from winsql.syntax.clauses import CLAUSES
from winsql.syntax.fragments import find_fragments
from winsql.syntax.text.parts import TAIL, Part, Select
from winsql.syntax.text.source import Source

__all__ = ["render_query"]


def render_query(query: WindowQuery) -> str:
    """The windowed SELECT in canonical form, one clause per line.

    A call of a table function is shown as written, in a query that returns what it returns.
    """
    source = Source(query.text, settings=query.settings)
    fragment = next(fragment for fragment in find_fragments(source)[0] if source.span(fragment.extent) == query.span)
    select = fragment.select
    if select is None:
        return f"SELECT *\nFROM {source.text[slice(*query.span)]}"
    lines = [_verbatim(source, select, part) for part in _BEFORE]
    lines += _window_clauses(query, source, select)
    lines += [_verbatim(source, select, part) for part in _AFTER]
    return as_written("\n".join(line for line in lines if line))


_BEFORE = (Part.SELECT, Part.FROM, Part.WHERE)
_AFTER = tuple(part for part in TAIL if part is not Part.WHERE)


def _verbatim(source: Source, select: Select, part: Part) -> str:
    section = select.get(part)
    return f"{part.words} {source.verbatim(section.body)}" if section else ""


def _window_clauses(query: WindowQuery, source: Source, select: Select) -> Iterator[str]:
    for clause in CLAUSES:
        text = clause.render(query, source, select)
        if text:
            yield f"{clause.words} {text}"
