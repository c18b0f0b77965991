"""The rows of a windowed query that a picture shows, as the operator takes them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from winsql.errors import WindowPlanError, WinsqlError
from winsql.model.base import Row
from winsql.model.query import Form, WindowQuery
from winsql.runtime.aggregates import Aggregate
from winsql.spark.aggregates import bind_calls, slot_columns
from winsql.spark.operator_columns import row_columns, with_instants
from winsql.spark.planned_statement import Arguments, PlannedStatement, parse
from winsql.spark.planning import Planned
from winsql.spark.relation import TIME, Projection, project
from winsql.spark.workers.columns import frozen, values_of


@dataclass(frozen=True, slots=True)
class Sample:
    """Rows in order of arrival and what a run on them must know.

    aggregates, names     of the calls that winsql computes itself, and their SQL
    result_types          their types
    triggers              the aggregates that WHEN reads
    zone                  the time zone in which instants are shown; None for times without a zone, or without any time
    is_cut                whether the query has more rows than these
    """

    query: WindowQuery
    rows: list[tuple[tuple[Any, ...], Row]]
    aggregates: tuple[Aggregate, ...]
    names: tuple[str, ...]
    result_types: tuple[pa.DataType, ...]
    triggers: tuple[Aggregate, ...]
    has_time: bool
    zone: str | None
    is_cut: bool


def take_sample(spark: SparkSession, text: str, args: Arguments, limit: int) -> Sample:
    """The first rows, at most `limit`, of the windowed query that the statement is about: the outermost one.

    Raises WindowPlanError for a statement without one, and where the rows of a picture cannot be had.
    """
    planned = _outermost(spark, text, args)
    query, runner = planned.query, planned.runner
    projection = project(query, runner, payload={}, with_aggregates=True)
    calls = bind_calls(query, query.aggregates, projection, runner)
    triggers = bind_calls(query, query.trigger_aggregates, projection, runner)
    frame = with_instants(projection)
    if query.spec.assigner.is_event_time:
        frame = frame.where(F.col(TIME).isNotNull())
    table = frame.select(*row_columns(frame, projection)).limit(limit + 1).toArrow()
    own = [call for call in calls if call.aggregate is not None and call.fact.result.arrow is not None]
    return Sample(
        query,
        _rows(table.slice(0, limit), projection),
        tuple(call.aggregate for call in own if call.aggregate is not None),
        tuple(call.call.sql for call in own),
        tuple(call.fact.result.arrow for call in own),
        tuple(call.aggregate for call in triggers if call.aggregate is not None),
        projection.has_time,
        _zone(spark, projection),
        table.num_rows > limit,
    )


def _outermost(spark: SparkSession, text: str, args: Arguments) -> Planned:
    """The last windowed query of the statement, with those that it reads planned."""
    statement = parse(spark, text, args)
    if not statement.queries:
        raise WindowPlanError(
            "there is nothing to draw: the statement has no windowed query",
            rule="a timeline shows the windows of a SELECT with a WINDOW ASSIGN clause",
        )
    planned = PlannedStatement(spark, statement, args).planned[-1]
    query = planned.query
    if planned.facts.stream is not None:
        raise _refused(
            query,
            "a picture is drawn of a table, and this query reads a stream",
            "rows of a stream are there once, for the query that reads it",
            "give the same text a table with some of the rows; `delay` says how far the watermark stays behind",
        )
    if query.form is Form.WINDOWED:
        raise _refused(
            query,
            "window table functions only add columns to a table, and no window fires",
            "a timeline shows the windows of a SELECT with a WINDOW ASSIGN clause",
            "write FROM t WINDOW ASSIGN TUMBLING(ts, ...) GROUP BY ...",
        )
    assigner = query.spec.assigner
    if not assigner.is_event_time and not assigner.is_global:
        raise _refused(
            query,
            "windows of PROCTIME() cannot be drawn of a table",
            "the place of a row on the axis is its event time",
            "name the column with the time, to see the same windows in event time",
        )
    return planned


def _rows(table: pa.Table, projection: Projection) -> list[tuple[tuple[Any, ...], Row]]:
    """Keys, and rows as the operator takes them: number, time, slots."""
    columns = [values_of(column.combine_chunks()) for column in table.columns]
    width = 1 + len(slot_columns(projection))
    rows = zip(range(table.num_rows), *columns[:width], strict=True)
    keys = list(zip(*(map(frozen, column) for column in columns[width:]), strict=True)) or [()] * table.num_rows
    return list(zip(keys, rows, strict=True))


def _zone(spark: SparkSession, projection: Projection) -> str | None:
    if not projection.has_time or not projection.fact(TIME).has_zone:
        return None
    return str(spark.conf.get("spark.sql.session.timeZone"))


def _refused(query: WindowQuery, problem: str, rule: str, hint: str) -> WinsqlError:
    return WindowPlanError(problem, rule=rule, hint=hint).located(query.text, query.span)
