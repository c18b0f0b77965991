"""Streams that run for an hour, and what they take of the machine meanwhile: batch time, memory, open files and state.

    python tests/chaos/soak.py [--minutes M] [--out FOLDER]

Five streams with a micro-batch every ten seconds, each reading a generated 2,000 rows a second of 500 keys, some of
them late. Every 15 seconds a line goes to FOLDER/soak.csv; at the end FOLDER/soak.svg has its columns as curves.
"""

from __future__ import annotations

import argparse
import csv
import os
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from html import escape
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parents[1]), str(HERE.parent)]

from bench.memory import descendants  # noqa: E402
from chaos.queries import new_session  # noqa: E402

import winsql  # noqa: E402

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

EVERY_SECONDS = 15
_INTO = "OPTIONS (path '{place}', trigger '10 seconds')"
STREAMS = {
    "lateness": f"STREAMING TABLE lateness USING parquet {_INTO} LATE INTO lateness_late AS "
    "SELECT k, window_start AS w, pane_index AS i, sum(v) AS s FROM events "
    "WINDOW ASSIGN TUMBLING(ts, '10 seconds') ALLOWED LATENESS '5 seconds' GROUP BY k",
    "evicting": f"STREAM evicting INTO parquet {_INTO} AS "
    "SELECT k, window_start AS w, collect_list(v) AS l FROM events "
    "WINDOW ASSIGN SLIDING(ts, '9 seconds', '3 seconds') EVICT COUNT(4) GROUP BY k",
    "upserts": "STREAM upserts INTO sqlite OPTIONS (path '{place}', table 'rows', create 'true', mode 'upsert', "
    "checkpointLocation '{place}_checkpoint', trigger '10 seconds') AS "
    "SELECT k, window_start AS w, window_end AS e, sum(v) AS s FROM events "
    "WINDOW ASSIGN SESSION(ts, '100 milliseconds') EMIT EARLY EVERY 20 ROWS AS UPSERT GROUP BY k",
    "rows": f"STREAM rows INTO parquet {_INTO} AS "
    "SELECT k, count(*) AS c FROM events WINDOW ASSIGN TUMBLING(ts, '20 seconds') TRIGGER WHEN (v % 97 = 0) GROUP BY k",
    "joined": f"STREAM joined INTO parquet {_INTO} AS "
    "SELECT x.k, x.v, y.v AS u FROM events x WINDOW JOIN others y ON x.k = y.k "
    "WINDOW ASSIGN TUMBLING((x.ts, y.ts), '2 seconds')",
}


class Sample(NamedTuple):
    """What is measured at one moment.

    minutes   since the streams run
    batch     seconds of a micro-batch, the middle of all that ended since the sample before; worst: the longest
    rows      rows a second that were read
    jvm, workers, driver   megabytes of memory that are resident
    files     open files of all these processes
    state     megabytes of state on disk
    """

    minutes: float
    batch: float
    worst: float
    rows: float
    jvm: int
    workers: int
    driver: int
    files: int
    state: float


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--minutes", type=float, default=60)
    parser.add_argument("--out", type=Path, default=HERE.parents[1] / "build")
    asked = parser.parse_args()
    asked.out.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(prefix="soak") as folder:
        spark = new_session(Path(folder))
        try:
            started = _start(spark, Path(folder))
            samples = list(_samples(spark, Path(folder), asked.minutes, asked.out / "soak.csv"))
            failed = started - {query.name for query in spark.streams.active}
        finally:
            for query in spark.streams.active:
                query.stop()
    (asked.out / "soak.svg").write_text(drawing(samples), encoding="utf-8")
    print(_summary(samples), *(f"{name} has ended" for name in failed), sep="\n")
    return len(failed)


def _start(spark: SparkSession, folder: Path) -> set[str]:
    """The names of the queries."""
    for view, rows in {"events": 2_000, "others": 2_000}.items():
        source = spark.readStream.format("rate").option("rowsPerSecond", rows).load()
        late = "timestamp - make_dt_interval(0, 0, 0, IF(value % 1000 = 0, 20, value % 3))"
        source = source.selectExpr("concat('k', value % 500) AS k", f"{late} AS ts", "double(value) AS v")
        source.withWatermark("ts", "3 seconds").createOrReplaceTempView(view)
    for name, text in STREAMS.items():
        winsql.sql(spark, f"CREATE {text.format(place=folder / name)}")
    return {query.name for query in spark.streams.active}


def _samples(spark: SparkSession, folder: Path, minutes: float, out: Path) -> Iterator[Sample]:
    """A sample every fifteen seconds, also to a file."""
    begun, seen = time.monotonic(), dict[str, int]()
    with out.open("w", encoding="utf-8", newline="") as file:
        table = csv.writer(file)
        table.writerow(Sample._fields)
        while time.monotonic() - begun < minutes * 60:
            time.sleep(EVERY_SECONDS)
            sample = _sample(spark, folder, (time.monotonic() - begun) / 60, seen)
            table.writerow(sample)
            file.flush()
            yield sample


