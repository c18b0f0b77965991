"""What becomes of state: its time to live in a query that the clock runs, and a micro-batch that cannot be read."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pytest
from pyspark.cloudpickle import register_pickle_by_value, unregister_pickle_by_value
from pyspark.errors import StreamingQueryException
from streaming import Rows, Source, run_sql

import winsql
from winsql.errors import WindowDataError
from winsql.spark.messages.failure import translate
from winsql.spark.streaming import stateful
from winsql.spark.streaming.packing import Packing

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HERE = Path(__file__).resolve().parent

COUNT = "SELECT k, collect_list(n) AS l FROM kept WINDOW ASSIGN COUNT(3) {} GROUP BY k"


@pytest.mark.slow
def test_state_ttl_by_the_clock(spark: SparkSession, tmp_path: Path) -> None:
    source = Source(tmp_path / "in")
    source.put([("a", 1, 1.0, 0), ("a", 2, 1.0, 1)])
    source.stream(spark, "kept", delay=None)
    rows, checkpoint = Rows(tmp_path / "rows"), tmp_path / "checkpoint"
    query = rows.start(winsql.sql(spark, COUNT.format("STATE TTL '2 seconds'")), checkpoint)
    try:
        while not any(batch.numInputRows for batch in query.recentProgress) and not query.awaitTermination(1):
            pass
        while winsql.state(spark, str(checkpoint)).count() and not query.awaitTermination(1):
            pass
        source.put([("a", 3, 1.0, 2), ("a", 4, 1.0, 3), ("a", 5, 1.0, 4)])
        while not rows.taken() and not query.awaitTermination(1):
            pass
    finally:
        query.stop()
    assert rows.taken() == [("a", "[2, 3, 4]")]


class Truncating(Packing):
    """Loses the second half of every message."""

    __slots__ = ()

    def __call__(self, batches: Iterable[pa.RecordBatch]) -> Iterator[pa.RecordBatch]:
        for batch in Packing.__call__(self, batches):
            place = batch.schema.get_field_index("rows")
            halves = [message[: len(message) // 2] for message in batch.column(place).to_pylist()]
            yield batch.set_column(place, batch.schema.field(place), pa.array(halves, pa.binary()))


@pytest.mark.slow
def test_broken_rows_end_the_query_and_it_goes_on_from_there(
    spark: SparkSession, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    source = Source(tmp_path / "in")
    source.put([("a", 1, 1.0, 0), ("a", 2, 1.0, 1)])
    source.stream(spark, "kept")
    assert run_sql(spark, [COUNT.format("")], tmp_path / "checkpoints") == [[]]
    source.put([("a", 3, 1.0, 2)])
    register_pickle_by_value(sys.modules[__name__])
    try:
        with monkeypatch.context() as broken:
            broken.setattr(stateful, "Packing", Truncating)
            with pytest.raises(StreamingQueryException) as caught:
                run_sql(spark, [COUNT.format("")], tmp_path / "checkpoints")
    finally:
        unregister_pickle_by_value(sys.modules[__name__])
    error = translate(caught.value)
    assert isinstance(error, WindowDataError)
    assert error.problem.startswith("a packed batch of rows cannot be read")
    assert run_sql(spark, [COUNT.format("")], tmp_path / "checkpoints") == [[("a", "[0, 1, 2]")]]
