"""SQL with Jinja in it, such as models of dbt: read without a project, since nobody renders it.

What a template writes is not known. Each `{{ ... }}` reads as a name as long as itself, so that places stay; of the
branches of an `{% if %}` the first one is read. A mistake in what a template writes is none.
"""

from __future__ import annotations

import re

from winsql.errors import Span

__all__ = ["Unrendered", "unrendered"]

_MARKER = re.compile(r"\{\{-?\s*(?P<call>\w+)?.*?\}\}|\{%-?\s*(?P<tag>\w+).*?%\}|\{#.*?#\}", re.DOTALL)
_SILENT = frozenset({"config", "log", "exceptions", "do"})
"""Calls that write nothing."""
_BRANCHES = frozenset({"else", "elif"})


class Unrendered:
    """A text that can be read as SQL, and where it is not what was written."""

    def __init__(self, text: str, unknown: list[Span]) -> None:
        self.text = text
        self.unknown = unknown

    def hides(self, span: Span | None) -> bool:
        """Whether a place depends on what a template writes."""
        return span is not None and any(span.start < hole.end and hole.start < span.end for hole in self.unknown)


def unrendered(text: str) -> Unrendered:
    """The text with its templates masked; as it is where there are none."""
    parts: list[str] = []
    unknown: list[Span] = []
    position, skipped = 0, 0  # `skipped` counts the open ifs inside a branch that is not read
    for match in _MARKER.finditer(text):
        between = text[position : match.start()]
        parts.append(_blank(between) if skipped else between)
        tag, is_read = match["tag"], not skipped
        if skipped:
            skipped += {"if": 1, "endif": -1}.get(tag, 0)
        elif tag in _BRANCHES:
            skipped = 1
        writes = is_read and match[0].startswith("{{") and match["call"] not in _SILENT
        parts.append(_name(match[0]) if writes else _blank(match[0]))
        if writes:
            unknown.append(Span(*match.span()))
        position = match.end()
    rest = text[position:]
    return Unrendered("".join([*parts, _blank(rest) if skipped else rest]), unknown)


def _name(template: str) -> str:
    """A name of the same length, with the same line ends."""
    first, newline, rest = template.partition("\n")
    return "_" * len(first) + newline + _blank(rest)


def _blank(text: str) -> str:
    return re.sub(r"[^\r\n]", " ", text)
