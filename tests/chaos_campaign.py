"""The campaign of `make chaos` as a process of its own."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

CHAOS = Path(__file__).resolve().parent / "chaos"
PARTS = ("points", "disks", "hostile", "large", "streams", "mutated", "queries")


def run_campaign(folder: Path, **counts: int) -> str:
    """What it prints, with `counts` of each part and none of the others; fails where anything is wrong."""
    options = [word for part in PARTS for word in (f"--{part}", str(counts.get(part, 0)))]
    root = os.pathsep.join([str(CHAOS.parents[1]), os.environ.get("PYTHONPATH", "")])
    with (folder / "log").open("w", encoding="utf-8") as log:
        done = subprocess.run(
            [sys.executable, str(CHAOS), *options],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
            check=False,
            env={**os.environ, "PYTHONPATH": root, "TMPDIR": str(folder)},
        )
    assert done.returncode == 0, done.stdout + (folder / "log").read_text(encoding="utf-8")[-2000:]
    assert len(re.findall(r" in \d+ s: ", done.stdout)) <= len(counts), done.stdout  # a part that is not in PARTS
    return done.stdout
