"""Bad surroundings: each gives one clear error, before anything else happens."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

import winsql
from winsql.errors import WindowPlanError
from winsql.spark.versions import supported
from winsql.spark.versions.number import Version

ROOT = Path(__file__).resolve().parents[1]
USES = {
    "the package": "import winsql\nwinsql.sql(None, 'SELECT 1')",
    "the command": "from winsql.shell.cli import main\nsys.exit(main(['-e', 'SELECT 1']))",
    "another command": "from winsql.shell.cli import main\nsys.exit(main(['serve', '--port', '0']))",
}


def _said(code: str, path: Path | None = None) -> str:
    """What a program prints at its end."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join([*([str(path)] if path else []), str(ROOT)])}
    command = [sys.executable, "-c", f"import sys\n{code}"]
    run = subprocess.run(command, env=environment, capture_output=True, text=True, check=False, timeout=120)
    assert run.returncode == 1
    return run.stderr


@pytest.mark.parametrize("use", USES)
@pytest.mark.parametrize("version", ["3.5.4", "4.4.0"])
def test_another_pyspark(use: str, version: str, tmp_path: Path) -> None:
    (tmp_path / "pyspark").mkdir()
    (tmp_path / "pyspark" / "__init__.py").touch()
    (tmp_path / "pyspark" / "version.py").write_text(f"__version__: str = '{version}'\n", encoding="utf-8")
    said = _said(USES[use], tmp_path)
    assert f"this is PySpark {version}\n  rule: winsql runs on Spark 4.0 to 4.3\n  hint: install another one" in said
    assert use == "the package" or "Traceback" not in said


@pytest.mark.parametrize("use", USES)
def test_no_pyspark(use: str) -> None:
    said = _said(f"sys.modules['pyspark'] = None\n{USES[use]}")
    assert "there is no PySpark in this Python environment" in said
    assert "hint: pip install 'winsql[spark]'" in said
    assert use == "the package" or "Traceback" not in said


def test_no_grpc() -> None:
    said = _said("""
import socket
from winsql.shell.cli import main
sys.modules["grpc"] = None
sys.modules["__main__"].__file__ = "program.py"  # without one PySpark takes the program for one of its doctests
with socket.create_server(("127.0.0.1", 0)) as listener:
    sys.exit(main(["--remote", f"sc://127.0.0.1:{listener.getsockname()[1]}", "-e", "SELECT 1"]))
""")
    assert "winsql: Spark did not start: [PACKAGE_NOT_INSTALLED] grpcio >= " in said
    assert "hint: pip install 'winsql[connect]'" in said
    assert "Traceback" not in said


def session(version: str, module: str = "pyspark.sql.connect.session") -> object:
    """An object of a class that is named as PySpark's."""
    return type("SparkSession", (), {"version": version, "__module__": module})()


@pytest.mark.parametrize("spark", [None, "spark", [], object(), session("4.3.0", "somewhere.else")])
def test_no_session(spark: object) -> None:
    with pytest.raises(WindowPlanError, match="is no Spark session that winsql knows"):
        winsql.sql(spark, "SELECT 1")  # type: ignore[arg-type]
    with pytest.raises(WindowPlanError, match="is no Spark session that winsql knows"):
        winsql.register(spark)  # type: ignore[arg-type]


def test_a_stopped_session_of_connect() -> None:
    spark: Any = session("4.3.0")
    supported.require_session(spark)
    type(spark).is_stopped = True
    for use in (winsql.register, lambda spark: winsql.sql(spark, "SELECT 1")):
        with pytest.raises(WindowPlanError, match="this Spark session has been stopped"):
            use(spark)


@pytest.mark.parametrize(
    ("client", "server", "message"),
    [
        ((4, 2), "4.1.3", "the server's Spark 4.1.3 is older than this PySpark 4.2"),
        ((4, 2), "3.5.1", "the session's Spark is 3.5.1"),
        ((4, 3), "4.4.0", "the session's Spark is 4.4.0"),
        ((4, 0), "vendor", "the session's Spark is vendor"),
    ],
)
def test_another_server(client: tuple[int, int], server: str, message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supported, "client_version", lambda: Version(*client))
    with pytest.raises(WindowPlanError, match=message):
        supported.require_session(session(server))


def test_a_newer_server_is_fine(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(supported, "client_version", lambda: Version(4, 1))
    supported.require_session(session("4.3.1"))


def test_a_command_without_java_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    from winsql.shell.version import versions

    monkeypatch.setenv("JAVA_HOME", "/nowhere")
    lines = dict(line.split(" ", 1) for line in versions().splitlines())
    assert list(lines) == ["winsql", "Spark", "Java", "Python"]
    assert lines["Java"] == "not found: /nowhere/bin/java of JAVA_HOME does not run"
