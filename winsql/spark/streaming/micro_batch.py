"""One micro-batch of one key group: packed rows in, firings, late rows and counts out.

Where all rows of a window come in one micro-batch, nothing is kept for the next one: each micro-batch has a new group,
and time passes after its rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from winsql.errors import WindowDataError
from winsql.model.base import LAST_INSTANT, MAX_TIME, MIN_TIME
from winsql.runtime.arrays import empty
from winsql.runtime.columnar.shared.narrow import widened_batch
from winsql.runtime.ipc import batch_of_stream, stream_of
from winsql.spark.streaming.buckets import GroupMeta
from winsql.spark.streaming.key_group import GroupStore, KeyGroup
from winsql.spark.streaming.packing import RESULT, Kind, results_of
from winsql.spark.workers.batch_size import BATCH_BYTES, within_bytes
from winsql.spark.workers.task import StreamTask

if TYPE_CHECKING:
    import pandas as pd

_MILLI = 1000
_PACKED = ("source", "position", "rows")
Message = tuple[int, int, bytes | None]
"""Of `RESULT`."""


def run_micro_batch(
    task: StreamTask,
    store: GroupStore,
    frames: Iterator[pd.DataFrame],
    times: Any,
    set_timer: Callable[[int | None, int | None], None],
) -> Iterator[pd.DataFrame]:
    """Run a key group over the packed rows of `frames`; `times` are Spark's, `set_timer` takes the old and the new."""
    batch = rows_of(packed_in(frames), task.schema)
    group = KeyGroup(task, store)
    wake = group.meta.wake
    yield from map(_frame, _told(group, batch, _watermark(times), _now(times)))
    set_timer(wake, group.meta.wake)


def run_together(task: StreamTask, packed: pa.Table) -> pa.Table:
    """The messages of a key group whose windows have all their rows in `packed`."""
    batch = rows_of(zip(*(packed[name].to_pylist() for name in _PACKED), strict=True), task.schema)
    group = KeyGroup(task, _NothingKept())
    return pa.Table.from_batches(map(results_of, _told(group, batch, MAX_TIME, None)), RESULT)


def packed_in(frames: Iterable[pd.DataFrame]) -> Iterator[tuple[int, int, bytes]]:
    """The packed rows that Spark hands to a stateful operator."""
    return (row for frame in frames for row in zip(*(frame[name] for name in _PACKED), strict=True))


class _NothingKept:
    """The store of a key group that lives for one micro-batch, at whose end all windows have ended."""

    def read_meta(self) -> None:
        return None

    def write_meta(self, data: bytes) -> None:
        pass

    def read(self, bucket: int) -> None:
        return None

    def write(self, bucket: int, data: bytes) -> None:
        raise WindowDataError("a window has not ended in the micro-batch of its rows")

    def remove(self, bucket: int) -> None:
        pass


def _told(group: KeyGroup, batch: pa.RecordBatch, watermark: int, now: int | None) -> Iterator[list[Message]]:
    """The messages of a micro-batch, in portions of bounded bytes: Spark holds one whole."""
    before = _counts(group.meta)
    rows: list[Message] = []
    size = 0
    for kind, message in _messages(group.run(batch, watermark, now)):
        data = stream_of(message)
        if rows and size + len(data) > BATCH_BYTES:
            yield rows
            rows, size = [], 0
        rows.append((kind, 0, data))
        size += len(data)
    counts = {kind: count - before[kind] for kind, count in _counts(group.meta).items()}
    rows = [(kind, counts.pop(kind, 0), data) for kind, _, data in rows]
    rows += ((kind, count, None) for kind, count in counts.items() if count)
    if rows:
        yield rows


def _messages(
    outcomes: Iterable[tuple[pa.RecordBatch | None, pa.RecordBatch | None]],
) -> Iterator[tuple[int, pa.RecordBatch]]:
    """Firings and late rows as they come, in batches of bounded bytes."""
    for results, late in outcomes:
        kind, batch = (Kind.FIRINGS, results) if late is None else (Kind.LATE, late)
        assert batch is not None
        yield from ((kind, part) for part in within_bytes([batch]))


def _frame(rows: list[Message]) -> pd.DataFrame:
    import pandas as pd  # not where no frame is made: it takes long

    return pd.DataFrame(rows, columns=RESULT.names).astype({"kind": "int32", "count": "int64"})


def rows_of(messages: Iterable[tuple[int, int, bytes]], schema: pa.Schema) -> pa.RecordBatch:
    """The rows of messages, `source`, `position` and `rows` of PACKED each, in one batch as they arrived.

    Raises WindowDataError for a message that is damaged.
    """
    try:
        batches = [widened_batch(batch_of_stream(data)) for _, _, data in sorted(messages)]
        if not batches:
            return empty(schema)
        return pa.concat_batches(batches).cast(schema)
    except (pa.ArrowException, OSError, StopIteration, ValueError) as error:
        raise WindowDataError(f"a packed batch of rows cannot be read: {error}") from error


def _counts(meta: GroupMeta) -> dict[int, int]:
    """The counts that the group has sent so far, by kind of message."""
    return {Kind.FIRINGS: meta.firings, Kind.LATE: meta.late, Kind.DROPPED: meta.dropped}


def _watermark(times: Any) -> int:
    """Spark's watermark is exclusive, winsql's inclusive and in microseconds.

    Spark's begins at 0 and never falls below, so 0 means none: windows that end before 1970 wait until it is above 0.
    It never exceeds LAST_INSTANT, as times do not: see `winsql.planner.time_sql`.
    """
    millis = times.getCurrentWatermarkInMs()
    return MIN_TIME if millis <= 0 else min(millis * _MILLI, LAST_INSTANT) - 1


def _now(times: Any) -> int | None:
    """The clock of the micro-batch in microseconds; None where Spark gives none."""
    millis = times.getCurrentProcessingTimeInMs()
    return None if millis < 0 else millis * _MILLI
