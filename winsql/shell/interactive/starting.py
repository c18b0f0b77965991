"""A session of Spark that starts while people type already."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from threading import Event, Thread
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

_LOOK = 0.1
"""Seconds between two looks at whether Spark is there: Ctrl-C arrives between them."""
_CLEAR = "\r\x1b[2K"


class Starting:
    """Starts a session in a thread of its own, and keeps what it says away from the line that is typed.

    start   returns the session; it gets a file descriptor for what the JVM writes to its standard error. What it
            raises is raised where the session is asked for.
    """

    def __init__(self, start: Callable[[int], SparkSession]) -> None:
        self.error: Exception | None = None
        self._start = start
        self._session: SparkSession | None = None
        self._ended = Event()

    def begin(self) -> None:
        """Start; returns at once."""
        Thread(target=self._run, daemon=True).start()

    def then(self, work: Callable[[SparkSession], None], fail: Callable[[], None]) -> None:
        """In another thread, let `work` have the session as soon as it is there; `fail` is called where none comes."""

        def wait() -> None:
            self._ended.wait()
            if self._session is None:
                fail()
            else:
                work(self._session)

        Thread(target=wait, daemon=True).start()

    def found(self) -> SparkSession | None:
        """The session if it is there."""
        return self._session

    def session(self) -> SparkSession:
        """The session as soon as it is there; raises why there is none, and KeyboardInterrupt while it waits."""
        if not self._ended.is_set():
            self._wait()
        if self.error is not None:
            raise self.error
        assert self._session is not None
        return self._session

    def _wait(self) -> None:
        is_shown = sys.stderr.isatty()
        if is_shown:
            print("Spark is starting ...", end="", file=sys.stderr, flush=True)
        try:
            while not self._ended.wait(_LOOK):
                pass
        finally:
            if is_shown:
                print(_CLEAR, end="", file=sys.stderr, flush=True)

    def _run(self) -> None:
        read, write = os.pipe()
        Thread(target=_tell, args=(read,), daemon=True).start()
        try:
            self._session = self._start(write)
        except Exception as error:  # noqa: BLE001 - raised again in the thread that waits
            self.error = error
        finally:
            os.close(write)  # the JVM has its own
            self._ended.set()


def _tell(read: int) -> None:
    """Print the lines of the JVM as they come: above a prompt, where `sys.stderr` knows of one."""
    with os.fdopen(read, encoding="utf-8", errors="replace") as lines:
        for line in lines:
            if line != _USUAL:
                sys.stderr.write(line)
                sys.stderr.flush()


_USUAL = "WARNING: Using incubator modules: jdk.incubator.vector\n"
"""What Java says at every start of Spark 4.3."""
