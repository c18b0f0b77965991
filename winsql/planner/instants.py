"""Times as SQL: the expressions by which every plan turns a time into microseconds since the epoch and back.

All window arithmetic of plans is on these numbers, so that neither the session's time zone nor a change of clocks
matters: in Spark, TIMESTAMP + INTERVAL follows the calendar of the zone, TIMESTAMPADD(MICROSECOND) does not. A
TIMESTAMP_NTZ has no zone and must not get one: TIMESTAMPDIFF casts it to TIMESTAMP in the session's zone, where an hour
that clocks skip is the hour after it; the difference of two TIMESTAMP_NTZ takes none.
"""

from __future__ import annotations

from winsql.planner.facts import ColumnFact

__all__ = ["epoch_sql", "from_epoch_sql", "instant_sql"]

_EPOCH = "TIMESTAMP_NTZ'1970-01-01 00:00:00'"
_MICROSECOND = "INTERVAL '0.000001' SECOND"


def instant_sql(expression: str, fact: ColumnFact) -> str:
    """The time expression as TIMESTAMP or TIMESTAMP_NTZ; a DATE is its midnight, without a zone."""
    return f"CAST({expression} AS TIMESTAMP_NTZ)" if fact.type_name == "date" else expression


def epoch_sql(time: str, fact: ColumnFact) -> str:
    """Microseconds since the epoch of a time that `instant_sql` gave."""
    return f"unix_micros({time})" if fact.has_zone else f"((({time}) - {_EPOCH}) div {_MICROSECOND})"


def from_epoch_sql(micros: str, fact: ColumnFact) -> str:
    """The instant of so many microseconds since the epoch, in the type of the time."""
    return f"timestamp_micros({micros})" if fact.has_zone else f"timestampadd(MICROSECOND, {micros}, {_EPOCH})"
