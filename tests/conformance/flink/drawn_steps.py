"""Seeded random cases for StreamCases.java, step by step: `python3 drawn_steps.py SEED NUMBER > inputs.jsonl`."""

from __future__ import annotations

import json
import random
import sys
from collections.abc import Iterator

from drawn import random_evictor, required
from vocabulary import (
    EVENT_TIME,
    GLOBAL,
    NEVER,
    PROCESSING_TIME,
    Json,
    count,
    delta,
    dynamic_session,
    every,
    every_clock,
    purging,
    session,
    sliding,
    timeout,
    tumbling,
)

KINDS = ("tumbling", "sliding", "session", "dynamic_session", "global")
MERGING = ("session", "dynamic_session")


def random_cases(seed: int, number: int) -> Iterator[Json]:
    """The cases of a seed; the first ones are the same whatever their number."""
    rng = random.Random(seed)
    for index in range(number):
        yield _case(rng, f"fresh/s{seed}_{index:04d}")


def _case(rng: random.Random, name: str) -> Json:
    kind, unit = rng.choice(KINDS), rng.choice((100, 350, 1000, 7000))
    time = rng.choice(("event", "event", "processing"))
    join = {"join": {"type": "cogroup"}} if rng.random() < 0.2 else {}
    case: Json = {
        "name": name,
        "assigner": _assigner(rng, kind, unit, time),
        "trigger": _trigger(rng, kind, unit, time),
        "evictor": random_evictor(rng, unit) if rng.random() < 0.35 else None,
        "allowed_lateness": rng.choice((0, 0, 1, unit // 2, 3 * unit)),
        "late_output": not join and rng.random() < 0.6,
        "function": "list" if join else rng.choice(("list", "list", "sum")),
        **join,
        "finish": rng.random() < 0.6,
    }
    if rng.random() < 0.2:
        case["pt_inclusive"] = False
    return {**case, "steps": _steps(rng, case, unit)}


def _assigner(rng: random.Random, kind: str, unit: int, time: str) -> Json:
    if kind == "tumbling":
        return tumbling(unit, rng.choice((0, 0, unit // 4, -unit // 4, unit // 2)), time)
    if kind == "sliding":
        slide = rng.choice((unit // 2, unit // 4, unit * 2 // 5, 2 * unit, unit // 10))
        return sliding(unit, slide, rng.choice((0, 0, slide // 5, -slide // 5)), time)
    if kind == "session":
        return session(unit, time)
    return dynamic_session(time) if kind == "dynamic_session" else GLOBAL


def _trigger(rng: random.Random, kind: str, unit: int, time: str, depth: int = 0) -> Json | None:
    if depth == 0 and rng.random() < (0.1 if kind == "global" else 0.3):
        return None
    if depth < 3 and rng.random() < 0.3:
        return purging(required(_trigger(rng, kind, unit, time, depth + 1)))
    if depth < 3 and kind not in MERGING and rng.random() < 0.25:
        inner = required(_trigger(rng, kind, unit, time, depth + 1))
        after = rng.choice((unit // 3, unit // 2, unit, 3 * unit))
        return timeout(inner, after, reset=rng.random() < 0.5, clear=rng.random() < 0.5)
    intervals = (unit // 3, unit // 5, unit // 2, 2 * unit)
    simple = [count(rng.randint(1, 4)), every_clock(rng.choice(intervals))]
    if kind == "global":
        simple.append(NEVER)
    else:
        simple += [EVENT_TIME, PROCESSING_TIME, every(rng.choice(intervals))]
    if kind not in MERGING:
        simple.append(delta(rng.choice((0.0, 1.0, 2.5, 6.0)), rng.choice((None, "diff"))))
    return rng.choice(simple)


def _steps(rng: random.Random, case: Json, unit: int) -> list[Json]:
    """Rows around a time that moves on, and watermarks and clock readings near them, now and then behind the last."""
    keys = "abcd"[: rng.randint(1, 4)]
    on_clock = case["assigner"].get("time") in ("processing", None)
    now, clock, values = rng.choice((0, -5 * unit, 20 * unit)), 0, 0
    steps: list[Json] = []
    for _ in range(rng.randint(8, 45)):
        now += rng.choice((0, 1, unit // 10, unit // 3, unit)) if rng.random() < 0.7 else 0
        draw = rng.random()
        if draw < 0.6:
            values += 1
            steps.append(_row(rng, case, rng.choice(keys), near(rng, now, unit), values, on_clock, unit))
        elif draw < 0.8:
            steps.append({"wm": near(rng, now, unit)})
        else:
            clock = max(0, clock + rng.choice((0, 1, unit // 4, unit // 2, unit - 1, unit, 3 * unit)))
            steps.append({"pt": clock if rng.random() < 0.95 else max(0, clock - unit)})
    return steps


def _row(rng: random.Random, case: Json, key: str, ts: int, number: int, on_clock: bool, unit: int) -> Json:
    timeless = on_clock and _may_lack_times(case)
    value = float(number) if rng.random() < 0.5 else rng.randint(-6, 40) / 2
    row: Json = {"e": [key, None if timeless and rng.random() < 0.3 else ts, value]}
    if case["assigner"]["type"] == "dynamic_session":
        row["g"] = rng.choice((unit // 10, unit // 2, unit, 2 * unit))
    if "join" in case:
        row["side"] = rng.randint(0, 1)
    return row


def _may_lack_times(case: Json) -> bool:
    """Not with an evictor by time, which fails, nor with a trigger that then fires from the smallest long on."""
    by_time = case["evictor"] is not None and case["evictor"]["type"] == "time"
    return not by_time and "continuous_event_time" not in json.dumps(case["trigger"])


def near(rng: random.Random, now: int, unit: int) -> int:
    """A time near now, half of them at or one off a multiple of a quarter unit."""
    ts = now + rng.choice((0, 0, 1, -1, -unit // 2, -2 * unit, unit // 2))
    return ts if rng.random() < 0.5 else ts // (unit // 4) * (unit // 4) + rng.choice((-1, 0, 0, 1))


def main() -> None:
    seed, number = map(int, sys.argv[1:])
    for case in random_cases(seed, number):
        print(json.dumps(case))


if __name__ == "__main__":
    main()
