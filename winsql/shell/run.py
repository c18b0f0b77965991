"""Runs the statements of scripts one after the other and prints what each returns."""

from __future__ import annotations

import re
import shutil
import sys
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import partial
from typing import TextIO

from pyspark.sql import SparkSession

from winsql.errors import Span, WindowSyntaxError
from winsql.shell.directives import Left, read_directive, run_command, sourced
from winsql.shell.failure import STATEMENT_ERRORS, describe
from winsql.shell.formats import Format, format_rows, pieces
from winsql.shell.pager import page
from winsql.shell.result import Result, fetch, pass_on
from winsql.shell.script import Script, Statement
from winsql.shell.supervise import supervised
from winsql.shell.variables import substitute
from winsql.spark.tables.statements import stop_streams
from winsql.spark.variable_values import replaces_variables
from winsql.syntax import hidden

_TABLE_ROWS = 100


@dataclass(frozen=True, slots=True)
class Output:
    """How results are printed, and what is told meanwhile.

    limit      rows printed of a result, 0 = all, None = 100 in a table, else all
    silent     rows only: no titles, counts or times
    out        where to
    form       how rows are written
    expanded   a table's rows as lines of name and value; None: where they do not fit the terminal
    headers    whether names of columns come first
    timing     whether to say how long a statement took
    verbose    print the statement before its result
    paged      through a pager where `out` is a terminal that is too small
    watched    Ctrl-C cancels the statement, progress is shown; otherwise it is left to the caller
    variables  of `${name}`, before the session's settings
    for_all    what shows all rows, as a hint
    """

    limit: int | None = None
    silent: bool = False
    out: TextIO = sys.stdout
    form: Format = Format.TABLE
    expanded: bool | None = None
    headers: bool = True
    timing: bool = True
    verbose: bool = False
    paged: bool = False
    watched: bool = False
    variables: Mapping[str, str] = field(default_factory=dict)
    for_all: str = "--rows 0 prints all"

    @property
    def most(self) -> int | None:
        """The rows that are printed of a query at most; None for all."""
        if self.limit is None:
            return _TABLE_ROWS if self.form is Format.TABLE else None
        return self.limit or None

    @property
    def passes_on(self) -> bool:
        """Whether rows are printed as they come: all of them, and not on a terminal, which also shows the progress."""
        return self.most is None and self.form is not Format.TABLE and not self.out.isatty()

    @property
    def is_bare(self) -> bool:
        """Whether rows must be printed alone: asked for, or for another program to read."""
        return self.silent or self.form is not Format.TABLE


def run_scripts(spark: SparkSession, scripts: Iterable[Script], output: Output) -> bool:
    """Run every statement of every script; at the first that fails say why on stderr, stop and return False.

    `exit` ends the last of them.
    """
    try:
        return all(run_script(spark, script, output) for script in scripts)
    except Left:
        return True


def run_script(spark: SparkSession, script: Script, output: Output, files: tuple[str, ...] = ()) -> bool:
    """Run every statement; at the first that fails say why on stderr, stop and return False.

    `files` are the scripts that read this one. Raises Left, and Cancelled after Ctrl-C where `output.watched`.
    """
    files = (*files, script.name)
    for number, statement in enumerate(script.statements, start=1):
        try:
            statement = with_values(spark, statement, output.variables)
            if not run_step(spark, statement, _heading(script, statement), output, files):
                return False
        except STATEMENT_ERRORS as error:
            print(_report(error, script, statement, number), file=sys.stderr)
            return False
    return True


def run_step(
    spark: SparkSession, statement: Statement, heading: str | None, output: Output, files: tuple[str, ...] = ()
) -> bool:
    """Run a statement, or what stands in the place of one; False where one of a file that `source` names failed.

    Raises Left beside what `run_statement` raises.
    """
    directive = read_directive(statement)
    if directive is None:
        run_statement(spark, statement, heading, output)
    elif directive.name == "source":
        return run_script(spark, sourced(directive.argument, files), output, files)
    elif directive.name == "!":
        run_command(directive.argument, output.out)
    else:
        raise Left
    return True


def run_statement(spark: SparkSession, statement: Statement, heading: str | None, output: Output) -> None:
    """Run one statement to its end, print its rows under `heading`, then count, elapsed time and notes.

    Raises STATEMENT_ERRORS, and Cancelled where `output.watched`.
    """
    _require_characters(statement.text)
    if output.verbose:
        print(hidden(statement.text), file=output.out, flush=True)
    work: Callable[[], Result | None] = partial(fetch, spark, statement.text, output.form, output.most)
    if output.passes_on:
        work = partial(_pass_on, spark, statement.text, output)
    result = supervised(spark, statement.text, work) if output.watched else work()
    if result is not None:
        show(result, heading, output)


