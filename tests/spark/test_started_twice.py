"""Two processes start one stream at the same moment: one of them runs it, the other one is told which."""

from __future__ import annotations

import json
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest
from streaming import Source
from test_killed import started

import winsql
from winsql.spark.runner import is_connect
from winsql.spark.tables.registry import streams_of

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_QUERY = "SELECT k, window_start AS w, sum(n) AS s FROM events WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k"
_STATEMENTS = {
    "at_a_path": "CREATE STREAMING TABLE at_a_path OPTIONS (path '{place}/at_a_path')",
    "managed": "CREATE STREAMING TABLE managed",
    "folder": "CREATE STREAM folder INTO parquet OPTIONS (path '{place}/folder')",
}


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.timeout(600)
def test_one_of_two_starts_wins(tmp_path: Path) -> None:
    check_starts(tmp_path, rounds=1)


@pytest.mark.spark
@pytest.mark.parametrize("kind", ["STREAMING TABLE copies", "STREAM copies INTO parquet"])
def test_replacing_ends_the_run_of_another_session(
    session: SparkSession, events: Source, tmp_path: Path, kind: str
) -> None:
    """On Spark Connect a stream outlives the client that has started it, and nobody else can stop it."""
    if not is_connect(session):
        pytest.skip("a claim tells of the other session")
    events.put([("a", 1.0, 0.0, 1)])
    other = session.newSession()
    events.stream(other, "events")
    statement = f"{kind} OPTIONS (path '{tmp_path / 'copies'}') AS SELECT k, n FROM events"
    winsql.sql(other, f"CREATE {statement}")
    (stream,) = streams_of(other).values()
    stream.query.processAllAvailable()
    winsql.sql(session, f"CREATE OR REPLACE {statement.replace('n FROM', '-n AS n FROM')}")
    (successor,) = streams_of(session).values()
    successor.query.processAllAvailable()
    assert not stream.query.isActive
    assert session.read.parquet(str(tmp_path / "copies")).select("n").collect() == [(-1,)]
    other.client.close()  # or the process waits at its end, for ten minutes, for a server that has gone


def check_starts(folder: Path, rounds: int) -> None:
    """In each round streams that begin, then the same ones that go on."""
    for number in range(rounds):
        place = folder / str(number)
        place.mkdir(parents=True)
        source = Source(place / "in")
        source.put([("a", 1.0, 0.0, 1), ("b", 2.0, 0.0, 2)], [("a", 30.0, 0.0, 4)])
        with _process(place) as one, _process(place) as other:
            for status in ("started", "resumed"):
                for name, create in _STATEMENTS.items():
                    # a process that does not know a managed table may come first: Spark's catalog is its own
                    beside = ("is the folder of another stream",) if (name, status) == ("managed", "resumed") else ()
                    _start(status, [one, other], f"{create.format(place=place)} AS {_QUERY}", beside)
                    written = place / ("warehouse/managed" if name == "managed" else name)
                    assert _sums(written) == ([1, 2] if status == "started" else [1, 2, 4]), (name, status)
                source.put([("a", 60.0, 0.0, 8)])


def _start(status: str, processes: list[subprocess.Popen[str]], statement: str, beside: tuple[str, ...]) -> None:
    """`beside` is what the other process may be told, too, in the place of the winner's number."""
    for process in processes:
        _say(process, statement)
    answers = [_answer(process) for process in processes]
    winner = answers.index(status)
    told = answers[1 - winner]
    assert told.startswith("WindowPlanError: "), answers
    assert any(words in told for words in (f"process {processes[winner].pid} on", *beside)), answers
    for process in processes:
        _say(process, "")
        assert _answer(process) == "stopped"


def _sums(folder: Path) -> list[int]:
    return sorted(
        row["s"] for file in folder.glob("batch=*/*.parquet") for row in pq.ParquetFile(file).read().to_pylist()
    )


@contextmanager
def _process(place: Path) -> Iterator[subprocess.Popen[str]]:
    process = started(place, "started_twice.py")
    try:
        assert process.stdout is not None
        assert process.stdout.readline() == "ready\n", (place / "log.txt").read_text(encoding="utf-8")[-3000:]
        yield process
    finally:
        process.communicate(timeout=60)


def _say(process: subprocess.Popen[str], statement: str) -> None:
    assert process.stdin is not None
    process.stdin.write(json.dumps(statement) + "\n")
    process.stdin.flush()


def _answer(process: subprocess.Popen[str]) -> str:
    assert process.stdout is not None
    return str(json.loads(process.stdout.readline()))
