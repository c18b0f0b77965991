"""`winsql check FILE...`: the mistakes in window clauses and winsql's statements, found without Spark.

A file is a script, a model of dbt or a notebook; a folder is all of those in it.

What only the session's catalog knows is not looked at: whether tables and columns exist, types, functions and
policies that are registered in Python (but see --import). Statements without window clauses are Spark's own and pass.

Exit code 0: no mistake. 1: there are mistakes. 2: the command line is wrong, or a file cannot be read.
"""

from __future__ import annotations

import argparse
import json
import sys
from collections.abc import Collection, Iterator, Mapping, Sequence
from importlib import import_module

from winsql.errors import Span, WinsqlError
from winsql.model.settings import ParserSettings
from winsql.shell.files import Unreadable, expanded
from winsql.shell.options import definition
from winsql.shell.sarif import sarif
from winsql.shell.script import Statement, split
from winsql.shell.script_settings import ScriptSettings
from winsql.shell.shown import without_secrets
from winsql.shell.sources import NOTEBOOK, SCRIPT, SqlText, sql_texts
from winsql.shell.variables import substitute, unknown_in
from winsql.syntax.declared_variables import declared_variables, is_declared
from winsql.syntax.mistakes import find_mistakes


def main(argv: Sequence[str]) -> int:
    """Entry point of the command; returns the exit code."""
    options = _parser().parse_args(argv)
    found: list[tuple[SqlText, WinsqlError]] = []
    is_complete = True
    try:
        import_modules(options.imports)
        names = expanded(options.files, (SCRIPT, NOTEBOOK))
    except Unreadable as error:
        print(f"winsql check: {error}", file=sys.stderr)
        return 2
    for name in names:
        try:
            for text in sql_texts(name):
                found += [(text, mistake) for mistake in check_text(text, dict(options.define))]
        except Unreadable as error:
            print(f"winsql check: {error}", file=sys.stderr)
            is_complete = False
    _print(found, options)
    return (1 if found else 0) if is_complete else 2


def _print(found: Sequence[tuple[SqlText, WinsqlError]], options: argparse.Namespace) -> None:
    if options.json:
        print(json.dumps([_record(text, mistake) for text, mistake in found], indent=2, ensure_ascii=False))
    elif options.sarif:
        print(json.dumps(sarif(found), indent=2, ensure_ascii=False))
    else:
        for text, mistake in found:
            print(f"{_where(text, mistake)}{mistake.problem}\n{_details(mistake)}", end="")


def check_text(text: SqlText, variables: Mapping[str, str]) -> list[WinsqlError]:
    """The mistakes of a text, but for those in what its templates write. They show no secrets."""
    mistakes = check_script(text.readable.text, variables, text.readable.anything)
    shown = without_secrets(text.text, text.readable.text) if mistakes else text.text
    for mistake in mistakes:
        if mistake.source is not None:
            mistake.source = shown
    return [mistake for mistake in mistakes if not text.readable.hides(mistake.span)]


def check_script(text: str, variables: Mapping[str, str], anything: Sequence[Span] = ()) -> list[WinsqlError]:
    """The mistakes of all statements of a script, with their places in the script.

    `variables` have the values of `${name}`, before those of SET; what else a name stands for is not known. `anything`
    are places where the script may be another when its templates are filled in.
    """
    try:
        statements = split(text)
    except WinsqlError as error:  # nothing after an open quote can be told apart
        return [error]
    declared: set[str] = set()
    settings = ScriptSettings()
    errors: list[WinsqlError] = []
    for statement in statements:
        known = {**settings.variables, **variables}
        errors += _of_statement(statement, text, known, declared, settings.parser, anything)
        declared |= set(declared_variables(statement.text, settings.parser))
        settings.read(statement)
    return errors


