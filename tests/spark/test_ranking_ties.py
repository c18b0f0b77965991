"""ROW_NUMBER on streams: rows of one place in the order go by arrival, however they are split into micro-batches."""

from __future__ import annotations

from collections import Counter
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from session_settings import settings
from streaming import Event, Source, rows_of, run_sql

import winsql
from winsql.model.window_functions import Ties
from winsql.syntax import parse_statement

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

# key, seconds, value, number in order of arrival: times and values tie, and arrival is neither
EVENTS: list[Event] = [
    ("a", 5.0, 1.0, 0),
    ("b", 5.0, 1.0, 1),
    ("a", 9.0, 1.0, 2),
    ("a", 3.0, 2.0, 3),
    ("b", 2.0, 1.0, 4),
    ("a", 9.0, 1.0, 5),
    ("b", 5.0, 2.0, 6),
    ("a", 3.0, 1.0, 7),
    ("c", 9.0, 2.0, 8),
    ("a", 3.0, 2.0, 9),
    ("b", 2.0, 1.0, 10),
    ("c", 1.0, 2.0, 11),
    ("e", 50.0, 1.0, 12),
    ("d", 50.0, 1.0, 13),
    ("d", 55.0, 1.0, 14),
    ("e", 55.0, 1.0, 15),
]
END: Event = ("end", 1000.0, 0.0, -1)

OURS = "n BETWEEN 0 AND 11"
CALL = "TABLE(TUMBLE(TABLE {t}, DESCRIPTOR(ts), INTERVAL '10' SECONDS))"
RANKED = f"SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end{{by}} ORDER BY {{o}}) AS r FROM {CALL}"
STATEMENTS = {
    "Top-N of each key": (
        f"SELECT k, n, r FROM ({RANKED.format(by=', k', o='v DESC', t='{t}')}) WHERE r <= 3 AND {OURS}",
        {("a", 3, 1), ("a", 9, 2), ("a", 0, 3), ("b", 6, 1), ("b", 1, 2), ("b", 4, 3), ("c", 8, 1), ("c", 11, 2)},
    ),
    "Top-N of all keys": (
        f"SELECT n, r FROM ({RANKED.format(by='', o='v', t='{t}')}) WHERE r <= 3 AND {OURS}",
        {(0, 1), (1, 2), (2, 3)},
    ),
    "deduplication keeps the first": (
        f"SELECT k, n FROM ({RANKED.format(by=', k', o='ts', t='{t}')}) WHERE r = 1 AND {OURS}",
        {("a", 3), ("b", 4), ("c", 11)},
    ),
    "deduplication keeps the last": (
        f"WITH x AS ({RANKED.format(by=', k', o='ts DESC', t='{t}')}) SELECT k, n FROM x WHERE {OURS} AND (x.r < 2)",
        {("a", 5), ("b", 6), ("c", 8)},
    ),
    "more than one row is Top-N": (
        f"SELECT k, n FROM ({RANKED.format(by=', k', o='ts DESC', t='{t}')}) WHERE r <= 2 AND {OURS} AND k <> 'c'",
        {("a", 2), ("a", 5), ("b", 1), ("b", 6)},
    ),
    "sessions of several keys go by their keys": (
        "SELECT n, r FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY v) AS r FROM "
        "TABLE(SESSION(TABLE {t} PARTITION BY k, DESCRIPTOR(ts), INTERVAL '9' SECONDS))) WHERE n > 11",
        {(13, 1), (14, 2), (12, 3), (15, 4)},
    ),
    "groups go by their columns": (
        "SELECT k, r FROM (SELECT *, ROW_NUMBER() OVER (PARTITION BY window_start, window_end ORDER BY m) AS r FROM "
        f"(SELECT window_start, window_end, k, max(v) AS m FROM {CALL} GROUP BY window_start, window_end, k)) "
        "WHERE k < 'd'",
        {("a", 1), ("b", 2), ("c", 3)},
    ),
}
SPLITS = {"one": [16], "several": [3, 5, 8, 9, 14]}


