"""Random cases whose clocks stand on the last instants of windows: micro-batches give what the operator gives.

Rows come at the instant at which a window has just ended, micro-batches share a clock, clocks go back. The reference is
the per-row operator that sees the steps one by one. `WINSQL_LAST_INSTANT=20000` runs as many cases.
"""

from __future__ import annotations

import os
import random
from dataclasses import replace

import pytest
from case import Case, Json
from columnar_cases import columnar_task
from executors import OperatorRun
from stream import outcome_difference, run_stream, stream_task

from winsql.errors import WinsqlError
from winsql.runtime.operator import WindowOperator
from winsql.spark.workers.task import StreamTask

CASES = int(os.environ.get("WINSQL_LAST_INSTANT", "240"))
UNIT = 20


def drawn(seed: int) -> Case:
    rng = random.Random(seed)
    assigner = _assigner(rng)
    steps = _steps(rng)
    return Case(
        {
            "name": f"last_instant/d{seed:05}",
            "assigner": assigner,
            "trigger": _trigger(rng, assigner),
            "evictor": _evictor(rng) if rng.random() < 0.2 else None,
            "allowed_lateness": rng.choice((0, 0, 1, UNIT)),
            "late_output": rng.random() < 0.3,
            "function": rng.choice(("list", "list", "sum")),
            "finish": rng.random() < 0.5,
            "steps": steps,
        }
    )


