"""A server of Spark Connect in a process of its own, whose Python has no winsql."""

from __future__ import annotations

import os
import socket
import subprocess
import sysconfig
import time
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pyspark

SERVER = "org.apache.spark.sql.connect.service.SparkConnectServer"
SECONDS = 120
ENVIRONMENT = {k: v for k, v in os.environ.items() if k not in ("PYTHONPATH", "SPARK_REMOTE", "SPARK_TESTING")}


@contextmanager
def connect_server(folder: Path) -> Iterator[str]:
    """The server's URL. `folder` is empty and gets its tables, its log and the environment of its workers."""
    python = _environment(folder / "environment")
    home = Path(pyspark.__file__).parent
    port = _free_port()
    settings = {
        "spark.connect.grpc.binding.port": port,
        "spark.connect.grpc.binding.address": "127.0.0.1",
        "spark.ui.enabled": "false",
        "spark.sql.warehouse.dir": folder / "warehouse",
        "spark.log.level": "ERROR",
    }
    arguments = [part for name, value in settings.items() for part in ("--conf", f"{name}={value}")]
    command = [home / "bin" / "spark-submit", "--class", SERVER, "--master", "local[2]", *arguments, "spark-internal"]
    environment = {**ENVIRONMENT, "SPARK_HOME": str(home), "PYSPARK_PYTHON": str(python), "SPARK_LOCAL_IP": "127.0.0.1"}
    with (folder / "log").open("w") as log:
        server = subprocess.Popen(command, cwd=folder, env=environment, stdout=log, stderr=subprocess.STDOUT)
        try:
            _await(server, port, folder / "log")
            yield f"sc://127.0.0.1:{port}"
        finally:
            server.terminate()
            server.wait(60)


def _environment(folder: Path) -> Path:
    """The packages of the tests' environment, but none that is installed in place, as winsql is."""
    venv.create(folder, with_pip=False, symlinks=True)
    (site_packages,) = folder.glob("lib/python*/site-packages")
    (site_packages / "lent.pth").write_text(sysconfig.get_path("purelib") + "\n", encoding="utf-8")
    python = folder / "bin" / "python"
    program = "import pyspark, pandas, pyarrow, winsql"
    found = subprocess.run([python, "-c", program], cwd=folder, env=ENVIRONMENT, capture_output=True, check=False)
    assert b"No module named 'winsql'" in found.stderr
    return python


def _free_port() -> int:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port: int = taken.getsockname()[1]
        return port


def _await(server: subprocess.Popen[bytes], port: int, log: Path) -> None:
    until = time.monotonic() + SECONDS
    while time.monotonic() < until and server.poll() is None:
        with socket.socket() as client:
            if client.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.2)
    raise AssertionError(log.read_text(encoding="utf-8")[-4000:])
