"""LATE INTO of a statement; on bounded tables an always empty view, so that one text runs on a table and a stream."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from weakref import WeakKeyDictionary

from pyspark.errors import AnalysisException
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from winsql.errors import WindowPlanError, WindowSpecError
from winsql.model.query import WindowQuery
from winsql.spark.relation import select_sql, source_columns
from winsql.spark.runner import Runner
from winsql.syntax import Name, name_of
from winsql.syntax.expressions.items import quoted

_MADE: WeakKeyDictionary[SparkSession, dict[str, int | None]] = WeakKeyDictionary()
"""The views that winsql has made for late rows, by session and name, each with Spark's hash of its plan: the name may
have become the user's since. Only these may be replaced."""


def make_late_views(queries: Iterable[tuple[WindowQuery, Runner]]) -> None:
    """Make the temporary views that LATE INTO names: the source's columns and no row, for on a table nothing is late.

    Raises WindowPlanError when a name belongs to a table or view of the user's, names a database, or comes twice.
    """
    late = [(query, name_of(query.late_into), runner) for query, runner in queries if query.late_into is not None]
    known: set[str] = set()
    for query, name, runner in late:
        if len(name.parts) > 1:
            rule = "it is a temporary view: a name of one part"
            raise _refusal(query, f"the view of late rows cannot be {query.late_into}", rule)
        if _key(query, name) in known:
            raise _refusal(query, f"{query.late_into} is named twice", "each query has late rows of its own")
        known.add(_key(query, name))
        if runner.spark.catalog.tableExists(quoted(name.parts[0])) and not _is_own(query, name, runner.spark):
            rule = "LATE INTO makes a view and never replaces one of yours"
            raise _refusal(query, f"{query.late_into} exists already", rule)
    for query, name, runner in late:
        _make(query, name, runner)


def _make(query: WindowQuery, name: Name, runner: Runner) -> None:
    """The view reads no source, so that its plan stays what it is however a table changes; with a column to which Spark
    casts nothing, as TIME, it is one over the source."""
    view = quoted(name.parts[0])
    rows = runner.sql(select_sql(query, source_columns(query)))
    try:
        columns = [F.lit(None).cast(field.dataType).alias(field.name) for field in rows.schema]
        runner.spark.range(0).select(columns).createOrReplaceTempView(view)
    except AnalysisException:
        rows.limit(0).createOrReplaceTempView(view)
    _MADE.setdefault(runner.spark, {})[_key(query, name)] = _hash(runner.spark, view)


def _is_own(query: WindowQuery, name: Name, spark: SparkSession) -> bool:
    made, key = _MADE.get(spark, {}), _key(query, name)
    return key in made and made[key] == _hash(spark, quoted(name.parts[0]))


def _hash(spark: SparkSession, view: str) -> int | None:
    """Spark's hash of the plan of a view; None for one that Spark makes and cannot read, as with a TIME."""
    try:
        return spark.table(view).semanticHash()
    except AnalysisException:
        return None


def _key(query: WindowQuery, name: Name) -> str:
    return name.parts[0] if query.settings.case_sensitive else name.parts[0].lower()


def _refusal(query: WindowQuery, problem: str, rule: str) -> WindowPlanError:
    return WindowPlanError(f"LATE INTO: {problem}", rule=rule, hint="choose another name").located(
        query.text, query.span
    )


def with_late_into(query: WindowQuery, name: Name) -> WindowQuery:
    """The query with the statement's LATE INTO; raises WindowSpecError where no row can be late."""
    if not query.spec.assigner.is_event_time:
        raise WindowSpecError(
            "LATE INTO needs an event-time window",
            rule="rows are late only where a watermark closes the windows, not with PROCTIME(), COUNT or GLOBAL",
            hint="leave out LATE INTO",
            source=query.text,
            span=name.span,
        )
    return replace(query, late_into=str(name), spec=replace(query.spec, late_output=True))


def no_place_for_late_rows(query: WindowQuery) -> WindowPlanError:
    return WindowPlanError(
        "LATE INTO on a stream: this statement has one result, and late rows are a second one",
        rule="late rows of a stream go to a table beside the result, in one run of the query",
        hint="write CREATE STREAMING TABLE ... LATE INTO ... AS SELECT ..., or in Python winsql.for_each_batch",
    ).located(query.text, query.span)
