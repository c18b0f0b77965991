"""Windowed queries on streams: the rows of a table, late rows, clocks, restarts, and what is refused before a start."""

from __future__ import annotations

import random
from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streaming import Event, Source, rows_of, run_by_clock, run_sql

import winsql
from winsql.errors import WindowDataError, WindowPlanError
from winsql.spark.messages.failure import translate

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

FAR = 1_000_000.0


def _ordered(seed: int, count: int) -> list[Event]:
    """Rows in order of event time, so that every split into micro-batches respects the watermark."""
    rng = random.Random(seed)
    times = sorted(rng.uniform(0, 600) for _ in range(count))
    keys = ["a", "b", None, "d"]
    return [(rng.choice(keys), round(t, 3), float(rng.randrange(100)), i) for i, t in enumerate(times)]


def _split(seed: int, events: list[Event], parts: int) -> list[list[Event]]:
    cuts = sorted(random.Random(seed).sample(range(1, len(events)), parts - 1))
    return [events[i:j] for i, j in zip([0, *cuts], [*cuts, len(events)], strict=True)]


SPECS = {
    "tumbling": "sum(v) AS s, count(*) AS c, max(n) AS m FROM {t} WINDOW ASSIGN TUMBLING(ts, '1 minute')",
    "cumulating": "sum(v) AS s FROM {t} WINDOW ASSIGN CUMULATING(ts, '1 minute', '20 seconds', '-50 seconds')",
    "session": "count(*) AS c, collect_list(n) AS l FROM {t} WINDOW ASSIGN SESSION(ts, '20 seconds')",
    "session of bits": "bit_xor(n) AS x, listagg(CAST(n AS STRING), '+') AS l, string_agg(DISTINCT k, NULL) AS d "
    "FROM {t} WINDOW ASSIGN SESSION(ts, '20 seconds')",
    "count": "collect_list(n) AS l, corr(v, n) AS r, covar_pop(n, v) AS c FROM {t} WINDOW ASSIGN COUNT(3, time => ts)",
    "evicting": "sum(v) AS s, median(v) AS m FROM {t} WINDOW ASSIGN COUNT(5, 2, time => ts)",
    "delta": "min(n) AS a, max(n) AS z FROM {t} WINDOW ASSIGN GLOBAL(ts) TRIGGER DELTA(v, 50) EVICT DELTA(v, 50)",
}


def _statement(name: str, table: str) -> str:
    return f"SELECT k, window_start AS ws, window_end AS we, {SPECS[name].format(t=table)} GROUP BY k"


def test_a_stream_gives_the_rows_of_a_table(spark: SparkSession, tmp_path: Path) -> None:
    events = _ordered(7, 160)
    source = Source(tmp_path / "in")
    source.put(*_split(8, events, 2), [("end", FAR, 0.0, -1)])
    source.stream(spark, "rows_stream")
    source.table(spark, "rows_table")
    found = run_sql(spark, [_statement(name, "rows_stream") for name in SPECS], tmp_path / "checkpoints")
    for name, rows in zip(SPECS, found, strict=True):
        expected = rows_of(winsql.sql(spark, _statement(name, "rows_table")))
        assert sum(expected.values()) > 20, name
        at_the_end = {row for row in expected if row[0] == "end"}  # on a stream this window stays open
        got = Counter(row for row in rows if row[0] != "end")
        assert got == Counter({row: n for row, n in expected.items() if row not in at_the_end}), name


