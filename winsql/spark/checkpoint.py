"""What a checkpoint of a streaming query holds: its open windows, key by key, read from Spark's state store."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from winsql.errors import WindowPlanError
from winsql.runtime.listing import list_panes
from winsql.spark.processor import BUCKETS
from winsql.spark.shipping import ship_code

__all__ = ["state"]

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

    Columns: the key as JSON, window_start and window_end (NULL for COUNT and GLOBAL), how often the window has fired,
    row_count (NULL when it keeps accumulators only), accumulators as JSON, and the pending timers; a cleanup timer is
    one of them. A statement with several windowed queries gives the windows of all. Bounds of windows over
    TIMESTAMP_NTZ and DATE are shown as if they were in UTC.

    Raises WindowPlanError when the checkpoint has no windowed query, and Spark's error when it is none.
    """
    operators = spark.read.format("state-metadata").load(checkpoint).where(F.col("operatorName") == _OPERATOR)
    numbers = [row["operatorId"] for row in operators.select("operatorId").distinct().collect()]
    if not numbers:
        raise WindowPlanError(
            f"the checkpoint {checkpoint} holds no windows of winsql",
            rule="only windowed queries over streams keep windows in their checkpoint",
        )
    ship_code(spark)
    frames = [_buckets(spark, checkpoint, number).mapInArrow(_listed, _COLUMNS) for number in sorted(numbers)]
    listed = frames[0]
    for frame in frames[1:]:
        listed = listed.unionAll(frame)
    return listed


def _buckets(spark: SparkSession, checkpoint: str, operator: int) -> DataFrame:
    reader = spark.read.format("statestore").option("operatorId", operator).option("stateVarName", BUCKETS)
    return reader.load(checkpoint).select("user_map_value.data")


def _listed(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for data in batch.column(0):
            columns = zip(*list_panes(data.as_py()), strict=True)
            arrays = [pa.array(list(column), field.type) for column, field in zip(columns, _ARROW, strict=True)]
            yield pa.RecordBatch.from_arrays(arrays, schema=_ARROW)
