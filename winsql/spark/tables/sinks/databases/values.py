"""Values on their way to a database: Spark's SQL makes texts of types that no database has; Arrow carries the rows."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
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

from winsql.errors import WindowDataError
from winsql.runtime.ipc import batch_of_stream, stream_of
from winsql.spark.streaming.bootstrap import PortableFunction

_TO_THE_MICROSECOND = "concat('yyyy-MM-dd', char(39), 'T', char(39), 'HH:mm:ss.SSSSSS{zone}')"
"""A format as SQL without backslashes, which mean nothing to a session with escapedStringLiterals."""
_JSON = (
    "map('ignoreNullFields', 'false', 'timeZone', 'UTC', "  # zones had offsets with seconds, which formats leave out
    f"'timestampFormat', {_TO_THE_MICROSECOND.format(zone='XXX')}, "
    f"'timestampNTZFormat', {_TO_THE_MICROSECOND.format(zone='')})"
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


def as_texts(name: str, column: pa.Array) -> pa.Array:
    """Times of a column as ISO 8601 texts, instants in UTC; other columns as they are."""
    kind = column.type
    if pa.types.is_timestamp(kind):
        column = column.cast(pa.timestamp("us", None if kind.tz is None else "UTC"))
    if pa.types.is_timestamp(kind) or pa.types.is_date(kind):
        _require_years(name, column)
    return column.cast(pa.string()) if pa.types.is_temporal(kind) else column


_LAST_YEAR = 32_767
"""Arrow counts the years of texts in 16 bits."""


def _require_years(name: str, column: pa.Array) -> None:
    ticks = column.view(pa.int32() if pa.types.is_date32(column.type) else pa.int64())
    unit = "D" if pa.types.is_date32(column.type) else "us"
    for tick in pc.min_max(ticks).as_py().values():
        if tick is None:
            continue
        year = _year(tick, unit)
        if abs(year) > _LAST_YEAR:
            raise WindowDataError(
                f"column {name} has a time in the year {year}, which cannot be written",
                rule=f"times on their way to a database are in the years {-_LAST_YEAR} to {_LAST_YEAR}",
                hint=f"leave such rows out by WHERE, or write CAST({quoted(name)} AS STRING)",
            )


def _year(tick: int, unit: str) -> int:
    at = np.array([max(tick, 1 - 2**63)], np.int64)  # numpy takes the smallest number for no time at all
    return int(at.astype(f"datetime64[{unit}]").astype("datetime64[Y]").astype(np.int64)[0]) + 1970
