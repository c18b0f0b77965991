"""One streaming query of many windows and keys against the same query on a table.

Rows come out of order within the delay of the watermark, cut into micro-batches at random. Keys of even `c` come in
order of event time: only they go to windows that see the order. The same law, with many more examples and without
Spark, is in tests/columnar/test_streams_equal_tables.py.
"""

from __future__ import annotations

import random
from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streaming import Event, Source, rows_of, run_sql

import winsql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

DELAY, CASES, ROWS = 20, 14, 24
END = 1_000_000.0
KEYS = "n div 10 AS c, k, nullif(n % 10, 0) AS m"
GROUPS = "GROUP BY n div 10, k, nullif(n % 10, 0)"
SPECS = {
    "sliding": "CAST(sum(v) AS STRING), count(*) FROM {t} WINDOW ASSIGN SLIDING(ts, '1 minute', '20 seconds')",
    "session": "CAST(max(v) AS STRING), count(*) FROM {t} WINDOW ASSIGN SESSION(ts, '25 seconds')",
    "count": "CAST(collect_list(v) AS STRING), count(k) FROM {t} WHERE (n div 10) % 2 = 0 "
    "WINDOW ASSIGN COUNT(3, 2, time => ts)",
    "delta": "CAST(collect_list(v) AS STRING), count(*) FROM {t} WHERE (n div 10) % 2 = 0 WINDOW ASSIGN GLOBAL(ts) "
    "TRIGGER DELTA(v, 3) EVICT TIME('40 seconds')",
}


def _statement(table: str) -> str:
    head = f"AS q, {KEYS}, window_start AS ws, window_end AS we"
    return "\nUNION ALL\n".join(f"SELECT '{name}' {head}, {spec} {GROUPS}" for name, spec in SPECS.items()).replace(
        "{t}", table
    )


def _arriving(rng: random.Random) -> list[Event]:
    """Rows of all cases in the order of their arrival: event time and a way no longer than the delay."""
    rows = []
    for case in range(CASES):
        for _ in range(ROWS):
            time = round(rng.uniform(0, 300), 3)
            way = rng.uniform(0, DELAY) if case % 2 else 0.0
            key = rng.choice(["a", "b", None])
            rows.append((time + way, (key, time, float(rng.randrange(10)), case * 10 + rng.randrange(2))))
    return [row for _, row in sorted(rows, key=lambda row: row[0])]


def _split(rng: random.Random, rows: list[Event], parts: int) -> list[list[Event]]:
    cuts = sorted(rng.sample(range(1, len(rows)), parts - 1))
    return [rows[i:j] for i, j in zip([0, *cuts], [*cuts, len(rows)], strict=True)]


@pytest.mark.slow
def test_batch_against_stream(spark: SparkSession, tmp_path: Path) -> None:
    rng = random.Random(2024)
    source = Source(tmp_path / "in")
    rows = _arriving(rng)
    assert any(later[1] < row[1] for row, later in pairwise(rows))
    source.put(*_split(rng, rows, 4), [(None, END, 0.0, CASES * 10)])
    source.stream(spark, "either_stream", f"{DELAY} seconds")
    source.table(spark, "either_table")
    plan = winsql.explain(spark, _statement("either_stream"))
    assert [plan.count(f"engine:             {engine}") for engine in ("columnar", "the per-row operator")] == [2, 2]
    expected = rows_of(winsql.sql(spark, _statement("either_table")))
    (found,) = run_sql(spark, [_statement("either_stream")], tmp_path / "checkpoints")
    at_the_end = str(CASES)  # on a stream the windows of this case stay open
    assert Counter(found) == Counter({row: n for row, n in expected.items() if row[1] != at_the_end})
    counts = Counter(row[0] for row in found)
    assert all(counts[name] > 40 for name in SPECS), counts
