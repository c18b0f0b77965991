"""CREATE STREAM ... INTO: the checks, and the start or restart of the stream."""

from __future__ import annotations

import uuid
from collections.abc import Iterator
from contextlib import AbstractContextManager, ExitStack, nullcontext
from dataclasses import dataclass, replace
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql.streaming.readwriter import DataStreamWriter
from pyspark.sql.types import StructType

from winsql.errors import WindowPlanError
from winsql.spark.planned_statement import Arguments
from winsql.spark.reachable import reachable_place
from winsql.spark.streaming.checkpoint_files import require_resumable
from winsql.spark.tables.claims import Claim, claimed, end_elsewhere
from winsql.spark.tables.folders import (
    batches_in,
    drop_unrecorded,
    drop_unstarted,
    is_inside,
    is_unused,
    newest_begun,
    qualified,
    real_place,
    require_plain,
)
from winsql.spark.tables.for_each_batch import Batches, batches_of
from winsql.spark.tables.names import full_name, shown_name
from winsql.spark.tables.newest import written_and_done
from winsql.spark.tables.places import require_apart, require_other_source
from winsql.spark.tables.registry import Guarantee, Stream, streams_of
from winsql.spark.tables.running import (
    located,
    noting,
    own_errors,
    require_startable,
    started,
    without_folder_of_checkpoints,
)
from winsql.spark.tables.sinks.notes import SinkNote, columns_of, forget_note, read_note, require_same, write_note
from winsql.spark.tables.sinks.own_folders import OwnFolders
from winsql.spark.tables.sinks.protocol import Delivery, Request, Run, Sink
from winsql.spark.tables.sinks.registry import sink_of
from winsql.spark.tables.writable import require_writable
from winsql.syntax import CreateStreamInto, SinkClause, Statement
from winsql.syntax.stream_statements.secrets import secrets_in


def start_stream_into(
    spark: SparkSession, statement: Statement, stream: CreateStreamInto, args: Arguments
) -> tuple[str, str]:
    """Start the stream or go on with it; returns its name and what was done.

    Raises WinsqlErrors for everything that can be known before.
    """
    start = _Start(spark, statement, stream)
    running = streams_of(spark).get(start.key)
    is_running = running is not None and running.query.isActive
    if running is not None and running.location:
        raise start.refused(
            f"{start.shown} is a streaming table",
            "it is a table of files, and keeps its name and format",
            f"choose another name, or DROP TABLE {start.shown} first",
        )
    if is_running and stream.if_not_exists:
        return start.shown, "runs already"
    if is_running and not stream.or_replace:
        hint = f"STOP STREAM {stream.name.shown} first, or write CREATE OR REPLACE STREAM"
        raise start.refused(f"stream {start.shown} runs already", "a name is that of one stream", hint)
    with start.located():
        return start.run(args, running)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """What a statement asks for; `checkpoint` is None where nothing is kept."""

    batches: Batches
    rows: Sink
    late_rows: Sink | None
    checkpoint: str | None

    @property
    def sinks(self) -> list[Sink]:
        return [self.rows] if self.late_rows is None else [self.rows, self.late_rows]

    @property
    def folders(self) -> list[str]:
        return [sink.folder for sink in self.sinks if sink.folder is not None]

    @property
    def written(self) -> list[str]:
        return [sink.writes_to for sink in self.sinks if sink.writes_to is not None]

    @property
    def of_rows(self) -> list[str]:
        """The folders whose files are the rows; a database is a file in its folder, and others may be beside it."""
        places = ((sink.writes_to, sink.folder or sink.fixed.get("path")) for sink in self.sinks)
        return [place for place, named in places if place is not None and place == named]

    @property
    def guarantee(self) -> Guarantee:
        """The weakest of its sinks'."""
        weak = Guarantee.AT_LEAST_ONCE
        return weak if any(sink.guarantee is weak for sink in self.sinks) else Guarantee.EXACTLY_ONCE


