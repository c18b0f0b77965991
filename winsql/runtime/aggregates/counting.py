"""COUNT in its forms, whose accumulators are numbers or sets of distinct keys, and APPROX_COUNT_DISTINCT."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pyarrow as pa

from winsql.model.base import Row
from winsql.runtime.aggregates import hyperloglog
from winsql.runtime.aggregates.value_keys import Keys
from winsql.runtime.aggregates.xxhash64 import SEED, Hash


@dataclass(frozen=True, slots=True)
class CountRows:
    """COUNT(*)."""

    result_type: pa.DataType

    def create(self) -> int:
        return 0

    def add(self, accumulator: int, row: Row) -> int:
        return accumulator + 1

    def merge(self, accumulator: int, other: int) -> int:
        return accumulator + other

    def result(self, accumulator: int) -> int:
        return accumulator


@dataclass(frozen=True, slots=True)
class CountPresent(CountRows):
    """COUNT(a): rows in which the argument is not NULL."""

    slot: int

    def add(self, accumulator: int, row: Row) -> int:
        return accumulator if row[self.slot] is None else accumulator + 1


@dataclass(frozen=True, slots=True)
class CountAllPresent(CountRows):
    """COUNT(a, b, ...): rows in which no argument is NULL."""

    slots: tuple[int, ...]

    def add(self, accumulator: int, row: Row) -> int:
        for slot in self.slots:
            if row[slot] is None:
                return accumulator
        return accumulator + 1


@dataclass(frozen=True, slots=True)
class CountIf(CountRows):
    """COUNT_IF(condition)."""

    slot: int

    def add(self, accumulator: int, row: Row) -> int:
        return accumulator + 1 if row[self.slot] else accumulator


@dataclass(frozen=True, slots=True)
class _CountKeys:
    """How many distinct keys there are."""

    result_type: pa.DataType

    def create(self) -> set[Any]:
        return set()

    def merge(self, accumulator: set[Any], other: set[Any]) -> set[Any]:
        accumulator |= other
        return accumulator

    def result(self, accumulator: set[Any]) -> int:
        return len(accumulator)


@dataclass(frozen=True, slots=True)
class CountDistinct(_CountKeys):
    """COUNT(DISTINCT a)."""

    slot: int
    keys: Keys

    def add(self, accumulator: set[Any], row: Row) -> set[Any]:
        value = row[self.slot]
        if value is not None:
            accumulator.add(self.keys.key(value))
        return accumulator


@dataclass(frozen=True, slots=True)
class CountDistinctTuples(_CountKeys):
    """COUNT(DISTINCT a, b, ...): distinct tuples without a NULL."""

    slots: tuple[int, ...]
    keys: tuple[Keys, ...]

    def add(self, accumulator: set[Any], row: Row) -> set[Any]:
        values = [row[slot] for slot in self.slots]
        if not any(value is None for value in values):
            accumulator.add(tuple(keys.key(value) for keys, value in zip(self.keys, values, strict=True)))
        return accumulator


@dataclass(frozen=True, slots=True)
class ApproximateCountDistinct:
    """APPROX_COUNT_DISTINCT(a). Accumulator: the registers, a byte each; empty before the first value."""

    result_type: pa.DataType
    slot: int
    hashed: Hash

    def create(self) -> bytes:
        return b""

    def add(self, accumulator: bytes, row: Row) -> bytes:
        value = row[self.slot]
        if value is None:
            return accumulator
        registers = accumulator or bytes(hyperloglog.REGISTERS)
        place, rank = hyperloglog.rank_of(self.hashed(value, SEED))
        if registers[place] >= rank:
            return registers
        return b"".join((registers[:place], bytes((rank,)), registers[place + 1 :]))

    def merge(self, accumulator: bytes, other: bytes) -> bytes:
        return bytes(map(max, accumulator, other)) if accumulator and other else accumulator or other

    def result(self, accumulator: bytes) -> int:
        return hyperloglog.estimate(accumulator) if accumulator else 0
