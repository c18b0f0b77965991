"""Blocks of Markdown that the reference is made of: grammars of docstrings, tables, paragraphs."""

from __future__ import annotations

import importlib
import inspect
import re
import textwrap
from collections.abc import Iterable, Sequence
from typing import Any


def grammar(module: str, *more: str, before: tuple[str, ...] = ()) -> str:
    """The indented lines of a module's docstring between others."""
    lines = (inspect.getdoc(importlib.import_module(module)) or "").split("\n")
    block = [line for line in lines if line.startswith("    ") or not line]
    text = "\n".join(block).strip("\n")
    return "\n".join(("```", *before, inspect.cleandoc(text), *more, "```"))


def rules(module: str, *names: str) -> str:
    """Rules of the grammar in a module's docstring, each with its lines."""
    lines = (inspect.getdoc(importlib.import_module(module)) or "").split("\n")
    found: dict[str, list[str]] = {}
    name = ""
    for line in lines:
        rule = re.match(r" {4}(\w+) += ", line)
        name = rule[1] if rule else name if line.startswith("     ") else ""
        if name:
            found.setdefault(name, []).append(line)
    return inspect.cleandoc("\n".join(line for name in names for line in found[name]))


def table(names: Sequence[str], rows: Iterable[Iterable[str]]) -> str:
    """A table of Markdown."""
    lines = [" | ".join(cell.replace("|", "\\|") for cell in row) for row in rows]
    return "\n".join([f"| {' | '.join(names)} |", f"|{'---|' * len(names)}", *(f"| {line} |" for line in lines)])


def prose(text: str) -> str:
    """A paragraph in lines of 120 characters."""
    return textwrap.fill(" ".join(text.split()), 120, break_long_words=False, break_on_hyphens=False)


def first_line(documented: Any) -> str:
    """The first line of a docstring."""
    return (inspect.getdoc(documented) or "").split("\n")[0]


def capital(text: str) -> str:
    """The text with a capital letter."""
    return text[:1].upper() + text[1:]
