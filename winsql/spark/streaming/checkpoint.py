"""The contents of a checkpoint of a streaming query: its open windows, key by key, read from Spark's state store."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import reduce

import pyarrow as pa
from pyspark.errors import PySparkException
from pyspark.sql import DataFrame, SparkSession
from pyspark.sql import functions as F

from winsql.errors import WindowDataError, WindowPlanError, WinsqlError
from winsql.runtime.state_listing import list_panes
from winsql.spark.messages.damage import damage_in
from winsql.spark.messages.failure import translate
from winsql.spark.shipping import ship_code
from winsql.spark.streaming.checkpoint_files import require_readable
from winsql.spark.streaming.processor import BUCKETS
from winsql.spark.versions.java_errors import Py4JError, Py4JJavaError

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
    timers; a cleanup timer is one of them. They are read at once: later changes of the checkpoint do not show. A
    statement with several windowed queries gives the windows of all. Bounds of windows over TIMESTAMP_NTZ and DATE, and
    of window table functions that follow local time, are shown as if they were in UTC.

    Raises WindowPlanError when the checkpoint has no windowed query, WindowDataError when its files cannot be read, and
    Spark's error when it is none.
    """
    with readable(spark, checkpoint):
        return state_of(spark, checkpoint, BUCKETS, "user_map_value.data", _listed, _COLUMNS).localCheckpoint()


def state_of(
    spark: SparkSession,
    checkpoint: str,
    variable: str,
    data: str,
    read: Callable[[Iterable[pa.RecordBatch]], Iterator[pa.RecordBatch]],
    columns: str,
) -> DataFrame:
    """The values, in column `data`, of a state variable, as `read` returns them; of all queries of a checkpoint.

    To be read inside `readable`. Raises WindowPlanError when the checkpoint has no windowed query.
    """
    with _in(f"{checkpoint}/state/*/_metadata"):
        operators = spark.read.format("state-metadata").load(checkpoint).where(F.col("operatorName") == _OPERATOR)
        numbers = [row["operatorId"] for row in operators.select("operatorId").distinct().collect()]
    if not numbers:
        raise WindowPlanError(
            f"the checkpoint {checkpoint} holds no windows of winsql",
            rule="only windowed queries over streams keep windows in their checkpoint",
        )
    ship_code(spark)
    reader = spark.read.format("statestore").option("stateVarName", variable)
    with _in(f"{checkpoint}/state/*/_stateSchema"):
        stores = [reader.option("operatorId", number).load(checkpoint).select(data) for number in sorted(numbers)]
        return reduce(DataFrame.unionAll, (store.mapInArrow(read, columns) for store in stores))


@contextmanager
def readable(spark: SparkSession, checkpoint: str) -> Iterator[None]:
    """Says in one sentence which files are gone or damaged; Spark raises whatever their reader did."""
    try:
        yield
    except (WinsqlError, PySparkException, Py4JError) as error:
        own = translate(error)
        if own is not None and error.__cause__ is None:
            raise own from None
        require_readable(spark, checkpoint)
        told = own or damage_in(str(error), checkpoint)
        if told is None:
            raise
        raise told from (error.__cause__ or error)


@contextmanager
def _in(files: str) -> Iterator[None]:
    """Spark's error where it reads these files of a checkpoint and does not name them."""
    try:
        yield
    except (PySparkException, Py4JError) as error:
        missing = _GONE.search(str(error))
        if _ENCODED.search(str(error)):
            raise WindowPlanError(
                "the state of a stream whose checkpoint has a blank, %, # or a letter beyond ASCII in its path is not "
                "shown",
                rule="Spark's reader of state looks for such a path in another place",
                hint="choose another checkpointLocation, or path, for the streams to look into",
            ) from error
        if missing is None and not isinstance(error, Py4JJavaError):
            raise
        reason = _MISSING.search(str(error))
        raise WindowDataError(
            f"the checkpoint files {_place(missing) if missing else files} cannot be read: "
            f"{reason[0] if reason else 'gone, cut off, or not as Spark writes them'}",
            rule="a checkpoint is read where it was written: Spark notes in it where its files are",
            hint="put it back in its place, with all its files",
        ) from error


_ENCODED = re.compile(r"\[STDS_COMMITTED_BATCH_UNAVAILABLE\].*%[0-9A-F]{2}")
_GONE = re.compile(r"\[STDS_FAILED_TO_READ_OPERATOR_METADATA\].* checkpointLocation=(\S+) and batchId=(\d+)")
_MISSING = re.compile(r"File \S+ does not exist")


def _place(missing: re.Match[str]) -> str:
    return f"{missing[1]}/_metadata" if "/state/" in missing[1] else f"{missing[1]}/offsets/{missing[2]}"


def _listed(batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
    for batch in batches:
        for data in batch.column(0):
            columns = zip(*list_panes(data.as_py()), strict=True)
            arrays = [pa.array(list(column), field.type) for column, field in zip(columns, _ARROW, strict=True)]
            yield pa.RecordBatch.from_arrays(arrays, schema=_ARROW)
