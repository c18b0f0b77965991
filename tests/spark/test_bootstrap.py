"""What a stream runs finds winsql in workers that do not have it, and are not told where the session's code is."""

from __future__ import annotations

import subprocess
import sys
from functools import partial
from pathlib import Path

import pytest
from pyspark import cloudpickle
from test_cluster import HIDING

from winsql.spark.streaming import bootstrap
from winsql.spark.streaming.bootstrap import PortableFunction
from winsql.spark.streaming.packing import Kind, unpack

WORKER = f"""
{HIDING}
import importlib.util, pickle, sys
assert importlib.util.find_spec("winsql") is None, "winsql is installed here"
function = pickle.loads(open(sys.argv[1], "rb").read())
assert list(function([])) == []
print(sys.modules["winsql"].__file__, "numpy" in sys.modules)
"""


@pytest.mark.parametrize("is_remote", [False, True])
def test_a_function_brings_winsql_along(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, is_remote: bool) -> None:
    """In the process of a classic session it takes winsql from the driver's folder; on Connect there is none."""
    monkeypatch.setattr(bootstrap, "is_remote", lambda: is_remote)
    if is_remote:
        monkeypatch.setattr(bootstrap, "__file__", "/nowhere/winsql/spark/streaming/bootstrap.py")
    pickled = tmp_path / "function"
    pickled.write_bytes(cloudpickle.dumps(PortableFunction(partial(unpack, Kind.FIRINGS))))
    program = tmp_path / "program.py"
    program.write_text(WORKER)
    command = [sys.executable, str(program), str(pickled)]
    environment = {"PATH": ""}
    run = subprocess.run(
        command, cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=60, check=False
    )
    assert run.returncode == 0, run.stderr
    origin = "winsql/__init__.py" if is_remote else str(Path(bootstrap.__file__).parents[2] / "__init__.py")
    assert run.stdout.split()[0] == origin
