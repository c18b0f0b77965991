"""The records of a ranking: window Top-N and deduplication, as Flink SQL writes them, on a stream."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from winsql.errors import Span

__all__ = ["Ranking", "RankingFunction", "SortKey", "Ties"]


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
    """`expression [ASC | DESC] [NULLS FIRST | LAST]`"""

    sql: str
    is_descending: bool
    nulls_first: bool


@dataclass(frozen=True, slots=True)
class Ranking:
    """A ranking of all that one window gives, across keys: Flink SQL's window Top-N and deduplication on a stream.

    partition   what is ranked apart, window_start and window_end among it; SQL over the relation that is ranked
    before, behind   what stands before and behind the operator's result to make that relation: its FROM body
    where       filters that relation
    ties        groups have no arrival of their own: they go by their columns
    """

    function: RankingFunction
    partition: tuple[str, ...]
    order: tuple[SortKey, ...]
    before: str
    behind: str
    where: str | None
    span: Span
    ties: Ties = Ties.FIRST_ARRIVED