def _require_characters(text: str) -> None:
    """Raises WindowSyntaxError for bytes of an option or a terminal that Python could not read: Spark gets none."""
    unread = re.search(r"[\ud800-\udfff]", text)
    if unread is not None:
        raise WindowSyntaxError(
            "this is no UTF-8 text",
            rule="statements are UTF-8",
            hint="look at the encoding of the terminal and at LC_ALL, or put the statement into a file",
            source=text,
            span=Span(*unread.span()),
        )


def _pass_on(spark: SparkSession, text: str, output: Output) -> None:
    """Run a statement and print its rows as they come."""
    found = pass_on(spark, text, output.form)
    if found.columns:
        output.out.writelines(pieces(found.columns, found.rows, output.form, headers=output.headers))
        print(file=output.out, flush=True)
    _note_left_out(_Printer(output), found.left_out())


def end_streams(spark: SparkSession) -> None:
    """Stop the streams that still run, and say so on stderr."""
    try:
        names = stop_streams(spark)
    except STATEMENT_ERRORS as error:  # Spark itself has gone; what a stream has not finished it repeats when restarted
        print(f"winsql: streams could not be stopped: {error}", file=sys.stderr)
        return
    for name in names:
        print(f"winsql: stopped stream {name}, which still ran; AWAIT STREAM {name} waits for its end", file=sys.stderr)


def with_values(spark: SparkSession, statement: Statement, variables: Mapping[str, str]) -> Statement:
    """The statement with the values of its `${name}`, as spark-sql finds them: of --define, of SET.

    Raises WindowSyntaxError for one that has none. Where `spark.sql.variable.substitute` is off, it stays as it is.
    """
    if not replaces_variables(spark, statement.text):
        return statement

    def value(name: str) -> str | None:
        given = variables.get(name)
        return spark.conf.get(name, None) if given is None else given

    return substitute(statement, value, is_complete=True)


def _heading(script: Script, statement: Statement) -> str:
    """The statement's title, or else its place."""
    if statement.title is None:
        return f"{script.name}:{_line(script, statement)}"
    return "\n".join(f"-- {line}" for line in statement.title.split("\n"))


def _line(script: Script, statement: Statement) -> int:
    return script.text.count("\n", 0, statement.body) + 1


def _report(error: Exception, script: Script, statement: Statement, number: int) -> str:
    first = _line(script, statement)
    body = hidden(script.text[statement.body : statement.end]).split("\n")
    message = describe(error, statement, script.text)
    report = [f"winsql: {script.name}:{first}: statement {number} failed", message]
    if len(body) > 1 or body[0] not in message:  # a message that shows the one line need not be followed by it
        width = len(str(first + len(body) - 1))
        report += ["", *(f"  {line:>{width}} | {text}" for line, text in enumerate(body, start=first))]
    return "\n".join(report)


def show(result: Result, heading: str | None, output: Output) -> None:
    """Print what a statement has returned, under a heading, then count, elapsed time and notes."""
    say = _Printer(output)
    timing = f" in {result.elapsed:.2f} s" if output.timing else ""
    if not result.columns:
        say.about(f"{heading}: done{timing}" if heading else f"done{timing}")
    else:
        if heading:
            say.about(f"{heading}\n")
        if result.above:
            say.about(f"{result.above}\n")
        _print_rows(say, result)
        say.about(f"\n{_count(result)}{timing}")
    _note_left_out(say, result.left_out)
    say.about("")


def _note_left_out(say: _Printer, rows: int) -> None:
    if rows:
        what = "row has a NULL event time and belongs" if rows == 1 else "rows have a NULL event time and belong"
        say.note(f"note: {rows:,} {what} to no window")


class _Printer:
    def __init__(self, output: Output) -> None:
        self.output = output

    def rows(self, text: str) -> None:
        if self.output.paged:
            page(text, self.output.out)
        else:
            print(text, file=self.output.out, flush=True)

    def about(self, text: str) -> None:
        if not self.output.is_bare:
            print(text, file=self.output.out, flush=True)

    def note(self, text: str) -> None:
        """Something the rows do not show; also told when silent, but not among the rows."""
        print(text, file=sys.stderr if self.output.is_bare else self.output.out, flush=True)


def _print_rows(say: _Printer, result: Result) -> None:
    output = say.output
    shown = result.rows[: output.most]
    width = shutil.get_terminal_size().columns if output.out.isatty() else None
    text = format_rows(
        result.columns, shown, output.form, expanded=output.expanded, width=width, headers=output.headers
    )
    say.rows(text)
    if result.has_more:
        say.note(f"… more rows ({output.for_all})")
    elif more := len(result.rows) - len(shown):
        say.note(f"… {more:,} more ({output.for_all})")


def _count(result: Result) -> str:
    """How many rows there are, or else how many were printed."""
    rows = len(result.rows)
    if result.has_more:
        return f"the first {'row' if rows == 1 else f'{rows:,} rows'}"
    return "1 row" if rows == 1 else f"{rows:,} rows"