@pytest.mark.slow
@pytest.mark.parametrize("split", SPLITS)
def test_ties_go_by_arrival(spark: SparkSession, tmp_path: Path, split: str) -> None:
    source = Source(tmp_path / "in")
    places = [0, *SPLITS[split], len(EVENTS)]
    source.put(*(EVENTS[a:b] for a, b in pairwise(places) if a < b), [END])
    source.stream(spark, "ties", delay="30 seconds")
    texts = [text.format(t="ties") for text, _ in STATEMENTS.values()]
    found = run_sql(spark, texts, tmp_path / "checkpoints")
    for (name, (_, expected)), rows in zip(STATEMENTS.items(), found, strict=True):
        assert sorted(rows) == sorted(tuple(map(str, row)) for row in expected), name


def test_explained(spark: SparkSession, tmp_path: Path) -> None:
    Source(tmp_path / "in").stream(spark, "ties")
    [first, last, groups] = (
        winsql.sql(spark, f"EXPLAIN WINDOW {STATEMENTS[name][0].format(t='ties')}").collect()[0][0]
        for name in ("Top-N of each key", "deduplication keeps the last", "groups go by their columns")
    )
    assert Ties.FIRST_ARRIVED.value in first
    assert Ties.LAST_ARRIVED.value in last
    assert Ties.COLUMNS.value in groups


DEDUPLICATED = "SELECT * FROM ({inner}) {where}"
CASES = {
    "WHERE r = 1": Ties.LAST_ARRIVED,
    "WHERE 1 = r AND v > 0": Ties.LAST_ARRIVED,
    "WHERE (2 > R)": Ties.LAST_ARRIVED,
    "AS x WHERE x.`r` <= 1": Ties.LAST_ARRIVED,
    "WHERE r <= 2": Ties.FIRST_ARRIVED,
    "WHERE r >= 1": Ties.FIRST_ARRIVED,
    "WHERE 1 <= r": Ties.FIRST_ARRIVED,
    "WHERE r = 1 OR v > 0": Ties.FIRST_ARRIVED,
    "WHERE v = 1": Ties.FIRST_ARRIVED,
    "": Ties.FIRST_ARRIVED,
}


@pytest.mark.parametrize(("where", "expected"), CASES.items())
def test_what_is_a_deduplication(where: str, expected: Ties) -> None:
    assert _ties(DEDUPLICATED.format(inner=RANKED.format(by=", k", o="ts DESC", t="t"), where=where)) is expected


@pytest.mark.parametrize("order", ["v DESC", "ts", "ts DESC, v", "ts + INTERVAL 1 DAY DESC"])
def test_other_orders_have_the_first_row_first(order: str) -> None:
    inner = RANKED.format(by=", k", o=order, t="t")
    assert _ties(DEDUPLICATED.format(inner=inner, where="WHERE r = 1")) is Ties.FIRST_ARRIVED


def _ties(text: str) -> Ties:
    statement = parse_statement(text).on_stream(0)
    assert statement is not None
    ranking = statement.queries[0].over
    assert ranking is not None
    return ranking.ties


@pytest.mark.slow
@pytest.mark.parametrize("zone", ["America/New_York", "Etc/UTC", "+05:30"])
def test_rows_with_instants_in_every_zone(spark: SparkSession, tmp_path: Path, zone: str) -> None:
    """Spark hands out instants in the zone of the session, and takes them back in UTC alone."""
    source = Source(tmp_path / "in")
    source.put(EVENTS, [END])
    held = "array(ts) AS a, map('t', ts) AS m, named_struct('t', ts, 'l', array(struct(ts))) AS s, ts"
    ranked = RANKED.format(by=", k", o="ts DESC, n", t="(SELECT *, {held} FROM {t})").format(held=held, t="ranked")
    text = f"SELECT k, n, window_end, a, m, s FROM ({ranked}) WHERE r = 1 AND {OURS}".replace(", ts FROM", " FROM")
    with settings(spark, {"spark.sql.session.timeZone": zone}):
        source.table(spark, "ranked")
        expected = rows_of(winsql.sql(spark, text))
        source.stream(spark, "ranked")
        assert Counter(run_sql(spark, [text], tmp_path / "checkpoints")[0]) == expected
