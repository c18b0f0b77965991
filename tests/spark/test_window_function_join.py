"""Flink SQL's window join: on tables a join of Spark's, on streams a WINDOW JOIN, with the same rows."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streaming import Event, Source, rows_of, run_sql

import winsql
from winsql.errors import WinsqlError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FAR = 1_000_000.0

STATEMENTS = {
    "the form of the documentation": """
        SELECT * FROM (
          SELECT L.n AS L_n, L.k AS L_k, R.n AS R_n, R.k AS R_k,
            COALESCE(L.window_start, R.window_start) AS window_start, COALESCE(L.window_end, R.window_end) AS window_end
          FROM (
            SELECT * FROM TABLE(TUMBLE(TABLE {l}, DESCRIPTOR(ts), INTERVAL '20' SECONDS, INTERVAL '3' SECONDS))
          ) L
          FULL JOIN (
            SELECT * FROM TABLE(TUMBLE(TABLE {r}, DESCRIPTOR(ts), INTERVAL '20' SECONDS, INTERVAL '3' SECONDS))
            WHERE v > 20
          ) R
          ON L.k = R.k AND L.window_start = R.window_start AND L.window_end = R.window_end
        ) WHERE window_start < TIMESTAMP'2024-01-02'""",
    "functions side by side": """
        SELECT * FROM (
          SELECT a.n, b.n AS m, b.two, a.window_time AS wt
          FROM HOP(TABLE {l}, DESCRIPTOR(ts), '10 seconds', '20 seconds') AS a
          JOIN HOP(TABLE(SELECT *, 2 AS two FROM {r}), DESCRIPTOR(ts), '10 seconds', '20 seconds') AS b
          ON a.window_end = b.window_end AND a.window_start = b.window_start AND a.k = b.k AND a.n % 2 = b.n % b.two
        ) WHERE wt < TIMESTAMP'2024-01-02'""",
    "CTEs and stars; the window columns of a side without a row are NULL": """
        WITH a AS (SELECT k, n, window_start, window_end FROM TUMBLE(TABLE {l}, DESCRIPTOR(ts), '15 seconds')),
          b AS (SELECT * FROM TUMBLE(TABLE {r}, DESCRIPTOR(ts), '15 seconds') WHERE v > 30)
        SELECT a.n, a.k, b.*, a.window_end AS till, coalesce(a.window_start, b.window_start) AS since
        FROM a FULL JOIN b ON a.k = b.k AND a.window_start = b.window_start AND a.window_end = b.window_end
        WHERE coalesce(a.n, b.n) >= 0""",
    "semi join": """
        SELECT * FROM (SELECT * FROM TABLE(TUMBLE(TABLE {l}, DESCRIPTOR(ts), INTERVAL '20' SECONDS))) L WHERE L.k IN (
          SELECT k FROM (SELECT * FROM TABLE(TUMBLE(TABLE {r}, DESCRIPTOR(ts), INTERVAL '20' SECONDS))) R
          WHERE L.window_start = R.window_start AND L.window_end = R.window_end
        ) AND n >= 0""",
    "anti join": """
        SELECT L.n, L.window_time, L.window_end FROM TABLE(TUMBLE(TABLE {l}, DESCRIPTOR(ts), INTERVAL '20' SECONDS)) L
        WHERE NOT EXISTS (
          SELECT * FROM TABLE(TUMBLE(TABLE {r}, DESCRIPTOR(ts), INTERVAL '20' SECONDS)) R
          WHERE L.k = R.k AND L.v < R.v AND L.window_start = R.window_start AND L.window_end = R.window_end
        ) AND n >= 0""",
}


def _events(seed: int) -> list[list[Event]]:
    rng = random.Random(seed)
    times = sorted(rng.uniform(-100, 100) for _ in range(40))
    rows: list[Event] = [(rng.choice("abc"), round(t, 3), float(rng.randrange(100)), i) for i, t in enumerate(times)]
    return [rows[:20], [*rows[20:], ("end", FAR, 99.0, -1)]]


@pytest.mark.slow
def test_streams_give_the_rows_of_tables(spark: SparkSession, tmp_path: Path) -> None:
    for name in ("left", "right"):
        source = Source(tmp_path / name)
        source.put(*_events(len(name)))
        source.stream(spark, f"{name}_stream")
        source.table(spark, f"{name}_table")
    texts = [text.format(l="left_stream", r="right_stream") for text in STATEMENTS.values()]
    for (name, text), rows in zip(STATEMENTS.items(), run_sql(spark, texts, tmp_path / "checkpoints"), strict=True):
        expected = rows_of(winsql.sql(spark, text.format(l="left_table", r="right_table")))
        assert Counter(rows) == expected, name
        assert sum(expected.values()) > 15, name


def test_starts_of_windows_of_two_sizes_join_none(spark: SparkSession, tmp_path: Path) -> None:
    Source(tmp_path / "in").stream(spark, "one")
    text = """SELECT l.n FROM TUMBLE(TABLE one, DESCRIPTOR(ts), '1 hour') AS l
        JOIN TUMBLE(TABLE one, DESCRIPTOR(ts), '2 hours') AS r ON l.k = r.k AND l.window_start = r.window_start"""
    with pytest.raises(WinsqlError, match="this join of windows") as caught:
        winsql.sql(spark, text)
    spark.catalog.dropTempView("one")
    assert caught.value.hint
