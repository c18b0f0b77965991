"""Windows over the result of windows in one stream: the rows of tables, over several micro-batches and a restart."""

from __future__ import annotations

import itertools
import random
from collections import Counter
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from pyspark.sql import DataFrame
from pyspark.sql import functions as F
from streaming import Event, Source, rows_of, run

import winsql
from winsql.errors import WindowPlanError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FAR = 1_000_000.0
NO_DATA = "spark.sql.streaming.noDataMicroBatches.enabled"
NEVER = "2024-01-12"
"""The day of the last row, whose windows end on tables only."""
FIRST = """SELECT k, window_start, window_end, window_time, count(*) AS c, sum(v) AS s FROM events_{t}
    WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k"""
SESSIONS = """SELECT k, count(*) AS n, window_time AS rowtime FROM events_{t} WINDOW ASSIGN SESSION(ts, '3 seconds')
    GROUP BY k"""
COUNTS = """SELECT k, count(*) AS c, window_start, window_end
    FROM TABLE(HOP(TABLE events_{t}, DESCRIPTOR(ts), INTERVAL '20' SECONDS, INTERVAL '60' SECONDS))
    GROUP BY k, window_start, window_end"""
STATEMENTS = {
    "Top-N of tumbling over a view of sessions, as Flink SQL writes it": """
        SELECT * FROM (
          SELECT k, total, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY total DESC, k) AS place,
            window_end
          FROM (
            SELECT window_start, window_end, k, sum(n) AS total
            FROM TABLE(TUMBLE(TABLE sessions_{t}, DESCRIPTOR(rowtime), INTERVAL '2' MINUTES, INTERVAL '10' SECONDS))
            GROUP BY window_start, window_end, k
          )
        ) WHERE place <= 4""",
    "a join of windows, one of them a CTE": f"""
        WITH first AS ({FIRST}), renamed AS (SELECT k AS name, window_time AS at, c FROM first WHERE c > 0)
        SELECT x.name, x.c, y.n AS m, window_end
        FROM renamed x FULL WINDOW JOIN ({SESSIONS}) y ON x.name = y.k AND x.c > 1
        WINDOW ASSIGN TUMBLING((x.at, y.rowtime), '80 seconds')""",
    "windows of a CTE beside the largest of their moment, with rows that have no partner, counted once more": f"""
        WITH a AS (
          SELECT k, sum(v) AS total, window_start AS s, window_end AS e FROM events_{{t}}
          WINDOW ASSIGN SLIDING(ts, '60 seconds', '20 seconds') GROUP BY k
        )
        SELECT count(*) AS pairs, sum(coalesce(j.total, 0) + j.kinds) AS n, max(j.most) AS most, j.e FROM (
          SELECT a.k, a.total, y.most, y.kinds, y.window_end AS e FROM a
          RIGHT JOIN (
            SELECT max(c) AS most, count(DISTINCT c) AS kinds, window_start, window_end
            FROM (SELECT * FROM ({COUNTS}) WHERE c > 1)
            GROUP BY window_start, window_end HAVING sum(c) > 2
          ) y ON a.s = y.window_start AND a.e = y.window_end AND a.total >= 20 * y.most AND a.k < 'm'
        ) j GROUP BY j.e""",
}


def _events(seed: int, count: int) -> list[list[Event]]:
    """Rows up to eight seconds out of order, in micro-batches of different length; the watermark waits for ten."""
    rng = random.Random(seed)
    keys = "abcdefghijklmnopq"
    times = (rng.uniform(0, 900) for _ in range(count))
    rows: list[Event] = [(rng.choice(keys), round(t, 3), float(rng.randrange(100)), i) for i, t in enumerate(times)]
    rows.sort(key=lambda row: row[1] + rng.uniform(0, 8))
    cuts = [0, *sorted(rng.sample(range(count), 2)), count]
    return [rows[begin:end] for begin, end in itertools.pairwise(cuts)]


def _all(spark: SparkSession, kind: str) -> DataFrame:
    """All statements in one query, so that they share its micro-batches."""
    winsql.sql(spark, SESSIONS.format(t=kind)).createOrReplaceTempView(f"sessions_{kind}")
    frames = [winsql.sql(spark, text.format(t=kind)) for text in STATEMENTS.values()]
    named = [
        frame.select(
            F.lit(name).alias("name"), *(F.col(c).cast("string").alias(str(n)) for n, c in enumerate(frame.columns))
        )
        for name, frame in zip(STATEMENTS, frames, strict=True)
    ]
    return reduce(DataFrame.unionAll, named)


