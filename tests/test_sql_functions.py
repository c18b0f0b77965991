"""The SQL function pack assigns the windows that the model assigns, whatever the time zone of the session."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from winsql.model.assigners import CumulatingWindows, SlidingWindows, TumblingWindows
from winsql.model.base import TimeAttribute, TimeDomain, Window

FOLDER = Path(__file__).resolve().parents[1] / "sql" / "functions"
MINUTE = 60_000_000
DAY = 24 * 60 * MINUTE
SPRING_FORWARD = 1_710_054_000_000_000  # 2024-03-10 02:00 in New York, which did not exist
MICROSECOND = "INTERVAL '0.000001' SECOND"


def create(path: Path) -> str:
    return path.read_text(encoding="utf-8").strip().removesuffix(";")


@pytest.fixture(scope="module", autouse=True)
def installed(spark) -> Iterator[None]:
    zone = spark.conf.get("spark.sql.session.timeZone")
    spark.conf.set("spark.sql.session.timeZone", "America/New_York")
    for path in sorted(FOLDER.glob("*.sql")):
        spark.sql(create(path))
    yield
    for path in sorted(FOLDER.glob("*.sql")):
        spark.sql(f"DROP TEMPORARY FUNCTION {path.stem}")
    spark.conf.set("spark.sql.session.timeZone", zone)


def test_each_file_creates_the_function_it_is_named_after(spark) -> None:
    for path in sorted(FOLDER.glob("*.sql")):
        assert create(path).count("CREATE OR REPLACE TEMPORARY FUNCTION ") == 1
        assert f"FUNCTION {path.stem}(" in create(path)


def cases(seed: int, step_divides_size: bool) -> Iterator[tuple[int, int, int, int]]:
    """(ts, size, step or slide, offset) in microseconds, around the epoch and around a change of the clock."""
    rng = random.Random(seed)
    for _ in range(60):
        ts = rng.choice([0, SPRING_FORWARD]) + rng.randint(-40 * DAY, 40 * DAY)
        step = rng.choice([1, 7, MINUTE, 17 * MINUTE, DAY, 3 * DAY])
        size = step * rng.randint(1, 5) if step_divides_size else max(1, int(step * rng.uniform(0.3, 5)))
        yield ts, size, step, rng.randint(-step + 1, step - 1)


def interval(length_us: int) -> str:
    return f"{length_us} * {MICROSECOND}"


def windows(spark, calls: list[str]) -> list[list[Window]]:
    """What each call returns, an array of windows, in microseconds."""
    as_micros = "transform({}, w -> array(unix_micros(w.start), unix_micros(w.end)))"
    query = " UNION ALL ".join(f"SELECT {i} AS i, {as_micros.format(call)} AS w" for i, call in enumerate(calls))
    return [[Window(*pair) for pair in row.w] for row in spark.sql(query).orderBy("i").collect()]


def assigned(assigner: type, ts: int, *parameters: int) -> list[Window]:
    time = TimeAttribute(TimeDomain.EVENT, ("ts",))
    return list(assigner(time, *parameters).assign((0, ts), 0))


def test_sliding_windows(spark) -> None:
    given = [*cases(1, step_divides_size=False)]
    calls = [
        f"sliding_windows(timestamp_micros({ts}), {interval(size)}, {interval(slide)}, {interval(offset)})"
        for ts, size, slide, offset in given
    ]
    expected = [assigned(SlidingWindows, *case) for case in given]
    assert windows(spark, calls) == expected
    assert [] in expected  # slide > size leaves gaps


def test_cumulating_windows(spark) -> None:
    given = [*cases(2, step_divides_size=True)]
    calls = [
        f"cumulating_windows(timestamp_micros({ts}), {interval(size)}, {interval(step)}, {interval(offset)})"
        for ts, size, step, offset in given
    ]
    assert windows(spark, calls) == [assigned(CumulatingWindows, *case) for case in given]


def test_tumble_start_and_end(spark) -> None:
    given = [(ts, size, offset) for ts, _, size, offset in cases(3, step_divides_size=False)]
    calls = []
    for ts, size, offset in given:
        arguments = f"timestamp_micros({ts}), {interval(size)}, {interval(offset)}"
        calls.append(f"array(named_struct('start', tumble_start({arguments}), 'end', tumble_end({arguments})))")
    assert windows(spark, calls) == [assigned(TumblingWindows, *case) for case in given]


@pytest.mark.parametrize(
    "call",
    [
        "tumble_start(ts, INTERVAL '0' SECOND)",
        "tumble_end(ts, INTERVAL '1' HOUR, INTERVAL '-1' HOUR)",
        "sliding_windows(ts, INTERVAL '1' HOUR, INTERVAL '0' SECOND)",
        "sliding_windows(ts, INTERVAL '-1' HOUR, INTERVAL '1' HOUR)",
        "cumulating_windows(ts, INTERVAL '1' HOUR, INTERVAL '7' MINUTE)",
    ],
)
def test_impossible_windows_are_refused(spark, call: str) -> None:
    from pyspark.errors import PySparkException

    with pytest.raises(PySparkException, match="must be positive"):
        spark.sql(f"SELECT {call} FROM VALUES (TIMESTAMP'2024-01-01') AS t(ts)").collect()


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        ("cleanup_time(timestamp_micros(1000))", 999),
        ("cleanup_time(timestamp_micros(1000), INTERVAL '1' SECOND)", 1_000_999),
        ("cleanup_time(timestamp_micros(9223372036854775807), INTERVAL '1' SECOND)", 2**63 - 1),
        ("cleanup_time(NULL)", None),
        ("combine_watermarks(timestamp_micros(5), timestamp_micros(3))", 3),
        ("combine_watermarks(timestamp_micros(5), NULL)", None),
        ("combine_watermarks(NULL, timestamp_micros(5))", None),
    ],
)
def test_times_and_watermarks(spark, call: str, expected: int | None) -> None:
    assert spark.sql(f"SELECT unix_micros({call}) AS t").first().t == expected