def _of_statement(
    statement: Statement,
    script: str,
    variables: Mapping[str, str],
    declared: Collection[str],
    settings: ParserSettings,
    anything: Sequence[Span],
) -> Iterator[WinsqlError]:
    try:
        statement = substitute(statement, variables.get)
    except WinsqlError as endless:
        if endless.span is not None:
            endless.source, endless.span = script, statement.place(endless.span)
        yield endless
        return
    unknown, may_be_anything = unknown_in(statement.text)
    if may_be_anything:  # a clause, a key
        return
    holes = _inside(statement, script, anything)
    for error in find_mistakes(statement.text, lambda name: is_declared(name, declared, settings), settings, holes):
        place = error.span
        if place is not None and any(place.start < hole.end and hole.start < place.end for hole in unknown):
            continue
        if place is not None:
            error.source, error.span = script, statement.place(place)
        yield error


def _inside(statement: Statement, script: str, places: Sequence[Span]) -> list[Span]:
    """The places of a script that are in a statement, or are its semicolon, counted from the statement's begin."""
    stop = script.find(";", statement.end)
    inside = [place for place in places if statement.start <= place.start and not 0 <= stop < place.start]
    return [Span(statement.within(place.start), statement.within(place.end)) for place in inside]


def import_modules(names: Sequence[str]) -> None:
    """Import modules that register policies and functions; the working directory is looked at too."""
    if names:
        sys.path.insert(0, "")
    for name in names:
        try:
            import_module(name)
        except ImportError as error:
            raise Unreadable(f"cannot import {name}: {error}") from None
        except Exception as error:  # noqa: BLE001 - it is the user's code
            raise Unreadable(f"cannot import {name}: it raised {type(error).__name__}: {error}") from None


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="winsql check",
        description="Report the mistakes in window clauses and winsql's own statements. No Spark session is started: "
        "plain Spark SQL passes unread, and what only a catalog knows (tables, columns, types) is not looked at.",
        epilog="Exit code 0: no mistake; 1: mistakes; 2: wrong command line, or a file that cannot be read.",
    )
    add = parser.add_argument
    add("files", metavar="FILE", nargs="+",
        help="SQL file, dbt model, notebook, folder of such files, or pattern (- is standard input)")  # fmt: skip
    form = parser.add_mutually_exclusive_group()
    form.add_argument("--json", action="store_true", help="print a list of objects: file, line, column, end_line, ...")
    form.add_argument("--sarif", action="store_true", help="print a SARIF log, for code hosts and editors")
    add("--import", dest="imports", metavar="MODULE", action="append", default=[],
        help="a Python module that registers policies and functions; may be repeated")  # fmt: skip
    add("-d", "--define", "--hivevar", dest="define", metavar="NAME=VALUE", action="append", default=[],
        type=definition, help="the value of ${NAME}; may be repeated")  # fmt: skip
    return parser


def _where(text: SqlText, error: WinsqlError) -> str:
    if error.source is None or error.span is None:
        return f"{text.name}: "
    line, column = text.place(*error.span.line_and_column(error.source))
    return f"{text.name}:{line}:{column}: "


def _details(error: WinsqlError) -> str:
    """Source line with caret, rule and hint; the problem and the place come before."""
    lines = str(error).split("\n")[1:]
    if error.span is not None and lines:
        lines = lines[1:]
    return "".join(f"{line}\n" for line in lines)


def _record(text: SqlText, error: WinsqlError) -> dict[str, str | int | None]:
    source = error.source or ""
    span = error.span or Span(0, 0)
    line, column = text.place(*span.line_and_column(source))
    end_line, end_column = text.place(*Span(span.end, span.end).line_and_column(source))
    return {
        "file": text.file,
        **({} if text.cell is None else {"cell": text.cell}),
        "line": line,
        "column": column,
        "end_line": end_line,
        "end_column": end_column,
        "kind": type(error).__name__,
        "problem": error.problem,
        "rule": error.rule,
        "hint": error.hint,
    }
