"""Relations of a statement that its other queries read, as views on the server of Spark Connect.

The plan that a client sends holds the plans of all its relations, with the code of their functions, and goes to the
server each time that the client asks for columns. Protobuf takes a hundred levels; four operators have more.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable
from contextlib import suppress
from typing import Any
from uuid import uuid4
from weakref import WeakKeyDictionary, finalize

from pyspark.sql import DataFrame, SparkSession

from winsql.model.query import INTERNAL_PREFIX

_UNUSED: WeakKeyDictionary[Any, deque[str]] = WeakKeyDictionary()
"""By client the views that no plan reads any more. They are dropped later, as nothing may be asked of the server while
Python cleans up."""
_READ: WeakKeyDictionary[Any, list[Any]] = WeakKeyDictionary()
"""By plan those that it reads where it does not have them itself: what `spark.sql` gives is the server's plan."""


def keep(frame: DataFrame, read: Iterable[DataFrame]) -> None:
    """Note that a DataFrame reads others, whose views are then kept as long as it is there."""
    _READ.setdefault(frame._plan, []).extend(other._plan for other in read)
    _drop_unused(frame.sparkSession)


def as_view(frame: DataFrame, name: str | None = None) -> DataFrame:
    """The rows of a DataFrame, read from a temporary view that lasts as long as a plan reads it."""
    spark, view = frame.sparkSession, name or f"{INTERNAL_PREFIX}view_{uuid4().hex}"
    frame.createOrReplaceTempView(view)
    rows = spark.table(view)
    finalize(rows._plan, _UNUSED.setdefault(spark.client, deque()).append, view).atexit = False
    return rows


def _drop_unused(spark: SparkSession) -> None:
    unused = _UNUSED.get(spark.client, deque[str]())
    with suppress(IndexError):  # none is left, as other threads may drop some too
        while True:
            spark.catalog.dropTempView(unused.popleft())
