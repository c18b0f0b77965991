"""Plans of Flink SQL's window table functions: a projection, on tables and streams; for sessions the operator."""

from __future__ import annotations

from dataclasses import replace

from pyspark.sql import DataFrame
from pyspark.sql import functions as F

from winsql.errors import WindowPlanError
from winsql.model.query import FUNCTION_COLUMNS, WINDOW_COLUMNS, Form, WindowQuery
from winsql.planner.checks import check
from winsql.planner.facts import Facts
from winsql.planner.plan import Plan, Strategy
from winsql.planner.window_table_function_sql import windowed_sql
from winsql.spark.planning import Planned, in_session_zone, null_times_sql, plan_query
from winsql.spark.relation import TIME, project, select_sql
from winsql.spark.runner import Runner
from winsql.spark.streaming.upstream import are_over_results
from winsql.spark.streaming.window_views import with_row_marks


def plan_function(query: WindowQuery, runner: Runner, now: int) -> Planned:
    """Plan a query of the form WINDOWED: the columns of its table and FUNCTION_COLUMNS.

    Raises WindowSpecError for a time of the wrong type, WindowPlanError where the table has one of the columns that
    the function adds, and Spark's AnalysisException for names it does not find.
    """
    _check_columns(query, runner)
    if query.spec.assigner.is_merging:
        return _fired(query, runner, now)
    projection = project(query, runner, payload={}, with_aggregates=False)
    query = in_session_zone(query, projection, runner)
    time = projection.fact(TIME) if projection.has_time else None
    facts = Facts(None, time, (), (), (), ())
    check(query, facts)
    sql = windowed_sql(query, time)
    is_streaming = projection.frame.isStreaming
    rows = with_row_marks(query, runner.sql(sql)) if is_streaming else None
    is_over_results = rows is not None and are_over_results(rows)
    return Planned(
        query,
        facts,
        Plan(Strategy.PROJECTION, "which windows a row belongs to, its time alone says", None, "none"),
        runner,
        projection.sql,
        sql=None if is_over_results else sql,
        frame=rows if is_over_results else None,  # SQL has no marks
        rows=rows,
        null_times_sql=None if is_streaming else null_times_sql(query, projection),
    )


def reads_stream(query: WindowQuery, runner: Runner) -> bool:
    """Whether the source of a query is a streaming relation; raises WindowPlanError as `plan_function` does."""
    if query.form is Form.WINDOWED:
        _check_columns(query, runner)
    return runner.sql(select_sql(query, ["*"])).isStreaming


def _fired(query: WindowQuery, runner: Runner, now: int) -> Planned:
    """The rows of each window when it ends, by the operator."""
    windows = tuple(WINDOW_COLUMNS[name] for name in FUNCTION_COLUMNS)
    head = f"SELECT {', '.join((query.payload[0].column, *windows))}"
    rows = replace(query, form=Form.ROWS, head=head, tail="", window_columns=windows)
    planned = plan_query(rows, runner, now)
    assert planned.frame is not None
    return replace(planned, query=query, frame=_with_columns(query, planned.frame))


def _with_columns(query: WindowQuery, fired: DataFrame) -> DataFrame:
    """The columns of the table and those of its windows."""
    windows = [F.col(WINDOW_COLUMNS[name]).alias(name) for name in FUNCTION_COLUMNS]
    return fired.select(f"{query.payload[0].column}.*", *windows)


def _check_columns(query: WindowQuery, runner: Runner) -> None:
    columns = {name.lower(): name for name in runner.sql(select_sql(query, ["*"])).columns}
    taken = next((columns[name] for name in FUNCTION_COLUMNS if name in columns), None)
    if taken is None:
        return
    raise WindowPlanError(
        f"the table has a column {taken} already",
        rule=f"a window table function adds the columns {', '.join(FUNCTION_COLUMNS)}",
        hint=f"hand over TABLE(SELECT * EXCEPT ({taken}) FROM ...), or rename it there",
    ).located(query.text, query.span)
