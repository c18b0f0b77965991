"""What a cell shows: HTML in a notebook, text in a terminal."""

from __future__ import annotations

import shutil
import sys

from IPython.display import display

from winsql.shell.formats import Format, format_rows
from winsql.shell.notebook.render import line, table
from winsql.shell.result import Result


def show(html: str, text: str) -> None:
    """Show the one that fits the place."""
    display({"text/html": html, "text/plain": text}, raw=True)


def show_result(result: Result) -> None:
    """Show the rows of a statement, and what is to say of them."""
    show(table(result.columns, result.rows, _note(result)), table_text(result, _note(result)))


def table_text(result: Result, note: str) -> str:
    """The rows as a text table, and a note below them."""
    if not result.columns:
        return note
    width = shutil.get_terminal_size().columns if sys.stdout.isatty() else None
    rows = format_rows(result.columns, result.rows, Format.TABLE, expanded=None, width=width)
    return f"{rows}\n\n{note}"


def _note(result: Result) -> str:
    rows = len(result.rows)
    note = f"the first {rows:,} of more rows" if result.has_more else f"{rows:,} row{'s' * (rows != 1)}"
    if not result.columns:
        note = "done"
    left_out = f"; {result.left_out:,} without event time belong to no window" if result.left_out else ""
    return f"{note} in {result.elapsed:.2f} s{left_out}"


class Live:
    """Something that changes while a cell runs: one place of a notebook, lines one after the other in a terminal."""

    def __init__(self, text: str) -> None:
        self._shown = ("", "")
        self._display = display({"text/html": line(text), "text/plain": text}, raw=True, display_id=True)

    def update(self, html: str, text: str) -> None:
        """Show this instead, if it is something else."""
        if self._shown != (html, text):
            self._shown = (html, text)
            self._display.update({"text/html": html, "text/plain": text}, raw=True)
