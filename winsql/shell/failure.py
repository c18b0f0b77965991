"""Says what went wrong with a statement of a script, and where in the script."""

from __future__ import annotations

import re

from pyspark.errors import ParseException, PySparkException, PythonException, QueryContextType

from winsql.errors import Span, WinsqlError
from winsql.shell.script import Statement
from winsql.spark.messages.failure import translate
from winsql.spark.messages.hidden_names import plain_names
from winsql.spark.versions.java_errors import Py4JError, Py4JJavaError
from winsql.syntax import hidden

# what a statement can fail with; anything else is a defect of winsql and shows its traceback
STATEMENT_ERRORS = (WinsqlError, PySparkException, Py4JError, ConnectionRefusedError, ConnectionResetError)


def describe(error: BaseException, statement: Statement, script: str, columns: int | None = None) -> str:
    """The message for the user; line, column and caret are those of the script, where the place is known.

    `columns` are those of the terminal, to which the line with the place is cut; None: there is none.

    A winsql error knows its place in the statement. Spark's errors give an offset into the text that Spark was
    handed, which is used only when that text is found in the statement.
    """
    own = translate(error, statement.text)
    if own is not None:
        if own.source in (statement.text, hidden(statement.text)) and own.span is not None:
            own.source, own.span = _shown(statement, script), statement.place(own.span)
        return own.told(columns)
    message = _spark_message(error)
    span, hint = _spark_span(error, statement), _hint(error)
    if span is None:
        return str(WinsqlError(message, hint=hint))
    return WinsqlError(message, source=_shown(statement, script), span=statement.place(span), hint=hint).told(columns)


def _hint(error: BaseException) -> str | None:
    """What to do about an error of Spark's that has little to do with its statement."""
    if isinstance(error, PySparkException):
        return _HINTS.get(error.getCondition() or "")
    return None if isinstance(error, Py4JJavaError) else _ANEW


_ANEW = (
    "Spark's process has ended, killed or out of memory; start anew and run the statement again: a stream goes on "
    "where it was"
)


_HINTS = {
    "LOCATION_ALREADY_EXISTS": (
        "the files may be those of an earlier session's table: Spark's in-memory catalog forgets tables, not files; "
        "delete that folder, or keep a catalog with --conf spark.sql.catalogImplementation=hive"
    )
}


def _shown(statement: Statement, script: str) -> str:
    """The script without the statement's secrets, each character in its place."""
    before, after = script[: statement.body], script[statement.end :]
    return f"{before}{hidden(script[statement.body : statement.end])}{after}"


def _spark_message(error: BaseException) -> str:
    """Spark's own message without query plans, excerpts and stack traces."""
    if isinstance(error, PythonException):
        return plain_names(_worker_message(str(error)))
    if isinstance(error, Py4JJavaError):
        said = str(error.java_exception.getMessage())  # one of Spark's begins with its condition
        shown = said if said.startswith("[") else str(error.java_exception.toString())
        return plain_names(_without_trace(shown))
    if isinstance(error, PySparkException):
        return plain_names(_CLASS.sub("", _without_trace(error.getMessage() or str(error)).strip()))
    return f"the connection to Spark was lost: {error}"


_TRACE = re.compile(r"\n\s*(Driver stacktrace:|JVM stacktrace:|at [\w.$]+\().*", re.DOTALL)
# on Spark Connect a message ends with its place, which is shown better, and the plan
_PLAN = re.compile(r"; line \d+ pos \d+;\n.*|\n== SQL.*", re.DOTALL)
_RAISED = re.compile(r"^([\w.]+(?:Error|Exception|Warning|Exit|Interrupt)\b.*)", re.MULTILINE | re.DOTALL)


_CLASS = re.compile(r"^\([\w.$]+\) (?=\[)")
"""Before the condition of an error that PySpark has no class for, on Spark Connect."""


def _without_trace(message: str) -> str:
    return _PLAN.sub("", _TRACE.sub("", message))


def _worker_message(message: str) -> str:
    """What a Python worker's traceback ends with: the exception itself."""
    tail = message.rpartition("Traceback (most recent call last):")[2]
    raised = _RAISED.search(tail)
    if raised is None:
        return message
    return _without_trace(raised.group(1)).strip()


def _spark_span(error: BaseException, statement: Statement) -> Span | None:
    if isinstance(error, ParseException) and not error.getQueryContext():
        return _parse_span(str(error), statement)
    if not isinstance(error, PySparkException):
        return None
    for context in error.getQueryContext() or ():
        if context.contextType() is not QueryContextType.SQL:  # a call of Python code, which has no place in a text
            continue
        fragment = context.fragment()
        start = context.startIndex()
        if fragment and statement.text[start : start + len(fragment)] == fragment:
            return Span(start, start + len(fragment))
        before = statement.text.rfind(fragment, 0, start + len(fragment))  # Java counts some characters twice
        if fragment and before < 0 and statement.text.count(fragment) == 1:
            before = statement.text.index(fragment)
        if fragment and before >= 0:
            return Span(before, before + len(fragment))
    return None


_PARSE_POSITION = re.compile(r"\(line (\d+), pos (\d+)\)")
_POINTER = re.compile(r"^-*\^\^\^\n?", re.MULTILINE)


def _parse_span(message: str, statement: Statement) -> Span | None:
    """Place of a syntax error, from the position and the copy of the text in Spark's message."""
    position = _PARSE_POSITION.search(message)
    shown = message.partition("== SQL ==\n")[2]
    if position is None or _POINTER.sub("", shown).strip() != statement.text.strip():
        return None
    line, column = int(position.group(1)), int(position.group(2))
    start = sum(len(text) + 1 for text in statement.text.split("\n")[: line - 1]) + column
    word = re.compile(r"\w+|\S|$").match(statement.text, start)
    return Span(start, max(start + 1, word.end() if word else 0))
