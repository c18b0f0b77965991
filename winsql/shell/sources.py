"""The SQL of files: scripts, models of dbt, and what notebooks hold in their cells."""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from winsql.shell.files import Unreadable, read_text, shown_name
from winsql.shell.templates import Unrendered, unrendered

__all__ = ["NOTEBOOK", "SCRIPT", "SqlText", "sql_texts"]

SCRIPT, NOTEBOOK = ".sql", ".ipynb"


@dataclass(frozen=True, slots=True)
class SqlText:
    """SQL as it is written somewhere.

    file   the name of the file, for messages
    cell   which cell of a notebook, from 1; None for a script
    text   as written, and `readable` without templates
    line   lines above it in its cell
    """

    file: str
    cell: int | None
    text: str
    readable: Unrendered
    line: int = 0

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
    except (ValueError, KeyError, TypeError, AttributeError) as error:
        raise Unreadable(f"cannot read {name}: not a Jupyter notebook: {error}") from None
    for number, (source, spoken) in enumerate(cells, start=1):
        for sql, line in _of_cell(source, spoken):
            yield SqlText(name, number, sql, unrendered(sql), line)


_CELL = re.compile(r"\s*%%?(?:winsql|sql|sparksql)\b(?P<options>[^\n]*)\n(?P<sql>.*)", re.DOTALL)
_LINE = re.compile(r"^[ \t]*(?:\w+ *= *)?%(?:winsql|sql)[ \t]+(?P<sql>.+)$", re.MULTILINE)


def _of_cell(source: str, language: str) -> Iterator[tuple[str, int]]:
    """The SQL of a code cell, each with the number of lines above it."""
    cell = _CELL.fullmatch(source)
    if cell is not None:
        yield cell["sql"], source.count("\n", 0, cell.start("sql"))
    elif language.lower() in ("sql", "spark sql"):
        yield source, 0
    else:
        for line in _LINE.finditer(source):
            yield line["sql"], source.count("\n", 0, line.start("sql"))
        yield from _of_python(_LINE.sub("pass", source))


def _of_python(source: str) -> Iterator[tuple[str, int]]:
    """What calls of a method or function `sql` get as a plain string."""
    try:
        tree = ast.parse(source)
    except SyntaxError:  # other magics
        return
    for node in ast.walk(tree):
        called = getattr(node, "func", None)
        name = getattr(called, "attr", getattr(called, "id", None))
        if isinstance(node, ast.Call) and name == "sql":
            for argument in node.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield argument.value, argument.lineno - 1
