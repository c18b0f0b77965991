"""Window table functions over TIMESTAMP follow what the clocks of the session show; WINDOW ASSIGN follows UTC."""

from __future__ import annotations

import os
import random
from collections import Counter
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from clocks import Assign, Bounds, Wall, cumulating, sliding, tumbling
from planned import rows_of
from streaming import Rows, run_sql

import winsql

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
# clocks go forward and back, by an hour, half an hour and not at all
CHANGES = {
    "America/Los_Angeles": [datetime(2024, 3, 10, 10), datetime(2024, 11, 3, 9)],
    "Australia/Lord_Howe": [datetime(2024, 10, 5, 15, 30), datetime(2024, 4, 6, 15)],
    "Asia/Shanghai": [datetime(2024, 6, 1)],
    "+05:30": [datetime(2024, 6, 1)],
}
NAMES = {"+05:30": "Asia/Kolkata"}
GAP = timedelta(minutes=40)
FUNCTIONS: dict[str, Assign] = {
    "TUMBLE({t}, DESCRIPTOR(ts), '1 day')": tumbling(DAY),
    "TUMBLE({t}, DESCRIPTOR(ts), '1 day', '8 hours')": tumbling(DAY, 8 * HOUR),
    "TUMBLE({t}, DESCRIPTOR(ts), '4 hours')": tumbling(4 * HOUR),
    "TUMBLE({t}, DESCRIPTOR(ts), '50 minutes', INTERVAL '-7' MINUTE)": tumbling(5 * HOUR / 6, -7 * HOUR / 60),
    "HOP({t}, DESCRIPTOR(ts), '20 minutes', '50 minutes')": sliding(5 * HOUR / 6, HOUR / 3),
    "HOP({t}, DESCRIPTOR(ts), '2 hours', '30 minutes')": sliding(HOUR / 2, 2 * HOUR),
    "CUMULATE({t}, DESCRIPTOR(ts), '10 minutes', '2 hours', '95 minutes')": cumulating(
        2 * HOUR, HOUR / 6, 95 * HOUR / 60
    ),
}
SESSION = "SESSION({t} PARTITION BY k, DESCRIPTOR(ts), '40 minutes')"


def night(change: datetime, seed: int = 1) -> list[datetime]:
    """Instants around a change, to the second, in their order."""
    pick = random.Random(seed)
    found = {change + timedelta(minutes=pick.choice([120, 2000]) * pick.uniform(-1, 1)) for _ in range(150)}
    return sorted({time.replace(second=0, microsecond=0) for time in found})


def zoned(times: list[datetime]) -> pa.Array:
    return pa.array([time.replace(tzinfo=UTC) for time in times], pa.timestamp("us", "UTC"))


def grouped(call: str, columns: str = "count(*)", keys: str = "") -> str:
    bounds = "unix_micros(window_start), unix_micros(window_end), unix_micros(window_time)"
    return f"SELECT {bounds}, {columns} FROM TABLE({call}) GROUP BY window_start, window_end, window_time{keys}"


def shown(windows: Counter[Bounds]) -> Counter[str]:
    rows = ((micros(start), micros(end), micros(end) - 1, count) for (start, end), count in windows.items())
    return Counter(f"{{{', '.join(map(str, row))}}}" for row in rows)


def micros(time: datetime) -> int:
    return (time - datetime(1970, 1, 1)) // timedelta(microseconds=1)


def expected(zone: str, assign: Assign | None) -> Counter[str]:
    found: Counter[str] = Counter()
    for change in CHANGES[zone]:
        wall = Wall(NAMES.get(zone, zone), change)
        windows = wall.sessions(GAP, night(change)) if assign is None else wall.counted(assign, night(change))
        found += shown(windows)
    return found


@pytest.fixture
def anywhere(spark: SparkSession) -> Iterator[SparkSession]:
    """A session whose zone a test may set."""
    yield spark
    spark.conf.set("spark.sql.session.timeZone", "UTC")