@pytest.mark.slow
def test_late_rows(spark: SparkSession, tmp_path: Path) -> None:
    source = Source(tmp_path / "in")
    source.put(
        [("a", 1, 1.0, 0), ("b", 2, 1.0, 1)],
        [("b", 12, 1.0, 2)],
        [("a", 3, 5.0, 3), ("c", None, 1.0, 4)],  # late by the watermark 00:00:12, in time by the lateness of 10 s
        [("b", 25, 1.0, 5)],
        [("a", 4, 9.0, 6)],  # too late: the watermark is 00:00:25
        [("b", FAR, 0.0, -1)],
    )
    source.stream(spark, "late_stream")
    head = "SELECT k, sum(v) AS s, pane_index AS i, pane_timing AS p FROM late_stream"
    (strict, lenient, endless) = run_sql(
        spark,
        [
            f"{head} WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k",
            f"{head} WINDOW ASSIGN TUMBLING(ts, '10 seconds') ALLOWED LATENESS '10 seconds' GROUP BY k",
            f"{head} WINDOW ASSIGN GLOBAL(ts) TRIGGER CONTINUOUS_EVENT_TIME('10000000 days') GROUP BY k",
        ],
        tmp_path / "checkpoints",
    )
    on_time = [("a", "1.0", "0", "ON_TIME"), ("b", "1.0", "0", "ON_TIME")]
    assert Counter(row for row in strict if row[0] == "a") == Counter(on_time[:1])
    assert Counter(row for row in lenient if row[0] == "a") == Counter([on_time[0], ("a", "6.0", "1", "LATE")])
    assert Counter(row for row in lenient if row[0] == "b") == Counter([on_time[1]] * 3)
    assert endless == []  # a row without time would have it fire from the beginning of time on


@pytest.mark.slow
def test_clock_rows_apply_and_one_global_key(spark: SparkSession, tmp_path: Path) -> None:
    source = Source(tmp_path / "in")
    source.put([("a", 1, 1.0, 0), ("b", 2, 2.0, 1)], [("a", 3, 4.0, 2)])
    source.stream(spark, "clock_stream", delay=None)
    source.stream(spark, "rows_stream")
    winsql.register_apply_function("span", lambda key, window, rows: rows[["n"]].agg(["max"]), "n INT")
    by_clock = winsql.sql(
        spark,
        "SELECT k, sum(v) AS s FROM clock_stream WINDOW ASSIGN GLOBAL() "
        "TRIGGER PROCESSING_TIMEOUT(COUNT(2), '1 second') GROUP BY k",
    )
    texts = [
        "SELECT count(*) AS c FROM clock_stream WINDOW ASSIGN COUNT(3)",
        "SELECT k, n FROM rows_stream WINDOW ASSIGN COUNT(2) PARTITION BY k",
        "SELECT * FROM rows_stream WINDOW ASSIGN COUNT(2) PARTITION BY k APPLY span",
    ]
    everything, rows, applied = run_sql(spark, texts, tmp_path / "checkpoints")
    assert ("b", "2.0") in run_by_clock(by_clock, tmp_path / "by_clock", 2)  # after a second, by the clock alone
    assert everything == [("3",)]
    assert rows == [("a", "0"), ("a", "2")]
    assert [row[-1] for row in applied] == ["2"]


@pytest.mark.slow
def test_a_restart_goes_on_and_another_query_is_refused(spark: SparkSession, tmp_path: Path) -> None:
    source = Source(tmp_path / "in")
    source.put([("a", 1, 1.0, 0), ("a", 2, 2.0, 1)])
    source.stream(spark, "restarted")
    text = "SELECT k, collect_list(n) AS l FROM restarted WINDOW ASSIGN COUNT({n}) GROUP BY k, v  > 9"
    assert run_sql(spark, [text.format(n=3)], tmp_path / "checkpoints") == [[]]
    (window,) = winsql.state(spark, str(tmp_path / "checkpoints" / "0")).collect()
    assert (window["key"], window["window_start"], window["firings"]) == ('{"k": "a", "v > 9": false}', None, 0)
    assert window["accumulators"] is not None or window["row_count"] == 2
    source.put([("a", 3, 3.0, 2), ("a", 4, 4.0, 3)])
    with pytest.raises(Exception, match="state of another query") as caught:
        run_sql(spark, [text.format(n=2)], tmp_path / "checkpoints")
    error = translate(caught.value)
    assert isinstance(error, WindowDataError)
    assert "WINDOW ASSIGN was COUNT(3) and is COUNT(2)" in error.problem
    assert run_sql(spark, [text.format(n=3)], tmp_path / "checkpoints") == [[("a", "[0, 1, 2]")]]


