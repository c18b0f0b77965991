"""The SQL of files: scripts, models of dbt, and what notebooks hold in their cells."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from winsql.shell.files import Unreadable, read_text, shown_name
from winsql.shell.notebook.options import split_line
from winsql.shell.templates import Unrendered, unrendered

SCRIPT, NOTEBOOK = ".sql", ".ipynb"


@dataclass(frozen=True, slots=True)
class SqlText:
    """SQL as it is written somewhere.

    file   the name of the file, for messages
    cell   which cell of a notebook, from 1; None for a script
    text   as written, and `readable` without templates
    line   lines above it in its cell
    column letters before it in its first line
    """

    file: str
    cell: int | None
    text: str
    readable: Unrendered
    line: int = 0
    column: int = 0

    def place(self, line: int, column: int) -> tuple[int, int]:
        """Where a line and column of the text, from 1, are in the cell."""
        return self.line + line, column + (self.column if line == 1 else 0)

    @property
    def name(self) -> str:
        """What messages call it."""
        return self.file if self.cell is None else f"{self.file}: cell {self.cell}"


def sql_texts(name: str) -> list[SqlText]:
    """What a file holds of SQL. Raises Unreadable."""
    text = read_text(name)
    if Path(name).suffix.lower() == NOTEBOOK:
        return list(_of_notebook(name, text))
    return [SqlText(shown_name(name), None, text, unrendered(text))]


def _of_notebook(name: str, text: str) -> Iterator[SqlText]:
    try:
        notebook = json.loads(text)
        language = notebook.get("metadata", {}).get("kernelspec", {}).get("language", "python")
        cells = [
            ("".join(cell["source"]), cell.get("metadata", {}).get("vscode", {}).get("languageId", language))
            for cell in notebook["cells"]
            if cell["cell_type"] == "code"
        ]
    except ValueError as error:
        raise Unreadable(f"cannot read {name}: not a Jupyter notebook: {error}") from None
    except RecursionError:
        raise Unreadable(f"cannot read {name}: not a Jupyter notebook: its JSON is nested too deep") from None
    except (KeyError, TypeError, AttributeError):
        problem = "not a Jupyter notebook: it has no list of cells, each with its cell_type and source"
        raise Unreadable(f"cannot read {name}: {problem}") from None
    for number, (source, spoken) in enumerate(cells, start=1):
        for sql, place in _of_cell(source, spoken):
            line, column = source.count("\n", 0, place), place - source.rfind("\n", 0, place) - 1
            yield SqlText(name, number, sql, unrendered(sql), line, column)


_CELL = re.compile(r"\s*(?:%%(?:winsql|sql|sparksql)\b[^\n]*|%sql[ \t]*)\n(?P<sql>.*)", re.DOTALL)
_LINE = re.compile(r"^[ \t]*(?:\w+ *= *)?%(?:winsql|sql)[ \t]+(?P<sql>.+)$", re.MULTILINE)
# what IPython takes in the place of Python: cell magics over Python, line magics, commands of the system, help
_CELL_OF_PYTHON = re.compile(r"(?<!\S)%%(?:time|timeit|capture|prun)\b[^\n]*")
_BEFORE_PYTHON = re.compile(r"^[ \t]*%(?:time|timeit|prun)\b", re.MULTILINE)
_NO_PYTHON = re.compile(r"^[ \t]*(?:[\w, ]+=[ \t]*)?[%!].*$", re.MULTILINE)
_HELP = re.compile(r"\?{1,2}[ \t]*$", re.MULTILINE)


def _of_cell(source: str, language: object) -> Iterator[tuple[str, int]]:
    """The SQL of a code cell, each with its place in it."""
    cell = _CELL.fullmatch(source)
    if cell is not None:
        yield cell["sql"], cell.start("sql")
    elif str(language).lower() in ("sql", "spark sql"):
        yield source, 0
    else:
        for line in _LINE.finditer(source):
            options, sql = split_line(line["sql"])
            yield sql, line.start("sql") + len(options)
        yield from _of_python(_LINE.sub(_as_long, source))


def _of_python(source: str) -> Iterator[tuple[str, int]]:
    """What calls of a method or function `sql` get as a plain string."""
    tree = _parsed(source)
    if tree is None:
        source = _BEFORE_PYTHON.sub(_as_long, _CELL_OF_PYTHON.sub(_as_long, source))
        source = _HELP.sub(_as_long, _NO_PYTHON.sub(_as_long, source))
        tree = _parsed(source)
    begins = [0, *(match.end() for match in _LINE_END.finditer(source))]
    for node in ast.walk(tree) if tree is not None else ():
        called = getattr(node, "func", None)
        name = getattr(called, "attr", getattr(called, "id", None))
        if isinstance(node, ast.Call) and name == "sql":
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    first = begins[argument.lineno - 1]
                    before = source[first:].encode()[: argument.col_offset].decode()
                    yield argument.value, _after_quotes(source, first + len(before))


_LINE_END = re.compile(r"\r\n?|\n")
"""As Python counts lines."""


def _parsed(source: str) -> ast.Module | None:
    """None for what is no Python, or so long that Python itself gives up."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return None


def _as_long(match: re.Match[str]) -> str:
    """As many letters of Python in the place of what is none: blanks, or a statement that does nothing."""
    text = match[0].lstrip()
    statement = _STATEMENTS.get(match.re, "")
    return match[0][: len(match[0]) - len(text)] + statement.ljust(len(text))


_STATEMENTS = {_LINE: "0", _NO_PYTHON: "0", _BEFORE_PYTHON: "0;"}


def _after_quotes(source: str, place: int) -> int:
    """Where the text of a string begins that begins at a place with its prefix and quotes."""
    found = _QUOTES.match(source, place)
    return place if found is None else found.end()


_QUOTES = re.compile(r"\w*(?:\"\"\"|'''|\"|')")
