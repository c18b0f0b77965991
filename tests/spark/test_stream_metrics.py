"""What a user can read of a running and of a stopped windowed stream: firings, late rows, open windows, state."""

from __future__ import annotations

import zlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from streaming import Source

import winsql
from winsql.errors import WindowPlanError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

VIEWS = {
    "tumbling": "SELECT k, sum(v) AS s FROM measured WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k",
    "counting": "SELECT k, v AS s FROM measured WINDOW ASSIGN COUNT(2) PARTITION BY k",
}


@pytest.fixture
def source(spark: SparkSession, tmp_path: Path) -> Source:
    source = Source(tmp_path / "in")
    source.put(
        [("a", 1, 1.0, 0), ("b", 2, 1.0, 1), ("b", 12, 1.0, 2)],
        [("a", 3, 5.0, 3), ("b", 13, 5.0, 4)],  # the first is late: the watermark is 00:00:12
    )
    source.stream(spark, "measured")
    return source


def _run(spark: SparkSession, checkpoint: Path) -> list[Any]:
    """One query over both views; its progress, micro-batch by micro-batch."""
    for name, text in VIEWS.items():
        winsql.sql(spark, text).createOrReplaceTempView(name)
    both = spark.table("tumbling").unionAll(spark.table("counting"))
    writer = both.writeStream.format("noop").option("checkpointLocation", str(checkpoint))
    query = writer.trigger(availableNow=True).start()
    query.awaitTermination()
    return list(query.recentProgress)


def _told(progress: list[Any], view: str) -> list[tuple[int, ...]]:
    """Firings and late rows of a view, of the micro-batches that had some."""
    name = f"winsql_0_{zlib.crc32((VIEWS[view] + 'measured').encode()):08x}"  # the statement, and what it reads
    counts = [batch.observedMetrics[name] for batch in progress if name in batch.observedMetrics]
    found = [row.asDict() for row in counts]
    values = [row.get("values", list(row.values())) for row in found]  # Connect's client keeps the names elsewhere
    return [tuple(row) for row in values if any(row)]


@pytest.mark.slow
def test_progress_and_checkpoint_tell_the_same(spark: SparkSession, source: Source, tmp_path: Path) -> None:
    progress = _run(spark, tmp_path / "checkpoint")
    assert _told(progress, "tumbling") == [(2, 1)]
    assert _told(progress, "counting") == [(1, 0), (1, 0)]  # a firing of two rows counts once
    found = winsql.stream_metrics(spark, str(tmp_path / "checkpoint"))
    assert found.pop("state_bytes") > 500
    assert found == {"late_rows": 1, "firings": 4, "open_windows": 3}  # b in [10, 20); PURGING keeps COUNT's windows


def test_a_checkpoint_without_windows(spark: SparkSession, source: Source, tmp_path: Path) -> None:
    writer = spark.table("measured").writeStream.format("noop").option("checkpointLocation", str(tmp_path / "plain"))
    writer.trigger(availableNow=True).start().awaitTermination()
    with pytest.raises(WindowPlanError, match="holds no windows"):
        winsql.stream_metrics(spark, str(tmp_path / "plain"))
