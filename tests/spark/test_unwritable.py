"""Folders that cannot be written: told in one sentence before anything is made or dropped, and nothing is left over."""

from __future__ import annotations

import resource
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import winsql
from winsql.errors import WindowPlanError, WinsqlError
from winsql.spark.tables import start
from winsql.spark.tables.claims import claimed
from winsql.spark.tables.sinks import start as sinks_start
from winsql.spark.tables.writable import require_writable_folder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tests.spark.streaming import Source

QUERY = "SELECT k, count(*) AS n FROM events WINDOW ASSIGN COUNT(1) GROUP BY k"
NOW = "trigger 'available now'"


@pytest.fixture
def file(tmp_path: Path) -> Path:
    """A file where a folder should be: neither its owner nor root can write below it."""
    found = tmp_path / "file"
    found.write_text("somebody's")
    return found


def test_a_folder_that_can_be_made_is_not_made(tmp_path: Path) -> None:
    require_writable_folder(str(tmp_path / "a" / "b"))
    require_writable_folder(str(tmp_path))
    assert list(tmp_path.iterdir()) == []


def test_a_file_in_place_of_a_folder(file: Path) -> None:
    for place in (file, file / "a" / "b"):
        with pytest.raises(WindowPlanError, match=f"the file in place of a folder {file} cannot be written") as caught:
            require_writable_folder(str(place))
        assert str(caught.value.hint).startswith("move the file away")


def test_a_file_system_that_takes_no_files() -> None:
    with pytest.raises(WindowPlanError, match=r"the folder /\w* cannot be written: \w+") as caught:
        require_writable_folder("/sys/winsql")
    assert caught.value.rule
    assert caught.value.hint


def test_a_file_system_without_room(tmp_path: Path) -> None:
    with no_room(), pytest.raises(WindowPlanError, match=f"the folder {tmp_path} cannot be written"):
        require_writable_folder(str(tmp_path / "a"))
    assert list(tmp_path.iterdir()) == []


@contextmanager
def no_room() -> Iterator[None]:
    """A file of this process can have no bytes."""
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, before[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)


def refused(spark: SparkSession, create: str, place: Path) -> WinsqlError:
    text = f"{create} AS {QUERY}"
    with pytest.raises(WinsqlError) as caught:
        winsql.sql(spark, text)
    error = caught.value
    assert str(place) in error.problem
    assert error.rule
    assert error.hint
    assert error.span is not None
    return error


def tree(folder: Path) -> dict[str, str]:
    """What a folder has."""
    return {
        str(path.relative_to(folder)): path.read_text(errors="replace") if path.is_file() else ""
        for path in sorted(folder.rglob("*"))
    }


def test_streams_that_cannot_begin_leave_nothing(
    session: SparkSession, events: Source, tmp_path: Path, file: Path
) -> None:
    spark = session
    events.put([("a", 1, 1.0, 0)])
    before, tables = tree(tmp_path), spark.sql("SHOW TABLES").collect()
    below = file / "deep" / "folder"
    for create in (
        f"CREATE STREAMING TABLE t OPTIONS (path '{below}', {NOW})",
        f"CREATE STREAMING TABLE t OPTIONS (path '{tmp_path}/t', checkpointLocation '{below}', {NOW})",
        f"CREATE STREAMING TABLE t OPTIONS (checkpointLocation '{below}', {NOW})",
        f"CREATE STREAM s INTO parquet OPTIONS (path '{below}', {NOW})",
        f"CREATE STREAM s INTO json OPTIONS (path '{tmp_path}/s', checkpointLocation '{below}', {NOW})",
        f"CREATE STREAM s INTO sqlite OPTIONS (path '{tmp_path}/d/db', table 'r', create 'true', "
        f"checkpointLocation '{below}', {NOW})",
    ):
        error = refused(spark, create, file)
        assert "cannot be written" in error.problem, create
    sqlite = f"CREATE STREAM s INTO sqlite OPTIONS (table 'r', create 'true', {NOW}, path"
    refused(spark, f"{sqlite} '{below}')", file)
    assert "unable to open" in refused(spark, f"{sqlite} '{tmp_path}')", tmp_path).problem  # it is a folder
    assert tree(tmp_path) == before
    assert spark.sql("SHOW TABLES").collect() == tables


@pytest.mark.slow
def test_streams_that_cannot_go_on_change_nothing(
    session: SparkSession, events: Source, tmp_path: Path, file: Path
) -> None:
    spark, path = session, tmp_path / "t"
    create = f"CREATE STREAMING TABLE t OPTIONS (path '{path}', {NOW})"
    into = f"CREATE STREAM s INTO json OPTIONS (path '{tmp_path}/s', {NOW})"
    for name, text in (("t", create), ("s", into)):
        events.put([(name, 1, 1.0, 0)])
        winsql.sql(spark, f"{text} AS {QUERY}")
        winsql.sql(spark, f"AWAIT STREAM {name}")
    rows = spark.table("t").collect()
    before = tree(tmp_path)
    replaced = create.replace("CREATE", "CREATE OR REPLACE").replace(NOW, f"checkpointLocation '{file}/c', {NOW}")
    refused(spark, replaced, file)
    assert tree(tmp_path) == before
    for folder, text in ((path, create), (tmp_path / "s", into)):
        checkpoint = folder / "_checkpoint"
        checkpoint.rename(tmp_path / "kept")
        checkpoint.write_text("no folder")
        refused(spark, text, checkpoint)
        refused(spark, text.replace("CREATE", "CREATE OR REPLACE"), checkpoint)
        checkpoint.unlink()
        (tmp_path / "kept").rename(checkpoint)
    assert tree(tmp_path) == before
    spark.catalog.refreshTable("t")
    assert spark.table("t").collect() == rows
    events.put([("b", 2, 1.0, 1)])
    assert winsql.sql(spark, f"{create} AS {QUERY}").collect()[0][1] == "resumed"
    winsql.sql(spark, "AWAIT STREAM t")


def test_a_claim_that_is_taken_back_leaves_no_folder(spark: SparkSession, tmp_path: Path) -> None:
    kept = tmp_path / "kept"
    kept.mkdir()
    for place in (kept / "stream", tmp_path / "a" / "b" / "stream"):
        with pytest.raises(ZeroDivisionError), claimed(spark, str(place)):
            raise ZeroDivisionError
    assert [path.name for path in tmp_path.iterdir()] == ["kept"]
    assert list(kept.iterdir()) == []


def test_what_spark_finds_out_is_told_too(
    session: SparkSession, events: Source, tmp_path: Path, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on file systems that are not looked at before."""
    spark, below = session, file / "deep" / "folder"
    for module in (start, sinks_start):
        monkeypatch.setattr(module, "require_writable", lambda spark, folders: None)
    events.put([("a", 1, 1.0, 0)])
    tables = spark.sql("SHOW TABLES").collect()
    for create in (
        f"CREATE STREAMING TABLE t OPTIONS (path '{below}', {NOW})",
        f"CREATE STREAMING TABLE t OPTIONS (path '{tmp_path}/t', checkpointLocation '{below}', {NOW})",
        f"CREATE STREAM s INTO json OPTIONS (path '{tmp_path}/s', checkpointLocation '{below}', {NOW})",
    ):
        assert "cannot be written" in refused(spark, create, file).problem
    assert spark.sql("SHOW TABLES").collect() == tables
    assert not [path for path in (tmp_path / "t").rglob("*") if path.is_file() and path.stat().st_size > 8]