def sinks_of(
    spark: SparkSession,
    statement: Statement,
    schema: StructType,
    late_schema: StructType | None,
    keys: tuple[str, ...] | None,
) -> tuple[Sink, Sink | None]:
    """The sinks of a statement's rows and late rows."""
    stream = statement.stream
    assert isinstance(stream, CreateStreamInto)
    shown = shown_name(str(full_name(spark, stream.name, statement)))
    text = statement.text
    rows = sink_of(Request(spark, shown, stream.sink, schema, "the result", keys, text))
    if stream.late_sink is None or late_schema is None:
        return rows, None
    clause = _inheriting(stream.late_sink, stream.sink)
    request = Request(spark, f"{shown} late", clause, late_schema, "the late rows", None, text)
    late = sink_of(request)
    if _share(spark, rows, late):
        raise request.refused(
            "late rows go where the rows go",
            "late rows have other columns, and a place of their own beside the result",
            "give LATE INTO another path or table",
        )
    return rows, late


def _share(spark: SparkSession, rows: Sink, late: Sink) -> bool:
    """Whether one sink would write into the place of the other, by whatever path."""
    for one, other in ((rows, late), (late, rows)):
        if one.folder is not None and other.writes_to is not None and is_inside(spark, other.writes_to, one.folder):
            return True
    return len(rows.fixed) > 1 and _fixed(spark, rows) == _fixed(spark, late)


def _fixed(spark: SparkSession, sink: Sink) -> dict[str, str]:
    return {key: real_place(spark, value) if key == "path" else value for key, value in sink.fixed.items()}


def _inheriting(late: SinkClause, rows: SinkClause) -> SinkClause:
    """Late rows of the same format go to the same place, unless their own options say otherwise."""
    if late.format.lower() != rows.format.lower() or late.table is not None:
        return late
    given = {key.lower() for key in late.options}
    inherited = {k: v for k, v in rows.options.items() if k.lower() not in given | _OF_ROWS}
    return replace(late, options={**inherited, **late.options})


_OF_ROWS = {"table", "dbtable", "topic", "mode", "key"}


