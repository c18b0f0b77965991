"""The wheel, installed where the sources are not: it carries the sql/ folder and runs a windowed query."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import sysconfig
import venv
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]

pytestmark = [pytest.mark.slow, pytest.mark.spark]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The project's wheel, built offline with the build backend of the test environment."""
    folder = tmp_path_factory.mktemp("dist")
    run(
        sys.executable, "-m", "pip", "wheel", "--quiet", "--disable-pip-version-check",
        "--no-deps", "--no-index", "--no-build-isolation", "--wheel-dir", str(folder), str(ROOT),
    )  # fmt: skip
    (path,) = folder.glob("winsql-*.whl")
    return path


@pytest.fixture(scope="module")
def environment(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """An environment with nothing of winsql but the wheel; its dependencies are lent by the test environment."""
    folder = tmp_path_factory.mktemp("environment")
    venv.create(folder, with_pip=False, symlinks=True)
    run(
        sys.executable, "-m", "pip", "--python", str(folder / "bin" / "python"), "install", "--quiet",
        "--disable-pip-version-check", "--no-deps", "--no-index", str(wheel),
    )  # fmt: skip
    # `addsitedir` would also run the .pth file by which an editable install puts the checkout on the path
    (site_packages,) = folder.glob("lib/python*/site-packages")
    (site_packages / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    return folder


def run(*command: str, cwd: Path | None = None) -> str:
    environ = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "PYSPARK_PYTHON", "VIRTUAL_ENV")}
    result = subprocess.run(
        command,
        cwd=cwd,
        env=environ,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
        stdin=subprocess.DEVNULL,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    return result.stdout


def test_the_wheel_carries_every_sql_file(wheel: Path) -> None:
    names = set(zipfile.ZipFile(wheel).namelist())
    sources = {path.relative_to(ROOT / "sql").as_posix() for path in (ROOT / "sql").rglob("*.sql")}
    assert sources
    assert {f"winsql/_sql/{name}" for name in sources} <= names
    assert {"winsql/py.typed", "dbt_winsql.py"} <= names
    assert not [name for name in names if name.startswith(("tests/", "examples/"))]


def test_the_first_query_of_the_readme(environment: Path, tmp_path: Path) -> None:
    page = (ROOT / "README.md").read_text(encoding="utf-8")
    blocks = re.findall(r"^```(?:sql|text)\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    view, query, output = blocks[:3]
    command = [str(environment / "bin" / "winsql"), "-S", "--conf", "spark.sql.shuffle.partitions=2"]
    assert run(*command, "-e", f"{view};{query}", cwd=tmp_path) == output


def test_a_windowed_query_runs_from_the_wheel(environment: Path, tmp_path: Path) -> None:
    home = run(str(environment / "bin" / "python"), "-c", "import winsql; print(winsql.__file__)", cwd=tmp_path)
    assert Path(home.strip()).is_relative_to(environment)

    printed = run(
        str(environment / "bin" / "winsql"), "-S", "--conf", "spark.sql.shuffle.partitions=2", "-e",
        """SELECT k, pane_index, sum(v) AS total
           FROM VALUES ('a', TIMESTAMP_NTZ'2024-01-01 00:00:00', 1), ('a', TIMESTAMP_NTZ'2024-01-01 00:01:00', 2),
                       ('a', TIMESTAMP_NTZ'2024-01-01 00:02:00', 4) AS t(k, ts, v)
           WINDOW ASSIGN GLOBAL(ts) TRIGGER COUNT(1) EVICT COUNT(2) GROUP BY k
           ORDER BY pane_index""",
        cwd=tmp_path,
    )  # fmt: skip
    assert printed == (
        "k  pane_index  total\n-  ----------  -----\na           0      1\na           1      3\na           2      6\n"
    )
