"""The records of a ranking: window Top-N and deduplication, as Flink SQL has them, on a stream."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from winsql.errors import Span

__all__ = ["RankCall", "Ranking", "RankingFunction", "SortKey", "Ties"]


class RankingFunction(Enum):
    """How rows of one place in the order are numbered."""

    ROW_NUMBER = "ROW_NUMBER"
    RANK = "RANK"
    DENSE_RANK = "DENSE_RANK"


class Ties(Enum):
    """Which of the rows of one place in the order has the smaller ROW_NUMBER."""

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


@dataclass(frozen=True, slots=True)
class RankCall:
    """One call of a ranking function; SQL is over the operator's result.

    partition   what is ranked apart, the end of the windows among it; `apart` the same as the statement has it
    column      the column that holds the rank
    """

    function: RankingFunction
    partition: tuple[str, ...]
    apart: tuple[str, ...]
    order: tuple[SortKey, ...]
    column: str
    span: Span


@dataclass(frozen=True, slots=True)
class Ranking:
    """What ranks all that one window gives, across keys: Flink SQL's window Top-N and deduplication on a stream.

    where   filters what is ranked, SQL over the operator's result
    ties    of ROW_NUMBER; rows that have no arrival of their own, as groups, go by their columns
    most    the number of the only call above which rows change nothing; None where it is not known
    """

    calls: tuple[RankCall, ...]
    where: str | None
    ties: Ties = Ties.FIRST_ARRIVED
    most: int | None = None

    @property
    def has_row_number(self) -> bool:
        """Whether ties count."""
        return any(call.function is RankingFunction.ROW_NUMBER for call in self.calls)
