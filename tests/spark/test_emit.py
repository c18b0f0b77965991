"""EMIT through Spark: on tables and streams, with state between micro-batches, and what it refuses."""

from __future__ import annotations

import sqlite3
from collections import Counter
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest
from canonical import render_query
from streaming import Rows, Source

import winsql
from winsql.errors import WinsqlError
from winsql.syntax import parse_statement

if TYPE_CHECKING:
    from pathlib import Path

    from pyspark.sql import SparkSession

ROWS = """
    SELECT k, timestamp_seconds(s) AS ts, v FROM VALUES ('a', 0, 1), ('a', 2, 2), ('b', 5, 8), ('a', 7, 4) AS t(k, s, v)
"""
IN_TENS = "SELECT k, sum(v) AS s FROM emit_rows WINDOW ASSIGN TUMBLING(ts, INTERVAL 10 SECONDS) {} GROUP BY k"


@pytest.fixture
def session(spark: SparkSession) -> SparkSession:
    spark.sql(ROWS).createOrReplaceTempView("emit_rows")
    return spark


def rows(spark: SparkSession, text: str) -> list[tuple[Any, ...]]:
    return sorted((tuple(row) for row in winsql.sql(spark, text).collect()), key=lambda row: row[0] or "")


@pytest.mark.parametrize(
    ("emit", "expected"),
    [
        ("EMIT ON TIME", [("a", 7), ("b", 8)]),
        ("EMIT EARLY EVERY 2 ROWS", [("a", 3), ("a", 7), ("b", 8)]),
        ("Emit discarding early every 2 rows", [("a", 3), ("a", 4), ("b", 8)]),
        ("EMIT AS UPSERT", [("a", 7, "+I"), ("b", 8, "+I")]),
        ("EMIT EARLY EVERY 2 ROWS AS UPSERT", [("a", 3, "+I"), ("a", 7, "+U"), ("b", 8, "+I")]),
        (
            "EMIT EARLY EVERY 2 ROWS ON TIME AS RETRACTIONS ACCUMULATING -- all of it",
            [("a", 3, "+I"), ("a", 3, "-U"), ("a", 7, "+U"), ("b", 8, "+I")],
        ),
    ],
)
def test_what_is_sent(session: SparkSession, emit: str, expected: list[tuple[Any, ...]]) -> None:
    assert rows(session, IN_TENS.format(emit + "\n")) == expected


def test_conditions_hold_for_what_is_taken_back_too(session: SparkSession) -> None:
    text = IN_TENS.format("EMIT EARLY EVERY 1 ROW AS RETRACTIONS") + " HAVING sum(v) < 7"
    assert rows(session, text) == [("a", 1, "+I"), ("a", 1, "-U"), ("a", 3, "+U"), ("a", 3, "-U")]
    text = f"SELECT * FROM ({text}) WHERE s > 1"
    assert rows(session, text) == [("a", 3, "+U"), ("a", 3, "-U")]


def test_an_upsert_that_having_drops_leaves_nothing_behind(session: SparkSession) -> None:
    text = IN_TENS.format("EMIT EARLY EVERY 1 ROW AS UPSERT")
    first, second, third = ([("a", s, "+I"), ("a", s, "-D")] for s in (1, 3, 7))
    assert rows(session, f"{text} HAVING sum(v) < 7") == [*first, *second]
    assert rows(session, f"{text} HAVING s > 1 AND k = 'a'") == [*second, *third, third[0]]  # once more at the end


def test_running_results(session: SparkSession) -> None:
    text = "SELECT count(*) AS n, `k` AS `the key` FROM emit_rows WINDOW ASSIGN GLOBAL() {} GROUP BY k"
    found = winsql.sql(session, text.format("EMIT EARLY EVERY 1 ROWS AS UPSERT"))
    assert found.columns == ["n", "the key", "row_kind"]
    assert Counter(map(tuple, found.collect()))[(3, "a", "+U")] == 1


def test_explain_shows_the_trigger(session: SparkSession) -> None:
    text = IN_TENS.format("EMIT EARLY EVERY 2 ROWS LATE EVERY INTERVAL 1 MINUTE AS UPSERT ALLOWED LATENESS '1 hour'")
    plan = winsql.sql(session, f"EXPLAIN WINDOW {text}").first()[0]
    assert "EMIT(early_rows => 2, late => INTERVAL 1 MINUTE)" in plan
    assert "the latest result of its keys and window" in plan


