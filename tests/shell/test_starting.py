"""A session that starts while people type: who waits for it, and what they are told. No Spark."""

from __future__ import annotations

import io
import os
from queue import SimpleQueue
from threading import Event
from typing import Any, cast

import pytest
from pyspark.sql import SparkSession

from winsql.shell.interactive.names import Names
from winsql.shell.interactive.starting import Starting

SPARK = cast(SparkSession, object())
PATIENCE = 60


def test_a_session_is_waited_for() -> None:
    may_start, warmed = Event(), Event()
    seen: list[Any] = []

    def start(errors: int) -> SparkSession:
        may_start.wait(PATIENCE)
        return SPARK

    def warm(spark: SparkSession) -> None:
        seen.append(spark)
        warmed.set()

    starting = Starting(start)
    starting.then(warm, lambda: seen.append("failed"))
    starting.begin()
    assert starting.found() is None
    assert Names(starting.found).tables() == []
    may_start.set()
    assert starting.session() is starting.found() is SPARK
    assert warmed.wait(PATIENCE)
    assert seen == [SPARK]


def test_a_session_that_does_not_start() -> None:
    failed = Event()

    def start(errors: int) -> SparkSession:
        raise OSError("no Java")

    starting = Starting(start)
    starting.then(lambda spark: None, failed.set)
    starting.begin()
    assert failed.wait(PATIENCE)
    with pytest.raises(OSError, match="no Java"):
        starting.session()
    assert starting.found() is None


class Heard(io.TextIOBase):
    """An output that a thread writes to and a test reads; pytest's own loses what is written while it is read."""

    def __init__(self) -> None:
        self.texts: SimpleQueue[str] = SimpleQueue()

    def write(self, text: str) -> int:
        self.texts.put(text)
        return len(text)

    def line(self) -> str:
        told = ""
        while "\n" not in told:
            told += self.texts.get(timeout=PATIENCE)
        return told


def test_what_java_says_is_told_but_for_what_it_always_says(monkeypatch: pytest.MonkeyPatch) -> None:
    def start(errors: int) -> SparkSession:
        os.write(errors, b"WARNING: Using incubator modules: jdk.incubator.vector\nOutOfMemory\n")
        return SPARK

    heard = Heard()
    monkeypatch.setattr("sys.stderr", heard)
    starting = Starting(start)
    starting.begin()
    starting.session()
    assert heard.line() == "OutOfMemory\n"
