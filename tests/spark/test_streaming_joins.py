"""WINDOW JOIN on streams: the rows of tables, late rows of two inputs, and what is refused before a start."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pandas as pd
import pytest
from streaming import Event, Source, rows_of, run_sql

import winsql
from winsql.errors import WindowPlanError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FAR = 1_000_000.0
END = [("end", FAR, 0.0, -1)]
NEVER = "2024-01-12"
"""The day of the last rows, whose windows end on tables only."""
STATEMENTS = [
    "SELECT x.k, x.n, y.n AS m, window_end FROM left_{t} x FULL WINDOW JOIN right_{t} y ON x.k = y.k AND x.v < y.v "
    "WINDOW ASSIGN SLIDING((x.ts, y.ts), '1 minute', '40 seconds')",
    "SELECT x.k, x.n, y.n AS m, window_end FROM left_{t} x LEFT WINDOW JOIN right_{t} y ON x.k = y.k "
    "WINDOW ASSIGN SESSION((x.ts, y.ts), '12 seconds')",
    "SELECT k, transform(left, a -> a.n) AS ns, size(right) AS m, window_end "
    "FROM co_group(TABLE(left_{t}) PARTITION BY k, TABLE(right_{t}) PARTITION BY k, DESCRIPTOR(ts, ts), "
    "TUMBLING('20 seconds'))",
    "SELECT * FROM co_group(TABLE(left_{t}) PARTITION BY k, TABLE(right_{t}) PARTITION BY k, DESCRIPTOR(ts, ts), "
    "SESSION('5 seconds'), apply => 'sums_of_sides')",
]


def _ordered(seed: int, count: int) -> list[Event]:
    """Rows in order of time: however they are split, none is late if both sides are split at the same times."""
    rng = random.Random(seed)
    times = sorted(round(rng.uniform(0, 600), 3) for _ in range(count))
    return [(rng.choice(["a", "b", None]), t, float(rng.randrange(9)), i) for i, t in enumerate(times)]


def _sources(folder: Path, spark: SparkSession) -> tuple[Source, Source]:
    sides = Source(folder / "left"), Source(folder / "right")
    sides[0].stream(spark, "left_stream")
    sides[1].stream(spark, "right_stream", "3 seconds")
    return sides


@pytest.mark.slow
def test_a_stream_gives_the_rows_of_a_table(spark: SparkSession, tmp_path: Path) -> None:
    left, right = _sources(tmp_path, spark)
    for source, events in ((left, _ordered(1, 70)), (right, _ordered(2, 60))):
        source.put([e for e in events if e[1] < 250], [e for e in events if e[1] >= 250], END)
        source.table(spark, source.folder.name + "_table")

    def sums(key: Any, window: Any, left: pd.DataFrame, right: pd.DataFrame) -> pd.DataFrame:
        return pd.DataFrame({"k": [key[0]], "v": [left["v"].sum()], "w": [right["v"].sum()], "till": [window[1]]})

    winsql.register_co_group_function("sums_of_sides", sums, returns="k STRING, v DOUBLE, w DOUBLE, till TIMESTAMP")
    found = run_sql(spark, [text.format(t="stream") for text in STATEMENTS], tmp_path / "checkpoints")
    for text, rows in zip(STATEMENTS, found, strict=True):
        frame = winsql.sql(spark, text.format(t="table"))
        wanted = Counter({row: n for row, n in rows_of(frame).items() if not row[-1].startswith(NEVER)})
        assert Counter(rows) == wanted, text
        assert len(wanted) > 50, text


@pytest.mark.slow
def test_late_rows_of_both_sides(spark: SparkSession, tmp_path: Path) -> None:
    """The watermark is the smaller one: the left one has passed 10 long before, the right one with its third file."""
    left, right = _sources(tmp_path, spark)
    left.put([("a", 1, 0.0, 1)], [("a", 100, 0.0, 2)], [("a", 2, 0.0, 3)], [("a", 3, 0.0, 4)], [("a", 4, 0.0, 5)], END)
    right.put([("a", 5, 0.0, 1)], [("a", 12, 0.0, 2)], [("a", 19, 0.0, 3)], [("a", 6, 0.0, 4)], [("b", 7, 0.0, 5)], END)
    rows: list[tuple[Any, ...]] = []
    late: list[tuple[Any, ...]] = []

    def collect(batch: Any, late_rows: Any, number: int) -> None:
        rows.extend((row.n, row.m, row.pane_index) for row in batch.collect())
        late.extend((row.x and row.x.n, row.y and row.y.n) for row in late_rows.collect())

    text = (
        "SELECT x.n, y.n AS m, pane_index FROM left_stream x WINDOW JOIN right_stream y ON x.k = y.k "
        "WINDOW ASSIGN TUMBLING((x.ts, y.ts), '10 seconds') LATE INTO late"
    )
    writer = winsql.for_each_batch(spark, text, collect).option("checkpointLocation", str(tmp_path / "checkpoint"))
    writer.trigger(availableNow=True).start().awaitTermination()
    assert sorted(rows) == [(1, 1, 0), (3, 1, 0)]
    assert sorted(late, key=str) == [(4, None), (5, None), (None, 4), (None, 5)]


def test_refused_before_the_start(spark: SparkSession, tmp_path: Path) -> None:
    left, _ = _sources(tmp_path, spark)
    left.table(spark, "left_table")
    left.stream(spark, "unmarked", None)
    join = "SELECT * FROM {} x WINDOW JOIN {} y ON x.k = y.k WINDOW ASSIGN TUMBLING((x.ts, y.ts), '1 hour')"
    with pytest.raises(WindowPlanError, match="y is a table and the other side of the join a stream"):
        winsql.sql(spark, join.format("left_stream", "left_table"))
    with pytest.raises(WindowPlanError, match="the stream x has no watermark"):
        winsql.sql(spark, join.format("unmarked", "left_stream"))
    spark.conf.set("spark.sql.streaming.multipleWatermarkPolicy", "max")
    try:
        with pytest.raises(WindowPlanError) as caught:
            winsql.sql(spark, join.format("left_stream", "right_stream"))
    finally:
        spark.conf.unset("spark.sql.streaming.multipleWatermarkPolicy")
    assert "SET spark.sql.streaming.multipleWatermarkPolicy=min" in str(caught.value)


WINDOWS = "WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k"
SEVERAL_WATERMARKS = [
    f"SELECT k, count(*) AS n FROM left_stream {WINDOWS} UNION ALL SELECT k, count(*) FROM right_stream {WINDOWS}",
    f"SELECT k, count(*) AS n FROM (SELECT k, ts FROM left_stream UNION ALL SELECT k, ts FROM right_stream) {WINDOWS}",
]


@pytest.mark.parametrize("text", SEVERAL_WATERMARKS)
def test_another_watermark_than_the_smallest(text: str, spark: SparkSession, tmp_path: Path) -> None:
    """The rows of the slower stream would be dropped as late ones."""
    _sources(tmp_path, spark)
    spark.conf.set("spark.sql.streaming.multipleWatermarkPolicy", "max")
    try:
        winsql.sql(spark, f"SELECT k, count(*) AS n FROM left_stream {WINDOWS}")
        winsql.sql(spark, text.replace(WINDOWS, "WINDOW ASSIGN COUNT(2) GROUP BY k"))
        with pytest.raises(WindowPlanError, match="the session follows the max of several watermarks") as caught:
            winsql.sql(spark, text)
        spark.conf.set("spark.sql.streaming.multipleWatermarkPolicy", "MIN")
        winsql.sql(spark, text)
    finally:
        spark.conf.unset("spark.sql.streaming.multipleWatermarkPolicy")
    assert "SET spark.sql.streaming.multipleWatermarkPolicy=min" in str(caught.value)
