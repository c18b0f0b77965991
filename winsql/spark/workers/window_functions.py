"""Window functions in a worker: over the rows of one partition, as Arrow, with the results of Spark's own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from winsql.model.base import FIRST_OPERAND
from winsql.runtime.aggregates import Aggregate
from winsql.spark.workers.columns import array_of, values_of
from winsql.spark.workers.frames import FramePlan, SortKeys, begins_of, frames_of

_Array = npt.NDArray[Any]
SHIFTS = frozenset({"LAG", "LEAD"})
"""Functions that pick a row some rows before or after, whatever the frame."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """One call over the rows of a partition.

    order       the columns of ORDER BY; `ties` decide between equal rows, so that a repeated micro-batch gives the same
    arguments   the columns of the call's arguments, `filter` that of its FILTER
    aggregate   the aggregate over each frame, bound to the arguments as slots; None for other functions
    column      the name of the column with the results
    """

    name: str
    order: SortKeys
    ties: SortKeys
    arguments: tuple[str, ...]
    filter: str | None
    ignores_nulls: bool
    frame: FramePlan
    aggregate: Aggregate | None
    result_type: pa.DataType
    column: str

    def results(self, rows: pa.Table) -> pa.Array:
        """The result for each row."""
        keys = [*self.order, *self.ties]
        if not keys:
            return self._result(rows)
        places = pc.sort_indices(rows, sort_keys=keys)
        back = np.empty(len(places), dtype=np.int64)
        back[places.to_numpy()] = np.arange(len(places))
        return self._result(rows.take(places)).take(pa.array(back))

    def _result(self, rows: pa.Table) -> pa.Array:
        begins = begins_of(rows, [name for name, _ in self.order])
        if self.name in _NUMBERS:
            return pa.array(_NUMBERS[self.name](begins, self._first(rows, 0))).cast(self.result_type)
        if self.aggregate is not None:
            return self._aggregated(rows, *frames_of(rows, begins, self.frame))
        return self._picked(rows, begins)

    def _first(self, rows: pa.Table, number: int) -> Any:
        """The value of an argument that is the same for all rows; None where there is no such argument."""
        return rows[self.arguments[number]][0].as_py() if len(self.arguments) > number else None

    # aggregates

    def _aggregated(self, rows: pa.Table, starts: _Array, stops: _Array) -> pa.Array:
        read = (*self.arguments, *([self.filter] if self.filter else []))
        columns = [values_of(rows[name].combine_chunks()) for name in read]
        places = range(rows.num_rows)
        slots = [*zip(places, *[[None] * rows.num_rows] * (FIRST_OPERAND - 1), *columns, strict=True)]
        return array_of(_over_frames(self.aggregate, slots, starts.tolist(), stops.tolist()), self.result_type)

    # functions that pick a row

    def _picked(self, rows: pa.Table, begins: _Array) -> pa.Array:
        """The argument of one of the rows of each frame, or of the row some rows before or after; else its default."""
        values = rows[self.arguments[0]].combine_chunks()
        if self.name in SHIFTS:
            return self._shifted(rows, values)
        candidates = _present(values) if self._ignores_nulls(rows) else np.arange(len(values))
        if self.filter is not None:
            kept = pc.fill_null(rows[self.filter], False).to_numpy()
            candidates = candidates[kept[candidates]]
        starts, stops = frames_of(rows, begins, self.frame)
        if self.name in _LAST:
            places = np.searchsorted(candidates, stops) - 1
        else:
            number = self._first(rows, 1) if self.name == "NTH_VALUE" else 1
            places = np.searchsorted(candidates, starts) + number - 1
        picked = _at(candidates, places)
        return values.take(_indexes(np.where((picked >= starts) & (picked < stops), picked, -1)))

    def _ignores_nulls(self, rows: pa.Table) -> bool:
        """Whether NULLs are left out: by IGNORE NULLS, or by the second argument of FIRST and its like."""
        return self.ignores_nulls or (self.name != "NTH_VALUE" and bool(self._first(rows, 1)))

    def _shifted(self, rows: pa.Table, values: pa.Array) -> pa.Array:
        offset = 1 if len(self.arguments) < 2 else self._first(rows, 1)
        here = np.arange(len(values))
        if offset is None:
            return pa.nulls(len(values), values.type)
        steps = -offset if self.name == "LAG" else offset
        if steps == 0:
            picked = here
        elif self.ignores_nulls:
            candidates = _present(values)
            before = np.searchsorted(candidates, here if steps < 0 else here + 1)
            picked = _at(candidates, before + (steps if steps < 0 else steps - 1))
        else:
            picked = _at(here, here + steps)
        if len(self.arguments) < 3:
            return values.take(_indexes(picked))
        both = pa.concat_arrays([values, rows[self.arguments[2]].combine_chunks()])
        return both.take(_indexes(np.where(picked < 0, here + len(values), picked)))


@dataclass(frozen=True, slots=True)
class Evaluations:
    """The calls over the rows of one partition: the first columns of the rows are returned, and one for each call."""

    columns: int
    calls: tuple[Evaluation, ...]

    def __call__(self, rows: pa.Table) -> pa.Table:
        kept = rows.select(range(self.columns))
        for call in self.calls:
            kept = kept.append_column(call.column, call.results(rows))
        return kept


_LAST = frozenset({"LAST", "LAST_VALUE"})


def _present(values: pa.Array) -> _Array:
    """The places of the values that are not NULL."""
    return np.flatnonzero(values.is_valid().to_numpy(zero_copy_only=False))


def _at(candidates: _Array, places: _Array) -> _Array:
    """The candidates at these places; -1 where there is none."""
    if not len(candidates):
        return np.full(len(places), -1)
    exists = (places >= 0) & (places < len(candidates))
    return np.where(exists, candidates[np.clip(places, 0, len(candidates) - 1)], -1)


def _indexes(picked: _Array) -> pa.Array:
    return pa.array(picked, mask=picked < 0)


def _over_frames(aggregate: Any, rows: Sequence[Any], starts: list[int], stops: list[int]) -> list[Any]:
    """The aggregate of each frame; a frame that begins where the previous one did continues its accumulator."""
    results: list[Any] = []
    state, begin, end = aggregate.create(), 0, 0
    is_known = False
    for start, stop in zip(starts, stops, strict=True):
        if start != begin or stop < end:
            state, begin, end, is_known = aggregate.create(), start, start, False
        for place in range(end, stop):
            state = aggregate.add(state, rows[place])
        is_known = is_known and stop <= end
        end = max(end, stop)
        results.append(results[-1] if is_known else aggregate.result(state))
        is_known = True
    return results


# functions that number rows


def _row_number(begins: _Array, _: Any) -> _Array:
    return np.arange(1, len(begins) + 1)


def _rank(begins: _Array, _: Any) -> _Array:
    return np.maximum.accumulate(np.where(begins, np.arange(1, len(begins) + 1), 0))


def _dense_rank(begins: _Array, _: Any) -> _Array:
    return np.cumsum(begins)


def _percent_rank(begins: _Array, _: Any) -> _Array:
    ranks: _Array = (_rank(begins, None) - 1) / max(len(begins) - 1, 1)
    return ranks


def _cume_dist(begins: _Array, _: Any) -> _Array:
    ends = np.append(np.flatnonzero(begins)[1:], len(begins))
    shares: _Array = ends[np.cumsum(begins) - 1] / len(begins)
    return shares


def _ntile(begins: _Array, buckets: int) -> _Array:
    """The first buckets have a row more where the rows do not divide."""
    size, longer = divmod(len(begins), buckets)
    rows = np.arange(len(begins))
    in_longer = longer * (size + 1)
    return np.where(rows < in_longer, rows // (size + 1), longer + (rows - in_longer) // max(size, 1)) + 1


_NUMBERS: dict[str, Callable[[_Array, Any], _Array]] = {
    "ROW_NUMBER": _row_number,
    "RANK": _rank,
    "DENSE_RANK": _dense_rank,
    "PERCENT_RANK": _percent_rank,
    "CUME_DIST": _cume_dist,
    "NTILE": _ntile,
}
PICKED_OR_NUMBERED = _NUMBERS.keys() | SHIFTS | _LAST | {"FIRST", "FIRST_VALUE", "ANY_VALUE", "NTH_VALUE"}
"""The functions that are no aggregates here."""
