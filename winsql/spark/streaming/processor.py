"""The stateful processor: a key group of winsql inside Spark's transformWithState; used in Python workers."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import pandas as pd
import pyarrow as pa
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle

from winsql.errors import WindowDataError
from winsql.model.base import LAST_INSTANT, MIN_TIME
from winsql.runtime.columnar.shared.narrow import widened_batch
from winsql.runtime.ipc import batch_of_stream, stream_of
from winsql.spark.streaming.bootstrap import bootstrapped
from winsql.spark.streaming.buckets import GroupMeta
from winsql.spark.streaming.key_group import KeyGroup
from winsql.spark.streaming.packing import RESULT, Kind
from winsql.spark.workers.garbage import spare_loaded
from winsql.spark.workers.task import StreamTask

__all__ = ["BUCKETS", "GROUP", "StateStore", "WindowProcessor", "batch_of"]

GROUP, BUCKETS = "group", "buckets"
"""Names of the state variables: a value with the group's GroupMeta, and a map of its buckets."""
_DATA = "data BINARY"
_MILLI = 1000


class StateStore:
    """A key group's state in Spark's state store: one value for the group, one per bucket."""

    def __init__(self, handle: StatefulProcessorHandle) -> None:
        self._meta = handle.getValueState(GROUP, _DATA)
        self._buckets = handle.getMapState(BUCKETS, "bucket BIGINT", _DATA)

    def read_meta(self) -> bytes | None:
        value = self._meta.get()
        return None if value is None else bytes(value[0])

    def write_meta(self, data: bytes) -> None:
        self._meta.update((data,))

    def read(self, bucket: int) -> bytes | None:
        value = self._buckets.getValue((bucket,))
        return None if value is None else bytes(value[0])

    def write(self, bucket: int, data: bytes) -> None:
        self._buckets.updateValue((bucket,), (data,))

    def remove(self, bucket: int) -> None:
        if self._buckets.containsKey((bucket,)):
            self._buckets.removeKey((bucket,))


class WindowProcessor(StatefulProcessor):
    """Runs the micro-batches of one query.

    Spark hands expired timers over after the rows of a micro-batch. The key group advances its own timers before it
    reads rows, so a timer of Spark's only wakes a group that got no rows; for one that did, time has passed already.
    """

    def __init__(self, task: StreamTask) -> None:
        self.task = task

    def __reduce__(self) -> Any:
        return bootstrapped(type(self), self.task)

    def init(self, handle: StatefulProcessorHandle) -> None:
        spare_loaded()
        self.handle = handle
        self.store = StateStore(handle)
        self.done: set[Any] = set()  # the groups that have had this micro-batch; a processor lives for one only

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[pd.DataFrame]:
        self.done.add(key[0])
        messages = sorted(
            message for frame in rows for message in zip(frame["source"], frame["position"], frame["rows"], strict=True)
        )
        yield from self.run(key, batch_of((data for _, _, data in messages), self.task.schema), timerValues)

    def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[pd.DataFrame]:
        if key[0] not in self.done:
            self.done.add(key[0])
            yield from self.run(key, batch_of((), self.task.schema), timerValues)

    def run(self, key: Any, batch: pa.RecordBatch, times: Any) -> Iterator[pd.DataFrame]:
        """One micro-batch of the key group `key`."""
        group = KeyGroup(self.task, self.store)
        wake, before = group.meta.wake, _counts(group.meta)
        messages = []
        for results, late in group.run(batch, _watermark(times), _now(times)):
            messages.append((Kind.FIRINGS, results) if late is None else (Kind.LATE, late))
        self._set_timer(wake, group.meta.wake)
        counts = {kind: count - before[kind] for kind, count in _counts(group.meta).items()}
        rows: list[tuple[int, int, bytes | None]] = []
        rows += ((kind, counts.pop(kind, 0), stream_of(message)) for kind, message in messages)
        rows += ((kind, count, None) for kind, count in counts.items() if count)
        if rows:
            yield pd.DataFrame(rows, columns=RESULT.names).astype({"kind": "int32", "count": "int64"})

    def _set_timer(self, old: int | None, new: int | None) -> None:
        """One timer of Spark's wakes the group when its earliest own timer is due."""
        if new == old:
            return
        if old is not None:
            self.handle.deleteTimer(old)
        if new is not None:
            self.handle.registerTimer(new)


def batch_of(messages: Iterable[bytes], schema: pa.Schema) -> pa.RecordBatch:
    """The rows of the messages in one batch; raises WindowDataError when one is not what was packed."""
    try:
        batches = [widened_batch(batch_of_stream(data)) for data in messages]
        if not batches:
            return pa.RecordBatch.from_arrays([pa.array([], field.type) for field in schema], schema=schema)
        return pa.concat_batches(batches).cast(schema)
    except (pa.ArrowException, OSError, StopIteration, ValueError) as error:
        raise WindowDataError(f"a packed batch of rows cannot be read: {error}") from error


def _counts(meta: GroupMeta) -> dict[int, int]:
    """What the group has told so far, by kind of message."""
    return {Kind.FIRINGS: meta.firings, Kind.LATE: meta.late, Kind.DROPPED: meta.dropped}


def _watermark(times: Any) -> int:
    """Spark's watermark is exclusive, winsql's inclusive and in microseconds.

    Spark's begins at 0 and never falls below, so 0 means none: what ends before 1970 waits until it has passed that.
    It is that of times as they count here: see `winsql.planner.time_sql`.
    """
    millis = times.getCurrentWatermarkInMs()
    return MIN_TIME if millis <= 0 else min(millis * _MILLI, LAST_INSTANT) - 1


def _now(times: Any) -> int | None:
    """The clock of the micro-batch in microseconds; None where Spark tells none."""
    millis = times.getCurrentProcessingTimeInMs()
    return None if millis < 0 else millis * _MILLI
