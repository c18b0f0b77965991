"""winsql.for_each_batch: a windowed query on a stream, its firings and late rows handed over by micro-batch."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, TypeAlias, cast

from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql.streaming.readwriter import DataStreamWriter
from pyspark.sql.types import StructType

from winsql.errors import Span, WindowPlanError, WindowSpecError, WinsqlError
from winsql.model.query import WindowQuery
from winsql.spark.messages.failure import translate
from winsql.spark.messages.places import Places
from winsql.spark.messages.unlogged import unlogged
from winsql.spark.parser_settings import parser_settings
from winsql.spark.planned_statement import Arguments, PlannedStatement, parse
from winsql.spark.planning import Planned
from winsql.spark.runner import Runner, is_connect, relation_name
from winsql.spark.streaming.bootstrap import PortableFunction
from winsql.spark.streaming.stateful import StatefulFrame
from winsql.spark.tables.available_now import require_reports
from winsql.spark.tables.interrupted import interruptible
from winsql.spark.tables.key_columns import key_columns
from winsql.syntax import CreateStream, CreateStreamInto, Name, Statement, StatementKind, name_of
from winsql.syntax.text.quoting_settings import quoting_settings

BatchFunction: TypeAlias = Callable[[DataFrame, DataFrame | None, int], None]
"""`(rows, late_rows, batch_id)`"""
CountedFunction: TypeAlias = Callable[[DataFrame, DataFrame | None, int, int | None], None]
"""`(rows, late_rows, batch_id, count)`; `count` is that of the rows, None where nobody has counted them"""


def for_each_batch(spark: SparkSession, text: str, function: BatchFunction, args: Arguments = None) -> DataStreamWriter:
    """Call `function(rows, late_rows, batch_id)` for each micro-batch of a query over a stream.

    rows        what the statement returns for the micro-batch, a bounded DataFrame
    late_rows   with LATE INTO the rows that came too late, with all their columns; None without it. Both come out of
                one run of the query; the name after LATE INTO is not used
    batch_id    the same number and rows when a micro-batch is repeated after a failure

    Returns Spark's DataStreamWriter: set `checkpointLocation` and a trigger on it, and start it. Both DataFrames are
    kept in memory or on disk until the function returns. With LATE INTO the statement is one windowed SELECT that
    takes each firing by itself. On Spark Connect the function is pickled, and runs on the server.

    Raises the errors of `winsql.sql`, and WindowPlanError when nothing in the query is a stream.
    """
    return batches_of(spark, parse(spark, text, args), args).writer(function)


@dataclass(frozen=True, slots=True)
class Batches:
    """A query over a stream, ready to be run micro-batch by micro-batch.

    frame         what Spark streams: the rows of the statement, or the messages of winsql's operator
    reader        tells firings and late rows apart in messages; None without late rows
    schema, late_schema   of rows and late rows
    identities    of its windowed queries, see `Planned.identity`; without any, the settings of its quotes
    keys          the columns that tell the rows of windows apart, see `key_columns`
    by_clock      whether the clock wakes one of its operators
    """

    frame: DataFrame
    reader: MessageReader | None
    schema: StructType
    late_schema: StructType | None
    identities: tuple[dict[str, str], ...]
    keys: tuple[str, ...] | None = None
    by_clock: bool = False

    def writer(self, function: BatchFunction) -> DataStreamWriter:
        """The stream with `function` as its sink."""
        return self.counting_writer(_Uncounted(function))

    def counting_writer(self, function: CountedFunction) -> DataStreamWriter:
        """The same for a sink that need not count again what has been counted."""
        handler = PortableFunction(_Handler(function, self.reader))
        writer: DataStreamWriter = self.frame.writeStream.foreachBatch(handler)
        return writer


@unlogged()
def batches_of(spark: SparkSession, statement: Statement, args: Arguments) -> Batches:
    """Plan a statement that is a query, CREATE STREAMING TABLE or CREATE STREAM."""
    if statement.target.kind is not StatementKind.STREAM and not statement.is_query():
        raise WindowPlanError(
            "this is no query",
            rule="only queries give rows by micro-batch",
            hint="give the SELECT alone",
            source=statement.text,
            span=statement.target.body,
        )
    planned = PlannedStatement(spark, statement, args, late_into=late_name(statement))
    streams = [plan for plan in planned.planned if plan.stateful is not None]
    if statement.stream is not None:
        require_reports(spark, statement, by_clock=_ends_when_read(statement) and _by_clock(streams))
    identities = tuple(plan.identity for plan in streams) or _quoting(spark, statement.text)
    late = [plan for plan in streams if plan.query.late_into is not None]
    if late:
        return _with_late_rows(planned, late, identities)
    try:
        frame = planned.execute()
    except PySparkException as error:
        raise translate(error, statement.text) or error from None
    if not frame.isStreaming:
        raise _not_a_stream(statement)
    return Batches(frame, None, frame.schema, None, identities, key_columns(planned), _by_clock(streams))


def _quoting(spark: SparkSession, text: str) -> tuple[dict[str, str], ...]:
    """For a statement without windowed queries, the settings by which its text could mean something else."""
    found = quoting_settings(text, parser_settings(spark))
    return (found,) if found else ()


def _ends_when_read(statement: Statement) -> bool:
    """Whether its trigger is 'available now'."""
    stream = statement.stream
    trigger = stream.trigger if isinstance(stream, CreateStream | CreateStreamInto) else None
    return trigger is not None and trigger.interval is None


def _by_clock(plans: Sequence[Planned]) -> bool:
    return any(plan.stateful is not None and not plan.stateful.task.event_time_mode for plan in plans)


def late_name(statement: Statement) -> Name | None:
    """The name that the LATE INTO of CREATE STREAMING TABLE, or of CREATE STREAM, gives for late rows.

    Raises WindowSpecError when the query says another one.
    """
    stream = statement.stream
    if isinstance(stream, CreateStreamInto):
        return _late_sink(statement, stream)
    if not isinstance(stream, CreateStream):
        return None
    given = stream.late_into
    if given is None:
        return None
    for query in statement.queries[-1:]:
        if query.late_into is not None and _normal(name_of(query.late_into)) != _normal(given):
            raise WindowSpecError(
                f"LATE INTO names two tables, {given.shown} and {query.late_into}",
                rule="late rows go to one table",
                hint="leave out one of the two",
                source=statement.text,
                span=given.span,
            )
    _require_windows(statement, given.span)
    return given


def _late_sink(statement: Statement, stream: CreateStreamInto) -> Name | None:
    if stream.late_sink is not None and stream.late_sink.table is not None:
        return stream.late_sink.table  # CREATE STREAMING TABLE has been looked at
    for query in statement.queries:
        if query.late_into is not None:
            raise WindowSpecError(
                f"LATE INTO {query.late_into} names a table",
                rule="the late rows of CREATE STREAM go to a sink as its rows do",
                hint="leave it out of the query, and write LATE INTO format OPTIONS (...) before AS",
                source=statement.text,
                span=query.span,
            )
    if stream.late_sink is None:
        return None
    _require_windows(statement, stream.late_sink.span)
    return Name((stream.late_sink.format,), stream.late_sink.span)


def _require_windows(statement: Statement, span: Span) -> None:
    if not statement.queries:
        raise WindowSpecError(
            "LATE INTO needs a windowed query",
            rule="rows are late for a window",
            hint="add WINDOW ASSIGN to the query, or leave out LATE INTO",
            source=statement.text,
            span=span,
        )


def _normal(name: Name) -> tuple[str, ...]:
    return tuple(part.lower() for part in name.parts)


def _with_late_rows(planned: PlannedStatement, late: list[Planned], identities: tuple[dict[str, str], ...]) -> Batches:
    index = planned.statement.batch_query()
    plan = planned.planned[index]
    if plan.stateful is None or late != [plan]:
        raise _unclear(late[0].query, "LATE INTO is in a query inside the statement")
    inner = next((other for other in planned.planned if other.stateful is not None and other is not plan), None)
    if inner is not None:
        raise _unclear(inner.query, "LATE INTO: the late rows of this query would be lost")
    planned.make_late_views()
    stateful = plan.stateful
    query = planned.statement.query(index, planned.relations)
    relation = relation_name(index)
    text = query.over_result(plan.relation(relation))
    places = planned.places()
    frames = {relation: stateful.frame}
    schema = Runner(planned.spark, planned.arguments, relations=frames, places=places).run(text).schema
    late_row = cast(StructType, cast(StructType, stateful.late_schema).fields[0].dataType)
    reader = MessageReader(_portable(stateful), text, relation, dict(planned.arguments), places)
    by_clock = _by_clock([plan])
    return Batches(stateful.messages, reader, schema, late_row, identities, key_columns(planned), by_clock)


def _unclear(query: WindowQuery, problem: str) -> WinsqlError:
    return WindowSpecError(
        problem,
        rule="late rows leave a statement beside its result, so they are those of its outermost windowed SELECT",
        hint="run the inner query as a streaming table of its own, and read that table",
    ).located(query.text, query.span)


def _not_a_stream(statement: Statement) -> WindowPlanError:
    return WindowPlanError(
        "the query reads no stream",
        rule="a streaming query reads at least one streaming relation",
        hint="write FROM STREAM name for a table, or CREATE TABLE ... AS for a result that is made once",
    ).located(statement.text, statement.target.body)


@dataclass(frozen=True, slots=True)
class MessageReader:
    """Makes the rows of a statement of the operator's messages; holds no session, so that it can be pickled.

    text    the SELECT over the firings, which it calls `relation`
    places  where its parts are in the statement
    """

    stateful: StatefulFrame
    text: str
    relation: str
    arguments: Mapping[str, Any]
    places: Places | None

    def rows(self, messages: DataFrame) -> DataFrame:
        frames = {self.relation: self.stateful.firings(messages)}
        return Runner(messages.sparkSession, self.arguments, relations=frames, places=self.places).run(self.text)

    def late_rows(self, messages: DataFrame) -> DataFrame:
        return self.stateful.late_rows(messages)


@dataclass(frozen=True, slots=True)
class _Uncounted:
    """A function that does not ask how many rows there are."""

    function: BatchFunction

    def __call__(self, rows: DataFrame, late_rows: DataFrame | None, number: int, _: int | None) -> None:
        self.function(rows, late_rows, number)


@dataclass(frozen=True, slots=True)
class _Handler:
    """The function that Spark calls with each micro-batch."""

    function: CountedFunction
    reader: MessageReader | None

    def __call__(self, batch: DataFrame, number: int) -> None:
        with interruptible():
            batch.persist()
            try:
                # runs the query once, whatever the function reads; its state is not written otherwise
                count = batch.count()
                if self.reader is None:
                    self.function(batch, None, number, count)
                else:
                    self.function(self.reader.rows(batch), self.reader.late_rows(batch), number, None)
            finally:
                batch.unpersist()


@dataclass(frozen=True, slots=True)
class _Typed:
    """A DataFrame of which only the types are used."""

    schema: StructType


def _portable(stateful: StatefulFrame) -> StatefulFrame:
    """A plan without DataFrames: on Spark Connect these cannot be pickled."""
    if not is_connect(stateful.messages):
        return stateful
    operator = stateful.operator
    projection = replace(operator.projection, frame=cast(DataFrame, _Typed(operator.projection.frame.schema)))
    nothing = cast(DataFrame, _Typed(stateful.schema))
    return replace(stateful, operator=replace(operator, projection=projection), messages=nothing)
