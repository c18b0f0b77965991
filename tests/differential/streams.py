"""Queries over a stream: rows of a table in micro-batches, all queries of a scene in one streaming query."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import count
from pathlib import Path
from typing import TYPE_CHECKING, Any

from differential.check import Failure, said
from differential.compare import difference
from differential.evaluate import Stream, expected, source_rows
from differential.expressions import Column, value
from differential.firing import Watermark
from differential.plans import comparable, read_texts
from differential.record import Query, Result, Session, Source, Statement, Table
from differential.scenes import Draw
from differential.shrink import Case, shrunk
from differential.spelling import quoted
from differential.text import table_sql, text_of
from differential.values import DAY, MINUTE, SECOND, TIMESTAMP, Type
from session_settings import settings

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession


@dataclass(frozen=True)
class Feed:
    """A table's rows as they arrive, where its micro-batches end, and the delay of its watermark."""

    table: Table
    time: Column
    ends: tuple[int, ...]
    delay: int

    @property
    def batches(self) -> list[Table]:
        starts = (0, *self.ends[:-1])
        return [replace(self.table, rows=self.table.rows[a:b]) for a, b in zip(starts, self.ends, strict=True)]

    def steps(self) -> Stream:
        """Rows by number, and the watermark between micro-batches: by the rows of those before, in milliseconds."""
        place, found, newest = self.table.columns.index(self.time), [], None
        for start, end in zip((0, *self.ends[:-1]), self.ends, strict=True):
            found += range(start, end)
            times = [row[place] for row in self.table.rows[start:end]]
            newest = max(times if newest is None else [newest, *times])
            found.append(Watermark(newest // 1000 * 1000 - self.delay - 1))
        return found


def draw_feed(draw: Draw, table: Table, queries: Sequence[Query]) -> tuple[Feed, list[Query]]:
    """The rows out of order, mostly within the delay, cut at random; and the queries, over that table.

    The rows that WHERE drops move no watermark, so a row that each query keeps ends every micro-batch. The last one
    is far later than all others.
    """
    time = next(column for column in table.columns if column.type == TIMESTAMP)
    place = table.columns.index(time)
    delay = draw.choice((0, 0, 5 * SECOND, 3 * MINUTE))
    ways = [draw.randrange(0, delay + 1, SECOND) if draw.odds(0.9) else 20 * MINUTE for _ in table.rows]
    order = sorted(range(len(table.rows)), key=lambda n: table.rows[n][place] + ways[n])
    rows = [table.rows[n] for n in order]
    cuts = sorted({draw.randrange(1, len(rows)) for _ in range(draw.choice((1, 2, 3)))} | {len(rows)})
    kept = [_keeping(query, table) for query in queries]
    last = {row for _, row in kept if row is not None} or {rows[0]}
    parts = [rows[a:b] for a, b in zip((0, *cuts[:-1]), cuts, strict=True)]
    far = max(row[place] for row in rows) + 20 * DAY
    made: list[Any] = []
    ends: list[int] = []
    for part in [*parts, []]:
        newest = max((row[place] for row in part), default=far)
        made += [*part, *((*row[:place], newest, *row[place + 1 :]) for row in sorted(last, key=repr))]
        ends.append(len(made))
    fed = replace(table, rows=tuple(made))
    return Feed(fed, time, tuple(ends), delay), [_over(query, fed) for query, _ in kept]


def _keeping(query: Query, table: Table) -> tuple[Query, Any]:
    """A row that its WHERE keeps; the query without WHERE when there is none."""
    where = query.statement.where
    if where is None:
        return query, None
    rows = zip(table.rows, source_rows(Source(table)), strict=True)
    row = next((row for row, known in rows if value(where, known) is True), None)
    return (query if row else replace(query, statement=replace(query.statement, where=None))), row


def _over(query: Query, table: Table) -> Query:
    statement: Statement = query.statement
    assert isinstance(statement.source, Source)
    return replace(query, statement=replace(statement, source=replace(statement.source, table=table)))


Outcome = Result | Exception


def stream_failure(case: Case, feed: Feed, outcome: Outcome) -> Failure | None:
    """How what came differs from what the model gives for the micro-batches."""
    wanted = expected(case.query, case.session, feed.steps())
    if isinstance(outcome, Exception):
        return Failure(case, said(outcome), None, wanted)
    wrong = difference(wanted, outcome)
    return None if wrong is None else Failure(case, wrong, outcome, wanted)


def smallest_stream(found: Failure, feed: Feed, spark: SparkSession, place: Path) -> tuple[Failure, Feed]:
    """The failure with a smaller query and fewer rows; each try is a stream of its own, so few are made."""
    last, folders = found, count()

    def fails(case: Case, small: Feed) -> bool:
        nonlocal last
        with settings(spark, case.session.settings):
            [outcome] = run_streams(spark, [case.query], case.session, small, place / str(next(folders)))
        now = stream_failure(case, small, outcome)
        if now is None or now.kind != found.kind:
            return False
        last = now
        return True

    case = shrunk(found.case, lambda case: fails(case, feed), seconds=90, tables=False)
    if case.query.statement.where is None:  # else the rows that end a micro-batch must stay
        for smaller in [*_fewer_cuts(feed), *_fewer_rows(feed)]:
            if fails(replace(case, query=_over(case.query, smaller.table)), smaller):
                return last, smaller
    return last, feed


def _fewer_cuts(feed: Feed) -> list[Feed]:
    return [replace(feed, ends=feed.ends[-2:])] if len(feed.ends) > 2 else []


def _fewer_rows(feed: Feed) -> list[Feed]:
    """Without the first or the second half; the last row is the one that ends all windows."""
    rows, end = feed.table.rows[:-1], feed.table.rows[-1:]
    halves = [rows[: len(rows) // 2], rows[len(rows) // 2 :]]
    return [replace(feed, table=replace(feed.table, rows=h + end), ends=(len(h), len(h) + 1)) for h in halves if h]


def run_streams(
    spark: SparkSession, queries: Sequence[Query], session: Session, feed: Feed, place: Path
) -> list[Outcome]:
    """What each query gives over the stream, all in one run; the session has its settings.

    When that run fails, each query runs alone.
    """
    make_stream(spark, feed, place / "in")
    frames = [_planned(spark, query, session) for query in queries]
    good = [n for n, frame in enumerate(frames) if not isinstance(frame, Exception)]
    together = _run([frames[n] for n in good], place / "checkpoint")
    if isinstance(together, Exception) and len(good) > 1:
        alone = [_run([frames[n]], place / f"checkpoint{n}") for n in good]
        together = [found if isinstance(found, Exception) else found[0] for found in alone]
    elif isinstance(together, Exception):
        together = [together] * len(good)
    found = dict(zip(good, together, strict=True))
    return [found.get(n, frame) for n, frame in enumerate(frames)]


def make_stream(spark: SparkSession, feed: Feed, folder: Path) -> None:
    """A view over a file per micro-batch."""
    schema = None
    for batch in feed.batches:
        made = spark.sql(table_sql(batch)).coalesce(1)
        made.write.mode("append").parquet(str(folder))
        schema = made.schema
    assert schema is not None
    source = spark.readStream.schema(schema).option("maxFilesPerTrigger", 1).parquet(str(folder))
    delayed = source.withWatermark(quoted(feed.time.name), f"{feed.delay // 1000} milliseconds")
    delayed.createOrReplaceTempView(quoted(feed.table.name))


def _planned(spark: SparkSession, query: Query, session: Session) -> Any:
    import winsql

    try:
        return winsql.sql(spark, text_of(query, session)[-1])
    except Exception as error:  # noqa: BLE001 - whatever is raised is a finding
        return error


def _run(frames: Sequence[DataFrame], checkpoint: Path) -> list[Outcome] | Exception:
    rows: list[Any] = []
    texts = [_texts(number, frame) for number, frame in enumerate(frames)]
    if not texts:
        return []
    writer = reduce(lambda left, right: left.unionAll(right), texts).writeStream
    writer = writer.option("checkpointLocation", str(checkpoint)).trigger(availableNow=True)
    try:
        writer.foreachBatch(lambda batch, number: rows.extend(batch.collect())).start().awaitTermination()
    except Exception as error:  # noqa: BLE001 - whatever is raised is a finding
        return error
    return [_result(frame, [row[1] for row in rows if row[0] == number]) for number, frame in enumerate(frames)]


def _texts(number: int, frame: DataFrame) -> DataFrame:
    from pyspark.sql import functions as F

    texts = comparable(frame)
    return texts.select(F.lit(number).alias("number"), F.array(*texts.columns).alias("texts"))


def _result(frame: DataFrame, rows: list[Any]) -> Result:
    types = tuple(Type(field.dataType.simpleString()) for field in frame.schema.fields)
    return Result(tuple(frame.columns), types, [read_texts(types, tuple(row)) for row in rows])
