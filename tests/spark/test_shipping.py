"""winsql's code reaches the executors once, whoever asks first, and compiled."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

import winsql
from winsql.errors import WindowPlanError
from winsql.spark import shipping

if TYPE_CHECKING:
    from pyspark.sql import SparkSession


def test_threads_with_sessions_of_their_own(spark: SparkSession, monkeypatch: pytest.MonkeyPatch) -> None:
    for number in range(4):
        monkeypatch.setattr(shipping, "_digest", lambda files, number=number: f"threads{number}")
        sessions = [spark.newSession() for _ in range(8)]
        with ThreadPoolExecutor(len(sessions)) as pool:
            list(pool.map(shipping.ship_code, sessions))  # raises what a thread raises
        assert [f"threads{number}" in path for path in spark.sparkContext.listFiles].count(True) == 1


@pytest.mark.parametrize("folder", ["TMPDIR", "spark.local.dir"])
def test_a_folder_for_temporary_files_without_room(
    spark: SparkSession, monkeypatch: pytest.MonkeyPatch, tmp_path: Path, folder: str
) -> None:
    monkeypatch.setattr(shipping, "_digest", lambda files: f"no_room_{folder}")
    if folder == "TMPDIR":
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path / "gone"))
    else:  # Spark finds there as little of the archive as it has room for
        monkeypatch.setattr(shipping, "_written", lambda digest: str(tmp_path / "gone.zip"))
    with pytest.raises(WindowPlanError, match=r"cannot be given winsql's code: .*(No such|gone\.zip)") as caught:
        winsql.sql(spark, "SELECT count(*) FROM VALUES (timestamp'2024-01-01') AS t(ts) WINDOW ASSIGN COUNT(2)")
    assert caught.value.span is not None
    assert "TMPDIR" in (caught.value.rule or "")


@pytest.mark.parametrize("kind", ["pyc", "py"])
def test_workers_compile_nothing_of_their_own_python(
    kind: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    if kind == "py":  # of another version of Python
        monkeypatch.setattr(shipping, "MAGIC_NUMBER", b"\0\0\r\n")
    archive = tmp_path / "code.zip"
    archive.write_bytes(shipping.packed(shipping.code_files()))
    code = (
        "import winsql.spark.workers.partition as p, winsql.spark.streaming.packing as q; print(p.__file__, q.__file__)"
    )
    environment = {**os.environ, "PYTHONPATH": str(archive)}
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env=environment, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == [
        f"{archive}/winsql/spark/{n}.{kind}" for n in ("workers/partition", "streaming/packing")
    ]