def _sample(spark: SparkSession, folder: Path, minutes: float, seen: dict[str, int]) -> Sample:
    batches, rows = [], 0
    for query in spark.streams.active:
        for progress in query.recentProgress:
            if progress.batchId > seen.get(query.name, -1) and "addBatch" in progress.durationMs:
                seen[query.name] = progress.batchId
                batches.append(progress.durationMs["triggerExecution"] / 1e3)
                rows += progress.numInputRows
    below = descendants()
    jvm = max((p.pid for p in below if p.name == "java"), key=_resident, default=0)
    workers = [p.pid for p in below if p.name.startswith("python")]
    files = sum(_open_files(pid) for pid in (jvm, *workers, "self"))
    state = sum(_size(path) for path in _files_of_state(folder))
    middle, worst = (statistics.median(batches), max(batches)) if batches else (0.0, 0.0)
    return Sample(
        round(minutes, 2),
        round(middle, 3),
        round(worst, 3),
        round(rows / EVERY_SECONDS),
        _resident(jvm) >> 20,
        sum(map(_resident, workers)) >> 20,
        _resident("self") >> 20,
        files,
        round(state / 1e6, 1),
    )


def _resident(process: int | str) -> int:
    """Bytes; 0 when it has ended meanwhile."""
    try:
        return int(Path(f"/proc/{process}/statm").read_text().split()[1]) * 4096
    except OSError:
        return 0


def _open_files(process: int | str) -> int:
    try:
        return len(list(Path(f"/proc/{process}/fd").iterdir()))
    except OSError:
        return 0


def _files_of_state(folder: Path) -> Iterator[Path]:
    """Folders may go while they are listed."""
    for place, _, files in os.walk(folder):
        if "/state/" in place:
            yield from (Path(place, name) for name in files)


def _size(path: Path) -> int:
    try:
        return path.stat().st_size
    except OSError:
        return 0


def _summary(samples: list[Sample]) -> str:
    """The middle of each column in the first and in the last fifth, after a tenth that is not counted."""
    warm = samples[len(samples) // 10 :]
    part = max(len(warm) // 5, 1)
    lines = [f"{len(samples)} samples"]
    for name in Sample._fields[1:]:
        ends = [statistics.median(getattr(s, name) for s in some) for some in (warm[:part], warm[-part:])]
        lines.append(f"{name:8} {ends[0]:10.3f} at first, {ends[1]:10.3f} in the end")
    return "\n".join(lines)


# the picture

_WIDTH, _HEIGHT, _LEFT, _PANEL = 640, 70, 190, 100
_PANELS = {
    "seconds of a micro-batch": {"batch": "#3f51b5", "worst": "#c5cae9"},
    "memory of the JVM, MB": {"jvm": "#3f51b5"},
    "memory of workers and driver, MB": {"workers": "#3f51b5", "driver": "#9aa0a6"},
    "open files": {"files": "#3f51b5"},
    "state on disk, MB": {"state": "#3f51b5"},
}


def drawing(samples: list[Sample]) -> str:
    """An SVG document with a panel for each measure."""
    height = 30 + _PANEL * len(_PANELS)
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {_LEFT + _WIDTH + 60} {height}" role="img"'
        f' width="{_LEFT + _WIDTH + 60}" height="{height}" font-family="ui-sans-serif, system-ui, sans-serif"'
        ' font-size="12" fill="#24292f">',
        "<title>Five streams for an hour</title>",
        '<rect width="100%" height="100%" fill="white"/>',
    ]
    for number, (title, columns) in enumerate(_PANELS.items()):
        parts += _panel(samples, 12 + number * _PANEL, title, columns)
    last = samples[-1].minutes
    parts.append(f'<text x="{_LEFT + _WIDTH}" y="{height - 6}" text-anchor="end">{last:.0f} minutes</text>')
    return "\n".join([*parts, "</svg>", ""])


def _panel(samples: list[Sample], top: float, title: str, columns: dict[str, str]) -> Iterator[str]:
    most = max(max(getattr(sample, name) for sample in samples) for name in columns) or 1
    yield f'<text x="{_LEFT - 12}" y="{top + _HEIGHT / 2}" text-anchor="end">{escape(title)}</text>'
    yield f'<path d="M{_LEFT} {top + _HEIGHT}h{_WIDTH}" stroke="#e3e6ea"/>'
    for number, (name, color) in enumerate(reversed(columns.items())):
        points = " ".join(
            f"{_LEFT + _WIDTH * sample.minutes / samples[-1].minutes:.1f},"
            f"{top + _HEIGHT * (1 - getattr(sample, name) / most):.1f}"
            for sample in samples
        )
        yield f'<polyline points="{points}" fill="none" stroke="{color}" stroke-width="1.5"/>'
        y = top + 12 + 16 * (len(columns) - 1 - number)
        said = f"{name} " if len(columns) > 1 else ""
        yield (
            f'<text x="{_LEFT + _WIDTH + 6}" y="{y:g}" fill="{color}" font-size="11">'
            f"{said}{getattr(samples[-1], name):g}</text>"
        )


if __name__ == "__main__":
    sys.exit(main())
