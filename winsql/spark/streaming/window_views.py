"""Views over windows of a stream: a statement that reads one may group, rank or join their rows once more.

Columns of windows are known by their marks, which Spark keeps where a view or a DataFrame renames them. Statements are
looked through for such views only in sessions that have planned windows of a stream.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, partial
from weakref import WeakSet

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.types import StructField

from winsql.model.query import WindowQuery
from winsql.model.window_tables import FindWindowTable, WindowColumn, WindowTable
from winsql.planner.identity import windows_identity
from winsql.spark.parameters import Arguments
from winsql.spark.runner import Runner
from winsql.spark.streaming.upstream import are_rows, marked_role, marks_of_rows, marks_over_results, operators_of
from winsql.spark.versions.java_errors import Py4JJavaError
from winsql.syntax.expressions.items import quoted

_SESSIONS: WeakSet[SparkSession] = WeakSet()


def note_windows(spark: SparkSession) -> None:
    """Note that the session has windows of a stream."""
    _SESSIONS.add(spark)


def window_tables(spark: SparkSession, args: Arguments = None) -> FindWindowTable | None:
    """What the session knows of tables with windows; None where it has none. Calls of functions may have parameters."""
    arguments = args if isinstance(args, Mapping) else {}
    return cache(partial(_window_table, Runner(spark, arguments))) if spark in _SESSIONS else None


def _window_table(runner: Runner, name: str) -> WindowTable | None:
    try:
        frame = _frame(runner, name)
        if frame is None:
            return None
        columns = tuple(map(_column, frame.schema)) if frame.isStreaming else ()
        # Spark drops the marks of columns that a function returns
        is_windowed = any(column.role for column in columns) or (name.endswith(")") and bool(columns))
        rows = are_rows(operators_of(frame)) if is_windowed else None
    except (PySparkException, Py4JJavaError):
        return None
    return None if rows is None or (rows and not any(c.role for c in columns)) else WindowTable(columns, rows)


def _frame(runner: Runner, name: str) -> DataFrame | None:
    if name.endswith(")"):  # IDENTIFIER, or a function that returns a table
        return runner.run(f"SELECT * FROM {name}")
    exists = runner.spark.catalog.tableExists(name)  # else an error would be logged
    return runner.spark.table(name) if exists else None


def _column(field: StructField) -> WindowColumn:
    role, is_time = marked_role(field)
    return WindowColumn(field.name, role, is_time)


def with_row_marks(query: WindowQuery, rows: DataFrame) -> DataFrame:
    """The rows of a window table function with marks on the columns of their windows, and on their time."""
    names = [name.lower() for name in rows.columns]
    assigner = query.spec.assigner
    if assigner.time is None or not assigner.is_event_time or len(set(names)) < len(names):
        return rows
    time = assigner.time.expressions[0].rpartition(".")[2].strip("`").lower()
    marks = [marks_of_rows(time, windows_identity(query))]
    marks += [marks_over_results(field) for field in rows.schema if field.name.lower() == time]
    columns = []
    for field in rows.schema:
        column, name = F.col(quoted(field.name)), field.name.lower()
        own = {key: value for some in marks for key, value in some.get(name, {}).items()}
        columns.append(column.alias(field.name, metadata={**(field.metadata or {}), **own}) if own else column)
    return rows.select(*columns)
