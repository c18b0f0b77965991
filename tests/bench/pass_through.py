"""The floor of a stream whose every row has a result: rows through packing, state and results, and no window.

As many bytes as in winsql's plan go the same way: packed by key group, through the shuffle into a stateful processor,
which keeps them until the next micro-batch and then hands them out, a result row for each.
"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import partial
from typing import Any

import pandas as pd
import pyarrow as pa
from pyspark.cloudpickle import register_pickle_by_value
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F
from pyspark.sql.pandas.types import from_arrow_schema
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from winsql.runtime.columnar.shared.narrow import narrowed_batch, widened_batch
from winsql.runtime.ipc import batch_of_stream, stream_of
from winsql.spark.shipping import ship_code
from winsql.spark.streaming.packing import PACKED, RESULT, Kind, Packing, unpack
from winsql.spark.streaming.processor import StateStore

KEY_GROUPS = 16
RESULT_ROWS = 1 << 15
_RESULTS = "k BIGINT, window_end TIMESTAMP, total BIGINT, n BIGINT"


def pass_through(spark: SparkSession) -> DataFrame:
    """A result row for each row of the view `events`, one micro-batch later."""
    ship_code(spark)
    register_pickle_by_value(sys.modules[__name__])  # type: ignore[no-untyped-call]
    rows = spark.sql("SELECT xxhash64(k) AS hash, ts, v, k FROM events")
    packed = (
        rows.mapInArrow(Packing(KEY_GROUPS), from_arrow_schema(PACKED))
        .drop("null_times")
        .where(F.col("rows").isNotNull())
    )
    results = packed.groupBy("key_group").transformWithStateInPandas(
        _Keeper(), from_arrow_schema(RESULT), "append", "EventTime"
    )
    return results.mapInArrow(partial(unpack, Kind.FIRINGS), _RESULTS)


class _Keeper(StatefulProcessor):
    def init(self, handle: StatefulProcessorHandle) -> None:
        self.store = StateStore(handle)

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[pd.DataFrame]:
        batches = [widened_batch(batch_of_stream(data)) for frame in rows for data in frame["rows"]]
        before = self.store.read(0)
        self.store.write(0, stream_of(narrowed_batch(pa.concat_batches(batches))))
        if before is None:
            return
        _, time, value, k = widened_batch(batch_of_stream(before)).columns
        result = pa.RecordBatch.from_arrays([k, time, value, value], names=["k", "window_end", "total", "n"])
        parts = [result.slice(begin, RESULT_ROWS) for begin in range(0, result.num_rows, RESULT_ROWS)]
        messages = [(Kind.FIRINGS, part.num_rows, stream_of(part)) for part in parts]
        yield pd.DataFrame(messages, columns=RESULT.names).astype({"kind": "int32", "count": "int64"})

    def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[pd.DataFrame]:
        return iter(())

    def close(self) -> None:
        pass
