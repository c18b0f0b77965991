"""The stateful processor: a key group of winsql inside Spark's transformWithState; used in Python workers.

Before the first micro-batch Spark asks each operator of a query for its state variables, in a process that ends after
that. So this module loads neither pandas nor pyarrow, and the task is unpacked at the first rows.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property
from typing import TYPE_CHECKING, Any

from pyspark import cloudpickle
from pyspark.sql.streaming.stateful_processor import StatefulProcessor, StatefulProcessorHandle
from pyspark.sql.types import BinaryType, LongType, StructField, StructType

from winsql.spark.streaming.bootstrap import bootstrapped
from winsql.spark.workers.garbage import spare_loaded

if TYPE_CHECKING:
    import pandas as pd

    from winsql.spark.workers.task import StreamTask

GROUP, BUCKETS = "group", "buckets"
"""Names of the state variables: a value with the group's GroupMeta, and a map of its buckets."""
_DATA = StructType([StructField("data", BinaryType())])
_BUCKET = StructType([StructField("bucket", LongType())])
"""As types: for DDL texts Spark would ask the JVM four times in each task of each micro-batch."""


class StateStore:
    """A key group's state in Spark's state store: one value for the group, one per bucket."""

    def __init__(self, handle: StatefulProcessorHandle) -> None:
        self._meta = handle.getValueState(GROUP, _DATA)
        self._buckets = handle.getMapState(BUCKETS, _BUCKET, _DATA)

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


def pack_task(task: StreamTask) -> bytes:
    """A task in the form in which a processor is pickled with it."""
    data: bytes = cloudpickle.dumps(task)  # type: ignore[no-untyped-call]
    return data


class WindowProcessor(StatefulProcessor):
    """Runs the micro-batches of one query.

    Spark handles expired timers after the rows of a micro-batch. A key group runs its own timers before it reads rows,
    so Spark's timer only wakes groups without rows; in the others time has passed already.
    """

    def __init__(self, packed_task: bytes) -> None:
        self.packed_task = packed_task

    def __reduce__(self) -> Any:
        return bootstrapped(type(self), self.packed_task)

    @cached_property
    def task(self) -> StreamTask:
        """The task, unpacked once."""
        task: StreamTask = cloudpickle.loads(self.packed_task)
        return task

    def init(self, handle: StatefulProcessorHandle) -> None:
        spare_loaded()
        self.handle = handle
        self.store = StateStore(handle)
        self.done: set[Any] = set()  # the groups that have had this micro-batch; a processor lives for one only

    def handleInputRows(self, key: Any, rows: Iterator[Any], timerValues: Any) -> Iterator[pd.DataFrame]:
        self.done.add(key[0])
        yield from self.run(key, rows, timerValues)

    def handleExpiredTimer(self, key: Any, timerValues: Any, expiredTimerInfo: Any) -> Iterator[pd.DataFrame]:
        if key[0] not in self.done:
            self.done.add(key[0])
            yield from self.run(key, iter(()), timerValues)

    def run(self, key: Any, rows: Iterator[Any], times: Any) -> Iterator[pd.DataFrame]:
        """One micro-batch of the key group `key`."""
        from winsql.spark.streaming.micro_batch import run_micro_batch

        return run_micro_batch(self.task, self.store, rows, times, self._set_timer)

    def _set_timer(self, old: int | None, new: int | None) -> None:
        """One timer of Spark's wakes the group when its earliest own timer is due."""
        if new == old:
            return
        if old is not None:
            self.handle.deleteTimer(old)
        if new is not None:
            self.handle.registerTimer(new)
