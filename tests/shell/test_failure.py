"""What is left of Spark's messages."""

from __future__ import annotations

from pyspark.errors import AnalysisException

from winsql.shell.failure import describe
from winsql.shell.script import split

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
