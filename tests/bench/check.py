"""The exact run: small, every result row compared with Flink's, also where the order of rows matters.

Both sides have one source, so that the rows of a key come in the order of their number. Flink's watermark follows
every block of rows, as Spark's follows every micro-batch. For a table Flink reads the rows sorted by event time (those
of COUNT as they are) and learns of the end only; CONTINUOUS_EVENT_TIME, whose timers differ there, runs in Flink's
batch mode. The checksum of a run is a sum over its rows of a number that depends on key, window end, sum and count
together.
"""

from __future__ import annotations

from typing import Any

from bench.child import Child, ChildFailed
from bench.peer import FlinkPeer
from bench.workloads import CHECKSUMS, CLOSING_ROWS, Engine, Events, Mode, Workload

EVENTS = Events(rows=40_000 - CLOSING_ROWS, keys=50, pace=50)
"""200 seconds of event time, ten times as sparse in each key as the measured rows are."""
_COMPARED = (*CHECKSUMS, "rows_checksum")


def check(workloads: list[Workload], child: Child, peer: FlinkPeer, blocks: int) -> dict[tuple[str, Mode], str]:
    """For each workload and mode `equal`, or what differs or failed; streams come in so many micro-batches."""
    block = (EVENTS.rows + CLOSING_ROWS) // blocks
    names = [workload.name for workload in workloads]
    of_flink = peer.check(names, EVENTS.rows, EVENTS.keys, EVENTS.pace, block)  # at the same time: nothing is timed
    ours = {(workload, mode): _run(child, workload, mode, blocks) for workload in workloads for mode in Mode}
    flink = {(run["workload"], run["sorted"]): run for run in of_flink()}
    verdicts = {}
    for (workload, mode), run in ours.items():
        in_time_order = mode is Mode.BATCH and workload.in_time_order
        verdicts[workload.name, mode] = _verdict(run, flink[workload.name, in_time_order])
    return verdicts


def _run(child: Child, workload: Workload, mode: Mode, blocks: int) -> dict[str, Any] | str:
    """Of winsql; a text when it failed."""
    rows = (EVENTS.rows + CLOSING_ROWS) // blocks if mode is Mode.STREAM else EVENTS.rows
    task = {"engine": Engine.WINSQL, "mode": mode, "workload": workload.name, "rows": rows, "keys": EVENTS.keys}
    try:
        return child.run(**task, pace=EVENTS.pace, batches=blocks, in_order=True)
    except ChildFailed as failure:
        return str(failure)


def _verdict(ours: dict[str, Any] | str, flink: dict[str, Any]) -> str:
    if isinstance(ours, str):
        return ours
    different = [f"{name} {ours[name]} instead of {flink[name]}" for name in _COMPARED if ours[name] != flink[name]]
    return ", ".join(different) or "equal"
