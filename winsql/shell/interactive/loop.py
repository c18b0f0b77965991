"""Reads what people type, runs it, and goes on after whatever goes wrong."""

from __future__ import annotations

import os
import sys
from dataclasses import replace
from importlib.util import find_spec

import pyspark
from pyspark.sql import SparkSession

import winsql
from winsql.errors import WinsqlError
from winsql.shell.failure import STATEMENT_ERRORS, describe
from winsql.shell.files import Unreadable
from winsql.shell.interactive.commands import COMMANDS, Shell, is_command, read_command
from winsql.shell.interactive.editor import Editor, PlainEditor
from winsql.shell.interactive.names import Names
from winsql.shell.run import Output, run_statement, variable
from winsql.shell.script import split
from winsql.shell.supervise import Cancelled
from winsql.shell.variables import substitute

__all__ = ["talk"]


def talk(spark: SparkSession, output: Output) -> bool:
    """Until \\q or Ctrl-D; returns True."""
    shell = Shell(spark, replace(output, watched=True, paged=True), _run)
    editor = _open_editor(shell.names)
    if not output.silent:
        print(f"winsql {winsql.__version__} on Spark {pyspark.__version__}.  \\? is help, \\q leaves.", file=sys.stderr)
        if editor.advice:
            print(editor.advice, file=sys.stderr)
    while not shell.is_over:
        try:
            text = editor.read()
        except KeyboardInterrupt:
            continue
        except EOFError:
            break
        _obey(shell, text)
    shell.close()
    return True


def _obey(shell: Shell, text: str) -> None:
    """Run a command or statements; what goes wrong is said on standard error."""
    try:
        if is_command(text):
            name, argument = read_command(text)
            COMMANDS[name].run(shell, argument)
        elif text.strip():
            shell.last = text
            _run(shell, text)
    except (Unreadable, WinsqlError, *STATEMENT_ERRORS) as error:
        _say(str(error))
    except Cancelled as error:
        _say(str(error))
    except KeyboardInterrupt:
        _say("interrupted")
    except BrokenPipeError:  # the pager has gone
        pass
    finally:
        shell.names.forget()


def _run(shell: Shell, text: str) -> None:
    """Run the statements of a text; those after a failure do not run."""
    for statement in split(text):
        statement = substitute(statement, lambda name: variable(shell.spark, shell.output, name))
        try:
            run_statement(shell.spark, statement, None, shell.output)
        except STATEMENT_ERRORS as error:
            _say(describe(error, statement, text))
            return


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
