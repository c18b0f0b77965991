"""Aggregates that depend on the order of rows see those of Flink's window table functions by event time, as WINDOW
ASSIGN has them: Spark's own GROUP BY gives them in the order in which a shuffle brings them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

import winsql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

AGGREGATES = (
    "collect_list(v) AS vs, first(v) AS f, last(v) AS l, string_agg(CAST(v AS STRING), ',') AS s, max_by(v, 1) AS m"
)
PLAIN = "GROUP BY k, window_start, window_end ORDER BY k, window_start, window_end"
PAIRS = [
    ("TUMBLE({}, DESCRIPTOR(ts), INTERVAL 10 MINUTES)", "TUMBLING(ts, INTERVAL 10 MINUTES)"),
    (
        "HOP({}, DESCRIPTOR(ts), INTERVAL 5 MINUTES, INTERVAL 10 MINUTES)",
        "SLIDING(ts, INTERVAL 10 MINUTES, INTERVAL 5 MINUTES)",
    ),
    ("SESSION({} PARTITION BY k, DESCRIPTOR(ts), INTERVAL 3 MINUTES)", "SESSION(ts, INTERVAL 3 MINUTES)"),
]


@pytest.fixture
def session(spark: SparkSession) -> SparkSession:
    rows = "SELECT id % 2 AS k, timestamp_seconds((id * 7919 % 40) * 60) AS ts, id AS v FROM range(0, 40, 1, 3)"
    spark.sql(rows).createOrReplaceTempView("unordered_rows")
    return spark


@pytest.mark.parametrize(("call", "assigner"), PAIRS)
@pytest.mark.parametrize("where", ["", "WHERE v % 5 > 0"])
def test_rows_come_by_event_time(session: SparkSession, call: str, assigner: str, where: str) -> None:
    function = call.format("TABLE unordered_rows")
    found = winsql.sql(session, f"SELECT k, window_start, {AGGREGATES} FROM TABLE({function}) {where} {PLAIN}")
    clauses = f"FROM unordered_rows {where} WINDOW ASSIGN {assigner} {PLAIN}"
    expected = winsql.sql(session, f"SELECT k, window_start, {AGGREGATES} {clauses}")
    assert found.schema == expected.schema
    assert found.collect() == expected.collect() != []


def test_other_aggregates_are_sparks_own(session: SparkSession) -> None:
    text = f"SELECT k, sum(v) FROM TABLE({PAIRS[0][0].format('TABLE unordered_rows')}) {PLAIN}"
    assert "which windows a row belongs to" in winsql.explain(session, text)
