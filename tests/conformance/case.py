"""A conformance case as winsql's own objects; the fields are those of `cases/README.md`."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from winsql.model.assigners import Assigner, GlobalWindows, SessionWindows, SlidingWindows, TumblingWindows
from winsql.model.base import FIRST_OPERAND, Operand, TimeAttribute, TimeDomain
from winsql.model.evictors import CountEvictor, DeltaEvictor, Evictor, TimeEvictor
from winsql.model.nested_triggers import ProcessingTimeoutTrigger, PurgingTrigger
from winsql.model.query import WindowSpec
from winsql.model.triggers import (
    ContinuousEventTimeTrigger,
    ContinuousProcessingTimeTrigger,
    CountTrigger,
    DeltaTrigger,
    EndOfStreamTrigger,
    EventTimeTrigger,
    NeverTrigger,
    ProcessingTimeTrigger,
    Trigger,
)

VALUE = Operand("value", FIRST_OPERAND)
GAP = Operand("gap", FIRST_OPERAND + 1)
SIDE = Operand("side", FIRST_OPERAND + 2)
KEY = Operand("key", FIRST_OPERAND + 3)
Json = dict[str, Any]


class NotOffered(Exception):
    """The case asks for something winsql does not offer; the message says what."""


@dataclass(frozen=True)
class Case:
    """One case: its JSON, as read."""

    json: Json

    @property
    def name(self) -> str:
        return str(self.json["name"])

    @property
    def topic(self) -> str:
        return self.name.partition("/")[0]

    @property
    def flags(self) -> frozenset[str]:
        return frozenset(self.json.get("flags", ()))

    @property
    def steps(self) -> list[Json]:
        return list(self.json["steps"])

    @property
    def join(self) -> str | None:
        join = self.json.get("join")
        return str(join["type"]) if join else None

    def spec(self) -> WindowSpec:
        """The operator's configuration; raises WindowSpecError where Flink refuses the job."""
        case = self.json
        assigner = _assigner(case["assigner"])
        trigger = case["trigger"]
        if case["assigner"].get("end_of_stream") and trigger is None:
            trigger = {"type": "end_of_stream"}
        return WindowSpec.of(
            assigner,
            _trigger(trigger) if trigger else None,
            _evictor(case["evictor"]) if case["evictor"] else None,
            evict_after=bool(case["evictor"] and case["evictor"]["after"]),
            allowed_lateness=case["allowed_lateness"],
            late_output=case["late_output"],
        )


def read_cases(folder: Path) -> Iterator[Case]:
    """All cases of a folder, file by file in order of name."""
    for path in sorted(folder.glob("*.jsonl")):
        for line in path.read_text(encoding="utf-8").splitlines():
            if line.strip():
                yield Case(json.loads(line))


def _time(assigner: Json) -> TimeAttribute:
    domain = TimeDomain(assigner["time"])
    return TimeAttribute(domain, ("ts",) if domain is TimeDomain.EVENT else ())


def _tumbling(a: Json) -> Assigner:
    if a.get("stagger", "aligned") != "aligned":
        raise NotOffered("stagger")
    return TumblingWindows(_time(a), a["size"], a["offset"])


_ASSIGNERS: dict[str, Callable[[Json], Assigner]] = {
    "tumbling": _tumbling,
    "sliding": lambda a: SlidingWindows(_time(a), a["size"], a["slide"], a["offset"]),
    "session": lambda a: SessionWindows(_time(a), a["gap"]),
    "dynamic_session": lambda a: SessionWindows(_time(a), GAP),
    "global": lambda a: GlobalWindows(),
}
_TRIGGERS: dict[str, Callable[[Json], Trigger]] = {
    "event_time": lambda t: EventTimeTrigger(),
    "processing_time": lambda t: ProcessingTimeTrigger(),
    "continuous_event_time": lambda t: ContinuousEventTimeTrigger(t["interval"]),
    "continuous_processing_time": lambda t: ContinuousProcessingTimeTrigger(t["interval"]),
    "count": lambda t: CountTrigger(t["n"]),
    "delta": lambda t: DeltaTrigger(VALUE, t["threshold"], t.get("delta_fn") == "diff"),
    "never": lambda t: NeverTrigger(),
    "end_of_stream": lambda t: EndOfStreamTrigger(),
    "purging": lambda t: PurgingTrigger(_trigger(t["inner"])),
    "processing_timeout": lambda t: ProcessingTimeoutTrigger(
        _trigger(t["inner"]), t["timeout"], t["reset_on_record"], t["clear_on_timeout"]
    ),
}
_EVICTORS: dict[str, Callable[[Json], Evictor]] = {
    "count": lambda e: CountEvictor(e["n"]),
    "time": lambda e: TimeEvictor(e["window"]),
    "delta": lambda e: DeltaEvictor(VALUE, e["threshold"], e.get("delta_fn") == "diff"),
}


def _assigner(assigner: Json) -> Assigner:
    return _ASSIGNERS[assigner["type"]](assigner)


def _trigger(trigger: Json) -> Trigger:
    return _TRIGGERS[trigger["type"]](trigger)


def _evictor(evictor: Json) -> Evictor:
    return _EVICTORS[evictor["type"]](evictor)
