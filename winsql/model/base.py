"""What every policy is made of: windows, decisions, time, and the contexts a policy acts through.

Instants and durations are 64-bit integers of one unit inside a run: microseconds from Spark, milliseconds in the
conformance cases. Rows are tuples: `row[ROW_ID]` is the arrival number, `row[TIMESTAMP]` the event time (None: the
row has none), and the slots after them hold the values of the query's operands (see `Operand`).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from enum import Enum, IntEnum
from typing import Any, NamedTuple, Protocol

MIN_TIME = -(2**63)
MAX_TIME = 2**63 - 1
LAST_INSTANT = 35_804_722 * 86_400_000_000
"""The latest time of a row from Spark, in microseconds: the year 100,000 begins. The earliest is that of -100,000."""
LONGEST = 10_000_000 * 86_400_000_000
"""Length in microseconds: 10,000,000 days."""

Row = tuple[Any, ...]
ROW_ID = 0
TIMESTAMP = 1
FIRST_OPERAND = 2


class Window(NamedTuple):
    """A half-open interval `[start, end)` of time; windows compare and hash by value."""

    start: int
    end: int

    @property
    def max_timestamp(self) -> int:
        """The last instant inside: `end - 1` unit."""
        return self.end - 1


GLOBAL_WINDOW = Window(MIN_TIME, MAX_TIME + 1)
"""The one window of GLOBAL and COUNT; its last instant is the end of time, as Flink's GlobalWindow."""


class Decision(IntEnum):
    """What a trigger wants done with a window: bit 0 fires it, bit 1 drops its contents (Flink's TriggerResult)."""

    CONTINUE = 0
    FIRE = 1
    PURGE = 2
    FIRE_AND_PURGE = 3


CONTINUE, FIRE, PURGE, FIRE_AND_PURGE = Decision


class PaneTiming(Enum):
    """When a firing came, seen from the window's end."""

    EARLY = "EARLY"
    ON_TIME = "ON_TIME"
    LATE = "LATE"


class TimeDomain(Enum):
    """The clock a time-based policy follows."""

    EVENT = "event"
    PROCESSING = "processing"


@dataclass(frozen=True, slots=True)
class TimeAttribute:
    """The time of an assigner: `expressions` holds its SQL, empty for PROCTIME().

    `written` is the statement's text where it differs, as for the pair of a window join. `is_local` says that
    windows over a TIMESTAMP follow what the clocks of the session's time zone show, and `zone` is that zone once it is
    known; without one windows follow UTC.
    """

    domain: TimeDomain
    expressions: tuple[str, ...] = ()
    written: str | None = None
    is_local: bool = False
    zone: str | None = None

    @property
    def is_event(self) -> bool:
        return self.domain is TimeDomain.EVENT


@dataclass(frozen=True, slots=True)
class Operand:
    """A scalar SQL expression a policy reads from each row; `slot` is its place in the row tuple, set by binding."""

    sql: str
    slot: int = -1

    def of(self, row: Row) -> Any:
        """The value of the expression in this row."""
        return row[self.slot]


class TriggerContext(Protocol):
    """What a trigger sees and does for one (key, window). Trigger objects themselves hold parameters only."""

    key: Any
    window: Window
    watermark: int
    """The current watermark, inclusive; MIN_TIME before the first one."""
    now: int
    """The current processing time."""

    def get(self, name: str) -> Any:
        """The trigger's value of that name for this key and window; None when never put."""

    def put(self, name: str, value: Any) -> None:
        """Keep a value: None, bool, int, float, str, bytes, Decimal, a date or time, or a collection of these."""

    def drop(self, name: str) -> None:
        """Forget the value of that name."""

    def nested(self, name: str) -> TriggerContext:
        """A context whose values live apart from this one's; for triggers that hold several others."""

    def aggregates(self) -> Sequence[Any]:
        """Current values of the query's trigger aggregates over the window's contents, the present row included."""

    def register_event_timer(self, time: int) -> None:
        """Ask for `on_event_time` when the watermark reaches `time`; registering twice is registering once."""

    def register_processing_timer(self, time: int) -> None:
        """Ask for `on_processing_time` when the clock reaches `time`."""

    def delete_event_timer(self, time: int) -> None:
        """Withdraw an event timer; nothing happens when there is none."""

    def delete_processing_timer(self, time: int) -> None:
        """Withdraw a processing timer; nothing happens when there is none."""


class MergeContext(TriggerContext, Protocol):
    """The context of `Trigger.on_merge`: `window` is the merged window; its predecessors' values can be taken over."""

    def merge(self, name: str, combine: Callable[[Any, Any], Any]) -> Any:
        """Move the predecessors' values of that name here, combined in order; returns the result or None."""

    def nested(self, name: str) -> MergeContext: ...
