"""Broken bytes in state and in packed rows: a clear error, nothing written; once they are whole the query goes on."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pandas as pd
import pyarrow as pa
import pytest
from engines import EVENT, Batch
from test_engines_agree import row
from test_key_group import arrow, task

from winsql.errors import WindowDataError
from winsql.model.assigners import TumblingWindows
from winsql.model.nested_triggers import AnyTrigger
from winsql.model.query import WindowSpec
from winsql.model.triggers import CountTrigger, EventTimeTrigger
from winsql.runtime import bucket as bucket_module
from winsql.runtime.codec import encode
from winsql.runtime.columnar import is_columnar
from winsql.runtime.columnar.shared import codec as columnar_module
from winsql.runtime.ipc import batch_of_stream, stream_of
from winsql.spark.streaming import buckets as buckets_module
from winsql.spark.streaming import micro_batch
from winsql.spark.streaming.processor import WindowProcessor, pack_task
from winsql.spark.workers.batch_size import within_bytes
from winsql.spark.workers.task import StreamTask

COLUMNAR = WindowSpec.of(TumblingWindows(EVENT, 10))
PER_ROW = WindowSpec.of(TumblingWindows(EVENT, 10), AnyTrigger((CountTrigger(5), EventTimeTrigger())))
BOTH = pytest.mark.parametrize("spec", [COLUMNAR, PER_ROW], ids=["columnar", "per row"])
FIRST = Batch(0, None, [row("a", 1), row("b", 2)], True)
SECOND = Batch(0, None, [row("a", 3)], True)
LAST_WATERMARK = 1_700_000_000_000


class Handle:
    """Spark's handle: state variables as dicts, and timers."""

    def __init__(self) -> None:
        self.values: dict[str, dict[Any, Any]] = {"group": {}, "buckets": {}}
        self.timers: set[int] = set()

    def getValueState(self, name: str, schema: Any) -> State:
        return State(self.values[name])

    def getMapState(self, name: str, keys: Any, schema: Any) -> State:
        return State(self.values[name])

    def registerTimer(self, time: int) -> None:
        self.timers.add(time)

    def deleteTimer(self, time: int) -> None:
        self.timers.remove(time)


class State:
    """A value, under the key None, or a map."""

    def __init__(self, values: dict[Any, Any]) -> None:
        self.values = values

    def get(self) -> Any:
        return self.values.get(None)

    def update(self, value: Any) -> None:
        self.values[None] = value

    def getValue(self, key: Any) -> Any:
        return self.values.get(key)

    def updateValue(self, key: Any, value: Any) -> None:
        self.values[key] = value

    def containsKey(self, key: Any) -> bool:
        return key in self.values

    def removeKey(self, key: Any) -> None:
        del self.values[key]


class Times:
    def __init__(self, watermark: int) -> None:
        self.watermark = watermark

    def getCurrentWatermarkInMs(self) -> int:
        return self.watermark

    def getCurrentProcessingTimeInMs(self) -> int:
        return -1


class Query:
    """A processor per micro-batch, as Spark has it; `state` is what it finds and leaves."""

    def __init__(self, spec: WindowSpec) -> None:
        self.task: StreamTask = task(spec)
        self.handle = Handle()

    @property
    def state(self) -> Any:
        return {name: dict(values) for name, values in self.handle.values.items()}, set(self.handle.timers)

    def run(self, batch: Batch, watermark: int = 0, broken: Callable[[bytes], bytes] = bytes) -> list[str]:
        messages = self.frames(batch, watermark, broken)
        rows = [data for frame in messages for data in frame["rows"] if data is not None]
        return [repr(record) for data in rows for record in batch_of_stream(data).to_pylist()]

    def frames(self, batch: Batch, watermark: int = 0, broken: Callable[[bytes], bytes] = bytes) -> list[pd.DataFrame]:
        """What Spark gets."""
        processor = WindowProcessor(pack_task(self.task))
        processor.init(self.handle)
        frame = pd.DataFrame({"source": [0], "position": [0], "rows": [broken(stream_of(arrow(batch)))]})
        return list(processor.handleInputRows((3,), iter([frame]), Times(watermark)))

    def end(self) -> list[str]:
        return self.run(Batch(0, None, [], True), LAST_WATERMARK)


