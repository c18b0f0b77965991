"""The shell's own commands: `\\d t`, `.read file`, `quit`. A backslash and a dot before the name mean the same."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple, TextIO

from winsql.errors import WinsqlError
from winsql.shell.directives import run_command
from winsql.shell.files import Unreadable, command_words, read_text, typed_path
from winsql.shell.formats import Column, Format
from winsql.shell.interactive.state import Shell
from winsql.shell.manual import contents, pages
from winsql.shell.pager import page
from winsql.shell.result import Result
from winsql.shell.run import run_script, show
from winsql.shell.script import read_script
from winsql.shell.streams import of_session, show_streams
from winsql.syntax import name_of
from winsql.syntax.text.tokens import tokenize


class Command(NamedTuple):
    """A command: what runs it, its argument as help shows it, and one line for help."""

    run: Callable[[Shell, str], None]
    argument: str
    help: str


def is_command(text: str) -> bool:
    """Whether a text is for the shell; anything else is for Spark."""
    return text.lstrip()[:1] in ("\\", ".", "!") or _bare(text) is not None


def cut_ending(text: str) -> tuple[str, str | None]:
    """Statements, and the command right after them: `SELECT 1 \\g file`, `SELECT 1 \\watch 5`; None for none."""
    tokens = tokenize(text)
    for token, word in pairwise(tokens):
        if token.is_symbol("\\") and word.start == token.end and word.is_word(*_ENDINGS):
            return text[: token.start].strip(), text[token.start :]
    return text, None


_ENDINGS = ("G", "WATCH")


def read_command(text: str) -> tuple[str, str]:
    """Name and argument; raises WinsqlError for a name that is none."""
    bare = _bare(text)
    if bare is not None:
        return _WORDS[bare], ""
    text = text.strip()
    if text.startswith(("!", "\\!", ".!")):
        return "!", text.partition("!")[2].strip()
    word, _, argument = text.rstrip(";").partition(" ")
    name = _SAME.get(word[1:], word[1:])
    if name not in COMMANDS:
        raise WinsqlError(f"{word} is no command of the shell", hint=r"\? lists them")
    return name, argument.strip()


def _bare(text: str) -> str | None:
    word = re.sub(r"[\s;]+$", "", text.strip()).lower()
    return word if word in _WORDS else None


_WORDS = {"help": "?", "quit": "q", "exit": "q"}
_SAME = {"help": "?", "quit": "q", "exit": "q", "read": "i", "timer": "timing", "mode": "format",
         "output": "o", "edit": "e", "tables": "d", "schema": "d", "databases": "l", "functions": "df",
         "header": "headers", "shell": "!", "system": "!", "history": "s", "maxrows": "rows"}  # fmt: skip


def _help(shell: Shell, argument: str) -> None:
    shown = {f"\\{name} {command.argument}".rstrip(): command.help for name, command in COMMANDS.items()}
    width = max(map(len, shown))
    for usage, text in shown.items():
        print(f"  {usage:{width}}  {text}")
    print(_KEYS)


_KEYS = """
Everything else is SQL and ends with a semicolon, or with \\g. A dot does for the
backslash; .read, .mode, .output, .tables, .timer, help, quit, exit and !command
work too. Tab completes, arrow up brings back what was typed, Ctrl-C cancels the
statement, Ctrl-D leaves.
"""


def _syntax(shell: Shell, argument: str) -> None:
    page(pages(argument) if argument else contents(), sys.stdout)


def _quit(shell: Shell, argument: str) -> None:
    shell.is_over = True


def _describe(shell: Shell, argument: str) -> None:
    shell.execute(shell, f"DESCRIBE TABLE {name_of(argument)}" if argument else "SHOW TABLES")


def _tables(shell: Shell, argument: str) -> None:
    """Spark lists views among tables."""
    of = f" IN {name_of(argument)}" if argument else ""
    views = {tuple(row)[:2] for row in shell.spark.sql(f"SHOW VIEWS{of}").collect()}
    found = [tuple(row) for row in shell.spark.sql(f"SHOW TABLES{of}").collect()]
    rows: list[list[str | None]] = [
        [database, table] for database, table, *_ in found if (database, table) not in views
    ]
    show(Result((Column("database"), Column("table")), rows, 0.0, 0), None, replace(shell.output, timing=False))


def _views(shell: Shell, argument: str) -> None:
    shell.execute(shell, f"SHOW VIEWS IN {name_of(argument)}" if argument else "SHOW VIEWS")


def _databases(shell: Shell, argument: str) -> None:
    shell.execute(shell, "SHOW DATABASES")


def _functions(shell: Shell, argument: str) -> None:
    if "*" in argument:
        pattern = argument.replace("\\", "\\\\").replace("'", "\\'")
        shell.execute(shell, f"SHOW FUNCTIONS LIKE '{pattern}'")
    elif argument:
        shell.execute(shell, f"DESCRIBE FUNCTION EXTENDED {name_of(argument)}")
    else:
        shell.execute(shell, "SHOW FUNCTIONS")


def _again(shell: Shell, argument: str) -> None:
    _require_last(shell)
    if not argument:
        shell.execute(shell, shell.last)
        return
    before = shell.output
    with _opened(argument) as file:
        shell.output = replace(before, out=file)
        try:
            shell.execute(shell, shell.last)
        finally:
            shell.output = before


def _watch(shell: Shell, argument: str) -> None:
    """Until Ctrl-C, which the statement, or the pause after it, raises."""
    _require_last(shell)
    seconds = _pause(argument, "watch")
    while shell.execute(shell, shell.last):
        time.sleep(seconds)


def _streams(shell: Shell, argument: str) -> None:
    """Until Ctrl-C, as \\watch."""
    show_streams(of_session(shell.spark), _pause(argument, "streams"))


def _pause(argument: str, command: str) -> float:
    try:
        seconds = float(argument or _SECONDS)
    except ValueError:
        raise WinsqlError(f"{argument} is no number of seconds") from None
    if not 0 < seconds < _DAY:
        hint = rf"write for instance \{command} 5"
        raise WinsqlError(f"{argument} is no number of seconds between two runs", hint=hint)
    return seconds


_SECONDS, _DAY = 2, 86_400


def _require_last(shell: Shell) -> None:
    if not shell.last:
        raise WinsqlError("no statement was typed yet")


def _history(shell: Shell, argument: str) -> None:
    text = "\n".join(shell.history())
    if argument:
        with _opened(argument) as file:
            print(text, file=file)
    else:
        page(text, sys.stdout)


def _system(shell: Shell, argument: str) -> None:
    run_command(argument, sys.stdout)


def _set(shell: Shell, argument: str) -> None:
    name, _, value = argument.partition(" ")
    if not name:
        for known, given in sorted(shell.output.variables.items()):
            print(f"{known} = {given}")
    elif not re.fullmatch(r"\w[\w.]*", name):
        raise WinsqlError(f"{name} is no name of a variable", hint=r"write for instance \set day 2013-01-01")
    else:
        shell.output = replace(shell.output, variables={**shell.output.variables, name: value.strip()})


def _rows(shell: Shell, argument: str) -> None:
    if argument and not argument.isdecimal():
        raise WinsqlError(f"{argument} is no number of rows", hint=r"\rows 0 shows all rows")
    if argument:
        shell.output = replace(shell.output, limit=int(argument))
    most = shell.output.most
    print("all rows of a result are shown" if most is None else f"{most:,} rows of a result are shown")


def _headers(shell: Shell, argument: str) -> None:
    headers = _switch(argument, shell.output.headers)
    shell.output = replace(shell.output, headers=headers)
    print(f"names of columns are {_ON[headers]}")


def _timing(shell: Shell, argument: str) -> None:
    timing = _switch(argument, shell.output.timing)
    shell.output = replace(shell.output, timing=timing)
    print(f"timing is {_ON[timing]}")


def _expanded(shell: Shell, argument: str) -> None:
    expanded = None if argument.lower() == "auto" else _switch(argument, bool(shell.output.expanded))
    shell.output = replace(shell.output, expanded=expanded)
    print("expanded display is automatic" if expanded is None else f"expanded display is {_ON[expanded]}")


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
    given = argument.lower()
    if given == "line":
        shell.output = replace(shell.output, form=Format.TABLE, expanded=True)
    elif given in _TABLES:
        shell.output = replace(shell.output, form=Format.TABLE, expanded=None)
    elif given:
        try:
            shell.output = replace(shell.output, form=Format(given))
        except ValueError:
            raise WinsqlError(f"{argument} is no format", hint=f"known: {known}") from None
    print(f"format is {shell.output.form.value}")


# of sqlite and duckdb
_TABLES = frozenset({"table", "column", "columns", "box", "duckbox", "list"})


def _output(shell: Shell, argument: str) -> None:
    shell.print_to(argument or None)


def _read(shell: Shell, argument: str) -> None:
    if not argument:
        raise WinsqlError("the name of a file is missing", hint=r"write \i FILE")
    script = read_script(str(typed_path(argument)))
    run_script(shell.spark, script, shell.output)


def _edit(shell: Shell, argument: str) -> None:
    """Opens $VISUAL, $EDITOR or vi on the latest statement, or on a file, and runs what was saved."""
    if argument:
        path = typed_path(argument)
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


@contextmanager
def _opened(name: str) -> Iterator[TextIO]:
    try:
        file = typed_path(name).open("w", encoding="utf-8")
    except OSError as error:
        raise Unreadable(f"cannot write {name}: {error.strerror}") from None
    with file:
        yield file


def _open(path: Path) -> None:
    variable = "VISUAL" if os.environ.get("VISUAL") else "EDITOR"
    command = command_words(os.environ.get(variable) or "vi", f"${variable}")
    try:
        subprocess.run([*command, str(path)], check=True)
    except (OSError, subprocess.CalledProcessError) as error:
        raise Unreadable(f"the editor {command[0]} failed: {error}; $EDITOR says which one is used") from None


COMMANDS = {
    "?": Command(_help, "", "this list"),
    "h": Command(_syntax, "[WORDS]", "winsql's statements, clauses and policies, or how one is written"),
    "q": Command(_quit, "", "leave"),
    "d": Command(_describe, "[TABLE]", "tables and views, or the columns of one"),
    "dt": Command(_tables, "[DATABASE]", "tables without views"),
    "dv": Command(_views, "[DATABASE]", "views"),
    "l": Command(_databases, "", "databases"),
    "df": Command(_functions, "[FUNCTION]", "functions, those like a pattern (sess*), or what one does"),
    "i": Command(_read, "FILE", "run the statements of a file"),
    "e": Command(_edit, "[FILE]", "edit the latest statement, or a file, in $EDITOR and run it"),
    "g": Command(_again, "[FILE]", "run the latest statement again, its results to a file"),
    "watch": Command(_watch, "[SECONDS]", "run the latest statement again and again, until Ctrl-C"),
    "streams": Command(_streams, "[SECONDS]", "the streams of this session, live, until Ctrl-C"),
    "s": Command(_history, "[FILE]", "print what was typed, or write it to a file"),
    "set": Command(_set, "[NAME VALUE]", "variables of ${NAME}, or a new one"),
    "!": Command(_system, "COMMAND", "run a command of the system"),
    "o": Command(_output, "[FILE]", "print results to a file, to the terminal again"),
    "format": Command(_format, "[FORMAT]", f"how rows are printed: {', '.join(form.value for form in Format)}"),
    "rows": Command(_rows, "[N]", "how many rows of a result are shown, 0 for all"),
    "headers": Command(_headers, "[on|off]", "whether names of columns come first"),
    "x": Command(_expanded, "[on|off|auto]", "one column per line: always, never, where a row is too wide"),
    "timing": Command(_timing, "[on|off]", "whether to say how long a statement took"),
    "pager": Command(_pager, "[on|off]", "whether long results go through $PAGER, or less"),
}
COMMAND_NAMES = (*COMMANDS, *_SAME)
"""What completion offers."""
