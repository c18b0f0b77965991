"""A part of the campaign of `make chaos`."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HERE = Path(__file__).resolve().parent
OTHERS = ["--disks", "2", "--hostile", "12", "--large", "1", "--streams", "3", "--mutated", "300"]


@pytest.mark.slow
@pytest.mark.spark
@pytest.mark.timeout(1800)
def test_a_part_of_the_campaign(tmp_path: Path) -> None:
    names = [part for name in ("lateness", "upserts") for part in ("--only", name)]
    root = os.pathsep.join([str(HERE.parents[1]), os.environ.get("PYTHONPATH", "")])
    with (tmp_path / "log").open("w", encoding="utf-8") as log:
        done = subprocess.run(
            [sys.executable, str(HERE), "--points", "12", *names, *OTHERS],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": root, "TMPDIR": str(tmp_path)},
        )
    assert done.returncode == 0, done.stdout + (tmp_path / "log").read_text(encoding="utf-8")[-2000:]
    assert "12 crash points of 2 streams in" in done.stdout