class _Start:
    """One CREATE STREAM on its way."""

    def __init__(self, spark: SparkSession, statement: Statement, stream: CreateStreamInto) -> None:
        self.spark = spark
        self.statement = statement
        self.stream = stream
        self.name = full_name(spark, stream.name, statement)
        self.key = str(self.name).lower()
        self.shown = shown_name(str(self.name))

    def run(self, args: Arguments, running: Stream | None) -> tuple[str, str]:
        wanted = self._wanted(args)
        checkpoint = wanted.checkpoint
        note = self._note(wanted, uuid.uuid4().hex)
        require_other_source(wanted.batches.frame, self.shown, wanted.of_rows)
        require_writable(self.spark, [*wanted.written, *([] if checkpoint is None else [checkpoint])])
        if checkpoint is None:
            if running is not None:
                self._require_startable(wanted, running)
                running.stop()
            with self._prepared(wanted, note, None) as made:
                self._start(wanted)
                made.pop_all()
            return self.shown, "started"
        kept = read_note(self.spark, checkpoint)
        folders = OwnFolders(self.spark, wanted.folders, checkpoint)
        if kept is None:
            # tells first of a process that has just begun it
            with claimed(self.spark, checkpoint, wanted.folders) as claim:
                self._require_free(folders)
                claim.take_back()
        elif not self.stream.or_replace:
            with claimed(self.spark, checkpoint, wanted.folders) as claim:
                return self._resume(wanted, note, kept, folders, claim)
        else:
            self._require_replaceable(wanted, note, kept, folders)
        self._require_startable(wanted, running)
        if running is not None:
            running.stop()
        if kept is not None:
            end_elsewhere(self.spark, checkpoint)
        with claimed(self.spark, checkpoint, wanted.folders) as claim:
            return self._begin(wanted, note, kept, folders, claim)

    def _require_startable(self, wanted: _Wanted, running: Stream | None) -> None:
        """Raises Spark's errors at the start of a stream: none may be stopped for a query that never runs."""
        with own_errors(self.statement.text, self.stream.query):
            name = self.name.parts[-1] if wanted.rows.is_streaming else self.shown
            require_startable(wanted.batches.frame, name, None if running is None else running.query)

    def _resume(
        self, wanted: _Wanted, note: SinkNote, kept: SinkNote, folders: OwnFolders, claim: Claim
    ) -> tuple[str, str]:
        require_same(self.shown, kept, note)
        require_resumable(wanted.batches.frame, folders.checkpoint)
        drop_unrecorded(self.spark, folders.checkpoint)
        folders.require_own(kept)
        begun = newest_begun(self.spark, folders.checkpoint)
        newest = -1 if begun is None else begun
        self._require_files(wanted, folders.checkpoint, newest)
        with self._prepared(wanted, kept, kept, newest) as made:
            folders.note(kept)
            self._start(wanted, claim)
            made.pop_all()
        return self.shown, "resumed"

    def _begin(
        self, wanted: _Wanted, note: SinkNote, kept: SinkNote | None, folders: OwnFolders, claim: Claim
    ) -> tuple[str, str]:
        """Start the stream; one that it replaces is first marked as replaced, and then deleted."""
        checkpoint = folders.checkpoint
        if read_note(self.spark, checkpoint) != kept:
            raise self.refused(
                f"another process has begun the stream of {checkpoint} in the meantime",
                "one process begins a stream",
                "run the statement again to go on with it",
            )
        if kept is not None:
            write_note(self.spark, checkpoint, replace(kept, is_replaced=True))
            folders.empty(kept)
        with self._prepared(wanted, note, kept) as made:
            made.callback(drop_unstarted, self.spark, checkpoint)
            made.callback(forget_note, self.spark, checkpoint)
            write_note(self.spark, checkpoint, note)
            made.callback(folders.forget)
            folders.note(note)
            self._start(wanted, claim)
            made.pop_all()
        return self.shown, "started"

    def refused(self, problem: str, rule: str, hint: str) -> WindowPlanError:
        return WindowPlanError(problem, rule=rule, hint=hint, source=self.statement.text, span=self.stream.name.span)

    def located(self) -> AbstractContextManager[None]:
        """Gives errors the place of the stream's name where they have none."""
        where = self.stream.checkpoint or self.stream.name.shown
        return located(self.statement.text, self.stream.name.span, where)

    def _wanted(self, args: Arguments) -> _Wanted:
        if self.stream.checkpoint is not None:
            require_plain(self.stream.checkpoint, "checkpointLocation")
            self.stream = replace(self.stream, checkpoint=qualified(self.spark, self.stream.checkpoint))
        batches = batches_of(self.spark, self.statement, args)
        rows, late = sinks_of(self.spark, self.statement, batches.schema, batches.late_schema, batches.keys)
        sinks = [rows] if late is None else [rows, late]
        checkpoint = self.stream.checkpoint or rows.checkpoint
        if checkpoint is None and not all(sink.is_passing for sink in sinks):
            raise self.refused(
                f"{self._what} needs the option checkpointLocation",
                "a stream notes there what it has read, to go on after a restart; this sink has no place for it",
                "write OPTIONS (checkpointLocation '/a/folder', ...)",
            )
        wanted = _Wanted(batches, rows, late, checkpoint)
        if checkpoint is not None:
            require_apart(self.spark, checkpoint, wanted.folders)
        return wanted

    @property
    def _what(self) -> str:
        sink = self.stream.sink
        return f"INTO {sink.format}" if sink.table is None else f"the streaming table {self.shown}"

    def _note(self, wanted: _Wanted, identity: str) -> SinkNote:
        return SinkNote(
            self.key,
            identity,
            dict(wanted.rows.fixed),
            columns_of(wanted.batches.schema),
            None if wanted.late_rows is None else dict(wanted.late_rows.fixed),
            columns_of(wanted.batches.late_schema),
            wanted.batches.identities,
        )

    def _require_free(self, folders: OwnFolders) -> None:
        """Raises where a new stream finds a used checkpoint, another stream or files in its folders."""
        if not is_unused(self.spark, folders.checkpoint):
            raise self.refused(
                f"the checkpoint {folders.checkpoint} belongs to a stream already",
                "a new stream has its own: rows that another stream has read before would be missing",
                "choose another checkpointLocation, or empty this one",
            )
        folders.require_free()

    def _require_replaceable(self, wanted: _Wanted, note: SinkNote, kept: SinkNote, folders: OwnFolders) -> None:
        """Raises where a stream may not be replaced, before anything of it is deleted."""
        if kept.stream != self.key:
            require_same(self.shown, kept, note)
        folders.require_room(kept)
        for run, sink in self._runs(wanted, note, kept):
            sink.check(run)

    def _require_files(self, wanted: _Wanted, checkpoint: str, begun: int) -> None:
        """Raises where the folders have micro-batches that the checkpoint does not know."""
        for path in wanted.folders:
            newest = max(batches_in(self.spark, path), default=-1)
            if newest > begun:
                known = f"ends with {begun}" if begun >= 0 else "knows none"
                raise self.refused(
                    f"path {path} has the rows of micro-batch {newest}, the checkpoint {checkpoint} {known}",
                    "a checkpoint knows what has been read; without it rows would be computed and kept again",
                    "put the checkpoint back from a copy that is as new as the rows, or write CREATE OR REPLACE STREAM "
                    "to begin anew without them",
                )

    def _runs(
        self, wanted: _Wanted, note: SinkNote, kept: SinkNote | None, newest: int | None = None
    ) -> Iterator[tuple[Run, Sink]]:
        name = shown_name(self.key)
        known = (None, None) if kept is None else (kept.sink, kept.late_sink)
        place = None if newest is None else self._local(wanted.checkpoint)
        for own, what, fixed, sink in zip(
            (name, f"{name} late"), ("rows", "late rows"), known, wanted.sinks, strict=False
        ):
            written = None if place is None else written_and_done(place, what, 0)
            yield Run(own, note.identity, self.stream.or_replace, fixed, newest, written), sink

    def _local(self, checkpoint: str | None) -> str | None:
        """The checkpoint where this process can look into it by itself."""
        return None if checkpoint is None else reachable_place(self.spark, checkpoint)

    def _prepared(self, wanted: _Wanted, note: SinkNote, kept: SinkNote | None, newest: int | None = None) -> ExitStack:
        """Prepare the sinks; the stack that is returned undoes it, for a stream that does not start."""
        with ExitStack() as made:
            for run, sink in self._runs(wanted, note, kept, newest):
                with own_errors(self.statement.text, self.stream.query):
                    undo = sink.prepare(run)
                if undo is not None:
                    made.callback(undo)
            if wanted.late_rows is not None and any(sink.is_streaming for sink in wanted.sinks):
                raise self.refused(
                    "late rows need a sink with a batch writer, and so do the rows beside them",
                    "Spark's streaming writers take one kind of rows",
                    "write CREATE STREAMING TABLE ... LATE INTO name, whose tables have both",
                )
            return made.pop_all()

    def _start(self, wanted: _Wanted, claim: Claim | None = None) -> None:
        connections: set[Any] = set()
        begun = noting(self.spark, connections)
        delivery = Delivery(wanted.rows, wanted.late_rows, begun, self._local(wanted.checkpoint))
        writer = self._writer(wanted, delivery)
        if wanted.checkpoint is not None:
            writer = writer.option("checkpointLocation", wanted.checkpoint)
        anew = nullcontext() if wanted.checkpoint is not None else without_folder_of_checkpoints(self.spark)
        with own_errors(self.statement.text, self.stream.query), anew:
            query = started(self.spark, writer, self.stream.trigger, by_clock=wanted.batches.by_clock)
        if claim is not None:
            claim.release_after(self.spark, query)
        clauses = [self.stream.sink, *([] if self.stream.late_sink is None else [self.stream.late_sink])]
        streams_of(self.spark)[self.key] = Stream(
            str(self.name),
            tuple(str(clause.table) for clause in clauses if clause.table is not None),
            query,
            wanted.checkpoint or "",
            self.statement.text,
            "",
            connections=connections,
            claim=claim,
            guarantee=wanted.guarantee,
            secrets=tuple(secret for clause in clauses for secret in secrets_in(clause.options)),
        )

    def _writer(self, wanted: _Wanted, delivery: Delivery) -> DataStreamWriter:
        if not wanted.rows.is_streaming:
            return wanted.batches.writer(delivery).queryName(self.shown)
        clause = self.stream.sink
        writer: DataStreamWriter = wanted.batches.frame.writeStream.format(clause.format).options(**clause.options)
        return writer.queryName(self.name.parts[-1])  # the name of the view that has its rows
