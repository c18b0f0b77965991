"""What is left of Spark's messages."""

from __future__ import annotations

from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, cast

import pytest
from pyspark.errors import AnalysisException, PythonException, QueryContext
from pyspark.errors.exceptions.captured import DataFrameQueryContext

from winsql.errors import Span, WindowDataError, WindowPlanError, cells
from winsql.shell import run
from winsql.shell.failure import describe
from winsql.shell.run import _report
from winsql.shell.script import Script, split
from winsql.spark.messages.failure import translate
from winsql.spark.versions.java_errors import Py4JError
from winsql.syntax import hidden

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FROM_CONNECT = """\
[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column with name `nope` cannot be resolved. SQLSTATE: 42703; line 1 pos 7;
'Project ['nope]
+- Range (0, 3, step=1)


JVM stacktrace:
org.apache.spark.sql.catalyst.ExtendedAnalysisException
	at org.apache.spark.sql.Some.code(Some.scala:1)"""


class FromConnect(AnalysisException):
    """As PySpark's Connect client raises it, without a server."""

    def getMessage(self) -> str:
        return FROM_CONNECT


def test_plans_and_stack_traces_are_left_out() -> None:
    (statement,) = split("SELECT nope FROM range(3)")
    assert describe(FromConnect("..."), statement, statement.text) == (
        "[UNRESOLVED_COLUMN.WITH_SUGGESTION] A column with name `nope` cannot be resolved. SQLSTATE: 42703"
    )


class OfPythonCode(FromConnect):
    """An error of what Python code has asked for: its place is a line of that code."""

    def getQueryContext(self) -> list[QueryContext]:
        return [DataFrameQueryContext(None)]  # Java raises when asked for its indexes


def test_errors_of_python_code_have_no_place_in_a_statement() -> None:
    (statement,) = split("SELECT nope FROM range(3)")
    assert describe(OfPythonCode("..."), statement, statement.text) == describe(
        FromConnect("..."), statement, statement.text
    )


class OfNoClass(FromConnect):
    """An error that PySpark's client has no class for."""

    def getMessage(self) -> str:
        return "(org.apache.spark.SparkClassNotFoundException) [DATA_SOURCE_NOT_FOUND] No such source. SQLSTATE: 42K02"


def test_the_class_of_an_error_of_java_is_left_out() -> None:
    (statement,) = split("CREATE TABLE t USING x AS SELECT 1")
    told = describe(OfNoClass("..."), statement, statement.text)
    assert told == "[DATA_SOURCE_NOT_FOUND] No such source. SQLSTATE: 42K02"


class AlreadyThere(FromConnect):
    """A table whose folder an earlier session has left."""

    def getMessage(self) -> str:
        return "[LOCATION_ALREADY_EXISTS] Cannot name the managed table. SQLSTATE: 42710"

    def getCondition(self) -> str:
        return "LOCATION_ALREADY_EXISTS"


def test_what_an_earlier_session_has_left_is_told() -> None:
    (statement,) = split("CREATE TABLE t (k INT)")
    problem, _, hint = describe(AlreadyThere("..."), statement, statement.text).partition("\n  hint: ")
    assert problem == "[LOCATION_ALREADY_EXISTS] Cannot name the managed table. SQLSTATE: 42710"
    assert hint.startswith("the files may be those of an earlier session's table")


@pytest.mark.parametrize("error", [ConnectionRefusedError(111, "Connection refused"), Py4JError("Answer is empty")])
def test_a_jvm_that_has_gone(error: Exception, capsys: pytest.CaptureFixture[str], monkeypatch: Any) -> None:
    """PySpark raises what its socket raises; the statement is told as with any other failure."""

    def killed(*_: object) -> None:
        raise error

    monkeypatch.setattr(run, "with_values", killed)
    text = "SELECT 1;\nAWAIT STREAM t"
    script = Script("s.sql", text, tuple(split(text))[1:])
    assert not run.run_script(cast("SparkSession", None), script, cast("run.Output", SimpleNamespace(variables={})))
    said = capsys.readouterr().err
    assert said.startswith("winsql: s.sql:2: statement 1 failed\nthe connection to Spark was lost: ")
    assert "hint: Spark's process has ended, killed or out of memory; start anew" in said


def test_secrets_of_sinks_are_not_shown() -> None:
    text = "SELECT 1;\n\nCREATE STREAM s INTO jdbc\nOPTIONS (password 'geheim') AS SELECT 1"
    script = Script("s.sql", text, tuple(split(text)))
    statement = script.statements[1]
    error = WindowPlanError("no", source=hidden(statement.text), span=Span(14, 15))
    told = _report(error, script, statement, 2)
    assert "at line 3, column 15" in told
    assert "OPTIONS (password '******')" in told
    assert "geheim" not in told


@pytest.mark.parametrize("word", ["abc", "日本", "e\u0301x", "😀"])
def test_the_place_of_an_error_of_a_worker_is_read_from_its_message(word: str) -> None:
    statement = f"SELECT '日',\n  '東', {word} FROM t"
    place = Span(statement.index(word), statement.index(" FROM"))
    error = WindowDataError("no row", rule="a rule").located(statement, place)
    raised = PythonException(f"Traceback (most recent call last):\n  File\nwinsql.errors.WindowDataError: {error}")
    found = translate(raised, statement)
    assert found is not None
    assert (found.span, str(found)) == (place, str(error))


@pytest.mark.parametrize("before", ["", "'abc' AS x, " * 12, "'日本' AS x, " * 12])
@pytest.mark.parametrize("columns", [20, 40, 80])
def test_the_line_with_the_place_is_cut_to_the_terminal(columns: int, before: str) -> None:
    text = f"SELECT {before}nope, {'1, ' * 40}2"
    start = text.index("nope")
    error = WindowPlanError("no", source=text, span=Span(start, start + 4))
    _, place, line, carets = error.told(columns).split("\n")
    assert place == f"  at line 1, column {start + 1}:"
    assert sum(map(cells, line)) <= columns
    at = carets.index("^")
    shown = next(index for index in range(len(line)) if sum(map(cells, line[:index])) == at)
    assert line[shown : shown + 4] == "nope"[: len(carets) - at]


def test_a_line_that_fits_the_terminal_is_shown_whole() -> None:
    error = WindowPlanError("no", source="SELECT nope", span=Span(7, 11))
    assert error.told(15) == str(error)
    assert error.told(14) != str(error)
