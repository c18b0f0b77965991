"""LATE INTO on bounded tables: an always empty view of late rows, so that one text runs on a table and a stream."""

from __future__ import annotations

from weakref import WeakKeyDictionary

from pyspark.sql import SparkSession

from winsql.errors import WindowPlanError
from winsql.model.query import WindowQuery
from winsql.spark.relation import select_sql, source_columns
from winsql.spark.runner import Runner
from winsql.syntax import name_of
from winsql.syntax.expressions.items import quoted

__all__ = ["make_late_view"]

_MADE: WeakKeyDictionary[SparkSession, set[str]] = WeakKeyDictionary()
"""Names of the views winsql has made for late rows, by session; only these may be replaced."""


def make_late_view(query: WindowQuery, runner: Runner) -> None:
    """Make the temporary view that LATE INTO names: the source's columns and no row, for on a table nothing is late.

    Raises WindowPlanError when the name belongs to a table or view of the user's, or names a database.
    """
    name = query.late_into
    if name is None:
        return
    made = _MADE.setdefault(runner.spark, set())
    parts = name_of(name).parts
    if len(parts) > 1:
        raise _refusal(query, f"the view of late rows cannot be {name}", "it is a temporary view: a name of one part")
    if name.lower() not in made and runner.spark.catalog.tableExists(name):
        raise _refusal(query, f"{name} exists already", "LATE INTO makes a view and never replaces one of yours")
    runner.sql(select_sql(query, source_columns(query))).limit(0).createOrReplaceTempView(quoted(parts[0]))
    made.add(name.lower())


def _refusal(query: WindowQuery, problem: str, rule: str) -> WindowPlanError:
    error = WindowPlanError(f"LATE INTO: {problem}", rule=rule, hint="choose another name")
    error.located(query.text, query.span)
    return error
