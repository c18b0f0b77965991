"""The first answer, and what a small micro-batch costs: `make bench ARGS="--answers"`.

Each beside the same in Spark alone, taking turns: from the start of a process to the first row of a windowed query over
a small table; from the statement that starts a stream to its first committed micro-batch, in a session that has done
nothing and in the same one again; and micro-batches of 10,000 rows, with the parts of their time that Spark tells. A
stream also beside a `transformWithState` whose processor in Python only counts: what winsql's streams need of Spark.

`python tests/bench/answers.py ENGINE FOLDER` starts two streams over the Parquet files of a folder in a session of its
own; a line of JSON has the seconds of both.
"""

from __future__ import annotations

import json
import os
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from bench.child import Child  # noqa: E402
from bench.workloads import KEYS, Engine, Mode  # noqa: E402

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

TURNS = 3
SMALL, WARM, BATCHES = 10_000, 20, 50
"""Rows of a small micro-batch; how many of them are not counted, and how many there are."""
FILES, FILE_ROWS = 2, 1000
PATIENCE = 120
"""Seconds after which a stream has failed."""
ENGINES = (Engine.SPARK.value, Engine.WINSQL.value)
OPERATOR = "operator"
"""Spark's stateful operator in Python, alone."""

Point = dict[str, Any]

_TABLE = {
    Engine.WINSQL: "SELECT k, window_end, sum(v) AS total FROM parquet.`{folder}` WINDOW ASSIGN TUMBLING(ts,"
    " '10 seconds') GROUP BY k",
    Engine.SPARK: "SELECT k, window(ts, '10 seconds').end AS window_end, sum(v) AS total FROM parquet.`{folder}`"
    " GROUP BY k, window(ts, '10 seconds')",
}
_STREAM = {
    Engine.WINSQL: "SELECT k, window_end, sum(v) AS total FROM events WINDOW ASSIGN TUMBLING(ts, '10 seconds')"
    " GROUP BY k",
    Engine.SPARK: "SELECT k, w.end AS window_end, total FROM (SELECT k, window(ts, '10 seconds') AS w, sum(v) AS total"
    " FROM events GROUP BY k, window(ts, '10 seconds'))",
}
_SCRIPT = "import sys; from pyspark.sql import SparkSession; print(SparkSession.builder.getOrCreate().sql(sys.argv[1])"
_SCRIPT += ".first(), flush=True)"


def answers(log: Path) -> list[Point]:
    """All points; the middle of some turns each."""
    with tempfile.TemporaryDirectory(prefix="winsql-bench-", ignore_cleanup_errors=True) as name:
        folder = Path(name)
        _write(folder / "rows")
        points = [*_first_row(folder, log), *_first_batch(folder, log)]
    with Child(log) as child:
        return [*points, *_small_batches(child)]


def _write(folder: Path) -> None:
    """Some files of rows: the second one's times are a minute after the first one's."""
    import pyarrow as pa
    import pyarrow.parquet as pq

    folder.mkdir()
    for file in range(FILES):
        numbers = range(FILE_ROWS)
        times = [1_700_000_000_000_000 + file * 60_000_000 + n * 10_000 for n in numbers]
        columns = {"k": [n % 10 for n in numbers], "ts": pa.array(times, pa.timestamp("us", "UTC")), "v": [*numbers]}
        pq.write_table(pa.table(columns), folder / f"{file}.parquet")


def _first_row(folder: Path, log: Path) -> list[Point]:
    text = {engine: sql.format(folder=folder / "rows") for engine, sql in _TABLE.items()}
    commands = {
        Engine.SPARK: [sys.executable, "-c", _SCRIPT, text[Engine.SPARK]],
        Engine.WINSQL: [sys.executable, "-m", "winsql.shell.cli", "-e", text[Engine.WINSQL]],
    }

    def run(engine: str) -> dict[str, float]:
        return {"": _seconds_to_output(commands[Engine(engine)], log)}

    return _points("first row", "a new process", run)


def _seconds_to_output(command: list[str], log: Path) -> float:
    """From the start of a command to the first line that it prints."""
    with log.open("a", encoding="utf-8") as errors:
        started = time.perf_counter()
        process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True, env=_environment()
        )
        assert process.stdout is not None
        line = process.stdout.readline()
        seconds = time.perf_counter() - started
        process.communicate()
    if process.returncode or not line:
        raise ChildProcessError(f"{command[-1]}: see {log}")
    return seconds


