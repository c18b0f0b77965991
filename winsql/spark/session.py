"""winsql.sql, rewrite, explain and metrics: statements with windowed queries on a Spark session.

A windowed SELECT becomes its outer query over a relation: SQL text where Spark's own operators give the same rows
(native plans), otherwise a DataFrame that runs winsql's operator, which the text names and `Runner` puts in.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from typing import Any

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession

from winsql.errors import WindowPlanError
from winsql.model.query import WindowQuery
from winsql.planner.explain import describe
from winsql.spark.engines import engine_of
from winsql.spark.failure import translate
from winsql.spark.functions import AggregateNames
from winsql.spark.late_rows import make_late_view
from winsql.spark.null_times import NullTimes, note, noted
from winsql.spark.planning import Planned, plan_query
from winsql.spark.runner import Runner, relation_name
from winsql.spark.views import KeptViews
from winsql.syntax import Statement, StatementKind, parse_statement

__all__ = ["explain", "metrics", "rewrite", "sql"]

Arguments = Mapping[str, Any] | Sequence[Any] | None


def sql(spark: SparkSession, text: str, args: Arguments = None) -> DataFrame:
    """Run a statement of Spark SQL that may contain windowed queries; a statement without any is Spark's own.

    spark   a classic or Connect session
    args    parameters, as for `spark.sql`

    Queries are lazy, commands run at once, as in Spark. Mistakes in window clauses raise WindowSyntaxError and
    WindowSpecError, with their place; what cannot run on this relation or in this place raises WindowPlanError.
    Errors of rows come with the action: `winsql.spark.failure.translate` finds the WindowDataError in Spark's
    exception. Rows whose event time is NULL belong to no window: they are left out, and `metrics` counts them. For
    COUNT and GLOBAL the time only orders rows: NULL comes first, and the row stays.
    """
    statement = _parse(spark, text)
    if statement.is_plain:
        return spark.sql(text) if args is None else spark.sql(text, args=args)  # type: ignore[arg-type]
    if statement.target.explains_windows:
        return spark.createDataFrame([(_explain(spark, statement, args),)], "plan STRING")
    run = _Run(spark, statement, args)
    try:
        frame = run.execute()
    except PySparkException as error:
        raise translate(error, text) or error from None
    note(frame, run.null_times())
    return frame


def rewrite(spark: SparkSession, text: str, args: Arguments = None) -> str:
    """The SQL that `sql` would hand to Spark; operator plans appear as relations named `__winsql_relation<n>`."""
    statement = _parse(spark, text)
    if statement.is_plain:
        return text
    return _Run(spark, statement, args).text()


def explain(spark: SparkSession, text: str, args: Arguments = None) -> str:
    """How a statement would run: policies, strategy and why, keys, time, state, and the SQL handed to Spark.

    The same as `EXPLAIN WINDOW statement`. A statement without windowed queries is said to be Spark's own.
    """
    return _explain(spark, _parse(spark, text), args)


def metrics(frame: DataFrame) -> dict[str, int]:
    """What `sql` counted for a DataFrame it returned: `{"null_event_time": rows}`.

    Empty for other DataFrames, for queries without event-time windows and, for plans of winsql's operator, before an
    action on the DataFrame has ended; it never waits for one. For native plans, which are SQL text and nothing else,
    and on Spark Connect a query counts the rows when this is called first.
    """
    null_times = noted(frame)
    rows = null_times.count() if null_times is not None else None
    return {} if rows is None else {"null_event_time": rows}


def _parse(spark: SparkSession, text: str) -> Statement:
    return parse_statement(text, AggregateNames(spark))


class _Run:
    """One statement with its queries planned."""

    def __init__(self, spark: SparkSession, statement: Statement, args: Arguments) -> None:
        self.statement = statement
        self.now = time.time_ns() // 1000
        given = statement.arguments(args)
        self.arguments = given if isinstance(given, Mapping) else {}
        self.spark = spark
        self.planned: list[Planned] = []
        self.relations: dict[int, str] = {}
        self.frames: dict[str, DataFrame] = {}
        for index in range(len(statement.queries)):
            self._plan(index)

    def text(self) -> str:
        """The statement for Spark."""
        return self.statement.replace(self.relations)

    def execute(self) -> DataFrame:
        """Hand it to Spark."""
        for planned in self.planned:
            if planned.stateful is None:
                make_late_view(planned.query, planned.runner)
            elif planned.query.late_into is not None:
                raise _no_place_for_late_rows(planned.query)
        runner = Runner(self.spark, self.arguments, relations=self.frames)
        if not self.frames:
            return runner.run(self.text())
        target = self.statement.target
        if target.kind is StatementKind.VIEW and not target.is_temporary:
            raise self._not_a_view(next(p.query for p in self.planned if p.frame is not None))
        if target.kind in _LASTING:
            return KeptViews(self.spark, self.frames).run(self.text(), self.arguments)
        return runner.run(self.text()).select("*")  # Spark finds the counter of NULL times behind a projection only

    def null_times(self) -> NullTimes:
        """What counts rows without event time."""
        return NullTimes(
            any(p.query.spec.assigner.is_event_time and p.stateful is None for p in self.planned),
            tuple(p.observation for p in self.planned if p.observation is not None),
            tuple((p.runner, p.null_times_sql) for p in self.planned if p.null_times_sql is not None),
        )

    def _plan(self, index: int) -> None:
        query = self.statement.query(index, self.relations)
        context = self.statement.context(index, self.relations)
        runner = Runner(self.spark, self.arguments, context, dict(self.frames))
        planned = plan_query(query, runner, self.now)
        self.planned.append(planned)
        if planned.sql is not None:
            self.relations[index] = f"(\n{planned.sql}\n)"
            return
        assert planned.frame is not None
        self.relations[index] = name = relation_name(index)
        self.frames[name] = planned.frame

    def _not_a_view(self, query: WindowQuery) -> WindowPlanError:
        error = WindowPlanError(
            "this windowed query cannot be kept in a permanent view",
            rule="Spark stores a view as SQL text, and this window runs in winsql's operator",
            hint="create a TEMPORARY view, or a table with CREATE TABLE ... AS",
        )
        error.located(query.text, query.span)
        return error


def _no_place_for_late_rows(query: WindowQuery) -> WindowPlanError:
    error = WindowPlanError(
        "LATE INTO on a stream: this statement has one result, and late rows are a second one",
        rule="late rows of a stream go to a table beside the result, in one run of the query",
        hint=_LATE_HINT,
    )
    error.located(query.text, query.span)
    return error


_LATE_HINT = "leave LATE INTO out: late rows are counted in the query's state"
_LASTING = frozenset({StatementKind.VIEW, StatementKind.OTHER})
"""Statements that may keep the query for later: what it reads must outlive the call."""


def _explain(spark: SparkSession, statement: Statement, args: Arguments) -> str:
    if not statement.queries:
        return "no windowed query: the statement reaches Spark as it is"
    run = _Run(spark, statement, args)
    parts = [describe(p.query, p.facts, p.plan, p.reads, _engine(p)) for p in run.planned]
    return "\n\n".join([*parts, f"SQL handed to Spark:\n{run.text().strip()}"])


def _engine(planned: Planned) -> str | None:
    return None if planned.stateful is None else engine_of(planned.stateful.task)
