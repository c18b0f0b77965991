"""Rows as an aligned text table, or one value per line."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence

__all__ = ["MAX_CELL", "NULL", "format_expanded", "format_table", "table_width", "text_width"]

MAX_CELL = 60  # columns of the terminal; longer values end in an ellipsis
NULL = "NULL"
GAP = "  "


def format_table(
    names: Sequence[str],
    rows: Sequence[Sequence[str | None]],
    right: Sequence[bool],
    max_cell: int = MAX_CELL,
) -> str:
    """The rows under their names, one line each; `right[i]` puts column i flush right, as numbers want it.

    Values are text already (None is shown as NULL). A line break or control character in one is shown escaped, and a
    value wider than `max_cell` is cut. One column with line breaks (a plan, the text of a statement) is printed as is.
    """
    if len(names) == 1 and any("\n" in (row[0] or "") for row in rows):
        return "\n".join((row[0] if row[0] is not None else NULL).rstrip("\n") for row in rows)
    cells = [[_cell(value, max_cell) for value in row] for row in [names, *rows]]
    widths = [max(text_width(line[i]) for line in cells) for i in range(len(names))]
    lines = [_line(line, widths, right) for line in cells]
    rule = GAP.join("-" * width for width in widths)
    return "\n".join([lines[0], rule, *lines[1:]])


def table_width(names: Sequence[str], rows: Sequence[Sequence[str | None]], max_cell: int) -> int:
    """Columns of a terminal that the table takes."""
    cells = [[_cell(value, max_cell) for value in row] for row in [names, *rows]]
    return sum(max(text_width(line[i]) for line in cells) for i in range(len(names))) + len(GAP) * (len(names) - 1)


def format_expanded(names: Sequence[str], rows: Sequence[Sequence[str | None]]) -> str:
    """Every row as lines of name and value, under its number; line breaks in a value stay."""
    width = max(map(text_width, map(_escaped, names)), default=0)
    lines = []
    for number, row in enumerate(rows, start=1):
        lines.append(f"-[ row {number} ]".ljust(width + len(GAP) + 10, "-"))
        for name, value in zip(names, row, strict=True):
            shown = _escaped(name)
            first, *others = [NULL] if value is None else map(_escaped, value.rstrip("\n").split("\n"))
            lines.append(f"{shown}{' ' * (width - text_width(shown))}{GAP}{first}".rstrip())
            lines += [f"{' ' * width}{GAP}{other}".rstrip() for other in others]
    return "\n".join(lines)


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = []
    for cell, width, to_right in zip(cells, widths, right, strict=True):
        pad = " " * (width - text_width(cell))
        padded.append(pad + cell if to_right else cell + pad)
    return GAP.join(padded).rstrip()


_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _cell(value: str | None, max_cell: int) -> str:
    if value is None:
        return NULL
    text = _escaped(value)
    if text_width(text) <= max_cell:
        return text
    text = text[:max_cell]
    while text_width(text) >= max_cell:
        text = text[:-1]
    return text + "…"


def _escaped(value: str) -> str:
    return value if value.isprintable() else "".join(_ESCAPES.get(c) or _printable(c) for c in value)


def _printable(char: str) -> str:
    """Control characters would move the cursor of the terminal."""
    return f"\\x{ord(char):02x}" if unicodedata.category(char) == "Cc" else char


def text_width(text: str) -> int:
    """Columns of a terminal that `text` takes: two for wide East Asian characters, none for combining ones."""
    if text.isascii():
        return len(text)
    return sum(_char_width(c) for c in text)


def _char_width(char: str) -> int:
    if unicodedata.combining(char):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1
