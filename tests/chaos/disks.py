"""Disks that are full, or whose folders are read-only, from some moment on.

A stream ends with one error of winsql's, and goes on when it can write again: each row is there once. The disks are
small file systems in memory, for which a process must be allowed to mount, and to make files immutable.
"""

from __future__ import annotations

import random
import re
import subprocess
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

from chaos.check import AT_ONCE, Campaign, put_inputs
from chaos.queries import QUERIES, declare

import winsql
from winsql.errors import WinsqlError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_SIZE = "32m"
_MOST_FILES = 60
"""A stream writes more files than these, of which one is the last that finds room."""


def can_mount(folder: Path) -> bool:
    """Whether this process may make file systems."""
    try:
        with Disk(folder / "disk").mounted():
            return True
    except subprocess.CalledProcessError:
        return False


@dataclass(slots=True)
class Disk:
    """A file system of 32 MB at `place`."""

    place: Path
    _closed: bool = field(default=False, init=False)

    @contextmanager
    def mounted(self) -> Iterator[Disk]:
        """While it is there; raises CalledProcessError where it cannot be made."""
        self.place.mkdir(parents=True, exist_ok=True)
        _run("mount", "-t", "tmpfs", "-o", f"size={_SIZE}", "tmpfs", str(self.place))
        try:
            yield self
        finally:
            _run("umount", "--lazy", str(self.place))

    def fill(self) -> bool:
        """Take all room."""
        try:
            with (self.place / "ballast").open("ab", buffering=0) as file:
                while True:
                    file.write(bytes(1 << 16))
        except OSError:
            return True

    def close(self) -> bool:
        """Let no file be made, changed or deleted, but those that are open."""
        self._closed = True
        command = ("chattr", "-R", "+i", str(self.place))  # it fails for files that go meanwhile
        subprocess.run(command, capture_output=True, check=False)
        return True

    def mend(self) -> None:
        """Make room, and let it be written."""
        if self._closed:
            _run("chattr", "-R", "-i", str(self.place))
        (self.place / "ballast").unlink(missing_ok=True)


def _run(*command: str) -> None:
    subprocess.run(command, capture_output=True, check=True)


def check_disks(spark: SparkSession, folder: Path, rounds: int, seed: int) -> list[str]:
    """What is wrong; each round is one of the streams on a disk of its own, below `folder`."""
    put_inputs(folder)
    names = list(QUERIES)[: -(-rounds // len(_WAYS))]
    with ThreadPoolExecutor(AT_ONCE) as pool:
        done = list(pool.map(lambda name: _of_stream(spark, folder, name, rounds, seed), names))
    ended = sum(count for count, _ in done)
    print(f"{ended} of {rounds} streams ended with one error when their disk was full or read-only", flush=True)
    return [problem for _, wrong in done for problem in wrong]


_WAYS = ("full", "read-only")


def _of_stream(spark: SparkSession, folder: Path, name: str, rounds: int, seed: int) -> tuple[int, list[str]]:
    """How many of the rounds of this stream have ended with an error, and what is wrong."""
    campaign = Campaign(spark.newSession(), folder, name, 1)
    wrong, ended = [], 0
    for number in range(rounds):
        way = _WAYS[number % len(_WAYS)]
        if list(QUERIES)[number // len(_WAYS) % len(QUERIES)] != name:
            continue
        files = random.Random(f"{seed} {number}").randrange(_MOST_FILES)
        with Disk(folder / "mounted" / str(number)).mounted() as disk:
            try:
                ended += _has_ended(campaign, disk, way, files)
            except _WrongError as error:
                wrong.append(f"disk {way}, seed {seed} {number}, {name}: {error}")
    return ended, wrong


class _WrongError(Exception):
    """What must not be."""


def _has_ended(campaign: Campaign, disk: Disk, way: str, files: int) -> bool:
    """Whether the stream found no room; raises _WrongError where it then lost or repeated a row, or told it badly."""
    place = disk.place / campaign.name
    place.mkdir()
    declare(campaign.spark, campaign.folder)
    error = _until_full(campaign, place, disk, way, files)
    if error is not None and not isinstance(error, WinsqlError):
        lines = [line for line in str(error).split("\n") if not re.match(r"\s+(at|File) ", line)]
        raise _WrongError("\n".join([type(error).__name__, *lines])[:3000])
    disk.mend()
    campaign.forget(campaign.name)
    problem = campaign.goes_on(place)
    if problem is not None:
        raise _WrongError(f"after {error}\n  {problem}")
    return error is not None


def _until_full(campaign: Campaign, place: Path, disk: Disk, way: str, files: int) -> Exception | None:
    """The stream's error where its disk is full, or read-only, once it has written so many files."""
    ended = threading.Event()

    def watch() -> None:
        while not ended.wait(0.005):
            written = sum(path.is_file() for path in place.rglob("*"))
            if written >= files and (disk.fill() if way == "full" else disk.close()):
                return

    watcher = threading.Thread(target=watch, daemon=True)
    watcher.start()
    create = QUERIES[campaign.name].create(campaign.name, place)
    try:
        winsql.sql(campaign.spark, create)
        winsql.sql(campaign.spark, f"AWAIT STREAM {campaign.name}")
    except Exception as error:  # noqa: BLE001 - which one it is, is what is asked
        return error
    finally:
        ended.set()
        watcher.join()
    return None
