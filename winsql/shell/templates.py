"""SQL with Jinja in it, such as models of dbt: read without a project, since nobody renders it.

What a template writes is not known. Each `{{ ... }}` reads as a name as long as itself, so that places stay; of the
branches of an `{% if %}` the first one is read. A mistake in what a template writes is none. Where a macro or a text
that is kept for later ends, a statement ends.
"""

from __future__ import annotations

import re

from winsql.errors import Span

_MARKER = re.compile(r"\{\{-?\s*(?P<call>\w+)?.*?\}\}|\{%-?\s*(?P<tag>\w+).*?%\}|\{#.*?#\}", re.DOTALL)
_SILENT = frozenset({"config", "log", "exceptions", "do"})
"""Calls that write nothing."""
_RELATIONS = frozenset({"ref", "source", "this"})
"""What writes the name of a relation and nothing else."""
_BRANCHES = frozenset({"else", "elif"})
_DEPTHS = {"if": 1, "for": 1, "endif": -1, "endfor": -1}
_ENDS = frozenset({"endmacro", "endcall", "endset", "endsnapshot", "endtest"})
_APART = frozenset({"set", "do", "macro", "import", "from", "snapshot", "test"})
"""Tags that write nothing where they are, and after which a statement may begin."""


class Unrendered:
    """A text that can be read as SQL, and where it is not what was written.

    unknown   the places of what is not known but is a name
    anything  the places of what may write anything, or what is between may be written many times, or elsewhere
    """

    def __init__(self, text: str, unknown: list[Span], anything: list[Span]) -> None:
        self.text = text
        self.unknown = unknown
        self.anything = anything

    def hides(self, span: Span | None) -> bool:
        """Whether a place depends on what a template writes."""
        return span is not None and any(span.start < hole.end and hole.start < span.end for hole in self.unknown)


def unrendered(text: str) -> Unrendered:
    """The text with its templates masked; as it is where there are none."""
    parts: list[str] = []
    unknown: list[Span] = []
    anything: list[Span] = []
    position, skipped = 0, 0  # `skipped` counts the open ifs and loops inside a branch that is not read
    for match in _MARKER.finditer(text):
        between = text[position : match.start()]
        parts.append(_blank(between) if skipped else between)
        tag, is_read = match["tag"], not skipped
        if skipped:
            skipped += _DEPTHS.get(tag, 0)
        elif tag in _BRANCHES:
            skipped = 1
        writes = is_read and match[0].startswith("{{") and match["call"] not in _SILENT
        parts.append(_name(match[0]) if writes else _end(match[0]) if is_read and tag in _ENDS else _blank(match[0]))
        if writes:
            unknown.append(Span(*match.span()))
        if (writes and match["call"] not in _RELATIONS) or (tag and tag not in _APART):
            anything.append(Span(*match.span()))
        position = match.end()
    rest = text[position:]
    return Unrendered("".join([*parts, _blank(rest) if skipped else rest]), unknown, anything)


def _name(template: str) -> str:
    """A name of the same length, with the same line ends."""
    first, newline, rest = template.partition("\n")
    return "_" * len(first) + newline + _blank(rest)


def _end(template: str) -> str:
    return f";{_blank(template[1:])}"


def _blank(text: str) -> str:
    return re.sub(r"[^\r\n]", " ", text)
