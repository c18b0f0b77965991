"""Native plans and plans of the operator give the same rows: generated tables, windows, keys and aggregates."""

from __future__ import annotations

import random
from collections.abc import Iterator
from datetime import datetime, timedelta
from decimal import Decimal
from itertools import cycle
from typing import TYPE_CHECKING, Any

import pytest
from planned import both_ways, frame_of, plan, rows_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SCHEMA = (
    "ts TIMESTAMP, ntz TIMESTAMP_NTZ, day DATE, name STRING, x DOUBLE, v INT, price DECIMAL(10,2), "
    "pair STRUCT<a: INT, b: STRING>, list ARRAY<INT>, bytes BINARY, flag BOOLEAN, seconds INT"
)
# clocks in New York go back on 2013-11-03 06:00 UTC and forward on 2013-03-10 07:00 UTC; one island before 1970
ISLANDS = [datetime(2013, 11, 3, 4), datetime(2013, 3, 10, 5), datetime(1969, 12, 31, 22), datetime(1901, 5, 5, 1)]


def rows(seed: int, count: int) -> list[tuple[Any, ...]]:
    """Random rows with nulls everywhere, duplicates, and times of microseconds around changes of clocks."""
    pick = random.Random(seed)
    found = []
    for _ in range(count):
        moment = pick.choice(ISLANDS) + timedelta(
            minutes=pick.randrange(240), microseconds=pick.choice([0, 0, 1, 999_999, 500_000])
        )
        row = (
            moment,
            moment,
            moment.date() + timedelta(days=pick.randrange(3)),
            pick.choice(["a", "b", "A", "", "ä"]),
            pick.choice([0.0, -0.0, 1.5, float("nan"), -2.5]),
            pick.randrange(-5, 6),
            Decimal(pick.randrange(-300, 300)) / 100,
            (pick.choice([1, None]), pick.choice(["p", "q"])),
            pick.choice([[1, 2], [], [None], [2]]),
            pick.choice([b"", b"x", b"xy"]),
            pick.choice([True, False]),
            pick.randrange(1, 3000),
        )
        found.append(tuple(None if pick.random() < 0.07 else value for value in row[:-1]) + row[-1:])
    return found + found[: count // 10]


INSTANT_WINDOWS = [
    "TUMBLING({t}, '1 hour')",
    "TUMBLING({t}, '1 day', INTERVAL '-5' HOUR)",
    "TUMBLING({t}, '7 microseconds', INTERVAL '0.000003' SECOND)",
    "SLIDING({t}, '1 hour', '20 minutes')",
    "SLIDING({t}, '50 minutes', '20 minutes', INTERVAL '-3' MINUTE)",
    "SLIDING({t}, '2 days', '7 hours')",
    "SLIDING({t}, '20 minutes', '1 hour')",
    "SLIDING({t}, '20 minutes', '1 hour', '50 minutes')",
    "SLIDING({t}, '90 minutes', '1 day', INTERVAL '-1' HOUR)",
    "CUMULATING({t}, '1 day', '4 hours', '9 hours')",
    "CUMULATING({t}, '1 hour', '30 minutes', INTERVAL '-7' MINUTE)",
    "SESSION({t}, '1 minute')",
    "SESSION({t}, '3 minutes')",
    "SESSION({t}, INTERVAL '59.999999' SECOND)",
    "SESSION({t}, MAKE_DT_INTERVAL(0, 0, 0, seconds))",
    "SESSION({t}, MAKE_DT_INTERVAL(v * v, 0, 1))",
]
DAY_WINDOWS = ["TUMBLING(day, '2 days')", "SLIDING(day, '3 days', '1 day')", "SESSION(day, '1 day')"]
KEYS = ["name", "x", "pair", "list", "bytes", "price, flag", "day", "upper(name), v % 2", "'k'", ""]
AGGREGATES = [
    "count(*), count(v), sum(v), min(name), max(price), avg(price)",
    "count(DISTINCT v), sum(DISTINCT price), sum(v) FILTER (WHERE v > 1), bool_or(flag)",
    "max(pair), min(list), max_by(v, ts), array_sort(collect_list(v)), count_if(flag)",
    "round(kurtosis(v), 6), percentile_cont(0.5) WITHIN GROUP (ORDER BY v), listagg(DISTINCT name)"
    " WITHIN GROUP (ORDER BY name)",
    "min(x) + 0D, max(x) + 0D, sum(price), any_value(1), median(v), approx_count_distinct(name, 0.01)",
]


@pytest.fixture
def new_york(spark: SparkSession) -> Iterator[SparkSession]:
    """The session in a time zone whose clocks change; values are made in UTC."""
    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    yield spark
    spark.conf.set("spark.sql.session.timeZone", "UTC")


def table(spark: SparkSession, name: str, data: list[tuple[Any, ...]]) -> None:
    spark.createDataFrame(data, SCHEMA).createOrReplaceTempView(name)


def statement(window: str, keys: str, aggregates: str, name: str, has_zone: bool) -> str:
    bounds = ["window_start", "window_end", "window_time"]
    shown = [f"unix_micros({bound})" if has_zone else bound for bound in bounds]
    listed = ", ".join([keys] * bool(keys) + [aggregates, *shown, "pane_index", "pane_timing"])
    where = " WHERE v IS NULL OR v <> 5" if "seconds" in window else ""
    return f"SELECT {listed} FROM {name}{where} WINDOW ASSIGN {window}" + (f" GROUP BY {keys}" if keys else "")


def statements(name: str) -> list[str]:
    """Every window, each with keys and aggregates in turn."""
    times = ["ts", "ts", "ntz"]
    windows = [(w.format(t=t), t == "ts") for w, t in zip(INSTANT_WINDOWS, cycle(times), strict=False)]
    windows += [(w, False) for w in DAY_WINDOWS]
    made: list[str] = []
    for number, (window, has_zone) in enumerate(windows):
        if window.startswith("SESSION") and "v * v" in window:
            window = window.replace("v * v", "COALESCE(v * v, 0)")
        keys, aggregates = KEYS[number % len(KEYS)], AGGREGATES[number % len(AGGREGATES)]
        if window.startswith("SESSION"):
            aggregates = aggregates.replace("DISTINCT ", "")  # never native
        made.append(statement(window, keys, aggregates, name, has_zone))
    return made


@pytest.mark.slow
@pytest.mark.compiled
@pytest.mark.parametrize("part", range(2))
def test_same_rows(new_york: SparkSession, part: int) -> None:
    table(new_york, "generated", rows(seed=part, count=150))
    for text, native, operator in both_ways(new_york, statements("generated")[part::2]):
        assert native == operator, text
        assert native, text


def test_same_rows_of_no_rows(new_york: SparkSession) -> None:
    table(new_york, "nothing", [])
    for text, native, operator in both_ways(new_york, statements("nothing")[::4]):
        assert native == operator, text
        assert not native, text


def test_touching_sessions_are_one(spark: SparkSession) -> None:
    spark.sql(
        "SELECT timestamp_micros(t) AS ts FROM VALUES (0L), (1000000L), (2000001L), (-1000000L) AS x(t)"
    ).createOrReplaceTempView("touching")
    text = "SELECT count(*), unix_micros(window_end) FROM touching WINDOW ASSIGN SESSION(ts, '1 second')"
    [(_, native, operator)] = both_ways(spark, [text])
    assert native == operator == {"{3, 2000000}": 1, "{1, 3000001}": 1}


def test_date_is_a_midnight_without_zone(spark: SparkSession) -> None:
    text = "SELECT count(*), window_start FROM VALUES (DATE'2013-03-10') AS x(d) WINDOW ASSIGN TUMBLING(d, '1 day')"
    [(_, native, operator)] = both_ways(spark, [text])
    assert native == operator == {"{1, 2013-03-10 00:00:00}": 1}


def test_a_number_as_key_is_no_position(spark: SparkSession) -> None:
    text = (
        "SELECT 7, count(*) FROM VALUES (TIMESTAMP'2020-01-01') AS x(t) WINDOW ASSIGN TUMBLING(t, '1 day') GROUP BY 1"
    )
    [(_, native, operator)] = both_ways(spark, [text])
    assert native == operator == {"{7, 1}": 1}


def test_distinct_in_sessions_is_not_for_spark(spark: SparkSession) -> None:
    """Spark 4.3 merges sessions per value here and gives 60: each value comes twice, further apart than 5 s."""
    spark.sql(
        "SELECT timestamp_micros(id * 1000000) AS ts, id % 30 AS v, id % 2 AS w FROM range(60)"
    ).createOrReplaceTempView("one_session")
    text = "SELECT count(DISTINCT v), sum(DISTINCT w) FROM one_session WINDOW ASSIGN SESSION(ts, '5 seconds')"
    assert not plan(spark, text).plan.strategy.is_native
    assert rows_of([frame_of(spark, text, native=False)]) == [{"{30, 1}": 1}]
