"""A project of dbt-spark, by its session method: every materialization, twice."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq
import pytest
from environments import python_of, run

pytestmark = [pytest.mark.slow, pytest.mark.spark]

PROJECT = Path(__file__).parent / "dbt_project"
BUILD_TWICE = """
import sys
from dbt.cli.main import dbtRunner
mistaken = ["run", "--select", "mistaken", "--vars", "mistaken: true"]
runs = [["build"], ["build"], ["show", "--select", "peaks"], mistaken]
print([dbtRunner().invoke([*run, "--profiles-dir", "."]).success for run in runs])
"""


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """The folder of the schema's tables, and what dbt printed."""
    folder = tmp_path_factory.mktemp("dbt") / "meters"
    shutil.copytree(PROJECT, folder)
    done = run([python_of("tools"), "-c", BUILD_TWICE], folder)
    assert done.stdout.splitlines()[-1] == "[True, True, True, False]", done.stdout[-6000:]
    return folder / "spark-warehouse" / "shop.db", done.stdout


def rows(built: tuple[Path, str], table: str) -> list[tuple[Any, ...]]:
    folder, _ = built
    return sorted(tuple(row.values()) for row in pq.read_table(folder / table).to_pylist())


def test_tables(built: tuple[Path, str]) -> None:
    assert rows(built, "pairs") == [("north", 26), ("north", 35), ("south", 19)]


def test_a_view_of_windows_that_spark_runs(built: tuple[Path, str]) -> None:
    assert rows(built, "busy") == [("north", 2)]


def test_incremental_models(built: tuple[Path, str]) -> None:
    assert [(row[0], row[1].strftime("%H:%M"), row[3]) for row in rows(built, "sessions")] == [
        ("north", "10:00", 3), ("north", "10:31", 1), ("south", "10:02", 1), ("south", "10:13", 1),
    ]  # fmt: skip
    assert [row[:2] for row in rows(built, "days")] == [("north", 2), ("south", 1)]


def test_mistakes_are_told_with_the_model(built: tuple[Path, str]) -> None:
    _, printed = built
    told = printed[printed.index("Failure in model mistaken") :]
    assert "TUMBLNG is not a window assigner" in told
    assert "hint: did you mean TUMBLING?" in told
    assert "Traceback" not in told
