"""A Spark session in a process of its own, which measures task after task: `python tests/bench/child.py CORES`.

Reads a task per line, as JSON, and answers with a line of JSON. A task that fails ends the process, so that nothing of
it is left for the next one; its reason is in the log.
"""

from __future__ import annotations

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Any

ROOT = Path(__file__).resolve().parents[2]
sys.path[:0] = [str(ROOT), str(ROOT / "tests")]

from bench.workloads import Engine, Mode  # noqa: E402

if TYPE_CHECKING:
    from bench.session import Task
    from pyspark.sql import SparkSession


class ChildFailed(Exception):
    """The process ended instead of answering; the message says where its log is."""


class Child:
    """Starts the process when a task comes, and once more after one that failed."""

    def __init__(self, log: Path, cores: int = 2) -> None:
        self._log = log
        self._cores = cores
        self._process: subprocess.Popen[str] | None = None

    def __enter__(self) -> Child:
        return self

    def __exit__(self, *_: object) -> None:
        self.stop()

    def run(self, **task: Any) -> dict[str, Any]:
        """Measure `Task(**task)`, with the memory it took and the load of the machine at its start."""
        process = self._process = self._process or self._start()
        assert process.stdin is not None
        assert process.stdout is not None
        load = os.getloadavg()[0]
        try:
            process.stdin.write(json.dumps(task, default=lambda member: member.value) + "\n")
            process.stdin.flush()
            answer = process.stdout.readline()
        except BrokenPipeError:
            answer = ""
        if not answer:
            self.stop()
            raise ChildFailed(f"{' '.join(str(getattr(v, 'value', v)) for v in task.values())} failed: see {self._log}")
        return {**json.loads(answer), "load": round(load, 1)}

    def stop(self) -> None:
        """End the process, if there is one."""
        if self._process is None:
            return
        process, self._process = self._process, None
        assert process.stdin is not None
        with contextlib.suppress(BrokenPipeError):  # it has ended by itself
            process.stdin.close()
        process.wait()

    def _start(self) -> subprocess.Popen[str]:
        with self._log.open("a", encoding="utf-8") as log:
            return subprocess.Popen(
                [sys.executable, __file__, str(self._cores)],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                text=True,
            )


def main(cores: int) -> None:
    """Answer until there are no more tasks."""
    from bench import batch, stream
    from bench.memory import Memory
    from bench.session import Task, open_session

    if hasattr(os, "sched_setaffinity"):  # JVM and workers inherit it: compiler and collector run there, too
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:cores])
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)  # what the JVM prints goes to the log
    measures: dict[Mode, Callable[[SparkSession, Task], dict[str, Any]]] = {
        Mode.BATCH: batch.measure,
        Mode.STREAM: stream.measure,
    }
    spark = open_session(cores)
    for line in sys.stdin:
        task = _task(Task, json.loads(line))
        with Memory() as memory:
            measured = measures[task.mode](spark, task)
        named = {name: getattr(value, "value", value) for name, value in asdict(task).items()}
        print(json.dumps({"task": named, **measured, **memory.peaks}), file=answers, flush=True)
    spark.stop()


def _task(make: Callable[..., Task], fields: dict[str, Any]) -> Task:
    return make(**{**fields, "engine": Engine(fields["engine"]), "mode": Mode(fields["mode"])})


if __name__ == "__main__":
    main(int(sys.argv[1]))
