"""Windowed subqueries that read columns of the query around them (LATERAL, EXISTS, IN, scalar ones).

A windowed query is planned by itself. Where only its WHERE names columns of a query around it, and Spark's own
operators run it, Spark can decorrelate such a subquery: it gets the native plan as it is. All else is refused.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import replace

from pyspark.errors import AnalysisException, ParseException, PySparkException
from pyspark.sql import DataFrame

from winsql.errors import WindowPlanError
from winsql.model.query import Form, WindowQuery
from winsql.spark.planning import Planned, plan_natively
from winsql.spark.runner import Runner, is_connect
from winsql.spark.versions.classic import optimize, refused_once_optimized
from winsql.spark.versions.java_errors import Py4JJavaError
from winsql.spark.versions.plan_text import analyzed_text
from winsql.syntax import Statement
from winsql.syntax.text.source import Source

_RULE = "a window is computed by itself, without the rows of the query around it"
_JOIN = "group by it in the windowed SELECT and join the result: FROM d JOIN (SELECT g, ... GROUP BY g) x ON x.g = d.g"

_NUMBERED = re.compile(r"non[-_]?deterministic.*(query|exists)\(", re.IGNORECASE | re.DOTALL)
_PLACES = (
    "its rows are numbered as they arrive, and Spark takes such a subquery as an item of SELECT, in WHERE or in HAVING"
)
_READ = "read it in FROM, as in FROM (SELECT ... WINDOW ASSIGN ...) AS x"
_COLUMN = "make it a column first: FROM (SELECT *, k IN (SELECT ...) AS is_in FROM t)"


def outer_column(bodies: Iterable[tuple[str, str]], runner: Runner, error: AnalysisException) -> str | None:
    """The column that a query names and that a query around it has, from Spark's error about the query.

    bodies  a WITH list and a FROM body for each query around it

    None where the error is about something else.
    """
    name = (error.getMessageParameters() or {}).get("objectName")
    if name is None or not (error.getCondition() or "").startswith("UNRESOLVED_COLUMN"):
        return None
    for context, body in bodies:
        try:
            _ = replace(runner, context=context).sql(f"SELECT {name} FROM {body}").schema
        except ParseException:  # it holds windows that are planned later: whose the column is will not matter
            return name
        except AnalysisException:
            continue
        return name
    return None


def plan_correlated(query: WindowQuery, runner: Runner) -> Planned | None:
    """A native plan of a query whose WHERE alone names columns of the queries around it; None where there is none."""
    if query.where is None or query.join is not None or query.form is Form.WINDOWED or query.over is not None:
        return None
    try:
        planned = plan_natively(query, replace(query, where=None), runner)
    except AnalysisException:
        return None
    return None if planned is None else replace(planned, is_correlated=True, null_times_sql=None)


def refused_subquery(query: WindowQuery, statement: Statement, index: int, column: str) -> WindowPlanError:
    """The error for a query that names a column of a query around it."""
    path = tuple(Source(column).tokens[n].upper for n in range(0, len(Source(column)), 2))
    return WindowPlanError(
        f"this windowed SELECT reads {column.replace('`', '')}, a column of the query around it",
        rule=_RULE,
        hint=_JOIN,
    ).located(query.text, statement.place(index, path))


def refuses_numbers(error: PySparkException | Py4JJavaError) -> bool:
    """Whether Spark refuses an expression with a subquery that numbers rows by their arrival."""
    return _NUMBERED.search(str(error)) is not None


def refused_by_spark(
    error: PySparkException | Py4JJavaError, planned: Sequence[Planned], inside: Sequence[Planned]
) -> WindowPlanError | None:
    """The error for windowed subqueries that Spark cannot take apart; None where the error is about something else.

    planned, inside   the windowed queries of the statement, and those of them that have a query around them
    """
    if planned and refuses_numbers(error):
        query = (inside or planned)[0].query
        return WindowPlanError(
            "this windowed subquery cannot be used in this place", rule=_PLACES, hint=_COLUMN
        ).located(query.text, query.span)
    if not isinstance(error, PySparkException):
        return None
    condition = error.getCondition() or ""
    correlated = next((one for one in inside if one.is_correlated), None)
    if not condition.startswith(("UNSUPPORTED_SUBQUERY_EXPRESSION_CATEGORY", "INTERNAL_ERROR")):
        return (
            None if correlated is None else _said_by_spark(error, correlated.query, "correlated windowed", _RULE, _JOIN)
        )
    operators = [one for one in planned if one.frame is not None]
    if condition.endswith("NON_DETERMINISTIC_LATERAL_SUBQUERIES") and operators:
        operator = next((one for one in operators if one in inside), operators[0])
        return WindowPlanError(
            "this windowed SELECT cannot be in a LATERAL subquery",
            rule="it runs in winsql's operator, which Spark does not run for each row of what comes before LATERAL",
            hint="join it without LATERAL: FROM d JOIN (SELECT ...) x ON x.g = d.g",
        ).located(operator.query.text, operator.query.span)
    if not inside:
        return None
    if condition.endswith("SCALAR_SUBQUERY_IN_VALUES"):
        return _said_by_spark(
            error, inside[0].query, "windowed", "a windowed subquery can be where another one can", _READ
        )
    query = (correlated or inside[0]).query
    return WindowPlanError("Spark cannot take this correlated windowed subquery apart", rule=_RULE, hint=_JOIN).located(
        query.text, query.span
    )


def _said_by_spark(error: PySparkException, query: WindowQuery, kind: str, rule: str, hint: str) -> WindowPlanError:
    """What Spark says of a subquery, without its plan, in which columns have names of winsql's own."""
    problem, _, _ = str(error.getMessage() or error).partition("\n")[0].partition(" SQLSTATE")
    return WindowPlanError(f"Spark refuses this {kind} subquery: {problem}", rule=rule, hint=hint).located(
        query.text, query.span
    )


def take_apart(frame: DataFrame) -> None:
    """Have Spark take subqueries apart, which it puts off to the first action; raises PySparkException."""
    _ = frame.schema
    if not frame.isStreaming:
        optimize(frame)
    elif not is_connect(frame) and _SUBQUERY.search(analyzed_text(frame)):
        error = refused_once_optimized(frame)
        if error is not None:
            raise error


_SUBQUERY = re.compile(r"\b(lateral-subquery|scalar-subquery|exists|list)#\d+ \[(?!\])")
"""A correlated subquery in a plan, before the columns that it reads of the query around it."""


def refused_on_stream(error: PySparkException, statement: Statement) -> WindowPlanError | None:
    """The error for a stream whose subqueries Spark cannot take apart; None where the error is about something else."""
    if not (error.getCondition() or "").startswith("STREAMING_OUTPUT_MODE"):
        return None
    is_lateral = statement.has_lateral()
    return WindowPlanError(
        f"Spark cannot run this {'LATERAL join' if is_lateral else 'correlated subquery'} on a stream",
        rule="it groups the rows of the stream by what is read of them there, and such groups never end",
        hint=_OF_FUNCTION if is_lateral else _BY_EQUALITY,
    ).located(statement.text, statement.first_subquery())


_OF_FUNCTION = (
    "for LEFT JOIN LATERAL explode(xs) AS e(x) ON x > 0 write "
    "CROSS JOIN LATERAL explode_outer(filter(xs, x -> x > 0)) AS e(x); join tables without LATERAL"
)
_BY_EQUALITY = "compare its columns with those around it by = alone, or join its table in FROM"