@pytest.mark.slow
@pytest.mark.parametrize("zone", CHANGES)
def test_functions_follow_the_clocks_of_the_session(anywhere: SparkSession, tmp_path: Path, zone: str) -> None:
    times = [time for change in CHANGES[zone] for time in night(change)]
    pq.write_table(pa.table({"k": ["a"] * len(times), "ts": zoned(times)}), tmp_path / "night.parquet")
    anywhere.read.parquet(str(tmp_path)).createOrReplaceTempView("clocked")
    anywhere.conf.set("spark.sql.session.timeZone", zone)
    functions = {**FUNCTIONS, SESSION: None}
    frames = [winsql.sql(anywhere, grouped(call.format(t="TABLE clocked"))) for call in functions]
    anywhere.conf.set("spark.sql.session.timeZone", "UTC")  # it is read when a statement is planned
    for (call, assign), rows in zip(functions.items(), rows_of(frames), strict=True):
        assert rows == expected(zone, assign), call


def test_other_times_and_clauses_do_not(anywhere: SparkSession) -> None:
    anywhere.conf.set("spark.sql.session.timeZone", "Asia/Shanghai")
    anywhere.sql(
        "SELECT TIMESTAMP'2024-05-01 03:00:00Z' AS ts, TIMESTAMP_NTZ'2024-05-01 03:00' AS ntz, DATE'2024-05-01' AS d"
    ).createOrReplaceTempView("noon")

    def starts(text: str) -> str:
        rows = winsql.sql(anywhere, f"SELECT CAST(window_start AS STRING) AS s FROM {text}")
        return " ".join(row.s for row in rows.collect())

    assert starts("TABLE(TUMBLE(TABLE noon, DESCRIPTOR(ts), '1 day'))") == "2024-05-01 00:00:00"
    assert starts("TABLE(TUMBLE(TABLE noon, DESCRIPTOR(ntz), '1 day'))") == "2024-05-01 00:00:00"
    assert starts("TABLE(TUMBLE(TABLE noon, DESCRIPTOR(d), '1 day'))") == "2024-05-01 00:00:00"
    assert starts("noon WINDOW ASSIGN TUMBLING(ts, '1 day')") == "2024-05-01 08:00:00"
    assert starts("noon WINDOW ASSIGN TUMBLING(ts, '1 day', '16 hours')") == "2024-05-01 00:00:00"
    joined = "noon a WINDOW JOIN noon b ON a.d = b.d WINDOW ASSIGN TUMBLING((a.ts, b.ts), '1 day')"
    assert starts(joined) == "2024-05-01 08:00:00"
    call = "window_join(TABLE(noon) PARTITION BY d, TABLE(noon) PARTITION BY d, DESCRIPTOR(ts, ts), TUMBLING('1 day'))"
    assert starts(call) == "2024-05-01 08:00:00"


def test_the_clock_is_one_of_the_session_too(anywhere: SparkSession) -> None:
    anywhere.conf.set("spark.sql.session.timeZone", "+05:45")
    for call in (
        "TUMBLE(TABLE one, DESCRIPTOR(PROCTIME()), '1 hour')",
        "SESSION(TABLE one, DESCRIPTOR(PROCTIME()), '1 hour')",
    ):
        anywhere.sql("SELECT 1 AS n").createOrReplaceTempView("one")
        rows = winsql.sql(anywhere, f"SELECT minute(window_start) AS m, window_start <= now() AS l FROM TABLE({call})")
        ((minute, is_past),) = rows.collect()
        assert is_past
        assert minute == 0 or "SESSION" in call
    anywhere.catalog.dropTempView("one")


ZONE = "America/Los_Angeles"
FAR = datetime(2025, 1, 1)
STREAMS = {
    grouped("TUMBLE({t}, DESCRIPTOR(ts), '4 hours')"): tumbling(4 * HOUR),
    grouped("CUMULATE({t}, DESCRIPTOR(ts), '10 minutes', '2 hours', '95 minutes')"): cumulating(
        2 * HOUR, HOUR / 6, 95 * HOUR / 60
    ),
    # an aggregate without columns: the per-row operator
    grouped("HOP({t}, DESCRIPTOR(ts), '20 minutes', '50 minutes')", "size(collect_set(n))"): sliding(
        5 * HOUR / 6, HOUR / 3
    ),
    grouped(SESSION, keys=", k"): None,
}


def put(folder: Path, number: int, times: list[datetime], first: int) -> None:
    path = folder / f"{number}.parquet"
    table = pa.table({"k": ["a"] * len(times), "ts": zoned(times), "n": list(range(first, first + len(times)))})
    pq.write_table(table, path)
    os.utime(path, (1_700_000_000 + number,) * 2)


