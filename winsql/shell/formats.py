"""Rows as a table, as CSV, as JSON or as Markdown."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, auto

from winsql.shell.table import NULL, Cut, fitted, format_expanded, format_table, table_width

__all__ = ["Column", "Format", "Kind", "format_rows"]

Rows = Sequence[Sequence[str | None]]


class Format(Enum):
    """How rows are printed; the values are the names people type."""

    TABLE = "table"
    CSV = "csv"
    JSON = "json"
    MARKDOWN = "markdown"


class Kind(Enum):
    """What the texts of a column are."""

    TEXT = auto()
    NUMBER = auto()
    BOOLEAN = auto()
    TIME = auto()
    """Dates, times and timestamps."""
    NESTED = auto()
    """Arrays, maps, structs and variants; JSON where that is asked for."""


@dataclass(frozen=True, slots=True)
class Column:
    """A column of a result."""

    name: str
    kind: Kind = Kind.TEXT


def format_rows(
    columns: Sequence[Column],
    rows: Rows,
    form: Format,
    *,
    expanded: bool | None = False,
    width: int | None = None,
    headers: bool = True,
) -> str:
    """The rows as text.

    expanded   a table's rows as lines of name and value; None: where a row does not fit the terminal
    width      columns of the terminal, None for none
    headers    whether the names of the columns come first, in a table and in CSV
    """
    if form is Format.CSV:
        return _csv(columns, rows, headers=headers)
    if form is not Format.TABLE:
        return _WRITERS[form](columns, rows)
    names = [column.name for column in columns]
    if expanded:
        return format_expanded(names, rows)
    widths = fitted(names, rows, [_CUTS[column.kind] for column in columns], width)
    if expanded is None and width is not None and len(names) > 1 and table_width(widths) > width:
        return format_expanded(names, rows)
    right = [column.kind is Kind.NUMBER for column in columns]
    return format_table(names, rows, right, widths, headers=headers)


_CUTS = {
    Kind.TEXT: Cut.LATE,
    Kind.NESTED: Cut.FIRST,
    Kind.TIME: Cut.NEVER,
    Kind.NUMBER: Cut.NEVER,
    Kind.BOOLEAN: Cut.NEVER,
}
"""What loses characters where a terminal is too narrow: half a timestamp, or half a number, is a wrong one."""


def _csv(columns: Sequence[Column], rows: Rows, *, headers: bool) -> str:
    """As RFC 4180, with \\n; NULL is nothing, an empty string is two quotes."""
    lines = [[column.name for column in columns], *rows] if headers else rows
    return "\n".join(",".join(map(_csv_field, line)) for line in lines)


def _csv_field(value: str | None) -> str:
    if value is None:
        return ""
    if value and not _NEEDS_QUOTES.search(value):
        return value
    return '"{}"'.format(value.replace('"', '""'))


_NEEDS_QUOTES = re.compile(r'[",\r\n]|^\s|\s$')


def _json(columns: Sequence[Column], rows: Rows) -> str:
    """An array with an object per row, each on its line; columns of the same name get `_2`, `_3` ... after it."""
    names = [json.dumps(name, ensure_ascii=False) for name in _unique([column.name for column in columns])]
    objects = []
    for row in rows:
        values = [_JSON_VALUES[column.kind](value) for column, value in zip(columns, row, strict=True)]
        fields = (f"{name}: {value}" for name, value in zip(names, values, strict=True))
        objects.append("{" + ", ".join(fields) + "}")
    return "[" + ",\n ".join(objects) + "]"


def _unique(names: Sequence[str]) -> list[str]:
    found: list[str] = []
    for name in names:
        shown, number = name, 1
        while shown in found:
            number += 1
            shown = f"{name}_{number}"
        found.append(shown)
    return found


def _json_text(value: str | None) -> str:
    return json.dumps(value, ensure_ascii=False)


_JSON_NUMBER = re.compile(r"-?\d+(\.\d+)?([eE][+-]?\d+)?")


def _json_number(value: str | None) -> str:
    """NaN and Infinity are no numbers of JSON."""
    return value if value is not None and _JSON_NUMBER.fullmatch(value) else _json_text(value)


def _json_as_is(value: str | None) -> str:
    return "null" if value is None else value


_JSON_VALUES: dict[Kind, Callable[[str | None], str]] = {
    Kind.TEXT: _json_text,
    Kind.TIME: _json_text,
    Kind.NUMBER: _json_number,
    Kind.BOOLEAN: _json_as_is,
    Kind.NESTED: _json_as_is,
}


def _markdown(columns: Sequence[Column], rows: Rows) -> str:
    rule = ["---:" if column.kind is Kind.NUMBER else "---" for column in columns]
    cells = [[_markdown_cell(value) for value in row] for row in ([column.name for column in columns], *rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in (cells[0], rule, *cells[1:]))


def _markdown_cell(value: str | None) -> str:
    if value is None:
        return NULL
    text = value.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
    return re.sub(r"\r?\n", "<br>", text)


_WRITERS: dict[Format, Callable[[Sequence[Column], Rows], str]] = {
    Format.JSON: _json,
    Format.MARKDOWN: _markdown,
}
