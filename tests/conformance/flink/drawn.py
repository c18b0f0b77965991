"""Seeded random cases."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator

from vocabulary import (
    END_OF_STREAM,
    EVENT_TIME,
    FAR,
    GLOBAL,
    NEVER,
    PROCESSING_TIME,
    Json,
    case,
    count,
    delta,
    dynamic_session,
    every,
    every_clock,
    keep,
    near,
    purging,
    session,
    sliding,
    timeout,
    tumbling,
    within,
)

RANDOM_CASES = 80
SEED = 20


def random_cases() -> Iterator[Json]:
    rng = random.Random(SEED)
    topics = ("tumbling", "sliding", "session", "dynamic_session", "global", "mixed", "window_all", "evictor")
    for number in range(RANDOM_CASES):
        yield random_case(rng, topics[number % len(topics)], number)


def random_case(rng: random.Random, topic: str, number: int) -> Json:
    unit = rng.choice((100, 500, 1000, 1500))
    kind = topic if topic in ("tumbling", "sliding", "session", "dynamic_session", "global") else any_kind(rng)
    fields: Json = {
        "trigger": random_trigger(rng, kind, unit),
        "evictor": random_evictor(rng, unit) if topic == "evictor" or rng.random() < 0.25 else None,
        "allowed_lateness": rng.choice((0, 0, 0, 1, unit // 2, 3 * unit)),
        "late_output": rng.random() < 0.7,
        "function": rng.choice(("list", "list", "sum")),
    }
    if topic == "window_all":
        fields["via"] = "windowAll"
    return case(f"{topic}/d{number:03d}", random_assigner(rng, kind, unit), random_rows(rng, kind, unit), **fields)


def any_kind(rng: random.Random) -> str:
    return rng.choice(("tumbling", "sliding", "session", "dynamic_session", "global"))


def random_assigner(rng: random.Random, kind: str, unit: int) -> Json:
    if kind == "tumbling":
        return tumbling(unit, rng.choice((0, 0, unit // 4, -unit // 4)))
    if kind == "sliding":
        slide = rng.choice((unit // 2, unit // 4, unit * 2 // 5, 2 * unit))
        return sliding(unit, slide, rng.choice((0, 0, slide // 5, -slide // 5)))
    if kind == "session":
        return session(unit)
    if kind == "dynamic_session":
        return dynamic_session()
    return rng.choice((GLOBAL, END_OF_STREAM))


def random_trigger(rng: random.Random, kind: str, unit: int, depth: int = 0) -> Json | None:
    if depth == 0 and rng.random() < (0.15 if kind == "global" else 0.3):
        return None
    merging = kind in ("session", "dynamic_session")
    simple: list[Json] = [count(rng.randint(1, 4)), every_clock(rng.choice((1, FAR)))]
    simple += [every(interval) for interval in (unit // 3, unit // 5, unit // 2, 2 * unit)]
    if kind == "global":
        simple += [NEVER, {"type": "end_of_stream"}]
    else:
        simple += [EVENT_TIME, PROCESSING_TIME]
    if not merging:
        simple.append(delta(rng.choice((0.0, 2.5, 6.0))))
    chosen = rng.choice(simple)
    if depth < 2 and rng.random() < 0.3:
        return purging(required(random_trigger(rng, kind, unit, depth + 1)))
    if depth < 2 and not merging and rng.random() < 0.3:
        inner = required(random_trigger(rng, kind, unit, depth + 1))
        return timeout(inner, reset=rng.random() < 0.5, clear=rng.random() < 0.5)
    return chosen


def required(trigger: Json | None) -> Json:
    if trigger is None:
        raise ValueError("a nested trigger is missing")
    return trigger


def random_evictor(rng: random.Random, unit: int) -> Json:
    after = rng.random() < 0.4
    choices = (
        keep(rng.randint(0, 4), after=after),
        within(rng.choice((unit // 2, unit // 4)), after=after),
        near(rng.choice((0.0, 3.0, 8.0)), after=after),
    )
    return rng.choice(choices)


def random_rows(rng: random.Random, kind: str, unit: int) -> list[Json]:
    """disordered rows; no two have the same time, since Flink leaves their order open"""
    keys = "abc"[: rng.randint(1, 3)]
    n = rng.randint(6, 26)
    start = rng.choice((0, -5 * unit, 20 * unit, -2 * unit))
    span = n * unit // 4
    times = list(boundary_times(rng, start, span, unit, n))
    rng.shuffle(times)
    steps: list[Json] = []
    for ts in times:
        step: Json = {"e": [rng.choice(keys), ts, rng.randint(-6, 40) / 2]}
        if kind == "dynamic_session":
            step["g"] = rng.choice((unit // 10, unit // 2, unit, 2 * unit))
        steps.append(step)
    return steps


def boundary_times(rng: random.Random, start: int, span: int, unit: int, n: int) -> Iterable[int]:
    """n different times, half of them at or one off a multiple of a quarter unit"""
    quarter = unit // 4
    times: set[int] = set()
    while len(times) < n:
        ts = start + rng.randint(0, span)
        if rng.random() < 0.5:
            ts = ts // quarter * quarter + rng.choice((-1, 0, 0, 1))
        times.add(ts)
    return sorted(times)
