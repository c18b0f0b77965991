"""An interrupted cell ends what Spark does for it.

A kernel raises KeyboardInterrupt in the middle of a call to Spark, whose jobs would go on, and the next cells wait
for them.
"""

from __future__ import annotations

import time
import uuid
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from threading import Thread

from pyspark.errors import PySparkException
from pyspark.sql import SparkSession

from winsql.spark.runner import is_connect
from winsql.spark.versions.java_errors import Py4JError

_PAUSES = (0.0, 0.5, 1.0, 2.0, 4.0)
"""Seconds before Spark is told, again and again: it may still have been planning."""


@contextmanager
def ended_by_interrupt(spark: SparkSession) -> Iterator[None]:
    """The jobs of the block are cancelled when a KeyboardInterrupt leaves it."""
    tag = f"winsql-{uuid.uuid4().hex}"
    tagged = spark if is_connect(spark) else spark.sparkContext
    add, remove = (tagged.addTag, tagged.removeTag) if is_connect(spark) else (tagged.addJobTag, tagged.removeJobTag)  # type: ignore[union-attr]
    add(tag)
    try:
        yield
    except KeyboardInterrupt:
        # the connection of this thread is in disorder now
        Thread(target=_cancel, args=(spark, tag), daemon=True).start()
        raise
    finally:
        with suppress(PySparkException, Py4JError):  # the block may have stopped Spark
            remove(tag)


def _cancel(spark: SparkSession, tag: str) -> None:
    for pause in _PAUSES:
        time.sleep(pause)
        with suppress(PySparkException, Py4JError):
            if is_connect(spark):
                spark.interruptTag(tag)
            else:
                spark.sparkContext.cancelJobsWithTag(tag)
