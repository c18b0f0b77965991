"""Finds winsql's own error in what Spark raises: lazy plans fail in actions, inside Spark's exceptions."""

from __future__ import annotations

import re

from pyspark.errors import PySparkException, StreamingQueryException

from winsql.errors import Span, WindowDataError, WindowPlanError, WinsqlError, cells
from winsql.spark.messages.shown_places import shown_place
from winsql.syntax.python_aggregates import beside_others


def translate(error: BaseException, statement: str | None = None) -> WinsqlError | None:
    """The error of winsql's that caused an exception of an action on a windowed query; None when there is none.

    Its message is complete as it is. With the `statement` that was run, its place in it is known as well.
    """
    if isinstance(error, WinsqlError):
        return error
    if not isinstance(error, PySparkException):
        return None
    if statement is not None and error.getCondition() == "INVALID_PANDAS_UDF_PLACEMENT":
        named = (error.getMessageParameters() or {}).get("functionList", "")
        return beside_others(statement, re.findall(r"\w+", named))
    message = _raised_in_sql(error) or _raised_in_worker(str(error))
    return _unreadable(str(error)) if message is None else _parsed(message, statement)


def of_row(error: BaseException, statement: str) -> WindowDataError | None:
    """Spark's error for a row that ended a stream, with its place in the statement, without what Spark wraps it in.

    None where the error shows no place of the statement.
    """
    said = str(error)
    _, found, message = said.rpartition(_IN_BATCH)
    told = shown_place(message if found else said.partition(_ENDED)[2] or said, statement)
    if told is None:
        return None
    problem = told[0][max(told[0].find("["), 0) :]  # without what is before Spark's name of the error
    return WindowDataError(problem).located(statement, told[1])


def without_plan(error: Exception) -> Exception:
    """The error that ended a stream, without a traceback and without Spark's plan, which is not the statement."""
    said, found, _ = str(error).partition(_PLAN)
    raised = _RAISED.search(said)
    if raised is not None:
        return StreamingQueryException(raised[1].strip())
    return StreamingQueryException((said.partition(_ENDED)[2] or said).strip()) if found else error


_PLAN = "\n=== Streaming Query ===\n"
_RAISED = re.compile(
    r"Traceback \(most recent call last\):\n(?: [^\n]*\n)+[\w.]+: "
    r"(?:An error occurred while calling [\w.]+\n: [\w.$]+: )?(.+?)(?=\n\n|\nJVM stacktrace|\n\tat |$)",
    re.DOTALL,
)
"""What a function in Python has raised in a micro-batch, at the end of its traceback."""
_IN_BATCH = "pyspark.errors.exceptions."
_ENDED = "terminated with exception: "
_CLASS = WindowDataError.__name__
_IN_WORKER = f"winsql.errors.{_CLASS}: "
_TRACE = re.compile(
    r"\n\s*(Driver stacktrace:|=== Streaming Query ===|at [\w.$]+\(|SQLSTATE: |Traceback \(most recent).*", re.DOTALL
)


def _raised_in_sql(error: PySparkException) -> str | None:
    """A native plan raises with raise_error()."""
    text = (error.getMessageParameters() or {}).get("errorMessage", "")
    return text.removeprefix(f"{_CLASS}: ") if text.startswith(f"{_CLASS}: ") else None


_NO_MODULE = re.compile(r", in (?:loads|task)\n(?: [^\n]*\n)*ModuleNotFoundError: No module named '([\w.]+)'")
"""In the functions of PySpark and of winsql that read what a worker is sent."""


_NO_CLASS = re.compile(r"get_array_class_from_type\nKeyError: 21\b")
"""21 is Arrow's number for intervals of months."""


def _unreadable(text: str) -> WindowPlanError | None:
    """Workers cannot read what they are sent."""
    if _NO_CLASS.search(text):
        return WindowPlanError(
            "a function in Python, as session_windows is one, cannot take an INTERVAL of years or months",
            rule="Arrow has no such values in Python, and months have no fixed length",
            hint="write a day-time interval, as in INTERVAL 30 DAYS",
        )
    found = _NO_MODULE.search(text)
    if found is None:
        return None
    return WindowPlanError(
        f"Spark's workers have no module {found[1]}",
        rule="a worker imports the modules in which code of users is defined, and those that it reads",
        hint="install it where the workers run, or send its file: spark.addArtifacts('name.py', pyfile=True)",
    )


def _raised_in_worker(text: str) -> str | None:
    """A Python worker's traceback ends with the error."""
    _, found, message = text.rpartition(_IN_WORKER)
    return _TRACE.sub("", message).rstrip() if found else None


_PLACE = re.compile(r"^  at line (\d+), column (\d+):$")


def _parsed(message: str, statement: str | None) -> WindowDataError:
    """The error, read from its message, which `WinsqlError.__str__` made."""
    lines = message.split("\n")
    place = next((i for i, line in enumerate(lines) if _PLACE.match(line)), None)
    rule = next((line[8:] for line in lines if line.startswith("  rule: ")), None)
    hint = next((line[8:] for line in lines if line.startswith("  hint: ")), None)
    if statement is None or place is None:
        told = next((i for i, line in enumerate(lines) if line.startswith(("  rule: ", "  hint: "))), len(lines))
        whole = all(line.startswith(("  rule: ", "  hint: ")) for line in lines[told:])
        return WindowDataError("\n".join(lines[:told]), rule=rule, hint=hint) if whole else WindowDataError(message)
    return WindowDataError("\n".join(lines[:place]), rule=rule, hint=hint).located(
        statement, _span(lines, place, statement)
    )


def _span(lines: list[str], place: int, statement: str) -> Span:
    match = _PLACE.match(lines[place])
    line, column = (int(number) for number in match.groups()) if match else (1, 1)
    start = sum(len(text) + 1 for text in statement.split("\n")[: line - 1]) + column - 1
    carets = lines[place + 2].count("^") if place + 2 < len(lines) else 1
    stop, filled = start, 0
    while filled < carets and stop < len(statement):
        filled += cells(statement[stop])
        stop += 1
    return Span(start, max(start + 1, stop))
