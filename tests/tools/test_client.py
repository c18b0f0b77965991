"""winsql with pyspark-client, which has no JVM, and a server that has no winsql."""

from __future__ import annotations

from pathlib import Path

import pytest
from environments import python_of, run

pytestmark = [pytest.mark.slow, pytest.mark.spark]

PRINTED = "k   n\n-  --\n0  20\n0  70\n1  25\n1  75\n"


def test_every_use(server: str, tmp_path: Path) -> None:
    tmp_path.chmod(0o777)
    program = Path(__file__).parent / "client_program.py"
    done = run([python_of("client"), program, server, tmp_path], tmp_path)
    assert done.returncode == 0, done.stdout[-6000:]
    assert done.stdout.endswith("all done\n")
    assert PRINTED in done.stdout
    assert "pyspark-client has no Spark to start, only a client of Spark Connect" in done.stdout
