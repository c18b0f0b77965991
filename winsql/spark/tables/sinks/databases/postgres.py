"""PostgreSQL, by psycopg 3: rows go in by COPY."""

from __future__ import annotations

import io
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, ClassVar

import pyarrow as pa
import pyarrow.compute as pc
from pyarrow import csv
from pyspark.sql.types import (
    BinaryType,
    BooleanType,
    ByteType,
    DataType,
    DateType,
    DayTimeIntervalType,
    DecimalType,
    DoubleType,
    FloatType,
    IntegerType,
    LongType,
    ShortType,
    TimestampNTZType,
    TimestampType,
    YearMonthIntervalType,
)

from winsql.errors import WindowDataError
from winsql.spark.tables.sinks.databases.dialect import Cursor
from winsql.spark.tables.sinks.databases.values import as_texts, is_json, sent
from winsql.syntax.stream_statements.secrets import secrets_in


@dataclass(frozen=True, slots=True)
class Postgres:
    """A server. `options` are libpq's; the environment or a service file give those that are missing."""

    url: str = field(repr=False)
    options: Mapping[str, str] = field(repr=False)
    product: ClassVar[str] = "PostgreSQL"
    format: ClassVar[str] = "postgres"
    parameter: ClassVar[str] = "%s"
    delete: ClassVar[str] = "DELETE FROM {table} AS t USING {staged} AS s WHERE {condition}"
    same: ClassVar[str] = "t.{column} IS NOT DISTINCT FROM s.{column}"

    @property
    def place(self) -> str:
        return repr((self.url, sorted(self.options.items())))

    @property
    def shown(self) -> str:
        return ""

    @property
    def secrets(self) -> tuple[str, ...]:
        return secrets_in({"url": self.url, **self.options})

    @property
    def errors(self) -> type[Exception]:
        import psycopg

        return psycopg.Error

    def require_driver(self) -> None:
        try:
            import psycopg  # noqa: F401
        except ImportError as error:
            raise WindowDataError(
                f"INTO postgres needs psycopg, which cannot be imported here: {error}",
                rule="the driver is an extra of winsql",
                hint="pip install 'winsql[postgres]', on Spark Connect where the server runs",
            ) from None

    def _conninfo(self) -> str:
        from psycopg.conninfo import make_conninfo

        return make_conninfo(self.url, **{"client_encoding": "utf8", **self.options})

    def has_table(self, cursor: Cursor, *parts: str) -> bool:
        cursor.execute("SELECT to_regclass(%s) IS NOT NULL", [self.name(*parts).as_string()])
        return bool(cursor.fetchone()[0])

    @contextmanager
    def transaction(self) -> Iterator[Cursor]:
        import psycopg

        with (
            psycopg.connect(self._conninfo()) as connection,
            connection.cursor() as cursor,
        ):
            yield cursor

    def text(self, template: str, **parts: Any) -> Any:
        from psycopg import sql

        return sql.SQL(template).format(**parts)

    def name(self, *parts: str) -> Any:
        from psycopg import sql

        return sql.Identifier(*parts)

    def joined(self, parts: Iterable[Any], separator: str = ", ") -> Any:
        from psycopg import sql

        return sql.SQL(separator).join(parts)

    def type_of(self, data_type: DataType) -> str:
        if isinstance(data_type, DecimalType):
            return f"numeric({data_type.precision}, {data_type.scale})"
        if type(data_type).__name__ == "TimeType":  # Spark 4.0 has none
            return "time"
        return "jsonb" if is_json(data_type) else _TYPES.get(type(data_type), "text")

    def expression(self, column: str, data_type: DataType) -> str:
        if isinstance(data_type, BinaryType):
            return f"concat(char(92), 'x', hex({column}))"
        if isinstance(data_type, DayTimeIntervalType):
            return column
        if isinstance(data_type, YearMonthIntervalType):
            return f"concat(CAST(CAST({column} AS INTERVAL MONTH) AS INT), ' months')"
        return sent(column, data_type)

    def insert(self, cursor: Cursor, table: Any, columns: Sequence[str], batches: Iterator[pa.RecordBatch]) -> None:
        names = self.joined(map(self.name, columns))
        copy_from = self.text("COPY {table} ({names}) FROM STDIN (FORMAT csv)", table=table, names=names)
        with cursor.copy(copy_from) as copy:  # type: ignore[attr-defined]
            for batch in batches:
                copy.write(_csv(batch))


_TYPES: dict[type[DataType], str] = {
    BooleanType: "boolean",
    ByteType: "smallint",
    ShortType: "smallint",
    IntegerType: "integer",
    LongType: "bigint",
    FloatType: "real",
    DoubleType: "double precision",
    BinaryType: "bytea",
    DateType: "date",
    TimestampType: "timestamptz",
    TimestampNTZType: "timestamp",
    DayTimeIntervalType: "interval",
    YearMonthIntervalType: "interval",
}


def _csv(batch: pa.RecordBatch) -> bytes:
    """CSV in which NULL is an empty field and an empty text is two quotes."""
    columns = list(map(_texts, batch.schema.names, batch.columns))
    table = pa.RecordBatch.from_arrays(columns, [str(n) for n in range(batch.num_columns)])
    written = io.BytesIO()
    csv.write_csv(table, written, csv.WriteOptions(include_header=False))
    return written.getvalue()


def _texts(name: str, column: pa.Array) -> pa.Array:
    if pa.types.is_duration(column.type):
        return _intervals(column)
    texts = as_texts(name, column)
    has_years = pa.types.is_timestamp(column.type) or pa.types.is_date(column.type)
    if not has_years or not pc.any(pc.match_substring_regex(texts, "^(-|0000)")).as_py():
        return texts
    return pa.array(map(_with_era, texts.to_pylist()), pa.string())


def _intervals(column: pa.Array) -> pa.Array:
    """Minutes and microseconds: neither is too large a number for PostgreSQL."""
    micros = column.cast(pa.duration("us")).cast(pa.int64())
    minutes = pc.divide(micros, _MINUTE)
    rest = pc.subtract(micros, pc.multiply(minutes, _MINUTE))
    texts = [number.cast(pa.string()) for number in (minutes, rest)]
    return pc.binary_join_element_wise(texts[0], "minutes", texts[1], "microseconds", " ")


_MINUTE = 60_000_000


def _with_era(text: str | None) -> str | None:
    """Years as PostgreSQL counts them: the one before 1 is 1 BC."""
    if text is None or not text.startswith(("-", "0000")):
        return text
    year, _, rest = text.lstrip("-").partition("-")
    return f"{int(year) + 1:04}-{rest} BC"
