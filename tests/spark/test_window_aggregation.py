"""Flink SQL's window aggregation: on tables Spark's own, on streams winsql's operator, with the same rows."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streaming import Event, Source, rows_of, run_sql

import winsql
from winsql.errors import WindowPlanError, WindowSpecError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FAR = 1_000_000.0

# statements over {t}; on a stream the window of the last row, whose n is -1, stays open, so HAVING leaves it out
STATEMENTS = {
    "names before columns, expressions, WHERE, FILTER": """
        SELECT b.window_end AS till, upper(b.k) AS kk, count(*) FILTER (WHERE b.v > 50) + 1 AS many,
          COUNT(DISTINCT n % 5) AS d, unix_micros(b.window_end) - unix_micros(b.window_start) AS size
        FROM HOP(DATA => TABLE {t}, TIMECOL => DESCRIPTOR(ts), SLIDE => '30 seconds', SIZE => '1 minute') AS b
        WHERE b.v <> 7
        GROUP BY b.window_start, b.window_end, upper(b.k) HAVING count(*) > 1 AND max(n) >= 0""",
    "positions, aliases, the time of a window": """
        SELECT window_start AS a, window_end AS z, window_time, k AS key, min(n) AS m
        FROM TABLE(CUMULATE(TABLE {t}, DESCRIPTOR(ts), '20 seconds', '1 minute', '10 seconds'))
        GROUP BY 1, z, window_time, k HAVING m >= 0""",
    "a CTE that hands on": """
        WITH w AS (SELECT upper(k) AS key, v, n, window_start, window_end, window_time
          FROM TABLE(HOP(TABLE {t}, DESCRIPTOR(ts), INTERVAL '20' SECONDS, INTERVAL '40' SECONDS)) WHERE v <> 50)
        SELECT key, w.window_start, count(*) AS c, max(v) AS top FROM w
        GROUP BY w.window_start, w.window_end, key HAVING max(n) >= 0""",
    "sessions": """
        SELECT s.k, count(*) AS c, window_start, window_end FROM TABLE(SESSION(
          TABLE(SELECT * FROM {t}) PARTITION BY k, DESCRIPTOR(ts), INTERVAL '12' SECOND)) s
        GROUP BY s.k, window_start, window_end HAVING max(n) >= 0""",
    "grouping sets": """
        SELECT window_start, window_end, k, n % 2 AS odd, sum(v) AS total, max(k) AS top, grouping(k) AS g,
          grouping(n % 2) + 1 AS h
        FROM TABLE(TUMBLE(TABLE {t}, DESCRIPTOR(ts), '2 minutes'))
        GROUP BY window_start, window_end, GROUPING SETS ((k, n % 2), (k), ())
        HAVING max(n) >= 0""",
    "numbers of grouping sets": """
        SELECT GROUPING_ID(k) AS a, grouping_id(n % 2, k) + 1 AS b, GROUPING_ID() AS c, grouping__id AS d,
          GROUPING_ID(window_start, n % 2) AS e, k, n % 2 AS odd, window_end, count(*) AS many
        FROM TABLE(TUMBLE(TABLE {t}, DESCRIPTOR(ts), '2 minutes'))
        GROUP BY CUBE (k, n % 2), window_start, window_end
        HAVING max(n) >= 0 AND GROUPING_ID(k) < 2""",
    "numbers of grouping sets of a CTE": """
        WITH w AS (SELECT k, n, window_start, window_end FROM TABLE(TUMBLE(TABLE {t}, DESCRIPTOR(ts), '2 minutes')))
        SELECT w.k, GROUPING_ID(k) AS a, w.window_end, count(*) AS many
        FROM w GROUP BY w.window_start, w.window_end, ROLLUP (k)
        HAVING max(n) >= 0""",
}


def _events() -> list[list[Event]]:
    rng = random.Random(23)
    times = sorted(rng.uniform(-300, 300) for _ in range(150))
    rows: list[Event] = [
        (rng.choice(["a", "b", None]), round(t, 3), float(rng.randrange(100)), i) for i, t in enumerate(times)
    ]
    return [rows[:70], [*rows[70:], ("end", FAR, 0.0, -1)]]


@pytest.mark.slow
def test_a_stream_gives_the_rows_of_a_table(spark: SparkSession, tmp_path: Path) -> None:
    source = Source(tmp_path / "in")
    source.put(*_events())
    source.stream(spark, "agg_stream")
    source.table(spark, "agg_table")
    texts = [text.format(t="agg_stream") for text in STATEMENTS.values()]
    for (name, text), rows in zip(STATEMENTS.items(), run_sql(spark, texts, tmp_path / "checkpoints"), strict=True):
        expected = rows_of(winsql.sql(spark, text.format(t="agg_table")))
        assert Counter(rows) == expected, name
        assert sum(expected.values()) > 10, name


def test_a_table_groups_the_windows_of_the_operator(spark: SparkSession, tmp_path: Path) -> None:
    source = Source(tmp_path / "in")
    source.put(*_events())
    source.table(spark, "agg_table")
    items = "k, window_start, window_end, sum(v) AS s, count(DISTINCT n % 5) AS d"
    pairs = [
        ("TUMBLE(TABLE agg_table, DESCRIPTOR(ts), '7 seconds', '-1 second')", "TUMBLING(ts, '7 seconds', '-1 second')"),
        ("HOP(TABLE agg_table, DESCRIPTOR(ts), '3 seconds', '8 seconds')", "SLIDING(ts, '8 seconds', '3 seconds')"),
        (
            "CUMULATE(TABLE agg_table, DESCRIPTOR(ts), '3 seconds', '9 seconds')",
            "CUMULATING(ts, '9 seconds', '3 seconds')",
        ),
    ]
    calls = (f"SELECT {items} FROM {call} GROUP BY window_start, window_end, k" for call, _ in pairs)
    assigned = (f"SELECT {items} FROM agg_table WINDOW ASSIGN {assigner} GROUP BY k" for _, assigner in pairs)
    found, expected = (rows_of(winsql.sql(spark, " UNION ALL ".join(texts))) for texts in (calls, assigned))
    assert found == expected
    assert sum(found.values()) > 200


@pytest.mark.parametrize(
    ("text", "problem", "hint"),
    [
        (
            "SELECT k, count(*) FROM HOP(TABLE {t}, DESCRIPTOR(ts), '1 hour', '2 hours') GROUP BY window_start, k",
            "GROUP BY has no window_end",
            "add window_end to GROUP BY",
        ),
        (
            "SELECT k, count(*) FROM TUMBLE(TABLE {t}, DESCRIPTOR(ts), '1 hour') "
            "GROUP BY GROUPING SETS ((window_start, window_end), (k))",
            "GROUP BY has no window_end",
            "of each grouping set",
        ),
        (
            "SELECT k, count(*) FROM TUMBLE(TABLE {t}, DESCRIPTOR(ts), '1 hour') "
            "GROUP BY window_start, window_end, k WITH ROLLUP",
            "WITH ROLLUP would group across windows",
            "ROLLUP(...)",
        ),
    ],
)
def test_refused_on_streams_only(spark: SparkSession, tmp_path: Path, text: str, problem: str, hint: str) -> None:
    source = Source(tmp_path / "in")
    source.put([("a", 1, 1.0, 0)])
    source.stream(spark, "agg_stream")
    with pytest.raises(WindowSpecError, match=problem) as caught:
        winsql.sql(spark, text.format(t="agg_stream"))
    assert hint in (caught.value.hint or "")
    assert caught.value.span is not None
    source.table(spark, "agg_table")
    assert winsql.sql(spark, text.format(t="agg_table")).columns


def test_a_stream_needs_a_watermark(spark: SparkSession, tmp_path: Path) -> None:
    Source(tmp_path / "in").stream(spark, "bare_stream", delay=None)
    text = "SELECT count(*) FROM TUMBLE(TABLE bare_stream, DESCRIPTOR(ts), '1 hour') GROUP BY window_start, window_end"
    with pytest.raises(WindowPlanError, match="no watermark"):
        winsql.sql(spark, text)
