"""What is left of Spark's messages."""

from __future__ import annotations

from pyspark.errors import AnalysisException

from winsql.errors import Span, WindowPlanError
from winsql.shell.failure import describe
from winsql.shell.run import _report
from winsql.shell.script import Script, split
from winsql.syntax import hidden

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


def test_secrets_of_sinks_are_not_shown() -> None:
    text = "SELECT 1;\n\nCREATE STREAM s INTO jdbc\nOPTIONS (password 'geheim') AS SELECT 1"
    script = Script("s.sql", text, tuple(split(text)))
    statement = script.statements[1]
    error = WindowPlanError("no", source=hidden(statement.text), span=Span(14, 15))
    told = _report(error, script, statement, 2)
    assert "at line 3, column 15" in told
    assert "OPTIONS (password '******')" in told
    assert "geheim" not in told
