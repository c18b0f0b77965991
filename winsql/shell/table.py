"""Rows as an aligned text table, or one value per line."""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from enum import Enum

from winsql.errors import cells

NULL = "NULL"
GAP = "  "
_WIDEST = 60
"""Columns of the terminal of a value that may be cut; longer ones end in an ellipsis."""


class Cut(Enum):
    """Which values of a table are cut where it is too wide; the value is how much is left at least."""

    FIRST = 10
    LATE = 16
    NEVER = 0


_NAME = 12
"""What is left of a name at least."""


def fitted(
    names: Sequence[str], rows: Sequence[Sequence[str | None]], cuts: Sequence[Cut], width: int | None
) -> list[int]:
    """The widths of the columns, so that a line has at most `width` if that can be.

    Nested values give way first, then texts, then names that are longer than the values below them.
    """
    heads = [text_width(_cell(name)) for name in names]
    values = [max((text_width(_cell(row[i])) for row in rows), default=0) for i in range(len(names))]
    if len(names) == 1:
        return [max(heads[0], values[0])]
    values = [v if cut is Cut.NEVER else min(v, _WIDEST) for v, cut in zip(values, cuts, strict=True)]
    widths = [max(v, min(h, _WIDEST)) for v, h in zip(values, heads, strict=True)]
    if width is None:
        return widths
    room = width - len(GAP) * (len(names) - 1)
    for cut in (Cut.FIRST, Cut.LATE):
        least = [max(cut.value, min(h, _NAME)) if c is cut else w for w, h, c in zip(widths, heads, cuts, strict=True)]
        widths = _shrunk(widths, least, room)
    kept = zip(widths, values, heads, cuts, strict=True)
    return _shrunk(widths, [max(v, min(h, _NAME)) if c is Cut.NEVER else w for w, v, h, c in kept], room)


def table_width(widths: Sequence[int]) -> int:
    """Columns of a terminal that a table takes."""
    return sum(widths) + len(GAP) * (len(widths) - 1)


def _shrunk(widths: Sequence[int], least: Sequence[int], room: int) -> list[int]:
    """The widest first, until all fit or none can give more."""
    found = list(widths)
    while sum(found) > room:
        givers = [i for i in range(len(found)) if found[i] > least[i]]
        if not givers:
            break
        found[max(givers, key=lambda i: found[i])] -= 1
    return found


def format_table(
    names: Sequence[str],
    rows: Sequence[Sequence[str | None]],
    right: Sequence[bool],
    widths: Sequence[int] | None = None,
    *,
    headers: bool = True,
) -> str:
    """The rows under their names, one line each; `right[i]` puts column i flush right, as numbers want it.

    Values are text already (None is shown as NULL). A line break or control character in one is shown escaped, and a
    value wider than its column in `widths` is cut. One column with line breaks (a plan, the text of a statement) is
    printed with these.
    """
    if len(names) == 1 and any("\n" in (row[0] or "") for row in rows):
        return "\n".join(line for row in rows for line in _lines(row[0], keeps_tabs=True))
    cells = [[_cell(value) for value in row] for row in ([names] if headers else []) + [*rows]]
    most = widths or [_WIDEST] * len(names)
    cells = [[_cut(cell, m) for cell, m in zip(line, most, strict=True)] for line in cells]
    taken = [max((text_width(line[i]) for line in cells), default=0) for i in range(len(names))]
    lines = [_line(line, taken, right) for line in cells]
    if headers:
        lines.insert(1, GAP.join("-" * width for width in taken))
    return "\n".join(lines)


def format_expanded(names: Sequence[str], rows: Sequence[Sequence[str | None]]) -> str:
    """Every row as lines of name and value, under its number; line breaks in a value stay."""
    width = max(map(text_width, map(_escaped, names)), default=0)
    lines = []
    for number, row in enumerate(rows, start=1):
        lines.append(f"-[ row {number} ]".ljust(width + len(GAP) + 10, "-"))
        for name, value in zip(names, row, strict=True):
            shown = _escaped(name)
            first, *others = _lines(value)
            lines.append(f"{shown}{' ' * (width - text_width(shown))}{GAP}{first}".rstrip())
            lines += [f"{' ' * width}{GAP}{other}".rstrip() for other in others]
    return "\n".join(lines)


def _line(cells: Sequence[str], widths: Sequence[int], right: Sequence[bool]) -> str:
    padded = []
    for cell, width, to_right in zip(cells, widths, right, strict=True):
        pad = " " * (width - text_width(cell))
        padded.append(pad + cell if to_right else cell + pad)
    return GAP.join(padded).rstrip()


def _lines(value: str | None, *, keeps_tabs: bool = False) -> list[str]:
    if value is None:
        return [NULL]
    lines = value.rstrip("\n").split("\n")
    return ["\t".join(map(_escaped, line.split("\t"))) if keeps_tabs else _escaped(line) for line in lines]


_ESCAPES = {"\n": "\\n", "\r": "\\r", "\t": "\\t"}


def _cell(value: str | None) -> str:
    return NULL if value is None else _escaped(value)


def _cut(text: str, most: int) -> str:
    if text_width(text) <= most:
        return text
    text = text[:most]
    while text_width(text) >= most:
        text = text[:-1]
    return text + "…"


def _escaped(value: str) -> str:
    return value if value.isprintable() else "".join(_ESCAPES.get(c) or _printable(c) for c in value)


def _printable(char: str) -> str:
    """Control characters would move the cursor of the terminal."""
    return f"\\x{ord(char):02x}" if unicodedata.category(char) == "Cc" else char


def text_width(text: str) -> int:
    """Columns of a terminal that `text` takes: two for wide East Asian characters, none for combining ones."""
    return len(text) if text.isascii() else sum(map(cells, text))
