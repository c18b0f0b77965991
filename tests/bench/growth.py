"""How speed grows: with keys, key groups, windows per row, cores, micro-batches and state, and where half of the
rows have one key; how long rows take to the sink; bytes of state.

Each point is compared with the first of its curve. Time per row should stay within 1.3 times from 100 to 1,000,000
keys and from 1 to 60 windows per row, time per micro-batch over 200 of them; two cores should give 1.6 times the rows
of one. A key with half of the rows keeps one core busy alone, and should take no more memory.
"""

from __future__ import annotations

import statistics
from collections.abc import Callable, Container, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from bench.child import Child
from bench.workloads import PASS_THROUGH, Engine, Mode

KEYS = (100, 10_000, 1_000_000)
KEY_GROUPS = (4, 16, 128)
WINDOWS = {1: "tumbling", 10: "sliding", 60: "sliding60"}
ON_CORES = ("tumbling", "sliding_count")
TABLE_RUNS = 3
SKEWED = ("sliding_count", "session")
STATE_BATCHES = 16
RATES = (10_000, 100_000)
LATENCY_WORKLOADS = ("tumbling", "session", "count", "sliding_count")
LATENCY_BATCHES = 14
_WARM_UP = 2

Point = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Size:
    """Rows of a table, micro-batches of the run over many, and rows of a micro-batch of the run whose state grows."""

    rows: int
    batches: int
    state_rows: int


FULL, QUICK = Size(2_000_000, 200, 1_000_000), Size(200_000, 20, 100_000)


def growth(log: Path, quick: bool, names: Container[str] = ()) -> list[Point]:
    """Points of the curves of these names, by default of all; a quick run has a tenth of rows and micro-batches."""
    size, names = QUICK if quick else FULL, names or CURVES
    with Child(log) as child:
        points = [point for name, curve in _IN_ONE_SESSION.items() if name in names for point in curve(child, size)]
    return points + [point for name, curve in _IN_SOME.items() if name in names for point in curve(log, size)]


def latency(log: Path) -> list[Point]:
    """Seconds from the start of a micro-batch, one each second, to its commit after the sink; and the state then."""
    points = []
    with Child(log) as child:
        for name in LATENCY_WORKLOADS:
            for rate in RATES:
                task = _task(Mode.STREAM, name, rate, batches=LATENCY_BATCHES, interval=1, with_state=True)
                run = child.run(**task)
                seconds = sorted(ms / 1000 for ms in run["batch_ms"][_WARM_UP:])
                state = run["state_bytes"] / max(run["open_windows"], 1)
                point = f"{rate:,} rows/s"
                points.append(_point("latency", name, Mode.STREAM, point, statistics.median(seconds), "s, median"))
                points.append(_point("latency", name, Mode.STREAM, point, seconds[-1], "s, longest"))
                points.append(_point("state", name, Mode.STREAM, point, state, "bytes per open window"))
    return points


def table(points: list[Point]) -> str:
    """Aligned columns, each point beside its ratio to the first of its curve."""
    firsts: dict[tuple[str, ...], float] = {}
    lines = [f"{'curve':18} {'workload':14} {'mode':7} {'at':16} {'found':>14} {'unit':22} {'to the first':>12}"]
    for p in points:
        curve = (p["curve"], p["mode"], p["unit"], p["workload"] if p["curve"] != "windows per row" else "")
        first = firsts.setdefault(curve, p["value"])
        ratio = p["value"] / first if first else 1
        value = f"{p['value']:,.2f}" if p["value"] < 1000 else f"{p['value']:,.0f}"
        lines.append(
            f"{p['curve']:18} {p['workload']:14} {p['mode']:7} {p['at']:16} {value:>14} {p['unit']:22} {ratio:>11.2f}x"
        )
    return "\n".join(lines)


def _by_keys(child: Child, size: Size) -> Iterator[Point]:
    for mode in Mode:
        for keys in KEYS:
            run = child.run(**_task(mode, "tumbling", _rows(mode, size), keys=keys, runs=_runs(mode)))
            yield _point("keys", "tumbling", mode, f"{keys:,} keys", _micros(run), "us per row")
    # what as many result rows cost without windows
    run = child.run(**_task(Mode.STREAM, PASS_THROUGH, _rows(Mode.STREAM, size), keys=KEYS[-1]))
    yield _point("keys", "tumbling", Mode.STREAM, "passed through", _micros(run), "us per row")


