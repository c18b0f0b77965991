"""The shell's own commands: `\\d t`, `.read file`, `quit`. A backslash and a dot before the name mean the same."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
import tempfile
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import NamedTuple, TextIO

from pyspark.sql import SparkSession

from winsql.errors import WinsqlError
from winsql.shell.files import Unreadable, read_text
from winsql.shell.formats import Format
from winsql.shell.interactive.names import Names
from winsql.shell.run import Output, run_script
from winsql.shell.script import read_script
from winsql.syntax import name_of

__all__ = ["COMMANDS", "COMMAND_NAMES", "Shell", "is_command", "read_command"]


@dataclass(slots=True)
class Shell:
    """The state of an interactive shell.

    output   how results are printed
    execute  runs the statements of a text
    last     the latest statement that was typed, for \\e
    """

    spark: SparkSession
    output: Output
    execute: Callable[[Shell, str], None]
    last: str = ""
    is_over: bool = False
    names: Names = field(init=False)
    _file: TextIO | None = None

    def __post_init__(self) -> None:
        self.names = Names(self.spark)

    def print_to(self, name: str | None) -> None:
        """Print results to a file, to the terminal again with None. Raises Unreadable."""
        try:
            new = None if name is None else open(name, "w", encoding="utf-8")  # noqa: SIM115 - open until \\o again
        except OSError as error:
            raise Unreadable(f"cannot write {name}: {error.strerror}") from None
        self.close()
        self._file = new
        self.output = replace(self.output, out=new or sys.stdout)

    def close(self) -> None:
        """Close the file that results go to."""
        if self._file is not None:
            self._file.close()
            self._file = None


class Command(NamedTuple):
    """A command: what runs it, its argument as help shows it, and one line for help."""

    run: Callable[[Shell, str], None]
    argument: str
    help: str


def is_command(text: str) -> bool:
    """Whether a text is for the shell; anything else is for Spark."""
    return text.lstrip()[:1] in ("\\", ".") or _bare(text) is not None


def read_command(text: str) -> tuple[str, str]:
    """Name and argument; raises WinsqlError for a name that is none."""
    bare = _bare(text)
    if bare is not None:
        return _WORDS[bare], ""
    word, _, argument = text.strip().rstrip(";").partition(" ")
    name = _SAME.get(word[1:], word[1:])
    if name not in COMMANDS:
        raise WinsqlError(f"{word} is no command of the shell", hint=r"\? lists them")
    return name, argument.strip()


def _bare(text: str) -> str | None:
    word = re.sub(r"[\s;]+$", "", text.strip()).lower()
    return word if word in _WORDS else None


_WORDS = {"help": "?", "quit": "q", "exit": "q"}
_SAME = {"help": "?", "h": "?", "quit": "q", "exit": "q", "read": "i", "timer": "timing", "mode": "format",
         "output": "o", "edit": "e", "tables": "d", "schema": "d", "databases": "l", "functions": "df"}  # fmt: skip


def _help(shell: Shell, argument: str) -> None:
    shown = {f"\\{name} {command.argument}".rstrip(): command.help for name, command in COMMANDS.items()}
    width = max(map(len, shown))
    for usage, text in shown.items():
        print(f"  {usage:{width}}  {text}")
    print(_KEYS)


_KEYS = """
Everything else is SQL and ends with a semicolon. A dot does for the backslash, and .read, .mode,
.output, .tables, .timer, help, quit and exit work too. Tab completes, arrow up brings back what
was typed, Ctrl-C cancels the statement, Ctrl-D leaves.
"""


def _quit(shell: Shell, argument: str) -> None:
    shell.is_over = True


def _describe(shell: Shell, argument: str) -> None:
    shell.execute(shell, f"DESCRIBE TABLE {name_of(argument)}" if argument else "SHOW TABLES")


def _databases(shell: Shell, argument: str) -> None:
    shell.execute(shell, "SHOW DATABASES")


def _functions(shell: Shell, argument: str) -> None:
    if not argument:
        shell.execute(shell, "SHOW FUNCTIONS")
    else:
        shell.execute(shell, f"DESCRIBE FUNCTION EXTENDED {name_of(argument)}")


def _timing(shell: Shell, argument: str) -> None:
    timing = _switch(argument, shell.output.timing)
    shell.output = replace(shell.output, timing=timing)
    print(f"timing is {_ON[timing]}")


def _expanded(shell: Shell, argument: str) -> None:
    expanded = _switch(argument, shell.output.expanded)
    shell.output = replace(shell.output, expanded=expanded)
    print(f"expanded display is {_ON[expanded]}")


def _pager(shell: Shell, argument: str) -> None:
    paged = _switch(argument, shell.output.paged)
    shell.output = replace(shell.output, paged=paged)
    print(f"pager is {_ON[paged]}")


_ON = {True: "on", False: "off"}


def _switch(argument: str, before: bool) -> bool:
    """`on`, `off`, or the other way round than before."""
    if not argument:
        return not before
    known = {"on": True, "off": False}
    if argument.lower() not in known:
        raise WinsqlError(f"{argument} is neither on nor off")
    return known[argument.lower()]


def _format(shell: Shell, argument: str) -> None:
    known = ", ".join(form.value for form in Format)
    if argument:
        try:
            shell.output = replace(shell.output, form=Format(argument.lower()))
        except ValueError:
            raise WinsqlError(f"{argument} is no format", hint=f"known: {known}") from None
    print(f"format is {shell.output.form.value}")


def _output(shell: Shell, argument: str) -> None:
    shell.print_to(argument or None)


def _read(shell: Shell, argument: str) -> None:
    if not argument:
        raise WinsqlError("the name of a file is missing", hint=r"write \i FILE")
    run_script(shell.spark, read_script(str(Path(argument).expanduser())), shell.output)


def _edit(shell: Shell, argument: str) -> None:
    """Opens $VISUAL, $EDITOR or vi on the latest statement, or on a file, and runs what was saved."""
    if argument:
        path = Path(argument).expanduser()
        _open(path)
        text = read_text(str(path))
    else:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "statement.sql")
            path.write_text(shell.last, encoding="utf-8")
            _open(path)
            text = read_text(str(path))
        if text == shell.last:
            print("nothing was changed, nothing is run")
            return
    print(text.rstrip("\n"))
    shell.last = text
    shell.execute(shell, text)


def _open(path: Path) -> None:
    command = shlex.split(os.environ.get("VISUAL") or os.environ.get("EDITOR") or "vi")
    try:
        subprocess.run([*command, str(path)], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unreadable(f"the editor {command[0]} failed: {error}; $EDITOR says which one is used") from None


COMMANDS = {
    "?": Command(_help, "", "this list"),
    "q": Command(_quit, "", "leave"),
    "d": Command(_describe, "[TABLE]", "tables and views, or the columns of one"),
    "l": Command(_databases, "", "databases"),
    "df": Command(_functions, "[FUNCTION]", "functions, or what one does"),
    "i": Command(_read, "FILE", "run the statements of a file"),
    "e": Command(_edit, "[FILE]", "edit the latest statement, or a file, in $EDITOR and run it"),
    "o": Command(_output, "[FILE]", "print results to a file, without a name to the terminal again"),
    "format": Command(_format, "[FORMAT]", f"how rows are printed: {', '.join(form.value for form in Format)}"),
    "x": Command(_expanded, "[on|off]", "one column per line instead of one row"),
    "timing": Command(_timing, "[on|off]", "whether to say how long a statement took"),
    "pager": Command(_pager, "[on|off]", "whether long results go through $PAGER, or less"),
}
COMMAND_NAMES = (*COMMANDS, *_SAME)
"""What completion offers."""
