"""CREATE STREAMING TABLE for tables that Spark's writer appends to: of other formats than files, or other catalogs."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial

from pyspark.sql import DataFrame, SparkSession

from winsql.errors import WindowPlanError
from winsql.spark.tables.catalog import table_statement
from winsql.spark.tables.connectors import SPARK_ERRORS, spark_message
from winsql.spark.tables.for_each_batch import late_name
from winsql.spark.tables.formats import FORMATS
from winsql.spark.tables.names import full_name, in_session_catalog, shown_name
from winsql.spark.tables.registry import Guarantee
from winsql.spark.tables.sinks.connectors import require_connector
from winsql.spark.tables.sinks.protocol import Request, Run, Sink, Undo
from winsql.spark.tables.trying import drop_tried, tried_name
from winsql.syntax import CreateStream, CreateStreamInto, Name, SinkClause, Statement, name_of


def as_stream_into(spark: SparkSession, statement: Statement) -> Statement:
    """CREATE STREAMING TABLE as a stream into tables of a catalog; unchanged where its tables are files."""
    stream = statement.stream
    if not isinstance(stream, CreateStream):
        return statement
    name = full_name(spark, stream.name, statement)
    if in_session_catalog(name) and (stream.format is None or stream.format in FORMATS):
        return statement
    sink = _clause(stream, name)
    if stream.path is not None:
        sink = replace(sink, options={**sink.options, "path": stream.path})
    late = _late_name(statement)
    into = CreateStreamInto(
        stream.name,
        stream.query,
        sink,
        None if late is None else _clause(stream, full_name(spark, late, statement)),
        stream.or_replace,
        stream.if_not_exists,
        stream.checkpoint,
        stream.trigger,
    )
    return replace(statement, stream=into)


def _clause(stream: CreateStream, table: Name) -> SinkClause:
    span = stream.format_span or table.span
    return SinkClause(stream.format or "table", span, dict(stream.options), table)


def _late_name(statement: Statement) -> Name | None:
    given = late_name(statement)
    if given is not None or not any(query.late_into for query in statement.queries):
        return given
    query = statement.queries[statement.batch_query()]
    return None if query.late_into is None else name_of(query.late_into)._replace(span=query.span)


@dataclass(slots=True)
class CatalogTable:
    """Appends micro-batches to a table that the stream makes.

    table     its full name
    request   what it is made for; None after that: it holds the session, and this object may be pickled
    transactions   by which Delta Lake, together with the number, recognizes a micro-batch that it already has
    """

    table: str
    format: str | None
    fixed: Mapping[str, str]
    guarantee: Guarantee
    request: Request | None = field(default=None, repr=False)
    transactions: str | None = None
    checkpoint: str | None = None
    is_passing: bool = False
    is_streaming: bool = False
    folder: str | None = None
    writes_to: str | None = None

    def check(self, run: Run) -> None:
        """Make a table of another name, whose columns tell whether the catalog takes them, and drop it."""
        assert self.request is not None
        name = self.request.clause.table
        if _require_own(self.request, self, run) and name is not None:
            _create(self.request, self, str(tried_name(name)), is_probe=True)

    def prepare(self, run: Run) -> Undo | None:
        undo = None if self.request is None else _make(self.request, self, run)
        self.request = None
        if self.format == "delta":
            self.transactions = f"{run.stream} {run.identity}"
        return undo

    def write(self, rows: DataFrame, number: int) -> None:
        writer = rows.write.mode("append")
        if self.format is not None:
            writer = writer.format(self.format)
        if self.transactions is not None:
            writer = writer.option("txnAppId", self.transactions).option("txnVersion", str(number))
        writer.saveAsTable(self.table)

    def with_late(self, late: Sink) -> Callable[[DataFrame, DataFrame, int], None] | None:
        return None


def catalog_table(request: Request) -> Sink:
    """The sink for a table of the session's catalogs."""
    clause = request.clause
    assert clause.table is not None
    name = None if clause.format == "table" else clause.format
    if name is not None:
        require_connector(request)
    guarantee = Guarantee.EXACTLY_ONCE if name == "delta" else Guarantee.AT_LEAST_ONCE
    fixed = {"format": clause.format, "table": shown_name(str(clause.table))}
    return CatalogTable(str(clause.table), name, fixed, guarantee, request)


def _make(request: Request, sink: CatalogTable, run: Run) -> Undo | None:
    """Make the table, or find the one that this stream has made."""
    if request.clause.table is not None:
        drop_tried(request.spark, request.clause.table)
    exists = _require_own(request, sink, run)
    if exists and not run.anew:
        return None
    if exists:
        _drop(request, sink.table)
    _create(request, sink, sink.table)
    return partial(_drop, request, sink.table)


def _require_own(request: Request, sink: CatalogTable, run: Run) -> bool:
    """Whether the table exists; raises WindowPlanError where it is not the stream's, or should exist."""
    exists = _exists(request, sink)
    is_own = run.kept is not None and dict(run.kept) == dict(sink.fixed)
    if is_own and not exists and not run.anew:
        raise request.refused(
            f"the table {sink.fixed['table']} is gone",
            "a stream goes on with its table: the rows in it are not computed again",
            "put the table back, or write CREATE OR REPLACE STREAMING TABLE to begin anew",
        )
    if exists and not is_own:
        raise request.refused(
            f"{sink.fixed['table']} exists, and the checkpoint does not know it",
            "winsql never touches a table that the stream has not made",
            "choose another name, or drop the table",
        )
    return exists


def _exists(request: Request, sink: CatalogTable) -> bool:
    try:
        return request.spark.catalog.tableExists(sink.table)
    except SPARK_ERRORS as error:  # there is no such catalog, or it cannot be asked
        raise _not_written(request, sink, error) from None


def _drop(request: Request, table: str) -> None:
    request.spark.sql(f"DROP TABLE {table}")


def _create(request: Request, sink: CatalogTable, table: str, *, is_probe: bool = False) -> None:
    """Make a table, and try whether it takes micro-batches; a probe, which has no place of its own, goes again."""
    spark, options = request.spark, dict(request.clause.options)
    path = options.pop("path", None)
    kind = "" if sink.format is None else str(Name((sink.format,), request.clause.span))
    place = None if is_probe else path
    text, arguments = table_statement(spark, table, request.schema, kind, options=options, path=place)
    with ExitStack() as made:
        try:
            spark.sql(text, args=arguments or None)
            made.callback(_drop, request, table)
            replace(sink, table=table).write(spark.createDataFrame([], request.schema), -1)
        except SPARK_ERRORS as error:
            raise _not_written(request, sink, error) from None
        if not is_probe:
            made.pop_all()


def _not_written(request: Request, sink: CatalogTable, error: Exception) -> WindowPlanError:
    return request.refused(
        f"{sink.fixed['table']} cannot be a streaming table: {spark_message(error)}",
        "its catalog makes the table, and Spark's writer appends the rows of each micro-batch",
        "choose USING parquet in the session's own catalog, or a format and types that the catalog writes",
    )
