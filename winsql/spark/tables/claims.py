"""One process runs a stream: it holds a lock on a local file, from before the start until the stream has ended.

The file is beside the folder of the table or of the checkpoint. OR REPLACE, which may empty the folder around that, and
DROP TABLE leave it. The lock goes with the process. Its JVM may outlive it, and write what it has begun: it has a lock
of its own.

On Spark Connect streams run in the server, and outlive a client that dies. There Spark knows them by their checkpoints.
"""

from __future__ import annotations

import datetime
import os
import socket
import time
from collections.abc import Iterable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from threading import Lock
from typing import Any

from pyspark import InheritableThread
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from winsql.errors import WindowDataError, WindowPlanError
from winsql.spark.reachable import reachable_place
from winsql.spark.runner import is_connect
from winsql.spark.tables.connectors import SPARK_ERRORS
from winsql.spark.tables.folders import RUNS, is_unused
from winsql.spark.versions.classic import jvm_lock
from winsql.spark.versions.java_errors import Py4JError

try:
    import fcntl
except ImportError:  # a system without these locks
    fcntl = None  # type: ignore[assignment]

_PATIENCE = 2.0
"""Seconds that a start waits: a stream that has just ended gives its claim back in milliseconds."""


@dataclass(slots=True)
class Claim:
    """The lock that a process holds while it runs the stream of a folder; none where the file is None.

    made    the folders around the file that did not exist before, the outermost first
    others  the claims on folders that the stream writes into
    in_jvm  the same file, open and locked in the JVM
    """

    path: str
    file: int | None
    made: tuple[str, ...] = ()
    others: list[Claim] = field(default_factory=list)
    in_jvm: Any = None
    _one_at_a_time: Lock = field(default_factory=Lock)

    def release(self) -> None:
        """Let others start the stream; a second call does nothing."""
        for other in self.others:
            other.release()
        with self._one_at_a_time:
            if self.file is not None:
                with suppress(OSError):
                    os.unlink(self.path)
                with suppress(Py4JError, OSError):  # the JVM may be gone
                    self.in_jvm.close()
                os.close(self.file)
                self.file = None

    def take_back(self) -> None:
        """Release it for a stream that has not started: of the folders that it made, those without files go."""
        self.release()
        for claim in (*self.others, self):
            for folder in reversed(claim.made):
                with suppress(OSError):
                    os.rmdir(folder)

    def release_after(self, spark: SparkSession, query: StreamingQuery) -> None:
        """Release it when the query has ended, however it ends."""
        if any(claim.file is not None for claim in (self, *self.others)):
            InheritableThread(target=self._wait, args=(query,), daemon=True, session=spark).start()

    def _wait(self, query: StreamingQuery) -> None:
        with suppress(PySparkException, Py4JError, OSError):  # what ended the query, or the session
            query.awaitTermination()
        self.release()


@contextmanager
def claimed(spark: SparkSession, path: str, folders: Iterable[str] = ()) -> Iterator[Claim]:
    """The claim on the stream of a folder, which is released where the start fails.

    `folders` are those that it writes into: a stream with a copy of its checkpoint would write there, too. Nothing is
    claimed on Spark Connect, and on other file systems than the local one. Raises WindowPlanError when
    another process, or another session of this one, runs the stream.
    """
    claim = _claim(spark, path)
    try:
        for folder in folders:
            claim.others.append(_claim(spark, folder))
        yield claim
    except BaseException:
        claim.take_back()
        raise


def end_elsewhere(spark: SparkSession, checkpoint: str) -> None:
    """On Spark Connect, end the stream of a checkpoint that another session of the server runs, before its files are
    deleted: else it writes on into those of its successor.

    Spark ends it, and waits for its micro-batch, where a query starts with the same checkpoint. Raises WindowPlanError
    where the server is not to (`spark.sql.streaming.stopActiveRunOnRestart`).
    """
    if not is_connect(spark) or is_unused(spark, checkpoint):
        return
    reader = spark.readStream.format("rate").load()
    writer = reader.writeStream.format("noop").option("checkpointLocation", checkpoint)
    try:
        writer.trigger(processingTime="1 day").start().stop()
    except SPARK_ERRORS as error:  # a checkpoint that cannot be read has no stream
        if "already active" in str(error):
            raise _runs_there(checkpoint, "another session of the server has begun it") from None


