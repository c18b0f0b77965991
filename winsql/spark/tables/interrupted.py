"""Stopping a stream in the middle of a micro-batch.

Spark recognizes an interrupted Python sink by matching the text of the error with a regular expression that takes a
frame of the JVM's stack for each letter after the error's name. The stack trace in the text overflows the stack, and
the thread of the stream dies with a StackOverflowError on standard error (`StreamExecution.isInterruptionException`,
Spark 3.3 to 4.3). So the error has a single line.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from winsql.spark.versions.java_errors import Py4JJavaError


class _Interrupted(Exception):
    """Printed as py4j's, which Spark looks for."""


_Interrupted.__module__, _Interrupted.__qualname__ = "py4j.protocol", "Py4JJavaError"
_NAMES = re.compile(r"InterruptedException|InterruptedIOException|ClosedByInterruptException|\[SPARK_JOB_CANCELLED\]")


@contextmanager
def interruptible() -> Iterator[None]:
    """Around a sink's work: raises an interrupt as the one line that Spark understands."""
    try:
        yield
    except Py4JJavaError as error:
        if not _NAMES.search(str(error)):
            raise
        first, _, rest = str(error).partition("\n")
        said = rest.partition("\n")[0].removeprefix(": ")[:_MOST]
        raise _Interrupted(f"{first[:_MOST]}\n: java.lang.InterruptedException: {said}") from None


_MOST = 200
"""Characters of a message at most."""
