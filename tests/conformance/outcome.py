"""What a run of a case gave, and whether that is what the case expects."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import dataclass, field
from itertools import groupby
from typing import Any

from case import Case, Json


@dataclass
class Outcome:
    """Rows as under `expected` of a case; `error_step` is None when nothing failed, -1 when the job was refused."""

    main: list[Json] = field(default_factory=list)
    late: list[Any] = field(default_factory=list)
    dropped: int = 0
    error_step: int | None = None
    error: str | None = None


def difference(case: Case, outcome: Outcome, expected: Json) -> str | None:
    """Why the outcome is not what is expected; None when it is."""
    if outcome.error_step != expected.get("error_step"):
        return f"error at step {outcome.error_step} ({outcome.error}), expected at {expected.get('error_step')}"
    if outcome.late != expected["late"]:
        return f"late {outcome.late}, expected {expected['late']}"
    if outcome.dropped != expected["dropped"]:
        return f"dropped {outcome.dropped}, expected {expected['dropped']}"
    got, want = _in_order(outcome.main), _in_order(expected["main"])
    if got == want:
        return None
    first = next(i for i, pair in enumerate(zip([*got, None], [*want, None], strict=False)) if pair[0] != pair[1])
    return f"firing {first}: {_at(got, first)}, expected {_at(want, first)} ({len(got)} and {len(want)} in all)"


def bounded_difference(case: Case, outcome: Outcome, expected: Json) -> str | None:
    """As `difference`, for a batch case: keys in any order, and only whether it fails, which Flink says of the job."""
    if (outcome.error_step, outcome.late, outcome.dropped) != (
        _failing(expected),
        expected["late"],
        expected["dropped"],
    ):
        return f"error {outcome.error_step} ({outcome.error}), late {outcome.late}, dropped {outcome.dropped}"
    keys = sorted({row["key"] for row in outcome.main + expected["main"]})
    for key in keys:
        got, want = ([_loose(case, r) for r in rows if r["key"] == key] for rows in (outcome.main, expected["main"]))
        if _by_timer(got) != _by_timer(want):
            return f"firings of {key}: {got}, expected {want}"
    return None


def firings_differ(case: Case, outcome: Outcome, expected: Json) -> str | None:
    """As `difference`, for the two flags under which winsql deviates on contents: firings agree, and contents as far as
    the flag lets them (`merge_order`: as multisets unless evicted; `lost_contents`: nothing of Flink's is missing)."""
    keys = [_firing(row) for row in _in_order(outcome.main)]
    wanted = [_firing(row) for row in _in_order(expected["main"])]
    if keys != wanted:
        return f"firings {keys}, expected {wanted}"
    if case.json["evictor"] is not None or case.json["function"] == "sum":
        return None
    for got, want in zip(_in_order(outcome.main), _in_order(expected["main"]), strict=True):
        missing = _values(want) - _values(got)
        surplus = _values(got) - _values(want) if "lost_contents" not in case.flags else None
        if missing or surplus:
            return f"contents of {_firing(got)}: {got}, expected {want}"
    return None


def _in_order(rows: list[Json]) -> list[Json]:
    """Rows of one step and one timer have no order among each other; rows that elements fired have."""
    groups = groupby(rows, key=lambda row: (row["step"], row["timer"]))
    return [row for (_, timer), group in groups for row in (group if timer is None else sorted(group, key=_text))]


def _failing(expected: Json) -> int | None:
    return None if expected["error"] is None else -1 if expected.get("error_step") == -1 else 0


def _loose(case: Case, row: Json) -> Json:
    return {**row, "out": sorted(row["out"])} if "unstable_sort" in case.flags else row


def _by_timer(rows: list[Json]) -> list[Json]:
    groups = groupby(rows, key=lambda row: (row["fired_by"], row["timer"]))
    return [row for (by, _), group in groups for row in (sorted(group, key=_text) if by == "event" else group)]


def _text(row: Json) -> str:
    return json.dumps(row, sort_keys=True)


def _firing(row: Json) -> tuple[Any, ...]:
    return row["step"], row["timer"], row["key"], row["start"], row["end"]


def _values(row: Json) -> Counter[Any]:
    if "out" in row:
        return Counter(row["out"])
    return Counter(("left", v) for v in row["left"]) + Counter(("right", v) for v in row["right"])


def _at(rows: list[Json], index: int) -> Json | None:
    return rows[index] if index < len(rows) else None