def _assigner(rng: random.Random) -> Json:
    time = rng.choice(("processing", "processing", "event"))
    offset = rng.choice((0, 0, UNIT // 4, -UNIT // 4))
    return rng.choice(
        (
            {"type": "tumbling", "time": time, "size": UNIT, "offset": offset},
            {"type": "sliding", "time": time, "size": UNIT, "slide": rng.choice((5, 10, 8, 30)), "offset": 0},
            {"type": "session", "time": time, "gap": rng.choice((2, UNIT // 2, UNIT))},
            {"type": "global"},
        )
    )


def _trigger(rng: random.Random, assigner: Json, depth: int = 0) -> Json | None:
    ends, merges = assigner["type"] != "global", assigner["type"] == "session"
    if depth == 0 and ends and rng.random() < 0.15:
        return None
    pick = rng.random()
    if depth < 2 and pick < 0.25:
        return {"type": "purging", "inner": _trigger(rng, assigner, depth + 1)}
    if depth < 2 and pick < 0.6 and not merges:
        inner, timeout = _trigger(rng, assigner, depth + 1), rng.choice((1, 3, UNIT // 4, UNIT - 1, UNIT, 3 * UNIT))
        flags = {"reset_on_record": rng.random() < 0.5, "clear_on_timeout": rng.random() < 0.5}
        return {"type": "processing_timeout", "inner": inner, "timeout": timeout, **flags}
    simple: list[Json] = [
        {"type": "count", "n": rng.randint(1, 3)},
        {"type": "continuous_processing_time", "interval": rng.choice((3, 5, UNIT, 2 * UNIT))},
    ]
    if ends:
        simple += [{"type": "processing_time"}, {"type": "event_time"}]
        simple += [{"type": "continuous_event_time", "interval": rng.choice((3, 5, UNIT))}]
    if not merges:
        simple.append({"type": "delta", "threshold": rng.choice((0.0, 2.5))})
    return rng.choice(simple)


def _evictor(rng: random.Random) -> Json:
    return {"type": "count", "n": rng.randint(0, 3), "after": rng.random() < 0.5}


def _steps(rng: random.Random) -> list[Json]:
    """Rows around clocks and watermarks at the last instants of windows and beside them."""
    steps: list[Json] = []
    clock = watermark = 0
    goes_back = rng.random() < 0.2
    for _ in range(rng.randint(3, 9)):
        edge = clock // 5 * 5 + rng.choice((0, 5, 5, 10, UNIT)) + rng.choice((-1, -1, -1, 0, 1))
        clock = edge if goes_back else max(clock, edge)
        steps += [{"pt": clock}] * rng.choice((1, 1, 1, 2))
        if rng.random() < 0.4:
            watermark = max(watermark, clock // 5 * 5 + rng.choice((-UNIT - 1, -1, 0, UNIT - 1)))
            steps.append({"wm": watermark})
        times = [None, clock, watermark, watermark + 1, watermark // 5 * 5 + 4]
        steps += [
            {"e": [rng.choice("ab"), rng.choice(times[1:]), rng.randint(0, 20) / 2]} for _ in range(rng.randint(0, 4))
        ]
    return steps


class Expiring(OperatorRun):
    """The operator with STATE TTL: what nobody has written for so long is gone when the clock moves."""

    ttl: int | None = None

    def _apply(self, operator: WindowOperator, step: Json) -> None:
        if "pt" in step:
            operator.spec = replace(operator.spec, state_ttl=self.ttl)
            operator.expire(step["pt"])
        super()._apply(operator, step)


def with_ttl(task: StreamTask, ttl: int | None) -> StreamTask:
    return replace(task, task=replace(task.task, spec=replace(task.task.spec, state_ttl=ttl)))


def difference(case: Case, ttl: int | None = None) -> str | None:
    """Why micro-batches are not what the operator gives; None when they are."""
    run = Expiring(case)
    run.ttl = ttl
    outcome = run_stream(case, lambda case: with_ttl(stream_task(case), ttl))
    why = outcome_difference(case, {**vars(run.run())}, outcome)
    if why is None and ttl is None:
        why = _columnar_difference(Case({**case.json, "function": "sum"}))
    clocks = [step["pt"] for step in case.steps if "pt" in step]
    if why is None and ttl is None and clocks == sorted(clocks):
        why = next((f"two firings of {key} are {of}" for key, of in _twice(outcome.firings)), None)
    return why


def _columnar_difference(case: Case) -> str | None:
    expected = {**vars(OperatorRun(case).run())}
    for row in expected["main"]:  # of no rows, the sum is NULL in SQL
        row["out"] = [row["out"][0], *([None] * 3 if row["out"][0] == 0 else row["out"][1:])]
    return outcome_difference(case, expected, run_stream(case, columnar_task))


def _twice(firings: dict[str, list[tuple[object, ...]]]) -> list[tuple[str, object]]:
    """Firings of a key that share window and pane index."""
    found = []
    for key, listed in firings.items():
        seen: set[object] = set()
        for firing, _ in listed:
            found += [(key, firing)] if firing in seen else []
            seen.add(firing)
    return found


def _is_offered(case: Case) -> bool:
    try:
        case.spec()
    except WinsqlError:
        return False
    return True


@pytest.mark.slow
def test_micro_batches_on_last_instants() -> None:
    cases = [case for case in map(drawn, range(CASES)) if _is_offered(case)]
    assert len(cases) > CASES * 0.9
    failures = {case.name: why for case in cases if (why := difference(case)) is not None}
    assert failures == {}


def test_micro_batches_with_state_ttl() -> None:
    cases = [case for case in map(drawn, range(CASES // 3)) if _is_offered(case)]
    failures = {case.name: why for case in cases if (why := difference(case, ttl=UNIT // 2)) is not None}
    assert failures == {}


@pytest.mark.parametrize("function", ["list", "sum"])
@pytest.mark.parametrize("trigger", [{"type": "processing_time"}, {"type": "count", "n": 2}], ids=lambda t: t["type"])
def test_firings_of_a_window_that_returns_are_numbered_on(trigger: Json, function: str) -> None:
    """The clock is at the window's last instant: it has ended, and rows of that instant begin it anew."""
    rows = [{"e": ["a", None, float(value)]} for value in range(6)]
    steps = [*rows[:2], {"pt": UNIT - 1}, *rows[2:4], {"pt": UNIT - 1}, *rows[4:], {"pt": UNIT}]
    fixed = {"evictor": None, "allowed_lateness": 0, "late_output": False, "finish": False}
    assigner = {"type": "tumbling", "time": "processing", "size": UNIT, "offset": 0}
    case = {"name": "last_instant/returns", "assigner": assigner, "trigger": trigger, **fixed}
    outcome = run_stream(Case({**case, "function": function, "steps": steps}))
    assert [firing for firing, _ in outcome.firings["a"]] == [(0, UNIT, index) for index in range(3)]