def written_elsewhere(what: str) -> WindowDataError:
    """The error for a micro-batch that this run has not written, and that is there."""
    return WindowDataError(
        f"{what} has been written by another process",
        rule="one process runs a stream: another one with a copy of its checkpoint gives other rows the same number",
        hint="stop the other one, and begin anew with CREATE OR REPLACE: rows of both may be there",
    )


def _claim(spark: SparkSession, path: str) -> Claim:
    place = reachable_place(spark, path)
    return Claim("", None) if place is None or fcntl is None else _taken(spark, place)


def _taken(spark: SparkSession, place: str) -> Claim:
    place = os.path.realpath(place)
    path = f"{os.path.dirname(place)}/{RUNS}{os.path.basename(place)}"
    end = time.monotonic() + _PATIENCE
    made = tuple(_missing(os.path.dirname(path)))
    while True:
        file = _opened(path)
        if file is None:
            return Claim(path, None)
        locked = _locked(file, path)
        if locked is None:
            os.close(file)
            return Claim(path, None)
        if locked and fcntl.fcntl(file, fcntl.F_GETFL) & os.O_ACCMODE == os.O_RDONLY:
            locked = False
            _drop(file, path)
        in_jvm = jvm_lock(spark, path) if locked else None
        if in_jvm is not None:
            os.ftruncate(file, 0)
            os.write(file, this_process("since").encode())
            return Claim(path, file, made, in_jvm=in_jvm)
        holder = os.pread(file, 300, 0).decode(errors="replace").strip() or "another process"
        os.close(file)
        if time.monotonic() > end:
            raise _runs_there(place, holder)
        time.sleep(0.02)


def _opened(path: str) -> int | None:
    """The file, made where there is none; to be read only where another user has made it.

    None where there can be none: Spark says what is wrong with its folder.
    """
    try:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        return os.open(path, os.O_RDWR | os.O_CREAT, 0o666)
    except OSError as error:
        if not isinstance(error, PermissionError) or not os.access(path, os.F_OK):
            return None
    with suppress(FileNotFoundError), _told(path):
        return os.open(path, os.O_RDONLY)
    return _opened(path)  # its process has just ended


def _drop(file: int, path: str) -> None:
    """Delete the locked file of another user, unless the JVM of its process holds it: that of a killed one is left."""
    with suppress(BlockingIOError), _told(path):
        fcntl.lockf(file, fcntl.LOCK_SH | fcntl.LOCK_NB)
        os.unlink(path)


@contextmanager
def _told(path: str) -> Iterator[None]:
    try:
        yield
    except PermissionError:
        raise WindowPlanError(
            f"this user cannot tell whether another process runs the stream: the file {path} is another user's",
            rule="one process runs a stream, and holds a lock on that file",
            hint="if none runs it, delete the file, and let this user write into its folder",
        ) from None


def _missing(folder: str) -> list[str]:
    """A folder and those around it, as far as they do not exist, the outermost first."""
    return [] if os.path.exists(folder) else [*_missing(os.path.dirname(folder)), folder]


def _locked(file: int, path: str) -> bool | None:
    """Whether the file is locked now, and still the one at its path; None where the file system has no locks."""
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return os.path.samestat(os.fstat(file), os.stat(path))
    except (BlockingIOError, FileNotFoundError):
        return False
    except OSError:
        return None


def this_process(when: str) -> str:
    """What files say of this process; `when` is what comes before the time."""
    now = datetime.datetime.now(datetime.UTC).replace(microsecond=0).isoformat()
    return f"process {os.getpid()} on {socket.gethostname()}, {when} {now}"


def _runs_there(place: str, holder: str) -> WindowPlanError:
    return WindowPlanError(
        f"the stream of {place} runs already: {holder}",
        rule="one session of one process runs a stream",
        hint="leave it to that process, or stop it there and run the statement again",
    )
