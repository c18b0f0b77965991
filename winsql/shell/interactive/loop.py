"""Reads what people type, runs it, and goes on after whatever goes wrong."""

from __future__ import annotations

import os
import shutil
import sys
from contextlib import suppress
from dataclasses import replace
from importlib.util import find_spec

import pyspark
from pyspark.sql import SparkSession

import winsql
from winsql.errors import WinsqlError
from winsql.shell.directives import Left
from winsql.shell.failure import STATEMENT_ERRORS, describe
from winsql.shell.files import Unreadable, told
from winsql.shell.interactive.commands import COMMANDS, cut_ending, is_command, read_command
from winsql.shell.interactive.editor import Editor, PlainEditor
from winsql.shell.interactive.names import Names
from winsql.shell.interactive.starting import Starting
from winsql.shell.interactive.state import Shell
from winsql.shell.result import fetch
from winsql.shell.run import Output, run_step, with_values
from winsql.shell.script import split
from winsql.shell.supervise import Cancelled
from winsql.spark.runner import is_connect


def talk(starting: Starting, output: Output) -> None:
    """Until \\q or Ctrl-D; the prompt is there while Spark starts. Raises why Spark did not start."""
    output = replace(output, watched=True, paged=True, for_all=r"\rows 0 shows all")
    shell = Shell(starting, output, _run)
    editor = _open_editor(shell.names)
    shell.history = editor.history
    if not output.silent:
        print(f"winsql {winsql.__version__} on Spark {pyspark.__version__}.  \\? is help, \\q leaves.", file=sys.stderr)
        if editor.advice:
            print(editor.advice, file=sys.stderr)
    starting.then(_warm_up, editor.stop)
    while not shell.is_over and starting.error is None:
        try:
            text = editor.read()
        except KeyboardInterrupt:
            continue
        except EOFError:
            break
        _obey(shell, text)
    try:
        shell.close()
    except Unreadable as error:
        _say(str(error))
    starting.session()


def _warm_up(spark: SparkSession) -> None:
    """While people type: the first query of a JVM takes seconds, whatever it asks for."""
    if is_connect(spark):
        return
    with suppress(*STATEMENT_ERRORS):  # the first statement says it as well
        fetch(spark, "SELECT k, count(*) FROM VALUES (1) AS t(k) GROUP BY k", limit=1)


def _obey(shell: Shell, text: str) -> None:
    """Run a command or statements; what goes wrong is said on standard error."""
    try:
        if is_command(text):
            name, argument = read_command(text)
            COMMANDS[name].run(shell, argument)
        elif text.strip():
            statement, ending = cut_ending(text)
            shell.last = statement
            name, argument = ("g", "") if ending is None else read_command(ending)
            COMMANDS[name].run(shell, argument)
    except Left:
        shell.is_over = True
    except (Unreadable, WinsqlError, *STATEMENT_ERRORS) as error:
        _say(str(error))
    except Cancelled as error:
        _say(str(error))
    except KeyboardInterrupt:
        _say("interrupted")
    except BrokenPipeError:  # the pager has gone
        pass
    except OSError as error:
        _say(told(error))
    finally:
        shell.names.forget()


def _run(shell: Shell, text: str) -> bool:
    """Run the statements of a text; those after a failure do not run, and it returns False."""
    for statement in split(text):
        try:
            statement = with_values(shell.spark, statement, shell.output.variables)
            if not run_step(shell.spark, statement, None, shell.output):
                return False
        except STATEMENT_ERRORS as error:
            columns = shutil.get_terminal_size().columns if sys.stderr.isatty() else None
            _say(describe(error, statement, text, columns))
            return False
    return True


def _say(message: str) -> None:
    has_colours = sys.stderr.isatty() and not os.environ.get("NO_COLOR")
    colour, plain = ("\033[31m", "\033[0m") if has_colours else ("", "")
    first, newline, rest = message.partition("\n")
    print(f"{colour}{first}{plain}{newline}{rest}\n", file=sys.stderr, flush=True)


def _open_editor(names: Names) -> Editor:
    """The best editor there is."""
    if find_spec("prompt_toolkit") is None:
        return PlainEditor()
    from winsql.shell.interactive.toolkit import ToolkitEditor

    return ToolkitEditor(names)
