"""Joins of one firing. As in Flink, a join is a co-group on the union of both inputs through the window operator."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from winsql.model.base import Operand, Row
from winsql.model.joins import JoinType

Match = Callable[[Row, Row], bool]
Pair = tuple[Row | None, Row | None]


def split_sides(rows: list[Row], side: Operand) -> tuple[list[Row], list[Row]]:
    """The rows of the left (side 0) and of the right input, each in arrival order."""
    left = [row for row in rows if side.of(row) == 0]
    return left, [row for row in rows if side.of(row) != 0]


def pair_rows(left: list[Row], right: list[Row], how: JoinType, match: Match | None = None) -> list[Pair]:
    """The joined rows of one firing: left rows in the outer loop, unmatched ones in place, unmatched right rows last.

    `match` is the residual condition; None means every pair of the firing matches.
    """
    matched: set[int] = set()
    pairs = [pair for row in left for pair in _pairs_of(row, right, how, match, matched)]
    if how.keeps_right:
        pairs += [(None, row) for index, row in enumerate(right) if index not in matched]
    return pairs


def _pairs_of(row: Row, right: list[Row], how: JoinType, match: Match | None, matched: set[int]) -> Iterator[Pair]:
    partners = [index for index, other in enumerate(right) if match is None or match(row, other)]
    matched.update(partners)
    if not how.has_right:
        if bool(partners) is not how.keeps_left:
            yield row, None
        return
    for index in partners:
        yield row, right[index]
    if not partners and how.keeps_left:
        yield row, None
