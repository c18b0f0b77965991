"""What planning knows about the relation that a windowed query reads."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import pyarrow as pa


@dataclass(frozen=True, slots=True)
class ColumnFact:
    """Type of an expression over the source: Spark's name for it, and Arrow's (None: Arrow has none).

    `declared` is the type with CHAR(n) and VARCHAR(n) where Spark's name says STRING, '' without these.
    """

    type_name: str
    arrow: pa.DataType | None
    is_nullable: bool = True
    declared: str = ""

    @property
    def is_instant(self) -> bool:
        """Whether it can be the time of a window."""
        return self.type_name in ("timestamp", "timestamp_ntz", "date")

    @property
    def has_zone(self) -> bool:
        """Whether it is an instant (TIMESTAMP) and not a date or a local time."""
        return self.type_name == "timestamp"

    @property
    def is_number(self) -> bool:
        return self.type_name in _NUMBERS or self.type_name.startswith("decimal(")

    @property
    def is_duration(self) -> bool:
        """Whether it is a day-time interval."""
        return self.type_name.startswith("interval ") and not _names_months(self.type_name)

    @property
    def is_collated(self) -> bool:
        """Whether it is, or contains, a string that does not compare by its bytes."""
        return " collate " in self.type_name


_NUMBERS = frozenset({"tinyint", "smallint", "int", "bigint", "float", "double"})


def _names_months(type_name: str) -> bool:
    return "year" in type_name or "month" in type_name


@dataclass(frozen=True, slots=True)
class AggregateFact:
    """An aggregate call: type of its result, whether winsql has an accumulator for it, whether a user registered it,
    whether it compares strings by their collation.
    """

    result: ColumnFact
    has_accumulator: bool
    is_registered: bool = False
    compares_collated: bool = False


class Upstream(Enum):
    """What in a streaming relation waits for the watermark before it gives its rows.

    A window of event time can read only a windowed query that fires by the watermark alone, by its window_time: AT_END
    gives all rows of a window once the watermark has passed its end, ON_TIME gives some of them earlier.
    """

    WINDOWED = "a windowed query"
    AGGREGATION = "an aggregation"
    AT_END = "a windowed query, by its window_time, that fires once"
    ON_TIME = "a windowed query, by its window_time"
    ANY_TIME = "a windowed query that fires at other times too"
    MIXED = "a windowed query beside other rows"

    @property
    def is_on_time(self) -> bool:
        """Whether a window of event time can read it."""
        return self in (Upstream.AT_END, Upstream.ON_TIME)


@dataclass(frozen=True, slots=True)
class StreamFacts:
    """A streaming relation and its session.

    has_watermark       whether the relation has a watermark
    state_store         the class that keeps state
    shuffle_partitions  of the session
    upstream            what in the relation waits for the watermark itself; None: nothing does
    stateful_since      the first version that keeps state for Python; None where the session can do so
    windows_of_rows     the windows that its rows come with as they are read, as `windows_identity` has them
    is_marked_twice     whether a watermark follows rows that have one already, which Spark refuses
    watermarks          how many watermarks its windows wait for; 0 where they wait for other windows, or for none
    """

    has_watermark: bool
    state_store: str
    shuffle_partitions: int
    upstream: Upstream | None = None
    stateful_since: str | None = None
    windows_of_rows: tuple[str, ...] = ()
    is_marked_twice: bool = False
    watermarks: int = 0


@dataclass(frozen=True, slots=True)
class SideFacts:
    """One input of a window join.

    keys      types of its keys
    time      type of its time; None where it has none
    row_type  name of the type of its rows
    columns   names of its columns, in order
    """

    keys: tuple[ColumnFact, ...]
    time: ColumnFact | None
    row_type: str
    columns: tuple[str, ...]
    is_streaming: bool
    has_watermark: bool
    upstream: Upstream | None = None


Sides = tuple[SideFacts, SideFacts]
"""The left and the right input."""


@dataclass(frozen=True, slots=True)
class Facts:
    """The types of a WindowQuery, in its order; `time` is None when the assigner has no time expression.

    `stream` is None for a bounded table; `sides` are the inputs of a window join, None for other queries. `read` is
    what the aggregates read of each row, `carried` what is kept of it beside.
    """

    stream: StreamFacts | None
    time: ColumnFact | None
    keys: tuple[ColumnFact, ...]
    operands: tuple[ColumnFact, ...]
    aggregates: tuple[AggregateFact, ...]
    trigger_aggregates: tuple[AggregateFact, ...]
    sides: Sides | None = None
    read: tuple[ColumnFact, ...] = ()
    carried: tuple[ColumnFact, ...] = ()
