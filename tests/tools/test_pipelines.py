"""A declarative pipeline with windows in its Python definitions, run by Spark's own command on a server."""

from __future__ import annotations

import ast
import shutil
import sys
from pathlib import Path

import pytest
from environments import run

pytestmark = [pytest.mark.slow, pytest.mark.spark, pytest.mark.since("4.1")]

PROJECT = Path(__file__).parent / "declarative_project"
PYTHON = Path(sys.executable)
READINGS = """
SELECT meter, ts::TIMESTAMP, value FROM VALUES
  ('north', '2024-05-01 10:00:00', 20), ('north', '2024-05-01 10:04:00', 26), ('north', '2024-05-01 10:11:00', 21),
  ('north', '2024-05-01 10:31:00', 35), ('south', '2024-05-01 10:02:00', 14), ('south', '2024-05-01 10:13:00', 19),
  ('south', '2024-05-01 10:14:00', -1)
  AS t(meter, ts, value)"""


def on(server: str, program: str, folder: Path) -> str:
    """What a program prints that has a session `spark` of the server."""
    start = f"from pyspark.sql import SparkSession\nspark = SparkSession.builder.remote({server!r}).getOrCreate()\n"
    done = run([PYTHON, "-c", start + program], folder)
    assert done.returncode == 0, done.stdout[-4000:]
    return done.stdout


@pytest.fixture(scope="module")
def project(server: str, tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("pipelines") / "meters"
    shutil.copytree(PROJECT, folder)
    spec = folder / "spark-pipeline.yml"
    spec.write_text(
        spec.read_text(encoding="utf-8").replace("STORAGE", (folder / "storage").as_uri()), encoding="utf-8"
    )
    on(server, f"spark.sql('''CREATE TABLE raw_readings USING parquet AS {READINGS}''')", folder)
    return folder


def ran(server: str, folder: Path, *arguments: str) -> str:
    done = run([PYTHON.parent / "spark-pipelines", *arguments, "--remote", server], folder)
    return done.stdout


def test_a_pipeline_runs_twice(server: str, project: Path) -> None:
    for _ in range(2):
        printed = ran(server, project, "run")
        assert "Run is COMPLETED" in printed, printed[-6000:]
    tables = ("pairs", "busy", "lasting", "middle", "firings")
    found = on(server, f"for t in {tables}: print(sorted(map(tuple, spark.table(t).collect())))", project)
    pairs, busy, lasting, middle, firings = map(ast.literal_eval, found.splitlines()[-5:])
    assert pairs == [("north", 26), ("north", 35), ("south", 19)]
    assert busy == [("north", 2)]
    assert lasting == [("north", 0, 26), ("north", 1, 35), ("south", 0, 19)]
    assert middle == [("north", 23.0), ("north", 28.0), ("south", 16.5)]
    assert firings == [("north", 0, 2), ("north", 1, 4), ("south", 0, 2)]


MISTAKES = {
    "winsql.sql(spark, 'SELECT 1')": "hint: in the function of the dataset, return winsql.pipeline_sql(text)",
    "winsql.register(spark)": "definitions of a pipeline cannot use winsql like this",
    "winsql.pipeline_sql('SELECT count(*) AS n FROM STREAM checked WATERMARK ts DELAY OF INTERVAL 1 HOUR "
    "WINDOW ASSIGN TUMBLING(ts, INTERVAL 1 HOUR)', checked='ts TIMESTAMP')": (
        "windows cannot run over the stream of checked, a dataset of this pipeline"
    ),
    "winsql.pipeline_sql('CREATE TABLE t AS SELECT count(*) AS n FROM checked WINDOW ASSIGN COUNT(2)')": (
        "this statement is no query"
    ),
    "winsql.pipeline_sql('SELECT count(*) AS n FROM later WINDOW ASSIGN COUNT(2)')": (
        "hint: of a dataset of this pipeline, give the columns: winsql.pipeline_sql(text, later='...')"
    ),
    "winsql.pipeline_sql('SELECT count(*) AS n FROM later WINDOW ASSIGN COUNTT(2)')": "did you mean COUNT?",
}
DEFINITIONS = """
import winsql
from pyspark import pipelines as dp

def tried(function):
    try:
        dp.materialized_view(function)
    except winsql.WinsqlError as error:
        print("-----", error, sep="\\n")
"""


def test_what_definitions_cannot_do(server: str, tmp_path: Path) -> None:
    (tmp_path / "spark-pipeline.yml").write_text(
        f"name: p\nstorage: {(tmp_path / 'storage').as_uri()}\nlibraries: [{{glob: {{include: mistaken.py}}}}]\n",
        encoding="utf-8",
    )
    functions = [f"@tried\ndef d{number}():\n    return {body}\n" for number, body in enumerate(MISTAKES)]
    (tmp_path / "mistaken.py").write_text("\n".join([DEFINITIONS, *functions]), encoding="utf-8")
    _, *said = ran(server, tmp_path, "dry-run").split("-----\n")
    assert len(said) == len(MISTAKES)
    for found, expected in zip(said, MISTAKES.values(), strict=True):
        assert expected in found
