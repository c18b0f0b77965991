"""The records of window functions, calls with OVER: over the rows and results of windows, also on a stream."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from winsql.errors import Span


class RankingFunction(Enum):
    """How a ranking numbers rows that are equal in its order."""

    ROW_NUMBER = "ROW_NUMBER"
    RANK = "RANK"
    DENSE_RANK = "DENSE_RANK"


class Ties(Enum):
    """Which of the rows that are equal in the order comes first."""

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
    partition   the expressions of PARTITION BY, the end of the windows among them; `apart` as the statement has them
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
        """The ranking function, where a window Top-N can be made of the call; else None."""
        return RankingFunction.__members__.get(self.name)

    @property
    def depends_on_ties(self) -> bool:
        """Whether its result may differ between rows that are equal in the order."""
        return self.name not in _SAME_FOR_TIES


_SAME_FOR_TIES = frozenset({"RANK", "DENSE_RANK", "PERCENT_RANK", "CUME_DIST"})


@dataclass(frozen=True, slots=True)
class WindowFunctions:
    """Calls over all results of windows that end together, across keys; Top-N and deduplication are such calls.

    where   a filter on the rows before the calls, SQL over the operator's result
    ties    how equal rows are told apart; rows without an arrival of their own, such as groups, by their columns
    most    where the only call is a ranking, the greatest number that matters; None where it is not known
    """

    calls: tuple[WindowFunctionCall, ...]
    where: str | None
    ties: Ties = Ties.FIRST_ARRIVED
    most: int | None = None

    @property
    def depend_on_ties(self) -> bool:
        """Whether the order of equal rows may change a result."""
        return any(call.depends_on_ties for call in self.calls)
