"""The differences between databases: connections, quotes, types, and how to insert rows."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Any, ClassVar, Protocol

import pyarrow as pa
from pyspark.sql.types import DataType


class Cursor(Protocol):
    """A cursor of Python's DB-API."""

    @property
    def rowcount(self) -> int: ...

    def execute(self, query: Any, parameters: Any = ..., /) -> Any: ...

    def fetchone(self) -> Any: ...

    def fetchall(self) -> Any: ...


class Dialect(Protocol):
    """A database. Statements are templates: their parts are quoted by the database's own rules, never pasted.

    product      its name for people
    format       its name in INTO
    parameter    the marker of a value
    delete       template that deletes the rows of {table} t that have partners s in {staged} with {condition}
    same         template of the comparison of a column of t and s where NULL is a value too
    """

    product: ClassVar[str]
    format: ClassVar[str]
    parameter: ClassVar[str]
    delete: ClassVar[str]
    same: ClassVar[str]

    @property
    def place(self) -> str:
        """Equal for connections to the same database; never shown."""

    @property
    def shown(self) -> str:
        """The place for messages; '' where it must not be shown."""

    @property
    def secrets(self) -> tuple[str, ...]:
        """Texts that no message may show."""

    @property
    def errors(self) -> type[Exception]:
        """The exceptions of the driver."""

    def require_driver(self) -> None:
        """Raises WinsqlError where the driver is not installed."""

    def transaction(self) -> AbstractContextManager[Cursor]:
        """A connection of its own with one transaction: committed at the end, rolled back by an exception."""

    def has_table(self, cursor: Cursor, *parts: str) -> bool:
        """Whether there is a table, or a view, of that name."""

    def text(self, template: str, **parts: Any) -> Any:
        """A statement, or a part of one, with its {parts}."""

    def name(self, *parts: str) -> Any:
        """A name, quoted, of a table or column."""

    def joined(self, parts: Iterable[Any], separator: str = ", ") -> Any:
        """Parts after one another."""

    def type_of(self, data_type: DataType) -> str:
        """The type of a column that holds values of Spark's."""

    def expression(self, column: str, data_type: DataType) -> str:
        """Spark's SQL for a value as it is sent; `column` is quoted."""

    def insert(self, cursor: Cursor, table: Any, columns: Sequence[str], batches: Iterator[pa.RecordBatch]) -> None:
        """Put rows into a table."""
