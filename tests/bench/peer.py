"""The Flink peer: the programs in `flink` against Flink's jars, which are downloaded once.

WINSQL_BENCH_DIR, by default ~/.cache/winsql-bench, keeps jars and classes; with the jars there no network is needed.
"""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

FLINK_VERSION = "2.3.0"
_PACKAGE = f"apache-flink-libraries=={FLINK_VERSION}"
_SOURCES = [Path(__file__).parent / "flink" / f"{name}.java" for name in ("FlinkBench", "NexmarkBench")]
_MEMORY = "-Xmx6g"
_OPENS = ("java.base/java.util=ALL-UNNAMED", "java.base/java.lang=ALL-UNNAMED")


class PeerMissing(Exception):
    """Flink cannot be run here; the message says what is missing and where it would come from."""


@dataclass(frozen=True, slots=True)
class FlinkPeer:
    """The compiled peer."""

    classpath: str

    @classmethod
    def prepare(cls) -> FlinkPeer:
        """Download the jars and compile, as far as that has not been done. Raises PeerMissing."""
        folder = Path(os.environ.get("WINSQL_BENCH_DIR") or Path.home() / ".cache" / "winsql-bench")
        jars = _jars(folder)
        return cls(os.pathsep.join([*map(str, jars), str(_classes(folder, jars))]))

    def speed(self) -> FlinkRuns:
        """A JVM for timed runs."""
        return FlinkRuns(self._command("FlinkBench", "speed"))

    def nexmark(self) -> FlinkRuns:
        """A JVM for Nexmark in Flink SQL."""
        return FlinkRuns(self._command("NexmarkBench"))

    def check(
        self, workloads: list[str], rows: int, keys: int, pace: int, block: int
    ) -> Callable[[], list[dict[str, Any]]]:
        """Begin to compute the checksums of each workload with one source, as a stream and sorted by event time;
        what is returned waits for them, and raises PeerMissing."""
        arguments = ["FlinkBench", "check", *map(str, (rows, keys, pace, block)), *workloads]
        running = subprocess.Popen(
            self._command(*arguments),
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL,
            text=True,
        )
        return partial(_answers, running, " ".join(arguments))

    def _command(self, *arguments: str) -> list[str]:
        opens = [f"--add-opens={module}" for module in _OPENS]
        return [_tool("java"), *opens, _MEMORY, "-cp", self.classpath, *arguments]


class FlinkRuns:
    """A JVM that runs a workload whenever it is asked to, and does nothing in between; to be stopped."""

    def __init__(self, command: list[str]) -> None:
        self._said = tempfile.TemporaryFile("w+")  # noqa: SIM115
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=self._said, text=True
        )

    def run(self, workload: str, rows: int, keys: int) -> dict[str, Any]:
        """One run; before a workload's first one a quarter of the rows warms the JVM up. Raises PeerMissing."""
        return self.ask(f"{workload} {rows} {keys}")

    def ask(self, line: str) -> dict[str, Any]:
        """What the program answers to a line of its input. Raises PeerMissing."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.write(f"{line}\n")
            self._process.stdin.flush()
        for said in self._process.stdout:
            if said.startswith("{"):
                answer: dict[str, Any] = json.loads(said)
                return answer
        self.stop()
        self._said.seek(0)
        raise PeerMissing(f"the Flink peer failed on {line}:\n{self._said.read()[-2000:]}")

    def stop(self) -> None:
        """End the JVM."""
        assert self._process.stdin is not None
        with contextlib.suppress(BrokenPipeError):
            self._process.stdin.close()
        self._process.wait()


def _answers(running: subprocess.Popen[str], arguments: str) -> list[dict[str, Any]]:
    said, log = running.communicate()
    answers = [json.loads(line) for line in said.splitlines() if line.startswith("{")]
    if running.returncode or not answers:
        raise PeerMissing(f"the Flink peer failed on {arguments}:\n{log[-2000:]}")
    return answers


def _jars(folder: Path) -> list[Path]:
    libraries = folder / "pyflink" / "lib"
    if not libraries.is_dir():
        _download(folder)
    jars = sorted(libraries.glob("*.jar"))
    if not any(jar.name == f"flink-dist-{FLINK_VERSION}.jar" for jar in jars):
        raise PeerMissing(f"{libraries} has no flink-dist-{FLINK_VERSION}.jar: remove {folder} and start again")
    return jars


def _download(folder: Path) -> None:
    """Whole or not at all: what an interrupted download leaves is not taken for the jars."""
    arriving = folder / "arriving"
    shutil.rmtree(arriving, ignore_errors=True)
    arriving.mkdir(parents=True)
    print(f"downloading {_PACKAGE} (300 MB, once) into {folder}", file=sys.stderr, flush=True)
    command = [sys.executable, "-m", "pip", "download", "--quiet", "--disable-pip-version-check", "--no-deps"]
    command += ["--retries", "1", "--only-binary", ":all:", "--dest", str(arriving), _PACKAGE]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    wheel = next(arriving.glob("*.whl"), None)
    if done.returncode or wheel is None:
        shutil.rmtree(arriving)
        reason = (done.stderr.strip().splitlines() or ["pip gave no reason"])[-1]
        raise PeerMissing(
            f"Flink's jars are not in {folder} (WINSQL_BENCH_DIR names another folder) and cannot be downloaded: "
            f"pip download --no-deps {_PACKAGE} says: {reason}. "
            "Unpack that wheel into the folder, or run without Flink: make bench ARGS=--no-flink"
        )
    with zipfile.ZipFile(wheel) as packed:
        packed.extractall(arriving, [name for name in packed.namelist() if name.startswith("pyflink/lib/")])
    (arriving / "pyflink").rename(folder / "pyflink")
    shutil.rmtree(arriving)


def _classes(folder: Path, jars: list[Path]) -> Path:
    """Compiled anew when the source is another one."""
    text = b"".join(source.read_bytes() for source in _SOURCES)
    classes = folder / f"classes-{hashlib.sha256(text).hexdigest()[:12]}"
    if not all((classes / f"{source.stem}.class").exists() for source in _SOURCES):
        command = [_tool("javac"), "-nowarn", "-d", str(classes), "-cp", os.pathsep.join(map(str, jars))]
        command += map(str, _SOURCES)
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode:
            raise PeerMissing(f"javac cannot compile Flink's side:\n{done.stderr[-2000:]}")
    return classes


def _tool(name: str) -> str:
    """Of JAVA_HOME when it has it, otherwise of the PATH."""
    home = os.environ.get("JAVA_HOME")
    if home and (Path(home) / "bin" / name).exists():
        return str(Path(home) / "bin" / name)
    found = shutil.which(name)
    if found is None:
        raise PeerMissing(
            f"the Flink peer needs {name}, which is neither in JAVA_HOME nor on the PATH: install a JDK "
            "(Debian: openjdk-17-jdk-headless), or run without Flink: make bench ARGS=--no-flink"
        )
    return found
