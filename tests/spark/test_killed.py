"""Streaming tables killed with SIGKILL and started again hold what those of an uninterrupted run hold.

A kill comes after a random time, in the middle of the write of a micro-batch, between its write and its commit, or
right after its commit.
"""

from __future__ import annotations

import itertools
import json
import os
import random
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from killed_query import STATEMENTS, TABLES
from streaming import Event, Source

HERE = Path(__file__).resolve().parent

Sides = tuple[list[list[Event]], list[list[Event]]]
"""What a stream reads, and the second side of a join: files with rows."""

RUNS = int(os.environ.get("WINSQL_KILLS", "2"))
"""Kills in one test run; each costs about ten seconds. `tests/chaos` has many more crash points."""


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.timeout(1800)
def test_killed_at_random_moments(tmp_path: Path) -> None:
    check_kills(tmp_path, RUNS)


def check_kills(folder: Path, runs: int) -> None:
    """Kill at least so many runs, in rounds with checkpoints of their own; every round must end with the same rows.

    The same as an uninterrupted run gives in the same micro-batches. Spark's file source notes the files of a
    micro-batch before the query does: after a kill in between, the next micro-batch has them and those of its own.
    Which rows are late depends on that, in any run. A kill before the last micro-batch, the one without rows, leaves
    Spark without it: what it would have given comes with the next rows, so that both runs get some.
    """
    events = _events()
    rng, killed, number = random.Random(5), 0, 0
    calm: dict[str, Path] = {}
    while killed < runs:
        number += 1
        place = _round(folder / str(number), dict.fromkeys(STATEMENTS, (events, events)))
        while killed < runs and _killed(rng, killed, place):
            killed += 1
        _to_the_end(place)
        batches = {name: _batches(place / name) for name in STATEMENTS}
        if (key := json.dumps(batches)) not in calm:
            inputs = {name: _inputs(place / f"in_{name}", events, sides) for name, sides in batches.items()}
            calm[key] = _to_the_end(_round(folder / f"calm_{number}", inputs))
            assert all(len(rows) > 3 for rows in _results(calm[key]).values()), _results(calm[key])
        both = [place, calm[key]]
        if _without_rows(place) != _without_rows(calm[key]):
            both = [_further(place), _further(calm.pop(key))]
        found, expected = map(_results, both)
        assert found == expected


def _without_rows(place: Path) -> dict[str, bool]:
    """By stream whether its last micro-batch had no rows."""
    found = {}
    for name in STATEMENTS:
        log = place / name / "_checkpoint" / "offsets"
        last = max(_numbers(log, ""))
        texts = [(log / str(number)).read_text().split("\n")[2:] for number in (last - 1, last)]
        found[name] = texts[0] == texts[1]
    return found


def _further(place: Path) -> Path:
    """The same after one more row, which is late, in every stream."""
    for name in STATEMENTS:
        for folder in (place / f"in_{name}", place / f"in_{name}_others"):
            Source(folder).put([("a", -60.0, 0.0, 999)])
    return _to_the_end(place)


def _events() -> list[list[Event]]:
    """Six files whose rows are a little out of order, some of them late."""
    rng = random.Random(3)
    files = []
    for file in range(6):
        times = [file * 6 + rng.uniform(-8, 6) for _ in range(12)]
        if file > 2:
            times[:2] = [time - 25 for time in times[:2]]  # all windows that were open then have ended
        files.append(
            [(rng.choice("abc"), round(t, 3), float(rng.randrange(9)), file * 100 + i) for i, t in enumerate(times)]
        )
    return files


def _round(place: Path, inputs: dict[str, Sides]) -> Path:
    for name, (events, others) in inputs.items():
        Source(place / f"in_{name}").put(*events)
        Source(place / f"in_{name}_others").put(*others)
    return place


def _batches(table: Path) -> list[list[list[int]]]:
    """By source and micro-batch the numbers of the files, as the checkpoint has them."""
    log = table / "_checkpoint" / "offsets"
    texts = [(log / str(number)).read_text().split("\n")[2:] for number in sorted(_numbers(log, ""))]
    ends = [[json.loads(text)["logOffset"] if text != "-" else -1 for text in batch] for batch in texts]
    sources = [[-1, *source] for source in zip(*ends, strict=True)]
    return [[list(range(a + 1, b + 1)) for a, b in itertools.pairwise(source) if b > a] for source in sources]


