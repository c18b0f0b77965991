"""`make chaos`: streams go on from crash points and when their disk was full, hostile and large tables, mutated
statements, random queries over windows.

    python tests/chaos [--points N] [--only NAME] [--disks N] [--hostile N] [--large N] [--streams N] [--mutated N]
        [--queries N] [--seed S]

Each failure is printed with what repeats it; the exit code is 1 where there is one.
"""

from __future__ import annotations

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from itertools import islice, zip_longest
from pathlib import Path
from typing import TYPE_CHECKING

HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(HERE.parent), str(HERE.parent / "spark"), str(HERE.parent / "spellings")]

from chaos.check import AT_ONCE, Campaign, put_inputs  # noqa: E402
from chaos.disks import can_mount, check_disks  # noqa: E402
from chaos.hostile import check_hostile  # noqa: E402
from chaos.hostile_streams import STREAM_WINDOWS, check_hostile_streams  # noqa: E402
from chaos.large import LARGE, check_large  # noqa: E402
from chaos.mutated import check_mutated  # noqa: E402
from chaos.queries import QUERIES, new_session  # noqa: E402
from chaos.record import record  # noqa: E402
from check_drawn import check_drawn  # noqa: E402

import winsql  # noqa: E402

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

LIMIT = 120.0
"""Seconds that a plan of a statement over a hostile table may take."""


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--points", type=int, default=1_000, help="crash points at most")
    parser.add_argument("--only", choices=QUERIES, action="append", help="crash points of this stream; may be repeated")
    parser.add_argument("--disks", type=int, default=40, help="streams whose disk is full or read-only at some moment")
    parser.add_argument("--hostile", type=int, default=1_000, help="hostile tables")
    parser.add_argument("--large", type=int, default=len(LARGE), help="statements over 2,000,000 rows of one key")
    streams = len(STREAM_WINDOWS)
    parser.add_argument("--streams", type=int, default=streams, help="statements over hostile tables as streams")
    parser.add_argument("--mutated", type=int, default=10_000, help="mutated statements")
    parser.add_argument("--queries", type=int, default=100, help="random queries over windows, on tables and streams")
    parser.add_argument("--seed", type=int, default=1, help="another one tries others")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="chaos") as folder:
        return run(Path(folder), asked)


def run(folder: Path, asked: argparse.Namespace) -> int:
    """All parts; returns how much was wrong."""
    put_inputs(folder)
    points = _recorded(folder, asked) if asked.points else []
    spark = new_session(folder)
    wrong = _points(spark, folder, points) if points else 0
    if asked.disks and can_mount(folder):
        wrong += _told("disks", asked.disks, lambda: check_disks(spark, folder / "disks", asked.disks, asked.seed))
    elif asked.disks:
        print("no disks: this user may not mount file systems", flush=True)
    if asked.hostile:
        wrong += _told("hostile tables", asked.hostile, lambda: check_hostile(spark, asked.hostile, asked.seed, LIMIT))
    if asked.large:
        wrong += _told(
            "statements over 2,000,000 rows of one key", asked.large, partial(check_large, spark, asked.large, LIMIT)
        )
    if asked.streams:
        windows = random.Random(asked.seed).sample(STREAM_WINDOWS, min(asked.streams, len(STREAM_WINDOWS)))
        check = partial(check_hostile_streams, spark, folder / "hostile", windows, asked.seed)
        wrong += _told("statements over hostile streams", len(windows), check)
    if asked.mutated:
        wrong += _told("mutated statements", asked.mutated, lambda: check_mutated(spark, asked.mutated, asked.seed))
    if asked.queries:
        first = 1_000 * asked.seed
        check = partial(_drawn, spark, folder / "drawn", range(first, first + asked.queries))
        wrong += _told("random queries over windows", asked.queries, check)
    return wrong


def _recorded(folder: Path, asked: argparse.Namespace) -> list[tuple[str, Path]]:
    """As many crash points as are asked for, of as many streams."""
    streams = random.Random(asked.seed).sample([*QUERIES], min(asked.points, len(QUERIES)))
    recorded = record(folder, asked.only or sorted(streams))
    counts = ", ".join(f"{name} {len(found)}" for name, found in recorded.items())
    print(f"{sum(map(len, recorded.values()))} crash points recorded: {counts}", flush=True)
    rng = random.Random(asked.seed)
    mixed = [[(name, point) for point in rng.sample(found, len(found))] for name, found in recorded.items()]
    turns = (point for turn in zip_longest(*mixed) for point in turn if point is not None)  # of each stream some
    return sorted(islice(turns, asked.points))


def _points(spark: SparkSession, folder: Path, points: list[tuple[str, Path]]) -> int:
    """Go on from all of them, with several streams at the same time."""
    begun, names = time.monotonic(), sorted({name for name, _ in points})
    with ThreadPoolExecutor(AT_ONCE) as pool:
        done = list(pool.map(lambda name: _of_stream(spark, folder, name, points), names))
    seconds = time.monotonic() - begun
    wrong, begun_anew = (sum(counts) for counts in zip(*done, strict=True))
    print(
        f"{len(points)} crash points of {len(names)} streams in {seconds:.0f} s: {wrong} wrong, "
        f"{begun_anew} before the first micro-batch was noted",
        flush=True,
    )
    return wrong


def _of_stream(spark: SparkSession, folder: Path, name: str, points: list[tuple[str, Path]]) -> tuple[int, int]:
    """How many of its crash points were wrong, and how many began anew."""
    own, wrong = [point for stream, point in points if stream == name], 0
    campaign = Campaign(spark.newSession(), folder, name, len(own))
    for point in own:
        problem = campaign.check(point)
        if problem is not None:
            wrong += 1
            print(f"{name} {point.name}: {problem}", flush=True)
    return wrong, campaign.begun_anew


def _drawn(spark: SparkSession, folder: Path, seeds: range) -> list[str]:
    winsql.register(spark)
    found = check_drawn(spark, folder, seeds)
    winsql.unregister(spark)
    print(f"{len(found.refused)} refused on streams, {len(found.left_out)} that Spark alone cannot run", flush=True)
    return [f"query {seed}: {wrong}" for seed, wrong in found.wrong.items()]


def _told(what: str, count: int, check: Callable[[], list[str]]) -> int:
    begun = time.monotonic()
    wrong = check()
    seconds = time.monotonic() - begun
    print("\n".join([*wrong, f"{count} {what} in {seconds:.0f} s: {len(wrong)} wrong"]), flush=True)
    return len(wrong)


if __name__ == "__main__":
    sys.exit(1 if main() else 0)
