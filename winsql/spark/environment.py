"""Where Spark takes `${env:NAME}` from: the environment of its JVM, or of the server of Spark Connect."""

from __future__ import annotations

from pyspark.errors import ParseException
from pyspark.sql import SparkSession

from winsql.errors import WindowSyntaxError
from winsql.spark.runner import Runner, is_connect
from winsql.spark.versions.classic import jvm_of


def environment_variable(spark: SparkSession, name: str) -> str | None:
    """The value of a variable; None for nothing.

    A server is asked for a column of that name, which it does not compute. Raises WindowSyntaxError for a value with a
    backquote, which would end the name.
    """
    if not is_connect(spark):
        value: str | None = jvm_of(spark).java.lang.System.getenv(name)
        return value
    written = f"${{env:{name}}}"
    try:
        (found,) = Runner(spark).run(f"SELECT 1 AS `={written}`").columns
    except (ParseException, ValueError):
        raise WindowSyntaxError(
            f"the value of the variable {written} cannot be read from the server",
            rule="on Spark Connect a variable of the server's environment cannot have a backquote in it",
            hint="SET a variable of the session to the value, and write its name",
        ) from None
    return None if found == f"={written}" else found[1:]