def _inputs(folder: Path, events: list[list[Event]], sides: list[list[list[int]]]) -> Sides:
    """Files with the rows of one micro-batch each, by source; a stream that reads only one has the same in both."""
    for batches in sides:
        assert list(itertools.chain(*batches)) == list(range(len(events)))
    rows = [[_merged(folder, events, files) for files in batches] for batches in sides]
    return rows[0], rows[-1]


def _merged(folder: Path, events: list[list[Event]], files: list[int]) -> list[Event]:
    """The rows of some files in the order in which Spark reads these in one micro-batch: larger ones first."""
    sizes = {file: (folder / f"{file:05}.parquet").stat().st_size for file in files}
    return [event for file in sorted(files, key=lambda file: -sizes[file]) for event in events[file]]


def started(place: Path, script: str, *arguments: str) -> subprocess.Popen[str]:
    """A script of this folder in a process of its own, with files it leaves in `place`."""
    command = [sys.executable, str(HERE / script), str(place), *arguments]
    root = str(HERE.parents[1])
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([root, os.environ.get("PYTHONPATH", "")])}
    left = place / "left"  # what a process that is killed cannot remove
    left.mkdir(exist_ok=True)
    options = f"{os.environ.get('SPARK_SUBMIT_OPTS', '')} -Djava.io.tmpdir={left}"
    environment |= {"TMPDIR": str(left), "SPARK_SUBMIT_OPTS": options}
    with (place / "log.txt").open("a", encoding="utf-8") as log:
        return subprocess.Popen(
            command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,
            env=environment,
        )


def _killed(rng: random.Random, number: int, place: Path) -> bool:
    """Start the streams and kill the process with its JVM and workers, itself or its JVM; False when they were done
    before. What is left of them ends beside the next run."""
    process = started(place, "killed_query.py")
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n", (place / "log.txt").read_text(encoding="utf-8")[-3000:]
    moments = (_after(rng.uniform(0.2, 5.0)), _writing(place), _written(place), _committed(place))
    has_come = moments[number % len(moments)]
    while not has_come():
        try:
            process.wait(0.005)
            return False
        except subprocess.TimeoutExpired:
            continue
    whom = number // len(moments) % 3
    if whom == 0:
        os.killpg(process.pid, signal.SIGKILL)
    else:
        os.kill(process.pid if whom == 1 else _jvm_of(process.pid), signal.SIGKILL)
    process.wait(timeout=120)
    return True


def _jvm_of(process: int) -> int:
    children = Path(f"/proc/{process}/task/{process}/children").read_text().split()
    (jvm,) = (int(child) for child in children if "java" in Path(f"/proc/{child}/cmdline").read_text().split("\0")[0])
    return jvm


def _after(seconds: float) -> Callable[[], bool]:
    end = time.monotonic() + seconds
    return lambda: time.monotonic() > end


def _writing(place: Path) -> Callable[[], bool]:
    """Whether a micro-batch is being written, to any table."""
    return lambda: any(True for name in STATEMENTS for _ in (place / name).glob("**/batch=*/_temporary"))


def _written(place: Path) -> Callable[[], bool]:
    """Whether a micro-batch is there and its commit is not."""

    def has_come() -> bool:
        for name in STATEMENTS:
            done = _numbers(place / name / "_checkpoint" / "commits", "")
            if _numbers(place / name, "batch=", "/_SUCCESS") - done:
                return True
        return False

    return has_come


def _committed(place: Path) -> Callable[[], bool]:
    """Whether one more micro-batch has been committed since now."""

    def commits() -> int:
        return sum(len(_numbers(place / name / "_checkpoint" / "commits", "")) for name in STATEMENTS)

    before = commits()
    return lambda: commits() > before


def _numbers(folder: Path, prefix: str, inside: str = "") -> set[int]:
    """The numbers of the micro-batches that have an entry in a folder."""
    names = (path.name if not inside else path.parent.name for path in folder.glob(f"{prefix}*{inside}"))
    return {int(name.removeprefix(prefix)) for name in names if name.removeprefix(prefix).isdecimal()}


def _to_the_end(place: Path) -> Path:
    process = started(place, "killed_query.py")
    process.communicate()
    assert process.returncode == 0, (place / "log.txt").read_text(encoding="utf-8")[-3000:]
    return place


def _results(place: Path) -> dict[str, list[str]]:
    """All rows by table."""
    rows: dict[str, list[str]] = json.loads((place / "rows.json").read_text(encoding="utf-8"))
    assert rows.keys() == set(TABLES)
    return rows
