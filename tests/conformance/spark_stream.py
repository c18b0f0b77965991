"""Streaming cases through real Structured Streaming: all in one query, each case a key group of transformWithState.

A case's steps between two of time are one micro-batch. Its watermark and clock are its own, while a query has one
watermark: so file number i holds what all cases do in their i-th micro-batch and raises the query's watermark by a
second, and in the processor the seconds tell which micro-batch of its own the case has reached. Packing, key groups,
state in RocksDB and the timers that wake a case without rows are those of every query.
"""

from __future__ import annotations

import datetime
import os
import sys
import tempfile
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pyarrow as pa
import pyarrow.parquet as pq
from case import Case, NotOffered
from stream import SCHEMA, Batch, StreamOutcome, collect, inexpressible, micro_batches, stream_task

from winsql.errors import WinsqlError
from winsql.runtime.ipc import batch_of_stream, stream_of
from winsql.spark.streaming.bootstrap import bootstrapped
from winsql.spark.streaming.key_group import KeyGroup
from winsql.spark.streaming.micro_batch import packed_in, rows_of
from winsql.spark.streaming.packing import Packing
from winsql.spark.streaming.processor import WindowProcessor, pack_task
from winsql.spark.workers.group_numbers import key_group_numbers
from winsql.spark.workers.task import StreamTask

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

MAX_BATCHES = 12
FIRST_SECOND = 1_700_000_000
_INPUT = pa.schema([*SCHEMA, ("second", pa.timestamp("us", "UTC"))])
_COLUMNS = (
    "hash BIGINT, time BIGINT, value DOUBLE, gap BIGINT, side BIGINT, key STRING, out_side BIGINT, "
    "left DOUBLE, right DOUBLE, all STRUCT<key: STRING, ts: BIGINT, value: DOUBLE>"
)
_PACKED = "key_group INT, source BIGINT, position BIGINT, rows BINARY, null_times BIGINT"
_OUTPUT = "case INT, batch INT, part INT, kind INT, rows BINARY"
FIRINGS, LATE, DROPPED, FAILED = range(4)
Clock = tuple[int, "int | None", bool]


def left_out(case: Case) -> str | None:
    """Why the query does not take the case; None when it does."""
    if (reason := inexpressible(case)) is not None:
        return reason
    if len(micro_batches(case)) > MAX_BATCHES:
        return "it has more micro-batches than the query"
    try:
        stream_task(case)
    except (NotOffered, WinsqlError):
        return "the job is refused before it starts"
    return None


def session() -> SparkSession:
    """A session of the runner's own."""
    from pyspark.sql import SparkSession

    os.environ["PYSPARK_PYTHON"] = sys.executable
    builder = SparkSession.builder.master("local[2]").config("spark.ui.enabled", "false")
    provider = "org.apache.spark.sql.execution.streaming.state.RocksDBStateStoreProvider"
    builder = builder.config("spark.sql.streaming.stateStore.providerClass", provider)
    builder = builder.config("spark.sql.shuffle.partitions", "2").config("spark.log.level", "ERROR")
    return builder.getOrCreate()


def run_cases(spark: SparkSession, cases: Sequence[Case]) -> dict[str, StreamOutcome]:
    """All cases in one query; the outcomes by name."""
    from pyspark.cloudpickle import register_pickle_by_value

    from winsql.spark.shipping import ship_code

    ship_code(spark)
    for module in (__name__, "stream", "executors", "case"):  # a worker cannot import the tests
        register_pickle_by_value(sys.modules[module])
    plans = [(stream_task(case), micro_batches(case)) for case in cases]
    with tempfile.TemporaryDirectory() as folder:
        _write([batches for _, batches in plans], Path(folder) / "in")
        messages = _run(spark, plans, Path(folder))
    outcomes = [StreamOutcome() for _ in cases]
    for number, batch, _, kind, data in sorted(messages):
        _note(outcomes[number], *plans[number], batch, kind, data)
    return {case.name: outcome for case, outcome in zip(cases, outcomes, strict=True)}


