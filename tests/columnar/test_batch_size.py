"""Output batches are bounded in bytes, whatever their rows hold."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import numpy as np
import pyarrow as pa
import pytest

from winsql.runtime.aggregates import bind_aggregate
from winsql.spark.workers import batch_size, partition, payload
from winsql.spark.workers.batch_size import portions, row_bytes, widest_row, within_bytes
from winsql.spark.workers.partition import run_partition
from winsql.spark.workers.task import Handout, Place, Task
from winsql.syntax import parse_statement


def _written(batch: pa.RecordBatch) -> int:
    """Bytes of the batch as Spark reads it."""
    sink = pa.BufferOutputStream()
    with pa.ipc.new_stream(sink, batch.schema) as writer:
        writer.write_batch(batch)
    return int(sink.getvalue().size)


def test_rows_stay_and_batches_are_small() -> None:
    lists = pa.array([list(range(n)) for n in range(600)], pa.list_(pa.int64()))
    texts = pa.array([None if n % 7 == 0 else "x" * (n * 5) for n in range(600)])
    batch = pa.record_batch([pa.array(range(600)), lists, texts], ["n", "l", "t"])
    limit = 100_000
    parts = list(within_bytes([batch, batch.slice(0, 0), batch.slice(3, 2)], limit))
    assert pa.Table.from_batches(parts) == pa.Table.from_batches([batch, batch.slice(3, 2)])
    assert len(parts) > batch.nbytes / limit
    assert all(_written(part) < limit * 1.1 for part in parts)


def test_a_row_that_is_too_large_goes_alone() -> None:
    batch = pa.record_batch([pa.array(["x" * 1_000, "y", "z" * 1_000, None])], ["t"])
    parts = list(within_bytes([batch], 500))
    assert [part.num_rows for part in parts] == [1, 1, 1, 1]


TEXTS = ["a", None, "four", "", "xx"]
BYTES = [1, 0, 4, 0, 2]
ARRAYS = {
    "texts": (pa.array(TEXTS), BYTES),
    "binary": (pa.array([text and text.encode() for text in TEXTS]), BYTES),
    "structs": (pa.array([{"t": text, "u": "!"} for text in TEXTS]), [n + 1 for n in BYTES]),
    "lists": (pa.array([["a"], None, ["fo", "ur"], [], ["x", None, "x"]]), BYTES),
    "nested": (pa.array([[{"t": "a"}], None, [{"t": "fo"}, {"t": "ur"}], [], [{"t": "xx"}]]), BYTES),
    "maps": (pa.array([{"a": ""}, None, {"fo": "ur"}, {}, {"x": "x"}], pa.map_(pa.string(), pa.string())), BYTES),
}


@pytest.mark.parametrize("kind", ARRAYS)
def test_the_bytes_of_rows(kind: str) -> None:
    array, expected = ARRAYS[kind]
    batch = pa.record_batch([array], ["c"])
    assert row_bytes(batch).tolist() == expected
    assert row_bytes(batch.slice(1, 3)).tolist() == expected[1:4]
    assert widest_row(batch) >= max(expected)


def test_portions_fit_or_are_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(batch_size, "BATCH_BYTES", 10)
    sizes = np.array([4, 4, 4, 11, 0, 0, 10, 1, 20])
    assert _ends(portions(sizes)) == [2, 3, 4, 7, 8, 9]
    assert _ends(portions(np.zeros(7, dtype=np.int64), most=3)) == [3, 6, 7]
    assert _ends(portions(np.zeros(4, dtype=np.int64), np.array([2, 1, 9, 1]), 3)) == [2, 3, 4]
    assert _ends(portions(sizes[:0])) == []


def _ends(parts: Iterator[slice]) -> list[int]:
    return [part.stop for part in parts]


LIMIT = 20_000
QUERY = "SELECT max(s), count(*) FROM t WINDOW ASSIGN SLIDING(ts, '4 seconds', '1 second') GROUP BY k"


@pytest.mark.parametrize("columnar", [True, False], ids=["columnar", "per row"])
@pytest.mark.parametrize("handout", Handout, ids=[handout.name for handout in Handout])
def test_long_rows_keys_and_results_leave_in_small_batches(
    handout: Handout, columnar: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each builder of batches bounds them itself: what cuts them afterwards would come too late for the memory."""
    task, rows = _task(handout), _rows(random.Random(7))
    expected = pa.Table.from_batches(run_partition(task, [rows], columnar=columnar))
    for module in (batch_size, payload):
        monkeypatch.setattr(module, "BATCH_BYTES", LIMIT)
    monkeypatch.setattr(partition, "within_bytes", lambda batches: batches)
    found = list(run_partition(task, [rows], columnar=columnar))
    assert pa.Table.from_batches(found).to_pylist() == expected.to_pylist()
    assert len(found) > 10
    for batch in found:
        assert batch.num_rows == 1 or batch.nbytes < LIMIT * 1.2


def _task(handout: Handout) -> Task:
    query = parse_statement(QUERY).query(0, {})
    kinds = {"MAX": (pa.string(), (2,)), "COUNT": (pa.int64(), ())}
    aggregates: Any = tuple(
        bind_aggregate(
            name,
            distinct=False,
            slots=slots,
            filter_slot=None,
            types=(kind,) * len(slots),
            result_type=kind,
            ansi=True,
        )
        for name, (kind, slots) in kinds.items()
    )
    return Task(
        spec=query.spec,
        handout=handout,
        aggregates=aggregates if handout in (Handout.RESULTS, Handout.FIRING) else (),
        trigger_aggregates=(),
        slots=1,
        keys=1,
        window_type=pa.timestamp("us", "UTC"),
        now=0,
        place=Place.of(query),
        apply=_texts,
    )


def _texts(firings: Any, firing: int, rows: pa.RecordBatch) -> pa.RecordBatch:
    """An apply function: the texts of both sides."""
    return pa.record_batch([pa.concat_arrays([rows.column(place).field("s") for place in (1, 2)])], ["s"])


def _rows(rng: random.Random) -> pa.RecordBatch:
    """Keys, values and both sides of a join with long texts; each key has a row a second."""
    count, keys = 40, 3
    texts = [rng.choice("xyz") * rng.choice((10, 300, 2_000)) for _ in range(count * keys)]
    side = [place % 2 for place in range(count * keys)]
    sides = [
        pa.array([{"s": text} if number == place else None for text, place in zip(texts, side, strict=True)])
        for number in (0, 1)
    ]
    columns = {
        "first": pa.array([place % count == 0 for place in range(count * keys)]),
        "ts": pa.array([place % count * 1_000_000 for place in range(count * keys)]).cast(pa.timestamp("us", "UTC")),
        "value": pa.array(texts),
        "k": pa.array([str(place // count) * 1_500 for place in range(count * keys)]),
        "side": pa.array(side),
        "left": sides[0],
        "right": sides[1],
    }
    return pa.RecordBatch.from_pydict(columns)
