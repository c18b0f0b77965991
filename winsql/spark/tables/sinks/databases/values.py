"""Values on their way to a database: Spark's SQL makes texts of types that no database has; Arrow carries the rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import pyarrow as pa
from pyspark.sql import DataFrame
from pyspark.sql.types import (
    ArrayType,
    DataType,
    DayTimeIntervalType,
    DecimalType,
    MapType,
    StructType,
    VariantType,
    YearMonthIntervalType,
)

from winsql.runtime.ipc import batch_of_stream, stream_of
from winsql.spark.streaming.bootstrap import PortableFunction

__all__ = ["as_texts", "batches", "is_json", "quoted", "sent"]

_JSON = (
    "map('ignoreNullFields', 'false', 'timestampFormat', 'yyyy-MM-dd\\'T\\'HH:mm:ss.SSSSSSXXX', "
    "'timestampNTZFormat', 'yyyy-MM-dd\\'T\\'HH:mm:ss.SSSSSS')"
)


def quoted(column: str) -> str:
    """A column for Spark."""
    return "`" + column.replace("`", "``") + "`"


def is_json(data_type: DataType) -> bool:
    """Whether values are stored as JSON."""
    return isinstance(data_type, (ArrayType, MapType, StructType, VariantType))


def sent(column: str, data_type: DataType) -> str:
    """Spark's SQL for a value in a form that all databases take."""
    if is_json(data_type):
        return f"to_json({column}, {_JSON})"
    if isinstance(data_type, (DecimalType, DayTimeIntervalType, YearMonthIntervalType)):
        return f"CAST({column} AS STRING)"
    return column


def batches(rows: DataFrame, expressions: Sequence[str]) -> Iterator[pa.RecordBatch]:
    """The rows in order, a few thousand at a time; the driver holds one partition."""
    packed = rows.selectExpr(*expressions).mapInArrow(PortableFunction(_packed), "rows BINARY")
    for (data,) in packed.toLocalIterator():
        yield batch_of_stream(data)


def _packed(parts: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for part in parts:
        if part.num_rows:
            yield pa.RecordBatch.from_arrays([pa.array([stream_of(part)], pa.binary())], ["rows"])


def as_texts(column: pa.Array) -> pa.Array:
    """Times as ISO 8601 texts, instants in UTC; other columns as they are."""
    kind = column.type
    if pa.types.is_timestamp(kind) and kind.tz is not None:
        column = column.cast(pa.timestamp("us", "UTC"))
    return column.cast(pa.string()) if pa.types.is_temporal(kind) else column
