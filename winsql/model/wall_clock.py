"""What the clocks on the walls of a time zone show, and what that means for windows whose bounds they show.

Windows of Flink SQL's table functions over TIMESTAMP_LTZ are windows over what the session's clocks show. Where clocks
are put forward or back, a start or an end may be shown twice or never. The rule is that of Flink's TimeWindowUtil: a
window begins at the first instant at which clocks show its start or something later, and ends when they never again
show anything before its end.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta, tzinfo
from functools import cache
from itertools import pairwise
from zoneinfo import ZoneInfo, ZoneInfoNotFoundError

import numpy as np

from winsql.errors import WindowSpecError
from winsql.model.base import MAX_TIME, MIN_TIME
from winsql.model.columnar import Longs

SECOND = 1_000_000
DAY = 86_400 * SECOND
_CYCLE = 146_097 * DAY
"""The calendar repeats after 400 years, and with it all rules of zones."""


@dataclass(frozen=True, slots=True)
class WallClock:
    """The clocks of a zone; instants, and what clocks show as if it were UTC, in microseconds.

    changes   instants at which clocks are changed, ascending
    offsets   what clocks show, less the instant: before the first change, then from each change on
    """

    changes: tuple[int, ...]
    offsets: tuple[int, ...]

    @property
    def fixed(self) -> int | None:
        """The one offset of clocks that never change; None where they do."""
        return self.offsets[0] if not self.changes else None

    def shown(self, instants: Longs) -> Longs:
        """What clocks show at instants."""
        within, cycles = _folded(instants)
        offsets = np.array(self.offsets, dtype=np.int64)
        shown: Longs = within + offsets[np.searchsorted(self.changes, within, side="right")] + cycles
        return shown

    def begins(self, shown: Longs) -> Longs:
        """When clocks first show these times, or later ones."""
        within, cycles = _folded(shown)
        offsets = np.array(self.offsets, dtype=np.int64)
        highest = np.maximum.accumulate(np.array(self.changes, dtype=np.int64) + offsets[:-1])
        stretch = np.searchsorted(highest, within, side="right")
        begins = np.array((MIN_TIME, *self.changes), dtype=np.int64)
        first: Longs = np.maximum(begins[stretch], within - offsets[stretch]) + cycles
        return first

    def ends(self, shown: Longs) -> Longs:
        """From when on clocks show nothing before these times."""
        within, cycles = _folded(shown)
        offsets = np.array(self.offsets, dtype=np.int64)
        stretch = np.searchsorted(self._lowest(), within, side="left")
        ends = np.array((*self.changes, MAX_TIME), dtype=np.int64)
        last: Longs = np.minimum(ends[stretch], within - offsets[stretch]) + cycles
        return last

    def passed(self, instant: int) -> int:
        """The last time that clocks never show again after the instant: a watermark of what they show."""
        if instant in (MIN_TIME, MAX_TIME):
            return instant
        (within,), (cycle,) = _folded(np.array([instant + 1]))
        stretch = int(np.searchsorted(self.changes, within, side="right"))
        at_least = min([int(within) + self.offsets[stretch], *self._lowest()[stretch : stretch + 1].tolist()])
        return int(at_least + cycle) - 1

    def _lowest(self) -> Longs:
        """What clocks show at least from each change on."""
        at_change = np.array(self.changes, dtype=np.int64) + np.array(self.offsets[1:], dtype=np.int64)
        return np.minimum.accumulate(at_change[::-1])[::-1]


def wall_clock(zone: str) -> WallClock:
    """The clocks of a zone by a name that Spark has for it: a region, or an offset such as +05:30 or GMT+1.

    Raises WindowSpecError for a region that Python's time zone database does not have.
    """
    offset = _offset(zone)
    return _read(_SHORT.get(zone, zone)) if offset is None else WallClock((), (offset,))


_OFFSET = re.compile(r"(?:UTC|GMT|UT)?(?P<sign>[+-])(?P<h>\d{1,2})(?::?(?P<m>\d{1,2})(?::?(?P<s>\d{2}))?)?")
_UTC = frozenset({"UTC", "GMT", "UT", "Z"})
_HOUR = 3600 * SECOND
_SHORT_OFFSETS = {"EST": -5 * _HOUR, "MST": -7 * _HOUR, "HST": -10 * _HOUR}
# names of three letters as Java has them, and Spark with it
_SHORT = {
    "ACT": "Australia/Darwin",
    "AET": "Australia/Sydney",
    "AGT": "America/Argentina/Buenos_Aires",
    "ART": "Africa/Cairo",
    "AST": "America/Anchorage",
    "BET": "America/Sao_Paulo",
    "BST": "Asia/Dhaka",
    "CAT": "Africa/Harare",
    "CNT": "America/St_Johns",
    "CST": "America/Chicago",
    "CTT": "Asia/Shanghai",
    "EAT": "Africa/Addis_Ababa",
    "ECT": "Europe/Paris",
    "IET": "America/Indiana/Indianapolis",
    "IST": "Asia/Kolkata",
    "JST": "Asia/Tokyo",
    "MIT": "Pacific/Apia",
    "NET": "Asia/Yerevan",
    "NST": "Pacific/Auckland",
    "PLT": "Asia/Karachi",
    "PNT": "America/Phoenix",
    "PRT": "America/Puerto_Rico",
    "PST": "America/Los_Angeles",
    "SST": "Pacific/Guadalcanal",
    "VST": "Asia/Ho_Chi_Minh",
}


def _offset(zone: str) -> int | None:
    if zone in _UTC:
        return 0
    if zone in _SHORT_OFFSETS:
        return _SHORT_OFFSETS[zone]
    match = _OFFSET.fullmatch(zone)
    if match is None:
        return None
    seconds = 3600 * int(match["h"]) + 60 * int(match["m"] or 0) + int(match["s"] or 0)
    return (-seconds if match["sign"] == "-" else seconds) * SECOND


@cache
def _read(name: str) -> WallClock:
    """All changes of a region, to the end of the first cycle of years that has only rules."""
    try:
        zone = ZoneInfo(name)
    except (ZoneInfoNotFoundError, ValueError, OSError):
        raise WindowSpecError(
            f"the session's time zone {name} is not known",
            rule="windows of table functions over TIMESTAMP follow what the clocks of the session's time zone show",
            hint="install the newest tzdata for Python, or SET TIME ZONE to a region it has, or to an offset",
        ) from None
    changes, offsets = [], [_at(zone, _FIRST)]
    for before, after in pairwise(_STEPS):
        offset = _at(zone, after)
        if offset != offsets[-1]:
            changes.append(_change(zone, before, after) * SECOND)
            offsets.append(offset)
    return WallClock(tuple(changes), tuple(offset * SECOND for offset in offsets))


_FIRST = int(datetime(1840, 1, 1, tzinfo=UTC).timestamp())
_RULES = int(datetime(2100, 1, 1, tzinfo=UTC).timestamp())
"""From then on clocks are changed by rules alone."""
_END = _RULES + _CYCLE // SECOND + 366 * 86_400
_STEPS = [*range(_FIRST, _RULES, 3 * 86_400), *range(_RULES, _END, 7 * 86_400)]
"""No zone has had its clocks changed twice within three days, and no rule changes them twice within a week."""


def _change(zone: tzinfo, before: int, after: int) -> int:
    """The second in which the offset has changed, between two seconds that have different ones."""
    offset = _at(zone, before)
    while after - before > 1:
        middle = (before + after) // 2
        before, after = (middle, after) if _at(zone, middle) == offset else (before, middle)
    return after


def _at(zone: tzinfo, second: int) -> int:
    """The offset at a second since the epoch, in seconds."""
    offset = datetime.fromtimestamp(second, zone).utcoffset()
    assert offset is not None
    return offset // timedelta(seconds=1)


def _folded(times: Longs) -> tuple[Longs, Longs]:
    """Times of later cycles as those of the first one, and by how much they are later."""
    near = np.clip(times, -_FARTHEST, _FARTHEST)
    cycles = np.maximum((near - (_RULES * SECOND + DAY)) // _CYCLE, 0) * _CYCLE
    return near - cycles, cycles


_FARTHEST = MAX_TIME - 2 * DAY
"""What clocks show is told exactly up to two days before the ends of time."""
