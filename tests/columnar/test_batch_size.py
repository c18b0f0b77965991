"""Output batches are bounded in bytes, whatever their rows hold."""

from __future__ import annotations

import pyarrow as pa

from winsql.spark.workers.batch_size import within_bytes


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
