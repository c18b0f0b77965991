"""Statements that streams run as windows, in sessions with other zones and settings: the rows that tables give."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

import pytest
from session_settings import settings
from streaming import Event, Source, rows_of, run_sql

import winsql
from winsql.errors import WindowPlanError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from pyspark.sql import SparkSession

EVENTS: list[Event] = [
    ("a", 1.0, 3.0, 0),
    ("b", 2.0, 3.0, 1),
    ("a", 4.0, 1.0, 2),
    ("b", 7.0, 2.0, 3),
    ("a", 11.0, 5.0, 4),
    ("a", 12.0, 5.0, 5),
    ("b", 13.0, 1.0, 6),
    ("a", 18.0, 4.0, 7),
]
END: Event = ("end", 100_000.0, 0.0, -1)
CALL = "TABLE(TUMBLE(TABLE {t}, DESCRIPTOR(ts), INTERVAL '10' SECONDS))"
PER_KEY = "TABLE(SESSION(TABLE {t} PARTITION BY k, DESCRIPTOR(ts), INTERVAL '4' SECONDS))"
CASES = "(SELECT k, upper(k) AS K, n, window_end FROM " + CALL + ")"
RANKED = f"SELECT *, RANK() OVER (PARTITION BY window_start, window_end ORDER BY v DESC) AS r FROM {CALL}"
KATHMANDU = {"spark.sql.session.timeZone": "Asia/Kathmandu"}
LOOSE = {**KATHMANDU, "spark.sql.ansi.enabled": "false", "spark.sql.ansi.doubleQuotedIdentifiers": "false"}
QUOTED = {"spark.sql.ansi.enabled": "true", "spark.sql.ansi.doubleQuotedIdentifiers": "true"}
SENSITIVE = {"spark.sql.caseSensitive": "true"}
SPELLED: list[tuple[dict[str, str], Sequence[str]]] = [
    (
        KATHMANDU,
        [
            f"SELECT k, n, window_end, r FROM ({RANKED}) WHERE r <= 2",
            f"WITH x(a, b, c, d, s, e, m, place) AS ({RANKED}) SELECT a, d, e, place FROM x WHERE 3 > place",
            f"SELECT X.K, N, `WINDOW_END`, X.`R` FROM (SELECT * FROM ({RANKED}) y) AS X WHERE x.R IN (1, 2)",
        ],
    ),
    (
        LOOSE,
        [
            f"SELECT window_end, day(window_end) + n % 2 AS x, count(*) AS c FROM {CALL} GROUP BY ALL",
            f"SELECT e, day(e) + n % 2 AS x, count(*) AS c FROM (SELECT n, window_end AS e FROM {CALL}) GROUP BY e, 2",
            f"SELECT WINDOW_END, DAY(`window_end`) + N % 2, COUNT(*) FROM {CALL} T "
            "GROUP BY t.window_end, day(T.window_end) + n % 2",
        ],
    ),
    (
        QUOTED,
        [
            f"SELECT window_start, window_time, k, count(*) AS c FROM {CALL} "
            "GROUP BY GROUPING SETS ((window_start, window_end, window_time, k), (window_start, window_end))",
            f'SELECT "S", m AS "the time", "K", count(*) AS c FROM (SELECT k, window_start AS s, window_end AS "e e", '
            f'window_time AS m FROM {CALL}) GROUP BY GROUPING SETS ((s, "e e", m, k), (s, "E E"))',
        ],
    ),
    (
        SENSITIVE,
        [
            f"SELECT K, window_end, l.n, r.n AS m FROM {CASES} l JOIN {CASES} r USING (K, window_end)",
            f"SELECT l.K, l.window_end, l.n, r.n AS m FROM {CASES} l JOIN {CASES} r "
            "ON r.K = l.K AND l.window_end = r.window_end",
        ],
    ),
    (
        LOOSE,
        [
            f"SELECT k AS g, window_end, count(*) AS n, sum(n) AS s FROM {PER_KEY} WHERE n <> 5 "
            "GROUP BY g, window_start, window_end",
            f"SELECT z.K, z.E, count(*), sum(z.n) FROM (SELECT k, n, window_start AS b, window_end AS e FROM {PER_KEY} "
            "WHERE NOT n = 5) AS z GROUP BY z.b, e, `k`",
        ],
    ),
    (
        {"spark.sql.parser.quotedRegexColumnNames": "true"},
        [
            f"SELECT k, window_end FROM {CALL} QUALIFY row_number() OVER (PARTITION BY window_end, k ORDER BY ts) = 1",
            f"SELECT `k`, window_end FROM {CALL} QUALIFY row_number() OVER (PARTITION BY window_end, k ORDER BY n) = 1",
        ],
    ),
]
"""Settings, and statements that say the same."""


@pytest.mark.parametrize(("given", "texts"), SPELLED, ids=["ranks", "keys", "sets", "using", "sessions", "regex"])
def test_streams_give_the_rows_of_tables(
    spark: SparkSession, tmp_path: Path, given: dict[str, str], texts: Sequence[str]
) -> None:
    with settings(spark, given):
        source = Source(tmp_path / "in")
        source.put(EVENTS[:5], EVENTS[5:], [END])
        source.stream(spark, "by_setting_stream", delay="1 minute")
        source.table(spark, "by_setting_table")
        tables = [rows_of(winsql.sql(spark, text.format(t="by_setting_table"))) for text in texts]
        wanted = [Counter({row: n for row, n in found.items() if _is_ours(row)}) for found in tables]
        streams = run_sql(spark, [text.format(t="by_setting_stream") for text in texts], tmp_path / "checkpoints")
    assert [Counter(found) for found in streams] == wanted
    assert all(rows == wanted[0] for rows in wanted)
    assert wanted[0]


@pytest.mark.parametrize("length", ["0", "200"])
def test_plans_that_are_shown_in_part(spark: SparkSession, tmp_path: Path, length: str) -> None:
    """What a stream reads is looked up in the text of its plan."""
    Source(tmp_path / "in").stream(spark, "cut_stream")
    counted = f"SELECT k, window_end, window_time, count(*) AS c FROM {CALL} GROUP BY k, window_start, window_end"
    counted = f"{counted}, window_time".format(t="cut_stream")
    again = "SELECT count(*) AS n FROM ({}) WINDOW ASSIGN TUMBLING(window_time, INTERVAL 1 MINUTE)"
    both = f"SELECT k, window_time FROM ({counted}) UNION ALL SELECT k, ts FROM cut_stream"
    with settings(spark, {"spark.sql.maxPlanStringLength": length}):
        assert winsql.sql(spark, again.format(counted)).isStreaming
        with pytest.raises(WindowPlanError, match="reads the result of a windowed query in the same stream"):
            winsql.sql(spark, again.format(both))
        assert spark.conf.get("spark.sql.maxPlanStringLength") == length


def _is_ours(row: tuple[str, ...]) -> bool:
    """Whether it tells of the events but for the last one, whose window does not end on a stream."""
    return not any(value.startswith("2024-01-02") for value in row)
