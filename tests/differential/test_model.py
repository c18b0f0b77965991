"""The model against Apache Flink: the recorded cases of the windows that the generator draws, tables and streams."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest
from differential.expressions import Column
from differential.firing import INFINITY, Arrived, Watermark, firings
from differential.values import DOUBLE, INT
from differential.windows import (
    Continuous,
    CountTrigger,
    Delta,
    EndOfStream,
    EventTime,
    Global,
    KeepLast,
    KeepNear,
    KeepNewest,
    Purging,
    Session,
    Sliding,
    Tumbling,
    Windowing,
)

CASES = Path(__file__).resolve().parents[1] / "conformance"
TIME, VALUE, GAP = Column(INT, "time"), Column(DOUBLE, "value"), Column(INT, "gap")

ASSIGNERS = {
    "tumbling": lambda a: Tumbling(TIME, a["size"], a["offset"]),
    "sliding": lambda a: Sliding(TIME, a["size"], a["slide"], a["offset"]),
    "session": lambda a: Session(TIME, a["gap"]),
    "dynamic_session": lambda a: Session(TIME, GAP),
    "global": lambda a: Global(TIME),
}
TRIGGERS = {
    "event_time": lambda t: EventTime(),
    "end_of_stream": lambda t: EndOfStream(),
    "count": lambda t: CountTrigger(t["n"]),
    "continuous_event_time": lambda t: Continuous(t["interval"]),
    "delta": lambda t: Delta(VALUE, t["threshold"]),
    "purging": lambda t: Purging(trigger(t["inner"])),
}
EVICTORS = {
    "count": lambda e: KeepLast(e["n"]),
    "time": lambda e: KeepNewest(e["window"]),
    "delta": lambda e: KeepNear(VALUE, e["threshold"]),
}


def trigger(record: Any) -> Any:
    return None if record is None else TRIGGERS[record["type"]](record)


def is_drawn(case: Any) -> bool:
    """Whether the generator has such windows."""
    text = json.dumps({**case, "steps": [], "expected": None})
    kinds = [case["assigner"]["type"], case["assigner"].get("time", "event")]
    if any(word in text for word in ("processing", '"diff"', '"never"', "stagger", "end_of_stream")):
        return False
    if "merge_order" in text or "lost_contents" in text or "unstable_sort" in text or case.get("join"):
        return False
    if case["expected"]["error"] or kinds[0] not in ASSIGNERS or case["function"] != "list":
        return False
    if kinds[0] == "global" and (case["trigger"] is None or "continuous" in text):
        return False
    if case["name"].startswith("extreme") or "no_timestamps" in case["name"]:
        return False
    return not ("continuous" in text and "session" in kinds[0])


def steps_of(case: Any) -> list[tuple[Any, Any]]:
    """Key (None: of all keys) and step."""
    found: list[tuple[Any, Any]] = []
    for step in case["steps"]:
        if "e" in step:
            key, time, value = step["e"]
            key = "all" if case.get("via") == "windowAll" else key
            found.append((key, Arrived(time, {TIME: time, VALUE: value, GAP: step.get("g")})))
        elif "wm" in step:
            found.append((None, Watermark(step["wm"])))
    if case.get("mode") == "batch":
        found.sort(key=lambda item: item[1].time)
    return found + ([(None, Watermark(INFINITY, case.get("mode") == "batch"))] if case["finish"] else [])


def fired(case: Any) -> Counter[Any]:
    record = case["evictor"]
    evictor = None if record is None else EVICTORS[record["type"]](record)
    assigner = ASSIGNERS[case["assigner"]["type"]](case["assigner"])
    after = record is not None and record["after"]
    windowing = Windowing(assigner, trigger(case["trigger"]), evictor, after, case["allowed_lateness"])
    steps = steps_of(case)
    found: Counter[Any] = Counter()
    for own in {key for key, _ in steps if key is not None}:
        for firing in firings(windowing, [step for key, step in steps if key in (own, None)]):
            bounds = firing.window if windowing.has_time else (None, None)
            found[own, *bounds, *(row.known[VALUE] for row in firing.rows)] += 1
    return found


@pytest.mark.parametrize("folder", ["cases", "batch_cases"])
def test_the_model_gives_what_flink_gave(folder: str) -> None:
    lines = [line for path in sorted((CASES / folder).glob("*.jsonl")) for line in path.read_text().splitlines()]
    cases = [case for case in map(json.loads, lines) if is_drawn(case)]
    assert len(cases) > 100
    wrong = [
        case["name"]
        for case in cases
        if fired(case) != Counter((r["key"], r["start"], r["end"], *r["out"]) for r in case["expected"]["main"])
    ]
    assert not wrong
