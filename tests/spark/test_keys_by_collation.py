"""Strings that are equal by their collation, whatever their bytes: keys of sessions, and aggregates of streams."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streaming import Source, rows_of, run_sql

import winsql
from winsql import WinsqlError
from winsql.model.query import INTERNAL_PREFIX

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

pytestmark = pytest.mark.since("4.1")  # whose collations may trim

ROWS = (
    "SELECT CAST(id AS INT) AS n, timestamp_seconds(1704067200 + id * 5) AS ts, collate(CASE id % 4 WHEN 0 THEN 'é'"
    " WHEN 1 THEN 'e' WHEN 2 THEN 'E' ELSE 'z' END, 'UNICODE_CI_AI') AS k,"
    " collate(CASE id % 2 WHEN 0 THEN 'a ' ELSE 'a' END, 'UTF8_BINARY_RTRIM') AS r FROM range(0, 60, 1, 2)"
)
SESSION = "WINDOW ASSIGN SESSION(ts, '25 seconds')"


@pytest.mark.parametrize(
    ("text", "counts"),
    [
        (f"SELECT count(*) AS c, sum(n) AS s FROM collated {SESSION} GROUP BY k", [15, 45]),
        (f"SELECT count(*) AS c FROM collated {SESSION} TRIGGER PURGING(EVENT_TIME()) GROUP BY k", [15, 45]),
        (f"SELECT count(*) AS c, percentile(n, 0.5) FROM collated {SESSION} GROUP BY struct(k)", [15, 45]),
        (f"SELECT count(*) AS c, max(n) FROM collated {SESSION} GROUP BY r", [60]),
        (
            "SELECT count(*) AS c FROM TABLE(SESSION(TABLE collated PARTITION BY k, DESCRIPTOR(ts), INTERVAL '25' "
            "SECONDS)) GROUP BY k, window_start, window_end",
            [15, 45],
        ),
    ],
)
def test_sessions(spark: SparkSession, text: str, counts: list[int]) -> None:
    spark.sql(ROWS).createOrReplaceTempView("collated")
    assert sorted(row.c for row in winsql.sql(spark, text).collect()) == counts
    spark.catalog.dropTempView("collated")


def test_explain_says_why(spark: SparkSession) -> None:
    spark.sql(ROWS).createOrReplaceTempView("collated")
    said = winsql.explain(spark, f"SELECT count(*) FROM collated {SESSION} GROUP BY k")
    assert "not by Spark alone: session_window() takes strings that are equal by their collation" in said
    spark.catalog.dropTempView("collated")


WINDOW = "WINDOW ASSIGN TUMBLING(ts, '20 seconds')"
LIKE = "collate(k, 'UTF8_LCASE')"
FIRSTS = f"SELECT window_end, first({LIKE}) AS f FROM {{}} {WINDOW} GROUP BY n"


@pytest.fixture
def events(spark: SparkSession, tmp_path: Path) -> Source:
    """Letters in two cases; the last row closes all windows but its own."""
    source = Source(tmp_path / "in")
    rows = [("aAbB"[n % 4], 3.0 * n, float(n % 5), n % 2) for n in range(20)]
    source.put(rows[:8], rows[8:], [("z", 9999.0, 0.0, 7)])
    source.stream(spark, "cases")
    source.table(spark, "cases_table")
    return source


@pytest.mark.parametrize("end", ["", " EMIT EARLY EVERY 2 ROWS AS RETRACTIONS"])
def test_aggregates_that_compare_no_strings(spark: SparkSession, tmp_path: Path, events: Source, end: str) -> None:
    calls = ["first({})", "last({})", "count({})", "collect_list({})", "max_by({}, v)", "typeof(any_value({}))"]
    shown = ", ".join(call.format(LIKE) for call in calls)
    text = f"SELECT n, window_start, {shown}, first({LIKE}) = 'A' AS is_a FROM {{}} {WINDOW}{end} GROUP BY n"
    expected = rows_of(winsql.sql(spark, text.format("cases_table WHERE n < 7")))
    (found,) = run_sql(spark, [text.format("cases")], tmp_path / "checkpoints")
    assert Counter(found) == expected
    assert any(row[-2 if end else -1] == "True" for row in found)
    assert all("string collate UTF8_LCASE" in row for row in found)


REFUSED = [
    (f"SELECT max({LIKE}) FROM {{}} {WINDOW} GROUP BY n", f"max({LIKE}) cannot be computed on a stream"),
    (f"SELECT max_by(v, {LIKE}) FROM {{}} {WINDOW} GROUP BY n", "cannot be computed on a stream"),
    (f"SELECT count(DISTINCT {LIKE}) FROM {{}} {WINDOW} GROUP BY n", "cannot be computed on a stream"),
    (f"SELECT max({LIKE}) FROM {{}} {WINDOW} EMIT AS UPSERT GROUP BY n", "EMIT ... AS UPSERT cannot use max"),
    (f"SELECT n FROM {{}} {WINDOW} TRIGGER WHEN(max({LIKE}) = 'b') GROUP BY n", "WHEN cannot use max"),
    (f"SELECT count(*) FROM {{}} {WINDOW} GROUP BY array({LIKE})", "cannot be a key on a stream"),
    (
        f"SELECT a.f FROM ({FIRSTS}) a JOIN ({FIRSTS}) b ON a.window_end = b.window_end AND a.f = b.f",
        "a.f = b.f is of type STRING COLLATE UTF8_LCASE and cannot be a key on a stream",
    ),
    (
        f"SELECT f FROM ({FIRSTS}) a WHERE f IN (SELECT f FROM ({FIRSTS}) b WHERE b.window_end = a.window_end)",
        "cannot be a key on a stream",
    ),
]


def test_refused_on_streams(spark: SparkSession, events: Source) -> None:
    for text, problem in REFUSED:
        with pytest.raises(WinsqlError) as caught:
            winsql.sql(spark, text.replace("{}", "cases"))
        assert problem in caught.value.problem, text
        assert "by their bytes" in str(caught.value.rule)
        assert "COLLATE UTF8_BINARY" in str(caught.value.hint)
        assert INTERNAL_PREFIX not in str(caught.value)
        assert "array(" not in str(caught.value.hint)