def test_canonical_text() -> None:
    text = IN_TENS.format("emit late on row as upsert early every 2 rows ALLOWED LATENESS '1 hour'")
    shown = " ".join(render_query(parse_statement(text).queries[0]).split())
    assert "EMIT EARLY EVERY 2 ROWS LATE ON ROW AS UPSERT ACCUMULATING" in shown
    assert "TRIGGER" not in shown


@pytest.mark.parametrize(
    ("clauses", "problem"),
    [
        ("EMIT", "EMIT says nothing"),
        ("EMIT EARLY 3 ROWS", "EARLY 3 ROWS is not known here"),
        ("EMIT ERLY EVERY 2 ROWS", "(?s)ERLY EVERY 2 ROWS is not known here.*did you mean EARLY"),
        ("EMIT EARLY EVERY 0 ROWS", "must be positive"),
        ("EMIT EARLY EVERY 2 ROWS EARLY EVERY '5 seconds'", "is said twice"),
        ("EMIT AS CHANGES", "AS CHANGES is no"),
        ("EMIT AS UPSERT DISCARDING", "AS UPSERT cannot be DISCARDING"),
        ("EMIT LATE ON ROW", "EMIT LATE needs ALLOWED LATENESS"),
        ("EMIT ON TIME TRIGGER COUNT(2)", "EMIT and TRIGGER are both there"),
    ],
)
def test_refused(session: SparkSession, clauses: str, problem: str) -> None:
    with pytest.raises(WinsqlError, match=problem) as caught:
        winsql.sql(session, IN_TENS.format(clauses))
    assert caught.value.span is not None


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        (
            "SELECT histogram_numeric(v, 2) FROM emit_rows WINDOW ASSIGN TUMBLING(ts, '10 s') EMIT AS UPSERT",
            "histogram_num",
        ),
        ("SELECT k FROM emit_rows WINDOW ASSIGN TUMBLING(ts, '10 seconds') EMIT AS UPSERT", "made of aggregates"),
        ("SELECT k, count(*) FROM emit_rows WINDOW ASSIGN COUNT(2) EMIT ON TIME GROUP BY k", "cannot be used with"),
        ("SELECT k, count(*) FROM emit_rows WINDOW ASSIGN GLOBAL() EMIT ON TIME GROUP BY k", "cannot be used with"),
        ("SELECT k, count(*) FROM emit_rows WINDOW ASSIGN GLOBAL() EMIT AS UPSERT GROUP BY k", "says nothing of when"),
        (IN_TENS.format("EMIT AS UPSERT") + " ORDER BY 1", "ORDER BY cannot be used"),
        (IN_TENS.format("EMIT AS UPSERT").replace("SELECT", "SELECT DISTINCT"), "SELECT DISTINCT cannot be used"),
        (IN_TENS.format("EMIT AS UPSERT").replace("AS s", "AS ROW_KIND"), "a column row_kind already"),
        (
            "SELECT CAST(row_kind AS STRING), sum(v) FROM (SELECT *, k AS row_kind FROM emit_rows) "
            "WINDOW ASSIGN TUMBLING(ts, '10 seconds') EMIT AS RETRACTIONS GROUP BY row_kind",
            "a column row_kind already",
        ),
        (IN_TENS.format("EMIT AS UPSERT").replace("SELECT", "SELECT row_number() OVER (ORDER BY k) AS r,"), "OVER"),
    ],
)
def test_refused_statements(session: SparkSession, text: str, problem: str) -> None:
    with pytest.raises(WinsqlError, match=problem):
        winsql.sql(session, text.replace("'10 s'", "'10 seconds'"))


BATCHES = (
    [("a", 0, 1, 1), ("a", 6, 2, 2), ("b", 1, 3, 3)],
    [("a", 3, 4, 4), ("a", 20, 5, 5), ("c", 9, None, 6)],
    [("a", 8, 6, 7), ("b", 2, 7, 8), ("b", 22, 8, 9)],
    [("a", 26, 9, 10), ("a", 23, 0, 11), ("c", 10, 2, 12)],
)
IN_SESSIONS = """
    SELECT k, window_start AS s, window_end AS e, sum(v) AS v, max(n) AS n, min(ts) AS first, avg(v) AS mean
    FROM emitted WINDOW ASSIGN SESSION(ts, INTERVAL 4 SECONDS) {} GROUP BY k"""


