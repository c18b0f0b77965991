"""One micro-batch of one key group: packed rows in, firings, late rows and counts out."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

import pandas as pd
import pyarrow as pa

from winsql.errors import WindowDataError
from winsql.model.base import LAST_INSTANT, MIN_TIME
from winsql.runtime.columnar.shared.narrow import widened_batch
from winsql.runtime.ipc import batch_of_stream, stream_of
from winsql.spark.streaming.buckets import GroupMeta
from winsql.spark.streaming.key_group import GroupStore, KeyGroup
from winsql.spark.streaming.packing import RESULT, Kind
from winsql.spark.workers.batch_size import BATCH_BYTES, within_bytes
from winsql.spark.workers.task import StreamTask

__all__ = ["rows_of", "run_micro_batch"]

_MILLI = 1000


def run_micro_batch(
    task: StreamTask,
    store: GroupStore,
    frames: Iterator[pd.DataFrame],
    times: Any,
    set_timer: Callable[[int | None, int | None], None],
) -> Iterator[pd.DataFrame]:
    """Run a key group over the packed rows of `frames`; `times` are Spark's, `set_timer` takes the old and the new."""
    batch = rows_of(frames, task.schema)
    group = KeyGroup(task, store)
    wake, before = group.meta.wake, _counts(group.meta)
    rows: list[tuple[int, int, bytes | None]] = []
    size = 0
    for kind, message in _messages(group.run(batch, _watermark(times), _now(times))):
        data = stream_of(message)
        if rows and size + len(data) > BATCH_BYTES:  # Spark holds a frame whole
            yield _frame(rows)
            rows, size = [], 0
        rows.append((kind, 0, data))
        size += len(data)
    set_timer(wake, group.meta.wake)
    counts = {kind: count - before[kind] for kind, count in _counts(group.meta).items()}
    rows = [(kind, counts.pop(kind, 0), data) for kind, _, data in rows]
    rows += ((kind, count, None) for kind, count in counts.items() if count)
    if rows:
        yield _frame(rows)


def _messages(
    outcomes: Iterable[tuple[pa.RecordBatch | None, pa.RecordBatch | None]],
) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Firings and late rows as they come, in batches of bounded bytes."""
    for results, late in outcomes:
        kind, batch = (Kind.FIRINGS, results) if late is None else (Kind.LATE, late)
        assert batch is not None
        yield from ((kind, part) for part in within_bytes([batch]))


def _frame(rows: list[tuple[int, int, bytes | None]]) -> pd.DataFrame:
    return pd.DataFrame(rows, columns=RESULT.names).astype({"kind": "int32", "count": "int64"})


def rows_of(frames: Iterable[pd.DataFrame], schema: pa.Schema) -> pa.RecordBatch:
    """The rows of messages in one batch, as they arrived; raises WindowDataError when one is not what was packed."""
    messages = sorted(
        message for frame in frames for message in zip(frame["source"], frame["position"], frame["rows"], strict=True)
    )
    try:
        batches = [widened_batch(batch_of_stream(data)) for _, _, data in messages]
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
