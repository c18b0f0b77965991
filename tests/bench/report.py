"""The table of a run: speeds side by side, ratios, targets, and whether the checksums agree."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from enum import Enum
from typing import Any

from bench.workloads import FLOOR, WORKLOADS, Engine, Mode, Target

EQUAL = "equal"


class Verdict(Enum):
    """How a ratio compares with its target."""

    MET = "met"
    FIRST_STEP = "first step"
    MISSED = "missed"
    UNKNOWN = ""


@dataclass(slots=True)
class Row:
    """One workload in one mode; speeds are rows per second, one for each run.

    checksums   for each engine `equal`, or what differs from the numbers that expected.py computes
    exact       `equal`, or how the small run with whole result rows differs from Flink's; empty when there was none
    failure     why there is no speed of winsql's
    load        the machine's load average when the workload began
    warm_s      seconds until the micro-batches of the stream took the same time, `is_steady` False: they never did
    cpu_us      microseconds of a core for a row of the stream
    floor       rows per second of Spark alone, without a window
    """

    workload: str
    mode: Mode
    speeds: dict[Engine, list[float]] = field(default_factory=dict)
    checksums: dict[Engine, str] = field(default_factory=dict)
    exact: str = ""
    failure: str = ""
    peak_mb: int = 0
    load: float = 0
    warm_s: float | None = None
    is_steady: bool = False
    cpu_us: float | None = None
    floor: float | None = None

    def speed(self, engine: Engine) -> float | None:
        """The middle of the engine's runs; None where there is none."""
        speeds = self.speeds.get(engine)
        return statistics.median(speeds) if speeds else None

    @property
    def target(self) -> Target | None:
        return None if self.workload == FLOOR else WORKLOADS[self.workload].target(self.mode)

    @property
    def ratio(self) -> float | None:
        """The middle of winsql's runs against the best of Flink's."""
        ours, flink = self.speed(Engine.WINSQL), self.speeds.get(Engine.FLINK)
        return ours / max(flink) if ours and flink else None

    @property
    def verdict(self) -> Verdict:
        if self.ratio is None or self.target is None:
            return Verdict.UNKNOWN
        if self.ratio >= self.target.goal:
            return Verdict.MET
        has_first = self.target.first is not None and self.ratio >= self.target.first
        return Verdict.FIRST_STEP if has_first else Verdict.MISSED


def compare(found: Mapping[str, Any], wanted: Mapping[str, int]) -> str:
    """`equal`, or which checksums differ and how."""
    different = [f"{name} {found[name]} instead of {value}" for name, value in wanted.items() if found[name] != value]
    return ", ".join(different) or EQUAL


def problems(rows: Sequence[Row]) -> list[str]:
    """What makes a run fail: a workload that could not be measured, or gave other rows than Flink or than it must.

    Spark's own SQL may give other rows: it is no part of the comparison then.
    """
    found = []
    for row in rows:
        wrong = [(engine.value, said) for engine, said in row.checksums.items() if engine is not Engine.SPARK]
        wrong += [("exact run", row.exact or EQUAL), ("run", row.failure or EQUAL)]
        found += [f"{row.workload}, {row.mode.value}, {what}: {said}" for what, said in wrong if said != EQUAL]
    return found


def as_json(row: Row) -> dict[str, Any]:
    """The row with what follows from it."""
    plain = asdict(row)
    for name in ("speeds", "checksums"):
        plain[name] = {engine.value: value for engine, value in plain[name].items()}
    derived = {"ratio": row.ratio, "target": str(row.target or ""), "verdict": row.verdict.value}
    return {**plain, "mode": row.mode.value, **derived}


def table(rows: Sequence[Row]) -> str:
    """A Markdown table; speeds in millions of rows per second."""
    cells = [_HEAD, *(_cells(row) for row in rows)]
    widths = [max(len(line[column]) for line in cells) for column in range(len(_HEAD))]
    lines = [[cell.ljust(width) for cell, width in zip(line, widths, strict=True)] for line in cells]
    lines.insert(1, ["-" * width for width in widths])
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


_HEAD = [
    "workload", "mode", "winsql M/s", "min-max", "Flink M/s", "Spark M/s", "ratio", "target", "verdict", "checksums",
    "exact run", "MB", "load", "to Spark", "to floor", "warm s", "us/row",
]  # fmt: skip


def _cells(row: Row) -> list[str]:
    ours = row.speeds.get(Engine.WINSQL, [])
    speed, spark = row.speed(Engine.WINSQL), row.speed(Engine.SPARK)
    return [
        row.workload,
        row.mode.value,
        "failed" if speed is None else _millions([speed]),
        f"{_millions([min(ours)])}-{_millions([max(ours)])}" if ours else "",
        _millions(row.speeds.get(Engine.FLINK, [])),
        "" if spark is None else _millions([spark]),
        "" if row.ratio is None else f"{row.ratio:.2f}x",
        str(row.target or ""),
        row.verdict.value,
        _agreement(row),
        row.exact if row.exact in ("", EQUAL) else "DIFFERS",
        str(row.peak_mb),
        f"{row.load:.1f}",
        _times(speed, spark),
        _times(speed, row.floor),
        "" if row.warm_s is None else f"{row.warm_s:.0f}" if row.is_steady else f"not in {row.warm_s:.0f}",
        "" if row.cpu_us is None else f"{row.cpu_us:.2f}",
    ]


def _times(speed: float | None, other: float | None) -> str:
    return f"{speed / other:.2f}x" if speed and other else ""


def _agreement(row: Row) -> str:
    if row.workload == FLOOR:
        return ""
    said = [value for engine, value in row.checksums.items() if engine is not Engine.SPARK]
    if not said:
        return ""
    if any(value != EQUAL for value in said):
        return "DIFFER"
    compared = WORKLOADS[row.workload].compared
    return EQUAL if len(compared) == 3 else f"equal ({', '.join(compared)})" if compared else "by order"


def _millions(speeds: Sequence[float]) -> str:
    return " / ".join(f"{speed / 1e6:.3f}" for speed in speeds)
