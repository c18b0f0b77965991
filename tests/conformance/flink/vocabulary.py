"""The vocabulary the cases are written in: assigners, triggers, evictors, rows and the case itself."""

from __future__ import annotations

from typing import Any

Json = dict[str, Any]

DAY = 86_400_000
FAR = 100_000 * DAY  # a processing-time span no job outlives
CENTURY = 36_500 * DAY  # [1970-01-01, 2069-12-07): one processing-time window for every run
LONG_MAX = 2**63 - 1
LONG_MIN = -(2**63)


def tumbling(size: int, offset: int = 0, time: str = "event") -> Json:
    return {"type": "tumbling", "time": time, "size": size, "offset": offset}


def sliding(size: int, slide: int, offset: int = 0, time: str = "event") -> Json:
    return {"type": "sliding", "time": time, "size": size, "slide": slide, "offset": offset}


def session(gap: int, time: str = "event") -> Json:
    return {"type": "session", "time": time, "gap": gap}


def dynamic_session(time: str = "event") -> Json:
    return {"type": "dynamic_session", "time": time}


GLOBAL: Json = {"type": "global"}
END_OF_STREAM: Json = {"type": "global", "end_of_stream": True}
EVENT_TIME: Json = {"type": "event_time"}
PROCESSING_TIME: Json = {"type": "processing_time"}
NEVER: Json = {"type": "never"}


def count(n: int) -> Json:
    return {"type": "count", "n": n}


def delta(threshold: float, fn: str | None = None) -> Json:
    return {"type": "delta", "threshold": threshold} | ({"delta_fn": fn} if fn else {})


def every(interval: int) -> Json:
    return {"type": "continuous_event_time", "interval": interval}


def every_clock(interval: int) -> Json:
    return {"type": "continuous_processing_time", "interval": interval}


def purging(inner: Json) -> Json:
    return {"type": "purging", "inner": inner}


def timeout(inner: Json, after: int = FAR, *, reset: bool = False, clear: bool = True) -> Json:
    return {
        "type": "processing_timeout",
        "inner": inner,
        "timeout": after,
        "reset_on_record": reset,
        "clear_on_timeout": clear,
    }


def keep(n: int, *, after: bool = False) -> Json:
    return {"type": "count", "n": n, "after": after}


def within(window: int, *, after: bool = False) -> Json:
    return {"type": "time", "window": window, "after": after}


def near(threshold: float, fn: str | None = None, *, after: bool = False) -> Json:
    return {**delta(threshold, fn), "after": after}


def rows(*times: int | None, key: str = "a") -> list[Json]:
    """elements of one key with the values 1.0, 2.0, .. in order of arrival"""
    return [{"e": [key, ts, float(i)]} for i, ts in enumerate(times, 1)]


def valued(*pairs: tuple[int | None, float], key: str = "a") -> list[Json]:
    return [{"e": [key, ts, value]} for ts, value in pairs]


def keyed(*triples: tuple[str, int | None, float]) -> list[Json]:
    return [{"e": list(triple)} for triple in triples]


def gapped(*pairs: tuple[int | None, int], key: str = "a") -> list[Json]:
    return [{"e": [key, ts, float(i)], "g": gap} for i, (ts, gap) in enumerate(pairs, 1)]


def sided(*triples: tuple[str, int, int]) -> list[Json]:
    """(key, time, side)"""
    return [{"e": [key, ts, float(i)], "side": side} for i, (key, ts, side) in enumerate(triples, 1)]


def case(name: str, assigner: Json, steps: list[Json], note: str | None = None, **fields: Any) -> Json:
    base: Json = {
        "name": name,
        "mode": "batch",
        "assigner": assigner,
        "trigger": None,
        "evictor": None,
        "allowed_lateness": 0,
        "late_output": "join" not in fields,
        "function": "list",
        "finish": True,
    }
    if note:
        base["note"] = note
    return {**base, **fields, "steps": steps}


MIXED_UP = rows(1700, 300, 2500, 100, 900, 1000, 999, 1999, 2000)
TWO_KEYS = keyed(
    ("b", 1200, 1.0),
    ("a", 700, 2.0),
    ("b", 100, 3.0),
    ("a", 1500, 4.0),
    ("a", 50, 5.0),
    ("b", 2600, 6.0),
    ("a", 2100, 7.0),
)
SPARSE = rows(2100, 60, 340, 900, 220, 1300)
JUMPS = valued((400, 9.0), (100, 1.0), (300, 3.5), (200, 2.0), (500, 2.0), (600, 11.0), (900, 12.0), (700, 4.0))
