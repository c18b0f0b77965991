"""CREATE STREAMING TABLE: the checks, the tables, and the start or restart of the stream."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager, suppress
from dataclasses import dataclass, replace
from typing import Any

from pyspark.sql import SparkSession
from pyspark.sql.types import StructType

from winsql.errors import Span, WindowPlanError
from winsql.spark.local_places import place_of
from winsql.spark.planned_statement import Arguments
from winsql.spark.streaming.checkpoint_files import require_resumable
from winsql.spark.tables.catalog import (
    Table,
    absolute_path,
    create_table,
    drop_table,
    find_files,
    find_table,
    late_path,
    note_files,
    require_empty,
    update_record,
)
from winsql.spark.tables.claims import Claim, claimed, end_elsewhere
from winsql.spark.tables.connectors import SPARK_ERRORS
from winsql.spark.tables.files import BatchFiles, Place, refreshing
from winsql.spark.tables.folders import drop_unrecorded, require_checkpoint_alone, same_place
from winsql.spark.tables.for_each_batch import Batches, batches_of
from winsql.spark.tables.formats import DEFAULT_FORMAT, FORMATS, Format, check_columns
from winsql.spark.tables.names import full_name, in_session_catalog, shown_name
from winsql.spark.tables.notes import Record
from winsql.spark.tables.places import in_one_form, require_other_source, require_tables_apart
from winsql.spark.tables.registry import Stream, streams_of
from winsql.spark.tables.resuming import first_batch, look
from winsql.spark.tables.running import located, noting, own_errors, require_startable, started
from winsql.spark.tables.same_table import RESTART_HINT, of_another, require_columns, require_in_place, require_same
from winsql.spark.tables.trying import drop_tried, require_made
from winsql.spark.tables.writable import require_writable
from winsql.syntax import CreateStream, Name, Statement, name_of
from winsql.syntax.stream_statements.secrets import secrets_in


def start_stream(spark: SparkSession, statement: Statement, stream: CreateStream, args: Arguments) -> tuple[str, str]:
    """Make the tables that do not exist, and start the stream or go on with it; returns its name and what was done.

    Raises WinsqlErrors for everything that can be known before; nothing is left over when the start fails.
    """
    start = _Start(spark, statement, stream)
    running = streams_of(spark).get(start.key)
    is_running = running is not None and running.query.isActive
    if is_running and stream.if_not_exists:
        return start.shown, "runs already"
    if is_running and not stream.or_replace:
        raise start.refused(
            f"stream {start.shown} runs already",
            "one stream writes a table",
            f"STOP STREAM {stream.name.shown} first, or write CREATE OR REPLACE STREAMING TABLE",
        )
    with start.located():
        return start.run(args, running)


@dataclass(frozen=True, slots=True)
class _Wanted:
    """The tables that a statement asks for."""

    batches: Batches
    kept_as: Format
    options: Mapping[str, str]
    late_name: Name | None

    def schemas(self) -> dict[str, StructType]:
        late = self.batches.late_schema
        return {"the result": self.batches.schema, **({"the late rows": late} if late is not None else {})}


class _Start:
    """One CREATE STREAMING TABLE on its way."""

    def __init__(self, spark: SparkSession, statement: Statement, stream: CreateStream) -> None:
        self.spark = spark
        self.statement = statement
        self.stream = stream
        self.name = full_name(spark, stream.name, statement)
        with self.located():
            self.stream = in_one_form(spark, stream, self.name)
        self.key = str(self.name).lower()
        self.shown = shown_name(str(self.name))

    def run(self, args: Arguments, running: Stream | None) -> tuple[str, str]:
        table = self._own_table(str(self.name), self.stream.name)
        if table is not None and table.record is not None and table.record.stream != self.key:
            raise of_another(self.spark, self.shown, table, table.record)
        wanted = self._wanted(args)
        late = self._late_table(wanted, table)
        late_name = None if wanted.late_name is None else full_name(self.spark, wanted.late_name, self.statement)
        require_tables_apart(self.spark, self.stream, self.name, late_name)
        if table is None and late is None and self.stream.path is not None:
            table, late = self._known_again(wanted, self.stream.path)
        own = [found.location for found in (table, late) if found is not None] or [self._new_location()]
        require_other_source(wanted.batches.frame, self.shown, own)
        self._require_writable(table)
        if table is not None and self.stream.or_replace:
            self._require_room(table)
            self._require_startable(wanted, table, running)
            if running is not None:
                running.stop()
            end_elsewhere(self.spark, table.checkpoint)
            with claimed(self.spark, table.location) as claim:
                self._drop(table, late)
                claim.release()
            table = late = None
        if table is not None:
            self._require_same(wanted, table, late)
            with claimed(self.spark, table.location) as claim:
                drop_tried(self.spark, self.name)
                return self._resume(wanted, *self._made_known(wanted, table, late), claim)
        with claimed(self.spark, self._new_location()) as claim:
            drop_tried(self.spark, self.name)
            return self._begin(wanted, claim)

    def refused(self, problem: str, rule: str, hint: str, span: Span | None = None) -> WindowPlanError:
        place = span or self.stream.name.span
        return WindowPlanError(problem, rule=rule, hint=hint, source=self.statement.text, span=place)

    def located(self) -> AbstractContextManager[None]:
        """Gives errors the place of the table's name where they have none."""
        where = self.stream.checkpoint or self.stream.path or self.stream.name.shown
        return located(self.statement.text, self.stream.name.span, where)

    def _own_table(self, name: str, written: Name) -> Table | None:
        """The table of that name; raises when it is not winsql's."""
        looked_up = (str(written), name) if len(written.parts) == 1 else (name,)  # a temporary view hides a table
        for candidate in looked_up:
            table = find_table(self.spark, candidate)
            if table is not None and table.record is None:
                raise self.refused(
                    f"{written.shown} exists and is no streaming table",
                    "winsql never touches a table or view that it has not made",
                    "choose another name",
                    written.span,
                )
        return find_table(self.spark, name)

    def _wanted(self, args: Arguments) -> _Wanted:
        stream, text = self.stream, self.statement.text
        kept_as = FORMATS[stream.format or DEFAULT_FORMAT]
        batches = batches_of(self.spark, self.statement, args)
        wanted = _Wanted(batches, kept_as, kept_as.options_with(stream.options), self._late_name(batches))
        for what, schema in wanted.schemas().items():
            check_columns(schema, kept_as, what, text, stream.query)
        return wanted

    def _late_name(self, batches: Batches) -> Name | None:
        if batches.late_schema is None:
            return None
        if self.stream.late_into is not None:
            return self.stream.late_into
        query = self.statement.queries[self.statement.batch_query()]
        return name_of(query.late_into or "")._replace(span=query.span)

    def _late_table(self, wanted: _Wanted, table: Table | None) -> Table | None:
        """The table of late rows if it exists; raises when it is not this stream's."""
        if wanted.late_name is None:
            return None
        name = full_name(self.spark, wanted.late_name, self.statement)
        if not in_session_catalog(name):
            raise self.refused(
                f"late rows cannot go to the catalog {name.parts[0]}",
                "the rows are in files of the session's own catalog, and the late rows are beside them",
                f"write LATE INTO {name.parts[-1]}",
                wanted.late_name.span,
            )
        if str(name).lower() == self.key:
            raise self.refused(
                "LATE INTO names the streaming table itself",
                "late rows go to a table beside the result",
                "choose another name for one of the two",
                wanted.late_name.span,
            )
        late = self._own_table(str(name), wanted.late_name)
        is_own = late is not None and late.record is not None and late.record.stream == self.key
        if late is None or (is_own and table is not None):
            return late
        if is_own:
            raise self.refused(
                f"{wanted.late_name.shown} has the late rows of {self.shown}, and the table {self.shown} is gone",
                "a stream goes on with both of its tables",
                f"if it was renamed, ALTER TABLE ... RENAME TO {self.shown}; or begin anew after DROP TABLE "
                f"{wanted.late_name.shown}",
                wanted.late_name.span,
            )
        raise self.refused(
            f"{wanted.late_name.shown} exists and is not the table of late rows of {self.shown}",
            "the late rows of a stream have a table of their own",
            f"choose another name, or DROP TABLE {wanted.late_name.shown}",
            wanted.late_name.span,
        )

    def _require_room(self, table: Table) -> None:
        """Raises when the new table's folder holds other files, or when the old table's folder may not be its own."""
        path, checkpoint = self.stream.path, self.stream.checkpoint
        if not table.is_managed and not self._owns(table):
            raise self.refused(
                f"nothing in {table.location} says that its files are those of {self.shown}",
                "the files of a table are deleted where its note is beside them, or the statement names their folder",
                f"add OPTIONS (path '{place_of(table.location)}'), or DROP TABLE {self.shown} and keep the files",
            )
        if checkpoint is not None and same_place(checkpoint, table.checkpoint):
            require_checkpoint_alone(self.spark, checkpoint, "CREATE OR REPLACE STREAMING TABLE")
        require_empty(
            self.spark,
            None if path is None or same_place(path, table.location) else path,
            None if checkpoint is None or same_place(checkpoint, table.checkpoint) else checkpoint,
            self.statement.text,
            self.stream.name.span,
        )

    def _owns(self, table: Table) -> bool:
        if self.stream.path is not None and same_place(self.stream.path, table.location):
            return True
        note = find_files(self.spark, table.location)
        return note is not None and note.record.stream == self.key

    def _require_writable(self, table: Table | None) -> None:
        folders = [self._new_location()] if table is None else [table.location, table.checkpoint]
        asked = (self.stream.path, self.stream.checkpoint)
        require_writable(self.spark, [*folders, *(place for place in asked if place is not None)])

    def _require_startable(self, wanted: _Wanted, table: Table, running: Stream | None) -> None:
        """Raises Spark's errors at the start of a stream: no table may be dropped for a query that never runs, or for
        one that cannot be made."""
        with own_errors(self.statement.text, self.stream.query):
            require_startable(wanted.batches.frame, self.shown, None if running is None else running.query)
        self._require_made(wanted, table)

    def _require_made(self, wanted: _Wanted, table: Table) -> None:
        for schema in wanted.schemas().values():
            require_made(self.spark, self.name, Place(table.location, wanted.kept_as.name, schema, wanted.options))

    def _require_same(self, wanted: _Wanted, table: Table, late: Table | None) -> None:
        """Raises when another statement has made the existing table."""
        late_name = None if wanted.late_name is None else full_name(self.spark, wanted.late_name, self.statement)
        require_same(
            self.spark, self.stream, self.shown, table, wanted.kept_as.name, late_name, wanted.batches.identities
        )
        require_columns(self.shown, table, wanted.batches.schema)
        if late is not None and wanted.batches.late_schema is not None:
            require_columns(self.shown, late, wanted.batches.late_schema, are_late=True)

    def _known_again(self, wanted: _Wanted, path: str) -> tuple[Table | None, Table | None]:
        """The tables whose files an earlier run has left at `path`, where the catalog has lost them."""
        note = find_files(self.spark, path)
        if note is None:
            return None, None
        if note.record.stream != self.key:
            raise self.refused(
                f"path {path} has the rows of the stream {note.record.stream}",
                "the folder of a streaming table belongs to it alone",
                "choose another path, or the stream's own name",
            )
        table = Table(str(self.name), path, note.format, False, note.record, note.schema, is_known=False)
        late = None
        if note.late_schema is not None and wanted.late_name is not None:
            name, place = str(full_name(self.spark, wanted.late_name, self.statement)), late_path(path) or ""
            late = Table(name, place, note.format, False, Record(self.key), note.late_schema, is_known=False)
        return table, late

    def _made_known(self, wanted: _Wanted, table: Table, late: Table | None) -> tuple[Table, Table | None]:
        """Put them back into the catalog, with names and columns of the statement, not of a note."""
        assert table.record is not None
        if not table.is_known:
            table = self._make(str(self.name), wanted.batches.schema, wanted, table.location, table.record)
        late_schema = wanted.batches.late_schema
        if late is not None and late_schema is not None and not late.is_known:
            late = self._make(late.name, late_schema, wanted, late.location, Record(self.key))
        return table, late

    def _drop(self, table: Table, late: Table | None) -> None:
        record = table.record
        assert record is not None
        old_late = late or (find_table(self.spark, record.late_into) if record.late_into else None)
        for old in (old_late, table):
            if old is not None and old.record is not None and old.record.stream == self.key:
                self._drop_one(old, None if old is old_late else old.location)
        streams_of(self.spark).pop(self.key, None)

    def _drop_one(self, table: Table, owned: str | None) -> None:
        """Late rows of an external table are in a folder of its own folder."""
        drop_table(self.spark, table, owned=owned, checkpoint=self.stream.checkpoint)

    def _new_location(self) -> str:
        """Where the files of a new table will be."""
        return self.stream.path or absolute_path(self.spark, self.name, self.name.parts[-1].lower())

    def _begin(self, wanted: _Wanted, claim: Claim) -> tuple[str, str]:
        spark, stream = self.spark, self.stream
        if stream.path is not None and not stream.or_replace and find_files(spark, stream.path) is not None:
            raise self.refused(
                f"another process has begun the stream of {stream.path} in the meantime",
                "one process begins a stream",
                "run the statement again to go on with it",
            )
        require_empty(spark, self._new_location(), stream.checkpoint, self.statement.text, stream.name.span)
        late_name = None if wanted.late_name is None else full_name(spark, wanted.late_name, self.statement)
        record = Record(
            self.key,
            stream.checkpoint,
            late_into=None if late_name is None else str(late_name).lower(),
            identities=wanted.batches.identities,
        )
        made: list[Table] = []
        try:
            table = self._make(str(self.name), wanted.batches.schema, wanted, stream.path, record)
            made.append(table)
            if stream.options:  # the table keeps them
                self._require_made(wanted, table)
            require_empty(spark, None, table.checkpoint, self.statement.text, stream.name.span)
            late = None
            if late_name is not None and wanted.batches.late_schema is not None:
                place = late_path(stream.path)
                late = self._make(str(late_name), wanted.batches.late_schema, wanted, place, Record(self.key))
                made.insert(0, late)  # dropped first: its files are inside those of the table
            if stream.path is not None:
                note_files(spark, table, late)
            self._start(wanted, table, late, claim, may_repeat=False)
        except BaseException:
            for table in made:
                with suppress(*SPARK_ERRORS, OSError):  # what has failed first is told
                    self._drop_one(table, stream.path)
            raise
        return self.shown, "started"

    def _make(self, name: str, schema: StructType, wanted: _Wanted, path: str | None, record: Record) -> Table:
        return create_table(self.spark, name, schema, wanted.kept_as, options=wanted.options, path=path, record=record)

    def _resume(self, wanted: _Wanted, table: Table, late: Table | None, claim: Claim) -> tuple[str, str]:
        if wanted.late_name is not None and late is None:
            raise self.refused(
                f"the table of late rows {wanted.late_name.shown} is gone",
                "a stream goes on with both of its tables",
                RESTART_HINT,
                wanted.late_name.span,
            )
        require_in_place(self.spark, self.shown, table, self._new_location())
        require_resumable(wanted.batches.frame, table.checkpoint)
        drop_unrecorded(self.spark, table.checkpoint)
        first = first_batch(look(self.spark, table, late), table, appends=self.stream.appends)
        record = table.record
        assert record is not None
        if first != record.first_batch:
            update_record(self.spark, table, late, replace(record, first_batch=first))
        self._start(wanted, table, late, claim, may_repeat=True, first=first)
        return self.shown, "resumed"

    def _start(
        self, wanted: _Wanted, table: Table, late: Table | None, claim: Claim, *, may_repeat: bool, first: int = 0
    ) -> None:
        batches = wanted.batches
        rows = Place(table.location, wanted.kept_as.name, batches.schema, wanted.options)
        late_rows = None
        if late is not None and batches.late_schema is not None:
            late_rows = Place(late.location, wanted.kept_as.name, batches.late_schema, wanted.options)
        tables = (table.name, *((late.name,) if late is not None else ()))
        connections: set[Any] = set()
        begun = noting(self.spark, connections)
        refreshed = refreshing(self.spark, {found.name: found.location for found in (table, late) if found is not None})
        sink = BatchFiles(rows, late_rows, refreshed, begun, may_repeat, first, table.checkpoint)
        writer = batches.counting_writer(sink).option("checkpointLocation", table.checkpoint).queryName(self.shown)
        with own_errors(self.statement.text, self.stream.query):
            query = started(self.spark, writer, self.stream.trigger, by_clock=batches.by_clock)
        claim.release_after(self.spark, query)
        streams_of(self.spark)[self.key] = Stream(
            str(self.name),
            tables,
            query,
            table.checkpoint,
            self.statement.text,
            table.location,
            connections=connections,
            claim=claim,
            secrets=secrets_in(self.stream.options),
        )
