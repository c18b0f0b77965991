"""Databases that tests write into: a file of SQLite's, and a PostgreSQL server."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import psycopg
import pytest
from postgres_server import Server

import winsql
from winsql.errors import Span
from winsql.spark.tables.sinks.protocol import Run
from winsql.syntax import SinkClause

if TYPE_CHECKING:
    from pyspark.sql import DataFrame, SparkSession

    from winsql.spark.tables.sinks.protocol import Sink

RUN = Run("default.sums", "1", anew=False, kept=None)


@dataclass(frozen=True)
class Database:
    """A database of a test: its format, the options that reach it, and how it is asked."""

    format: str
    options: dict[str, str]
    ask: Callable[[str], list[tuple[Any, ...]]]

    @property
    def clause(self) -> str:
        return ", ".join(f"{key} '{value}'" for key, value in self.options.items())


def sqlite(path: Path) -> Database:
    return Database("sqlite", {"path": str(path)}, lambda text: _asked_of_file(path, text))


def postgres(own: Server | None) -> Database:
    url = os.environ.get("PGURL") if own is None else own.url
    if url is None:
        pytest.skip("no PostgreSQL here, and PGURL names none")
    ask = _Asked(url)
    for table in ("sums", "late", "kinds", "types", "winsql_batches"):
        ask(f"DROP TABLE IF EXISTS {table}")
    return Database("postgres", {"url": url}, ask)


@dataclass(frozen=True)
class _Asked:
    url: str

    def __call__(self, text: str) -> list[tuple[Any, ...]]:
        with psycopg.connect(self.url) as connection:
            cursor = connection.execute(text)  # type: ignore[arg-type]
            return cursor.fetchall() if cursor.description else []


def _asked_of_file(path: Path, text: str) -> list[tuple[Any, ...]]:
    connection = sqlite3.connect(path, isolation_level=None)
    try:
        return connection.execute(text).fetchall()
    finally:
        connection.close()


def run(spark: SparkSession, text: str) -> list[tuple[Any, ...]]:
    return [tuple(row) for row in winsql.sql(spark, text).collect()]


def sink_for(spark: SparkSession, database: Database, rows: DataFrame, **options: str) -> Sink:
    from winsql.spark.tables.sinks.protocol import Request
    from winsql.spark.tables.sinks.registry import sink_of

    clause = SinkClause(database.format, Span(0, 1), {**database.options, **options})
    sink = sink_of(Request(spark, "default.s", clause, rows.schema, "the result", None, "-"))
    sink.prepare(replace(RUN, stream=f"default.{options['table']}"))
    return sink
