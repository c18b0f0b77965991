"""Frames of window functions: for each row of a partition, in order, where its frame begins and ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt
import pyarrow as pa
import pyarrow.compute as pc

from winsql.model.window_functions import Side

_Array = npt.NDArray[Any]
SortKeys = Sequence[tuple[str, str]]
"""Columns to sort by, each with "ascending" or "descending"."""


@dataclass(frozen=True, slots=True)
class BoundPlan:
    """A bound of a frame.

    columns  for ROWS the column with the offset, the same in all rows; for RANGE the columns by which the value at the
             bound sorts, as `FramePlan.order`; () where the bound has no offset
    """

    side: Side
    columns: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class FramePlan:
    """`ROWS | RANGE BETWEEN start AND end`; `order` is what rows are ordered by."""

    counts_rows: bool
    start: BoundPlan
    end: BoundPlan
    order: SortKeys


def begins_of(rows: pa.Table, names: list[str]) -> _Array:
    """Whether a row comes after the previous one in the order, and is not equal to it."""
    begins = np.zeros(rows.num_rows, dtype=bool)
    begins[:1] = True
    for name in names:
        column = rows[name].combine_chunks()
        differs = pc.fill_null(pc.not_equal(column[1:], column[:-1]), False)
        begins[1:] |= differs.to_numpy(zero_copy_only=False)
    return begins


def frames_of(rows: pa.Table, begins: _Array, frame: FramePlan) -> tuple[_Array, _Array]:
    """The place of the first row of each frame, and that after its last one."""
    count = rows.num_rows
    find = _by_rows if frame.counts_rows else _by_range
    starts = np.zeros(count, dtype=np.int64)
    stops = np.full(count, count, dtype=np.int64)
    if frame.start.columns or frame.start.side is not Side.PRECEDING:
        starts = find(rows, begins, frame, frame.start, is_start=True)
    if frame.end.columns or frame.end.side is not Side.FOLLOWING:
        stops = find(rows, begins, frame, frame.end, is_start=False)
    starts = np.clip(starts, 0, count)
    return starts, np.maximum(starts, np.clip(stops, 0, count))


def _by_rows(rows: pa.Table, _: _Array, frame: FramePlan, bound: BoundPlan, *, is_start: bool) -> _Array:
    here = np.arange(rows.num_rows)
    offset = rows[bound.columns[0]][0].as_py() if bound.columns else 0
    places: _Array = here + bound.side.value * offset + (not is_start)
    return places


def _by_range(rows: pa.Table, begins: _Array, frame: FramePlan, bound: BoundPlan, *, is_start: bool) -> _Array:
    places: _Array
    if bound.columns:
        here, there = _codes(rows, [name for name, _ in frame.order], bound.columns, frame.order)
        places = np.searchsorted(here, there, "left" if is_start else "right")
    else:
        first = np.flatnonzero(begins)
        places = (first if is_start else np.append(first[1:], rows.num_rows))[np.cumsum(begins) - 1]
    return places


def _codes(rows: pa.Table, own: list[str], others: Sequence[str], order: SortKeys) -> tuple[_Array, _Array]:
    """Numbers in the order of the rows, and of the values at a bound among them."""
    columns = [
        pa.concat_arrays([rows[a].combine_chunks(), rows[b].combine_chunks()]) for a, b in zip(own, others, strict=True)
    ]
    both = pa.table(columns, names=own)
    indices = pc.sort_indices(both, sort_keys=list(order)).to_numpy()
    codes = np.empty(len(indices), dtype=np.int64)
    codes[indices] = np.cumsum(begins_of(both.take(pa.array(indices)), own))
    return codes[: rows.num_rows], codes[rows.num_rows :]
