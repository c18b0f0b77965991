"""Session variables: Spark is asked whether a name is one, and whether a column of the source comes before it."""

from __future__ import annotations

from collections.abc import Sequence

from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession

from winsql.model.aggregate_calls import AggregateCall
from winsql.model.query import WindowQuery
from winsql.spark.flags import is_on
from winsql.spark.relation import select_sql
from winsql.spark.runner import Runner
from winsql.syntax import no_key
from winsql.syntax.expressions.items import quoted
from winsql.syntax.text.tokens import upper_name


def is_variable(name: str, spark: SparkSession) -> bool:
    """Whether a name, as written in SQL, is a variable or a field of one: without a FROM nothing else can be meant."""
    try:
        _ = spark.sql(f"SELECT {name}").schema
    except AnalysisException:
        return False
    return True


def variables_in(query: WindowQuery, calls: Sequence[AggregateCall], runner: Runner) -> list[str]:
    """The names in calls that are variables of the session, upper case: no column has such a name."""
    named = {path for call in calls for operand in call.operands for path in operand.columns}
    paths = {path for path in named if path[:-1] in _OF_VARIABLES}
    columns = set(map(upper_name, _columns(query, runner))) if paths else set()
    others = [path for path in sorted(paths) if path[-1] not in columns]
    return [path[-1] for path in others if is_variable(".".join(map(quoted, path)), runner.spark)]


_OF_VARIABLES = ((), ("SESSION",), ("SYSTEM", "SESSION"))
"""Qualifiers of the name of a variable."""


def require_variables(query: WindowQuery, runner: Runner) -> None:
    """Raises WindowSpecError where a name that was read as a variable is a column of the source, which comes first."""
    if not query.variables:
        return
    is_exact = is_on(runner.spark, "spark.sql.caseSensitive")
    columns = _columns(query, runner)
    known = set(columns) if is_exact else set(map(upper_name, columns))
    for variable in query.variables:
        if (variable.name if is_exact else upper_name(variable.name)) in known:
            raise no_key(query.text, variable.text, variable.span)


def _columns(query: WindowQuery, runner: Runner) -> list[str]:
    """The columns of what the query reads."""
    return runner.sql(select_sql(query, ["*"])).columns
