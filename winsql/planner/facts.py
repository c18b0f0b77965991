"""What planning knows about the relation that a windowed query reads."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

import pyarrow as pa

__all__ = ["AggregateFact", "ColumnFact", "Facts", "SideFacts", "Sides", "StreamFacts", "Upstream"]


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
    """An aggregate call: type of its result, whether winsql has an accumulator for it, whether a user registered it."""

    result: ColumnFact
    has_accumulator: bool
    is_registered: bool = False


class Upstream(Enum):
    """What in a streaming relation keeps rows back until the watermark lets them go.

    A window of event time can read only what a windowed query gives by its window_time, where the watermark alone lets
    it go: AT_END all rows of a window together, when it has passed the end; ON_TIME some of them before.
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
    """Of a streaming relation and its session: whether it has a watermark, the class that keeps state, partitions,
    what in the relation waits for the watermark itself, the version of Spark that keeps state of Python's over
    Spark Connect, where this is such a session of an older one, and what the windows are that rows come with as they
    are read."""

    has_watermark: bool
    state_store: str
    shuffle_partitions: int
    upstream: Upstream | None = None
    stateful_since: str | None = None
    windows_of_rows: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class SideFacts:
    """One input of a window join: types of its keys and its time (None: it has none), the name of its rows' type.

    `columns` are the names of its columns, in their order.
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

    `stream` is None for a bounded table; `sides` are the inputs of a window join, None for other queries.
    """

    stream: StreamFacts | None
    time: ColumnFact | None
    keys: tuple[ColumnFact, ...]
    operands: tuple[ColumnFact, ...]
    aggregates: tuple[AggregateFact, ...]
    trigger_aggregates: tuple[AggregateFact, ...]
    sides: Sides | None = None
