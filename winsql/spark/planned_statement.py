"""A statement with all its windowed queries planned, ready to be handed to Spark."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from functools import cache, partial
from typing import TypeVar

from pyspark.errors import AnalysisException, ParseException, PySparkException
from pyspark.sql import DataFrame, SparkSession

from winsql.errors import Span, WindowPlanError, WindowSpecError, WinsqlError
from winsql.model.query import Form, WindowQuery
from winsql.planner.identity import windows_identity
from winsql.planner.row_order import depends_on_order
from winsql.planner.rules import why_columns, why_not_native
from winsql.planner.streaming import check_watermarks, earliest, given_when, second_watermark
from winsql.spark.aggregate_functions import AggregateNames
from winsql.spark.correlated import (
    outer_column,
    plan_correlated,
    refused_by_spark,
    refused_on_stream,
    refused_subquery,
    refuses_numbers,
    take_apart,
)
from winsql.spark.item_names import item_names
from winsql.spark.late_rows import make_late_views, no_place_for_late_rows, with_late_into
from winsql.spark.messages.misspellings import meant
from winsql.spark.messages.places import Places
from winsql.spark.messages.translation import in_words_of_user, places_of
from winsql.spark.messages.unknown_names import unknown_name
from winsql.spark.messages.unlogged import unlogged
from winsql.spark.null_times import NullTimes
from winsql.spark.numbered_rows import computed, numbered_frames
from winsql.spark.parameters import Arguments, parameters_of
from winsql.spark.parser_settings import parser_settings
from winsql.spark.planning import Planned, plan_query
from winsql.spark.relation import select_sql
from winsql.spark.runner import Runner, is_connect, relation_name
from winsql.spark.streaming.window_views import note_windows, window_tables
from winsql.spark.variable_values import with_values
from winsql.spark.variables import is_variable, require_variables
from winsql.spark.versions.connect_views import as_view
from winsql.spark.versions.java_errors import Py4JJavaError
from winsql.spark.versions.stream_relations import with_stream_relations
from winsql.spark.versions.supported import require_session
from winsql.spark.views import KeptViews, altered
from winsql.spark.window_functions.plan import plan_over_results, with_window_functions
from winsql.spark.window_table_functions import plan_function, reads_stream
from winsql.syntax import Name, Statement, StatementKind, hidden, named, parse_statement
from winsql.syntax.text.tokens import upper_name

__all__ = ["Arguments", "PlannedStatement", "parse"]

_Result = TypeVar("_Result")


@unlogged()
def parse(spark: SparkSession, text: str, args: Arguments, *, knows_views: bool = True) -> Statement:
    """Read a statement with its parameters; without `knows_views` no view is looked up for windows.

    The session is asked about functions that are not built in, about variables, and about how it reads quotes. Where it
    replaces `${name}`, the statement's text has the values.
    """
    require_session(spark)
    text = with_values(spark, text)
    aggregates, variables = AggregateNames(spark), cache(partial(is_variable, spark=spark))
    settings = partial(parser_settings, spark)
    tables = window_tables(spark, args) if knows_views else None
    try:
        return parse_statement(text, aggregates, settings, parameters_of(spark, args), variables, tables)
    except WinsqlError as error:
        text = hidden(text, settings())
        with in_words_of_user(spark, text, ()):
            unknown = unknown_name(spark, text, error, aggregates)
        raise unknown or meant(spark, text, error) from None


class PlannedStatement:
    """One statement with its queries planned.

    late_into   name for the late rows of the query that is the whole statement, beside a LATE INTO of its own
    """

    def __init__(
        self, spark: SparkSession, statement: Statement, args: Arguments, late_into: Name | None = None
    ) -> None:
        self.statement = statement
        self.now = time.time_ns() // 1000
        given = statement.arguments(args)
        self.arguments = given if isinstance(given, Mapping) else {}
        self.spark = spark
        self.target = altered(spark, statement.target)
        self.planned: list[Planned] = []
        self.relations: dict[int, str] = {}
        run = Runner(spark, self.arguments, places=self.places()).run
        with self.in_words_of_user():
            self.statement, self.frames = with_stream_relations(spark, statement, run)
        self._late_into = late_into
        while len(self.planned) < len(self.statement.queries):
            with self.in_words_of_user():
                self._plan(len(self.planned))

    def text(self) -> str:
        """The statement for Spark."""
        return self.runner().for_spark(self.statement.replace(self.relations))

    def prepare(self) -> None:
        """Do what must come before Spark gets the text: refuse what cannot be in it, make the views of late rows."""
        for planned in self.planned:
            if planned.stateful is not None and planned.query.late_into is not None:
                raise no_place_for_late_rows(planned.query)
        if self.frames and self._is_kept_as_text:
            raise self._not_a_view(next(p.query for p in self.planned if p.frame is not None))
        if self.frames and self.target.collation is not None:
            raise _no_default_collation().located(self.statement.text, self.target.collation)
        self._require_subqueries()
        self.make_late_views()

    def require_readable(self) -> None:
        """Raises Spark's error about the syntax of a statement that is explained and not run."""
        text, frames = self.handed()
        body = self.target.body.start
        explained = f"{'EXPLAIN':{body}}{self.statement.text[body:]}" if body else self.statement.text
        places = replace(self.places() or Places(explained), statement=explained)
        runner = replace(self.runner(), relations=frames, places=places)
        with self.in_words_of_user():
            try:
                runner.run(f"EXPLAIN {text}")
            except ParseException:
                raise
            except PySparkException:
                return  # how it ends is another question

    def execute(self) -> DataFrame:
        """Hand it to Spark."""
        with self.in_words_of_user():
            self.prepare()
            with self._subqueries():
                return self.handed_to(self._executed)

    def handed(self) -> tuple[str, dict[str, DataFrame]]:
        """The statement for Spark as it is run, and the DataFrames that it names.

        Rows of window table functions on streams are among these: their columns say which windows they have.
        """
        rows = {} if self._is_kept_as_text else {n: p.rows for n, p in enumerate(self.planned) if p.rows is not None}
        frames = {**self.frames, **{relation_name(n): frame for n, frame in rows.items()}}
        relations = {**self.relations, **{n: relation_name(n) for n in rows}}
        runner = replace(self.runner(), relations=frames)
        return runner.without_unused_ctes(runner.for_spark(self.statement.replace(relations))), frames

    def handed_to(self, run: Callable[[str, dict[str, DataFrame]], _Result]) -> _Result:
        """What `run` gives for the text and the DataFrames of `handed`.

        Where a command cannot take rows that are numbered as they arrive, these are computed first.
        """
        try:
            return run(*self.handed())
        except (PySparkException, Py4JJavaError) as error:
            if self.target.kind not in _RUN_AT_ONCE or not refuses_numbers(error):
                raise
        numbered = numbered_frames(self.planned)
        self.frames.update(numbered)
        self.relations.update({n: name for n in range(len(self.planned)) if (name := relation_name(n)) in numbered})
        text, frames = self.handed()
        return run(text, computed(text, frames))

    def _executed(self, text: str, frames: dict[str, DataFrame]) -> DataFrame:
        runner = replace(self.runner(), relations=frames)
        if not frames:
            return runner.run(text)
        if self.target.kind in _LASTING:
            views = KeptViews(self.spark, frames, is_global=self.target.is_global)
            return views.run(text, self.arguments, self.places())
        return runner.run(text).select("*")  # Spark finds the counter of NULL times below a projection only

    def make_late_views(self) -> None:
        """The views that LATE INTO names in queries over tables."""
        make_late_views((planned.query, planned.runner) for planned in self.planned if planned.stateful is None)

    def runner(self) -> Runner:
        """Knows the relations that are operator plans."""
        return Runner(self.spark, self.arguments, relations=self.frames, places=self.places())

    def places(self, index: int | None = None) -> Places | None:
        """Where parts of texts for Spark are in the statement; `index` where they are made for one of its queries."""
        if not self.statement.queries and self.statement.target.kind is StatementKind.STREAM:
            return Places(self.statement.text, settings=parser_settings(self.spark))
        return places_of(self.statement.text, self.statement.queries, index)

    @contextmanager
    def in_words_of_user(self) -> Iterator[None]:
        """Turns errors of Spark about texts made of the statement into errors about the statement."""
        try:
            with in_words_of_user(self.spark, self.statement.text, self.statement.queries):
                yield
        except WindowSpecError as error:
            raise self._parameter_read(error) or self._unknown_name(error) or error from None

    def _unknown_name(self, error: WindowSpecError) -> WinsqlError | None:
        """What is unknown where a SELECT that is planned on a stream alone reads a column outside of aggregates."""
        with in_words_of_user(self.spark, self.statement.text, ()):
            return unknown_name(self.spark, self.statement.text, error, AggregateNames(self.spark))

    def null_times(self) -> NullTimes:
        """The counters of rows without event time."""
        return NullTimes(
            any(p.query.spec.assigner.is_event_time and p.stateful is None for p in self.planned)
            and not any(p.is_correlated for p in self.planned),
            tuple(p.observation for p in self.planned if p.observation is not None),
            tuple((p.runner, p.null_times_sql) for p in self.planned if p.null_times_sql is not None),
        )

    def _plan(self, index: int) -> None:
        query = self.statement.query(index, self.relations)
        context = self.statement.context(index, self.relations)
        given = earliest(given_when(planned.query) for planned in self.planned)
        of_rows = tuple(windows_identity(planned.query) for planned in self.planned if planned.rows is not None)
        places = self.places(index)
        runner = Runner(self.spark, self.arguments, context, dict(self.frames), given, places, of_rows)
        try:
            self._plan_query(index, query, runner)
        except AnalysisException as error:
            column = outer_column(self.statement.around(index, self.relations), runner, error)
            if column is None:
                raise
            planned = plan_correlated(query, runner)
            if planned is None:
                raise refused_subquery(query, self.statement, index, column) from None
            self._add(index, planned)
        except WindowPlanError as error:
            raise error.located(query.text, Span(query.span.start, query.span.start + len("SELECT"))) from None

    def _parameter_read(self, error: WindowSpecError) -> WindowPlanError | None:
        """The error where the unknown column of another error is a parameter of the function that is created."""
        name = "" if error.span is None else error.span.text(self.statement.text).rpartition(".")[2].strip("`")
        if error.span is None or name.upper() not in self.statement.target.parameters:
            return None
        return WindowPlanError(
            f"a windowed SELECT cannot read {name}, a parameter of the function around it",
            rule="a window is planned when the function is created, and the parameter has its value when it is called",
            hint="let the function return all rows, and put the condition into the query that calls it",
        ).located(self.statement.text, error.span)

    def _plan_query(self, index: int, query: WindowQuery, runner: Runner) -> None:
        if self.statement.has_lateral_conditions() and reads_stream(query, runner):
            self.statement = self.statement.with_lateral_conditions_apart()
            return
        if self.statement.differs_on_stream(index):
            again = self._read_again(index, query, runner)
            if again is not self.statement:
                self.statement = again
                return
        is_last = index == len(self.statement.queries) - 1  # the others are inside it, or before it in a WITH list
        if query.contested:
            self.statement = self.statement.with_source_columns(index, _contested_columns(query, runner))
            query = self.statement.query(index, self.relations)
        if query.unnamed is not None:
            names = item_names(query, query.unnamed, runner)
            self.statement = self.statement.with_names(index, names)
            query = named(query, names)
        if self._late_into is not None and is_last and index == self.statement.batch_query():
            query = with_late_into(query, self._late_into)
        require_variables(query, runner)
        if query.form is Form.WINDOWED:
            planned = plan_function(query, runner, self.now)
        else:
            on_time = plan_over_results(query, runner)
            planned = on_time or plan_query(query, runner, self.now, faster=not self._needs_spark_alone)
        if query.over is not None:
            planned = with_window_functions(planned, runner)
        self._add(index, planned)

    def _read_again(self, index: int, query: WindowQuery, runner: Runner) -> Statement:
        """The statement as it is planned on a stream, or on a table, whichever the query reads."""
        if reads_stream(query, runner):
            return self.statement.on_stream(index) or self.statement
        return self._as_windows(index, runner) or self.statement.on_table(index)

    def _as_windows(self, index: int, runner: Runner) -> Statement | None:
        """The statement where a SELECT that groups by the windows of a function becomes a windowed query.

        It does where its aggregates depend on the order of rows, which Spark's own GROUP BY does not keep, or where
        that is faster; None elsewhere.
        """
        try:
            grouped = self.statement.grouped(index)
        except WindowSpecError:  # Spark alone may have a meaning for it
            return None
        if grouped is None:
            return None
        statement, query = grouped
        if any(map(depends_on_order, query.aggregates)):
            return statement
        if why_columns(query) is None:
            return None
        place = statement.queries.index(query)
        contested = _contested_columns(statement.query(place, self.relations), runner)
        try:  # once the columns of its source are known, it may have another meaning
            statement.with_source_columns(place, contested)
        except WindowSpecError:
            return None
        return statement

    def _add(self, index: int, planned: Planned) -> None:
        self.planned.append(planned)
        if planned.facts.sides is not None:
            self.statement = self.statement.with_columns(index, *(side.columns for side in planned.facts.sides))
        if planned.facts.stream is not None:
            self._check_watermark(index, planned.query)
            streams = (other.facts.stream for other in self.planned if other.facts.stream is not None)
            check_watermarks(planned.query, streams, partial(self.spark.conf.get, _POLICY))
        if planned.stateful is not None or planned.rows is not None:
            note_windows(self.spark)
        name = relation_name(index)
        self.relations[index] = planned.relation(name)
        if planned.frame is not None:
            is_read = index < len(self.statement.queries) - 1 and is_connect(planned.frame)
            self.frames[name] = as_view(planned.frame) if is_read else planned.frame

    def _check_watermark(self, index: int, query: WindowQuery) -> None:
        """Raises WindowPlanError for a query on a stream whose result gets a watermark of its own."""
        place = self.statement.watermark_around(index)
        if place is not None:
            raise second_watermark(query, place)

    def _require_subqueries(self) -> None:
        """Have Spark optimize windowed subqueries first, as it may not be able to decorrelate them.

        Raises WindowPlanError for those.
        """
        if self.statement.target.kind not in (StatementKind.QUERY, StatementKind.STREAM) or not self.planned:
            return
        is_correlated = any(planned.is_correlated for planned in self.planned)
        has_operators = bool(self.frames) or any(planned.rows is not None for planned in self.planned)
        is_lateral = has_operators and self.statement.has_lateral()
        if is_correlated or is_lateral or self.statement.has_operand_queries():
            with self._subqueries():
                take_apart(self.runner().run(self.text()))

    @contextmanager
    def _subqueries(self) -> Iterator[None]:
        try:
            yield
        except (PySparkException, Py4JJavaError) as error:
            inside = [planned for n, planned in enumerate(self.planned) if self.statement.is_subquery(n)]
            of_stream = refused_on_stream(error, self.statement) if isinstance(error, PySparkException) else None
            raise of_stream or refused_by_spark(error, self.planned, inside) or error from None

    @property
    def _is_kept_as_text(self) -> bool:
        """Whether Spark stores the statement's query as SQL: as a permanent view or function."""
        return self.target.kind in _KEPT_AS_TEXT and not self.target.is_temporary

    @property
    def _needs_spark_alone(self) -> bool:
        """Whether winsql's operator may not run: in a permanent view or function, or after LATERAL."""
        return self._is_kept_as_text or self.statement.has_lateral()

    def _not_a_view(self, query: WindowQuery) -> WindowPlanError:
        reason = why_not_native(query)
        what = "function" if self.target.kind is StatementKind.FUNCTION else "view"
        return WindowPlanError(
            f"this windowed query cannot be kept in a permanent {what}",
            rule=f"Spark stores a {what} as SQL text, and this window runs in winsql's operator"
            + ("" if reason is None else f": {reason}"),
            hint=f"create a TEMPORARY {what}, or a table with CREATE TABLE ... AS",
        ).located(query.text, query.span)


def _no_default_collation() -> WindowPlanError:
    return WindowPlanError(
        "DEFAULT COLLATION does not reach the strings of this windowed query",
        rule="a window that runs in winsql's operator is planned before Spark makes the view, function or table",
        hint="leave it out, and write COLLATE after the strings that it is meant for",
    )


def _contested_columns(query: WindowQuery, runner: Runner) -> frozenset[str]:
    """Which of the contested names of a query are columns of its source."""
    if not query.contested:
        return frozenset()
    found = runner.sql(select_sql(query, ["*"])).columns
    columns = set(found) if query.settings.case_sensitive else set(map(upper_name, found))
    return frozenset(columns.intersection(query.contested))


_KEPT_AS_TEXT = frozenset({StatementKind.VIEW, StatementKind.FUNCTION, StatementKind.ALTERED})
_LASTING = _KEPT_AS_TEXT | {StatementKind.KEPT}
"""Statements that may keep the query for later: the relations that it reads must outlive the call."""
_RUN_AT_ONCE = frozenset({StatementKind.CHANGE, StatementKind.INSERT, StatementKind.TABLE, StatementKind.OTHER})
_POLICY = "spark.sql.streaming.multipleWatermarkPolicy"
"""Which watermark a stream follows where it reads several."""
