"""Numbers of key groups that Spark's hash partitioning spreads evenly: each partition gets as many groups.

The numbers from 0 on do not: of 16 numbers, nine go to one of two partitions; of 400 numbers, some of 200 partitions
get none and others six. Neither PySpark nor the SQL parser is imported.
"""

from __future__ import annotations

from functools import cache

import numpy as np
import numpy.typing as npt

_SEED = np.uint32(42)


@cache
def key_group_numbers(count: int) -> npt.NDArray[np.int64]:
    """A number for each of so many key groups: for that of group g, the hash modulo the count is g.

    So partitions whose number divides the count get equal shares.
    """
    candidates = np.arange(32 * count, dtype=np.int32)  # e**-32 of the groups would find none
    owners = spark_hashes(candidates).astype(np.int64) % count
    groups, first = np.unique(owners, return_index=True)
    assert len(groups) == count
    return first.astype(np.int64)


def spark_hashes(numbers: npt.NDArray[np.int32]) -> npt.NDArray[np.int32]:
    """What Spark's `hash` gives for an INT: Murmur3 of 32 bits (Austin Appleby), with the seed 42."""
    with np.errstate(over="ignore"):
        mixed = _rotated(numbers.view(np.uint32) * np.uint32(0xCC9E2D51), 15) * np.uint32(0x1B873593)
        state = _rotated(mixed ^ _SEED, 13) * np.uint32(5) + np.uint32(0xE6546B64)
        state ^= np.uint32(numbers.itemsize)
        for shift, factor in ((16, 0x85EBCA6B), (13, 0xC2B2AE35)):
            state = (state ^ (state >> np.uint32(shift))) * np.uint32(factor)
    hashes: npt.NDArray[np.int32] = (state ^ (state >> np.uint32(16))).view(np.int32)
    return hashes


def _rotated(values: npt.NDArray[np.uint32], bits: int) -> npt.NDArray[np.uint32]:
    return (values << np.uint32(bits)) | (values >> np.uint32(32 - bits))
