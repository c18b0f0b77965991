"""The example notebook as a notebook server runs it, and what the magics say to mistakes: real kernels, no session of
the tests.

`python tests/notebook/test_notebook.py` runs the notebook and writes it with what came out.
"""

from __future__ import annotations

import os
import re
import sys
from pathlib import Path
from typing import Any

import nbclient
import nbformat
import pytest
from nbformat.v4 import new_code_cell, new_notebook

from winsql.shell.notebook.assigned import is_assigned

ROOT = Path(__file__).resolve().parents[2]
EXAMPLE = ROOT / "examples" / "windows.ipynb"
TIMES = re.compile(r" in [\d,.]+ (s|ms)\b")

pytestmark = pytest.mark.spark

MISTAKES = {
    "%load_ext winsql": "",
    "%winsql SELECT k FROM VALUES (1) AS t(k) WINDOW ASSIGN TUMBLING(k) GROUP BY k": "at line 1, column",
    "%winsql --rows 0 SELECT 1": "--rows must be at least 1",
    "%%winsql --bogus\nSELECT 1": "unrecognized arguments: --bogus",
    "%winsql --bogus SELECT 1": "unrecognized arguments: --bogus",
    "%winsql --timeline --view drawn SELECT 1": "--timeline keeps no result: leave out --view",
    "%%winsql\nSELECT 1;\nSELECT 'open": "this string is not closed",
    "%winsql SELECT nowhere": "nowhere",
    "day = 'x'": "",
    "%winsql SELECT 'a{2}, {day}, $day' AS s": "a{2}, {day}, $day",
    "%winsql SELECT * FROM ticks": "write %%winsql --stream",
    "%%winsql --help": "df = %winsql [options] SQL",
    "spark.stop()": "",
    "%winsql SELECT 41 + 1 AS in_another_session": "42",
    "kept = %winsql SELECT id, now() AS ts FROM range(5)\nkept.createOrReplaceTempView('five')\nkept.count()": "5",
    "spark.sql('SELECT count(*) AS n FROM five WINDOW ASSIGN COUNT(5)').collect()": "[Row(n=5)]",
    "spark.sql('SELECT tumble_start(now(), INTERVAL 1 HOUR) AS hour').columns": "['hour']",
    "try:\n    spark.sql('SELECT nowhere')\nexcept Exception as error:\n    print(type(error))": "AnalysisException",
    "%winsql EXPLAIN WINDOW SELECT count(*) FROM five WINDOW ASSIGN COUNT(5)": "winsql-plan",
    "%%winsql --rows 2\nSELECT id, NULL AS nothing, '<b>' AS text FROM range(5);": "the first 2 of more rows",
    "%unload_ext winsql": "",
    "%winsql SELECT 1": "not found",
}


def execute(notebook: Any, *, allow_errors: bool = False, timeout: int = 600) -> None:
    client = nbclient.NotebookClient(notebook, timeout=timeout, kernel_name="python3", allow_errors=allow_errors)
    client.execute(env={**os.environ, "PYSPARK_PYTHON": sys.executable, "PYTHONPATH": str(ROOT), "TZ": "UTC"})


def outputs(cell: Any) -> str:
    """What a reader sees of a code cell, without the times it took and what Spark says on standard error."""
    shown = [output for output in cell.get("outputs", []) if output["output_type"] != "stream"]
    texts = []
    for output in shown:
        data = output.get("data", {})
        texts.append(data.get("text/html") or data.get("text/plain") or "\n".join(output.get("traceback", [])))
    return TIMES.sub(" in some time", "\n".join(map("".join, texts)))


@pytest.mark.slow
def test_the_example_gives_what_it_shows():
    shown = nbformat.read(EXAMPLE, as_version=4)
    run = nbformat.read(EXAMPLE, as_version=4)
    execute(run)
    for before, after in zip(shown.cells, run.cells, strict=True):
        assert outputs(after) == outputs(before), before["source"]
    assert sum(bool(outputs(cell)) for cell in shown.cells) >= 6


@pytest.mark.slow
def test_mistakes_are_told_without_a_traceback():
    setup = "from pyspark.sql import SparkSession\n%load_ext winsql\n%winsql SELECT 1\n"
    setup += "spark.readStream.format('rate').load().createOrReplaceTempView('ticks')"
    notebook = new_notebook(cells=[new_code_cell(setup), *map(new_code_cell, MISTAKES)])
    execute(notebook, allow_errors=True)
    for cell, expected in zip(notebook.cells[1:], MISTAKES.values(), strict=True):
        told = "\n".join([outputs(cell), *(output.get("text", "") for output in cell["outputs"])])
        assert expected in told, cell["source"]
        assert "Traceback" not in outputs(cell)
    table = outputs(notebook.cells[-3])
    assert "&lt;b&gt;" in table
    assert '<td class="null">NULL</td>' in table
    text = notebook.cells[-3]["outputs"][0]["data"]["text/plain"]
    assert text.startswith(
        "id  nothing  text\n--  -------  ----\n 0  NULL     <b>\n 1  NULL     <b>\n\nthe first 2 of more"
    )


@pytest.mark.slow
def test_the_next_cell_does_not_wait_for_an_interrupted_one() -> None:
    """The interrupt is that of a kernel, which comes while Spark works."""
    endless = "import os, signal, threading\nthreading.Timer(8, os.kill, (os.getpid(), signal.SIGINT)).start()\n"
    endless += "get_ipython().run_line_magic('winsql', 'SELECT sum(hash(id, id)) FROM range(100000000000000)')"
    cells = ["%load_ext winsql\n%winsql SELECT 1", endless, "%winsql SELECT count(*) + 41 AS after FROM range(1)"]
    notebook = new_notebook(cells=[*map(new_code_cell, cells)])
    execute(notebook, allow_errors=True, timeout=120)
    assert "interrupted" in outputs(notebook.cells[1])
    assert "42" in outputs(notebook.cells[2])


def test_a_cell_takes_what_a_magic_returns_or_not() -> None:
    taken: list[bool] = []

    def magic() -> bool:
        taken.append(is_assigned(names))
        return taken[-1]

    names = {"magic": magic}
    for text, mode, expected in (
        ("magic()", "single", False),
        ("magic()\nmagic()", "exec", False),
        ("for _ in range(2): magic()", "exec", False),
        ("df = magic()", "exec", True),
        ("x = [magic(), 1]", "exec", True),
        ("print(magic(), file=None if magic() else None)", "exec", True),
    ):
        taken.clear()
        exec(compile(text, "cell", mode), names)  # noqa: S102 - as IPython runs a cell
        assert set(taken) == {expected}, text
    assert not is_assigned({})


def write() -> None:
    notebook = nbformat.read(EXAMPLE, as_version=4)
    execute(notebook)
    for cell in notebook.cells:
        cell["metadata"] = {}
        if cell["cell_type"] == "code":
            cell["outputs"] = [output for output in cell["outputs"] if output["output_type"] != "stream"]
    nbformat.write(notebook, EXAMPLE)


if __name__ == "__main__":
    write()
