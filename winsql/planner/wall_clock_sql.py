"""What the clocks of a zone show, as SQL: `winsql.model.wall_clock` in Spark's own expressions, on microseconds.

FROM_UTC_TIMESTAMP tells what clocks show. TO_UTC_TIMESTAMP tells when they show it. Of a time that is shown twice it
takes the first instant; a time that is skipped counts on from the change of the clocks. Either call costs more than all
other arithmetic: what is read several times should be a column.
"""

from __future__ import annotations

from winsql.planner.aggregation_sql import sql_string

_DAY = 86_400_000_000


def shown_sql(instant: str, zone: str) -> str:
    """What clocks show at an instant."""
    return f"unix_micros(from_utc_timestamp(timestamp_micros({instant}), {sql_string(zone)}))"


def first_sql(shown: str, zone: str) -> str:
    """When clocks first show a time; of one that they skip, an instant after the change."""
    return f"unix_micros(to_utc_timestamp(timestamp_micros({shown}), {sql_string(zone)}))"


def second_sql(shown: str, zone: str) -> str:
    """When clocks would show a time by the offset of one day later. Where this is after the first instant, and they do
    show the time then, they show it twice."""
    return f"({first_sql(f'{shown} + {_DAY}L', zone)} - {_DAY}L)"


def begins_sql(shown: str, first: str, zone: str) -> str:
    """When clocks first show a time, or a later one."""
    return f"CASE WHEN {shown_sql(first, zone)} = {shown} THEN {first} ELSE {_change(shown, first, zone)} END"


def ends_sql(shown: str, first: str, second: str, zone: str) -> str:
    """From when on clocks show nothing before a time: one microsecond after they last show the one before it.

    `first` and `second` are those of the time before it.
    """
    before = f"({shown} - 1L)"
    return (
        f"CASE WHEN {second} > {first} AND {shown_sql(second, zone)} = {before} THEN {second} + 1L "
        f"WHEN {shown_sql(first, zone)} = {before} THEN {first} + 1L ELSE {_change(before, first, zone)} END"
    )


def _change(skipped: str, late: str, zone: str) -> str:
    """The instant of the change that skips a time. It is a whole second before `late`, and found by bisection, as Spark
    has no expression for it."""
    before = f"({late} - {shown_sql(late, zone)} + {skipped})"
    second = f"(({before} - pmod({before}, 1000000L)) div 1000000L)"
    is_before = f"{shown_sql('(at + shiftleft(1L, bit)) * 1000000L', zone)} < {skipped}"
    halved = f"at + CASE WHEN {is_before} THEN shiftleft(1L, bit) ELSE 0L END"
    return f"(aggregate(sequence(16, 0), {second}, (at, bit) -> {halved}) + 1L) * 1000000L"