class CaseProcessor(WindowProcessor):
    """Runs the micro-batches of many cases; a key group is a case. `clocks` are their watermarks and clocks."""

    def __init__(self, tasks: list[StreamTask], clocks: list[list[Clock]]) -> None:
        super().__init__(pack_task(tasks[0]))
        self.tasks = tasks
        self.clocks = clocks
        self.numbers = {group: number for number, group in enumerate(key_group_numbers(len(tasks) + 1).tolist())}

    def __reduce__(self) -> Any:
        return bootstrapped(type(self), self.tasks, self.clocks)

    def run(self, key: Any, rows: Iterator[Any], times: Any) -> Iterator[pd.DataFrame]:
        number, millis = self.numbers[int(key[0])], times.getCurrentWatermarkInMs()
        if number == len(self.tasks):
            return  # rows that only raise the watermark
        batch = rows_of(packed_in(rows), self.task.schema)
        clocks = self.clocks[number]
        place = max(0, millis // 1000 - FIRST_SECOND)
        group = KeyGroup(self.tasks[number], self.store)
        watermark, clock, is_set = clocks[min(place, len(clocks) - 1)]
        now = clock if clock != group.meta.now or (is_set and place < len(clocks)) else None  # else it stands still
        parts: list[tuple[int, bytes]] = []
        try:
            for fired, late in group.run(batch, watermark, now):
                parts.append((FIRINGS, stream_of(fired)) if late is None else (LATE, stream_of(late)))
        except WinsqlError as error:
            parts = [(FAILED, error.problem.encode())]
        self._wake(group, clocks, place)
        parts.append((DROPPED, str(group.meta.dropped).encode()))
        columns = [(number, place, part, kind, data) for part, (kind, data) in enumerate(parts)]
        frame = pd.DataFrame(columns, columns=["case", "batch", "part", "kind", "rows"])
        yield frame.astype(dict.fromkeys(("case", "batch", "part", "kind"), "int32"))

    def _wake(self, group: KeyGroup, clocks: list[Clock], place: int) -> None:
        """A timer of Spark's in the second in which the case's earliest timer is due."""
        places = []
        if (event := group.meta.next_event_timer()) is not None:
            places.append(bisect_left([watermark for watermark, _, _ in clocks], event))
        if (processing := group.meta.next_wake()) is not None:
            places.append(next((i for i, (_, now, _) in enumerate(clocks) if (now or 0) >= processing), len(clocks)))
        place = max(min(places, default=len(clocks)), place + 1)  # a timer of the past is due when time moves on
        if place < len(clocks):
            self.handle.registerTimer((FIRST_SECOND + place) * 1000)


def _clocks(batches: list[Batch]) -> list[Clock]:
    """Watermark and clock of each micro-batch, and whether the clock is set there; else it stays where it was."""
    clocks: list[Clock] = []
    now = None
    for batch in batches:
        now = now if batch.now is None else batch.now
        clocks.append((batch.watermark, now, batch.now is not None))
    return clocks


def _write(cases: list[list[Batch]], folder: Path) -> None:
    folder.mkdir()
    for index in range(max(map(len, cases))):
        second = datetime.datetime.fromtimestamp(FIRST_SECOND + index + 1, datetime.UTC)
        rows = [
            (number << 32 | row[0], *row[1:], second)
            for number, batches in enumerate(cases)
            if index < len(batches)
            for row in batches[index].rows
        ]
        rows.append((len(cases) << 32, *[None] * (len(SCHEMA) - 1), second))
        columns = zip(*rows, strict=True)
        arrays = [pa.array(list(column), field.type) for column, field in zip(columns, _INPUT, strict=True)]
        path = folder / f"{index:03}.parquet"
        pq.write_table(pa.Table.from_arrays(arrays, schema=_INPUT), path)
        os.utime(path, (FIRST_SECOND + index,) * 2)  # the file source takes files by time of modification


def _run(spark: SparkSession, plans: list[tuple[StreamTask, list[Batch]]], folder: Path) -> list[tuple[Any, ...]]:
    stream = spark.readStream.schema(f"{_COLUMNS}, second TIMESTAMP").option("maxFilesPerTrigger", 1)
    rows = stream.parquet(str(folder / "in")).withWatermark("second", "0 seconds").drop("second")
    packed = rows.mapInArrow(partial(_pack, len(plans) + 1), _PACKED)
    processor = CaseProcessor([task for task, _ in plans], [_clocks(batches) for _, batches in plans])
    fired = packed.groupBy("key_group").transformWithStateInPandas(processor, _OUTPUT, "append", "EventTime")
    messages: list[tuple[Any, ...]] = []

    def sink(batch: Any, number: int) -> None:
        messages.extend(tuple(row) for row in batch.collect())

    writer = fired.writeStream.foreachBatch(sink).trigger(availableNow=True)
    writer.option("checkpointLocation", str(folder / "checkpoint")).start().awaitTermination()
    return messages


def _pack(key_groups: int, batches: Any) -> Iterator[pa.RecordBatch]:
    return Packing(key_groups)(batches)


def _note(outcome: StreamOutcome, task: StreamTask, batches: list[Batch], batch: int, kind: int, data: Any) -> None:
    """Add a message, unless the case has failed before it."""
    if outcome.failed_from is not None:
        return
    if kind == DROPPED:
        outcome.dropped = int(bytes(data))
    elif kind == FAILED:
        outcome.failed_from = batches[min(batch, len(batches) - 1)].first_step
    else:
        rows = batch_of_stream(bytes(data))
        collect(outcome, task, [(rows, None) if kind == FIRINGS else (None, rows)])
