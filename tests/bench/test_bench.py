"""The benchmark's own parts: what a run must give, how ratios are judged, what makes a run fail."""

from __future__ import annotations

import xml.etree.ElementTree as ET
from collections import defaultdict
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from bench import growth
from bench.chart import chart
from bench.expected import expected
from bench.peer import FlinkPeer, PeerMissing
from bench.report import EQUAL, Row, Verdict, as_json, compare, problems, table
from bench.workloads import CLOSING_ROWS, FLOOR, PASS_THROUGH, WORKLOADS, Engine, Events, Mode

import winsql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

SMALL = Events(rows=3000, keys=7, pace=40)
# the checksums that the Flink peer prints for `speed WORKLOAD 200000 10000`
FLINK = {
    "tumbling": {"results": 26015, "sum": 9599419, "count": 200000},
    "sliding": {"results": 273103, "sum": 95994190, "count": 2000000},
    "sliding60": {"results": 773103, "sum": 575965140, "count": 12000000},
    "session": {"results": 94955, "sum": 9599419, "count": 200000},
    "count": {"results": 15219, "count": 152190},
    "sliding_count": {"results": 200000, "count": 2123804},
    "time_evictor": {"results": 15219},
    "continuous": {},
    "delta": {},
    "lateness": {"results": 120581, "sum": 9599419, "count": 200000},
    "join": {"results": 464484, "sum": 44588895, "count": 464484},
}


# what Flink SQL gives for 200,000 events of Nexmark: rows, and the number made of them
FLINK_SQL = {"q5": (14, 5611617), "q7": (2, 777542), "q8": (1799, 898179772), "q11": (3930, 1972704617)}


def row(ratio: float, name: str = "count", mode: Mode = Mode.BATCH) -> Row:
    speeds = {Engine.WINSQL: [ratio * 1e6, 0.0, ratio * 2e6], Engine.FLINK: [900_000.0, 1e6]}
    return Row(name, mode, speeds, {Engine.WINSQL: EQUAL, Engine.FLINK: EQUAL}, exact=EQUAL, peak_mb=700, load=0.5)


@pytest.mark.parametrize("name", WORKLOADS)
def test_the_numbers_are_those_that_flink_gives(name: str) -> None:
    assert expected(WORKLOADS[name], Events(200_000)) == FLINK[name]


