"""Flink SQL's window Top-N and deduplication: on streams each window is ranked in the micro-batch that ends it."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streaming import Event, Source, rows_of, run_sql

import winsql
from winsql.errors import WindowPlanError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FAR = 1_000_000.0

# statements over {t}; {closed} leaves out the window that is open at the end of a stream
STATEMENTS = {
    "Top-N of a window aggregation, with ties": """
        SELECT * FROM (
          SELECT *, RANK() OVER (PARTITION BY window_start, window_end ORDER BY total DESC NULLS FIRST, cnt) AS place
          FROM (
            SELECT window_start, window_end, k, SUM(v) FILTER (WHERE n % 3 = 0) AS total, COUNT(*) AS cnt
            FROM TABLE(TUMBLE(TABLE {t}, DESCRIPTOR(ts), INTERVAL '1' MINUTES))
            GROUP BY window_start, window_end, k
          ) AS sums WHERE sums.cnt < 9
        ) WHERE place <= 3 AND {closed}""",
    "Top-N of the rows of windows": """
        SELECT best.window_start, k, n, rownum FROM (
          SELECT b.*, ROW_NUMBER() OVER (PARTITION BY b.window_start, window_end, b.k ORDER BY v, n DESC) AS rownum
          FROM TABLE(HOP(TABLE {t}, DESCRIPTOR(ts), '30 seconds', '1 minute')) b WHERE v <> 3
        ) best WHERE rownum <= 2 AND {closed}""",
}
CLOSED = "window_start < TIMESTAMP'2024-01-02'"


def _events() -> list[list[Event]]:
    """Many keys, of which a batch has few: most key groups are woken by the watermark alone."""
    rng = random.Random(5)
    times = sorted(rng.uniform(-200, 200) for _ in range(240))
    values = [0.0, -0.0, float("nan"), 1.5, 3.0, 7.0]
    rows: list[Event] = [(f"k{rng.randrange(20)}", round(t, 3), rng.choice(values), i) for i, t in enumerate(times)]
    return [rows[:150], rows[150:153], [*rows[153:], ("end", FAR, 0.0, -1)]]


@pytest.mark.slow
def test_a_stream_gives_the_rows_of_a_table(spark: SparkSession, tmp_path: Path) -> None:
    source = Source(tmp_path / "in")
    source.put(*_events())
    source.stream(spark, "rank_stream")
    source.table(spark, "rank_table")
    texts = [text.format(t="rank_stream", closed=CLOSED) for text in STATEMENTS.values()]
    for (name, text), rows in zip(STATEMENTS.items(), run_sql(spark, texts, tmp_path / "checkpoints"), strict=True):
        expected = rows_of(winsql.sql(spark, text.format(t="rank_table", closed=CLOSED)))
        assert Counter(rows) == expected, name
        assert sum(expected.values()) > 15, name


def test_refused_before_the_start(spark: SparkSession, tmp_path: Path) -> None:
    Source(tmp_path / "in").stream(spark, "rank_stream")
    ranked = "SELECT k, {f}() OVER (PARTITION BY window_start, window_end ORDER BY {o}) AS r FROM {r}"
    call = "TUMBLE(TABLE rank_stream, DESCRIPTOR(ts), '1 hour')"
    with pytest.raises(WindowPlanError, match="cannot be ranked by on a stream") as caught:
        winsql.sql(spark, ranked.format(f="ROW_NUMBER", o="array(v)", r=call))
    assert caught.value.span is not None
    with pytest.raises(WindowPlanError, match="HISTOGRAM_NUMERIC OVER cannot run on a stream") as caught:
        winsql.sql(spark, ranked.format(f="histogram_numeric", o="v", r=call).replace("()", "(v, 5)"))
    assert caught.value.span is not None
