"""Key groups: how far the state of a stream can be spread. Their number is fixed with the checkpoint."""

from __future__ import annotations

FEWEST = 16
"""The fewest key groups of a query, however few its partitions are."""


def key_groups_of(partitions: int) -> int:
    """How many a new checkpoint gets: as many for each partition, two at least."""
    return partitions * max(2, -(-FEWEST // partitions))


def partitions_with(groups: int) -> int | None:
    """The most partitions for which a checkpoint gets that many; None where it gets it for none."""
    few = range(FEWEST // 2, 0, -1)  # more of them get two each
    return next((number for number in (groups // 2, *few) if number > 0 and key_groups_of(number) == groups), None)