def undisturbed(spec: WindowSpec) -> list[str]:
    query = Query(spec)
    query.run(FIRST)
    query.run(SECOND)
    return query.end()


def truncated(data: bytes) -> bytes:
    return data[: len(data) // 2]


def other_arrow(data: bytes) -> bytes:
    return stream_of(pa.RecordBatch.from_pydict({"something": [1, 2]}))


BREAKS = pytest.mark.parametrize(
    "broken", [truncated, other_arrow, lambda data: b"", lambda data: b"\0" * len(data)], ids=["half", "other", "", "0"]
)


def test_messages_leave_in_frames_of_bounded_bytes(monkeypatch: pytest.MonkeyPatch) -> None:
    spec = PER_ROW
    rows = Batch(0, None, [row(key, n) for n in range(30) for key in "ab"], True)
    (whole,) = Query(spec).frames(rows)
    assert whole["count"].sum() > 1
    monkeypatch.setattr(micro_batch, "BATCH_BYTES", 1)
    monkeypatch.setattr(micro_batch, "within_bytes", lambda batches: within_bytes(batches, 200))
    frames = Query(spec).frames(rows)
    assert len(frames) > 1
    assert sum(frame["count"].sum() for frame in frames) == whole["count"].sum()
    assert [r for frame in frames for r in _records(frame)] == _records(whole)


def _records(frame: pd.DataFrame) -> list[str]:
    return [repr(r) for data in frame["rows"] if data is not None for r in batch_of_stream(data).to_pylist()]


@BOTH
@BREAKS
def test_a_broken_message(spec: WindowSpec, broken: Callable[[bytes], bytes]) -> None:
    query = Query(spec)
    query.run(FIRST)
    before = query.state
    with pytest.raises(WindowDataError, match="a packed batch of rows cannot be read"):
        query.run(SECOND, broken=broken)
    assert query.state == before
    query.run(SECOND)
    assert query.end() == undisturbed(spec)


@BOTH
@BREAKS
@pytest.mark.parametrize("variable", ["group", "buckets"])
def test_broken_state(spec: WindowSpec, variable: str, broken: Callable[[bytes], bytes]) -> None:
    query = Query(spec)
    query.run(FIRST)
    ((key, (whole,)),) = query.handle.values[variable].items()
    query.handle.values[variable][key] = (broken(whole),)
    before = query.state
    with pytest.raises(WindowDataError, match=r"cannot be read|has format version \?"):
        query.run(SECOND)
    assert query.state == before
    query.handle.values[variable][key] = (whole,)
    query.run(SECOND)
    assert query.end() == undisturbed(spec)


@pytest.mark.parametrize("wrong", [{}, [], 7, [1], [1, 2, 3], [1, 0, 0, 0, 0, 0, 0, None, {}, [[1]]], [1] * 10])
def test_meta_of_the_wrong_shape(wrong: Any) -> None:
    query = Query(COLUMNAR)
    query.run(FIRST)
    query.handle.values["group"][None] = (encode(wrong),)
    with pytest.raises(WindowDataError, match="window state cannot be read"):
        query.run(SECOND)


VERSIONS = {
    "group": (buckets_module, "META_VERSION"),
    "columnar": (columnar_module, "COLUMNAR_VERSION"),
    "per row": (bucket_module, "BUCKET_VERSION"),
}


@pytest.mark.parametrize("part", VERSIONS)
def test_state_of_a_newer_version_is_refused_and_left_alone(part: str, monkeypatch: pytest.MonkeyPatch) -> None:
    spec = PER_ROW if part == "per row" else COLUMNAR
    module, constant = VERSIONS[part]
    query = Query(spec)
    query.run(FIRST)
    ((_, (data,)),) = query.handle.values["buckets"].items()
    assert is_columnar(data) == (spec is COLUMNAR)
    before = query.state
    written = getattr(module, constant)
    with monkeypatch.context() as older:
        older.setattr(module, constant, written - 1)
        with pytest.raises(WindowDataError) as caught:
            query.run(SECOND)
    assert f"has format version {written}, this winsql reads version {written - 1}" in caught.value.problem
    assert caught.value.hint == "run the winsql that wrote the checkpoint, or start the query with a new checkpoint"
    assert query.state == before
    query.run(SECOND)
    assert query.end() == undisturbed(spec)