@pytest.mark.slow
def test_a_stream_gives_the_rows_of_a_table(spark: SparkSession, tmp_path: Path) -> None:
    source = Source(tmp_path / "in")
    source.stream(spark, "events_stream", "10 seconds")
    batches = _events(7, 400)
    source.put(*batches[:2])
    spark.conf.set("spark.sql.shuffle.partitions", "1")
    spark.conf.set(NO_DATA, "false")  # the first run ends with windows that its watermark has passed
    try:
        (before,) = run([_all(spark, "stream")], tmp_path / "checkpoints")
        spark.conf.unset(NO_DATA)
        source.put([*batches[2], ("end", FAR, 0.0, -1)])
        (after,) = run([_all(spark, "stream")], tmp_path / "checkpoints")
    finally:
        spark.conf.set("spark.sql.shuffle.partitions", "2")
        spark.conf.unset(NO_DATA)
    source.table(spark, "events_table")
    found = rows_of(_all(spark, "table"))
    wanted = Counter({row: n for row, n in found.items() if not row[-1].startswith(NEVER)})
    assert Counter(before + after) == wanted
    for name in STATEMENTS:
        for rows in (before, after):
            assert sum(row[0] == name for row in rows) > 5, name


@pytest.mark.parametrize(
    "text",
    [
        "SELECT window_end, count(*) FROM (SELECT a.window_end {join}) GROUP BY window_end",
        "SELECT count(*) FROM (SELECT a.window_time AS at {join}) WINDOW ASSIGN TUMBLING(at, '1 hour')",
    ],
)
def test_a_longer_join_hands_on_ends_of_the_past(spark: SparkSession, text: str) -> None:
    """By them windows would have ended before the rows come."""
    rate = spark.readStream.format("rate").load().selectExpr("timestamp AS ts", "value AS k", "value AS v")
    rate.withWatermark("ts", "1 second").createOrReplaceTempView("events_rate")
    side = f"({FIRST.format(t='rate')})"
    times = "(a.window_time, b.window_time)"
    join = f"FROM {side} a WINDOW JOIN {side} b ON a.k = b.k WINDOW ASSIGN TUMBLING({times}, '1 day')"
    with pytest.raises(WindowPlanError, match="both wait for a watermark"):
        winsql.sql(spark, text.format(join=join))


RUNNING = """SELECT k, count(*) AS c, pane_index, window_end FROM events_{t} WINDOW ASSIGN TUMBLING(ts, '1 minute')
    TRIGGER CONTINUOUS_EVENT_TIME('10 seconds') GROUP BY k"""
RANKED = f"""SELECT *, row_number() OVER (PARTITION BY window_end ORDER BY c DESC, k, pane_index) FROM ({RUNNING})"""


@pytest.mark.slow
def test_results_that_come_before_the_end_wait_for_it(spark: SparkSession, tmp_path: Path) -> None:
    """OVER sees all panes of a window, of several micro-batches."""
    source = Source(tmp_path / "in")
    source.put(*_events(3, 200), [("end", FAR, 0.0, -1)])
    source.stream(spark, "events_panes", "10 seconds")
    panes, ranked = run([winsql.sql(spark, t.format(t="panes")) for t in (RUNNING, RANKED)], tmp_path / "checkpoints")
    numbered = []
    for _, window in itertools.groupby(sorted(panes, key=lambda row: row[3]), key=lambda row: row[3]):
        rows = sorted(window, key=lambda row: (-int(row[1]), row[0], int(row[2])))
        numbered += [(*row, str(number)) for number, row in enumerate(rows, 1)]
    assert sorted(ranked) == sorted(numbered)
    assert len(ranked) > 200


def test_what_comes_together_keeps_no_state(spark: SparkSession, tmp_path: Path) -> None:
    """Of four windowed queries one has a store: groups of what ends together have none."""
    source = Source(tmp_path / "in")
    source.put(*_events(7, 100), [("end", FAR, 0.0, -1)])
    source.stream(spark, "events_together", "10 seconds")
    most = "(SELECT max(c) AS most, window_end FROM ({first}) GROUP BY window_end)"
    again = f"SELECT sum(most) AS total, window_end FROM {most} GROUP BY window_end"
    text = f"SELECT max(total), window_end FROM ({again}) GROUP BY window_end".format(first=FIRST.format(t="together"))
    (rows,) = run([winsql.sql(spark, text)], tmp_path / "checkpoints")
    assert len(rows) > 5
    assert [path.name for path in (tmp_path / "checkpoints" / "0" / "state").iterdir()] == ["0"]


@pytest.mark.parametrize(
    "text",
    [
        "SELECT window_end, count(*) FROM (SELECT a.window_end {join}) GROUP BY window_end",
        "SELECT *, rank() OVER (PARTITION BY window_end ORDER BY c) FROM (SELECT a.window_end, a.c {join})",
    ],
)
def test_rows_that_a_join_of_sparks_keeps_are_not_on_time(spark: SparkSession, text: str) -> None:
    rate = spark.readStream.format("rate").load().selectExpr("timestamp AS ts", "value AS k", "value AS v")
    rate.withWatermark("ts", "1 second").createOrReplaceTempView("events_rate")
    join = "FROM ({side}) a JOIN ({side}) b ON a.k = b.k".format(side=FIRST.format(t="rate"))
    with pytest.raises(WindowPlanError, match="both wait for a watermark") as caught:
        winsql.sql(spark, text.format(join=join))
    assert "join two on equal window_end" in (caught.value.hint or "")
