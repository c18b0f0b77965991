"""The sub-commands of `winsql`: `winsql NAME ...` runs `main(arguments)` of the module that the table names.

A module is imported when its command is run. Its `main` takes the arguments after the name and returns the exit
code: 0, 1 for a failure, 2 for a command line that is wrong.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib import import_module
from typing import NamedTuple


class Command(NamedTuple):
    """A sub-command: the module that has its `main`, and one line for --help."""

    module: str
    help: str


COMMANDS = {
    "check": Command("winsql.shell.check", "report the mistakes in window clauses of files, without Spark"),
    "fmt": Command("winsql.shell.fmt", "lay out the window clauses of files"),
    "serve": Command("winsql.shell.serve", "let JDBC clients (beeline, BI tools) use windows in their SQL"),
    "streams": Command("winsql.shell.streams", "show the streams of a process that runs with --metrics-port, live"),
    "timeline": Command("winsql.shell.timeline", "draw the windows of a query over the first rows of its table"),
}


def run_command(name: str, arguments: Sequence[str]) -> int:
    """Run a sub-command; returns its exit code."""
    code: int = import_module(COMMANDS[name].module).main(arguments)
    return code


def summary() -> str:
    """The table, for --help."""
    width = max(map(len, COMMANDS))
    return "\n".join(f"  winsql {name:{width}}  {command.help}" for name, command in COMMANDS.items())
