"""What a statement returns, as text."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import dataclass, replace

from pyspark.sql import Column as SparkColumn
from pyspark.sql import DataFrame, SparkSession, functions
from pyspark.sql.types import (
    ArrayType,
    BinaryType,
    BooleanType,
    DataType,
    MapType,
    NumericType,
    StructType,
    VariantType,
)

import winsql
from winsql.shell.formats import Column, Format, Kind
from winsql.shell.launch import quiet_streams
from winsql.shell.nested import with_texts
from winsql.shell.sparkline import sparkline
from winsql.spark.extension.function_pack import load_functions
from winsql.spark.flags import is_on
from winsql.spark.null_times import noted
from winsql.spark.parser_settings import parser_settings
from winsql.spark.runner import is_connect
from winsql.spark.versions.classic import rows_as_they_come
from winsql.syntax.selects.endless import endless_query
from winsql.syntax.stream_statements.commands import ShowStream
from winsql.syntax.stream_statements.reader import read_own_statement
from winsql.syntax.stream_statements.statements import may_be_stream_statement
from winsql.syntax.text.source import Source
from winsql.syntax.text.tokens import tokenize


@dataclass(frozen=True, slots=True)
class Result:
    """Columns (none for a command that returns nothing), rows as text with None for NULL, and what was left out.

    elapsed     seconds
    left_out    rows that belong to no window as their event time is NULL
    has_more    whether Spark has more rows than these; how many is not known
    above       what is shown before the rows, to people alone
    """

    columns: tuple[Column, ...]
    rows: list[list[str | None]]
    elapsed: float
    left_out: int
    has_more: bool = False
    above: str | None = None


@dataclass(frozen=True, slots=True)
class Passing:
    """What a statement returns, while it comes: columns, and rows as of a Result, which are to be read once."""

    columns: tuple[Column, ...]
    rows: Iterator[list[str | None]]
    frame: DataFrame

    def left_out(self) -> int:
        """As of a Result; to be asked when all rows were read."""
        return _left_out(self.frame)


def fetch(spark: SparkSession, text: str, form: Format = Format.TABLE, limit: int | None = None) -> Result:
    """Run a statement to its end, but compute no more rows of a query than `limit`, and one to know of more.

    Without a limit all rows come to the driver, as in spark-sql: `spark.driver.maxResultSize` is the limit. Functions
    of the pack that the statement names are made before. Raises WindowPlanError for a query on a stream.
    """
    started = time.perf_counter()
    frame = _frame(spark, text)
    result = collect(frame, form, limit=None if _is_short(text) else limit, started=started)
    return replace(result, above=_rates(result)) if _shows_stream(spark, text) else result


def _shows_stream(spark: SparkSession, text: str) -> bool:
    source = Source(text, settings=parser_settings(spark)) if may_be_stream_statement(text) else None
    return source is not None and isinstance(read_own_statement(source), ShowStream)


def pass_on(spark: SparkSession, text: str, form: Format) -> Passing:
    """Begin a statement whose rows need not be kept: no more than a partition of them is in memory.

    Raises as `fetch`, and what Spark raises while rows are read.
    """
    frame = _frame(spark, text)
    columns, selected = _texts(frame, form)
    if not columns:
        return Passing(columns, iter(()), frame)
    rows = selected.collect() if _observes_late(spark, frame) else rows_as_they_come(selected)
    return Passing(columns, map(list, rows), frame)


def _observes_late(spark: SparkSession, frame: DataFrame) -> bool:
    """Whether Spark would tell the numbers that it observes before it has read the rows that they count."""
    noted_times = noted(frame)
    if noted_times is None or not noted_times.observations or is_connect(spark):
        return False
    return not is_on(spark, "spark.sql.adaptive.enabled")


def _frame(spark: SparkSession, text: str) -> DataFrame:
    load_functions(spark, text)
    if "STREAM" in text.upper():
        quiet_streams()
    frame = winsql.sql(spark, text)
    if frame.isStreaming:
        raise endless_query(text, "the command prints the rows of a query that ends")
    return frame


def _rates(result: Result) -> str | None:
    """The rows per second of the micro-batches of SHOW STREAM, as a line of bars."""
    names = [column.name for column in result.columns]
    found = [row[names.index("rows_per_second")] for row in result.rows]
    rates = [float(rate) for rate in found if rate is not None]
    return f"rows/s {sparkline(rates)} {rates[-1]:,.1f}" if rates else None


def _is_short(text: str) -> bool:
    """Whether a statement lists what the driver knows: all its rows are there, and so is their number."""
    tokens = tokenize(text)
    return bool(tokens) and tokens[0].is_word("SHOW", "DESCRIBE", "DESC", "LIST", "SET")


def collect(
    frame: DataFrame, form: Format = Format.TABLE, *, limit: int | None = None, started: float | None = None
) -> Result:
    """The rows of what a statement has returned, at most `limit`: no more than one row beyond it is computed.

    Values are written as Spark writes them, in the session's time zone, but for bytes and for nested ones in JSON.
    `started` is when the statement began, by `time.perf_counter`.
    """
    started = time.perf_counter() if started is None else started
    columns, selected = _texts(frame, form)
    rows: list[list[str | None]] = []
    if columns:
        taken = selected if limit is None or limit >= _MOST else selected.limit(limit + 1)
        rows = [list(row) for row in taken.collect()]
    has_more = limit is not None and len(rows) > limit
    left_out = _left_out(frame)
    return Result(columns, rows[:limit] if has_more else rows, time.perf_counter() - started, left_out, has_more)


_MOST = (1 << 31) - 1
"""What Spark's LIMIT takes."""


def _left_out(frame: DataFrame) -> int:
    return winsql.metrics(frame).get("null_event_time", 0)


def _texts(frame: DataFrame, form: Format) -> tuple[tuple[Column, ...], DataFrame]:
    """The columns of a DataFrame, and it with all values as texts."""
    fields = frame.schema.fields
    columns = tuple(Column(field.name, _kind(field.dataType)) for field in fields)
    if not columns:
        return columns, frame
    names = [f"c{i}" for i in range(len(columns))]  # by position, as names may repeat
    texts = [_as_text(functions.col(name), field.dataType, form) for name, field in zip(names, fields, strict=True)]
    return columns, frame.toDF(*names).select(*texts)


_KINDS: dict[type[DataType], Kind] = {
    NumericType: Kind.NUMBER,
    BooleanType: Kind.BOOLEAN,
    ArrayType: Kind.NESTED,
    MapType: Kind.NESTED,
    StructType: Kind.NESTED,
    VariantType: Kind.NESTED,
}


def _kind(data_type: DataType) -> Kind:
    if data_type.simpleString().startswith(
        ("date", "time")
    ):  # PySpark 4.0 has no class for TIME, nor one for all of them
        return Kind.TIME
    return next((kind for cls, kind in _KINDS.items() if isinstance(data_type, cls)), Kind.TEXT)


def _as_text(column: SparkColumn, data_type: DataType, form: Format) -> SparkColumn:
    if isinstance(data_type, BinaryType):
        return functions.hex(column)
    if data_type.simpleString().startswith(("geography", "geometry")):  # PySpark 4.0 has no classes for them
        return functions.hex(functions.call_function("ST_AsBinary", column))
    is_json = form is Format.JSON and _kind(data_type) is Kind.NESTED
    nested = with_texts(column, data_type, is_json=is_json) if _kind(data_type) is Kind.NESTED else column
    return functions.to_json(nested, {"ignoreNullFields": "false"}) if is_json else nested.cast("string")
