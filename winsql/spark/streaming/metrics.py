"""The counters of the windowed queries of a checkpoint, and the size of their state."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

import pyarrow as pa
from pyspark.sql import SparkSession
from pyspark.sql import functions as F

from winsql.spark.streaming.buckets import GroupMeta
from winsql.spark.streaming.checkpoint import readable, state_of
from winsql.spark.streaming.processor import GROUP

_NAMES = ("late_rows", "firings", "open_windows", "state_bytes")
_COLUMNS = ", ".join(f"{name} BIGINT" for name in _NAMES)
_ARROW = pa.schema([(name, pa.int64()) for name in _NAMES])


def stream_metrics(spark: SparkSession, checkpoint: str) -> dict[str, int]:
    """Totals over the windowed queries of a checkpoint since their start, as of the last completed micro-batch.

    late_rows     late rows, dropped or kept by LATE INTO
    firings       how often windows have fired
    open_windows  windows that have not ended, counted per key
    state_bytes   size of what winsql keeps in Spark's state store, without the store's own overhead

    Raises as `winsql.state` does.
    """
    with readable(spark, checkpoint):
        counted = state_of(spark, checkpoint, GROUP, "value.data", _counted, _COLUMNS)
        totals = counted.agg(*(F.coalesce(F.sum(name), F.lit(0)).alias(name) for name in _NAMES)).collect()
    return {name: int(totals[0][name]) for name in _NAMES}


def _counted(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        counts = [_of_group(value.as_py()) for value in batch.column(0)]
        yield pa.RecordBatch.from_pylist(counts, schema=_ARROW)


def _of_group(data: bytes) -> dict[str, int]:
    meta = GroupMeta.decoded(data)
    return {
        "late_rows": meta.late + meta.dropped,
        "firings": meta.firings,
        "open_windows": sum(bucket.panes for bucket in meta.buckets),
        "state_bytes": len(data) + sum(bucket.size for bucket in meta.buckets),
    }
