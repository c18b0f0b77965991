"""Helpers of the streaming tests: input that arrives file by file, and what a query gives per micro-batch."""

from __future__ import annotations

import datetime
import json
import os
from collections import Counter
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.parquet as pq

import winsql
from winsql.spark.runner import is_connect

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

START = datetime.datetime(2024, 1, 1, tzinfo=datetime.UTC)
SCHEMA = "k STRING, ts TIMESTAMP, v DOUBLE, n INT"
_ARROW = pa.schema([("k", pa.string()), ("ts", pa.timestamp("us", "UTC")), ("v", pa.float64()), ("n", pa.int32())])

_FIRST_FILE = 1_700_000_000

Event = tuple[Any, ...]
"""Key, seconds after START (None: no time), value, number."""


class Source:
    """Files that become one micro-batch each, in the order in which they are put."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        folder.mkdir(parents=True, exist_ok=True)
        self.files = len(list(folder.glob("*.parquet")))

    def put(self, *batches: Sequence[Event]) -> None:
        for events in batches:
            columns = zip(*((k, _instant(s), v, n) for k, s, v, n in events), strict=True)
            arrays = [pa.array(list(column), field.type) for column, field in zip(columns, _ARROW, strict=True)]
            path = self.folder / f"{self.files:05}.parquet"
            pq.write_table(pa.Table.from_arrays(arrays, schema=_ARROW), path)
            os.utime(path, (_FIRST_FILE + self.files,) * 2)  # the file source takes them by time of modification
            self.files += 1

    def stream(self, spark: SparkSession, view: str, delay: str | None = "0 seconds") -> None:
        """A view over the files as a stream."""
        frame = spark.readStream.schema(SCHEMA).option("maxFilesPerTrigger", 1).parquet(str(self.folder))
        if delay is not None:
            frame = frame.withWatermark("ts", delay)
        frame.createOrReplaceTempView(view)

    def table(self, spark: SparkSession, view: str) -> None:
        """A view over the files as a table."""
        spark.read.schema(SCHEMA).parquet(str(self.folder)).createOrReplaceTempView(view)


class Rows:
    """The rows that a query gives, as text, in order of micro-batches; how they get here depends on the session."""

    def __init__(self, place: Path) -> None:
        self.place = place
        self.rows: list[tuple[str, ...]] = []
        self.known = set(self._files())

    def start(self, frame: DataFrame, checkpoint: Path, **trigger: Any) -> Any:
        """Start the query; Connect's foreachBatch would run in another process, after ten seconds at the latest."""
        writer = frame.writeStream.option("checkpointLocation", str(checkpoint))
        writer = writer.trigger(**trigger) if trigger else writer
        if is_connect(frame):
            return writer.format("parquet").option("path", str(self.place)).start()
        return writer.foreachBatch(self.take).start()

    def take(self, batch: DataFrame, number: int) -> None:
        self.rows.extend(tuple(map(str, row)) for row in batch.collect())

    def taken(self) -> list[tuple[str, ...]]:
        tables = [pq.read_table(path) for path in self._files() if path not in self.known]
        written = [tuple(map(str, row.values())) for table in tables for row in table.to_pylist()]
        return [*self.rows, *written]

    def _files(self) -> list[Path]:
        """Those of complete micro-batches, which the sink notes in a log."""
        logs = [path.read_text().splitlines()[1:] for path in self.place.glob("_spark_metadata/[0-9]*")]
        files = {self.place / Path(json.loads(line)["path"]).name for lines in logs for line in lines}
        return sorted(files, key=lambda path: (path.stat().st_mtime_ns, path.name))


def run(frames: Sequence[DataFrame], checkpoints: Path) -> list[list[tuple[str, ...]]]:
    """Run the streams over what is there, two at a time; per stream the rows in order of micro-batches."""
    results = [Rows(checkpoints.with_name(f"{checkpoints.name}.{number}")) for number in range(len(frames))]
    started: list[Any] = []
    for number, (frame, rows) in enumerate(zip(frames, results, strict=True)):
        started.append(rows.start(frame, checkpoints / str(number), availableNow=True))
        if len(started) == 2:
            started.pop(0).awaitTermination()
    for query in started:
        query.awaitTermination()
    return [rows.taken() for rows in results]


def run_sql(spark: SparkSession, texts: Iterable[str], checkpoints: Path) -> list[list[tuple[str, ...]]]:
    """As `run`, of statements."""
    return run([winsql.sql(spark, text) for text in texts], checkpoints)


def run_by_clock(frame: DataFrame, checkpoint: Path, rows_wanted: int) -> list[tuple[str, ...]]:
    """Run a stream that the clock wakes, which never ends by itself, until it has given so many rows."""
    rows = Rows(checkpoint.with_name(f"{checkpoint.name}.rows"))
    query = rows.start(frame, checkpoint)
    try:
        while len(rows.taken()) < rows_wanted and not query.awaitTermination(1):
            pass
    finally:
        query.stop()
    return rows.taken()


def rows_of(frame: DataFrame) -> Counter[tuple[str, ...]]:
    """The rows of a bounded DataFrame in the form `run` gives."""
    return Counter(tuple(map(str, row)) for row in frame.collect())


def _instant(seconds: float | None) -> datetime.datetime | None:
    return None if seconds is None else START + datetime.timedelta(seconds=seconds)
