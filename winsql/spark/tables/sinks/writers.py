"""Sinks that are Spark's own batch writers: each micro-batch is appended by `DataFrame.write`."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import partial

from pyspark.sql import DataFrame

from winsql.spark.tables.connectors import SPARK_ERRORS
from winsql.spark.tables.registry import Guarantee
from winsql.spark.tables.sinks.connectors import require_connector
from winsql.spark.tables.sinks.protocol import Request, Run, Sink
from winsql.syntax.stream_statements.secrets import is_secret

_PASSING = frozenset({"console", "noop", "memory"})
"""Formats that keep nothing."""
_NEEDS = {
    "delta": {"path": "/a/folder"},
    "iceberg": {"path": "database.table"},
    "kafka": {"kafka.bootstrap.servers": "host:9092"},
    "jdbc": {"url": "jdbc:...", "dbtable": "table"},
}
_PLACES = frozenset({"path", "table", "dbtable", "topic"})
"""Options that say where rows go: a restart may not change them."""


@dataclass(slots=True)
class Writer:
    """Appends micro-batches by one of Spark's batch writers.

    try_empty      writes no rows; raises what Spark raises where there is no batch writer
    transactions   by which Delta Lake, together with the number, recognizes a micro-batch that it already has
    """

    format: str
    options: Mapping[str, str] = field(repr=False)
    guarantee: Guarantee
    fixed: Mapping[str, str]
    is_passing: bool
    is_streaming: bool
    checkpoint: str | None = None
    folder: str | None = None
    transactions: str | None = None
    try_empty: Callable[[], None] | None = None

    @property
    def writes_to(self) -> str | None:
        return self.fixed.get("path")

    def check(self, run: Run) -> None:
        pass

    def prepare(self, run: Run) -> None:
        if self.try_empty is not None:
            self._look_for_writer()
        if self.format.lower() == "delta":
            self.transactions = f"{run.stream} {run.identity}"

    def _look_for_writer(self) -> None:
        """A Python data source may have a streaming writer alone, which only a write tells."""
        assert self.try_empty is not None
        try:
            self.try_empty()
        except SPARK_ERRORS as error:
            if not _NO_WRITER.search(str(error)):
                raise
            self.is_streaming = True
        self.try_empty = None  # it knows the session, and this object may travel

    def write(self, rows: DataFrame, number: int) -> None:
        writer = rows.write.format(self.format).options(**self.options).mode("append")
        if self.transactions is not None:
            writer = writer.option("txnAppId", self.transactions).option("txnVersion", str(number))
        writer.save()

    def with_late(self, late: Sink) -> Callable[[DataFrame, DataFrame, int], None] | None:
        return None


def writer(request: Request) -> Sink:
    """The sink for a format that Spark, or a package of the session, writes."""
    name = request.clause.format.lower()
    _require_append(request)
    _require_kinds(request, name)
    if name not in _PASSING:
        require_connector(request)
    for option, example in _NEEDS.get(name, {}).items():
        request.required(option, example)
    if name == "kafka":
        _require_message(request)
    options = request.clause.options
    fixed = {"format": name if "." not in name else request.clause.format}
    fixed |= {key.lower(): v for key, v in options.items() if key.lower() in _PLACES and not is_secret(key, v)}
    guarantee = Guarantee.EXACTLY_ONCE if name in ("delta", "memory") else Guarantee.AT_LEAST_ONCE
    sink = Writer(request.clause.format, dict(options), guarantee, fixed, name in _PASSING, name == "memory")
    if name not in _KNOWN:
        sink.try_empty = partial(_write_nothing, request)
    return sink


_KNOWN = frozenset({*_PASSING, *_NEEDS, "text", "avro", "xml"})
_NO_WRITER = re.compile(r"\[NOT_IMPLEMENTED\] writer is not implemented|does not support batch write")


def _write_nothing(request: Request) -> None:
    """Write an empty micro-batch, as any one may be."""
    rows = request.spark.createDataFrame([], request.schema)
    rows.write.format(request.clause.format).options(**request.clause.options).mode("append").save()


def _require_append(request: Request) -> None:
    mode = request.option("mode")
    if mode is not None and mode.strip().lower() != "append":
        raise request.refused(
            f"{request.clause.format} cannot be written in the mode {mode}",
            "Spark's writers append the rows of each micro-batch",
            "write INTO postgres or INTO sqlite for mode 'upsert', or leave it out",
            option="mode",
        )


def _require_kinds(request: Request, name: str) -> None:
    if name in _NOT_BATCHES:
        problem = f"a stream cannot be written into {request.clause.format}"
        raise request.refused(problem, "it has no batch writer", _NOT_BATCHES[name])


_NOT_BATCHES = {
    "rate": "it is a source",
    "socket": "it is a source",
    "binaryfile": "write INTO parquet",
    "foreach": "use winsql.sql(...).writeStream in Python",
    "foreachbatch": "use winsql.for_each_batch in Python",
}


def _require_message(request: Request) -> None:
    columns = {column.name.lower() for column in request.schema}
    if "value" not in columns:
        raise request.refused(
            f"{request.what} has no column value",
            "kafka takes the columns value, and key, topic, headers and partition where they are there",
            "write SELECT to_json(struct(...)) AS value",
        )
    if "topic" not in columns:
        request.required("topic", "name")
