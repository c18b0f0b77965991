"""A project of SQLMesh on Spark, with models of several kinds in the dialect `winsql`."""

from __future__ import annotations

import shutil
from pathlib import Path

import pyarrow.parquet as pq
import pytest
from environments import python_of, run

pytestmark = [pytest.mark.slow, pytest.mark.spark]

PROJECT = Path(__file__).parent / "sqlmesh_project"


@pytest.fixture(scope="module")
def planned(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The warehouse after a plan."""
    folder = tmp_path_factory.mktemp("sqlmesh") / "meters"
    shutil.copytree(PROJECT, folder)
    done = run([python_of("tools").parent / "sqlmesh", "plan", "--auto-apply", "--no-prompts"], folder)
    assert done.returncode == 0, done.stdout[-6000:]
    assert "audits passed 1" in done.stdout
    return folder / "spark-warehouse" / "sqlmesh__shop.db"


def rows(planned: Path, model: str) -> list[tuple[object, ...]]:
    (folder,) = planned.glob(f"shop__{model}__[0-9]*")
    return sorted(tuple(row.values()) for row in pq.read_table(folder).to_pylist())


def test_full_models(planned: Path) -> None:
    assert rows(planned, "pairs") == [("north", 26), ("north", 35), ("south", 19)]


def test_a_view_of_windows_that_spark_runs(planned: Path) -> None:
    assert rows(planned, "busy") == [("north", 2)]


def test_incremental_models(planned: Path) -> None:
    assert [(row[0], row[2]) for row in rows(planned, "sessions")] == [
        ("north", 3), ("north", 1), ("south", 1), ("south", 1),
    ]  # fmt: skip


def test_models_in_python(planned: Path) -> None:
    assert rows(planned, "joined") == [("north", 46)]
