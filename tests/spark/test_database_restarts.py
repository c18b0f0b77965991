"""Streams into databases that go on: with older checkpoints, and named in another case."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from databases import Database, run, sink_for, sqlite
from streaming import Source

import winsql
from winsql.errors import WindowDataError, WindowPlanError

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

NOW = "trigger 'available now'"


def create(database: Database, place: Path, name: str = "copied") -> str:
    options = f"{database.clause}, table 'sums', create 'true', checkpointLocation '{place}', {NOW}"
    return f"CREATE STREAM {name} INTO {database.format} OPTIONS ({options}) AS SELECT k, v FROM events WHERE v > 0"


def finished(spark: SparkSession, text: str, name: str = "copied") -> str:
    done = run(spark, text)[0][1]
    assert run(spark, f"AWAIT STREAM {name}")[0][1] == "finished"
    return str(done)


def put_back(place: Path, copy: Path) -> None:
    shutil.rmtree(place)
    shutil.copytree(copy, place)


def test_a_checkpoint_that_is_older_than_the_rows_is_refused(
    session: SparkSession, events: Source, database: Database, tmp_path: Path
) -> None:
    spark, place = session, tmp_path / "c"
    text = create(database, place)
    events.put([("a", 1, 1.0, 0)])
    finished(spark, text)
    shutil.copytree(place, tmp_path / "copy")
    events.put([("b", 2, 2.0, 1)])
    finished(spark, text)
    put_back(place, tmp_path / "copy")
    events.put([("c", 3, 3.0, 2)])
    with pytest.raises(WindowPlanError, match=r"has micro-batch 1 of default[.]copied, its checkpoint ends with 0"):
        winsql.sql(spark, text)
    shutil.rmtree(place / "offsets")
    shutil.rmtree(place / "commits")
    with pytest.raises(WindowPlanError, match="its checkpoint knows none"):
        winsql.sql(spark, text)
    assert sorted(database.ask("SELECT k FROM sums")) == [("a",), ("b",)]


def test_a_checkpoint_from_before_micro_batches_without_rows_goes_on(
    session: SparkSession, events: Source, database: Database, tmp_path: Path
) -> None:
    """They have changed nothing, so that nothing is lost or repeated when they are planned anew."""
    spark, place = session, tmp_path / "c"
    text = create(database, place)
    events.put([("a", 1, 1.0, 0)])
    finished(spark, text)
    shutil.copytree(place, tmp_path / "copy")
    events.put([("b", 2, -2.0, 1)])
    finished(spark, text)
    put_back(place, tmp_path / "copy")
    events.put([("c", 3, 3.0, 2)])
    assert finished(spark, text) == "resumed"
    assert sorted(database.ask("SELECT k FROM sums")) == [("a",), ("c",)]


def test_a_stream_that_is_named_in_another_case_repeats_nothing(
    session: SparkSession, events: Source, database: Database, tmp_path: Path
) -> None:
    """As after a kill between the commit of the database and Spark's, with notes of this version and earlier ones."""
    spark, place = session, tmp_path / "c"
    events.put([("a", 1, 1.0, 0)])
    finished(spark, create(database, place, "Copied"))
    assert database.ask("SELECT stream, batch FROM winsql_batches") == [("default.copied", 0)]
    for noted in ("default.copied", "default.COPIED"):
        database.ask(f"UPDATE winsql_batches SET stream = '{noted}'")
        for path in (place / "commits").iterdir():
            path.unlink()
        assert finished(spark, create(database, place, "copieD")) == "resumed"
        assert database.ask("SELECT k FROM sums") == [("a",)]
    events.put([("b", 2, 2.0, 1)])
    finished(spark, create(database, place))
    assert sorted(database.ask("SELECT k FROM sums")) == [("a",), ("b",)]
    assert database.ask("SELECT stream, batch FROM winsql_batches") == [("default.COPIED", 1)]
    with pytest.raises(WindowPlanError, match="with another checkpoint"):
        winsql.sql(spark, create(database, tmp_path / "d"))
    replacing = create(database, tmp_path / "d").replace("CREATE", "CREATE OR REPLACE")
    assert finished(spark, replacing) == "started"
    assert database.ask("SELECT stream, batch FROM winsql_batches") == [("default.copied", 1)]