@pytest.mark.slow
def test_blanks_in_strings_tell_queries_apart(spark: SparkSession, tmp_path: Path) -> None:
    """Those between words do not."""
    source = Source(tmp_path / "in")
    source.put([("a", 1, 1.0, 0)])
    source.stream(spark, "restarted")
    text = "SELECT collect_list(concat(k, {})) AS l FROM restarted WINDOW ASSIGN COUNT(2) GROUP BY k"
    assert run_sql(spark, [text.format("'a  b'")], tmp_path / "checkpoints") == [[]]
    source.put([("a", 2, 1.0, 0)])
    with pytest.raises(Exception, match="state of another query"):
        run_sql(spark, [text.format("'a b'")], tmp_path / "checkpoints")
    assert run_sql(spark, [text.format("  'a  b'")], tmp_path / "checkpoints") == [[("['aa  b', 'aa  b']",)]]


@pytest.mark.parametrize(
    ("clauses", "problem", "hint"),
    [
        ("sum(v) FROM bare WINDOW ASSIGN TUMBLING(ts, '1 hour')", "no watermark", "WATERMARK ts DELAY OF"),
        (
            "sum(v) FROM bare WINDOW ASSIGN GLOBAL() TRIGGER CONTINUOUS_EVENT_TIME('1 hour')",
            "no watermark",
            "withWatermark",
        ),
        (
            "sum(v) FROM marked WINDOW ASSIGN GLOBAL() TRIGGER ANY(COUNT(9), CONTINUOUS_EVENT_TIME('1 hour'))",
            "no event time to begin at",
            "GLOBAL(ts)",
        ),
        (
            "histogram_numeric(v, 5) FROM marked WINDOW ASSIGN COUNT(2)",
            "histogram_numeric(v, 5) cannot be computed on a stream",
            "SUM, ",
        ),
        ("listagg(v) FROM marked WINDOW ASSIGN COUNT(2)", "listagg(v) cannot be", "give LISTAGG what it"),
        (
            "mode(k) RESPECT NULLS FROM marked WINDOW ASSIGN COUNT(2)",
            "cannot be computed",
            "write MODE without WITHIN GROUP",
        ),
        (
            "count(*) FROM marked WINDOW ASSIGN TUMBLING(ts, '1 hour') LATE INTO l",
            "LATE INTO on a stream",
            "STREAMING TABLE",
        ),
    ],
)
def test_refused_before_the_start(spark: SparkSession, tmp_path: Path, clauses: str, problem: str, hint: str) -> None:
    source = Source(tmp_path / "in")
    source.stream(spark, "bare", delay=None)
    source.stream(spark, "marked")
    text = f"SELECT k, {clauses} GROUP BY k"
    with pytest.raises(WindowPlanError) as caught:
        winsql.sql(spark, text)
    assert problem in caught.value.problem
    assert hint in (caught.value.hint or "")
    assert caught.value.span is not None


def test_state_store_and_collation_are_checked(spark: SparkSession, tmp_path: Path) -> None:
    Source(tmp_path / "in").stream(spark, "marked")
    text = "SELECT {k} AS k, count(*) AS c FROM marked WINDOW ASSIGN COUNT(2) GROUP BY {k}"
    with pytest.raises(WindowPlanError, match="cannot be a key on a stream"):
        winsql.sql(spark, text.format(k="(k COLLATE UTF8_LCASE)"))
    name = "spark.sql.streaming.stateStore.providerClass"
    kept = spark.conf.get(name)
    spark.conf.set(name, "org.apache.spark.sql.execution.streaming.state.HDFSBackedStateStoreProvider")
    try:
        with pytest.raises(WindowPlanError, match="HDFSBackedStateStoreProvider") as caught:
            winsql.sql(spark, text.format(k="k"))
    finally:
        spark.conf.set(name, str(kept))
    assert "SET spark.sql.streaming.stateStore.providerClass=" in (caught.value.hint or "")


def test_explain_says_how_a_stream_runs(spark: SparkSession, tmp_path: Path) -> None:
    Source(tmp_path / "in").stream(spark, "marked")
    text = winsql.explain(spark, "SELECT k, sum(v) FROM marked WINDOW ASSIGN TUMBLING(ts, '1 hour') GROUP BY k")
    assert "woken by:           the watermark" in text
    assert "key groups:         16, 8 in each" in text
    assert "judge late rows by the watermark of the micro-batch before" in text
