"""A table of a database as the sink of a stream."""

from __future__ import annotations

import itertools
import os
import re
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field

import pyarrow as pa
from pyspark.sql import DataFrame

from winsql.errors import WindowDataError, WindowPlanError
from winsql.spark.tables.claims import written_elsewhere
from winsql.spark.tables.registry import Guarantee
from winsql.spark.tables.sinks.databases.dialect import Cursor, Dialect
from winsql.spark.tables.sinks.databases.merge import STAGED, Target
from winsql.spark.tables.sinks.databases.values import batches
from winsql.spark.tables.sinks.protocol import Run, Sink
from winsql.syntax.stream_statements.secrets import scrubbed


@dataclass(slots=True)
class DatabaseSink:
    """Changes a table by micro-batches, each once: its transaction notes its number in the table winsql_batches.

    creates     whether a missing table is made
    stream      the name by which winsql_batches knows the stream
    appends     whether the stream goes on without rows that are gone
    may_repeat  whether a micro-batch may have been written before: only the first one of a run
    known, written  see `Run.newest` and `Run.written`
    on_server   calls a function in the process that gets the micro-batches; None where that is this process
    """

    target: Target
    fixed: Mapping[str, str]
    creates: bool
    on_server: Callable[[Callable[[], None]], None] | None
    checkpoint: str | None
    stream: str = ""
    identity: str = ""
    anew: bool = False
    known: int | None = None
    written: int | None = None
    appends: bool = False
    may_repeat: bool = True
    is_prepared: bool = False
    guarantee: Guarantee = Guarantee.EXACTLY_ONCE
    is_passing: bool = False
    is_streaming: bool = False
    folder: str | None = None
    rule: str = field(default="each micro-batch is one transaction; one that fails changes nothing", repr=False)

    @property
    def dialect(self) -> Dialect:
        return self.target.dialect

    @property
    def writes_to(self) -> str | None:
        return os.path.dirname(self.dialect.shown) or None

    def check(self, run: Run) -> None:
        on_server = self.on_server
        self._on_server(run, self._try)
        self.on_server = on_server

    def prepare(self, run: Run) -> None:
        self._on_server(run, self._prepare)

    def _on_server(self, run: Run, function: Callable[[], None]) -> None:
        self.stream, self.identity, self.anew = run.stream, run.identity, run.anew
        self.known, self.written = run.newest, None if self.appends else run.written
        on_server, self.on_server = self.on_server, None  # it knows the session, and this object travels
        try:
            function() if on_server is None else on_server(function)
        except WindowDataError as error:
            raise WindowPlanError(error.problem, rule=error.rule, hint=error.hint) from None
        self.known = self.written = None  # they grow from here on

    def write(self, rows: DataFrame, number: int) -> bool:
        return self._write([(self, rows)], number)

    def with_late(self, late: Sink) -> Callable[[DataFrame, DataFrame, int], bool] | None:
        if not isinstance(late, DatabaseSink) or late.dialect.place != self.dialect.place:
            return None

        def write_both(rows: DataFrame, late_rows: DataFrame, number: int) -> bool:
            return self._write([(late, late_rows), (self, rows)], number)

        return write_both

    def _write(self, parts: list[tuple[DatabaseSink, DataFrame]], number: int) -> bool:
        """Returns whether there are rows."""
        found = [(sink, first_of(sink._batches(rows))) for sink, rows in parts]
        has_rows = any(rows is not None for _, rows in found)
        if has_rows:
            for sink, _ in parts:
                if not sink.is_prepared:
                    sink._prepare()
            with self._told(), self.dialect.transaction() as cursor:
                if self._takes(cursor, number):
                    for sink, rows in found:
                        if rows is not None:
                            sink.target.apply(cursor, rows)
        self.may_repeat = False
        return has_rows

    def _batches(self, rows: DataFrame) -> Iterator[pa.RecordBatch]:
        return batches(rows, [column.expression for column in self.target.columns])

    def _prepare(self) -> None:
        """Make the tables, and try an empty micro-batch, which fails for missing columns, keys and rights."""
        with self._prepared():
            self.is_prepared = True

    def _try(self) -> None:
        """Do the same, and take it back."""
        with suppress(_TakenBackError), self._prepared():
            raise _TakenBackError

    @contextmanager
    def _prepared(self) -> Iterator[None]:
        with self._told(), self.dialect.transaction() as cursor:
            if not self.dialect.has_table(cursor, "winsql_batches"):
                cursor.execute(self.dialect.text(_BATCHES))
            if self.creates:
                self._create(cursor)
            if self.anew and not self.is_prepared:
                self._forget(cursor)
            self._require_known(self._newest(cursor))
            self.target.apply(cursor, iter(()))
            yield

    def _create(self, cursor: Cursor) -> None:
        """Make the table; raises WindowDataError where the stream has made it before."""
        if self.known is not None and self.known >= 0 and not self.appends:
            table = self.target.table
            if not self.dialect.has_table(cursor, *table):
                raise WindowDataError(
                    f"the table {'.'.join(table)} is gone", rule=_RULE, hint=f"put the table back from a copy, {_GO_ON}"
                )
        self.target.create(cursor)

    def _require_known(self, newest: int | None) -> None:
        """Raises WindowDataError where the checkpoint is older than the rows: it would plan a micro-batch of that
        number anew, with other rows. And where the rows are older than the checkpoint."""
        if self.written is not None and (newest is None or newest < self.written):
            raise WindowDataError(
                f"the database has {'no micro-batch' if newest is None else f'micro-batch {newest}'} of {self.stream}, "
                f"its checkpoint knows that the rows of micro-batch {self.written} have been there",
                rule=_RULE,
                hint=f"put the database back from a copy that is as new as the checkpoint, {_GO_ON}",
            )
        if newest is not None and self.known is not None and newest > self.known:
            raise self._older(newest, f"ends with {self.known}" if self.known >= 0 else "knows none")

    def _forget(self, cursor: Cursor) -> None:
        """Forget other runs of the stream."""
        marker = self.dialect.parameter
        for stream, run, _ in self._noted(cursor):
            if run != self.identity:
                cursor.execute(f"DELETE FROM winsql_batches WHERE stream = {marker}", [stream])

    def _newest(self, cursor: Cursor) -> int | None:
        """Number of the newest micro-batch of this run; None where the database has none.

        Raises WindowDataError where it has those of another run alone.
        """
        noted = self._noted(cursor)
        own = [(number, stream) for stream, run, number in noted if run == self.identity]
        if own:
            newest, self.stream = max(own)
            return newest
        if noted:
            raise WindowDataError(
                f"the database has micro-batches of a stream {self.stream} with another checkpoint",
                rule="a checkpoint knows what has been read; without it rows would be computed and written again",
                hint="put the checkpoint back from a copy, choose another name, or write CREATE OR REPLACE STREAM to "
                "begin anew: the rows in the database stay",
            )
        return None

    def _noted(self, cursor: Cursor) -> list[tuple[str, str, int]]:
        """What winsql_batches has of the stream: earlier versions have noted its name as statements wrote it."""
        cursor.execute("SELECT stream, run, batch FROM winsql_batches")
        return [row for row in cursor.fetchall() if row[0].lower() == self.stream.lower()]

    def _takes(self, cursor: Cursor, number: int) -> bool:
        """Note a micro-batch; False when its rows have been written already."""
        cursor.execute(_TAKE.replace("?", self.dialect.parameter), [self.stream, self.identity, number])
        if cursor.rowcount == 1:
            return True
        newest = self._newest(cursor)
        if newest == number:
            if not self.may_repeat:
                raise written_elsewhere(f"micro-batch {number} of {self.stream}")
            return False
        raise self._older(newest, f"goes on with {number}")

    def _older(self, newest: int | None, checkpoint: str) -> WindowDataError:
        return WindowDataError(
            f"the database has micro-batch {newest} of {self.stream}, its checkpoint {checkpoint}",
            rule="a checkpoint knows what has been read; an older one would have rows computed again",
            hint="put back a copy of the checkpoint that is as new as the rows, or begin anew with CREATE OR REPLACE",
        )

    @contextmanager
    def _told(self) -> Iterator[None]:
        """Turns errors of the driver into winsql's, without secrets."""
        self.dialect.require_driver()
        try:
            yield
        except self.dialect.errors as error:
            table = ".".join(self.target.table)
            said = _STATEMENT.sub("", " ".join(str(error).split())).replace(STAGED, table)
            message = scrubbed(said, self.dialect.secrets)
            place = self.dialect.shown and f" of {self.dialect.shown}"
            raise WindowDataError(
                f"{self.dialect.product} cannot take rows for the table {table}{place}: "
                f"{message or type(error).__name__}",
                rule=self.rule,
                hint=self._hint(message),
            ) from None

    def _hint(self, message: str) -> str:
        lower = message.lower()
        if "no such table" in lower or (lower.startswith("relation") and "does not exist" in lower):
            if self.creates or "winsql_batches" in lower:  # it has been there
                return f"put the database back from a copy that is as new as the checkpoint, {_GO_ON}"
            return "write OPTIONS (create 'true') to have the table made"
        if any(reason in lower for reason in _UNWRITTEN):
            return (
                f"let this process write {self.dialect.shown or 'its files'} and files beside it, or make room, and "
                "run the statement again: the stream goes on where it was"
            )
        if "malformed" in lower or "not a database" in lower:  # SQLite's words for a damaged file
            return "put the database back from a copy that is as new as the checkpoint, and run the statement again"
        if "generated column" in lower:
            return "leave the column out of the SELECT: the database computes it"
        if re.search(r"column .* does not exist|no such column|has no column", lower):
            names = ", ".join(column.name for column in self.target.stored)
            return f"the rows have the columns {names}: give the table those, or its names to the items of the SELECT"
        if any(reason in lower for reason in _NO_SUCH_ROW):
            return "ALTER the table so that it takes such a row, and run the statement again: the stream goes on then"
        if "on conflict" in lower:
            keys = ", ".join(self.target.keys)
            return f"mode 'upsert' needs a unique index: CREATE UNIQUE INDEX ... ({keys})"
        return "run the statement again when the database can take the rows: the stream goes on where it was"


