"""Aggregates whose accumulator grows with the values: COLLECT_LIST, COLLECT_SET, LISTAGG, MODE."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import pyarrow as pa

from winsql.model.aggregate_calls import Direction
from winsql.model.base import ROW_ID, Row
from winsql.runtime.aggregates.value_keys import Keys


@dataclass(frozen=True, slots=True)
class CollectList:
    """COLLECT_LIST, ARRAY_AGG: the values in arrival order. Accumulator: `[ROW_IDs, values]`."""

    result_type: pa.DataType
    slot: int
    keeps_nulls: bool = False

    def create(self) -> list[list[Any]]:
        return [[], []]

    def add(self, accumulator: list[list[Any]], row: Row) -> list[list[Any]]:
        value = row[self.slot]
        if value is not None or self.keeps_nulls:
            accumulator[0].append(row[ROW_ID])
            accumulator[1].append(value)
        return accumulator

    def merge(self, accumulator: list[list[Any]], other: list[list[Any]]) -> list[list[Any]]:
        ids, values = accumulator
        in_order = not ids or not other[0] or ids[-1] < other[0][0]
        ids += other[0]
        values += other[1]
        if in_order:
            return accumulator
        order = sorted(range(len(ids)), key=ids.__getitem__)
        return [[ids[i] for i in order], [values[i] for i in order]]

    def result(self, accumulator: list[list[Any]]) -> list[Any]:
        return accumulator[1].copy()


Firsts = dict[Any, Any]
"""Keys in the order in which they came first, each with the ROW_ID of its first row.

