"""winsql.sql, rewrite, explain and metrics: statements with windowed queries on a Spark session.

A windowed SELECT becomes a query over a relation: SQL text where Spark's own operators give the same rows (native
plans), otherwise a DataFrame that runs winsql's operator; the text names it, and `Runner` puts it in.
"""

from __future__ import annotations

from pyspark.sql import DataFrame, SparkSession

from winsql.planner.explain import Description, describe
from winsql.spark.local_rows import local_rows
from winsql.spark.messages.failure import translate
from winsql.spark.messages.hidden_names import plain_names
from winsql.spark.messages.misspellings import in_words_of_winsql
from winsql.spark.messages.unlogged import unlogged
from winsql.spark.null_times import note, noted
from winsql.spark.parser_settings import parser_settings
from winsql.spark.planned_statement import Arguments, PlannedStatement, parse
from winsql.spark.tables.connectors import SPARK_ERRORS, missing_format
from winsql.spark.tables.for_each_batch import late_name
from winsql.spark.tables.sinks.catalog_table import as_stream_into
from winsql.spark.tables.sinks.explain import explain_sinks
from winsql.spark.tables.statements import refresh_tables, run_stream_statement
from winsql.spark.tables.unsupported import require_immediate, require_some_mode
from winsql.syntax import CreateStreamInto, Statement, StatementKind
from winsql.syntax.near_misses import near_miss


def sql(spark: SparkSession, text: str, args: Arguments = None) -> DataFrame:
    """Run a statement of Spark SQL that may contain windowed queries; a statement without any is Spark's own.

    spark   a classic or Connect session
    args    parameters, as for `spark.sql`

    Queries are lazy, commands run at once, as in Spark. Mistakes in window clauses raise WindowSyntaxError and
    WindowSpecError, with their place; what cannot run on this relation or in this place raises WindowPlanError.
    Errors of rows come with the action: `winsql.spark.messages.failure.translate` finds the WindowDataError in Spark's
    exception. Rows whose event time is NULL belong to no window: they are left out, and `metrics` counts them. For
    COUNT and GLOBAL the time only orders rows: NULL comes first, and the row stays.
    """
    return run(spark, parse(spark, text, args), args)


def run(spark: SparkSession, statement: Statement, args: Arguments = None) -> DataFrame:
    """Run a statement that has been parsed with these arguments; the rest of `sql`."""
    text = statement.text
    refresh_tables(spark)
    if statement.is_plain:
        with in_words_of_winsql(spark, text):
            plain = spark.sql(text) if args is None else spark.sql(text, args=args)  # type: ignore[arg-type]
        require_immediate(plain, text)
        return plain
    return _run(spark, statement, args)


@unlogged()
def _run(spark: SparkSession, statement: Statement, args: Arguments) -> DataFrame:
    """A statement that is not Spark's own."""
    text = statement.text
    if statement.target.explains_windows:
        return local_rows(spark, [(explained(spark, statement, args),)], "plan STRING")
    if statement.stream is not None:
        return run_stream_statement(spark, statement, args)
    planned = _planned(spark, statement, args)
    try:
        frame = planned.execute()
    except SPARK_ERRORS as error:
        raise translate(error, text) or missing_format(spark, text, error) or error from None
    if statement.target.kind is StatementKind.EXPLAIN:
        return local_rows(spark, [(plain_names(plan),) for (plan,) in frame.collect()], "plan STRING")
    require_some_mode(frame, text)
    note(frame, planned.null_times())
    return frame


def rewrite(spark: SparkSession, text: str, args: Arguments = None) -> str:
    """The SQL that `sql` would hand to Spark; operator plans appear as relations named `windowed__relation<n>`."""
    statement = parse(spark, text, args)
    if statement.is_plain:
        return text
    return _planned(spark, statement, args).text()


def explain(spark: SparkSession, text: str, args: Arguments = None) -> str:
    """How a statement would run: policies, strategy and why, keys, time, state, and the SQL handed to Spark.

    The same as `EXPLAIN WINDOW statement`. A statement without windowed queries is said to be Spark's own.
    """
    return explained(spark, parse(spark, text, args), args)


@unlogged()
def explained(spark: SparkSession, statement: Statement, args: Arguments = None) -> str:
    """What `explain` says of a statement that has been parsed."""
    statement = as_stream_into(spark, statement)
    if isinstance(statement.stream, CreateStreamInto):
        return f"{explain_sinks(spark, statement, args)}\n\n{_explain_queries(spark, statement, args)}"
    return _explain_queries(spark, statement, args)


def metrics(frame: DataFrame) -> dict[str, int]:
    """What `sql` counted for a DataFrame it returned: `{"null_event_time": rows}`.

    Empty for other DataFrames, for queries without event-time windows and, for plans of winsql's operator, before an
    action on the DataFrame has ended, for which it never waits, and where the first action needed no rows of a window,
    as with `LIMIT 0`. Spark tells numbers of an action a moment after its end; where other listeners keep it busy for
    longer than two seconds, they are there later. For native plans, which are SQL text and nothing else, and on Spark
    Connect a query counts the rows when this is called first.
    """
    null_times = noted(frame)
    rows = null_times.count() if null_times is not None else None
    return {} if rows is None else {"null_event_time": rows}


def _planned(spark: SparkSession, statement: Statement, args: Arguments) -> PlannedStatement:
    return PlannedStatement(spark, statement, args, late_into=late_name(statement))


def _explain_queries(spark: SparkSession, statement: Statement, args: Arguments) -> str:
    if not statement.queries:
        mistake = near_miss(statement.text, parser_settings(spark))
        if mistake is not None:
            raise mistake
        _planned(spark, statement, args).require_readable()
        return "no windowed query: the statement reaches Spark as it is"
    descriptions, text = described(spark, statement, args)
    return "\n\n".join([*map(str, descriptions), f"SQL handed to Spark:\n{text}"])


def described(spark: SparkSession, statement: Statement, args: Arguments = None) -> tuple[list[Description], str]:
    """What EXPLAIN WINDOW says of each windowed query, and the SQL handed to Spark, with readable names."""
    planned = _planned(spark, statement, args)
    planned.require_readable()
    descriptions = [describe(p.query, p.facts, p.plan, plain_names(p.reads), p.engine) for p in planned.planned]
    return descriptions, plain_names(planned.text().strip())
