"""State of another version of winsql is refused, left alone, and read again by the version that wrote it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from streaming import Source, run_sql

from winsql.spark.streaming.buckets import META_VERSION

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

HERE = Path(__file__).resolve().parent

COUNT = "SELECT k, collect_list(n) AS l FROM versioned WINDOW ASSIGN COUNT(3) GROUP BY k"
TUMBLING = "SELECT k, sum(v) AS s FROM versioned WINDOW ASSIGN TUMBLING(ts, '10 seconds') GROUP BY k"

OTHER_WINSQL = """
import sys
from pathlib import Path
sys.path[:0] = [sys.argv[1], str(Path(sys.argv[2]).parent), sys.argv[2]]
from conftest import SETTINGS
from pyspark.sql import SparkSession
import winsql
from winsql.spark.messages.failure import translate
assert Path(winsql.__file__).parents[1] == Path(sys.argv[1])

builder = SparkSession.builder.master("local[2]")
for name, value in SETTINGS.items():
    builder = builder.config(name, value)
spark = builder.config("spark.log.level", "OFF").getOrCreate()
folder, *statements = sys.argv[3:]
from streaming import Source, run_sql
source = Source.__new__(Source)
source.folder = Path(folder) / "in"
source.stream(spark, "versioned")
for number, statement in enumerate(statements):
    try:
        run_sql(spark, [statement], Path(folder) / f"checkpoint{number}")
    except Exception as error:
        print(translate(error).problem.partition("\\n")[0])
"""


@pytest.mark.slow
def test_a_winsql_of_an_older_version_leaves_the_state_alone(spark: SparkSession, tmp_path: Path) -> None:
    """The older one is this one with smaller numbers for its versions."""
    source = Source(tmp_path / "in")
    source.put([("a", 1, 1.0, 0), ("a", 2, 1.0, 1)])
    source.stream(spark, "versioned")
    statements = [COUNT, TUMBLING]
    for number, statement in enumerate(statements):
        assert run_sql(spark, [statement], tmp_path / f"checkpoint{number}") == [[]]
    source.put([("a", 3, 1.0, 2), ("b", 30, 1.0, 3)])
    _older_winsql(tmp_path / "older")
    program = tmp_path / "program.py"
    program.write_text(OTHER_WINSQL)
    paths = [str(HERE), str(HERE.parent)]
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "SPARK_LOCAL_IP": "127.0.0.1"}
    environment["PYTHONPATH"] = os.pathsep.join([str(tmp_path / "older"), *paths])
    command = [sys.executable, str(program), str(tmp_path / "older"), str(HERE), str(tmp_path), *statements]
    run = subprocess.run(  # in a folder of its own: Spark's workers look for modules where they are started
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=550, check=False
    )
    assert run.returncode == 0, run.stderr[-3000:]
    problem = f"window state has format version {META_VERSION}, this winsql reads version {META_VERSION - 1}"
    assert run.stdout.splitlines() == [problem] * 2, run.stderr
    found = [run_sql(spark, [text], tmp_path / f"checkpoint{i}")[0] for i, text in enumerate(statements)]
    assert found == [[("a", "[0, 1, 2]")], [("a", "3.0")]]


_VERSION = re.compile(r"^((?:META|BUCKET|COLUMNAR)_VERSION = )(\d+)$", re.MULTILINE)


def _older_winsql(folder: Path) -> None:
    shutil.copytree(HERE.parents[1] / "winsql", folder / "winsql")
    for path in folder.rglob("*.py"):
        text = path.read_text(encoding="utf-8")
        path.write_text(_VERSION.sub(lambda match: f"{match[1]}{int(match[2]) - 1}", text), encoding="utf-8")
