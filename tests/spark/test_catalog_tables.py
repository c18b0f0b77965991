"""CREATE STREAMING TABLE in other catalogs than the session's own, and with formats that only Spark's writer knows."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streaming import Source
from test_sinks import MORE, NOW, PER_TEN, ROWS, finished, refused, run

import winsql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

CATALOG = "org.apache.spark.sql.execution.datasources.v2.jdbc.JDBCTableCatalog"
DRIVER = "org.apache.derby.iapi.jdbc.AutoloadedDriver"


@pytest.fixture
def catalog(session: SparkSession, tmp_path: Path) -> Iterator[str]:
    """A catalog over a database; the session's current catalog stays its own."""
    name = f"db_{abs(hash(str(tmp_path)))}"
    settings = {"": CATALOG, ".url": f"jdbc:derby:memory:{tmp_path.name};create=true", ".driver": DRIVER}
    for key, value in settings.items():
        session.conf.set(f"spark.sql.catalog.{name}{key}", value)
    session.sql(f"CREATE NAMESPACE {name}.shop")
    yield name
    session.sql("USE spark_catalog.default")
    for key in settings:
        session.conf.unset(f"spark.sql.catalog.{name}{key}")


def test_a_table_of_another_catalog(session: SparkSession, events: Source, tmp_path: Path, catalog: str) -> None:
    spark = session
    options = f"OPTIONS (checkpointLocation '{tmp_path}/c', {NOW})"
    late = PER_TEN.replace("GROUP BY", f"LATE INTO {catalog}.shop.late GROUP BY")
    events.put(ROWS, MORE[:1])
    for written in (
        f"CREATE STREAMING TABLE {catalog}.shop.sums {options} LATE INTO {catalog}.shop.late AS {PER_TEN}",
        f"CREATE STREAMING TABLE {catalog}.shop.sums {options} AS {late}",
    ):
        explained = winsql.sql(spark, f"EXPLAIN WINDOW {written}").collect()[0][0]
        assert f"at least once into table (table {catalog}.shop.sums)" in explained
        assert f"at least once into table (table {catalog}.shop.late)" in explained
    assert run(spark, written) == [(f"{catalog}.shop.sums", "started")]
    finished(spark, f"{catalog}.shop.sums")
    assert sorted(run(spark, f"SELECT * FROM {catalog}.shop.sums")) == [("a", 1.0), ("b", 2.0)]
    assert run(spark, f"SELECT k, v FROM {catalog}.shop.late") == [("a", 5.0)]
    (shown,) = winsql.sql(spark, "SHOW STREAMS").collect()
    assert (shown.name, shown.guarantee, shown.late_rows) == (f"{catalog}.shop.sums", "at least once", 1)

    events.put(MORE[1:])
    run(spark, f"USE {catalog}.shop")
    assert run(spark, "ALTER STREAMING TABLE sums RESUME")[0][0] == f"{catalog}.shop.sums"
    finished(spark, "sums")
    assert sorted(run(spark, "SELECT * FROM sums")) == [("a", 1.0), ("b", 2.0), ("b", 4.0)]
    assert winsql.sql(spark, "SHOW WINDOW STATE OF sums").count() == 1

    spark.catalog.setCurrentCatalog("spark_catalog")
    spark.sql(f"DROP TABLE {catalog}.shop.late")
    assert "late is gone" in refused(spark, written).problem
    anew = (
        written.replace("CREATE", "CREATE OR REPLACE", 1)
        .replace("AS s", "AS s2")
        .replace("LATE INTO " + catalog + ".shop.late ", "")
    )
    assert run(spark, anew) == [(f"{catalog}.shop.sums", "started")]
    finished(spark, f"{catalog}.shop.sums")
    assert spark.table(f"{catalog}.shop.sums").columns == ["k", "s2"]
    assert sorted(run(spark, f"SELECT * FROM {catalog}.shop.sums")) == [("a", 1.0), ("b", 2.0), ("b", 4.0)]


def test_what_another_catalog_cannot_have(session: SparkSession, events: Source, tmp_path: Path, catalog: str) -> None:
    spark = session
    options = f"OPTIONS (checkpointLocation '{tmp_path}/c', {NOW})"
    spark.sql(f"CREATE TABLE {catalog}.shop.own (k STRING, s DOUBLE)")
    table = f"{catalog}.shop.sums"
    for text, problem in {
        f"{table} AS {PER_TEN}": f"the streaming table {table} needs the option checkpointLocation",
        f"{catalog}.sums {options} AS {PER_TEN}": f"{catalog}.sums is in no database",
        f"{catalog}.shop.own {options} AS {PER_TEN}": f"{catalog}.shop.own exists",
        f"{table} {options} AS SELECT array(k) AS a FROM events": f"{table} cannot be a streaming table: ",
        f"{table} USING parquet {options} AS {PER_TEN}": f"{table} cannot be a streaming table: ",
        f"{table} {options} LATE INTO {table} AS {PER_TEN}": "late rows go where the rows go",
        f"{table} {options} LATE INTO {catalog}.shop.own AS {PER_TEN}": f"{catalog}.shop.own exists",
        f"no_catalog.shop.sums {options} AS {PER_TEN}": "no_catalog.shop.sums cannot be a streaming table: ",
        f"sums LATE INTO {catalog}.shop.late AS {PER_TEN}": f"late rows cannot go to the catalog {catalog}",
    }.items():
        for replaced in ("", "OR REPLACE "):
            assert problem in refused(spark, f"CREATE {replaced}STREAMING TABLE {text}").problem
    assert spark.table(f"{catalog}.shop.own").columns == ["k", "s"]
    assert not any(spark.catalog.tableExists(name) for name in (table, f"{catalog}.shop.late", "sums"))
    assert run(spark, "SHOW STREAMS") == []


def test_a_format_of_sparks_writer_alone(session: SparkSession, events: Source, tmp_path: Path) -> None:
    spark = session
    create = f"CREATE STREAMING TABLE sums USING xml OPTIONS (checkpointLocation '{tmp_path}/c', rowTag 'r', {NOW})"
    events.put(ROWS, MORE)
    assert run(spark, f"{create} LATE INTO late AS {PER_TEN}") == [("default.sums", "started")]
    finished(spark, "sums")
    assert sorted(run(spark, "SELECT * FROM sums")) == [("a", 1.0), ("b", 2.0), ("b", 4.0)]
    assert run(spark, "SELECT k, v FROM late") == [("a", 5.0)]
    nested = create.replace("sums", "nested").replace("/c'", "/n'")
    run(spark, f"{nested} AS SELECT * FROM (SELECT `K`, s FROM ({PER_TEN})) AS q")
    finished(spark, "nested")
    assert sorted(run(spark, "SELECT * FROM nested")) == sorted(run(spark, "SELECT * FROM sums"))
    error = refused(spark, f"CREATE OR REPLACE STREAMING TABLE sums AS {PER_TEN}")
    assert "is no streaming table" in error.problem
    assert "has no delta" in refused(spark, f"CREATE STREAMING TABLE d USING delta AS {PER_TEN}").problem
    assert "no format parket" in refused(spark, f"CREATE STREAMING TABLE d USING parket AS {PER_TEN}").problem
