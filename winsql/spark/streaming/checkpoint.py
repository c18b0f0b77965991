"""What a checkpoint of a streaming query holds: its open windows, key by key, read from Spark's state store."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import reduce

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from winsql.errors import WindowDataError, WindowPlanError
from winsql.runtime.state_listing import list_panes
from winsql.spark.shipping import ship_code
from winsql.spark.streaming.processor import BUCKETS
from winsql.spark.versions.java_errors import Py4JJavaError

__all__ = ["state", "state_of"]

_OPERATOR = "transformWithStateInPandasExec"
_COLUMNS = (
    "key STRING, window_start TIMESTAMP, window_end TIMESTAMP, firings BIGINT, row_count BIGINT, accumulators STRING, "
    "event_timers ARRAY<TIMESTAMP>, processing_timers ARRAY<TIMESTAMP>"
)
_INSTANT = pa.timestamp("us", "UTC")
_ARROW = pa.schema(
    [
        ("key", pa.string()),
        ("window_start", _INSTANT),
        ("window_end", _INSTANT),
        ("firings", pa.int64()),
        ("row_count", pa.int64()),
        ("accumulators", pa.string()),
        ("event_timers", pa.list_(_INSTANT)),
        ("processing_timers", pa.list_(_INSTANT)),
    ]
)


def state(spark: SparkSession, checkpoint: str) -> DataFrame:
    """The open windows in the checkpoint of a windowed streaming query, as of its last completed micro-batch.

    Columns: the key as JSON, named as in the query, window_start and window_end (NULL for COUNT and GLOBAL), how often
    the window has fired, row_count (NULL when it keeps accumulators only), accumulators as JSON, and the pending
    timers; a cleanup timer is one of them. A statement with several windowed queries gives the windows of all. Bounds
    of windows over TIMESTAMP_NTZ and DATE, and of window table functions that follow local time, are shown as if they
    were in UTC.

    Raises WindowPlanError when the checkpoint has no windowed query, WindowDataError when its files cannot be read, and
    Spark's error when it is none.
    """
    return state_of(spark, checkpoint, BUCKETS, "user_map_value.data", _listed, _COLUMNS)


def state_of(
    spark: SparkSession,
    checkpoint: str,
    variable: str,
    data: str,
    read: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]],
    columns: str,
) -> DataFrame:
    """What `read` makes of the values, in column `data`, of a state variable of all windowed queries of a checkpoint.

    Raises as `state` does.
    """
    with _readable(checkpoint):
        operators = spark.read.format("state-metadata").load(checkpoint).where(F.col("operatorName") == _OPERATOR)
        numbers = [row["operatorId"] for row in operators.select("operatorId").distinct().collect()]
        if not numbers:
            raise WindowPlanError(
                f"the checkpoint {checkpoint} holds no windows of winsql",
                rule="only windowed queries over streams keep windows in their checkpoint",
            )
        ship_code(spark)
        reader = spark.read.format("statestore").option("stateVarName", variable)
        stores = [reader.option("operatorId", number).load(checkpoint).select(data) for number in sorted(numbers)]
        return reduce(DataFrame.unionAll, (store.mapInArrow(read, columns) for store in stores))


@contextmanager
def _readable(checkpoint: str) -> Iterator[None]:
    """Files that are gone or damaged are one sentence; Spark raises whatever their reader did."""
    try:
        yield
    except Py4JJavaError as error:
        reason = str(error.java_exception).partition("\n")[0]
        raise WindowDataError(
            f"the checkpoint {checkpoint} cannot be read: {reason}",
            rule="a checkpoint is read where it was written: Spark notes in it where its files are",
            hint="put it back in its place, with all its files",
        ) from error


def _listed(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for data in batch.column(0):
            columns = zip(*list_panes(data.as_py()), strict=True)
            arrays = [pa.array(list(column), field.type) for column, field in zip(columns, _ARROW, strict=True)]
            yield pa.RecordBatch.from_arrays(arrays, schema=_ARROW)
