"""Times at both ends of 64 bits: on every plan they count as the first or the last instant, and nothing overflows."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow as pa
import pyarrow.parquet as pq
import pytest
from planned import frame_of, rows_of
from streaming import run_sql

import winsql
from winsql.errors import WindowDataError
from winsql.model.base import LAST_INSTANT, LONGEST
from winsql.spark.messages.failure import translate

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

FAR = 2**63
DAY = 86_400_000_000
FIRST_INSTANT = -37_243_778 * DAY  # the year -100,000 begins
YEAR_1, YEAR_9999 = -62_135_596_800_000_000, 253_402_300_799_999_999
TIMES = [-FAR, 5 - FAR, FIRST_INSTANT - 1, FIRST_INSTANT, YEAR_1, 0, YEAR_9999]
TIMES += [LAST_INSTANT - 1, LAST_INSTANT, LAST_INSTANT + 1, FAR - 6, FAR - 1]
LARGEST = LONGEST // DAY
NTZ = "timestampadd(MICROSECOND, t, TIMESTAMP_NTZ'1970-01-01')"


@pytest.fixture(scope="module")
def ends(spark: SparkSession) -> Iterator[SparkSession]:
    """Views `ends` with the times, and `within` with what they count as."""
    for view, times in {"ends": TIMES, "within": [min(max(t, FIRST_INSTANT), LAST_INSTANT) for t in TIMES]}.items():
        frame = spark.createDataFrame([(t, n) for n, t in enumerate(times)], "t BIGINT, n INT").coalesce(1)
        columns = ("timestamp_micros(t) AS ts", f"{NTZ} AS ntz", "n", "n % 2 AS k")
        frame.selectExpr(
            *columns, f"make_dt_interval(1 + {LARGEST - 1} * (n % 3 DIV 2)) AS gap"
        ).createOrReplaceTempView(view)
    yield spark
    for view in ("ends", "within"):
        spark.catalog.dropTempView(view)


def days(number: int, unit: str = "DAY") -> str:
    return f"INTERVAL '{number}' {unit}"


WINDOWS = [
    f"TUMBLING(ts, {days(1)})",
    f"TUMBLING(ntz, {days(1)}, {days(-23, 'HOUR')})",
    f"TUMBLING(ts, {days(LARGEST)}, {days(LARGEST - 1)})",
    f"TUMBLING(ts, {days(7)}, {days(6)}) TRIGGER CONTINUOUS_EVENT_TIME({days(LARGEST)})",
    f"TUMBLING(ntz, {days(1)}) ALLOWED LATENESS {days(LARGEST)}",
    f"SLIDING(ts, {days(2)}, {days(1)}, {days(23, 'HOUR')})",
    f"SLIDING(ntz, {days(LARGEST)}, {days(LARGEST // 2)})",
    f"SLIDING(ts, {days(9)}, {days(1)}) EVICT TIME({days(LARGEST)})",
    f"SLIDING(ts, {days(LARGEST - 1)}, {days(LARGEST)}, {days(1 - LARGEST)})",
    f"CUMULATING(ts, {days(4)}, {days(1)}, {days(-23, 'HOUR')})",
    f"CUMULATING(ntz, {days(LARGEST)}, {days(LARGEST // 4)})",
    f"SESSION(ts, {days(1)})",
    f"SESSION(ntz, {days(LARGEST)})",
    "SESSION(ts, gap)",
    "SESSION(ts, gap) TRIGGER ANY(COUNT(2), EVENT_TIME())",
    f"GLOBAL(ts) TRIGGER CONTINUOUS_EVENT_TIME({days(LARGEST)})",
    "GLOBAL(ntz) TRIGGER COUNT(2) EVICT TIME('1 day')",
]
"""Any that Spark alone can run are run both ways."""
BOUNDS = "CAST(window_start AS STRING) AS s, CAST(window_end AS STRING) AS e, CAST(window_time AS STRING) AS t"


def select(window: str, view: str) -> str:
    return f"SELECT k, {BOUNDS}, count(*) AS c, sum(n) AS v FROM {view} WINDOW ASSIGN {window} GROUP BY k"


@pytest.mark.slow
def test_every_assigner_on_tables(ends: SparkSession) -> None:
    frames: list[DataFrame] = []
    for window in WINDOWS:
        frames += [winsql.sql(ends, select(window, view)) for view in ("ends", "within")]
        frames.append(frame_of(ends, select(window, "ends"), native=False))
    found = rows_of(frames)
    for window, own, within, operator in zip(WINDOWS, found[::3], found[1::3], found[2::3], strict=True):
        assert own == within == operator, window
        assert own.total() > 3, window


FUNCTIONS = [
    f"TUMBLE(TABLE {{}}, DESCRIPTOR(ts), {days(1)}, {days(23, 'HOUR')})",
    f"HOP(TABLE {{}}, DESCRIPTOR(ntz), {days(1)}, {days(3)})",
    f"CUMULATE(TABLE {{}}, DESCRIPTOR(ts), {days(1)}, {days(4)}, {days(-23, 'HOUR')})",
    f"SESSION(TABLE {{}} PARTITION BY k, DESCRIPTOR(ts), {days(1)})",
]
JOINS = [f"TUMBLING((x.ts, y.ts), {days(LARGEST)})", f"SESSION((x.ts, y.ts), {days(1)})"]


def test_functions_and_joins_on_tables(ends: SparkSession) -> None:
    texts = [f"SELECT k, n, {BOUNDS} FROM {function}" for function in FUNCTIONS]
    join = f"SELECT x.n, y.n AS m, {BOUNDS} FROM {{}} x FULL WINDOW JOIN (SELECT * FROM {{}}) y ON x.k = y.k"
    texts += [f"{join} WINDOW ASSIGN {window}" for window in JOINS]
    frames = [winsql.sql(ends, text.replace("{}", view)) for text in texts for view in ("ends", "within")]
    found = rows_of(frames)
    for text, own, within in zip(texts, found[::2], found[1::2], strict=True):
        assert own == within, text
        assert len(own) > 3, text


@pytest.mark.parametrize("zone", ["America/New_York", "+14:00"])
def test_local_time_at_the_ends(ends: SparkSession, zone: str) -> None:
    before = ends.conf.get("spark.sql.session.timeZone")
    ends.conf.set("spark.sql.session.timeZone", zone)
    try:
        text = f"SELECT n, {BOUNDS} FROM TUMBLE(TABLE {{}}, DESCRIPTOR(ts), {days(1)})"
        own, within = rows_of([winsql.sql(ends, text.replace("{}", view)) for view in ("ends", "within")])
    finally:
        ends.conf.set("spark.sql.session.timeZone", before)
    assert own == within
    assert len(own) == len(TIMES)


def test_dates_at_the_ends(ends: SparkSession) -> None:
    edges = [-(2**31), -37_243_779, -37_243_778, 0, 35_804_722, 35_804_723, 2**31 - 1]
    values = ", ".join(f"({edge})" for edge in edges)
    view = f"(SELECT date_from_unix_date(d) AS day, 1 AS n, 0 AS k FROM VALUES {values} AS x(d))"
    for window in (f"TUMBLING(day, {days(1)})", f"SESSION(day, {days(1)})"):
        text = select(window, view)
        native, operator = rows_of([frame_of(ends, text, native=native) for native in (True, False)])
        assert native == operator
        assert sum(int(row.split(", ")[4]) for row in native) == len(edges)


@pytest.mark.parametrize("trigger", ["", "TRIGGER PURGING(EVENT_TIME())", "TRIGGER COUNT(1)"])
def test_a_gap_that_is_too_long_is_an_error_of_its_row(ends: SparkSession, trigger: str) -> None:
    text = f"SELECT count(*) FROM ends WINDOW ASSIGN SESSION(ts, make_dt_interval(106751990 - n)) {trigger} GROUP BY k"
    with pytest.raises(Exception, match="longer than 10,000,000 days") as caught:
        winsql.sql(ends, text).collect()
    assert isinstance(translate(caught.value, text), WindowDataError)


@pytest.mark.slow
def test_both_ends_on_streams(spark: SparkSession, tmp_path: Path) -> None:
    """The watermark counts as the last instant too: the last windows stay open, everything before has ended."""
    for number, times in enumerate(
        [[YEAR_1, 0], [YEAR_9999, 5 - FAR], [FAR - 1, LAST_INSTANT - 1], [-FAR, LAST_INSTANT + 9]]
    ):
        put(tmp_path / "in", number, times)
    frame = spark.readStream.schema("ts TIMESTAMP, n INT").option("maxFilesPerTrigger", 1).parquet(str(tmp_path / "in"))
    frame.withWatermark("ts", "0 seconds").createOrReplaceTempView("far")
    columns = f"SELECT {BOUNDS}, count(*) AS c FROM far WINDOW ASSIGN TUMBLING(ts, {days(1)})"
    texts = [
        columns,
        f"{columns} TRIGGER ANY(EVENT_TIME(), COUNT(3))",
        f"SELECT x.n, y.n AS m, {BOUNDS} FROM far x LEFT WINDOW JOIN far y ON x.n = y.n "
        f"WINDOW ASSIGN TUMBLING((x.ts, y.ts), {days(1)})",
    ]
    found = run_sql(spark, texts, tmp_path / "checkpoints")
    first = ("-100000-01-01 00:00:00", "-100000-01-02 00:00:00", "-100000-01-01 23:59:59.999999")
    last = ("+99999-12-31 00:00:00", "+100000-01-01 00:00:00", "+99999-12-31 23:59:59.999999")
    starts = ["0001-01-01", "1970-01-01", "9999-12-31"]
    for rows in found[:2]:
        assert sorted(row[0][:-9] for row in rows if row[0] not in (first[0], last[0])) == starts
        assert (*last, "1") in rows
    assert sorted(row[2][:-9] for row in found[2] if row[2] not in (first[0], last[0])) == starts
    spark.catalog.dropTempView("far")


def put(folder: Path, number: int, times: list[int]) -> None:
    """A file that becomes a micro-batch."""
    folder.mkdir(exist_ok=True)
    columns = [pa.array(times, pa.timestamp("us", "UTC")), pa.array(range(len(times)), pa.int32())]
    path = folder / f"{number}.parquet"
    pq.write_table(pa.table(columns, names=["ts", "n"]), path)
    os.utime(path, (1_700_000_000 + number,) * 2)


def test_keys_that_python_has_no_dates_for(spark: SparkSession, tmp_path: Path) -> None:
    """Inside arrays and structs too, with NaN beside them, and where their windows are listed."""
    put(tmp_path / "in", 0, [0, 1, 2, 3, 4])
    put(tmp_path / "in", 1, [400 * DAY])
    source = (
        spark.readStream.schema("ts TIMESTAMP, n INT").option("maxFilesPerTrigger", 1).parquet(str(tmp_path / "in"))
    )
    source.withWatermark("ts", "0 seconds").createOrReplaceTempView("far_stream")
    spark.read.parquet(str(tmp_path / "in")).createOrReplaceTempView("far_table")
    day = "date_from_unix_date(n % 2 * 20000000 - 10000000)"
    instants = "array(timestamp_micros(n DIV 2 * 4000000000000000000), NULL)"
    keys = (
        f"SELECT ts, n, {day} AS day, array({day}) AS days, {instants} AS instants, struct({day}, double('nan')) AS row"
    )
    text = (
        f"SELECT CAST(struct(day, days, instants, row, n) AS STRING) AS shown FROM (SELECT day, days, instants, row, "
        f"count(*) AS n, window_end FROM ({keys} FROM {{}}) WINDOW ASSIGN TUMBLING(ts, {days(1)}) {{}} "
        "GROUP BY day, days, instants, row) WHERE window_end < TIMESTAMP'1971-01-01'"
    )
    triggers = ["", "TRIGGER ANY(EVENT_TIME(), COUNT(9))"]
    found = run_sql(spark, [text.format("far_stream", trigger) for trigger in triggers], tmp_path / "checkpoints")
    (wanted,) = rows_of([winsql.sql(spark, text.format("far_table", ""))])
    for number, rows in enumerate(found):
        assert Counter(f"{{{row}}}" for (row,) in rows) == wanted
        (left,) = winsql.state(spark, str(tmp_path / "checkpoints" / str(number))).collect()
        assert "-25410-12-06" in left.key
    assert len(wanted) == 5
    for view in ("far_stream", "far_table"):
        spark.catalog.dropTempView(view)
