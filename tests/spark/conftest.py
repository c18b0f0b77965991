"""Fixtures of the tests of streaming tables and sinks."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from postgres_server import Server, binaries, server
from streaming import Source

if TYPE_CHECKING:
    from databases import Database
    from pyspark.sql import SparkSession


@pytest.fixture
def session(spark: SparkSession, tmp_path: Path) -> Iterator[SparkSession]:
    """A session with a stream `events`; all tables and streams of the test are gone after it."""
    from winsql.spark.tables.registry import streams_of
    from winsql.spark.tables.statements import stop_streams

    before = {table.tableName for table in spark.sql("SHOW TABLES").collect()}
    streams_of(spark).clear()  # those of other tests
    yield spark
    stop_streams(spark)
    streams_of(spark).clear()
    for table in spark.sql("SHOW TABLES").collect():  # listTables() needs compiled expressions
        if table.tableName not in before and not table.isTemporary:
            name = table.tableName.replace("`", "``")
            spark.sql(f"DROP TABLE `{name}`")
    spark.catalog.dropTempView("events")


@pytest.fixture
def events(session: SparkSession, tmp_path: Path) -> Source:
    """Files that the stream `events` reads, one by micro-batch."""
    source = Source(tmp_path / "in")
    source.stream(session, "events")
    return source


@pytest.fixture(scope="module")
def own_server() -> Iterator[Server | None]:
    """A PostgreSQL server of the tests' own; None where there are no programs for it."""
    if binaries() is None:
        yield None
    else:
        yield from server()


@pytest.fixture(params=["sqlite", "postgres"])
def database(request: pytest.FixtureRequest, tmp_path: Path) -> Database:
    """Each of the databases in turn."""
    from databases import postgres, sqlite

    if request.param == "sqlite":
        return sqlite(tmp_path / "results.db")
    return postgres(request.getfixturevalue("own_server"))