def test_sliding_windows_one_by_one() -> None:
    windows = defaultdict(list)
    for i in range(SMALL.rows):
        ts = 1_700_000_000_000 + i * SMALL.pace // 10 - ((i * 40503) >> 5) % 2000
        key = ((i * 2654435761) >> 11) % SMALL.keys
        for start in range(ts // 1000 * 1000, ts - 10_000, -1000):
            windows[key, start].append(i % 97)
    wanted = {
        "results": len(windows),
        "sum": sum(sum(values) for values in windows.values()),
        "count": sum(len(values) for values in windows.values()),
    }
    assert expected(WORKLOADS["sliding"], SMALL) == wanted


@pytest.mark.parametrize(("ratio", "verdict"), [(1.7, Verdict.MET), (1, Verdict.FIRST_STEP), (0.99, Verdict.MISSED)])
def test_the_middle_of_the_runs_is_held_against_the_best_of_flink(ratio: float, verdict: Verdict) -> None:
    judged = row(ratio, "join", Mode.STREAM)
    assert (judged.ratio, judged.verdict) == (ratio, verdict)


def test_without_a_peer_there_is_no_verdict() -> None:
    alone = row(1)
    del alone.speeds[Engine.FLINK]
    assert (alone.ratio, alone.verdict) == (None, Verdict.UNKNOWN)
    assert (Row(FLOOR, Mode.BATCH).target, problems([alone])) == (None, [])


def test_what_differs_is_named_and_fails() -> None:
    assert compare({"results": 5, "sum": 6, "load": 1}, {"results": 5, "sum": 6}) == EQUAL
    said = compare({"results": 5, "sum": 6}, {"results": 4, "sum": 6})
    wrong, plain, failed = row(1), row(1), row(1, "delta", Mode.STREAM)
    wrong.checksums[Engine.WINSQL] = said
    plain.checksums[Engine.SPARK] = said  # shown, but no reason to fail
    failed.failure, failed.exact = "see the log", "sum 1 instead of 2"
    assert problems([wrong, plain, failed]) == [
        "count, batch, winsql: results 5 instead of 4",
        "delta, stream, exact run: sum 1 instead of 2",
        "delta, stream, run: see the log",
    ]
    assert [line.split("|")[10].strip() for line in table([wrong, plain, failed]).splitlines()[2:]] == [
        "DIFFER", "equal (results, count)", "by order",
    ]  # fmt: skip


def test_table_json_and_picture_of_a_run() -> None:
    rows = [Row(FLOOR, Mode.BATCH), row(1, "join", Mode.STREAM), row(30, "sliding60", Mode.STREAM)]
    rows[1].floor, rows[1].warm_s, rows[1].is_steady, rows[1].cpu_us = 1e6, 30.6, True, 0.612
    lines = table(rows).splitlines()
    assert len({len(line) for line in lines}) == 1
    assert [cell.strip() for cell in lines[3].split("|")[1:-1]] == [
        "join", "stream", "1.000", "0.000-2.000", "0.900 / 1.000", "", "1.00x", "1x, then 1.7x", "first step",
        "equal", "equal", "700", "0.5", "", "1.00x", "31", "0.61",
    ]  # fmt: skip
    assert as_json(rows[1])["speeds"] == {"winsql": [1e6, 0.0, 2e6], "flink": [900_000.0, 1e6]}
    picture = ET.fromstring(chart(rows, "a < b"))
    texts = [element.text for element in picture.iter("{http://www.w3.org/2000/svg}text")]
    assert {"a < b", "join, stream", "1.00x", "sliding60, stream", "30.00x"} <= set(texts)


def test_points_of_growth_stand_beside_the_first_of_their_curve() -> None:
    places = [("keys", "tumbling", "100 keys", 2.0), ("keys", "tumbling", "10,000 keys", 3.0)]
    places += [("windows per row", "tumbling", "1 windows", 4.0), ("windows per row", "sliding", "10 windows", 2.0)]
    places += [("micro-batch", "winsql", "getBatch", 0.0)]
    points = [
        {"curve": curve, "workload": name, "mode": "batch", "at": at, "value": value, "unit": "us per row"}
        for curve, name, at, value in places
    ]
    lines = growth.table(points).splitlines()
    assert [line.split()[-1] for line in lines[1:]] == ["1.00x", "1.50x", "1.00x", "0.50x", "1.00x"]


def test_jars_that_are_not_there_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("WINSQL_BENCH_DIR", str(tmp_path / "cache"))
    monkeypatch.setenv("PIP_NO_INDEX", "1")  # as without network
    with pytest.raises(PeerMissing, match=r"not in .*cache .WINSQL_BENCH_DIR .*apache-flink-libraries==.*--no-flink"):
        FlinkPeer.prepare()
    (tmp_path / "cache" / "pyflink" / "lib").mkdir(parents=True)
    with pytest.raises(PeerMissing, match=r"has no flink-dist-2\.3\.0\.jar"):
        FlinkPeer.prepare()


def test_five_micro_batches_that_take_the_same_time_are_steady() -> None:
    from bench.stream import is_steady

    assert is_steady([9, 5, 1.0, 1.04, 1.02, 1.05, 1.0])
    assert not is_steady([1.0, 1.04, 1.06, 1.05, 1.0])
    assert not is_steady([1.0, 1.0, 1.0, 1.0])


@pytest.mark.slow
def test_a_table_and_a_stream_give_what_they_must(spark: SparkSession) -> None:
    from bench import batch, stream
    from bench.session import Task

    rows = SMALL.rows // 3
    tasks = [
        Task(Engine.SPARK, Mode.BATCH, "session", SMALL.rows, SMALL.keys, SMALL.pace),
        Task(Engine.WINSQL, Mode.STREAM, "session", rows, SMALL.keys, SMALL.pace, batches=3),
    ]
    sizes = (SMALL.rows, SMALL.rows - CLOSING_ROWS)
    for task, measure, size in zip(tasks, (batch.measure, stream.measure), sizes, strict=True):
        found = measure(spark, task)
        assert compare(found, expected(WORKLOADS["session"], replace(SMALL, rows=size))) == EQUAL
        assert (found["rows"], len(found["rows_per_s"])) == (size, 1)
    passed = stream.measure(spark, replace(tasks[1], workload=PASS_THROUGH))
    handed_on = 2 * rows  # those of the last micro-batch wait for another one
    assert (passed["results"], passed["sum"]) == (handed_on, sum(i % 97 for i in range(handed_on)))
    for view in ("events", "numbers"):
        assert spark.catalog.dropTempView(view)


@pytest.mark.slow
def test_nexmark_gives_what_flink_sql_gives(spark: SparkSession) -> None:
    """On tables; `make bench ARGS=--nexmark` compares streams, too."""
    from bench import nexmark

    for name, wanted in FLINK_SQL.items():
        query = nexmark.QUERIES[name]
        plans = [partial(winsql.sql, spark, nexmark.text_of(file)) for file in (query.file, query.own) if file]
        plans.append(partial(spark.sql, query.spark or ""))
        sums = [nexmark.on_table(spark, plan, 200_000, query.compared)[1] for plan in plans]
        assert [(found["results"], found["sum"]) for found in sums] == [wanted] * len(plans), name
    for kind in nexmark.KINDS:
        assert spark.catalog.dropTempView(kind)


def test_queries_whose_rows_differ_are_named() -> None:
    from bench.nexmark import Measured, problems, table

    runs = [
        Measured("q5", "winsql", "table", [1.0, 2.0, 4.0], 14, 3),
        Measured("q5", "winsql", "stream", [2.0], 14, 3, {"2 M": 3.0, "10 M": 1.0}),
        Measured("q5", "Flink SQL", "stream", [1.0], 14, 3, {"": 1.5}),
    ]
    assert (
        problems(
            [*runs, Measured("q12", "winsql", "stream", [1.0], 5, 1), Measured("q12", "Flink SQL", "stream", [1.0])]
        )
        == []
    )
    assert problems([*runs, Measured("q5", "Spark SQL", "table", [1.0], 13, 3)]) == [
        "q5: winsql, table: 14 rows, 3; winsql, stream: 14 rows, 3; Flink SQL, stream: 14 rows, 3; "
        "Spark SQL, table: 13 rows, 3"
    ]
    assert table(runs, 100_000).splitlines()[2:] == [
        "| q5 | winsql | table | 25 | 0.50x |  |  |  |  | 14 |",
        "| q5 | winsql | stream | 25 | 0.50x | 50 | 0.50x | 150 | 1.50x | 14 |",
        "| q5 | Flink SQL | stream | 50 | 1.00x | 100 | 1.00x | 100 | 1.00x | 14 |",
    ]
