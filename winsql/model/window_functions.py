"""The records of window functions, calls with OVER: over the rows and results of windows, also on a stream."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from winsql.errors import Span

__all__ = [
    "Frame",
    "FrameBound",
    "RankingFunction",
    "Side",
    "SortKey",
    "Ties",
    "WindowFunctionCall",
    "WindowFunctions",
]


class RankingFunction(Enum):
    """How rows of one place in the order are numbered."""

    ROW_NUMBER = "ROW_NUMBER"
    RANK = "RANK"
    DENSE_RANK = "DENSE_RANK"


class Ties(Enum):
    """Which of the rows of one place in the order comes first."""

    FIRST_ARRIVED = "the one that arrived first"
    LAST_ARRIVED = "the one that arrived last"
    COLUMNS = "the one whose columns, from left to right, are less"


@dataclass(frozen=True, slots=True)
class SortKey:
    """`expression [ASC | DESC] [NULLS FIRST | LAST]`; `written` is the expression as the statement has it."""

    sql: str
    is_descending: bool
    nulls_first: bool
    written: str


class Side(Enum):
    """On which side of its row a bound of a frame is."""

    PRECEDING = -1
    CURRENT_ROW = 0
    FOLLOWING = 1


@dataclass(frozen=True, slots=True)
class FrameBound:
    """`offset PRECEDING | FOLLOWING`, UNBOUNDED without an offset, or CURRENT ROW."""

    side: Side
    offset: str | None = None


@dataclass(frozen=True, slots=True)
class Frame:
    """`ROWS | RANGE BETWEEN start AND end`"""

    counts_rows: bool
    start: FrameBound
    end: FrameBound


@dataclass(frozen=True, slots=True)
class WindowFunctionCall:
    """One call with OVER; SQL is over the operator's result.

    name        upper case; `sql` is the whole call
    partition   what has the function apart, the end of the windows among it; `apart` the same as the statement has it
    frame       None where OVER has none
    column      the column that holds the result
    """

    name: str
    sql: str
    arguments: tuple[str, ...]
    filter: str | None
    ignores_nulls: bool
    partition: tuple[str, ...]
    apart: tuple[str, ...]
    order: tuple[SortKey, ...]
    frame: Frame | None
    column: str
    span: Span

    @property
    def ranking(self) -> RankingFunction | None:
        """What it is where a window Top-N can be made of it."""
        return RankingFunction.__members__.get(self.name)

    @property
    def depends_on_ties(self) -> bool:
        """Whether it may tell rows of one place in the order apart."""
        return self.name not in _SAME_FOR_TIES


_SAME_FOR_TIES = frozenset({"RANK", "DENSE_RANK", "PERCENT_RANK", "CUME_DIST"})


@dataclass(frozen=True, slots=True)
class WindowFunctions:
    """What is computed over all that windows give that end together, across keys: Top-N and deduplication among it.

    where   filters the rows before, SQL over the operator's result
    ties    rows that have no arrival of their own, as groups, go by their columns
    most    the number of the only call, which ranks, above which rows change nothing; None where it is not known
    """

    calls: tuple[WindowFunctionCall, ...]
    where: str | None
    ties: Ties = Ties.FIRST_ARRIVED
    most: int | None = None

    @property
    def depend_on_ties(self) -> bool:
        """Whether ties count."""
        return any(call.depends_on_ties for call in self.calls)
