"""Streams into a folder, databases and one of Spark's writers, killed with SIGKILL in the middle of micro-batches.

Started again they write what those of an uninterrupted run write: no row is missing, and none is there twice, but for
Spark's writer, which is at least once.
"""

from __future__ import annotations

import json
import os
import random
import signal
import sqlite3
import subprocess
import time
from pathlib import Path
from xml.etree import ElementTree

import psycopg
import pyarrow.parquet as pq
import pytest
from killed_sinks import NAMES
from postgres_server import Server, binaries, server
from test_killed import RUNS, _batches, _events, _inputs, _round, started


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.timeout(1800)
def test_sinks_killed_in_micro_batches(tmp_path: Path) -> None:
    if binaries() is None:
        pytest.skip("no PostgreSQL here")
    for own in server():
        _check(tmp_path, own)


def _check(folder: Path, own: Server) -> None:
    events, rng, killed, number = _events(), random.Random(7), 0, 0
    while killed < KILLS:
        number += 1
        place = _round(folder / str(number), dict.fromkeys(NAMES, (events, events)))
        url = _database(own, f"round_{number}")
        while killed < KILLS and _killed(rng, place, url):
            killed += 1
        _to_the_end(place, url)
        found = _results(place, url)
        batches = {name: _batches(place / name) for name in NAMES}
        inputs = {name: _inputs(place / f"in_{name}", events, sides) for name, sides in batches.items()}
        calm, calm_url = _round(folder / f"calm_{number}", inputs), _database(own, f"calm_{number}")
        _to_the_end(calm, calm_url)
        expected = _results(calm, calm_url)
        assert all(rows and late for rows, late in expected.values()), expected
        assert sorted(set(found["xml"][0])) == expected["xml"][0]
        assert sorted(set(found["xml"][1])) == sorted(set(expected["xml"][1]))
        assert {**found, "xml": ()} == {**expected, "xml": ()}


def _database(own: Server, name: str) -> str:
    with psycopg.connect(own.url, autocommit=True) as connection:
        connection.execute(f"CREATE DATABASE {name}")  # type: ignore[arg-type]
    return own.url.replace("/postgres", f"/{name}")


def _killed(rng: random.Random, place: Path, url: str) -> bool:
    """Start the streams and kill the process in a micro-batch of one of them; False when they were done before."""
    process = started(place, "killed_sinks.py", url)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n", _log(place)
    name, wait, end = rng.choice(NAMES), rng.uniform(0, 0.4), float("inf")
    while time.monotonic() < end:
        if end == float("inf") and _runs(place / name):
            end = time.monotonic() + wait
        try:
            process.wait(0.005)
            return False
        except subprocess.TimeoutExpired:
            continue
    os.killpg(process.pid, signal.SIGKILL)
    process.wait()
    return True


def _runs(stream: Path) -> bool:
    """Whether a micro-batch has begun and is not committed."""
    counts = [sum(path.name.isdecimal() for path in (stream / "_checkpoint" / log).glob("*")) for log in _LOGS]
    return counts[0] > counts[1]


KILLS = max(1, RUNS // 2)
_LOGS = ("offsets", "commits")


def _to_the_end(place: Path, url: str) -> None:
    process = started(place, "killed_sinks.py", url)
    process.communicate()
    assert process.returncode == 0, _log(place)


def _log(place: Path) -> str:
    return (place / "log.txt").read_text(encoding="utf-8")[-3000:]


def _results(place: Path, url: str) -> dict[str, tuple[list[str], list[str]]]:
    """Rows and late rows of each sink."""
    file = sqlite3.connect(place / "sqlite.db")
    try:
        of_file = [file.execute(f"SELECT * FROM {table}").fetchall() for table in ("results", "late")]
    finally:
        file.close()
    with psycopg.connect(url) as connection:
        of_server = [connection.execute(f"SELECT * FROM {t}").fetchall() for t in ("results", "late")]  # type: ignore[arg-type]
    files = [_rows(place / "files" / part) for part in ("rows", "late")]
    elements = [_elements(place / "xml" / part) for part in ("rows", "late")]
    found = {"files": files, "sqlite": of_file, "postgres": of_server, "xml": elements}
    return {name: tuple(sorted(map(str, rows)) for rows in parts) for name, parts in found.items()}  # type: ignore[misc]


def _elements(folder: Path) -> list[list[str | None]]:
    files = (ElementTree.parse(path) for path in folder.glob("part-*.xml") if path.stat().st_size)
    return [[part.text for part in row] for file in files for row in file.getroot()]


def _rows(folder: Path) -> list[str]:
    tables = (pq.read_table(path, partitioning=None) for path in folder.glob("batch=*/*.parquet"))
    return [json.dumps(row, default=str) for table in tables for row in table.to_pylist()]
