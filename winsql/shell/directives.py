"""What scripts of spark-sql say beside SQL: `exit`, `quit`, `source file` and `!command`."""

from __future__ import annotations

import re
import subprocess
import sys
from typing import NamedTuple, TextIO

from winsql.errors import WinsqlError
from winsql.shell.files import Unreadable, typed_path
from winsql.shell.script import Script, Statement, read_script


class Left(Exception):
    """`exit` or `quit`: nothing after it runs."""


class Directive(NamedTuple):
    """`name` is exit, source or `!`."""

    name: str
    argument: str


def read_directive(statement: Statement) -> Directive | None:
    """None for a statement of SQL."""
    text = statement.text[statement.within(statement.body) :]
    if text.startswith("!"):
        return Directive("!", text[1:].strip())
    if text.lower() in ("exit", "quit"):
        return Directive("exit", "")
    found = _SOURCE.fullmatch(text)
    return None if found is None else Directive("source", found[1])


_SOURCE = re.compile(r"source\s+(\S.*)", re.IGNORECASE)


def sourced(name: str, files: tuple[str, ...]) -> Script:
    """The script that `source` names within others, the outermost first. Raises WinsqlError."""
    try:
        path = str(typed_path(name))
        if path in files:
            raise Unreadable(f"{name} reads itself: {' reads '.join([*files[files.index(path) :], path])}")
        return read_script(path)
    except Unreadable as error:
        raise WinsqlError(str(error)) from None


def run_command(command: str, out: TextIO) -> None:
    """Run a command of the system, its output to `out`. Raises WinsqlError where it fails."""
    if not command:
        raise WinsqlError("a command of the system is missing", hint="write for instance ! ls")
    if "\0" in command:
        raise WinsqlError("a command of the system has no NUL character in it")
    out.flush()
    passed = None if out is sys.stdout else subprocess.PIPE
    done = subprocess.run(command, shell=True, check=False, stdout=passed, text=True)  # as written: it is for that
    if done.stdout:
        out.write(done.stdout)
    if done.returncode:
        raise WinsqlError(f"exit code {done.returncode}")
