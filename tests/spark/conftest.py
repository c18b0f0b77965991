"""Fixtures of the tests of streaming tables."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streaming import Source

if TYPE_CHECKING:
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
