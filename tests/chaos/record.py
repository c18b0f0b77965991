"""Crash points: the folders of streams as they are at moments at which the process that writes them stands still.

The process is frozen with SIGSTOP whenever it has written something, and what is there is copied. That is what a kill
at that moment leaves, without the seconds that a kill and a new process cost.
"""

from __future__ import annotations

import os
import queue
import shutil
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

HERE = Path(__file__).resolve().parent
State = tuple[tuple[str, int, int], ...]


def record(folder: Path, names: list[str]) -> dict[str, list[Path]]:
    """The copies by stream, in their order in time; all different. Raises RuntimeError when a stream fails."""
    points: dict[str, list[Path]] = {name: [] for name in names}
    process = _start(folder, names)
    lines: queue.Queue[str] = queue.Queue()
    reader = threading.Thread(target=_lines, args=(process, lines), daemon=True)
    reader.start()
    name, last = "", None
    while reader.is_alive() or not lines.empty():
        try:
            said = lines.get(timeout=_PAUSE)
            name, last = ("" if said == "." else said), None
        except queue.Empty:
            pass
        if name and _state(folder / name) != last:
            last = _frozen(process.pid, lambda name=name: _copied(folder, name, points[name]))  # type: ignore[misc]
    if process.wait():
        raise RuntimeError((folder / "log.txt").read_text(encoding="utf-8")[-3000:])
    return points


_PAUSE = 0.004
"""Seconds between two looks."""


def _start(folder: Path, names: list[str]) -> subprocess.Popen[str]:
    root = os.pathsep.join([str(HERE.parents[1]), str(HERE.parent), os.environ.get("PYTHONPATH", "")])
    command = [sys.executable, "-m", "chaos.recorded", str(folder), *names]
    with (folder / "log.txt").open("w", encoding="utf-8") as log:
        return subprocess.Popen(
            command,
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            start_new_session=True,
            env={**os.environ, "PYTHONPATH": root},
        )


def _lines(process: subprocess.Popen[str], lines: queue.Queue[str]) -> None:
    assert process.stdout is not None
    for line in process.stdout:
        lines.put(line.strip())


def _frozen(group: int, look: Callable[[], State]) -> State | None:
    """What `look` gives while the processes of the group stand still; None when they have ended."""
    try:
        os.killpg(group, signal.SIGSTOP)
        try:
            while not _is_still(group):
                time.sleep(0.0005)
            return look()
        finally:
            os.killpg(group, signal.SIGCONT)
    except ProcessLookupError:
        return None


def _is_still(group: int) -> bool:
    """Whether all threads of all processes of the group are stopped."""
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(")")[2].split()
            if int(fields[2]) == group and fields[0] not in "TZ":
                return False
        except (FileNotFoundError, ProcessLookupError):
            continue
    return True


def _copied(folder: Path, name: str, points: list[Path]) -> State:
    """Copy the folder."""
    copy = folder / "points" / name / f"{len(points):05}"
    shutil.copytree(folder / name, copy)
    points.append(copy)
    return _state(folder / name)


def _state(place: Path) -> State:
    found = []
    for root, _, files in os.walk(place):
        for file in files:
            with suppress(FileNotFoundError):  # while nothing is frozen
                stat = os.stat(os.path.join(root, file))
                found.append((os.path.join(root, file), stat.st_size, stat.st_mtime_ns))
    return tuple(sorted(found))
