"""Rows as a table, as CSV, as JSON or as Markdown; all but a table row by row, as they come."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from enum import Enum, auto
from typing import NamedTuple

from winsql.shell.table import NULL, Cut, fitted, format_expanded, format_table, table_width

Row = Sequence[str | None]
Rows = Sequence[Row]


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
    if form is not Format.TABLE:
        return "".join(pieces(columns, rows, form, headers=headers))
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


def pieces(columns: Sequence[Column], rows: Iterable[Row], form: Format, *, headers: bool = True) -> Iterator[str]:
    """The text of rows in a format other than a table, piece by piece: no more than one row is held."""
    writer = _WRITERS[form]
    between = writer.opening
    for line in writer.lines(columns, rows, headers):
        yield f"{between}{line}"
        between = writer.between
    yield writer.closing if between is writer.between else f"{writer.opening}{writer.closing}"


def _csv(columns: Sequence[Column], rows: Iterable[Row], headers: bool) -> Iterator[str]:
    """As RFC 4180, with \\n; NULL is nothing, an empty string is two quotes."""
    if headers:
        yield ",".join(_csv_field(column.name) for column in columns)
    for row in rows:
        yield ",".join(map(_csv_field, row))


def _csv_field(value: str | None) -> str:
    if value is None:
        return ""
    if value and not _NEEDS_QUOTES.search(value):
        return value
    return '"{}"'.format(value.replace('"', '""'))


_NEEDS_QUOTES = re.compile(r'[",\r\n]|^\s|\s$')


def _json(columns: Sequence[Column], rows: Iterable[Row], headers: bool) -> Iterator[str]:
    """An object per row, each on its line of an array; columns of the same name get `_2`, `_3` ... after it."""
    names = [json.dumps(name, ensure_ascii=False) for name in _unique([column.name for column in columns])]
    texts = [_JSON_VALUES[column.kind] for column in columns]
    for row in rows:
        fields = (f"{name}: {text(value)}" for name, text, value in zip(names, texts, row, strict=True))
        yield "{" + ", ".join(fields) + "}"


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


def _markdown(columns: Sequence[Column], rows: Iterable[Row], headers: bool) -> Iterator[str]:
    yield _markdown_line([column.name for column in columns])
    yield f"| {' | '.join('---:' if column.kind is Kind.NUMBER else '---' for column in columns)} |"
    yield from map(_markdown_line, rows)


def _markdown_line(row: Row) -> str:
    return f"| {' | '.join(map(_markdown_cell, row))} |"


def _markdown_cell(value: str | None) -> str:
    if value is None:
        return NULL
    text = value.replace("\\", "\\\\").replace("|", "\\|").replace("<", "&lt;")
    return re.sub(r"\r\n?|\n", "<br>", text)


class _Writer(NamedTuple):
    """Makes lines of rows; the text between two of them, before the first and after the last."""

    lines: Callable[[Sequence[Column], Iterable[Row], bool], Iterator[str]]
    between: str
    opening: str = ""
    closing: str = ""


_WRITERS = {
    Format.CSV: _Writer(_csv, "\n"),
    Format.JSON: _Writer(_json, ",\n ", "[", "]"),
    Format.MARKDOWN: _Writer(_markdown, "\n"),
}