def streamed(spark: SparkSession, folder: Path) -> None:
    frame = spark.readStream.schema("k STRING, ts TIMESTAMP, n BIGINT").option("maxFilesPerTrigger", 1)
    frame.parquet(str(folder)).withWatermark("ts", "0 seconds").createOrReplaceTempView("clocked_stream")


@pytest.mark.slow
def test_streams_give_the_rows_of_tables(anywhere: SparkSession, tmp_path: Path) -> None:
    times = sorted(time for change in CHANGES[ZONE] for time in night(change))
    folder = tmp_path / "rows"
    folder.mkdir()
    for number, begin in enumerate(range(0, len(times), 60)):
        put(folder, number, times[begin : begin + 60], begin)
    put(folder, 99, [FAR], 999)
    anywhere.conf.set("spark.sql.session.timeZone", ZONE)
    streamed(anywhere, folder)
    texts = [text.format(t="TABLE clocked_stream") for text in STREAMS]
    both = "(SELECT * FROM TABLE(TUMBLE(TABLE clocked_stream, DESCRIPTOR(ts), '4 hours')))"
    texts.append(
        "SELECT unix_micros(L.window_start), unix_micros(L.window_end), unix_micros(L.window_time), L.n "
        f"FROM {both} L JOIN {both} R ON L.n = R.n AND L.window_start = R.window_start AND L.window_end = R.window_end"
    )
    found = run_sql(anywhere, texts, tmp_path / "checkpoints")
    for (text, assign), rows in zip(STREAMS.items(), found, strict=False):
        assert Counter(f"{{{', '.join(row)}}}" for row in rows) == expected(ZONE, assign), text
    windows = Counter(row[:3] for row in found[-1])
    joined = Counter(f"{{{', '.join([*window, str(count)])}}}" for window, count in windows.items())
    assert joined == expected(ZONE, tumbling(4 * HOUR))


@pytest.mark.slow
@pytest.mark.parametrize(
    ("keys", "is_view"), [("window_start, window_end", False), ("window_end", False), ("window_end", True)]
)
def test_a_stream_keeps_its_zone_and_its_windows(
    anywhere: SparkSession, tmp_path: Path, keys: str, is_view: bool
) -> None:
    folder = tmp_path / "rows"
    folder.mkdir()
    put(folder, 0, [datetime(2024, 5, 1)], 0)

    def go_on(zone: str, size: str = "1 day") -> DataFrame:
        rows = f"TABLE(TUMBLE(TABLE clocked_stream, DESCRIPTOR(ts), '{size}'))"
        anywhere.conf.set("spark.sql.session.timeZone", zone)
        streamed(anywhere, folder)
        if is_view:
            winsql.sql(anywhere, f"CREATE OR REPLACE TEMP VIEW windowed_days AS SELECT * FROM {rows}")
        text = f"SELECT {keys}, count(*) FROM {'windowed_days' if is_view else rows} GROUP BY {keys}"
        query = Rows(tmp_path / "out").start(winsql.sql(anywhere, text), tmp_path / "checkpoint", availableNow=True)
        query.awaitTermination()
        return query

    go_on("Asia/Shanghai")
    put(folder, 1, [datetime(2024, 5, 2)], 1)
    with pytest.raises(Exception, match="by the clocks of Asia/Shanghai, and not of UTC"):
        go_on("UTC")
    with pytest.raises(Exception, match=r"INTERVAL 1 DAY\).* and (is|are) TUMBLING\(ts, INTERVAL 1 HOUR\)"):
        go_on("Asia/Shanghai", "1 hour")
    go_on("Asia/Shanghai")


def test_explain_names_the_zone(anywhere: SparkSession) -> None:
    anywhere.sql("SELECT TIMESTAMP'2024-05-01 03:00:00Z' AS ts").createOrReplaceTempView("noon")
    anywhere.conf.set("spark.sql.session.timeZone", "Asia/Shanghai")
    text = winsql.explain(anywhere, "SELECT * FROM TABLE(TUMBLE(TABLE noon, DESCRIPTOR(ts), '1 day'))")
    assert "windows follow what clocks show in Asia/Shanghai" in str(text)
    anywhere.conf.set("spark.sql.session.timeZone", "Etc/UTC")
    text = winsql.explain(anywhere, "SELECT * FROM TABLE(TUMBLE(TABLE noon, DESCRIPTOR(ts), '1 day'))")
    assert "clocks" not in str(text)
