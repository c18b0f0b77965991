"""How the rows of a micro-batch change a table: appended, or by key, where the last one of a key counts."""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import pyarrow as pa

from winsql.errors import WindowDataError
from winsql.spark.tables.sinks.databases.dialect import Cursor, Dialect

ROW_KIND = "row_kind"
"""The column with the kind of a row, as in Flink's changelog: `+I`, `+U`, and `-U`, `-D`, which retract a row."""
STAGED = "winsql_staged_rows"
"""The temporary table of the rows of a micro-batch, which no message may name."""
_POSITION = "winsql_position"


@dataclass(frozen=True, slots=True)
class Column:
    """A column of the rows: its type in the database, and Spark's SQL for its values."""

    name: str
    type: str
    expression: str


@dataclass(frozen=True, slots=True)
class Target:
    """A table and how rows change it. `keys` are empty where they are appended."""

    dialect: Dialect
    table: tuple[str, ...]
    columns: tuple[Column, ...]
    keys: tuple[str, ...]

    def create(self, cursor: Cursor) -> None:
        """Make the table where there is none."""
        d = self.dialect
        if d.has_table(cursor, *self.table):  # a role that may only write is not asked for the right to create
            return
        parts = [d.text(f"{{name}} {column.type}", name=d.name(column.name)) for column in self.stored]
        if self.keys:
            parts.append(d.text("UNIQUE ({keys})", keys=d.joined(map(d.name, self.keys))))
        template = "CREATE TABLE IF NOT EXISTS {table} ({parts})"
        cursor.execute(d.text(template, table=d.name(*self.table), parts=d.joined(parts)))

    def apply(self, cursor: Cursor, rows: Iterator[pa.RecordBatch]) -> None:
        """Change the table by rows with all `columns`, in their order."""
        names = [column.name for column in self.columns]
        if not self.keys:
            self.dialect.insert(cursor, self.dialect.name(*self.table), names, rows)
            return
        self._stage(cursor, names, rows)
        self._take_back(cursor)
        self._put(cursor)
        cursor.execute(self.dialect.text("DROP TABLE {staged}", staged=self.dialect.name(STAGED)))

    @property
    def stored(self) -> list[Column]:
        """The columns of the table: without the kind of a row where rows have a key."""
        return [column for column in self.columns if not (self.keys and column.name.lower() == ROW_KIND)]

    @property
    def _kind(self) -> str | None:
        return next((column.name for column in self.columns if column.name.lower() == ROW_KIND), None)

    @property
    def _position(self) -> str:
        """A column of the staged rows that the rows themselves do not have."""
        taken = {column.name.lower() for column in self.columns}
        return next(name for n in itertools.count() if (name := f"{_POSITION}{'_' * n}") not in taken)

    def _stage(self, cursor: Cursor, names: Sequence[str], rows: Iterator[pa.RecordBatch]) -> None:
        """Its columns have the types of the table's, so that values come to these as they do without a key."""
        d = self.dialect
        parts = [d.text("t.{name}", name=d.name(column.name)) for column in self.stored]
        position = self._position
        own = {self._kind: "text", position: "bigint"}
        parts += [d.text(f"CAST(NULL AS {own[name]}) AS {{name}}", name=d.name(name)) for name in own if name]
        staged = d.name(STAGED)
        template = "CREATE TEMPORARY TABLE {staged} AS SELECT {parts} FROM {table} AS t WHERE false"
        cursor.execute(d.text(template, staged=staged, parts=d.joined(parts), table=d.name(*self.table)))
        d.insert(cursor, staged, [*names, position], _numbered(rows, position))
        if self._kind is not None:
            self._require_kinds(cursor)

    def _require_kinds(self, cursor: Cursor) -> None:
        d = self.dialect
        template = "SELECT {kind} FROM {staged} WHERE {kind} IS NULL OR {kind} NOT IN ('+I', '+U', '-U', '-D') LIMIT 1"
        cursor.execute(d.text(template, kind=d.name(self._kind or ROW_KIND), staged=d.name(STAGED)))
        found = cursor.fetchone()
        if found is not None:
            raise WindowDataError(
                f"{self._kind} of a row is {'NULL' if found[0] is None else repr(found[0])}",
                rule="+I and +U put a row, -U and -D delete it",
                hint=f"give each row one of the four, or the column another name than {self._kind} to store it",
            )

    def _take_back(self, cursor: Cursor) -> None:
        """Delete rows that are retracted, and rows whose key has NULL: such a row would cause no conflict."""
        with_null = self._any_null()
        if self._kind is not None:
            equal = self._all("t.{column} = s.{column}")
            self._delete(cursor, [equal, self._kinds("'-U', '-D'"), self._last()])
        d = self.dialect
        cursor.execute(d.text("SELECT 1 FROM {staged} s WHERE {null} LIMIT 1", staged=d.name(STAGED), null=with_null))
        if cursor.fetchone() is not None:
            self._delete(cursor, [self._all(d.same), with_null])

    def _put(self, cursor: Cursor) -> None:
        d = self.dialect
        stored = [column.name for column in self.stored]
        others = [name for name in stored if name not in self.keys]
        conditions = [self._last()]
        if self._kind is not None:
            conditions.append(self._kinds("'+I', '+U'"))
        update = d.text("DO NOTHING")
        if others:
            changes = d.joined(d.text("{name} = excluded.{name}", name=d.name(name)) for name in others)
            update = d.text("DO UPDATE SET {changes}", changes=changes)
        cursor.execute(
            d.text(
                "INSERT INTO {table} ({names}) SELECT {names} FROM {staged} s WHERE {conditions} "
                "ON CONFLICT ({keys}) {update}",
                table=d.name(*self.table),
                names=d.joined(map(d.name, stored)),
                staged=d.name(STAGED),
                conditions=d.joined(conditions, " AND "),
                keys=d.joined(map(d.name, self.keys)),
                update=update,
            )
        )

    def _delete(self, cursor: Cursor, conditions: Sequence[Any]) -> None:
        d = self.dialect
        condition = d.joined(conditions, " AND ")
        table, staged = d.name(*self.table), d.name(STAGED)
        cursor.execute(d.text(d.delete, table=table, staged=staged, condition=condition))

    def _all(self, template: str) -> Any:
        d = self.dialect
        return d.joined((d.text(template, column=d.name(key)) for key in self.keys), " AND ")

    def _any_null(self) -> Any:
        d = self.dialect
        parts = d.joined((d.text("s.{column} IS NULL", column=d.name(key)) for key in self.keys), " OR ")
        return d.text("({parts})", parts=parts)

    def _kinds(self, kinds: str) -> Any:
        return self.dialect.text(f"s.{{kind}} IN ({kinds})", kind=self.dialect.name(self._kind or ROW_KIND))

    def _last(self) -> Any:
        """The condition that no later row of the micro-batch has the same key."""
        d = self.dialect
        return d.text(
            "s.{position} IN (SELECT max({position}) FROM {staged} GROUP BY {keys})",
            position=d.name(self._position),
            staged=d.name(STAGED),
            keys=d.joined(map(d.name, self.keys)),
        )


def _numbered(rows: Iterator[pa.RecordBatch], position: str) -> Iterator[pa.RecordBatch]:
    first = 0
    for batch in rows:
        positions = pa.array(np.arange(first, first + batch.num_rows, dtype=np.int64))
        yield pa.RecordBatch.from_arrays([*batch.columns, positions], [*batch.schema.names, position])
        first += batch.num_rows