_UNWRITTEN = ("unable to open database file", "readonly database", "disk is full", "disk i/o error")
"""What SQLite says of a file, or a folder, that it cannot write."""
_NO_SUCH_ROW = (
    "violates",
    "constraint failed",
    "out of range",
    "overflow",
    "invalid input syntax",
    "value too long",
    "no partition of relation",
    "datatype mismatch",
    "cannot store",
)
"""What the databases say of a value that its column, or a row that the table, does not take."""
_STATEMENT = re.compile(r" LINE \d+: .* \^")
"""The part of winsql's own statement that PostgreSQL shows."""
_BATCHES = (
    "CREATE TABLE IF NOT EXISTS winsql_batches (stream text PRIMARY KEY, run text NOT NULL, batch bigint NOT NULL)"
)
_TAKE = (
    "INSERT INTO winsql_batches (stream, run, batch) VALUES (?, ?, ?) ON CONFLICT (stream) DO UPDATE "
    "SET batch = excluded.batch WHERE winsql_batches.run = excluded.run AND winsql_batches.batch < excluded.batch"
)


_RULE = "a checkpoint knows what has been read: rows of before are not computed again, and would be missing"
_GO_ON = "begin anew with CREATE OR REPLACE STREAM, or add OPTIONS (resume 'append') to go on without what is gone"


class _TakenBackError(Exception):
    """Ends a transaction that is not to change anything."""


def first_of(rows: Iterator[pa.RecordBatch]) -> Iterator[pa.RecordBatch] | None:
    """The rows, with the first one read; None when there are none."""
    first = next(rows, None)
    return None if first is None else itertools.chain([first], rows)