State of earlier versions has no ROW_IDs: its keys came before all others, in their order.
"""
_EARLIER = -1


def _united(firsts: Firsts, other: Firsts) -> Firsts:
    """The keys of both; may change the first one."""
    if not firsts or not other:
        return firsts or other.copy()
    in_order = _place(next(reversed(firsts.values()))) < _place(next(iter(other.values())))
    if not in_order and _place(next(iter(other.values()))) < _place(next(iter(firsts.values()))):
        firsts, other = other.copy(), firsts  # of keys without a number those of the earlier one come first
    for key, number in other.items():
        firsts[key] = min(_place(number), _place(firsts.get(key, number)))
    return firsts if in_order else dict(sorted(firsts.items(), key=lambda item: _place(item[1])))


def _place(number: int | None) -> int:
    return _EARLIER if number is None else number


@dataclass(frozen=True, slots=True)
class CollectSet:
    """COLLECT_SET, COLLECT_LIST(DISTINCT ...): the distinct values, in the order in which they came first.

    Spark leaves that order open. Accumulator: the keys with their first ROW_IDs; up to version 0.1.0 with None.
    """

    result_type: pa.DataType
    slot: int
    keys: Keys
    keeps_nulls: bool = field(default=False, kw_only=True)

    def create(self) -> Firsts:
        return {}

    def add(self, accumulator: Firsts, row: Row) -> Firsts:
        value = row[self.slot]
        if value is not None or self.keeps_nulls:
            accumulator.setdefault(None if value is None else self.keys.key(value), row[ROW_ID])
        return accumulator

    def merge(self, accumulator: Firsts, other: Firsts) -> Firsts:
        return _united(accumulator, other)

    def result(self, accumulator: Firsts) -> list[Any]:
        return [None if key is None else self.keys.value(key) for key in accumulator]


@dataclass(frozen=True, slots=True)
class SortedSet(CollectSet):
    """The distinct values of LISTAGG(DISTINCT ...) WITHIN GROUP, sorted by themselves."""

    is_descending: bool

    def result(self, accumulator: Firsts) -> list[Any]:
        return [self.keys.value(key) for key in sorted(accumulator, reverse=self.is_descending)]


@dataclass(frozen=True, slots=True)
class SortKeySlot:
    """A key that values are sorted by: its slot, the keys of its type, and its direction."""

    slot: int
    keys: Keys
    direction: Direction

    def place(self, value: Any) -> tuple[Any, ...]:
        """What compares as the value does, NULL included; `list.sort` is to be told of `is_descending`."""
        is_first = self.direction.nulls_first != self.direction.is_descending
        return (0 if is_first else 2,) if value is None else (1, value)


@dataclass(frozen=True, slots=True)
class SortedList:
    """The values of LISTAGG(...) WITHIN GROUP, without NULLs, equal ones in arrival order.

    Accumulator: for each value `(ROW_ID, value, key of each sort key)`.
    """

    result_type: pa.DataType
    slot: int
    order: tuple[SortKeySlot, ...]

    def create(self) -> list[tuple[Any, ...]]:
        return []

    def add(self, accumulator: list[tuple[Any, ...]], row: Row) -> list[tuple[Any, ...]]:
        value = row[self.slot]
        if value is not None:
            places = (None if row[key.slot] is None else key.keys.key(row[key.slot]) for key in self.order)
            accumulator.append((row[ROW_ID], value, *places))
        return accumulator

    def merge(self, accumulator: list[tuple[Any, ...]], other: list[tuple[Any, ...]]) -> list[tuple[Any, ...]]:
        accumulator += other
        return accumulator

    def result(self, accumulator: list[tuple[Any, ...]]) -> list[Any]:
        rows = sorted(accumulator, key=lambda row: row[0])
        for number, key in reversed([*enumerate(self.order, 2)]):
            rows.sort(key=lambda row, n=number, k=key: k.place(row[n]), reverse=key.direction.is_descending)  # type: ignore[misc]
        return [row[1] for row in rows]


@dataclass(frozen=True, slots=True)
class JoinedValues:
    """LISTAGG, STRING_AGG: what `values` collects, as one string or binary value; of none NULL.

    `delimiter` is the slot of the constant between values; none, or a NULL in it, means nothing between them.
    Accumulator: `[delimiter, accumulator of values]`.
    """

    result_type: pa.DataType
    values: CollectList | CollectSet | SortedList
    delimiter: int | None

    def create(self) -> list[Any]:
        return [None, self.values.create()]

    def add(self, accumulator: list[Any], row: Row) -> list[Any]:
        if self.delimiter is not None:
            accumulator[0] = row[self.delimiter]
        accumulator[1] = self.values.add(accumulator[1], row)
        return accumulator

    def merge(self, accumulator: list[Any], other: list[Any]) -> list[Any]:
        delimiter = other[0] if accumulator[0] is None else accumulator[0]
        return [delimiter, self.values.merge(accumulator[1], other[1])]

    def result(self, accumulator: list[Any]) -> Any:
        values = self.values.result(accumulator[1])
        if not values:
            return None
        return (values[0][:0] if accumulator[0] is None else accumulator[0]).join(values)


@dataclass(frozen=True, slots=True)
class Mode:
    """MODE: the most frequent value, NULLs left out.

    Spark leaves open which of several equally frequent values it returns; here it is the one that came first.
    Accumulator: `[how often each key came, the keys with their first ROW_IDs]`; up to version 0.1.0 only the counts.
    """

    result_type: pa.DataType
    slot: int
    keys: Keys

    def create(self) -> list[dict[Any, int]]:
        return [{}, {}]

    def add(self, accumulator: Any, row: Row) -> list[dict[Any, int]]:
        counts, firsts = current = self._current(accumulator)
        value = row[self.slot]
        if value is not None:
            key = self.keys.key(value)
            counts[key] = counts.get(key, 0) + 1
            firsts.setdefault(key, row[ROW_ID])
        return current

    def merge(self, accumulator: Any, other: Any) -> list[dict[Any, int]]:
        (counts, firsts), (more, others) = self._current(accumulator), self._current(other)
        for key, count in more.items():
            counts[key] = counts.get(key, 0) + count
        firsts = _united(firsts, others)
        return [{key: counts[key] for key in firsts}, firsts]

    def result(self, accumulator: Any) -> Any:
        counts = self._current(accumulator)[0]
        if not counts:
            return None
        return self.keys.value(max(counts, key=counts.__getitem__))

    @staticmethod
    def _current(accumulator: Any) -> list[dict[Any, int]]:
        """The accumulator in its present form."""
        if isinstance(accumulator, dict):
            return [accumulator, dict.fromkeys(accumulator, _EARLIER)]
        held: list[dict[Any, int]] = accumulator
        return held


@dataclass(frozen=True, slots=True)
class OrderedMode:
    """MODE() WITHIN GROUP (ORDER BY value): the most frequent value, of equally frequent ones that which `beats` the
    others. Accumulator: how often each key came."""

    result_type: pa.DataType
    slot: int
    keys: Keys
    beats: Callable[[Any, Any], bool]

    def create(self) -> dict[Any, int]:
        return {}

    def add(self, accumulator: dict[Any, int], row: Row) -> dict[Any, int]:
        value = row[self.slot]
        if value is not None:
            key = self.keys.key(value)
            accumulator[key] = accumulator.get(key, 0) + 1
        return accumulator

    def merge(self, accumulator: dict[Any, int], other: dict[Any, int]) -> dict[Any, int]:
        for key, count in other.items():
            accumulator[key] = accumulator.get(key, 0) + count
        return accumulator

    def result(self, accumulator: dict[Any, int]) -> Any:
        most = max(accumulator.values(), default=0)
        best, *others = [self.keys.value(key) for key, count in accumulator.items() if count == most] or [None]
        for value in others:
            best = value if self.beats(value, best) else best
        return best
