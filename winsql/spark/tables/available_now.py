"""The end of a stream that runs over what is there now and whose windows go by the clock.

Spark's stateful operator asks for another micro-batch without end where the clock wakes it, also with the trigger
`availableNow`. So the stream is stopped when it has read everything.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

from pyspark import InheritableThread
from pyspark.errors import PySparkException
from pyspark.sql import SparkSession
from pyspark.sql.streaming.query import StreamingQuery

from winsql.errors import WindowPlanError
from winsql.spark.versions.java_errors import Py4JError
from winsql.syntax import Statement

_PAUSE = 0.2
"""Seconds between two looks."""


def end_when_read(spark: SparkSession, query: StreamingQuery) -> None:
    """Stop a query with the trigger `availableNow` when two micro-batches have found nothing new."""
    InheritableThread(target=_watch, args=(query,), daemon=True, session=spark).start()


def require_reports(spark: SparkSession, statement: Statement, *, by_clock: bool) -> None:
    """Raises WindowPlanError where Spark keeps no report of a stream's progress: then none can run, and the end of one
    that `end_when_read` ends would not be seen."""
    kept, least = str(spark.conf.get(_KEPT)), 2 if by_clock else 1
    if int(kept) < least:
        raise WindowPlanError(
            f"with {_KEPT} = {kept} this stream would {'not end' if by_clock else 'fail'}",
            rule="where windows go by the clock, a stream with the trigger 'available now' ends when Spark reports "
            "that everything is read, and with less than 2 it keeps no report"
            if by_clock
            else "Spark ends each stream with an error whose progress it has no room for",
            hint=f"run first: SET {_KEPT} = {least}",
            source=statement.text,
            span=statement.target.body,
        )


_KEPT = "spark.sql.streaming.numRecentProgressUpdates"


def _watch(query: StreamingQuery) -> None:
    reports: deque[Mapping[str, Any]] = deque(maxlen=2)  # of two the query may keep one only
    with suppress(PySparkException, Py4JError, OSError):  # what ended the query, or the session
        while not query.awaitTermination(_PAUSE):  # type: ignore[arg-type]
            last = query.lastProgress
            if last is not None and (not reports or last["batchId"] != reports[-1]["batchId"]):
                reports.append(last)
            if has_read_all(list(reports)):
                query.stop()


def has_read_all(reports: Sequence[Mapping[str, Any]]) -> bool:
    """Whether the last two micro-batches of these read nothing, and left the watermark where it was.

    The first one may end windows by the watermark of the rows before it.
    """
    last = reports[-2:]
    watermarks = [(report.get("eventTime") or {}).get("watermark") for report in last]
    return len(last) == 2 and watermarks[0] == watermarks[1] and not any(map(_reads, last))


def _reads(report: Mapping[str, Any]) -> bool:
    return any(source["startOffset"] != source["endOffset"] for source in report["sources"])
