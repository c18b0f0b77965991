"""Flink SQL's window table functions as relations, against winsql's own operator, and what they refuse."""

from __future__ import annotations

import datetime
import random
from collections import Counter
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest

import winsql
from winsql.errors import WindowPlanError, WindowSpecError
from winsql.model.assigners import Assigner, CumulatingWindows, SlidingWindows, TumblingWindows
from winsql.model.base import TimeAttribute, TimeDomain

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EPOCH = datetime.datetime(1970, 1, 1)

SECOND = 1_000_000
TIME = TimeAttribute(TimeDomain.EVENT, ("ts",))

# a call of Flink's, and winsql's assigner of the same windows
CALLS: list[tuple[str, Assigner]] = [
    ("TUMBLE(TABLE {t}, DESCRIPTOR({ts}), INTERVAL '7' SECONDS)", TumblingWindows(TIME, 7 * SECOND)),
    (
        "TUMBLE(DATA => TABLE {t}, TIMECOL => DESCRIPTOR({ts}), SIZE => INTERVAL '7' SECONDS, OFFSET => '-3 seconds')",
        TumblingWindows(TIME, 7 * SECOND, -3 * SECOND),
    ),
    ("HOP(TABLE {t}, DESCRIPTOR({ts}), '2 seconds', '6 seconds')", SlidingWindows(TIME, 6 * SECOND, 2 * SECOND)),
    (
        "HOP(TABLE {t}, DESCRIPTOR({ts}), '3 seconds', '7 seconds', '1 second')",
        SlidingWindows(TIME, 7 * SECOND, 3 * SECOND, SECOND),
    ),
    ("HOP(TABLE {t}, DESCRIPTOR({ts}), '5 seconds', '2 seconds')", SlidingWindows(TIME, 2 * SECOND, 5 * SECOND)),
    ("HOP(TABLE {t}, DESCRIPTOR({ts}), '5 seconds', '5 seconds')", SlidingWindows(TIME, 5 * SECOND, 5 * SECOND)),
    (
        "CUMULATE(TABLE {t}, DESCRIPTOR({ts}), STEP => '2 seconds', SIZE => '6 seconds', OFFSET => '1 second')",
        CumulatingWindows(TIME, 6 * SECOND, 2 * SECOND, SECOND),
    ),
    (
        "CUMULATE(TABLE {t}, DESCRIPTOR({ts}), '2 seconds', '6 seconds', '-5 seconds')",
        CumulatingWindows(TIME, 6 * SECOND, 2 * SECOND, -5 * SECOND),
    ),
    (
        "HOP(TABLE {t}, DESCRIPTOR({ts}), '3 seconds', '7 seconds', '-5 seconds')",
        SlidingWindows(TIME, 7 * SECOND, 3 * SECOND, SECOND),
    ),
    (
        "CUMULATE(TABLE {t}, DESCRIPTOR({ts}), '2 seconds', '6 seconds', '13 seconds')",
        CumulatingWindows(TIME, 6 * SECOND, 2 * SECOND, SECOND),
    ),
]
# a call of sessions, and what is after the FROM body of the same query with WINDOW ASSIGN
SESSIONS = [
    ("SESSION(TABLE {t} PARTITION BY k, DESCRIPTOR(ts), '2 seconds')", "SESSION(ts, '2 seconds') PARTITION BY k"),
    ("SESSION(DATA => TABLE {t}, TIMECOL => DESCRIPTOR(ts), GAP => '1 second')", "SESSION(ts, '1 second')"),
]


@pytest.fixture(scope="module")
def rows(spark: SparkSession) -> Iterator[str]:
    """Rows around the beginning of time: TIMESTAMP, TIMESTAMP_NTZ and DATE, some without."""
    rng = random.Random(41)
    data: list[Any] = []
    for n in range(120):
        instant = EPOCH + datetime.timedelta(microseconds=rng.randrange(-60_000_000, 60_000_000))
        if n % 10 == 0:
            instant = EPOCH + datetime.timedelta(seconds=rng.randrange(-20, 20))  # on the edges of windows
        day = (EPOCH + datetime.timedelta(days=rng.randrange(-9, 9))).date()
        data.append((n, rng.choice("abc"), None if n % 17 == 5 else instant, day))
    frame = spark.createDataFrame(data, "n INT, k STRING, local TIMESTAMP_NTZ, day DATE")
    frame.selectExpr("*", "CAST(local AS TIMESTAMP) AS ts").createOrReplaceTempView("tvf_rows")
    yield "tvf_rows"
    spark.catalog.dropTempView("tvf_rows")


@pytest.mark.parametrize("column", ["ts", "local"])
def test_rows_get_the_windows_of_their_assigner(spark: SparkSession, rows: str, column: str) -> None:
    selects = []
    for number, (call, _) in enumerate(CALLS):
        relation = call.format(t=rows, ts=column)
        relation = f"TABLE({relation})" if number % 2 else relation
        instants = (_micros(name) for name in ("window_start", "window_end", "window_time"))
        selects.append(f"SELECT {number} AS c, n, {', '.join(instants)} FROM {relation}")
    found = Counter(tuple(row) for row in winsql.sql(spark, " UNION ALL ".join(selects)).collect())
    times = spark.sql(f"SELECT n, {_micros('local')} FROM {rows} WHERE local IS NOT NULL").collect()
    expected = Counter(
        (number, n, start, end, end - 1)
        for number, (_, assigner) in enumerate(CALLS)
        for n, instant in times
        for start, end in assigner.assign((n, instant), 0)
    )
    assert found == expected
    for number in range(len(CALLS)):
        assert sum(1 for row in found if row[0] == number) > 30, CALLS[number]


