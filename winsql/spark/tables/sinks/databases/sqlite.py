"""SQLite: a file, for trying streams into a database without a server."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass
from typing import Any, ClassVar

import pyarrow as pa
from pyspark.sql.types import (
    BinaryType,
    BooleanType,
    ByteType,
    DataType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    ShortType,
)

from winsql.spark.tables.sinks.databases.dialect import Cursor
from winsql.spark.tables.sinks.databases.values import as_texts, sent

_WAIT = 60.0
"""Seconds for another process's transaction to end."""


@dataclass(frozen=True, slots=True)
class Sqlite:
    """A file of SQLite's."""

    path: str
    product: ClassVar[str] = "SQLite"
    format: ClassVar[str] = "sqlite"
    parameter: ClassVar[str] = "?"
    delete: ClassVar[str] = (
        "DELETE FROM {table} WHERE rowid IN (SELECT t.rowid FROM {staged} s CROSS JOIN {table} t WHERE {condition})"
    )
    same: ClassVar[str] = "t.{column} IS s.{column}"

    @property
    def place(self) -> str:
        return self.path

    @property
    def shown(self) -> str:
        return self.path

    @property
    def secrets(self) -> tuple[str, ...]:
        return ()

    @property
    def errors(self) -> type[Exception]:
        return sqlite3.Error

    def require_driver(self) -> None:
        pass

    def has_table(self, cursor: Cursor, *parts: str) -> bool:
        cursor.execute("SELECT 1 FROM sqlite_master WHERE type IN ('table', 'view') AND lower(name) = lower(?)", parts)
        return cursor.fetchone() is not None

    @contextmanager
    def transaction(self) -> Iterator[Cursor]:
        with closing(sqlite3.connect(self.path, timeout=_WAIT, isolation_level=None)) as connection:
            cursor = connection.cursor()
            cursor.execute("BEGIN IMMEDIATE")
            try:
                yield cursor
            except BaseException:
                connection.rollback()
                raise
            cursor.execute("COMMIT")

    def text(self, template: str, **parts: Any) -> Any:
        return template.format(**parts)

    def name(self, *parts: str) -> Any:
        return ".".join('"' + part.replace('"', '""') + '"' for part in parts)

    def joined(self, parts: Iterable[Any], separator: str = ", ") -> Any:
        return separator.join(parts)

    def type_of(self, data_type: DataType) -> str:
        return _TYPES.get(type(data_type), "TEXT")

    def expression(self, column: str, data_type: DataType) -> str:
        return sent(column, data_type)

    def insert(self, cursor: Cursor, table: Any, columns: Sequence[str], batches: Iterator[pa.RecordBatch]) -> None:
        names = self.joined(map(self.name, columns))
        values = ", ".join("?" for _ in columns)
        cursor.execute(f"INSERT INTO {table} ({names}) SELECT {values} WHERE false", [None] * len(columns))
        for batch in batches:
            rows = zip(*map(_values, batch.schema.names, batch.columns), strict=True)
            cursor.executemany(f"INSERT INTO {table} ({names}) VALUES ({values})", rows)  # type: ignore[attr-defined]


_TYPES: dict[type[DataType], str] = {
    **dict.fromkeys((BooleanType, ByteType, ShortType, IntegerType, LongType), "INTEGER"),
    **dict.fromkeys((FloatType, DoubleType), "REAL"),
    BinaryType: "BLOB",
}


def _values(name: str, column: pa.Array) -> list[Any]:
    values: list[Any] = as_texts(name, column).to_pylist()
    if pa.types.is_floating(column.type):  # SQLite takes NaN for NULL
        return ["NaN" if value != value else value for value in values]
    return values
