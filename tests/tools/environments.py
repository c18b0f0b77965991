"""Environments of the tools, which do not go together with the pins of the tests' own one: the Makefile makes them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]


def python_of(environment: str) -> Path:
    """The interpreter of `.venv/<environment>`, or of the folder that WINSQL_<ENVIRONMENT> names."""
    folder = Path(os.environ.get(f"WINSQL_{environment.upper()}", Path(sys.prefix) / environment))
    python = folder / "bin" / "python"
    if not python.exists():
        pytest.skip(f"{folder} is not there; make test-tools makes it")
    return python


def run(command: list[str | Path], cwd: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """A program of such an environment, with the winsql of these sources; its workers use the same interpreter."""
    folder = Path(command[0]).parent
    environment = {
        **{name: value for name, value in os.environ.items() if name != "SPARK_HOME"},  # its Spark is its own
        "PATH": os.pathsep.join([str(folder), os.environ["PATH"]]),
        "PYTHONPATH": str(ROOT),
        "PYSPARK_PYTHON": str(folder / "python"),
        "PYSPARK_DRIVER_PYTHON": str(folder / "python"),
        "SPARK_LOCAL_IP": "127.0.0.1",
        "DBT_SEND_ANONYMOUS_USAGE_STATS": "false",
        "SQLMESH__DISABLE_ANONYMIZED_ANALYTICS": "true",
        **more,
    }
    return subprocess.run(
        command, cwd=cwd, env=environment, stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
        stdin=subprocess.DEVNULL, text=True, check=False, timeout=500,
    )  # fmt: skip
