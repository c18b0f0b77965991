"""Times as SQL: the expressions by which every plan turns a time into microseconds since the epoch and back.

All window arithmetic of plans is on these numbers, so that neither the session's time zone nor a change of clocks
matters: in Spark, TIMESTAMP + INTERVAL follows the calendar of the zone, TIMESTAMPADD(MICROSECOND) does not. A
TIMESTAMP_NTZ has no zone and must not get one: TIMESTAMPDIFF casts it to TIMESTAMP in the session's zone, where an hour
that clocks skip is the hour after it; the difference of two TIMESTAMP_NTZ takes none.

On every plan a time before the year -100,000 counts as the beginning of that year, one after LAST_INSTANT as that
instant, and no length is above LONGEST: so no bound of a window, nor any sum of a bound and lengths, leaves 64 bits.
"""

from __future__ import annotations

import re

from winsql.planner.facts import ColumnFact

_EPOCH = "TIMESTAMP_NTZ'1970-01-01 00:00:00'"
_MICROSECOND = "INTERVAL '0.000001' SECOND"


def instant_sql(expression: str, fact: ColumnFact) -> str:
    """The time expression as TIMESTAMP or TIMESTAMP_NTZ, kept between the first and the last instant; a DATE becomes
    its midnight, without a zone."""
    word, zone = _LITERALS[fact.type_name]
    value = expression if _NAME.fullmatch(expression) else f"({expression})"
    within = f"greatest(least({value}, {word}'100000-01-01{zone}'), {word}'-100000-01-01{zone}')"
    if fact.is_nullable:  # greatest and least skip NULL
        within = f"nvl2({value}, {within}, NULL)"
    return f"CAST({within} AS TIMESTAMP_NTZ)" if fact.type_name == "date" else within


_LITERALS = {"timestamp": ("TIMESTAMP_LTZ", " 00:00:00Z"), "timestamp_ntz": ("TIMESTAMP_NTZ", ""), "date": ("DATE", "")}
_NAME = re.compile(r"[\w.]+")


def epoch_sql(time: str, fact: ColumnFact) -> str:
    """Microseconds since the epoch of a time that `instant_sql` gave."""
    return f"unix_micros({time})" if fact.has_zone else f"((({time}) - {_EPOCH}) div {_MICROSECOND})"


def from_epoch_sql(micros: str, fact: ColumnFact) -> str:
    """The instant of so many microseconds since the epoch, in the type of the time."""
    return f"timestamp_micros({micros})" if fact.has_zone else f"timestampadd(MICROSECOND, {micros}, {_EPOCH})"
