"""The first rows of a ranking, before the shuffle: rows that no ranking of all rows can keep are left out.

A row that is not among the first N of its key and slice is not among the first N of any window that has the slice.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from winsql.model.columnar import Longs
from winsql.model.columnar.assigners import SliceForm
from winsql.model.window_functions import RankingFunction
from winsql.runtime.arrays import present_in, to_arrow, to_numpy
from winsql.runtime.columnar.reduction import Reduction, has_known_slices, known_slices, ones, slices_of
from winsql.runtime.columnar.shared.keys import KeyTable
from winsql.runtime.columnar.shared.limits import Unfit
from winsql.runtime.columnar.shared.plan import ColumnarPlan


@dataclass(frozen=True, slots=True)
class SortColumn:
    """A column that a ranking orders by: its place in a batch of rows, and how."""

    place: int
    is_descending: bool
    nulls_first: bool

    def codes(self, batch: pa.RecordBatch) -> Longs:
        """Numbers in the order of the values. Raises Unfit for a type that Arrow does not rank."""
        column = batch.column(self.place)
        try:
            ranks = pc.rank(column, sort_keys="ascending", tiebreaker="dense")  # NaN is greater than all numbers
        except pa.ArrowNotImplementedError as error:
            raise Unfit(f"rows cannot be ranked by {column.type} before the shuffle") from error
        codes = to_numpy(ranks).astype(np.int64)
        codes = -codes if self.is_descending else codes
        at_end = np.int64(-len(codes) - 1 if self.nulls_first else len(codes) + 1)
        return np.where(present_in(column), codes, at_end)


@dataclass(frozen=True, slots=True)
class TopRows(Reduction):
    """How rows become the first ones of their key and slice.

    order    what they are ranked by; of equal rows the first to arrive comes first, or the last with `last_first`
    most     the greatest rank that is kept
    keys     where the key columns of a batch begin, and their number: beside windows, they divide what is ranked
    """

    function: RankingFunction
    order: tuple[SortColumn, ...]
    most: int
    last_first: bool
    slices: SliceForm
    keys: tuple[int, int]

    def schema(self, rows: pa.Schema) -> pa.Schema:
        return rows.append(pa.field("rows", pa.int64()))

    def of_each(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        return pa.RecordBatch.from_arrays([*batch.columns, ones(batch.num_rows)], schema=self.schema(batch.schema))

    def reduced(self, batch: pa.RecordBatch) -> pa.RecordBatch:
        """The rows with ranks up to `most`; the first of each key and slice also counts those that are left out."""
        if not batch.num_rows:
            return batch
        try:
            groups = self._groups(batch)
            codes = [column.codes(batch) for column in self.order]
        except Unfit:
            return batch
        arrival = np.arange(batch.num_rows)
        ties = [-arrival] if self.last_first else []
        order = np.lexsort([*ties, *reversed(codes), *groups])
        begins_group = _changes([group[order] for group in groups])
        begins_place = begins_group | _changes([code[order] for code in codes])
        first = np.flatnonzero(begins_group)
        numbers = _NUMBERS[self.function](begins_place, first, begins_group)
        stands_for = np.zeros(batch.num_rows, dtype=np.int64)
        stands_for[order[first]] = np.add.reduceat(to_numpy(batch.column(batch.num_columns - 1))[order], first)
        kept = np.sort(order[numbers <= self.most])
        columns = [*batch.take(to_arrow(kept)).columns[:-1], to_arrow(stands_for[kept])]
        return pa.RecordBatch.from_arrays(columns, schema=batch.schema)

    def _groups(self, batch: pa.RecordBatch) -> list[Longs]:
        """Numbers that together are the same for rows of one key and slice. Raises Unfit where there are none."""
        first, count = self.keys
        named = batch.select([0, *range(first, first + count)])
        keys = [KeyTable(named.schema).add(named)] if count else []
        return [*keys, slices_of(self.slices, batch.column(1))]


def top_rows(
    plan: ColumnarPlan,
    function: RankingFunction,
    order: Sequence[SortColumn],
    most: int,
    last_first: bool,
    keys: tuple[int, int],
) -> TopRows | None:
    """How rows become the first ones of their key and slice; None where windows must see each row by itself."""
    slices = known_slices(plan)
    if slices is None or not has_known_slices(plan):
        return None
    return TopRows(function, tuple(order), most, last_first, slices, keys)


_Bools = npt.NDArray[np.bool_]


def _changes(columns: Sequence[Longs]) -> _Bools:
    """Whether a row differs from the one before it in any of the columns."""
    changes = np.zeros(len(columns[0]), dtype=np.bool_)
    changes[0] = True
    for column in columns:
        changes[1:] |= column[1:] != column[:-1]
    return changes


def _within(values: Longs, first: Longs, begins_group: _Bools) -> Longs:
    """Values that ascend, counted from 1 in each group."""
    counted: Longs = values - values[first][np.cumsum(begins_group) - 1] + 1
    return counted


def _row_numbers(begins_place: _Bools, first: Longs, begins_group: _Bools) -> Longs:
    return _within(np.arange(len(begins_place)), first, begins_group)


def _ranks(begins_place: _Bools, first: Longs, begins_group: _Bools) -> Longs:
    rows = np.arange(len(begins_place))
    return _within(np.maximum.accumulate(np.where(begins_place, rows, 0)), first, begins_group)


def _dense_ranks(begins_place: _Bools, first: Longs, begins_group: _Bools) -> Longs:
    places: Longs = np.cumsum(begins_place)
    return _within(places, first, begins_group)


_NUMBERS: dict[RankingFunction, Callable[[_Bools, Longs, _Bools], Longs]] = {
    RankingFunction.ROW_NUMBER: _row_numbers,
    RankingFunction.RANK: _ranks,
    RankingFunction.DENSE_RANK: _dense_ranks,
}
