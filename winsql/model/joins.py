"""The types of window joins: all that is said of one is said here."""

from __future__ import annotations

from enum import Enum
from itertools import product


class JoinType(Enum):
    """Which rows come out of a join.

    syntax       its words before JOIN, as the grammar says them
    sql          the join of Spark's that does the same
    returns      what comes out, for people
    keeps_left, keeps_right   whether rows of that side come out that have no match
    has_right    whether rows of the right side come out at all; without them `keeps_left` rows come out alone
    """

    INNER = "INNER", "JOIN", "the pairs of rows of both sides that match"
    LEFT = (
        "LEFT [OUTER]",
        "LEFT JOIN",
        "the pairs of rows that match, and the rows of the left side without a match",
        True,
    )
    RIGHT = (
        "RIGHT [OUTER]",
        "RIGHT JOIN",
        "the pairs of rows that match, and the rows of the right side without a match",
        False,
        True,
    )
    FULL = (
        "FULL [OUTER]",
        "FULL JOIN",
        "the pairs of rows that match, and the rows of both sides without a match",
        True,
        True,
    )
    SEMI = "[LEFT] SEMI", "LEFT SEMI JOIN", "the rows of the left side that have a match", False, False, False
    ANTI = "[LEFT] ANTI", "LEFT ANTI JOIN", "the rows of the left side without a match", True, False, False

    def __init__(
        self,
        syntax: str,
        sql: str,
        returns: str,
        keeps_left: bool = False,
        keeps_right: bool = False,
        has_right: bool = True,
    ) -> None:
        self.syntax = syntax
        self.sql = sql
        self.returns = returns
        self.keeps_left = keeps_left
        self.keeps_right = keeps_right
        self.has_right = has_right

    @property
    def has_left_in_each(self) -> bool:
        """Whether each row that comes out has a row of the left side."""
        return not self.keeps_right

    @property
    def has_right_in_each(self) -> bool:
        """Whether each row that comes out has a row of the right side."""
        return self.has_right and not self.keeps_left

    @property
    def spellings(self) -> tuple[tuple[str, ...], ...]:
        """Its words in every way, longer ones first: those in square brackets may be left out."""
        choices = [(word.strip("[]"), "") if word.startswith("[") else (word,) for word in self.syntax.split()]
        spelled = (tuple(word for word in words if word) for words in product(*choices))
        return tuple(sorted(spelled, key=len, reverse=True))

    def shared(self, left: str, right: str) -> str:
        """The value, in a row of the join, of a column that is equal in both sides; all are SQL."""
        if self.keeps_left and self.keeps_right:
            return f"coalesce({left}, {right})"
        return right if self.keeps_right else left