def _micros(name: str) -> str:
    return f"timestampdiff(MICROSECOND, TIMESTAMP_NTZ'1970-01-01', CAST({name} AS TIMESTAMP_NTZ))"


def test_sessions_are_those_of_the_operator(spark: SparkSession, rows: str) -> None:
    columns = "n, window_start, window_end, window_time"
    calls, assigned = [], []
    for number, (call, assigner) in enumerate(SESSIONS):
        calls.append(f"SELECT {number} AS c, {columns} FROM TABLE({call.format(t=rows)})")
        assigned.append(f"SELECT {number} AS c, {columns} FROM {rows} WINDOW ASSIGN {assigner}")
    found, expected = (Counter(winsql.sql(spark, " UNION ALL ".join(s)).collect()) for s in (calls, assigned))
    assert found == expected
    assert len({(row.c, row.window_start) for row in found}) > 30


def test_a_date_is_its_midnight(spark: SparkSession, rows: str) -> None:
    frame = winsql.sql(spark, f"SELECT * FROM TUMBLE(TABLE {rows}, DESCRIPTOR(day), '2 days', '1 day')")
    assert frame.columns == ["n", "k", "local", "day", "ts", "window_start", "window_end", "window_time"]
    assert dict(frame.dtypes)["window_start"] == "timestamp_ntz"
    found = frame.collect()
    assert len(found) == 120
    for row in found:
        days = (row.day - EPOCH.date()).days
        start = EPOCH + datetime.timedelta(days=days - (days - 1) % 2)
        assert (row.window_start, row.window_end) == (start, start + datetime.timedelta(days=2))
        assert row.window_time == row.window_end - datetime.timedelta(microseconds=1)


def test_rows_without_a_time_are_counted(spark: SparkSession, rows: str) -> None:
    frame = winsql.sql(spark, f"SELECT n FROM TABLE(HOP(TABLE {rows}, DESCRIPTOR(ts), '5 seconds', '10 seconds'))")
    assert frame.count() == 2 * (120 - 7)
    assert winsql.metrics(frame) == {"null_event_time": 7}


def test_a_day_of_the_session_is_as_long_as_its_clocks_show(spark: SparkSession) -> None:
    """Where clocks go forward, the day of a function has 23 hours, and that of the clause 24 still."""
    kept = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "Europe/Berlin")
    noon, size = "(SELECT TIMESTAMP'2024-03-31 12:00:00' AS ts)", "unix_micros(window_end) - unix_micros(window_start)"
    try:
        call = f"SELECT {size} AS size FROM TUMBLE(TABLE{noon}, DESCRIPTOR(ts), '1 day')"
        clause = f"SELECT {size} AS size FROM {noon} WINDOW ASSIGN TUMBLING(ts, '1 day')"
        sizes = [row.size // 3_600_000_000 for text in (call, clause) for row in winsql.sql(spark, text).collect()]
    finally:
        spark.conf.set("spark.sql.session.timeZone", str(kept))
    assert sizes == [23, 24]


def test_the_clock_and_the_places_a_call_may_stand(spark: SparkSession, rows: str) -> None:
    by_clock = winsql.sql(
        spark,
        f"SELECT DISTINCT window_end > current_timestamp() AS open FROM TUMBLE(TABLE {rows}, "
        "DESCRIPTOR(PROCTIME()), '1 day')",
    )
    assert [row.open for row in by_clock.collect()] == [True]
    text = f"""
        WITH few AS (SELECT * FROM {rows} WHERE n < ?)
        SELECT l.n FROM TABLE(TUMBLE(TABLE few, DESCRIPTOR(ts), '1 minute')) AS l
        JOIN TUMBLE(TABLE(SELECT * FROM few WHERE n <> 3), DESCRIPTOR(ts), '1 minute') r
        ON l.n = r.n AND l.window_start = r.window_start
        WHERE EXISTS (SELECT 1 FROM TABLE(TUMBLE(TABLE few, DESCRIPTOR(ts), '1 minute')) e WHERE e.n = l.n)
        ORDER BY l.n"""
    assert [row.n for row in winsql.sql(spark, text, [8]).collect()] == [0, 1, 2, 4, 6, 7]


def test_what_a_table_may_not_have(spark: SparkSession, rows: str) -> None:
    with pytest.raises(WindowPlanError, match="has a column Window_End already") as caught:
        winsql.sql(
            spark, f"SELECT * FROM TUMBLE(TABLE(SELECT *, 1 AS Window_End FROM {rows}), DESCRIPTOR(ts), '1 day')"
        )
    assert "EXCEPT" in (caught.value.hint or "")
    with pytest.raises(WindowSpecError, match="is of type STRING"):
        winsql.sql(spark, f"SELECT * FROM TUMBLE(TABLE {rows}, DESCRIPTOR(k), '1 day')")
    with pytest.raises(WindowSpecError, match="there is no column missing"):
        winsql.sql(spark, f"SELECT * FROM TUMBLE(TABLE {rows}, DESCRIPTOR(missing), '1 day')")
