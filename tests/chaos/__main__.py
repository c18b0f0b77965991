"""`make chaos`: streams go on from crash points of all their micro-batches, and have each row once.

python tests/chaos [--points N] [--only NAME] [--seed S]
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from pathlib import Path

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "spark")]

from chaos.check import Campaign, put_inputs  # noqa: E402
from chaos.queries import QUERIES, new_session  # noqa: E402
from chaos.record import record  # noqa: E402


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=1000, help="crash points at most")
    parser.add_argument("--only", choices=QUERIES, action="append", help="this stream; may be given again")
    parser.add_argument("--seed", type=int, default=1, help="which of the recorded points are taken")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="chaos") as folder:
        return run(Path(folder), asked.only or list(QUERIES), asked.points, asked.seed)


def run(folder: Path, names: list[str], most: int, seed: int) -> int:
    """Record, choose and check; returns how many crash points were wrong."""
    put_inputs(folder)
    recorded = record(folder, names)
    points = [(name, point) for name, found in recorded.items() for point in found]
    counts = ", ".join(f"{name} {len(found)}" for name, found in recorded.items())
    print(f"{len(points)} crash points recorded: {counts}", flush=True)
    chosen = sorted(random.Random(seed).sample(points, min(most, len(points))))
    campaign, wrong, begun = Campaign(new_session(folder / "warehouse"), folder), 0, time.monotonic()
    for name, point in chosen:
        problem = campaign.check(name, point)
        if problem is not None:
            wrong += 1
            print(f"{name} {point.name}: {problem}", flush=True)
    seconds = time.monotonic() - begun
    print(
        f"{len(chosen)} crash points of {len(names)} streams checked in {seconds:.0f} s: {wrong} wrong, "
        f"{campaign.begun_anew} before the first micro-batch was noted"
    )
    return wrong


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
