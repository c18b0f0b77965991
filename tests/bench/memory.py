"""Memory and CPU time of processes, from /proc: those below a process, and how much they hold together at most."""

from __future__ import annotations

import os
import threading
from pathlib import Path
from typing import NamedTuple

_EVERY_SECONDS = 0.25


class Process(NamedTuple):
    """A process, and the seconds of CPU that it and its ended children have used."""

    pid: int
    name: str
    cpu: float


class Memory:
    """Samples, while it is entered, what the processes below this one hold; `peaks` in megabytes.

    peak_mb    JVM and Python workers together
    jvm_mb     the JVM alone: it keeps the heap that earlier queries made it take
    driver_mb  this process
    """

    def __init__(self) -> None:
        self.peaks = {"peak_mb": 0, "jvm_mb": 0, "driver_mb": 0}
        self._done = threading.Event()
        self._thread = threading.Thread(target=self._sample, daemon=True)

    def __enter__(self) -> Memory:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._done.set()
        self._thread.join()

    def _sample(self) -> None:
        while not self._done.wait(_EVERY_SECONDS):
            below = descendants()
            jvm = max((_size(process.pid) for process in below if process.name == "java"), default=0)  # not its forks
            workers = sum(_size(process.pid) for process in below if process.name.startswith("python"))
            found = {"peak_mb": jvm + workers >> 20, "jvm_mb": jvm >> 20, "driver_mb": _size(os.getpid()) >> 20}
            self.peaks = {name: max(peak, found[name]) for name, peak in self.peaks.items()}


def cpu_seconds() -> float:
    """Seconds of CPU that the processes below this one have used."""
    return sum(process.cpu for process in descendants())


def descendants() -> list[Process]:
    """The processes below this one; none where there is no /proc."""
    children: dict[int, list[Process]] = {}
    for path in Path("/proc").glob("[0-9]*/stat"):
        try:
            head, _, tail = path.read_text().rpartition(")")
        except OSError:
            continue  # it has ended meanwhile
        pid, _, name = head.partition(" (")
        fields = tail.split()
        cpu = sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
        children.setdefault(int(fields[1]), []).append(Process(int(pid), name, cpu))
    found, waiting = [], [os.getpid()]
    while waiting:
        below = children.get(waiting.pop(), [])
        found += below
        waiting += [process.pid for process in below]
    return found


def _size(pid: int) -> int:
    """Bytes of a process that are in memory and its own, not those of a file that others may have too; 0 when it has
    ended meanwhile.

    Not the exact share in /proc/*/smaps_rollup: adding that up for a JVM of gigabytes takes a fifth of a core.
    """
    try:
        _, resident, shared, *_ = Path(f"/proc/{pid}/statm").read_text().split()
    except OSError:
        return 0
    return (int(resident) - int(shared)) * os.sysconf("SC_PAGE_SIZE")
