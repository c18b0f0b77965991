"""Rows on their way into panes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa

from winsql.model.base import TimeDomain
from winsql.model.columnar import NO_TIME, Longs, Runs, Values
from winsql.runtime.arrays import is_whole, longs_of, present_in, to_numpy
from winsql.runtime.columnar.shared.limits import Unfit, require_instants
from winsql.runtime.columnar.shared.plan import ColumnarPlan
from winsql.runtime.columnar.shared.protocol import Slots, column_at
from winsql.runtime.columnar.shared.runs import Operand, operand_of

Column = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Arrivals:
    """Rows in arrival order.

    key, time, number   number of the key, event time (NO_TIME without one), row number
    inputs              what each part of accumulators gets
    operand, evicted    what the trigger and the evictor read, None when they read nothing
    """

    key: Longs
    time: Longs
    number: Longs
    inputs: list[Column]
    operand: Values | None
    evicted: Operand | None

    def __len__(self) -> int:
        return len(self.key)

    def between(self, begin: int, end: int) -> Arrivals:
        part = slice(begin, end)
        inputs = [column[part] for column in self.inputs]
        places = np.arange(begin, min(end, len(self)))
        operand, evicted = self.operand and self.operand.take(places), self.evicted and self.evicted.take(places)
        return Arrivals(self.key[part], self.time[part], self.number[part], inputs, operand, evicted)


@dataclass(frozen=True, slots=True)
class Entries:
    """Pairs of row and pane, those of a pane together and in arrival order.

    rows, panes   places in the arrivals and among the panes
    order         the place of each pair before they were grouped
    runs          where a pane's pairs begin, for the trigger
    """

    rows: Longs
    panes: Longs
    order: Longs
    runs: Runs


def arrivals_of(plan: ColumnarPlan, held: Sequence[Column], key: Longs, slots: Slots, numbers: Longs) -> Arrivals:
    """Rows from their columns. `held` are the accumulators that they may be added to; none where rows are kept, whose
    sums are checked when they are computed. Raises Unfit for what does not fit."""
    inputs: list[Column] = []
    for aggregate, columns in zip(plan.aggregates, plan.brought(slots, len(numbers)), strict=True):
        if held and aggregate.overflows(held[len(inputs) : len(inputs) + len(columns)], columns):
            raise Unfit("a sum near the end of 64 bits")
        inputs += columns
    operand, evicted = plan.trigger.slot, None if plan.evictor is None else plan.evictor.slot
    return Arrivals(
        key,
        _times(plan, slots[1], len(numbers)),
        numbers,
        inputs,
        None if operand is None else _values(column_at(slots, operand)),
        None if evicted is None else operand_of(column_at(slots, evicted)),
    )


def entries_of(arrivals: Arrivals, rows: Longs, panes: Longs, known: int) -> Entries:
    """Group pairs by their panes, whose places are below `known`."""
    order = grouping(panes, known)
    owners = panes[order]
    begins = np.flatnonzero(np.diff(owners, prepend=-1))
    counts = np.diff(np.append(begins, len(owners)))
    rank = np.arange(len(owners)) - np.repeat(begins, counts)
    operand = arrivals.operand and arrivals.operand.take(rows[order])
    return Entries(rows[order], owners, order, Runs(owners[begins], begins, counts, rank, operand))


def grouping(numbers: Longs, count: int) -> Longs:
    """A stable order that brings equal numbers below `count` together."""
    # numpy sorts 16 bits by radix, and everything else by comparison
    if count <= _RADIX:
        return np.argsort(numbers.astype(np.uint16), kind="stable")
    low = np.argsort((numbers % _RADIX).astype(np.uint16), kind="stable")
    return low[grouping(numbers[low] // _RADIX, -(-count // _RADIX))]


_RADIX = 1 << 16


def _times(plan: ColumnarPlan, column: pa.Array | None, rows: int) -> Longs:
    if column is None:
        column = pa.nulls(rows, pa.int64())
    reads_time = plan.clock is TimeDomain.EVENT or plan.trigger.clock is TimeDomain.EVENT
    if reads_time and column.null_count:
        raise Unfit("a row has no event time")
    present = present_in(column)
    times = require_instants(to_numpy(column))
    return times if not column.null_count else np.where(present, times, NO_TIME)


def reads(kind: pa.DataType) -> bool:
    """Whether a trigger's operand of this type is a number in columns, as the per-row operator has it."""
    return is_whole(kind) or bool(pa.types.is_floating(kind))


def _values(column: pa.Array) -> Values:
    kind = column.type
    if not reads(kind):
        raise Unfit(f"an operand of type {kind}")
    values = to_numpy(column.cast(pa.float64())) if pa.types.is_floating(kind) else longs_of(column)
    return Values(values, present_in(column))