@pytest.mark.slow
@pytest.mark.parametrize("clauses", ["EARLY EVERY 1 ROWS", "EARLY EVERY 2 ROWS LATE ON ROW", "LATE ON ROW"])
@pytest.mark.parametrize("meaning", ["UPSERT", "RETRACTIONS"])
def test_on_streams(spark: SparkSession, tmp_path: Path, clauses: str, meaning: str) -> None:
    """Applied in order, the changes of all micro-batches give the table of a batch run."""
    source, found = Source(tmp_path / "in"), Rows(tmp_path / "out")
    source.stream(spark, "emitted")
    text = IN_SESSIONS.format(f"EMIT {clauses} AS {meaning} ALLOWED LATENESS INTERVAL 1 HOUR")
    for batches in (BATCHES[:2], [*BATCHES[2:], [("z", 900, 1, 1)]]):  # two runs: state goes through the checkpoint
        source.put(*batches)
        found.start(winsql.sql(spark, text), tmp_path / "checkpoint", availableNow=True).awaitTermination()
    table: dict[tuple[str, ...], tuple[str, ...]] = {}
    for *row, kind in found.taken():
        if kind in ("-U", "-D"):
            assert table.pop(tuple(row[:3])) == tuple(row)
        else:
            assert (kind == "+I" or meaning == "RETRACTIONS") == (tuple(row[:3]) not in table)
            table[tuple(row[:3])] = tuple(row)
    source.table(spark, "emitted")
    expected = {tuple(map(str, row)) for row in winsql.sql(spark, IN_SESSIONS.format("")).collect()}
    assert set(table.values()) - expected == set()
    assert {row[0] for row in expected - set(table.values())} <= {"z"}  # its windows are open


@pytest.mark.slow
@pytest.mark.parametrize("meaning", ["UPSERT", "RETRACTIONS"])
def test_a_database_follows_sessions_that_merge(spark: SparkSession, tmp_path: Path, meaning: str) -> None:
    source = Source(tmp_path / "in")
    source.stream(spark, "emitted")
    text = IN_SESSIONS.format(f"EMIT EARLY EVERY 1 ROWS AS {meaning} ALLOWED LATENESS INTERVAL 1 HOUR")
    options = f"path '{tmp_path}/results.db', table 'sessions', mode 'upsert', create true, trigger 'available now'"
    try:
        for batches in (BATCHES[:2], BATCHES[2:]):
            source.put(*batches)
            options_here = f"{options}, checkpointLocation '{tmp_path}/checkpoint'"
            winsql.sql(spark, f"CREATE STREAM emitting INTO sqlite OPTIONS ({options_here}) AS {text}")
            winsql.sql(spark, "AWAIT STREAM emitting")
    finally:
        winsql.sql(spark, "DROP STREAM IF EXISTS emitting")
    with closing(sqlite3.connect(tmp_path / "results.db")) as database:
        found = database.execute("SELECT k, v, n, mean FROM sessions").fetchall()
    source.table(spark, "emitted")
    expected = winsql.sql(spark, f"SELECT k, v, n, mean FROM ({IN_SESSIONS.format('')})").collect()
    assert Counter(found) == Counter(map(tuple, expected))


@pytest.mark.parametrize("meaning", ["UPSERT", "RETRACTIONS"])
def test_a_changelog_that_would_take_back_what_was_never_sent_is_refused(
    spark: SparkSession, tmp_path: Path, meaning: str
) -> None:
    source = Source(tmp_path / "in")
    source.stream(spark, "emitted")
    source.put(*BATCHES[:1])
    text = IN_SESSIONS.format(f"EMIT EARLY EVERY 1 ROWS AS {meaning}")
    options = f"path '{tmp_path}/results.db', table 'sessions', mode 'upsert', create true, trigger 'available now'"
    head = f"CREATE STREAM emitting INTO sqlite OPTIONS ({options}, checkpointLocation '{tmp_path}/checkpoint') AS"
    try:
        for same in (text, text.replace("sum(v) AS v", "sum(v)  AS\n v")):
            winsql.sql(spark, f"{head} {same}")
            winsql.sql(spark, "AWAIT STREAM emitting")
        for other in (f"{text} HAVING max(n) < 2", text.replace("max(n) AS n", "max(n) * 10 AS n")):
            with pytest.raises(WinsqlError, match="of a changelog with another HAVING or other items"):
                winsql.sql(spark, f"{head} {other}")
    finally:
        winsql.sql(spark, "DROP STREAM IF EXISTS emitting")