def _environment() -> dict[str, str]:
    path = os.pathsep.join([str(ROOT), str(ROOT / "tests")])
    return {**os.environ, "PYTHONPATH": path, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}


def _first_batch(folder: Path, log: Path) -> list[Point]:
    def run(engine: str) -> dict[str, float]:
        command = [sys.executable, __file__, engine, str(folder)]
        with log.open("a", encoding="utf-8") as errors:
            done = subprocess.run(
                command, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=errors, text=True, check=True,
                env=_environment(),
            )  # fmt: skip
        found: dict[str, float] = json.loads(done.stdout.splitlines()[-1])
        return found

    return _points("first micro-batch", "from the statement", run, (Engine.SPARK.value, OPERATOR, Engine.WINSQL.value))


def _small_batches(child: Child) -> list[Point]:
    """Micro-batches one after the other; parts as Spark's progress tells them."""

    def run(engine: str) -> dict[str, float]:
        found = child.run(
            engine=Engine(engine), mode=Mode.STREAM, workload="tumbling", rows=SMALL, keys=KEYS, batches=BATCHES
        )
        parts = {f", {name}": ms / 1000 for name, ms in found["median_ms"].items() if name != "triggerExecution"}
        return {"": statistics.median(found["batch_ms"][WARM:]) / 1000, **parts}

    return _points("micro-batch", f"{SMALL:,} rows", run)


def _points(
    curve: str, at: str, run: Callable[[str], dict[str, float]], engines: tuple[str, ...] = ENGINES
) -> list[Point]:
    """The middle of each number; the engines take turns, so that what else the machine does meets all."""
    turns: dict[str, list[dict[str, float]]] = {engine: [] for engine in engines}
    for _ in range(TURNS):
        for engine in engines:
            turns[engine].append(run(engine))
            print(curve, engine, turns[engine][-1], file=sys.stderr, flush=True)
    names = list(dict.fromkeys(name for engine in engines for name in turns[engine][0]))
    return [
        {
            "curve": curve, "workload": engine, "mode": "", "at": f"{at}{name}", "unit": f"s{name}",
            "value": statistics.median(turn.get(name, 0) for turn in turns[engine]),
        }
        for name in names for engine in engines
    ]  # fmt: skip


def _two_streams(spark: SparkSession, engine: str, folder: Path) -> dict[str, float]:
    """Seconds from each statement to the commit of the first micro-batch."""
    files = spark.readStream.schema("k BIGINT, ts TIMESTAMP, v BIGINT").option("maxFilesPerTrigger", 1)
    files.parquet(str(folder / "rows")).withWatermark("ts", "0 seconds").createOrReplaceTempView("events")
    found = {}
    for number, name in enumerate(("", ", again")):
        place = folder / f"{engine}_{time.time_ns()}"
        started = time.perf_counter()
        stop = _START[engine](spark, f"found_{number}", place)
        while not (place / "_checkpoint" / "commits" / "0").exists():
            assert time.perf_counter() < started + PATIENCE, f"{name} of {engine} has no micro-batch"
            time.sleep(0.005)
        found[name] = time.perf_counter() - started
        stop()
    return found


def _start_winsql(spark: SparkSession, name: str, place: Path) -> Callable[[], Any]:
    import winsql

    winsql.sql(spark, f"CREATE STREAMING TABLE {name} OPTIONS (path '{place}') AS {_STREAM[Engine.WINSQL]}").collect()
    return lambda: winsql.sql(spark, f"STOP STREAM {name}")


def _start_spark(spark: SparkSession, name: str, place: Path) -> Callable[[], Any]:
    writer = spark.sql(_STREAM[Engine.SPARK]).writeStream.queryName(name).format("parquet").option("path", str(place))
    return writer.option("checkpointLocation", str(place / "_checkpoint")).start().stop


def _start_operator(spark: SparkSession, name: str, place: Path) -> Callable[[], Any]:
    from bench.counting import Counting

    counted = (
        spark.table("events")
        .groupBy("k")
        .transformWithStateInPandas(Counting(), "k BIGINT, n BIGINT", "append", "None")
    )
    writer = counted.writeStream.queryName(name).format("parquet").option("path", str(place))
    return writer.option("checkpointLocation", str(place / "_checkpoint")).start().stop


_START = {Engine.WINSQL.value: _start_winsql, Engine.SPARK.value: _start_spark, OPERATOR: _start_operator}


if __name__ == "__main__":
    from bench.session import open_session

    session = open_session()
    print(json.dumps(_two_streams(session, sys.argv[1], Path(sys.argv[2]))), flush=True)
    session.stop()