def test_a_checkpoint_beside_the_file_is_found_in_every_case(
    session: SparkSession, events: Source, tmp_path: Path
) -> None:
    spark, database = session, sqlite(tmp_path / "results.db")
    options = f"{database.clause}, table 'sums', create 'true', {NOW}"
    text = f"CREATE STREAM Copied INTO sqlite OPTIONS ({options}) AS SELECT k, v FROM events"
    events.put([("a", 1, 1.0, 0)])
    finished(spark, text)
    place = tmp_path / "results.db.checkpoints"
    assert [path.name for path in place.iterdir()] == ["default.copied"]
    (place / "default.copied").rename(place / "default.Copied")  # as earlier versions name it
    for name in ("Copied", "copied"):
        assert finished(spark, text.replace("Copied", name)) == "resumed"
    assert [path.name for path in place.iterdir()] == ["default.Copied"]
    assert database.ask("SELECT k FROM sums") == [("a",)]


def test_rows_that_a_database_has_lost_are_missed(
    session: SparkSession, events: Source, database: Database, tmp_path: Path
) -> None:
    spark, text = session, create(database, tmp_path / "c")
    appending = text.replace("create 'true'", "create 'true', resume 'append'")
    events.put([("a", 1, 1.0, 0)])
    finished(spark, text)
    events.put([("b", 2, 2.0, 1)])
    finished(spark, text)
    database.ask("UPDATE winsql_batches SET batch = 0")  # as in a copy of the database from before
    with pytest.raises(WindowPlanError, match=r"has micro-batch 0 of .* rows of micro-batch 1 have been there"):
        winsql.sql(spark, text)
    database.ask("DROP TABLE winsql_batches")
    with pytest.raises(
        WindowPlanError, match=r"has no micro-batch of default[.]copied, its checkpoint knows"
    ) as caught:
        winsql.sql(spark, text)
    assert "resume 'append'" in str(caught.value)
    events.put([("c", 3, 3.0, 2)])
    assert finished(spark, appending) == "resumed"
    database.ask("DROP TABLE sums")
    with pytest.raises(WindowPlanError, match="the table sums is gone"):
        winsql.sql(spark, text)
    events.put([("d", 4, 4.0, 3)])
    assert finished(spark, appending) == "resumed"
    events.put([("e", 5, 5.0, 4)])
    assert finished(spark, text) == "resumed"
    assert sorted(database.ask("SELECT k FROM sums")) == [("d",), ("e",)]
    with pytest.raises(WindowPlanError, match="anew is no way to resume"):
        winsql.sql(spark, appending.replace("'append'", "'anew'"))


def test_tables_that_go_while_a_stream_runs(spark: SparkSession, database: Database) -> None:
    rows = spark.sql("SELECT 'a' AS k")
    sink = sink_for(spark, database, rows, table="sums", create="true")
    sink.write(rows, 0)
    for table in ("sums", "winsql_batches"):
        database.ask(f"DROP TABLE {table}")
        with pytest.raises(WindowDataError, match=table) as caught:
            sink.write(rows, 1)
        assert "put the database back from a copy" in str(caught.value)


@pytest.mark.parametrize("damage", [b"cut", b"no database of SQLite's" * 1_000], ids=["cut", "garbage"])
def test_a_damaged_file_of_sqlite(spark: SparkSession, tmp_path: Path, damage: bytes) -> None:
    rows = spark.sql("SELECT 'a' AS k")
    sink = sink_for(spark, sqlite(tmp_path / "results.db"), rows, table="sums", create="true")
    sink.write(rows, 0)
    file = tmp_path / "results.db"
    file.write_bytes(file.read_bytes()[:5_000] if damage == b"cut" else damage)
    with pytest.raises(WindowDataError, match=r"malformed|not a database") as caught:
        sink.write(rows, 1)
    assert "put the database back from a copy" in str(caught.value)
