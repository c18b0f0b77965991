"""What a writer that was killed has left in the folders of a table: never read, and gone with the next write."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import pyarrow.parquet as pq
import pytest
from test_table_damage import COPY, numbers, refused, start

import winsql

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

    from tests.spark.streaming import Source


def leave(part: Path, folder: Path) -> None:
    """Copies of a file of rows as they are in `folder` before and while a write is committed."""
    attempt = folder / "_temporary" / "0" / "_temporary" / "attempt_0_0001_m_000000_1"
    for place in (attempt, folder / "_temporary" / "0" / "task_0_0001_m_000000"):
        place.mkdir(parents=True)
        shutil.copy(part, place / part.name)
    shutil.copy(part, folder / f".{part.name}.inprogress")


def repeat(path: Path, number: int) -> None:
    """Let the stream believe that a micro-batch has not ended."""
    for name in (str(number), f".{number}.crc"):
        (path / "_checkpoint" / "commits" / name).unlink(missing_ok=True)


@pytest.mark.slow
def test_files_of_a_killed_writer(session: SparkSession, events: Source, tmp_path: Path) -> None:
    spark, path = session, tmp_path / "copied"
    events.put([("a", 1, 1.0, 0)], [("a", 2, 1.0, 1)])
    start(spark, path)
    (part,) = (path / "batch=0").glob("part-*")
    for folder in (path, *(path / f"batch={number}" for number in range(3))):
        leave(part, folder)
    assert numbers(spark) == [0, 1]

    shutil.copy(part, path / "batch=1" / "part-00001-moved.snappy.parquet")  # the commit had begun to move files
    repeat(path, 1)
    events.put([("a", 3, 1.0, 2)])
    assert start(spark, path) == "resumed"
    assert numbers(spark) == sorted(row.n for row in spark.read.parquet(str(path)).collect()) == [0, 1, 2]
    for number in (1, 2):
        names = [file.name for file in (path / f"batch={number}").iterdir()]
        assert sum(name.startswith("part-") for name in names) == 1, names
        assert not any("_temporary" in name or "inprogress" in name for name in names), names

    leave(part, path / "batch=2")  # its rows are all there: they are not written again
    (kept,) = (path / "batch=2").glob("part-*")
    repeat(path, 2)
    assert start(spark, path) == "resumed"
    assert numbers(spark) == [0, 1, 2]
    assert kept.exists()
    assert not (path / "batch=2" / "_temporary").exists()

    events.put([("a", 4, 1.0, 3), ("a", 5, 1.0, 4), ("a", 6, 1.0, 4)])
    assert start(spark, path) == "resumed"
    (moved,) = (path / "batch=3").glob("part-*")
    pq.write_table(pq.read_table(moved)[1:2], moved)  # of several files the commit had moved one
    moved.with_name(f".{moved.name}.crc").unlink()
    leave(part, path / "batch=3")
    repeat(path, 3)
    assert start(spark, path) == "resumed"
    assert numbers(spark) == [0, 1, 2, 3, 4, 4]
    assert pq.read_table(moved).num_rows == 1  # streams have read it

    winsql.sql(spark, f"CREATE OR REPLACE STREAMING TABLE copied OPTIONS (path '{path}') AS {COPY}")
    assert not list(path.rglob("*_temporary*"))
    winsql.sql(spark, "STOP STREAM copied")


def test_a_micro_batch_that_was_whole_and_not_noted_is_missed_later(
    session: SparkSession, events: Source, tmp_path: Path
) -> None:
    spark, path = session, tmp_path / "copied"
    checkpoint = f"checkpointLocation '{tmp_path / 'kept'}'"
    noted = tmp_path / "kept" / "_winsql_newest"
    events.put([("a", 1, 1.0, 0)])
    start(spark, path, checkpoint)
    before = noted.read_text()
    events.put([("a", 2, 1.0, 1)])
    start(spark, path, checkpoint)
    noted.write_text(before)  # killed between the rows and the note
    for name in ("1", ".1.crc"):
        (tmp_path / "kept" / "commits" / name).unlink()
    start(spark, path, checkpoint)
    assert numbers(spark) == [0, 1]
    shutil.rmtree(path / "batch=1")
    assert "has lost the rows of micro-batch 1" in refused(spark, path, checkpoint).problem
