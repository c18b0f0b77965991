"""What the clocks of a zone show, as SQL: `winsql.model.wall_clock` in Spark's own expressions, on microseconds.

FROM_UTC_TIMESTAMP tells what clocks show. TO_UTC_TIMESTAMP tells when: of a time that they show twice the first
instant, and of one that they skip the instant as late after the change as the time is after the first one skipped.
"""

from __future__ import annotations

from winsql.planner.native import sql_string

__all__ = ["begins_sql", "ends_sql", "shown_sql"]

_DAY = 86_400_000_000


def shown_sql(instant: str, zone: str) -> str:
    """What clocks show at an instant."""
    return f"unix_micros(from_utc_timestamp(timestamp_micros({instant}), {sql_string(zone)}))"


def begins_sql(shown: str, zone: str) -> str:
    """When clocks first show a time, or a later one."""
    first = _first(shown, zone)
    return f"CASE WHEN {shown_sql(first, zone)} = {shown} THEN {first} ELSE {_change(shown, zone)} END"


def ends_sql(shown: str, zone: str) -> str:
    """From when on clocks show nothing before a time: one microsecond after they last show the one before it."""
    before = f"({shown} - 1L)"
    first = _first(before, zone)
    # the offset of a day later; the time is shown twice where it is shown by either offset
    second = f"({_first(f'({before} + {_DAY}L)', zone)} - {_DAY}L)"
    last = f"greatest({first}, CASE WHEN {shown_sql(second, zone)} = {before} THEN {second} ELSE {first} END)"
    return f"CASE WHEN {shown_sql(first, zone)} = {before} THEN {last} + 1L ELSE {_change(before, zone)} END"


def _first(shown: str, zone: str) -> str:
    return f"unix_micros(to_utc_timestamp(timestamp_micros({shown}), {sql_string(zone)}))"


def _change(skipped: str, zone: str) -> str:
    """The instant of the change that skips a time, which is a whole second: found by halving, for no expression of
    Spark's tells it."""
    late = _first(skipped, zone)
    before = f"({late} - {shown_sql(late, zone)} + {skipped})"
    second = f"(({before} - pmod({before}, 1000000L)) div 1000000L)"
    is_before = f"{shown_sql('(at + shiftleft(1L, bit)) * 1000000L', zone)} < {skipped}"
    halved = f"at + CASE WHEN {is_before} THEN shiftleft(1L, bit) ELSE 0L END"
    return f"(aggregate(sequence(16, 0), {second}, (at, bit) -> {halved}) + 1L) * 1000000L"