def _by_windows(child: Child, size: Size) -> Iterator[Point]:
    for mode in Mode:
        for windows, name in WINDOWS.items():
            run = child.run(**_task(mode, name, _rows(mode, size), runs=_runs(mode)))
            yield _point("windows per row", name, mode, f"{windows} windows", _micros(run), "us per row")


def _by_key_groups(child: Child, size: Size) -> Iterator[Point]:
    for groups in KEY_GROUPS:
        run = child.run(**_task(Mode.STREAM, "tumbling", _rows(Mode.STREAM, size), key_groups=groups))
        yield _point("key groups", "tumbling", Mode.STREAM, f"{groups // 2} a partition", _micros(run), "us per row")


def _over_batches(child: Child, size: Size) -> Iterator[Point]:
    batches = size.batches
    run = child.run(**_task(Mode.STREAM, "lateness", 100_000, batches=batches))
    times = run["batch_ms"][_WARM_UP:]
    tenth = max(len(times) // 10, 3)
    for label, part in (("first", times[:tenth]), ("last", times[-tenth:])):
        at = f"{label} {tenth} of {batches}"
        yield _point("micro-batches", "lateness", Mode.STREAM, at, statistics.median(part), "ms, median")


def _over_state(child: Child, size: Size) -> Iterator[Point]:
    """Each row has a key of its own and its window stays open: the state grows, and each micro-batch touches all of
    it, as the rows go to all buckets."""
    rows = size.state_rows
    more = {"keys": 8 * rows * STATE_BATCHES, "pace": 0, "batches": STATE_BATCHES, "with_state": True}
    run = child.run(**_task(Mode.STREAM, "tumbling", rows, **more))
    for number in (2, STATE_BATCHES // 2, STATE_BATCHES):
        at = f"{run['state_bytes'] * number / STATE_BATCHES / 1e6:,.0f} MB"
        milliseconds = statistics.median(run["batch_ms"][number - 2 : number])
        yield _point("state", "tumbling", Mode.STREAM, at, milliseconds / rows * 1000, "us per row")
    yield _point("state", "tumbling", Mode.STREAM, at, run["state_bytes"] / run["open_windows"], "bytes per window")


def _by_skew(log: Path, size: Size) -> Iterator[Point]:
    """Each in a session of its own: a JVM keeps the memory that earlier queries made it take."""
    for mode in Mode:
        for name in SKEWED:
            for skewed in (False, True):
                with Child(log) as child:
                    run = child.run(**_task(mode, name, _rows(mode, size), skewed=skewed))
                at = "half in one key" if skewed else "even"
                yield _point("skew", name, mode, at, _micros(run), "us per row")
                yield _point("skew", name, mode, at, run["peak_mb"], "MB")


def _by_cores(log: Path, size: Size) -> Iterator[Point]:
    """Both sessions take turns, so that what else the machine does meets both; their first turn warms them up."""
    with Child(log, 1) as one, Child(log, 2) as two:
        for mode in Mode:
            for name in ON_CORES:
                task = _task(mode, name, 2 * _rows(mode, size), runs=_runs(mode))
                for child in (one, two):
                    child.run(**task)
                for cores, child in ((1, one), (2, two)):
                    speed = statistics.median(child.run(**task)["rows_per_s"])
                    yield _point("cores", name, mode, f"{cores} cores", speed, "rows/s")


def _task(mode: Mode, workload: str, rows: int, **more: Any) -> dict[str, Any]:
    return {"engine": Engine.WINSQL, "mode": mode, "workload": workload, "rows": rows, **more}


def _rows(mode: Mode, size: Size) -> int:
    return size.rows if mode is Mode.BATCH else size.rows // 2


def _runs(mode: Mode) -> int:
    """A table's run is one measurement, a stream's has several micro-batches."""
    return TABLE_RUNS if mode is Mode.BATCH else 1


def _micros(run: dict[str, Any]) -> float:
    return 1e6 / statistics.median(run["rows_per_s"])


def _point(curve: str, workload: str, mode: Mode, at: str, value: float, unit: str) -> Point:
    return {"curve": curve, "workload": workload, "mode": mode.value, "at": at, "value": value, "unit": unit}


_IN_ONE_SESSION: dict[str, Callable[[Child, Size], Iterator[Point]]] = {
    "keys": _by_keys,
    "windows": _by_windows,
    "batches": _over_batches,
    "groups": _by_key_groups,
    "state": _over_state,
}
_IN_SOME: dict[str, Callable[[Path, Size], Iterator[Point]]] = {"skew": _by_skew, "cores": _by_cores}
CURVES = (*_IN_ONE_SESSION, *_IN_SOME)
"""What grows."""
